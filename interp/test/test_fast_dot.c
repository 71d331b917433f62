/* test_fast_dot.c - certified sums are the exact ones.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The exact sum is MPFR's: enough bits for every product and carry, so that
 * mpfr_fma never rounds.
 */
#include <mpfr.h>
#include <string.h>

#include "interp/base/random.h"
#include "interp/exact/fast_dot.h"
#include "interp/exact/real.h"
#include "interp/test/tap.h"

enum {
    TERMS = 300,
    EXACT_BITS = 1000,
    TRIALS = 3000
};

static uint64_t exact(enum dtype unit, const uint64_t *a, const uint64_t *b,
                      int n, enum dtype result)
{
    mpfr_t x, y, sum, cut;
    mpfr_inits2(64, x, y, (mpfr_ptr)0);
    mpfr_init2(sum, EXACT_BITS);
    mpfr_init2(cut, 128);
    mpfr_set_zero(sum, 1);
    int inexact = 0;
    for (int i = 0; i < n; i++) {
        real_bits_to_mpfr(x, unit, a[i]);
        real_bits_to_mpfr(y, unit, b[i]);
        inexact |= mpfr_fma(sum, x, y, sum, MPFR_RNDZ);
    }
    if (inexact)
        OK(0, "the model is exact");
    struct real r = real_from_mpfr(cut, mpfr_set(cut, sum, MPFR_RNDZ));
    mpfr_clears(x, y, sum, cut, (mpfr_ptr)0);
    return real_round(&r, result, REAL_OVERFLOW_TYPE);
}

/* Exponents around 0, spread wide enough for the sums to cancel. */
static uint64_t draw(struct random *r, enum dtype unit, int spread)
{
    const struct dtype_info *t = &dtype_table[unit];
    uint64_t k = random_next(r);
    uint64_t e = (uint64_t)(t->bias + random_between(r, -spread, spread));
    int fraction = t->precision - 1;
    return (k >> 63) << (t->bits - 1) | e << fraction
           | (k & ((UINT64_C(1) << fraction) - 1));
}

static bool run(enum dtype unit, const uint64_t *a, const uint64_t *b, int n,
                enum dtype result, uint64_t *bits)
{
    static unsigned char x[8 * TERMS], y[8 * TERMS];
    int bytes = dtype_bytes(unit);
    for (int i = 0; i < n; i++) {
        memcpy(x + bytes * i, &a[i], (size_t)bytes);
        memcpy(y + bytes * i, &b[i], (size_t)bytes);
    }
    return fast_dot(unit, (struct fast_dot_side){x, 1},
                    (struct fast_dot_side){y, 1}, n, result, bits);
}

static void test_random(enum dtype unit, enum dtype result)
{
    struct random r = {tap_seed(11)};
    uint64_t a[TERMS], b[TERMS], bits;
    int proved = 0, wrong = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        int n = (int)random_between(&r, 1, trial % 10 ? 20 : TERMS);
        int spread = trial % 3 ? 6 : 60;
        for (int i = 0; i < n; i++) {
            a[i] = draw(&r, unit, spread);
            b[i] = draw(&r, unit, spread);
        }
        /* Every other time most of the sum cancels. */
        for (int i = 0; trial % 2 && i < n / 2; i++) {
            a[n - 1 - i] = a[i] ^ UINT64_C(1) << (dtype_table[unit].bits - 1);
            b[n - 1 - i] = b[i];
        }
        if (!run(unit, a, b, n, result, &bits))
            continue;
        proved++;
        wrong += bits != exact(unit, a, b, n, result);
    }
    EQ_INT(wrong, 0, "what is proved is right (%s to %s)",
           dtype_table[unit].name, dtype_table[result].name);
    OK(proved > TRIALS / 4, "and much is proved: %d", proved);
}

/* A tie of f64: 1 + 2^-53, from two products, is not for this path; with a
 * little more or less it rounds up or down. */
