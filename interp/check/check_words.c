/* check_words.c - see check.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>

#include "interp/check/check.h"
#include "interp/check/randomness.h"
#include "interp/check/rng_words.h"

bool check_words(const struct goal *g, const struct literal *const *got, int n,
                 struct goal_finding *found)
{
    const struct check_words *d = g->check.data;
    const struct literal *before = d->state;
    const struct literal *after = g->check.place == 0 ? got[0] : NULL;
    const struct literal *out = n > 1 ? got[1] : after ? NULL : got[0];
    found->unit = 0;
    found->leaf = 0;
    if (after && d->draws && literal_equal(before, after)) {
        snprintf(found->why, sizeof found->why,
                 "the next state is the same as the initial one");
        return false;
    }
    if (!out)
        return true;
    if (d->words
        && !rng_words_explain(g->arena, d->philox, before, after, out,
                              &found->leaf, found->why, sizeof found->why)) {
        found->leaf = after ? found->leaf : 0;
        return false;
    }
    int64_t count = literal_units(out);
    int bits = dtype_table[out->shape->dtype].bits;
    found->leaf = after ? 1 : 0;
    uint64_t *patterns = arena_new(g->arena, uint64_t, (size_t)count + 1);
    unsigned char *bin = arena_new(g->arena, unsigned char, (size_t)count + 1);
    struct randomness r = {.n = count, .bin = bin};
    int taken = bits < 4 ? bits : 4;
    r.bins = 1 << taken;
    for (int i = 0; i < r.bins; i++)
        r.weight[i] = 1;
    for (int64_t i = 0; i < count; i++) {
        patterns[i] = literal_get(out, i);
        bin[i] = (unsigned char)(patterns[i] >> (bits - taken));
    }
    uint64_t values = bits < 63 ? UINT64_C(1) << bits : UINT64_MAX;
    return randomness_bits(patterns, count, bits, found->why, sizeof found->why)
           && randomness_bit_pairs(patterns, count, bits, found->why,
                                   sizeof found->why)
           && randomness_bit_relation(patterns, count, bits, found->why,
                                      sizeof found->why)
           && randomness_test(&r, found->why, sizeof found->why)
           && randomness_complete(g->arena, patterns, count, 0, values, bits,
                                  found->why, sizeof found->why)
           && randomness_distinct(patterns, count, values, found->why,
                                  sizeof found->why);
}
