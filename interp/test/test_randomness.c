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
    test_weights();
    arena_free(&arena);
    return tap_done();
}
