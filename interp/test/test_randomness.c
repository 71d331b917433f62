/* test_randomness.c - good samples pass, bad ones don't.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Good samples are splitmix64's, Philox's and ThreeFry's (known answers:
 * test_random123.c), and Box and Muller's normal numbers made of splitmix64's
 * (1958) by the C library; bad ones are made from them by hand.
 */
#include <math.h>
#include <string.h>

#include "interp/base/random.h"
#include "interp/check/randomness_moments.h"
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

/* Four words a block, in pairs: elements of 64 bits. */
static void draw_counted(bool philox, uint32_t key)
{
    for (uint32_t i = 0; i < N; i++) {
        uint32_t counter[4] = {i, 0, key, 0}, keys[2] = {key, 0}, out[4];
        if (philox)
            random123_philox(counter, keys, out);
        else
            random123_threefry(counter, keys, out);
        patterns[i] = (uint64_t)out[1] << 32 | out[0];
    }
}

static bool pairs(int64_t n, int bits)
{
    why[0] = '\0';
    return randomness_bit_pairs(patterns, n, bits, why, sizeof why);
}

static void draw_whole(uint64_t seed)
{
    struct random r = {seed};
    for (int i = 0; i < N; i++)
        patterns[i] = random_next(&r);
}

/* Make bit `to` of the first n patterns what bit `from` is. */
static void tie(int n, int to, int from)
{
    draw_whole(6);
    for (int i = 0; i < n; i++)
        patterns[i] = (patterns[i] & ~(UINT64_C(1) << to))
                      | (patterns[i] >> from & 1) << to;
}

static void test_pairs(void)
{
    int refused = 0;
    for (uint32_t seed = 0; seed < 40; seed++)
        for (int which = 0; which < 3; which++) {
            if (which == 2)
                draw_whole(seed);
            else
                draw_counted(which, seed);
            for (int n = RANDOMNESS_LEAST; n <= N; n *= 2)
                refused += !pairs(n, 64);
            refused += !pairs(4095, 64);
        }
    EQ_INT(refused, 0, "of 840 good samples none is refused: %s", why);
    for (int to = 1; to < 64; to++) {
        tie(N, to, to - 1);
        OK(!pairs(N, 64), "bit %d is its neighbour: %s", to, why);
    }
    tie(N, 63, 0);
    OK(!pairs(N, 64), "the first and the last bit: %s", why);
    OK(pairs(N, 63), "not of 63 bits: %s", why);
    tie(N, 9, 4);
    OK(!pairs(129, 16), "129 elements are enough: %s", why);
    OK(pairs(RANDOMNESS_LEAST - 1, 16), "fewer say nothing");
}

static bool unrelated(int64_t n, int bits)
{
    why[0] = '\0';
    return randomness_bit_relation(patterns, n, bits, why, sizeof why);
}

/* Make bit 40 of all but the first `spared` patterns the parity of those in the
 * mask, or its negation. */
static void relate(int spared, uint64_t mask, uint64_t negated)
{
    draw_whole(8);
    for (int i = spared; i < N; i++) {
        uint64_t parity = __builtin_parityll(patterns[i] & mask) ^ negated;
        patterns[i] = (patterns[i] & ~(UINT64_C(1) << 40)) | parity << 40;
    }
}

static void test_relation(void)
{
    int refused = 0;
    for (uint32_t seed = 0; seed < 40; seed++)
        for (int which = 0; which < 3; which++) {
            if (which == 2)
                draw_whole(seed);
            else
                draw_counted(which, seed);
            for (int n = RANDOMNESS_LEAST; n <= N; n *= 2)
                refused += !unrelated(n, 64);
        }
    EQ_INT(refused, 0, "of 720 good samples none is refused: %s", why);
    relate(0, 0x21, 0);
    OK(pairs(N, 64), "bit 40 is like neither bit 0 nor bit 5");
    OK(!unrelated(N, 64) && strstr(why, "0x10000000021 is 0 in all 4096"),
       "but is their exclusive or: %s", why);
    OK(!unrelated(RANDOMNESS_LEAST, 64), "128 elements are enough");
    OK(unrelated(RANDOMNESS_LEAST - 1, 64), "fewer say nothing");
    OK(unrelated(N, 40), "not of the 40 bits below");
    relate(0, 0x21, 1);
    OK(!unrelated(N, 64) && strstr(why, " is 1 in all"), "and its negation: %s",
       why);
    relate(0, ~(UINT64_C(1) << 40), 0);
    OK(!unrelated(N, 64) && strstr(why, "0xffffffffffffffff is 0"),
       "the parity of all others: %s", why);
    /* Bits 0, 5 and 40 of this one add up to 1, those of the others to 0. */
    relate(1, 0x21, 0);
    patterns[0] = 1;
    OK(unrelated(N, 64), "one element does not follow the rule: %s", why);
}

/* Of n = 4096 elements the pair may be off by sqrt(15 n) = 247.9.  Bits 2 and 5
 * differ in `unlike` elements, all others in half of them: Rademacher's
 * functions, bit k of the counter. */
