/* elementwise.h - the frame of all element-wise operations.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * An operation is a row of functions, one for each class of element type; the
 * frame does shapes, broadcasting, NaN, rounding and goals.  Rounding happens
 * once: a real function is called toward zero at real_width bits, and its
 * ternary value decides the rest (real.h).  So no function here may round, or
 * go through a wider type.
 */
#ifndef INTERP_OPS_ELEMENTWISE_H
#define INTERP_OPS_ELEMENTWISE_H

#include <mpfr.h>

#include "interp/exact/fast_arith.h"
#include "interp/fast/enclosure.h"
#include "interp/ops/complex.h"
#include "interp/ops/steep.h"
#include "interp/program/eval.h"
#include "interp/program/infer.h"
#include "interp/program/op.h"

/* ---- slope.c: how much a real function changes with its operands --------- */
/* slope_NAME is that of operation NAME: the function is continuous in the box
 * x[0] ... and d[k] contains its partial derivative by operand k at each point
 * of the box where it has one.  False if that is not so, or not known. */

enum {
    SLOPE_OPERANDS = 4 /* parts count each */
};

typedef bool slope_function(const struct enclosure *x, struct enclosure *d);

slope_function slope_identity, slope_abs, slope_add, slope_atan, slope_cbrt,
    slope_clamp, slope_cos, slope_cosh, slope_div, slope_erf, slope_erfc,
    slope_exp, slope_log, slope_log1p, slope_logistic, slope_max, slope_min,
    slope_mul, slope_neg, slope_pow, slope_rsqrt, slope_sin, slope_sinh,
    slope_sqrt, slope_sub, slope_tanh;

/* slope_parts_NAME is the same of the real part (0) or the imaginary one (1) of
 * what operation NAME gives for complex operands, or of its real result: x and
 * d have the parts of each operand, the real one first. */
typedef bool slope_parts_function(const struct enclosure *x,
                                  struct enclosure *d, int part);

slope_parts_function slope_parts_abs, slope_parts_add, slope_parts_mul,
    slope_parts_neg, slope_parts_sub;

/* ---- elementwise.c ------------------------------------------------------- */

/* One evaluation of an element-wise operation. */
struct elementwise_job {
    struct eval *ev;
    const struct elementwise *what;
    const struct literal *const
        *kept;  /* operands before they were flushed; NULL
                   unless one of them is the result */
    bool signs; /* elementwise_flush_signs */
    struct goal *goal;
    enum dtype type, unit; /* of the operands */
    enum dtype result;     /* unit of the result */
    int64_t index;         /* the current unit (not of complex ones), */
    bool free;             /* and to set: it may be anything */
    bool also;             /* and to set: it may be also_bits, too */
    uint64_t also_bits;
    mpfr_t x, x2, y;
    int width;
    struct complex_work *complex;
    bool special_any;   /* policy complex.special */
    bool zero_either;   /* complex.zero-sign */
    bool special_exact; /* function.special-value */
    bool domains;       /* budgets depend on the operands */
};

/* An exact function of one unit of each operand: the result's pattern. */
typedef uint64_t elementwise_bits(struct elementwise_job *j, const uint64_t *x);
/* A real function, correctly rounded, with MPFR's ternary value; if the limit
 * of precision leaves it open, NaN and ENCLOSE_UNDECIDED. */
typedef int elementwise_real(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rnd);
typedef int elementwise_real2(mpfr_ptr y, mpfr_srcptr a, mpfr_srcptr b,
                              mpfr_rnd_t rnd);
/* A real function's values where MPFR's rules are not the specification's:
 * true if *bits is the result.  Asked before NaN operands give NaN. */
typedef bool elementwise_special(struct elementwise_job *j, const uint64_t *x,
                                 uint64_t *bits);
/* An exact function of whole complex elements (re, im of each operand). */
typedef uint64_t elementwise_parts(struct elementwise_job *j, const uint64_t *x,
                                   int part);

enum elementwise_result {
    ELEMENTWISE_SAME,      /* the operands' type */
    ELEMENTWISE_COMPONENT, /* complex: its component's */
    ELEMENTWISE_PRED,
    ELEMENTWISE_COMPLEX, /* two components */
};

/* An end of a real function's range. */
enum elementwise_end {
    ELEMENTWISE_OPEN, /* there is none, or the sign says it */
    ELEMENTWISE_MINUS_PI,
    ELEMENTWISE_MINUS_HALF_PI,
    ELEMENTWISE_MINUS_ONE,
    ELEMENTWISE_ZERO,
    ELEMENTWISE_ONE,
    ELEMENTWISE_TWO,
    ELEMENTWISE_HALF_PI,
    ELEMENTWISE_PI,
};

/* The real number of an end, pi truncated; an infinity if there is none. */
struct real elementwise_end(enum elementwise_end end, bool low);

/* Functions that are NULL: the class is not allowed.  Of exact and real, a
 * type of floats needs one. */
struct elementwise {
    int arity;
    enum elementwise_result result;
    bool moved;   /* bits are moved: signalling NaNs stay */
    bool bitwise; /* compares patterns, or changes a sign: nothing is flushed */
    bool equal_sizes; /* operands must have the same dimensions */
    bool exact_real;  /* a real function whose value is judged by its bits */
    enum fast_arith_op fast; /* the processor has it, correctly rounded */
    const char *accuracy, *accuracy_complex;
    elementwise_bits *pred, *integer, *exact;
    elementwise_real *real;
    elementwise_real2 *real2;
    elementwise_special *special;
    elementwise_parts *parts; /* complex, exact */
    complex_function *complex;
    bool complex_norm;
    bool ordered;  /* orders its operands: complex ones by complex.order */
    int composite; /* a policy may also permit a formula of so many roundings,
                      none of which moves the result by a larger part than it
                      does its own number */
    bool open; /* a policy may leave a result open, beside integer.overflow */
    enum elementwise_end low, high; /* of the real function's range */
    slope_function *slope;          /* of the real function; NULL: not known */
    slope_parts_function *slope_parts; /* the same of complex operands */
    steep_function *steep; /* of complex operands; NULL: not known */
};

