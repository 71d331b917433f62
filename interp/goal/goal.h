/* goal.h - what one array of a result must be.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * An operation writes its result into goals, one for each array of the result,
 * unit by unit.  A goal keeps the value that the reference returns (rounded
 * once), and, on request (want_exact), what a judge needs of each unit to build
 * its acceptance set.  Most comparisons do not need it: a backend that returns
 * the reference's bits is right under every profile.
 */
#ifndef INTERP_GOAL_GOAL_H
#define INTERP_GOAL_GOAL_H

#include <mpfr.h>

#include "interp/base/literal.h"
#include "interp/exact/accept.h"
#include "interp/exact/real.h"

enum goal_rule {
    GOAL_BITS,  /* the value's bits; arithmetic NaNs as the profile says */
    GOAL_MOVED, /* the value's bits, NaN payloads and signalling NaNs too */
    GOAL_REAL,  /* a rounded real function, judged by a budget: real */
    GOAL_SUM,   /* an accumulation, judged by its error bound: sum */
    GOAL_RANGE, /* between two ends (programs of inexact instructions): range */
    GOAL_CHECK, /* a predicate over the whole result: check */
    GOAL_FREE,  /* any value */
};

/* One unit that may also have another pattern. */
struct goal_other {
    int64_t unit;
    uint64_t bits;
    struct goal_other *next; /* of the goal */
    struct goal_other *same; /* of the same unit */
};

struct goal;
/* Where a unit was moved from; no goal: it was given to the program so. */
struct goal_source {
    const struct goal *goal;
    int64_t unit;
};

/* The finding of a predicate: what is wrong, and where in which of got.  Where
 * it measures an error against a bound (a norm, a residual), also the largest
 * one, right or wrong, in millionths of its bound, and the unit where it is. */
struct goal_finding {
    char why[240];
    int leaf;
    int64_t unit;
    bool has_share;
    int64_t share, share_unit;
};

/* A predicate over arrays of one instruction's result: were got[0..n-1] legal?
 * got[0] is for the goal itself, got[i] for the result goal->check.place + i: a
 * program may pass on only some of the results.  The finding is zeroed before.
 * */
typedef bool goal_check(const struct goal *goal,
                        const struct literal *const *got, int n,
                        struct goal_finding *found);

/* The least and the greatest pattern of unit i that a predicate may accept, for
 * programs that take the result on.  False, and why, if there are none. */
struct goal_ends;
typedef bool goal_check_ends(const struct goal *goal, int64_t i,
                             struct goal_ends *e, const char **why);

/* GOAL_REAL; the arrays are by unit, NULL where no unit differs. */
struct goal_real {
    struct real *y;       /* exact values; NULL unless want_exact */
    const char *accuracy; /* budget class of the profile, e.g. "Sin",
                             "arithmetic"; NULL: correctly rounded */
    bool zero_open;       /* policy function.zero-sign is about its zeros */
    bool complex_norm;    /* judge complex units together, norm-wise */
    bool has_budget;      /* one from result_accuracy instead of the class */
    struct accept_budget budget;
    const struct accept_budget **unit_budgets; /* where the class's budget
                                                  depends on the operands */
    unsigned char *exact_units;                /* 1 = no budget around y */
    /* 1 = a part of a complex number that is a difference of rounded terms: its
     * zero is judged with the other part */
    unsigned char *cancelled_units;
    unsigned char *either_units; /* 1 = y or -y, whose sets are both right */
    /* How far the reference's own result is from the exact value, at most:
     * millionths of an ulp (real_error), and where. */
    int64_t worst, worst_unit;
};

/* A tagged union: what only one rule needs is in that rule's member.  How
 * each rule judges is interp/goal/rule_*.c. */
struct goal {
    struct arena *arena;
    enum goal_rule rule;
    struct literal *value; /* the reference's result */
    bool want_exact;
    enum real_overflow overflow; /* of the value, where it is rounded */
    union {
        struct goal_real real;
        struct {
            struct accept_sum *sums; /* by unit; NULL unless want_exact */
        } sum;
        struct {
            struct literal *low, *high; /* both ends included */
            signed char *order; /* by unit: as accept_accumulation_order, of the
                                   sums that the program's bound knows; NULL:
                                   not known */
        } range;
        struct {
            goal_check *holds;
            const void *data;           /* for holds */
            int place;                  /* which of the instruction's results */
            goal_check_ends *ends;      /* NULL: units have none */
            const unsigned char *apart; /* by unit: do the others not depend on
                                           it?  NULL: not known */
        } check;
    };

