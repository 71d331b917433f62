/* goal.h - what one array of a result must be.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * An operation writes its result into goals, one for each array of the result,
 * unit by unit.  A goal keeps the value that the reference returns (rounded
 * once), and, when asked (want_exact), what a judge needs to know of each unit
 * to build its acceptance set.  Most comparisons never ask: a backend that
 * returns the reference's bits is right under every profile.
 */
#ifndef INTERP_EXACT_GOAL_H
#define INTERP_EXACT_GOAL_H

#include <mpfr.h>

#include "interp/base/literal.h"
#include "interp/exact/accept.h"
#include "interp/exact/real.h"

enum goal_rule {
    GOAL_BITS,  /* the value's bits; arithmetic NaNs as the profile says */
    GOAL_MOVED, /* the value's bits, NaN payloads and signalling NaNs too */
    GOAL_REAL,  /* a rounded real function: y[], judged by a budget */
    GOAL_SUM,   /* an accumulation: sums[], judged by accept_accumulation */
    GOAL_RANGE, /* between low and high (programs of inexact instructions) */
    GOAL_CHECK, /* a predicate over the whole result */
    GOAL_FREE,  /* any value */
};

/* One unit that may also have another pattern. */
struct goal_other {
    int64_t unit;
    uint64_t bits;
    struct goal_other *next;
};

struct goal;
/* What a predicate found: what is wrong, and where in which of got.  Where it
 * measures an error against a bound (a norm, a residual), also the largest one,
 * right or wrong, in millionths of its bound, and the unit where it is. */
struct goal_finding {
    char why[240];
    int leaf;
    int64_t unit;
    bool has_share;
    int64_t share, share_unit;
};

/* A predicate over arrays of one instruction's result: were got[0..n-1] legal?
 * got[0] is for the goal itself, got[i] for the result goal->place + i: a
 * program may pass on some of the results alone.  The finding is all zero
 * before. */
typedef bool goal_check(const struct goal *goal,
                        const struct literal *const *got, int n,
                        struct goal_finding *found);

struct goal {
    struct arena *arena;
    enum goal_rule rule;
    struct literal *value; /* the reference's result */
    const char *accuracy;  /* budget class of the profile, e.g. "Sin",
                              "arithmetic"; NULL: exact */
    bool complex_norm;     /* judge complex units together, norm-wise */

    /* By unit; NULL unless want_exact. */
    bool want_exact;
    struct real *y;
    struct accept_sum *sums;
    struct literal *low, *high; /* GOAL_RANGE, always */

    struct goal_other *others;  /* more patterns, by policy */
    unsigned char *free_units;  /* per unit: 1 = any value; NULL: none */
    unsigned char *nan_units;   /* 1 = a NaN of any pattern that the profile
                                   allows, although it is moved (GOAL_MOVED)
                                   or beside the sum (GOAL_SUM); NULL: none */
    unsigned char *exact_units; /* 1 = no budget around y; NULL: none */
    /* 1 = a part of a complex number that is a difference of rounded terms: its
     * zero is judged with the other part; NULL: none */
    unsigned char *cancelled_units;
    unsigned char *either_units; /* 1 = y or -y, whose sets are both right */

    goal_check *check; /* GOAL_CHECK */
    const void *check_data;
    int place;    /* GOAL_CHECK: which of the instruction's results */
    bool repeats; /* any of several values, but each time the same */
    struct accept_budget budget; /* from result_accuracy, if has_budget */
    bool has_budget;
    /* By unit, where the profile's budget depends on the operands; or NULL. */
    const struct accept_budget **unit_budgets;
    bool clip; /* the function's range: results outside are wrong */
    struct real clip_low, clip_high;

    /* How far the reference's own result is from the exact value, at most:
     * millionths of an ulp (real_error), and where. */
    int64_t worst, worst_unit;
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

/* Set unit i to the rounding of y, and remember y. */
void goal_real(struct goal *g, int64_t i, const struct real *y);
/* Set unit i to a pattern whose exact value it is. */
void goal_bits(struct goal *g, int64_t i, uint64_t bits);
/* Set unit i to the rounding of an accumulation. */
void goal_sum(struct goal *g, int64_t i, const struct accept_sum *sum);
/* Unit i may also be bits. */
void goal_or(struct goal *g, int64_t i, uint64_t bits);
/* Unit i may be anything. */
void goal_free_unit(struct goal *g, int64_t i);
/* Unit i is a NaN whose pattern is that of one that was computed before; of a
 * GOAL_SUM: it may be any NaN, too. */
void goal_nan_unit(struct goal *g, int64_t i);
/* Unit i of a GOAL_REAL must be what it is, whatever the function's budget. */
void goal_exact_unit(struct goal *g, int64_t i);
/* Unit i of a complex GOAL_REAL is a difference of terms that are not zero. */
void goal_cancelled_unit(struct goal *g, int64_t i);
/* Unit i of a GOAL_REAL may have either sign: no document says which. */
void goal_either_unit(struct goal *g, int64_t i);
/* Unit i of a GOAL_REAL has a budget of its own. */
void goal_unit_budget(struct goal *g, int64_t i,
                      const struct accept_budget *budget);
/* The budget of unit i, where usual is that of the others. */
const struct accept_budget *goal_budget(const struct goal *g, int64_t i,
                                        const struct accept_budget *usual);

#endif
