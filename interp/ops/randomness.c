/* randomness.c - see randomness.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/randomness.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

enum {
    WHOLE = 14, /* e^-14 is 8e-7 */
    HALF = 9,
    CELLS = RANDOMNESS_BINS * RANDOMNESS_BINS,
    UNIT = 1024 /* statistics are counted in such parts */
};

static int64_t root_above(int64_t x)
{
    int64_t r = 0;
    while (r * r < x)
        r++;
    return r;
}

/* Is sum (count - n p)^2 / (n p) = total / n sum count^2 / weight - n beyond
 * the bound of t? */
static bool is_beyond(const int64_t *count, const int64_t *weight, int cells,
                      int64_t n, int t)
{
    wide sum = 0, total = 0;
    int64_t freedom = cells - 1;
    for (int i = 0; i < cells; i++)
        total += (wide)weight[i];
    for (int i = 0; i < cells; i++)
        sum += (wide)count[i] * (wide)count[i] * UNIT / (wide)weight[i];
    int64_t statistic = (int64_t)(sum * total / (wide)n) - n * UNIT;
    return statistic > (freedom + 2 * root_above(freedom * t) + 2 * t) * UNIT;
}

/* Elements from first on, or pairs of them. */
static bool range_is_beyond(const struct randomness *r, int64_t first,
                            int64_t n, bool pairs, int t)
{
    int64_t count[CELLS] = {0}, weight[CELLS];
    /* Pairs: a few coarse bins, so that each cell has enough. */
    int by = pairs && r->bins % 4 == 0 ? r->bins / 4 : 1;
    int bins = r->bins / by, cells = pairs ? bins * bins : bins;
    int64_t own[RANDOMNESS_BINS] = {0};
    for (int i = 0; i < r->bins; i++)
        own[i / by] += r->weight[i];
    for (int i = 0; i < cells; i++)
        weight[i] = pairs ? own[i / bins] * own[i % bins] : own[i];
    if (n / (pairs ? 2 : 1) < 8 * cells)
        return false;
    for (int64_t i = first; i + pairs < first + n; i += 1 + pairs)
        count[pairs ? r->bin[i] / by * bins + r->bin[i + 1] / by : r->bin[i]]++;
    return is_beyond(count, weight, cells, pairs ? n / 2 : n, t);
}

bool randomness_test(const struct randomness *r, char *why, size_t size)
{
    int64_t half = r->n / 2;
    if (r->n < RANDOMNESS_LEAST)
        return true;
    for (int pairs = 0; pairs < 2; pairs++) {
        if (!range_is_beyond(r, 0, r->n, pairs, WHOLE))
            continue;
        /* The second stage, where the halves are long enough for it. */
        bool enough = half >= 2 * RANDOMNESS_LEAST;
        if (enough
            && (!range_is_beyond(r, 0, half, pairs, HALF)
                || !range_is_beyond(r, half, half, pairs, HALF)))
            continue;
        snprintf(why, size, "%s are not distributed as they should be",
                 pairs ? "pairs of neighbours" : "the elements");
        return false;
    }
    return true;
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

bool randomness_distinct(uint64_t *patterns, int64_t n, uint64_t from,
                         char *why, size_t size)
{
    uint64_t due = from < (uint64_t)n ? from : (uint64_t)n, distinct = 1;
    if (n < RANDOMNESS_LEAST)
        return true;
    qsort(patterns, (size_t)n, sizeof *patterns, compare);
    for (int64_t i = 1; i < n; i++)
        distinct += patterns[i] != patterns[i - 1];
    /* Of as many draws as there are values 63 in 100 appear. */
    if (distinct >= due / 4)
        return true;
    snprintf(why, size, "only %" PRIu64 " distinct values", distinct);
    return false;
}

/* Hoeffding: |2 c - n| exceeds sqrt(2 n t) with probability 2 e^-t; t = 30. */
bool randomness_bits(const uint64_t *patterns, int64_t n, int bits, char *why,
                     size_t size)
{
    for (int b = 0; b < bits && n >= RANDOMNESS_LEAST; b++) {
        int64_t set = 0;
        for (int64_t i = 0; i < n; i++)
            set += patterns[i] >> b & 1;
        int64_t off = llabs(2 * set - n);
        if ((wide)off * (wide)off <= (wide)n * 60)
            continue;
        snprintf(why, size,
                 "bit %d is set in %" PRId64 " of %" PRId64 " elements", b, set,
                 n);
        return false;
    }
    return true;
}