    struct goal_other *others;       /* more patterns, by policy */
    struct goal_other **unit_others; /* the same by unit; NULL: none */
    unsigned char *free_units;       /* per unit: 1 = any value; NULL: none */
    unsigned char *nan_units;    /* 1 = a NaN of any pattern that the profile
                                    allows, although it is moved (GOAL_MOVED), or
                                    besides the sum (GOAL_SUM); NULL: none */
    unsigned char *kept_units;   /* 1 = an element of an operand, with which
                                    nothing was combined: as in a GOAL_MOVED every
                                    bit counts, whatever the rule; NULL: none */
    struct goal_source *sources; /* GOAL_MOVED: units that the goals judge that
                                    they had before; NULL: none */
    bool computed; /* GOAL_MOVED: not all units were given to the program */
    bool clip; /* REAL, SUM: the function's range; results outside are wrong */
    struct real clip_low, clip_high;
    bool repeats;      /* any of several values, but each time the same */
    int node;          /* of the follower of a program (interp/bound), or 0 */
    int64_t undecided; /* units for which precision ended */
    const char *note;  /* e.g. "order_dependent_overflow"; NULL: none */
};

/* Note an error of that unit (of got[0]) and its bound, both not negative. */
void goal_measure(struct goal_finding *found, int64_t unit, mpfr_srcptr error,
                  mpfr_srcptr bound);

/* A goal for an array shape; its value is all zero bits. */
struct goal *goal_new(struct arena *a, const struct shape *shape,
                      enum goal_rule rule, bool want_exact);
/* A goal whose value is already there (exact operations). */
struct goal *goal_of(struct arena *a, struct literal *value,
                     enum goal_rule rule);

/* A copy that shares nothing with g except what belongs to a profile.  Not for
 * a GOAL_CHECK, whose data belong to its operation. */
struct goal *goal_copy(struct arena *a, const struct goal *g);

/* Give a sum its own copies of its parts. */
void goal_own_sum(struct arena *a, struct accept_sum *s);

/* Change the rule of a goal whose value is already there: anything is right; a
 * predicate decides; each unit lies between ends that start at its value (only
 * of a GOAL_BITS). */
void goal_make_free(struct goal *g);
void goal_make_check(struct goal *g, goal_check *holds, const void *data,
                     int place);
/* Of a predicate that accepts the value alone, and is there because units of
 * several evaluations must not be mixed: a program may take each unit on. */
void goal_check_known(struct goal *g);
void goal_make_range(struct goal *g);

/* Are both judged by one predicate, as results of one instruction? */
bool goal_same_check(const struct goal *a, const struct goal *b);
/* Is the value rounded from an exact one? */
bool goal_is_rounded(const struct goal *g);
/* Whose unit *i is judged: g's, or that of the goal that it was moved from,
 * with its number there in *i. */
const struct goal *goal_source(const struct goal *g, int64_t *i);
/* The exact value of unit i; NULL if it is not known. */
const struct real *goal_exact(const struct goal *g, int64_t i);

/* Set unit i to the rounding of y, and remember y. */
void goal_real(struct goal *g, int64_t i, const struct real *y);
/* Set unit i to a pattern whose exact value it is. */
void goal_bits(struct goal *g, int64_t i, uint64_t bits);
/* Set unit i to the rounding of an accumulation. */
void goal_sum(struct goal *g, int64_t i, const struct accept_sum *sum);
/* Unit i, which has a sum, may also be the same in another accumulator. */
void goal_sum_also(struct goal *g, int64_t i, const struct accept_sum *sum);
/* Unit i may also be bits. */
void goal_or(struct goal *g, int64_t i, uint64_t bits);
/* The part of the half-width of unit i's set for which the order of additions
 * accounts, in percent; -1: none, or not known. */
int goal_order(const struct goal *g, int64_t i);
/* The goals that goal_or added to unit i, the last one first, linked by `same`.
 */
const struct goal_other *goal_others(const struct goal *g, int64_t i);
/* Without all of them. */
void goal_only(struct goal *g);
/* Unit i may be anything. */
void goal_free_unit(struct goal *g, int64_t i);
/* Unit i is a NaN with the pattern of one that was computed before; in a
 * GOAL_SUM it may also be any NaN. */
void goal_nan_unit(struct goal *g, int64_t i);
/* Unit i of a GOAL_MOVED, whose pattern is set, is unit `at` of from, with all
 * that is right for it but what free_units says; from NULL: it was given.  Not
 * of a GOAL_CHECK. */
void goal_take(struct goal *g, int64_t i, const struct goal *from, int64_t at);
/* Units of a GOAL_MOVED that were given to the program are copies all the same,
 * but what it computes decides which one goes where. */
void goal_decided(struct goal *g);
/* Unit i is an element of an operand as it was. */
void goal_kept_unit(struct goal *g, int64_t i);
/* Unit i of a GOAL_REAL is exact, whatever the function's budget. */
void goal_exact_unit(struct goal *g, int64_t i);
/* Unit i of a complex GOAL_REAL is a difference of terms that are not zero. */
void goal_cancelled_unit(struct goal *g, int64_t i);
/* Unit i of a GOAL_REAL may have either sign: no document says which. */
void goal_either_unit(struct goal *g, int64_t i);
/* Unit i of a GOAL_REAL has its own budget. */
void goal_unit_budget(struct goal *g, int64_t i,
                      const struct accept_budget *budget);
/* The budget of unit i of a GOAL_REAL, where usual is that of the others. */
const struct accept_budget *goal_budget(const struct goal *g, int64_t i,
                                        const struct accept_budget *usual);

#endif
