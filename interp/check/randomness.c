/* randomness.c - see randomness.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/check/randomness.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

__extension__ typedef unsigned __int128 wide;

enum {
    WHOLE = 14, /* and then each half by HALF, */
    HALF = 9,
    ALONE = 20, /* or ALONE, if the halves are too short for that */
    DISTANCE = 24,
    CELLS = RANDOMNESS_BINS * RANDOMNESS_BINS,
    UNIT = 1024, /* statistics are counted in such parts */
    SURE = 28,   /* e^-28 is 7e-13 */
    END = 30,    /* e^-30 is 1e-13 */
    WORD = 64,
    LOOKED_MOST = 1 << 20 /* of more elements the first are enough */
};

int64_t randomness_root(wide x)
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

int64_t randomness_sum(int64_t variance, int64_t most, int t)
{
    int64_t third = t * most / 3 + 1;
    return third
           + randomness_root((wide)third * (wide)third
                             + (wide)variance * 2 * (unsigned)t);
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
    int64_t root = randomness_root((wide)freedom * (wide)t);
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

/* Kolmogorov and Smirnov's distance at the bounds of the bins.  Massart: of n
 * elements as many more or less than expected lie below some bound as
 * sqrt(nt / 2) with a probability below 2 e^-t. */
static bool distance_is_beyond(const struct randomness *r)
{
    int64_t count[RANDOMNESS_BINS] = {0}, total = 0, weight = 0, below = 0;
    int64_t most = randomness_root((wide)r->n * DISTANCE / 2);
    for (int64_t i = 0; i < r->n; i++)
        count[r->bin[i]]++;
    for (int i = 0; i < r->bins; i++)
        total += r->weight[i];
    for (int i = 0; i < r->bins; i++) {
        weight += r->weight[i];
        below += count[i];
        /* In parts of 1 / total. */
        wide is = (wide)below * (wide)total, due = (wide)r->n * (wide)weight;
        if ((is > due ? is - due : due - is) > (wide)most * (wide)total)
            return true;
    }
    return false;
}

bool randomness_test(const struct randomness *r, char *why, size_t size)
{
    int64_t half = r->n / 2;
    bool enough = half >= 2 * RANDOMNESS_LEAST;
    if (r->n < RANDOMNESS_LEAST)
        return true;
    if (distance_is_beyond(r)) {
        snprintf(why, size,
                 "too many or too few elements lie below some bound");
        return false;
    }
    for (int pairs = 0; pairs < 2; pairs++) {
        if (!range_is_beyond(r, 0, r->n, pairs, enough ? WHOLE : ALONE))
            continue;
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

static int by_size_64(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* At least that many of n draws are distinct, with probability 1 - e^-SURE,
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
    int64_t mean = (int64_t)((squares + k - 1) / k);
    int64_t more = randomness_sum(mean, 1, SURE);
    int64_t few = k < (uint64_t)n ? (int64_t)k : n;
    int64_t other =
        (int64_t)((wide)few * 63 / 100) - randomness_root((wide)n * SURE / 2);
    return n - mean - more > other ? n - mean - more : other;
}

bool randomness_distinct(uint64_t *patterns, int64_t n, uint64_t values,
                         char *why, size_t size)
{
    int64_t distinct = 1, due;
    if (n < RANDOMNESS_LEAST)
        return true;
    if (n > LOOKED_MOST)
        n = LOOKED_MOST;
    due = least_distinct(n, values);
    qsort(patterns, (size_t)n, sizeof *patterns, by_size_64);
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

bool randomness_ends(const int64_t *place, int64_t n, int64_t coarse, char *why,
                     size_t size)
{
    int64_t one = INT64_C(1) << RANDOMNESS_Z_BITS, least = one, most = -one;
    if (n < RANDOMNESS_LEAST)
        return true;
    for (int64_t i = 0; i < n; i++) {
        least = place[i] < least ? place[i] : least;
        most = place[i] > most ? place[i] : most;
    }
    int64_t free = END * one / n + coarse;
    int64_t below = (least + one) / 2, above = (one - most) / 2;
    if (below <= free && above <= free)
        return true;
    /* In millionths of the range, rounded down. */
    int64_t part = below > free ? below : above;
    snprintf(why, size,
             "none of %" PRId64 " elements lies in the %s %" PRId64
             " millionths of the range",
             n, below > free ? "lowest" : "highest",
             (int64_t)((wide)part * 1000000 / one));
    return false;
}

bool randomness_complete(struct arena *a, const uint64_t *patterns, int64_t n,
                         uint64_t first, uint64_t range, int bits, char *why,
                         size_t size)
{
    uint64_t mask = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
    /* ln range < 0.7 log2(range): range (ln range + 30) <= n. */
    int digits = range > 1 ? 64 - __builtin_clzll(range - 1) : 0;
    if (range == 0 || range > (uint64_t)n
        || (wide)range * (7 * digits + 10 * END) > (wide)n * 10)
        return true;
    unsigned char *seen = arena_new(a, unsigned char, (size_t)range);
    for (int64_t i = 0; i < n; i++) {
        uint64_t at = (patterns[i] - first) & mask;
        if (at < range)
            seen[at] = 1;
    }
    for (uint64_t i = 0; i < range; i++)
        if (!seen[i]) {
            snprintf(why, size,
                     "value number %" PRIu64 " of %" PRIu64
                     " does not occur in %" PRId64 " elements",
                     i, range, n);
            return false;
        }
    return true;
}

/* Hoeffding: |2 c - n| exceeds sqrt(2 n t) with probability 2 e^-t; t = 30. */
static bool is_half(int64_t count, int64_t n)
{
    int64_t off = llabs(2 * count - n);
    return (wide)off * (wide)off <= (wide)n * 60;
}

bool randomness_bits(const uint64_t *patterns, int64_t n, int bits, char *why,
                     size_t size)
{
    for (int b = 0; b < bits && n >= RANDOMNESS_LEAST; b++) {
        int64_t set = 0;
        for (int64_t i = 0; i < n; i++)
            set += patterns[i] >> b & 1;
        if (is_half(set, n))
            continue;
        snprintf(why, size,
                 "bit %d is set in %" PRId64 " of %" PRId64 " elements", b, set,
                 n);
        return false;
    }
    return true;
}

/* Column b of up to 64 patterns: bit i is bit b of pattern i. */
static void turn(const uint64_t *patterns, int64_t n, int bits,
                 uint64_t *column)
{
    for (int b = 0; b < bits; b++) {
        column[b] = 0;
        for (int64_t i = 0; i < n; i++)
            column[b] |= (patterns[i] >> b & 1) << i;
    }
}

/* Add in how many of n elements bits a and b < a differ. */
static void count_unlike(const uint64_t *patterns, int64_t n, int bits,
                         int64_t unlike[WORD][WORD])
{
    for (int64_t i = 0; i < n; i += WORD) {
        uint64_t column[WORD];
        turn(patterns + i, n - i < WORD ? n - i : WORD, bits, column);
        for (int a = 1; a < bits; a++)
            for (int b = 0; b < a; b++)
                unlike[a][b] += __builtin_popcountll(column[a] ^ column[b]);
    }
}

bool randomness_bit_pairs(const uint64_t *patterns, int64_t n, int bits,
                          char *why, size_t size)
{
    int64_t unlike[WORD][WORD] = {{0}};
    if (n < RANDOMNESS_LEAST)
        return true;
    if (n > LOOKED_MOST)
        n = LOOKED_MOST;
    count_unlike(patterns, n, bits, unlike);
    for (int a = 1; a < bits; a++)
        for (int b = 0; b < a; b++) {
            if (is_half(unlike[a][b], n))
                continue;
            snprintf(why, size,
                     "bits %d and %d differ in %" PRId64 " of %" PRId64
                     " elements",
                     b, a, unlike[a][b], n);
            return false;
        }
    return true;
}

/* Rows that span the differences of the patterns from the first, each with its
 * own highest bit, by that bit; how many there are. */
static int find_rows(const uint64_t *patterns, int64_t n, int bits,
                     uint64_t *rows)
{
    int rank = 0;
    for (int64_t i = 1; i < n && rank < bits; i++) {
        uint64_t x = patterns[i] ^ patterns[0];
        int b = bits - 1;
        for (; b >= 0 && (!(x >> b & 1) || rows[b]); b--)
            x ^= x >> b & 1 ? rows[b] : 0;
        if (b < 0)
            continue;
        rows[b] = x;
        rank++;
    }
    return rank;
}

bool randomness_bit_relation(const uint64_t *patterns, int64_t n, int bits,
                             char *why, size_t size)
{
    uint64_t rows[WORD] = {0}, mask = 0;
    if (n < RANDOMNESS_LEAST || find_rows(patterns, n, bits, rows) == bits)
        return true;
    /* A bit without a row is free; the rows above it, in turn, say whether
     * their own highest bits go with it. */
    for (int b = 0; b < bits; b++)
        if (rows[b] ? __builtin_parityll(rows[b] & mask) : !mask)
            mask |= UINT64_C(1) << b;
    snprintf(why, size,
             "the exclusive or of the bits of 0x%" PRIx64
             " is %d in all %" PRId64 " elements",
             mask, __builtin_parityll(patterns[0] & mask), n);
    return false;
}
