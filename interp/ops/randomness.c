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
__extension__ typedef __int128 signed_wide;

enum {
    WHOLE = 14, /* e^-14 is 8e-7 */
    HALF = 9,
    CELLS = RANDOMNESS_BINS * RANDOMNESS_BINS,
    UNIT = 1024,          /* statistics are counted in such parts */
    SURE = 28,            /* e^-28 is 7e-13 */
    MOMENT = 18,          /* e^-18 is 2e-8 */
    SORTED_MOST = 1 << 20 /* of more elements the first are enough */
};

/* The least r with r^2 >= x, by bisection. */
static int64_t root_above(wide x)
{
    int64_t low = 0, high = INT64_C(1) << 62;
    while (low < high) {
        int64_t r = low + (high - low) / 2;
        if ((wide)r * (wide)r < x)
            low = r + 1;
        else
            high = r;
    }
    return low;
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
        sum += (wide)count[i] * (wide)count[i] * UNIT * total / (wide)weight[i];
    int64_t statistic = (int64_t)(sum / (wide)n) - n * UNIT;
    int64_t root = root_above((wide)freedom * (wide)t);
    return statistic > (freedom + 2 * root + 2 * t) * UNIT;
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
        snprintf(why, size, "%s do not have the expected distribution",
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

/* Of n draws at least that many are distinct, with probability 1 - e^-SURE,
 * if no value has a probability above 1 / k.
 *
 * Draw number i repeats one before it with probability (i - 1) / k at most,
 * whatever came before, so repeats are at most a sum of independent draws with
 * mean m = n (n - 1) / 2k.  Bernstein: it exceeds m + s with a probability
 * below exp(-s^2 / (2 m + 2 s / 3)), which is e^-t where
 * s = t / 3 + sqrt(t^2 / 9 + 2 m t).
 *
 * Where k is less than n that says little.  But of min(n, k) values 63 in 100
 * are expected to appear, and one draw changes their number by one at most:
 * McDiarmid: they are less by s with a probability below exp(-2 s^2 / n). */
static int64_t least_distinct(int64_t n, uint64_t k)
{
    wide squares = (wide)n * (wide)(n - 1) / 2;
    int64_t mean = (int64_t)((squares + k - 1) / k), third = SURE / 3 + 1;
    int64_t more =
        third + root_above((wide)(third * third) + (wide)mean * 2 * SURE);
    int64_t few = k < (uint64_t)n ? (int64_t)k : n;
    int64_t other =
        (int64_t)((wide)few * 63 / 100) - root_above((wide)n * SURE / 2);
    return n - mean - more > other ? n - mean - more : other;
}

bool randomness_distinct(uint64_t *patterns, int64_t n, uint64_t values,
                         char *why, size_t size)
{
    int64_t distinct = 1, due;
    if (n < RANDOMNESS_LEAST)
        return true;
    if (n > SORTED_MOST)
        n = SORTED_MOST;
    due = least_distinct(n, values);
    qsort(patterns, (size_t)n, sizeof *patterns, compare);
    for (int64_t i = 1; i < n; i++)
        distinct += patterns[i] != patterns[i - 1];
    if (distinct >= due)
        return true;
    snprintf(why, size,
             "only %" PRId64 " distinct values of %" PRId64
             ", expected at least %" PRId64,
             distinct, n, due);
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

/* ---- Normal distribution --------------------------------------------------
 */

/* P(|z| >= 2), ..., P(|z| >= 5), in parts of 10^-16. */
static const int64_t tails[4] = {455002638963584, 26997960632602, 633424836662,
                                 5733031438};

/* The count of a tail with the mean m is above m + s with a probability below
 * exp(-s^2 / (2 m + 2 s / 3)) (Bernstein), and below m - s with one below
 * exp(-s^2 / 2m) (Chernoff): e^-t each, t = SURE. */
static bool tail_is_beyond(int64_t count, int64_t n, int64_t tail)
{
    const wide parts = 10000000000000000;
    int64_t mean = (int64_t)((wide)n * (wide)tail / parts) + 1;
    int64_t third = SURE / 3 + 1;
    int64_t above =
        third + root_above((wide)(third * third) + (wide)mean * 2 * SURE);
    int64_t below = root_above((wide)mean * 2 * SURE);
    return count > mean + above || count < mean - 1 - below;
}

/* x = 2^MOMENT_BITS z.  The sum of n squares of normal numbers exceeds
 * n + 2 sqrt(nt) + 2t, and is below n - 2 sqrt(nt), with a probability below
 * e^-t each (Laurent, Massart 2000); the sum itself exceeds sqrt(2nt) as
 * rarely. */
static bool moments_are_beyond(const int64_t *z, int64_t n, const char **which)
{
    signed_wide sum = 0;
    wide squares = 0;
    int64_t root = root_above((wide)n * MOMENT);
    for (int64_t i = 0; i < n; i++) {
        sum += z[i];
        squares += (wide)((signed_wide)z[i] * z[i]);
    }
    wide off = (wide)(sum < 0 ? -sum : sum) >> RANDOMNESS_Z_BITS;
    int64_t norm = (int64_t)(squares >> 2 * RANDOMNESS_Z_BITS);
    *which = "mean";
    if (off * off > (wide)n * 2 * MOMENT)
        return true;
    *which = "deviation";
    return norm > n + 2 * root + 2 * MOMENT || norm + 1 < n - 2 * root;
}

bool randomness_normal(const int64_t *z, int64_t n, char *why, size_t size)
{
    const char *which;
    if (n < RANDOMNESS_LEAST)
        return true;
    for (int k = 0; k < 4; k++) {
        int64_t count = 0, from = (int64_t)(k + 2) << RANDOMNESS_Z_BITS;
        for (int64_t i = 0; i < n; i++)
            count += z[i] >= from || z[i] <= -from;
        if (!tail_is_beyond(count, n, tails[k]))
            continue;
        snprintf(why, size,
                 "%" PRId64 " of %" PRId64
                 " elements are %d standard deviations off the mean",
                 count, n, k + 2);
        return false;
    }
    if (!moments_are_beyond(z, n, &which))
        return true;
    snprintf(why, size,
             "the %s of %" PRId64 " elements is not what it should"
             " be",
             which, n);
    return false;
}
