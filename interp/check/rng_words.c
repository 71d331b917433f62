/* rng_words.c - see rng_words.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/check/rng_words.h"

#include <stdio.h>
#include <stdlib.h>

#include "interp/base/random.h"
#include "interp/exact/real.h"

enum {
    READINGS = 3 * 8, /* at most: which part is the key, and three choices */
    SLACK = 64        /* blocks that a backend may draw and not use */
};

/* How a state is read. */
struct reading {
    bool philox;
    bool turned_key, turned; /* high halves first: key, counter */
    uint64_t key;
    real_u128 counter;
};

/* How words become elements of less than 32 bits. */
enum pieces {
    PIECES_ALL, /* every part of a word is an element */
    PIECES_LOW, /* one element a word: its low bits, */
    PIECES_HIGH /* or its high ones */
};

/* The k-th reading of a state; false if there is none. */
static bool read_state(struct reading *r, const struct literal *state, int k)
{
    int size = (int)literal_units(state), at = k % size, choice = k / size;
    uint64_t rest[2] = {0, 0};
    r->key = literal_get(state, at);
    for (int i = 0, n = 0; i < size && n < 2; i++)
        if (i != at)
            rest[n++] = literal_get(state, i);
    r->turned_key = choice & 1;
    r->turned = choice >> 1 & 1;
    bool other = choice >> 2 & 1;
    if (choice >= 8 || (other && !r->philox))
        return false;
    uint64_t low = rest[other && size == 3], high = rest[!other || size < 3];
    /* Two numbers hold half of Philox's counter: XLA repeats the key. */
    if (size == 2)
        high = r->philox && !other ? r->key : 0;
    r->counter = (real_u128)high << 64 | low;
    return true;
}

static void draw(const struct reading *r, uint64_t i, uint32_t *out)
{
    real_u128 c = r->counter + i;
    uint32_t key[2], counter[4];
    int width = r->philox ? 4 : 2;
    for (int k = 0; k < 2; k++)
        key[r->turned_key ? 1 - k : k] = (uint32_t)(r->key >> 32 * k);
    for (int k = 0; k < width; k++)
        counter[r->turned ? width - 1 - k : k] = (uint32_t)(c >> 32 * k);
    if (r->philox)
        random123_philox(counter, key, out);
    else
        random123_threefry(counter, key, out);
}

static int by_size_32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Each of n sorted numbers matches a different one of m sorted ones. */
static bool contains(const uint32_t *have, int64_t m, const uint32_t *need,
                     int64_t n)
{
    int64_t i = 0, k = 0;
    while (i < n && k < m) {
        if (have[k] > need[i])
            return false;
        i += have[k++] == need[i];
    }
    return i == n;
}

/* Blocks that hold as many words. */
static int64_t blocks_of(int64_t words, int width)
{
    return (words + width - 1) / width;
}

/* Blocks that a backend may draw: each row may begin with a new one, whatever
 * dimension the rows run along. */
static int64_t blocks_drawn(const struct shape *s, int64_t needed, int width)
{
    int64_t most = needed, n = shape_elements(s);
    for (int d = 0; d < s->rank; d++) {
        if (s->dims[d] < 2)
            continue;
        int64_t drawn = n / s->dims[d] * blocks_of(s->dims[d], width);
        most = drawn > most ? drawn : most;
    }
    return most + SLACK;
}

/* Words that have to be explained. */
struct task {
    struct arena *arena;
    const struct shape *shape;
    uint32_t *need; /* elements, or their halves; sorted */
    int64_t n;
    int bits; /* of each of these */
    int64_t words[PIECES_HIGH + 1];
};

/* Do the words of this reading, cut up so, explain the elements? */
static bool explains(const struct task *t, const struct reading *r,
                     enum pieces pieces)
{
    int width = r->philox ? 4 : 2, each = pieces ? 1 : 32 / t->bits;
    int64_t needed = blocks_of(t->words[pieces], width), m = 0;
    int64_t drawn = blocks_drawn(t->shape, needed, width);
    if (each > 1)
        drawn = needed + SLACK;
    uint32_t mask = UINT32_MAX >> (32 - t->bits);
    uint32_t *have =
        arena_new(t->arena, uint32_t, (size_t)(drawn * width * each));
    for (int64_t i = 0; i < drawn; i++) {
        uint32_t block[4];
        draw(r, (uint64_t)i, block);
        for (int k = 0; k < width; k++)
            for (int j = 0; j < each; j++) {
                int from = pieces == PIECES_HIGH ? 32 - t->bits : j * t->bits;
                have[m++] = block[k] >> from & mask;
            }
    }
    qsort(have, (size_t)m, sizeof *have, by_size_32);
    return contains(have, m, t->need, t->n);
}

/* Does the next state, read likewise, give other blocks than the first? */
static bool goes_on(const struct reading *r, const struct reading *next,
                    const struct literal *state, int64_t blocks)
{
    real_u128 ahead = next->counter - r->counter, behind = -ahead;
    if (next->key != r->key)
        return true;
    if (literal_units(state) == 2) {
        ahead = (uint64_t)ahead;
        behind = (uint64_t)behind;
    }
    return ahead >= (real_u128)blocks && behind >= (real_u128)blocks;
}

static void prepare(struct task *t, const struct literal *out)
{
    int bits = dtype_table[out->shape->dtype].bits, halves = bits == 64 ? 2 : 1;
    int64_t n = literal_units(out);
    t->shape = out->shape;
    t->bits = bits / halves;
    t->n = n * halves;
    t->need = arena_new(t->arena, uint32_t, (size_t)t->n + 1);
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < halves; k++)
            t->need[i * halves + k] =
                (uint32_t)(literal_get(out, i) >> t->bits * k);
    qsort(t->need, (size_t)t->n, sizeof *t->need, by_size_32);
    int64_t each = 32 / t->bits;
    t->words[PIECES_ALL] = (t->n + each - 1) / each;
    t->words[PIECES_LOW] = t->words[PIECES_HIGH] = t->n;
}

bool rng_words_explain(struct arena *a, bool philox,
                       const struct literal *before,
                       const struct literal *after, const struct literal *out,
                       int *leaf, char *why, size_t size)
{
    struct task t = {.arena = a};
    bool explained = false;
    prepare(&t, out);
    int last = t.bits < 32 ? PIECES_HIGH : PIECES_ALL;
    for (int k = 0; k < READINGS; k++) {
        struct reading r = {.philox = philox}, next = r;
        if (!read_state(&r, before, k)
            || (after && !read_state(&next, after, k)))
            continue;
        for (int p = 0; p <= last; p++) {
            if (!explains(&t, &r, (enum pieces)p))
                continue;
            explained = true;
            if (!after
                || goes_on(&r, &next, before,
                           blocks_of(t.words[p], philox ? 4 : 2)))
                return true;
        }
    }
    *leaf = explained ? 0 : 1;
    snprintf(why, size,
             explained
                 ? "the next state produces words of the result again"
                 : "these are not the words that %s produces for that state",
             philox ? "Philox" : "ThreeFry");
    return false;
}
