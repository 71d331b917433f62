/* verdict_norm.c - complex results, judged as a whole.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * All numbers are dyadic, so both sides of |z - y|^2 <= max(n max(2^(1-p) |y|,
 * eta), abs, rel |y|)^2 are compared exactly, except for the truncation of y
 * itself, which the interval takes in: a difference it could hide counts for
 * the backend.
 */
#include "interp/judge/verdict.h"

enum {
    PRECISION = 4864, /* 2 (1024 + 1074) + 4 * 128, with room */
    LIMBS = (PRECISION + 63) / 64
};

struct number {
    mpfr_t x;
    uint64_t limbs[LIMBS];
};

static mpfr_ptr start(struct number *n)
{
    mpfr_custom_init(n->limbs, PRECISION);
    mpfr_custom_init_set(n->x, MPFR_ZERO_KIND, 0, PRECISION, n->limbs);
    return n->x;
}

/* |part| squared, for a part between the two ends that r may be. */
static void distance(struct number *out, const struct real *r, uint64_t got,
                     enum dtype unit)
{
    struct number y, z, end;
    real_to_mpfr(start(&y), r);
    real_bits_to_mpfr(start(&z), unit, got);
    mpfr_sub(start(out), z.x, y.x, MPFR_RNDZ);
    if (r->inexact) {
        /* The other end of y, one unit of its width further from 0. */
        mpfr_set_si_2exp(start(&end), r->negative ? -1 : 1,
                         r->exponent + 1 - r->width, MPFR_RNDN);
        mpfr_add(end.x, end.x, y.x, MPFR_RNDN);
        mpfr_sub(end.x, z.x, end.x, MPFR_RNDZ);
        if (mpfr_cmpabs(end.x, out->x) < 0)
            mpfr_set(out->x, end.x, MPFR_RNDZ);
    }
    mpfr_sqr(out->x, out->x, MPFR_RNDZ);
}

/* Is the distance at most a part of the size?  All are squared but the part,
 * which a budget may leave out. */
static bool is_within(mpfr_srcptr distance, mpfr_srcptr size,
                      const struct real *part)
{
    struct number bound;
    if (part->kind != REAL_FINITE)
        return false;
    real_to_mpfr(start(&bound), part);
    mpfr_sqr(bound.x, bound.x, MPFR_RNDU);
    mpfr_mul(bound.x, bound.x, size, MPFR_RNDU);
    return mpfr_cmp(distance, bound.x) <= 0;
}

bool verdict_norm(const struct real y[2], const uint64_t got[2],
                  enum dtype unit, const struct accept_budget *budget)
{
    struct number d[2], n[2], factor, one;
    if (budget->kind != ACCEPT_ULP)
        return false;
    mpfr_set_ui(start(&one), 1, MPFR_RNDN);
    for (int k = 0; k < 2; k++) {
        distance(&d[k], &y[k], got[k], unit);
        real_to_mpfr(start(&n[k]), &y[k]);
        mpfr_sqr(n[k].x, n[k].x, MPFR_RNDU);
    }
    mpfr_add(d[0].x, d[0].x, d[1].x, MPFR_RNDZ);
    mpfr_add(n[0].x, n[0].x, n[1].x, MPFR_RNDU);
    if (is_within(d[0].x, n[0].x, &budget->rel)
        || is_within(d[0].x, one.x, &budget->abs))
        return true;
    /* |y|^2 times the square of an ulp of 1, at least that of the smallest
     * subnormal: below it all numbers are that far apart. */
    const struct dtype_info *t = &dtype_table[unit];
    mpfr_mul_2si(n[0].x, n[0].x, 2 * (1 - t->precision), MPFR_RNDU);
    mpfr_set_si_2exp(start(&factor), 1, 2 * (t->emin - t->precision + 1),
                     MPFR_RNDU);
    if (mpfr_cmp(n[0].x, factor.x) < 0)
        mpfr_set(n[0].x, factor.x, MPFR_RNDU);
    return is_within(d[0].x, n[0].x, &budget->ulps);
}

/* The last key on the way from a key that is taken to one that is not. */
static int64_t last_taken(const struct real y[2], const uint64_t got[2], int k,
                          enum dtype unit, const struct accept_budget *budget,
                          int64_t taken, int64_t refused)
{
    uint64_t z[2] = {got[0], got[1]};
    while (taken + 1 < refused || refused + 1 < taken) {
        int64_t middle =
            taken / 2 + refused / 2 + (taken % 2 + refused % 2) / 2;
        z[k] = real_from_key(unit, middle);
        if (verdict_norm(y, z, unit, budget))
            taken = middle;
        else
            refused = middle;
    }
    return taken;
}

bool verdict_norm_set(struct accept_set *set, const struct real y[2],
                      const uint64_t got[2], int k, enum dtype unit,
                      const struct accept_budget *budget)
{
    uint64_t z[2] = {got[0], got[1]};
    int64_t last = real_key(unit, real_max(unit, false));
    int64_t first = real_key(unit, real_max(unit, true));
    *set = (struct accept_set){.count = 1};
    z[k] = real_round(&y[k], unit, REAL_OVERFLOW_SATURATE);
    if (!verdict_norm(y, z, unit, budget))
        return false;
    int64_t nearest = real_key(unit, z[k]);
    set->range[0].low = last_taken(y, got, k, unit, budget, nearest, first - 1);
    set->range[0].high = last_taken(y, got, k, unit, budget, nearest, last + 1);
    return true;
}
