/* RngNormal - normally distributed numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The reference adds up 48 uniform numbers; any sample that looks normal is
 * right.  Bins are bounded by quantiles: sixteenths, or quarters where the
 * type has few numbers.
 */
#include <mpfr.h>
#include <stdio.h>

#include "interp/ops/randomness.h"
#include "interp/ops/rng.h"
#include "interp/program/eval.h"

enum {
    TERMS = 48, /* of variance 1/12 each: half of their sum is of variance 1 */
    /* Beyond that many standard deviations lies less than 1e-18. */
    FARTHEST = 9
};

/* Quantiles of 9/16, ..., 15/16, in parts of 10^-15. */
static const long quantiles[7] = {
    157310684610171, 318639363964375,  488776411114669, 674489750196082,
    887146559018876, 1150349380376008, 1534120544352546};

/* ---- The reference's sample -----------------------------------------------
 */

static void draw(const struct rng *r, struct literal *out)
{
    mpfr_t z;
    mpfr_init2(z, RNG_PRECISION);
    for (int64_t i = 0, n = literal_units(out); i < n; i++) {
        MPFR_DECL_INIT(cut, 128);
        int64_t sum = 0;
        for (int k = 0; k < TERMS / 2; k++) {
            uint64_t word = rng_word(i, k);
            sum += (int64_t)(word >> 32) + (int64_t)(word & UINT32_MAX);
        }
        /* sum / 2^32 - 24, halved */
        sum -= INT64_C(24) << 32;
        mpfr_mul_si(z, r->value[1], (long)sum, MPFR_RNDN);
        mpfr_div_2ui(z, z, 33, MPFR_RNDN);
        mpfr_add(z, z, r->value[0], MPFR_RNDN);
        int ternary = mpfr_set(cut, z, MPFR_RNDZ);
        struct real y = real_from_mpfr(cut, ternary);
        literal_set(out, i, real_round(&y, r->type, REAL_OVERFLOW_TYPE));
    }
    mpfr_clear(z);
}

/* ---- A backend's sample ---------------------------------------------------
 */

struct judge {
    const struct rng *r;
    mpfr_t x, far;
    mpfr_t bound[7]; /* quantiles times sigma */
    int bins;
};

static void judge_open(struct judge *q, const struct rng *r)
{
    q->r = r;
    mpfr_inits2(RNG_PRECISION, q->x, q->far, (mpfr_ptr)0);
    mpfr_mul_ui(q->far, r->value[1], FARTHEST, MPFR_RNDN);
    for (int i = 0; i < 7; i++) {
        mpfr_init2(q->bound[i], 256);
        mpfr_mul_si(q->bound[i], r->value[1], quantiles[i], MPFR_RNDN);
        mpfr_div_ui(q->bound[i], q->bound[i], 1000000000000000, MPFR_RNDN);
    }
    /* Distances within one standard deviation, as far as mu lets them be. */
    int p = dtype_table[r->type].precision;
    int64_t fine = p;
    if (!mpfr_zero_p(r->value[0]) && !mpfr_zero_p(r->value[1])) {
        int64_t lost = mpfr_get_exp(r->value[0]) - mpfr_get_exp(r->value[1]);
        fine = lost > 0 ? p - lost : p;
    }
    q->bins = fine >= 16 ? 16 : fine >= 7 ? 4 : 1;
}

static void judge_close(struct judge *q)
{
    mpfr_clears(q->x, q->far, (mpfr_ptr)0);
    for (int i = 0; i < 7; i++)
        mpfr_clear(q->bound[i]);
}

/* False if it is too far; x becomes x - mu. */
static bool place(struct judge *q, uint64_t bits, int *bin)
{
    if (!real_is_finite(q->r->type, bits))
        return false;
    real_bits_to_mpfr(q->x, q->r->type, bits);
    mpfr_sub(q->x, q->x, q->r->value[0], MPFR_RNDN);
    int half = 0;
    for (int i = 0; i < 7; i++)
        half += mpfr_cmpabs(q->x, q->bound[i]) >= 0;
    *bin = mpfr_sgn(q->x) < 0 ? 7 - half : 8 + half;
    *bin /= 16 / q->bins;
    return mpfr_cmpabs(q->x, q->far) <= 0;
}

static bool check(const struct goal *g, const struct literal *const *got, int n,
                  int *leaf, int64_t *unit, char *why, size_t size)
{
    const struct rng *r = g->check_data;
    int64_t count = literal_units(got[0]);
    unsigned char *bin = arena_new(g->arena, unsigned char, (size_t)count + 1);
    uint64_t *patterns = arena_new(g->arena, uint64_t, (size_t)count + 1);
    struct randomness test = {.n = count, .bin = bin};
    struct judge q;
    bool good = true;
    *leaf = 0;
    judge_open(&q, r);
    test.bins = q.bins;
    for (int i = 0; i < q.bins; i++)
        test.weight[i] = 1;
    for (int64_t i = 0; i < count && good; i++) {
        int which = 0;
        patterns[i] = literal_get(got[0], i);
        good = place(&q, patterns[i], &which);
        bin[i] = (unsigned char)which;
        *unit = i;
    }
    judge_close(&q);
    if (!good) {
        snprintf(why, size, "more than %d standard deviations off the mean",
                 (int)FARTHEST);
        return false;
    }
    *unit = 0;
    if (mpfr_zero_p(r->value[1]) || test.bins == 1)
        return true;
    uint64_t values = UINT64_C(1) << (test.bins == 16 ? 14 : 5);
    return randomness_test(&test, why, size)
           && randomness_distinct(patterns, count, values, why, size);
}

static bool eval(struct eval *ev, struct status *st)
{
    struct rng *r = rng_open(ev);
    struct literal *value = literal_new(ev->arena, ev->in->shape);
    struct goal *g = goal_of(ev->arena, value, GOAL_CHECK);
    g->check = check;
    g->check_data = r;
    /* A deviation below zero is none. */
    if (r->special || mpfr_sgn(r->value[1]) < 0)
        g->rule = GOAL_FREE;
    if (r->special)
        for (int64_t i = 0, n = literal_units(value); i < n; i++)
            literal_set(value, i, real_nan(r->type, false));
    else
        draw(r, value);
    eval_return_one(ev, g);
    return true;
}

static bool infer(struct infer *in, struct status *st)
{
    return rng_infer(in, st);
}

const struct op op_RngNormal = {
    .name = "RngNormal", .infer = infer, .eval = eval};
