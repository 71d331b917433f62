/* complex.h - complex functions, each component correctly rounded.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A complex function gives both components of its exact value as truncated
 * reals (real.h).  Either a component is one correctly rounded MPFR function
 * of an exact intermediate value, or it is enclosed: computed from factors and
 * sums whose errors are known, with more and more bits until the truncation is
 * decided, or the limit ends it (Ziv's strategy).  Components that can be
 * exact are recognised, so refinement always ends.  Infinities, NaN
 * and signed zeros follow C11 annex G.
 */
#ifndef INTERP_OPS_COMPLEX_H
#define INTERP_OPS_COMPLEX_H

#include <mpfr.h>

#include "interp/base/arena.h"
#include "interp/exact/real.h"

enum {
    COMPLEX_SCRATCH = 16
};

/* An approximation: relative error below 2^-good of value's binade; exact if
 * good is COMPLEX_EXACT. */
#define COMPLEX_EXACT INT64_MAX
struct complex_part {
    mpfr_t value;
    int64_t good;
};

/* A complex operand or result in MPFR. */
struct complex_number {
    mpfr_t re, im;
};

struct complex_work {
    int width;
    int64_t limit;              /* precision where refinement ends */
    bool undecided;             /* to set: precision ended; */
    bool free;                  /* no document says what the value is, */
    unsigned signs;             /* or (1 << part) what its sign is */
    unsigned cancelled;         /* parts that are a difference of terms */
    struct complex_number z[2]; /* the operands */
    struct complex_part part[2];
    mpfr_t t[COMPLEX_SCRATCH];
    mpfr_t out;
};

/* The function of w->z[0] (and z[1]) into y[0], y[1] (one that is real gives
 * only y[0]). */
typedef void complex_function(struct complex_work *w, struct real *y);

complex_function complex_algebra_add, complex_algebra_sub, complex_algebra_mul,
    complex_algebra_div, complex_algebra_abs, complex_algebra_sign,
    complex_algebra_sqrt, complex_algebra_rsqrt;
complex_function complex_cbrt;
complex_function complex_exp_exp, complex_exp_expm1, complex_exp_sin,
    complex_exp_cos, complex_exp_sinh, complex_exp_cosh;
complex_function complex_tanh_tanh, complex_tanh_tan, complex_tanh_logistic;
complex_function complex_log_log, complex_log_log1p;
complex_function complex_inverse_asin, complex_inverse_acos,
    complex_inverse_asinh, complex_inverse_acosh, complex_inverse_atan,
    complex_inverse_atanh;
complex_function complex_pow_pow, complex_pow_atan2;

struct complex_work *complex_new(struct arena *a, int width, int64_t limit);
void complex_free(struct complex_work *w);

/* |error| <= 2^(scale - prec): what a part is known to, from that. */
int64_t complex_good(mpfr_ptr value, int64_t scale, mpfr_prec_t prec);
/* Just above or below one in magnitude, and not one. */
struct real complex_near_one(const struct complex_work *w, bool above,
                             bool negative);
/* Zeros of y may have either sign: a quotient, of which no document says more
 * than its value (C11 G.5.1 gives one algorithm as an example). */
void complex_quotient_zeros(struct complex_work *w, const struct real *y);
/* A zero or infinity times a number, by its sign. */
struct real complex_times(struct real factor, mpfr_srcptr x);
/* Keep x within +-2^16, where every exponential is far out of range. */
void complex_clamp(mpfr_ptr x);
/* z0 = i * z0, and y = -i * y */
void complex_turn(struct complex_work *w);
void complex_turn_back(struct complex_work *w, struct real *y);

/* One step: both parts at this precision. */
typedef void complex_step(struct complex_work *w, mpfr_prec_t prec);
/* Refine until both parts are decided. */
void complex_refine(struct complex_work *w, complex_step *step, struct real *y);
/* Set the precision of all scratch numbers. */
void complex_precision(struct complex_work *w, mpfr_prec_t prec);
/* value = a * b etc. without rounding: sets r's precision. */
void complex_exact_add(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b);
void complex_exact_sub(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b);
void complex_exact_mul(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b);

/* A part that is decided at width bits: into *y. */
bool complex_settle(struct complex_work *w, const struct complex_part *part,
                    struct real *y);
/* x truncated to width bits. */
struct real complex_real(struct complex_work *w, mpfr_srcptr x);
/* Values of the special cases. */
struct real complex_zero(bool negative);
struct real complex_inf(bool negative);
struct real complex_nan(void);

/* A correctly rounded function of one or two exact numbers. */
typedef int complex_call1(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rnd);
typedef int complex_call2(mpfr_ptr y, mpfr_srcptr a, mpfr_srcptr b,
                          mpfr_rnd_t rnd);
struct real complex_apply(struct complex_work *w, complex_call1 *f,
                          mpfr_srcptr x);
struct real complex_apply2(struct complex_work *w, complex_call2 *f,
                           mpfr_srcptr a, mpfr_srcptr b);

static inline bool complex_is_finite(const struct complex_number *z)
{
    return mpfr_number_p(z->re) && mpfr_number_p(z->im);
}

static inline bool complex_has_nan(const struct complex_number *z)
{
    return mpfr_nan_p(z->re) || mpfr_nan_p(z->im);
}

#endif
