/* test_randomness.c - good samples pass, bad ones don't.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Good samples are splitmix64's; bad ones are made from them by hand.
 */
#include "interp/base/random.h"
#include "interp/ops/randomness.h"
#include "interp/test/tap.h"

enum {
    N = 4096
};

static struct arena arena;
static unsigned char bins[N];
static uint64_t patterns[N];
static char why[240];

static void draw(uint64_t seed)
{
    struct random r = {seed};
    for (int i = 0; i < N; i++) {
        patterns[i] = random_next(&r) >> 32;
        bins[i] = (unsigned char)(patterns[i] >> 28);
    }
}

static bool look(void)
{
    struct randomness r = {.bins = 16, .n = N, .bin = bins};
    for (int i = 0; i < 16; i++)
        r.weight[i] = 1;
    return randomness_test(&r, why, sizeof why);
}

static void test_good(void)
{
    int refused = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        draw(seed);
        refused += !look();
        refused += !randomness_bits(patterns, N, 32, why, sizeof why);
        refused += !randomness_distinct(patterns, N, UINT64_C(1) << 32, why,
                                        sizeof why);
    }
    EQ_INT(refused, 0, "of 900 tests of good samples none fails");
}

static void test_bad(void)
{
    draw(1);
    for (int i = 0; i < N; i += 4)
        bins[i] /= 2;
    OK(!look(), "a quarter of all elements is drawn from the lower half");
    for (int i = 0; i < N; i++)
        bins[i] = (unsigned char)(i % 16);
    OK(!look(), "each bin in turn: right frequencies, wrong neighbours");
    draw(2);
    for (int i = 1; i < N; i += 2)
        bins[i] = bins[i - 1];
    OK(!look(), "each element twice");
    draw(3);
    for (int i = 0; i < N; i++)
        patterns[i] |= (i % 4 == 0) << 5;
    OK(!randomness_bits(patterns, N, 32, why, sizeof why),
       "a bit that is set in five of eight elements");
    for (int i = 0; i < N; i++)
        patterns[i] %= 100;
    OK(!randomness_distinct(patterns, N, UINT64_C(1) << 32, why, sizeof why),
       "a hundred values where there are many");
}

/* Of so many random bits; how many values it is said to be drawn from. */
static bool distinct(int bits, int said)
{
    static const int n = 16384;
    static uint64_t some[16384];
    struct random r = {11};
    for (int i = 0; i < n; i++)
        some[i] = random_next(&r) >> (64 - bits);
    return randomness_distinct(some, n, UINT64_C(1) << said, why, sizeof why);
}

/* 16384 draws of 2^22 values repeat one of before 32 times on average, of 2^13
 * values 9301 times (those that appear are 8192 (1 - e^-2)). */
static void test_distinct(void)
{
    for (int bits = 1; bits < 64; bits++)
        OK(distinct(bits, bits), "%d bits for %d: %s", bits, bits, why);
    OK(!distinct(13, 22), "13 bits are not 22");
    OK(!distinct(13, 16), "nor 16");
    OK(!distinct(18, 22), "18 are not 22");
    OK(!distinct(20, 38), "20 are not 38");
}

/* Sums of twelve uniform numbers: near enough to normal for so few. */
static bool normal(int64_t shift, int64_t scale, int64_t per)
{
    static int64_t z[65536];
    struct random r = {3};
    for (int i = 0; i < 65536; i++) {
        z[i] = -(INT64_C(6) << RANDOMNESS_Z_BITS);
        for (int k = 0; k < 12; k++)
            z[i] += (int64_t)(random_next(&r) >> (64 - RANDOMNESS_Z_BITS));
        z[i] = z[i] / per * scale + shift;
    }
    return randomness_normal(z, 65536, why, sizeof why);
}

/* A sample's mean is off by 1/256, its deviation by 1/362 of itself. */
static void test_normal(void)
{
    int64_t one = INT64_C(1) << RANDOMNESS_Z_BITS;
    OK(normal(0, 1, 1), "a good one: %s", why);
    OK(!normal(one / 25, 1, 1), "a mean that is ten times that off");
    OK(!normal(-one / 25, 1, 1), "downwards too");
    OK(!normal(0, 1028, 1000), "a deviation that is ten times that off");
    OK(!normal(0, 972, 1000), "downwards too");
    static int64_t z[4096];
    for (int i = 0; i < 4096; i++)
        z[i] = i % 2 ? one : -one;
    OK(!randomness_normal(z, 4096, why, sizeof why), "no tails at all");
    for (int i = 0; i < 4096; i++)
        z[i] = i < 64 ? (i % 2 ? 4 * one : -4 * one) : 0;
    OK(!randomness_normal(z, 4096, why, sizeof why), "too many in the tails");
}

/* Of 26,000 normal numbers 70.2 are 3 deviations off and more; that there is
 * none has a probability below e^-35 (Chernoff).  The sum of squares loses 762
 * with them, less than its bound, 2 sqrt(18 * 26000) = 1368. */
static void test_cut(void)
{
    static int64_t z[26000];
    struct random r = {7};
    int64_t most = INT64_C(3) << RANDOMNESS_Z_BITS;
    for (int cut = 0; cut < 2; cut++) {
        for (int i = 0; i < 26000; i++) {
            z[i] = -(INT64_C(6) << RANDOMNESS_Z_BITS);
            for (int k = 0; k < 12; k++)
                z[i] += (int64_t)(random_next(&r) >> (64 - RANDOMNESS_Z_BITS));
            i -= cut && (z[i] >= most || z[i] <= -most);
        }
        EQ_INT(randomness_normal(z, 26000, why, sizeof why), !cut,
               "%s beyond three deviations", cut ? "none" : "some");
    }
}

/* Bins of unlike probability. */
static void test_weights(void)
{
    struct randomness r = {.bins = 3, .weight = {1, 2, 5}, .n = N, .bin = bins};
    struct random random = {5};
    for (int i = 0; i < N; i++) {
        uint64_t k = random_next(&random) >> 61;
        bins[i] = k < 1 ? 0 : k < 3 ? 1 : 2;
    }
    OK(randomness_test(&r, why, sizeof why), "1 to 2 to 5: %s", why);
    r.weight[0] = 2;
    OK(!randomness_test(&r, why, sizeof why), "not 2 to 2 to 5");
}

int main(void)
{
    test_good();
    test_bad();
    test_distinct();
    test_normal();
    test_cut();
    test_weights();
    arena_free(&arena);
    return tap_done();
}
