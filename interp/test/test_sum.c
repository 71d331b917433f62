/* test_sum.c - exact sums against GMP.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Expected sums are GMP integers of what slow_float.c reads in the patterns.
 */
#include <string.h>

#include "interp/base/random.h"
#include "interp/exact/sum.h"
#include "interp/test/slow_float.h"
#include "interp/test/tap.h"

/* Is r the number z * 2^(-2 SLOW_SCALE), truncated to 128 bits? */
static bool is_number(const struct real *r, const mpz_t z)
{
    if (mpz_sgn(z) == 0)
        return r->kind == REAL_ZERO;
    mpz_t m, cut;
    mpz_inits(m, cut, NULL);
    mpz_abs(m, z);
    long bits = (long)mpz_sizeinbase(m, 2);
    bool same = r->kind == REAL_FINITE && r->negative == (mpz_sgn(z) < 0)
                && r->exponent == bits - 1 - 2 * SLOW_SCALE;
    bool inexact = false;
    if (bits > 128) {
        inexact = mpz_scan1(m, 0) < (mp_bitcnt_t)(bits - 128);
        mpz_fdiv_q_2exp(m, m, (mp_bitcnt_t)(bits - 128));
    } else {
        mpz_mul_2exp(m, m, (mp_bitcnt_t)(128 - bits));
    }
    mpz_import(cut, 1, 1, sizeof r->significand, 0, 0, &r->significand);
    same &= mpz_cmp(cut, m) == 0 && r->inexact == inexact;
    mpz_clears(m, cut, NULL);
    return same;
}

/* Finite patterns, in exponents near each other or not. */
static uint64_t draw(struct random *random, enum dtype t, int form)
{
    for (;;) {
        uint64_t b = random_next(random) & dtype_mask(t);
        if (form == 1)
            b = real_one(t) ^ (random_next(random) & real_formats[t].sign)
                ^ (random_next(random) & (real_min_normal(t) - 1));
        if (form == 2 && random_next(random) % 2)
            b &= real_min_normal(t) - 1;
        if (real_is_finite(t, b))
            return b;
    }
}

static bool one_sum(struct sum *s, const struct slow_format *f,
                    struct random *random, int n, int form)
{
    unsigned char a[8 * 300], b[8 * 300];
    int bytes = dtype_unit_bytes(s->type);
    mpz_t x, y, sum, magnitude;
    mpz_inits(x, y, sum, magnitude, NULL);
    for (int i = 0; i < n; i++) {
        uint64_t p = draw(random, s->type, form),
                 q = draw(random, s->type, form);
        bool sign;
        if (form == 3 && i % 2) { /* cancel the product before */
            memcpy(&p, a + (i - 1) * bytes, (size_t)bytes);
            memcpy(&q, b + (i - 1) * bytes, (size_t)bytes);
            p ^= real_formats[s->type].sign;
            p = real_is_finite(s->type, p) ? p : 0;
        }
        memcpy(a + i * bytes, &p, (size_t)bytes);
        memcpy(b + i * bytes, &q, (size_t)bytes);
        slow_float_decode(f, p, x, &sign);
        slow_float_decode(f, q, y, &sign);
        mpz_mul(x, x, y);
        mpz_add(sum, sum, x);
        mpz_abs(x, x);
        mpz_add(magnitude, magnitude, x);
        p = q = 0;
    }
    sum_add_products(s, a, bytes, b, bytes, n);
    struct real got, all;
    sum_get(s, &got, &all);
    bool same = is_number(&got, sum) && is_number(&all, magnitude);
    mpz_clears(x, y, sum, magnitude, NULL);
    return same;
}

static void random_sums(struct arena *arena, const struct slow_format *f)
{
    struct random random = {99};
    enum dtype t = DT_f32;
    long wrong = 0;
    if (!dtype_parse(f->name, strlen(f->name), &t))
        return;
    struct sum *s = sum_new(arena, t);
    for (int i = 0; i < 400; i++)
        wrong += !one_sum(s, f, &random, 1 + i % 300, i % 4);
    EQ_INT(wrong, 0, "%s: sums of products", f->name);
}