bool elementwise_infer(struct infer *in, struct status *st);
bool elementwise_eval(struct eval *ev, struct status *st);
/* Complex functions that are steep somewhere (op.ranges). */
bool elementwise_ranges(struct eval *ev, struct status *st);

/* The shape of operand 0 with another element type, dynamic dimensions too. */
bool elementwise_infer_as(struct infer *in, enum dtype dtype,
                          struct status *st);
/* Take over the actual sizes of dynamic dimensions. */
bool elementwise_sizes(struct eval *ev, struct literal *value,
                       struct status *st);
/* Must every element of the goal have its own budget, and the budget of element
 * i (of the result), from an element of each operand. */
bool elementwise_has_domains(const struct eval *ev, const struct goal *goal);
void elementwise_budget_at(const struct eval *ev, struct goal *goal, int64_t i,
                           const struct profile_element *element);
/* Call body for every element of the result: at[k] is the element of operand
 * k.  */
typedef void elementwise_body(void *context, int64_t i, const int64_t *at);
void elementwise_each(const struct eval *ev, const struct shape *result,
                      elementwise_body *body, void *context);

/* The operands as an operation takes them that flushes its own
 * (machine->flush): copies where that makes a difference. */
const struct literal *const *
elementwise_flush_operands(const struct eval *ev, const struct elementwise *e);
/* Does it give one of its operands (Max, Clamp), which keeps its bits although
 * it is compared as zero? */
bool elementwise_flush_picks(const struct eval *ev,
                             const struct elementwise *e);
/* Does it give +0 for a subnormal number, as 0 - x does for -x? */
bool elementwise_flush_signs(const struct eval *ev,
                             const struct elementwise *e);
/* May it take all between a subnormal operand and the zero (uses_spread)? */
bool elementwise_flush_spreads(const struct eval *ev,
                               const struct elementwise *e);
/* Unit i of such an operation was bits of the flushed operands: if that is a
 * zero, give it the operand of from that this was, and allow the others that
 * were flushed; a zero of the other sign only if either is right. */
void elementwise_flush_pick(const struct eval *ev, struct goal *goal, int64_t i,
                            const uint64_t *from, const uint64_t *flushed,
                            bool either);

/* Set what policies say of functions in a job that has its goal. */
void elementwise_policy_read(struct elementwise_job *job);
/* Fail if complex operands have no order, and the operation needs one. */
bool elementwise_policy_order(const struct eval *ev,
                              const struct elementwise *e, struct status *st);
/* Is policy function.zero-sign one of the operation's? */
bool elementwise_policy_zeros(const struct eval *ev);

/* Is one of n units a NaN (a signalling one)? */
bool elementwise_any_nan(enum dtype unit, const uint64_t *x, int n);
bool elementwise_any_signalling(enum dtype unit, const uint64_t *x, int n);

/* An operation from its row: OP_ELEMENTWISE(Sin, .arity = 1, ...) */
#define OP_ELEMENTWISE(NAME, ...) OP_MONOTONE(NAME, 0, 0, __VA_ARGS__)
#define OP_MONOTONE(NAME, FIRST, SECOND, ...) \
    OP_TRAITS(NAME, (.monotone = {FIRST, SECOND}), __VA_ARGS__)
/* The same where complex operands may be inexact. */
#define OP_STEEP(NAME, FIRST, SECOND, ...) \
    OP_TRAITS(NAME, \
              (.monotone = {FIRST, SECOND}, .ranges = elementwise_ranges), \
              __VA_ARGS__)
/* The same with members of struct op, in parentheses. */
#define OP_TRAITS(NAME, TRAITS, ...) \
    static const struct elementwise row = {__VA_ARGS__}; \
    const struct op op_##NAME = {.name = #NAME, \
                                 .infer = elementwise_infer, \
                                 .eval = elementwise_eval, \
                                 .elementwise = &row, \
                                 OP_TRAITS_LIST TRAITS}
#define OP_TRAITS_LIST(...) __VA_ARGS__

/* A rounded real function of one operand. */
#define OP_FUNCTION(NAME, REAL, MONOTONE, ...) \
    OP_STEEP(NAME, MONOTONE, 0, .arity = 1, .real = (REAL), .accuracy = #NAME, \
             .accuracy_complex = #NAME ".complex", .complex_norm = true, \
             __VA_ARGS__)

/* ---- broadcast.c: how the shapes of two operands become one -------------- */
/* XLA's rules (the documents on broadcasting): a scalar goes with anything;
 * operands of different ranks need broadcast_dimensions, strictly increasing,
 * one for each dimension of the operand of smaller rank; then a dimension of
 * size 1 stretches to the other operand's size.  With "broadcasting": "numpy"
 * shapes are aligned on the right instead. */

/* The common shape of two operands, with the given element type, into
 * in->result. */
bool broadcast_infer(struct infer *in, enum dtype dtype, struct status *st);

/* Once inferred: the dimension of the result, which has that rank, that each
 * dimension of an operand goes with. */
void broadcast_place(const struct instruction *in, const struct shape *operand,
                     int rank, int64_t *where);
/* Once inferred: by how many elements of the operand a step along each
 * dimension of the result moves (0 where it is repeated). */
void broadcast_strides(const struct instruction *in,
                       const struct shape *operand, const struct shape *result,
                       int64_t *strides);

#endif