static void test_pair_bound(void)
{
    for (int off = 247; off <= 248; off++)
        for (int sign = -1; sign <= 1; sign += 2) {
            int left = off;
            for (int i = 0; i < N; i++) {
                patterns[i] = (uint64_t)i;
                bool unlike = (i >> 2 & 1) != (i >> 5 & 1);
                if (left > 0 && unlike == (sign < 0)) {
                    patterns[i] ^= UINT64_C(1) << 5;
                    left--;
                }
            }
            EQ_INT(pairs(N, 12), off == 247, "%d off: %s", sign * off, why);
        }
}

/* A draw of so many random bits, and how many values it is said to be drawn
 * from. */
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

enum {
    MANY = 524288
};

#define ONE ((double)(INT64_C(1) << RANDOMNESS_Z_BITS))

static int64_t many[MANY];

static double unit(struct random *r)
{
    return ((double)(random_next(r) >> 11) + 0.5) / 0x1p53;
}

/* Box and Muller's normal numbers, scaled and moved, less those from cut on. */
static void draw_normal(uint64_t seed, int n, double cut, double scale,
                        double shift)
{
    struct random r = {seed};
    for (int i = 0; i < n;) {
        double radius = sqrt(-2 * log(unit(&r)));
        double z = radius * cos(6.283185307179586 * unit(&r));
        if (fabs(z) < cut)
            many[i++] = (int64_t)((z * scale + shift) * ONE);
    }
}

static bool normal(double cut, double scale, double shift)
{
    draw_normal(3, 65536, cut, scale, shift);
    why[0] = '\0';
    return randomness_moments_normal(many, 65536, why, sizeof why);
}

/* Of 65,536 the mean is off by 1/256, the deviation by 1/362 of itself. */
static void test_normal(void)
{
    OK(normal(9, 1, 0), "a good one: %s", why);
    OK(!normal(9, 1, 0.04), "a mean that is ten times that off");
    OK(!normal(9, 1, -0.04), "downwards too");
    OK(!normal(9, 1.028, 0), "a deviation that is ten times that off");
    OK(!normal(9, 0.972, 0), "downwards too");
    int64_t one = INT64_C(1) << RANDOMNESS_Z_BITS;
    for (int i = 0; i < 4096; i++)
        many[i] = i % 2 ? one : -one;
    OK(!randomness_moments_normal(many, 4096, why, sizeof why),
       "no tails at all");
    for (int i = 0; i < 4096; i++)
        many[i] = i < 64 ? (i % 2 ? 4 * one : -4 * one) : 0;
    OK(!randomness_moments_normal(many, 4096, why, sizeof why),
       "too many in the tails");
    int refused = 0;
    for (uint64_t seed = 0; seed < 40; seed++)
        for (int n = 128; n <= 65536; n *= 8) {
            draw_normal(seed, n, 9, 1, 0);
            refused += !randomness_moments_normal(many, n, why, sizeof why);
        }
    EQ_INT(refused, 0, "of 160 good samples none is refused: %s", why);
}

/* So many are expected beyond (erfc(z / sqrt 2) of all): of 26,000 3 deviations
 * off 70.2, of 524,288 3.5 off 243.9 and 4 off 33.2.  That there is none has a
 * probability of e^-33 at most. */
static void test_cut(void)
{
    static const struct {
        int n;
        double cut;
    } cuts[] = {{26000, 3}, {MANY, 3.5}, {MANY, 4}};
    for (int i = 0; i < 3; i++)
        for (int cut = 0; cut < 2; cut++) {
            draw_normal(7, cuts[i].n, cut ? cuts[i].cut : 9, 1, 0);
            EQ_INT(randomness_moments_normal(many, cuts[i].n, why, sizeof why),
                   !cut, "%d numbers, %s beyond %.1f deviations: %s", cuts[i].n,
                   cut ? "none" : "some", cuts[i].cut, cut ? why : "");
        }
}

/* The cumulants of a uniform number are 1/12, -1/120, 1/252: twelve of them
 * less 6 have the mean 0, the deviation 1, and a fourth moment of 3 - 1/10. */
/* Rounds as f16 does: 11 significant bits, the last of weight 2^-24 or more. */
static int64_t to_f16(int64_t z)
{
    int64_t step = INT64_C(1) << (RANDOMNESS_Z_BITS - 24);
    int64_t size = z < 0 ? -z : z;
    while (size >= step << 11)
        step *= 2;
    size = (size + step / 2) / step * step;
    return z < 0 ? -size : size;
}

/* 524,288 normal numbers have 33 beyond 4 deviations, and none with a
 * probability of e^-33.  Rounded to f16, whose numbers are 2^-9 apart below 4,
 * 0.14 more: 2 * 524,288 * 2^-10 times the density there, 1.34e-4. */
static void test_narrow(void)
{
    for (uint64_t seed = 7; seed < 11; seed++)
        for (int cut = 0; cut < 2; cut++) {
            draw_normal(seed, MANY, cut ? 4 - 0x1p-10 : 9, 1, 0);
            for (int i = 0; i < MANY; i++)
                many[i] = to_f16(many[i]);
            EQ_INT(randomness_moments_normal(many, MANY, why, sizeof why), !cut,
                   "f16, %s beyond 4 deviations: %s", cut ? "none" : "some",
                   cut ? why : "");
        }
}

