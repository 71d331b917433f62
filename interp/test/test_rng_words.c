/* test_rng_words.c - which results a generator's words explain.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Words come from random123, which is tested on known answers; they are laid
 * out here by hand.
 */
#include "interp/base/random.h"
#include "interp/check/rng_words.h"
#include "interp/test/tap.h"

enum {
    N = 256
};

static struct arena arena;
static uint32_t words[4 * N];
static int leaf;

static struct literal *array(enum dtype type, int64_t n)
{
    return literal_new(&arena, shape_array(&arena, type, 1, &n));
}

static struct literal *state(int n, uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t value[3] = {a, b, c};
    struct literal *l = array(DT_u64, n);
    for (int i = 0; i < n; i++)
        literal_set(l, i, value[i]);
    return l;
}

/* Key 7, counter 5 * 2^64 + 1 (ThreeFry: 1). */
static void draw(bool philox)
{
    for (uint32_t i = 0; i < N; i++) {
        const uint32_t key[2] = {7, 0}, counter[4] = {1 + i, 0, 5, 0};
        if (philox)
            random123_philox(counter, key, words + 4 * i);
        else
            random123_threefry(counter, key, words + 2 * i);
    }
}

static bool explains(bool philox, const struct literal *before,
                     const struct literal *after, const struct literal *out)
{
    char why[240];
    return rng_words_explain(&arena, philox, before, after, out, &leaf, why,
                             sizeof why);
}

static void test_order(void)
{
    struct literal *out = array(DT_u32, N), *wide = array(DT_s64, N / 2);
    struct literal *before = state(3, 7, 1, 5), *after = state(3, 7, 65, 5);
    draw(true);
    for (int i = 0; i < N; i++)
        literal_set(out, i, words[N - 1 - i]);
    OK(explains(true, before, after, out), "backwards");
    for (int i = 0; i < N / 2; i++)
        literal_set(wide, i, (uint64_t)words[i] << 32 | words[i + N / 2]);
    OK(explains(true, before, after, wide), "far halves");
    OK(explains(true, state(3, 1, 5, 7), state(3, 65, 5, 7), out)
           && explains(true, state(3, 7, 5, 1), state(3, 7, 5, 65), out),
       "the state in another order");
    OK(!explains(true, state(3, 8, 1, 5), after, out) && leaf == 1,
       "another key");
    OK(!explains(true, state(3, 7, 3000, 5), after, out), "another counter");
    OK(!explains(true, before, state(3, 7, 64, 5), out) && leaf == 0,
       "the next state gives one block again");
    OK(explains(true, before, state(3, 7, 1, 6), out), "it is far away");
    literal_set(out, 9, literal_get(out, 10));
    OK(!explains(true, before, after, out) && leaf == 1, "a word twice");
    literal_set(out, 9, 12345);
    OK(!explains(true, before, after, out), "no word at all");
}

static void test_narrow(void)
{
    struct literal *before = state(2, 7, 1, 0), *after = state(2, 7, 1000, 0);
    struct literal *low = array(DT_u8, N), *high = array(DT_u8, N);
    struct literal *all = array(DT_u8, N), *nibbles = array(DT_u4, N);
    draw(false);
    for (int i = 0; i < N; i++) {
        literal_set(low, i, words[i] & 255);
        literal_set(high, i, words[i] >> 24);
        literal_set(all, i, words[i / 4] >> i % 4 * 8 & 255);
        literal_set(nibbles, i, words[i / 8] >> i % 8 * 4 & 15);
    }
    OK(explains(false, before, after, low), "the low parts of words");
    OK(explains(false, before, after, high), "the high ones");
    OK(explains(false, before, after, all), "all");
    OK(explains(false, before, after, nibbles), "of four bits");
    OK(!explains(true, before, after, low), "not Philox's");
    for (int i = 0; i < N; i++)
        literal_set(low, i, words[i] >> 3 & 15);
    OK(!explains(false, before, after, low), "small numbers only");
    OK(explains(false, before, before, array(DT_u8, 0)), "nothing is asked");
}

int main(void)
{
    test_order();
    test_narrow();
    arena_free(&arena);
    return tap_done();
}
