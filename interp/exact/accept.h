/* accept.h - the acceptance set: which bit patterns are right.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A result is right when its bit pattern lies in a set that follows from the
 * exact value, the budget and the rules of a profile (spec/verdicts.md).  A set
 * is a few ranges of keys (real_key) and a rule for NaN; comparing with it does
 * no arithmetic on the result.
 */
#ifndef INTERP_EXACT_ACCEPT_H
#define INTERP_EXACT_ACCEPT_H

#include "interp/exact/real.h"

enum accept_kind {
    ACCEPT_EXACT,    /* one pattern */
    ACCEPT_CR,       /* to nearest even, once */
    ACCEPT_FAITHFUL, /* the two neighbours */
    ACCEPT_ULP,      /* |v - y| <= max(ulps * ulp(y), abs, rel * |y|) */
    ACCEPT_XLA,      /* |v - y| <= max(|y| * max(rel, ulps * eps), abs) */
    ACCEPT_ANY,
};

/* How far off a result may be; eps = 2^(1 - p); ulp(y) as in spec/verdicts.md,
 * where it stops growing at 2^(emax + 2).  The numbers are exact decimals
 * from a profile or attribute, as truncated reals that are rounded up where
 * they are inexact. */
struct accept_budget {
    enum accept_kind kind;
    struct real ulps, abs, rel; /* REAL_ZERO: absent */
    bool both_sides; /* XLA: of either sign, and beyond the function's range */
};

enum accept_subnormal { /* bits */
    ACCEPT_FLUSH_RESULTS = 1,
    ACCEPT_FLUSH_OPERANDS = 2,
    ACCEPT_FLUSH_ANY_SIGN = 4, /* a flushed zero may have either sign */
};

enum accept_nan { /* from the widest to the narrowest */
    ACCEPT_NAN_ANY,
    ACCEPT_NAN_QUIET,
    ACCEPT_NAN_CANONICAL, /* real_nan, of either sign */
    ACCEPT_NAN_PAYLOAD,   /* the reference's bits */
};

struct accept_rules {
    unsigned subnormal; /* enum accept_subnormal; 0 preserves */
    enum accept_nan nan;
    enum real_overflow overflow;
    /* Named policies: */
    bool zero_any_sign; /* a zero may have either sign */
    bool underflow;     /* a tiny result may be 0 or the smallest normal one */
    bool neighbours;    /* the largest number in place of an overflow, and the
                           reverse, unless rounding is correct */
    bool tie_either;    /* in a type of one digit a tie goes up or down */
    bool clip;          /* intersect with [low, high], the function's range */
    struct real low, high; /* may be infinite; inexact ones rounded outwards */
};

enum {
    ACCEPT_RANGES = 24 /* beyond: the nearest two become one, undecided */
};

struct accept_set {
    bool any;       /* every pattern */
    bool undecided; /* precision ended: both candidates are in the set */
    bool nan;       /* NaNs, as nan_rule says */
    enum accept_nan nan_rule;
    uint64_t nan_bits; /* for PAYLOAD */
    int count;
    struct {
        int64_t low, high; /* keys, both included */
    } range[ACCEPT_RANGES];
};

/* The set for an exact value.  value is the correctly rounded pattern that
 * the reference gives (always a member).  Results lie on y's side of zero, and
 * where y is zero or infinite the set is only value. */
void accept_value(struct accept_set *set, enum dtype unit, const struct real *y,
                  uint64_t value, const struct accept_budget *budget,
                  const struct accept_rules *rules);

/* The set for a value that is known to lie in [low, high] before its final
 * rounding (accumulations): [RN(low), RN(high)].  It may lie on both sides of
 * zero, whatever the sign of value. */
void accept_interval(struct accept_set *set, enum dtype unit,
                     const struct real *low, const struct real *high,
                     uint64_t value, const struct accept_rules *rules);

/* Numbers of the type in [low, high], which encloses the result itself and not
 * only what it is rounded from; RN(value) is the caller's. */
void accept_between(struct accept_set *set, enum dtype unit,
                    const struct real *low, const struct real *high,
                    uint64_t value, const struct accept_rules *rules);

/* Ways in which a partial product may end, as bits. */
enum accept_partial {
    ACCEPT_PARTIAL_INF = 1,  /* overflow */
    ACCEPT_PARTIAL_ZERO = 2, /* 0, by rounding */
    ACCEPT_PARTIAL_TINY = 4, /* less than the smallest normal number */
    ACCEPT_PARTIAL_NAN = 8,  /* of a sum that is infinite: overflow of the other
                                sign, and so NaN */
};

/* How k relative errors of at most u / (1 + u), those of rounding to nearest,
 * add up. */