static void test_twelve(void)
{
    struct random r = {5};
    for (int i = 0; i < MANY; i++) {
        double z = -6;
        for (int k = 0; k < 12; k++)
            z += unit(&r);
        many[i] = (int64_t)(z * ONE);
    }
    OK(!randomness_moments_normal(many, MANY, why, sizeof why),
       "the sum of twelve uniform numbers less 6 is not normal: %s", why);
}

static bool uniform(uint64_t seed, int n, double power)
{
    struct random r = {seed};
    for (int i = 0; i < n; i++)
        many[i] = (int64_t)((2 * pow(unit(&r), power) - 1) * ONE);
    return randomness_moments_uniform(many, n, why, sizeof why);
}

/* The mean of u^1.02 is 1/2.02: 12.4 times 524,288 numbers' own error below
 * 1/2. */
static void test_uniform(void)
{
    int refused = 0;
    for (uint64_t seed = 0; seed < 40; seed++)
        for (int n = 128; n <= 65536; n *= 8)
            refused += !uniform(seed, n, 1);
    EQ_INT(refused, 0, "of 160 good samples none is refused: %s", why);
    OK(uniform(1, MANY, 1), "nor is a large one: %s", why);
    OK(!uniform(1, MANY, 1.02), "u^1.02 is not uniform: %s", why);
    OK(!uniform(2, MANY, 1 / 1.02), "nor is u^(1/1.02): %s", why);
    struct random r = {9};
    for (int i = 0; i < MANY; i++) {
        double x = 2 * unit(&r) - 1;
        /* The density is 1 + 0.06 P4: the other moments are right. */
        double p4 = (35 * x * x * x * x - 30 * x * x + 3) / 8;
        if (unit(&r) * 1.06 > 1 + 0.06 * p4)
            i--;
        else
            many[i] = (int64_t)(x * ONE);
    }
    OK(!randomness_moments_uniform(many, MANY, why, sizeof why),
       "a density with a wave: %s", why);
    OK(strstr(why, "fourth moment") != NULL, "it is in the fourth moment");
}

/* 30/4096 of the range is 0.00732: the place 2 * 0.00732 - 1. */
static void test_ends(void)
{
    for (int side = -1; side < 2; side += 2) {
        for (int i = 0; i < N; i++)
            many[i] = -side * ONE;
        many[7] = (int64_t)(side * (1 - 2 * 0.0073) * ONE);
        OK(randomness_ends(many, N, 0, why, sizeof why), "near an end: %s",
           why);
        many[7] = (int64_t)(side * (1 - 2 * 0.0074) * ONE);
        OK(!randomness_ends(many, N, 0, why, sizeof why), "too far: %s", why);
        OK(randomness_ends(many, N, ONE / 1000, why, sizeof why),
           "not where numbers are a thousandth apart");
        OK(randomness_ends(many, RANDOMNESS_LEAST - 1, 0, why, sizeof why),
           "a few say nothing");
    }
}

/* 97 values are judged from 97 * (0.7 * 7 + 30) = 3385.3 elements on. */
static void test_complete(void)
{
    for (int missing = -1; missing < 97; missing += 49) {
        for (int i = 0; i < N; i++)
            patterns[i] = (uint64_t)(i % 97 == missing ? 1 : i % 97 - 5) & 0xff;
        bool all = randomness_complete(&arena, patterns, N, 251, 97, 8, why,
                                       sizeof why);
        EQ_INT(all, missing < 0, "value %d is missing: %s", missing, why);
        OK(randomness_complete(&arena, patterns, 3385, 251, 97, 8, why,
                               sizeof why),
           "which may be in fewer elements");
        EQ_INT(randomness_complete(&arena, patterns, 3386, 251, 97, 8, why,
                                   sizeof why),
               missing < 0, "but not in one more");
    }
}

/* One in forty of the upper half of 131,072 elements is put into the lower
 * half: 1638, where sqrt(12 n) = 1254 is the bound. */
static void test_distance(void)
{
    static unsigned char bin[131072];
    struct randomness test = {.bins = 16, .n = 131072, .bin = bin};
    struct random r = {4};
    for (int i = 0; i < 16; i++)
        test.weight[i] = 1;
    for (int lower = 0; lower < 2; lower++) {
        for (int i = 0; i < 131072; i++) {
            bin[i] = (unsigned char)(random_next(&r) >> 60);
            if (lower && bin[i] >= 8 && random_next(&r) % 40 == 0)
                bin[i] -= 8;
        }
        EQ_INT(randomness_test(&test, why, sizeof why), !lower, "%s: %s",
               lower ? "one in forty too low" : "none", lower ? why : "");
    }
    OK(strstr(why, "below some bound") != NULL, "by the distance");
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
    test_pairs();
    test_pair_bound();
    test_relation();
    test_distinct();
    test_normal();
    test_cut();
    test_narrow();
    test_twelve();
    test_uniform();
    test_ends();
    test_complete();
    test_distance();
    test_weights();
    arena_free(&arena);
    return tap_done();
}