static void test_wide_ties(void)
{
    uint64_t a[3] = {UINT64_C(0x3ff0000000000000), UINT64_C(0x3ca0000000000000),
                     UINT64_C(0x3880000000000000)};
    uint64_t b[3] = {UINT64_C(0x3ff0000000000000), UINT64_C(0x3ff0000000000000),
                     UINT64_C(0x3ff0000000000000)};
    uint64_t bits = 0;
    OK(!run(DT_f64, a, b, 2, DT_f64, &bits), "a tie is not proved");
    OK(!run(DT_f64, a, b, 3, DT_f64, &bits)
           || bits == UINT64_C(0x3ff0000000000001),
       "a little more is not proved, or goes up");
    a[2] |= UINT64_C(1) << 63;
    OK(!run(DT_f64, a, b, 3, DT_f64, &bits)
           || bits == UINT64_C(0x3ff0000000000000),
       "a little less is not proved, or goes down");
    uint64_t small[1] = {UINT64_C(0x1000000000000000)}; /* its square is tiny */
    OK(!run(DT_f64, small, small, 1, DT_f64, &bits),
       "a product that may underflow is not for this path");
}

/* The same tie wherever its terms are: products are summed in several lanes. */
static void test_lanes(void)
{
    enum {
        MOST = 13
    };
    const uint64_t one = UINT64_C(0x3ff0000000000000),
                   half = UINT64_C(0x3ca0000000000000), /* 2^-53 */
        little = UINT64_C(0x3af0000000000000);          /* 2^-80 */
    int wrong = 0, proved = 0;
    for (int n = 3; n <= MOST; n++)
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++) {
                uint64_t a[MOST] = {0}, b[MOST], bits = 0;
                int m = 0;
                while (m == i || m == k)
                    m++;
                if (i == k)
                    continue;
                for (int j = 0; j < n; j++)
                    b[j] = one;
                a[i] = one;
                a[k] = half;
                wrong += run(DT_f64, a, b, n, DT_f64, &bits);
                a[m] = little;
                proved += run(DT_f64, a, b, n, DT_f64, &bits);
                wrong += bits != 0 && bits != one + 1;
            }
    EQ_INT(wrong, 0, "a tie is not proved in any lane, and more goes up");
    OK(proved > 0, "which is often proved: %d", proved);
}

/* Elements that are apart are the same numbers. */
static void test_strides(void)
{
    enum {
        N = 23,
        LEFT = 3,
        RIGHT = 5
    };
    struct random r = {12};
    static uint64_t a[N * LEFT], b[N * RIGHT];
    uint64_t x[N], y[N], apart = 0, bits = 1;
    for (int i = 0; i < N * RIGHT; i++) {
        a[i % (N * LEFT)] = draw(&r, DT_f64, 6);
        b[i] = draw(&r, DT_f64, 6);
    }
    for (int i = 0; i < N; i++) {
        x[i] = a[i * LEFT];
        y[i] = b[i * RIGHT];
    }
    OK(fast_dot(DT_f64, (struct fast_dot_side){(unsigned char *)a, LEFT},
                (struct fast_dot_side){(unsigned char *)b, RIGHT}, N, DT_f64,
                &apart)
           && run(DT_f64, x, y, N, DT_f64, &bits) && apart == bits,
       "a sum of elements that are apart");
}

static bool proves(const float *a, const float *b, int n)
{
    uint64_t bits;
    return fast_dot(DT_f32, (struct fast_dot_side){(const unsigned char *)a, 1},
                    (struct fast_dot_side){(const unsigned char *)b, 1}, n,
                    DT_f32, &bits);
}

int main(void)
{
    test_random(DT_f32, DT_f32);
    test_random(DT_f32, DT_bf16);
    test_random(DT_f64, DT_f64);
    test_wide_ties();
    test_lanes();
    test_strides();
    float one[] = {1, 1}, minus[] = {1, -1}, tie[] = {1, 0x1p-24F};
    OK(proves(one, one, 2), "1 + 1");
    OK(!proves(one, minus, 2), "a sum of zero is not for this path");
    OK(!proves(one, tie, 2), "nor is a tie");
    float inf[] = {1, 0}, zero[] = {0, 1};
    uint32_t infinity = 0x7f800000;
    memcpy(&inf[1], &infinity, sizeof infinity);
    OK(!proves(inf, one, 2), "nor an infinity");
    OK(!proves(inf, zero, 2), "nor a NaN that it makes");
    OK(!proves(one, one, 0), "nor an empty sum");
    return tap_done();
}