enum accept_growth {
    ACCEPT_GROWTH_SUM, /* of a sum: by ku (Jeannerod and Rump), here ku / (1 -
                          ku) while ku < 1/2, else ku (1 + u)^3: the products
                          that a term consists of are rounded first */
    ACCEPT_GROWTH_FORMULA, /* of any formula: ku / (1 - ku), and from ku = 1/2
                              on (1 + u)^k - 1 */
    ACCEPT_GROWTH_PRODUCT  /* of a product: (1 - u)^k to (1 + u)^k times it */
};

enum {
    ACCEPT_FEW = 6
};

/* The terms that are not zero, or the factors, if there are so few that every
 * order of them can be evaluated: m * 2^e, exactly. */
struct accept_term {
    real_u128 m;
    int64_t e;
    bool negative;
    bool rounded; /* a product of two operands: rounded, unless it is fused */
    bool tiny;    /* may be flushed, or a factor of it may */
};
struct accept_few {
    int count;
    struct accept_term term[ACCEPT_FEW];
};

/* The error bound of an accumulation, E = g * (M + underflow) + underflow +
 * flushed, and the interval [s - E, s + E]; g as enum accept_growth says, of k
 * roundings and the accumulator's unit roundoff u.  Flushing only loses
 * magnitude: it does not extend the far end of a sum whose terms have one sign.
 * Such terms also keep the result on their side of zero, and where there are no
 * magnitudes it is only value.
 *
 * In the accumulator's own type the result is right if |v - s| <= E, and one
 * rounding (k <= 1, no underflow) has one right value.  In another type both
 * ends are rounded to nearest.
 *
 * Where few is known, only results of some order of the terms are right
 * (accept_few.h): in place of the interval if orders, else of what flushing
 * leaves.
 *
 * Where the positive or the negative terms can overflow the accumulator in some
 * order, that overflow is in the set, and where both can, NaN too.  Where
 * overflow saturates, such an order forgets the rest of its sum. */
struct accept_sum {
    struct real sum;        /* exact sum s, or product */
    struct real magnitude;  /* M, rounded up */
    int64_t roundings;      /* k */
    int64_t most_roundings; /* k of as many terms that are not exact by chance;
                               at least roundings, or not known (0) */
    int64_t paired; /* the same, were the terms added pairwise; not known (0) */
    /* All additions, in whatever order, and how often a term was rounded before
     * it is added; not known (0, 0). */
    int64_t additions, term_roundings;
    enum dtype accumulator;
    enum accept_growth growth;
    struct real flushed; /* what flushing may remove, if a profile allows it */
    struct real underflow; /* what gradual underflow may add or remove */
    struct real fall; /* of a product: that of its factors below 1, at most */
    unsigned partial; /* enum accept_partial */
    const struct accept_few *few; /* NULL: not known */
    bool
        flushes; /* a profile lets steps in the accumulator's type be flushed */
    bool orders; /* in the accumulator's type, or all at once in f32, */
    int64_t wide_roundings; /* with so many roundings */
    bool plus_zero; /* +0 may be added to terms that are lost, which are -0 */
    const struct accept_sum *also; /* in another accumulator, which is as right;
                                      NULL: none */
};
void accept_accumulation(struct accept_set *set, enum dtype unit,
                         const struct accept_sum *sum, uint64_t value,
                         const struct accept_rules *rules);

/* The error of a finite result as a fraction of its bound (the widest, if there
 * are several accumulators): got - s over E, to which ulp(|s| + E) / 2 is added
 * for the last rounding where E does not cover it: into another type than the
 * accumulator's, or the only one.  In millionths, rounded to nearest, saturated
 * at +-REAL_ERROR_MAX; a result that is right without flushing has at most 1.
 * False if s or its bound is not finite. */
bool accept_accumulation_share(const struct accept_sum *sum, enum dtype unit,
                               uint64_t got, int64_t *share);

/* How far a finite result in the widest of the accumulators may be from the
 * exact sum before it is rounded to another type, rounded up: E, of which
 * flushed is a part.  Not of products; few is not looked at. */
void accept_accumulation_error(mpfr_ptr error, const struct accept_sum *sum);

/* The part of a sum's half-width, with its last rounding, that adding the terms
 * pairwise would take away: percent, rounded down; -1 where there is no such
 * number, as of products and where orders are tried in place of a bound. */
int accept_accumulation_order(const struct accept_sum *sum, enum dtype unit);
/* The part of accept_accumulation_error that the order accounts for, rounded
 * down. */
void accept_accumulation_order_error(mpfr_ptr error,
                                     const struct accept_sum *sum);

/* Which infinities can result from some order of the terms?  Neither, if one of
 * them is infinite or NaN itself. */
void accept_accumulation_sides(const struct accept_sum *sum, bool *up,
                               bool *down);

/* Exactly one pattern; integers and pred too. */
void accept_bits(struct accept_set *set, enum dtype unit, uint64_t bits);
/* Add one pattern, or all of another set. */
void accept_add(struct accept_set *set, enum dtype unit, uint64_t bits);
void accept_union(struct accept_set *set, const struct accept_set *other);

bool accept_has(const struct accept_set *set, enum dtype unit, uint64_t bits);

#endif
