/* accept_bound.h - bounds on a real number, for acceptance sets.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A bracket encloses one number that is not exactly known, between two MPFR
 * numbers of which each may be excluded (open).  They live on the stack and
 * must not outlive the function that declares them.
 */
#ifndef INTERP_EXACT_ACCEPT_BOUND_H
#define INTERP_EXACT_ACCEPT_BOUND_H

#include "interp/exact/accept.h"

enum {
    /* Products of two significands are exact, and sums of numbers whose
     * exponents are not further apart than this leaves room for. */
    ACCEPT_BOUND_BITS = 384,
    /* Beyond every type's exponents, budgets included. */
    ACCEPT_BOUND_EXPONENT = 1 << 16,
};

#define ACCEPT_BOUND(name) MPFR_DECL_INIT(name, ACCEPT_BOUND_BITS)

struct accept_bracket {
    mpfr_ptr low, high;
    bool low_open, high_open;
};

#define ACCEPT_BRACKET(name) \
    ACCEPT_BOUND(name##_low); \
    ACCEPT_BOUND(name##_high); \
    struct accept_bracket name = {name##_low, name##_high, false, false}

/* The bracket of |r|, r finite or zero. */
void accept_bound_magnitude(struct accept_bracket *b, const struct real *r);
/* The upper end of |r|: exact, or rounded up. */
void accept_bound_above(mpfr_ptr x, const struct real *r);
/* A nonnegative MPFR number, exactly as far as rounding can tell. */
struct real accept_bound_real(mpfr_srcptr x);

/* Rounding to nearest, key by key: patterns that overflow are one beyond the
 * last finite key, whether or not the type has infinities. */
int64_t accept_bound_nearest(const struct real *r, enum dtype unit);

/* The key of the least number of the type that is not below r (up), or of the
 * greatest that is not above it; beyond the finite keys where there is none. */
int64_t accept_bound_inward(const struct real *r, enum dtype unit, bool up);

/* Does rounding to nearest overflow the type? */
bool accept_bound_overflows(mpfr_srcptr x, enum dtype unit);

/* The result of an overflow in this type under these rules. */
uint64_t accept_bound_overflow(enum dtype unit, bool negative,
                               enum real_overflow overflow);

/* Add the keys low to high, overflow included: NaN where it is that. */
void accept_bound_add(struct accept_set *set, enum dtype unit, int64_t low,
                      int64_t high, const struct accept_rules *rules);
/* Add a pattern that a rule gives. */
void accept_bound_pattern(struct accept_set *set, enum dtype unit,
                          uint64_t bits, const struct accept_rules *rules);

#endif
