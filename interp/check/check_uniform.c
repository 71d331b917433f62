/* check_uniform.c - see check.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>

#include "interp/check/check.h"
#include "interp/check/distribution.h"
#include "interp/check/randomness_moments.h"

static bool judge_draws(const struct distribution *r, const struct literal *out,
                        struct randomness *test, unsigned char *bin,
                        int64_t *unit, char *why, size_t size)
{
    for (int64_t i = 0; i < test->n; i++) {
        uint64_t bits = literal_get(out, i);
        *unit = i;
        bool nan = r->is_float && real_is_nan(r->type, bits);
        if (nan || !distribution_below(r, bits, r->bits[1])
            || distribution_below(r, bits, r->bits[0])) {
            snprintf(why, size, "outside of the interval [a, b)");
            return false;
        }
        if (test->bins > 1)
            bin[i] = (unsigned char)distribution_bin(r, bits, test->bins);
    }
    return test->bins <= 1 || randomness_test(test, why, size);
}

/* How many bins: those of floats must be much wider than the distance of the
 * type's numbers. */
static void choose_bins(const struct distribution *r, struct randomness *test,
                        uint64_t *values)
{
    uint64_t low;
    test->bins = 1;
    if (r->is_float) {
        int64_t numbers = distribution_numbers(r);
        *values = (uint64_t)numbers;
        test->bins = numbers >= 4096 ? 16 : numbers >= 128 ? 4 : 1;
        for (int i = 0; i < test->bins; i++)
            test->weight[i] = 1;
        return;
    }
    uint64_t range = *values = distribution_range(r, &low);
    if (range > INT64_MAX / 1024) {
        /* Bins of this many values have equal weight. */
        test->bins = 16;
        for (int i = 0; i < 16; i++)
            test->weight[i] = 1;
        return;
    }
    test->bins = range < 16 ? (int)range : 16;
    for (int i = 0; i < test->bins; i++)
        test->weight[i] = distribution_share((int64_t)range, test->bins, i);
    /* Weights are multiplied for pairs: keep them small. */
    if (range > 1 << 20)
        for (int i = 0; i < test->bins; i++)
            test->weight[i] = 1;
}

static const int64_t *places(const struct distribution *r,
                             const struct literal *out, struct arena *a)
{
    int64_t n = literal_units(out);
    int64_t *x = arena_new(a, int64_t, (size_t)n + 1);
    for (int64_t i = 0; i < n; i++)
        x[i] = distribution_place(r, literal_get(out, i), RANDOMNESS_Z_BITS);
    return x;
}

/* Up to both ends of the range; and of integers, each of them.  A generator may
 * draw from a quarter of the type's floats, as far apart. */
static bool keeps_range(const struct distribution *r, const int64_t *place,
                        const uint64_t *patterns, int64_t count,
                        uint64_t values, struct arena *a,
                        struct goal_finding *found)
{
    int64_t one = INT64_C(1) << RANDOMNESS_Z_BITS, apart = r->is_float ? 4 : 1;
    uint64_t first = r->bits[0];
    if (values == 0)
        return true;
    int64_t coarse =
        values < (uint64_t)one ? apart * (one / (int64_t)values + 1) : apart;
    return randomness_ends(place, count, coarse, found->why, sizeof found->why)
           && (r->is_float
               || randomness_complete(a, patterns, count, first, values,
                                      dtype_table[r->type].bits, found->why,
                                      sizeof found->why));
}

bool check_uniform(const struct goal *g, const struct literal *const *got,
                   int n, struct goal_finding *found)
{
    const struct distribution *r = g->check.data;
    int64_t count = literal_units(got[0]);
    unsigned char *bin = arena_new(g->arena, unsigned char, (size_t)count + 1);
    uint64_t *patterns = arena_new(g->arena, uint64_t, (size_t)count + 1);
    uint64_t values = 1;
    struct randomness test = {.n = count, .bin = bin};
    found->leaf = 0;
    choose_bins(r, &test, &values);
    if (!judge_draws(r, got[0], &test, bin, &found->unit, found->why,
                     sizeof found->why))
        return false;
    found->unit = 0;
    for (int64_t i = 0; i < count; i++)
        patterns[i] = literal_get(got[0], i);
    /* Rounding down moves a moment by 2 / values at most: that must be less
     * than an eighth of a sample's own error, n^-1/2. */
    bool fine =
        values >= UINT64_C(1) << 31 || values * values / 256 >= (uint64_t)count;
    const int64_t *place = places(r, got[0], g->arena);
    if (fine
        && !randomness_moments_uniform(place, count, found->why,
                                       sizeof found->why))
        return false;
    return keeps_range(r, place, patterns, count, values, g->arena, found)
           && randomness_distinct(patterns, count, values / 4 + 1, found->why,
                                  sizeof found->why);
}