static void check(struct sum *s, const uint64_t *bits, int n, int kind,
                  bool negative, const char *what)
{
    struct real sum, magnitude;
    for (int i = 0; i < n; i++)
        sum_add(s, bits[i]);
    sum_get(s, &sum, &magnitude);
    OK(sum.kind == kind && sum.negative == negative, "%s", what);
}

static void specials(struct arena *a)
{
    struct sum *s = sum_new(a, DT_f32);
    static const uint64_t minus[] = {0x80000000, 0x80000000};
    static const uint64_t both[] = {0x80000000, 0};
    static const uint64_t cancel[] = {0x80000000, 0xbf800000, 0x3f800000};
    static const uint64_t inf[] = {0x3f800000, 0xff800000};
    static const uint64_t nan[] = {0x7f800000, 0xff800000};
    check(s, minus, 0, REAL_ZERO, false, "no terms");
    check(s, minus, 2, REAL_ZERO, true, "-0 + -0 = -0");
    check(s, both, 2, REAL_ZERO, false, "-0 + 0 = 0");
    check(s, cancel, 3, REAL_ZERO, false, "x - x = 0");
    check(s, inf, 2, REAL_INF, true, "-inf");
    check(s, nan, 2, REAL_NAN, false, "inf - inf");
    struct real sum, magnitude;
    sum_add_product(s, 0x7f800000, 0);
    sum_get(s, &sum, &magnitude);
    OK(sum.kind == REAL_NAN, "inf * 0");
    sum_add_product(s, 0x7f800000, 0xc0000000);
    sum_get(s, &sum, &magnitude);
    OK(sum.kind == REAL_INF && sum.negative && magnitude.kind == REAL_INF
           && !magnitude.negative,
       "inf * -2");
    check(s, cancel + 1, 1, REAL_FINITE, true, "and all is forgotten");
}

/* More terms than a bin has room for. */
static void many(struct arena *arena)
{
    struct sum *s = sum_new(arena, DT_f64);
    uint64_t a = real_max(DT_f64, false), b = real_max(DT_f64, true);
    struct real sum, magnitude;
    int64_t n = INT64_C(3) << 22;
    sum_add_products(s, (unsigned char *)&a, 0, (unsigned char *)&a, 0, n);
    sum_add_products(s, (unsigned char *)&a, 0, (unsigned char *)&b, 0, n);
    sum_add_product(s, 1, 1);
    sum_get(s, &sum, &magnitude);
    OK(sum.kind == REAL_FINITE && !sum.inexact && sum.exponent == -2148
           && sum.significand == (real_u128)1 << 127,
       "the smallest product is left");
    /* 2n max^2 = 3 * 2^23 (1 - 2^-53)^2 2^2048 */
    OK(magnitude.exponent == 2048 + 24 && magnitude.inexact, "magnitudes");
}

int main(void)
{
    struct arena arena = ARENA_INIT;
    for (int i = 0; i < SLOW_FLOATS; i++)
        if (slow_formats[i].has_zero)
            random_sums(&arena, &slow_formats[i]);
    struct sum *e8 = sum_new(&arena, DT_f8e8m0fnu);
    struct real sum, magnitude;
    sum_add(e8, 127);
    sum_add_product(e8, 0, 0); /* 2^-254 */
    sum_get(e8, &sum, &magnitude);
    OK(sum.exponent == 0 && sum.inexact, "f8e8m0fnu");
    sum_add_product(e8, 0, 1);
    sum_get(e8, &sum, &magnitude);
    OK(sum.exponent == -253 && !sum.inexact, "2^-127 * 2^-126");
    specials(&arena);
    many(&arena);
    arena_free(&arena);
    return tap_done();
}
