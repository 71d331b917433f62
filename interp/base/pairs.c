/* pairs.c - see pairs.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Many pairs are put in order digit by digit, the lowest first: each pass is
 * stable and preserves the earlier ones.  Few are inserted one by one.
 */
#include "interp/base/pairs.h"

#include <stdbool.h>
#include <string.h>

enum {
    FEW = 64,
    DIGIT_BITS = 11,
    DIGITS = 1 << DIGIT_BITS,
    KEY_BITS = 64
};

static void insert_few(struct pair *pairs, int64_t n)
{
    for (int64_t i = 1; i < n; i++) {
        struct pair p = pairs[i];
        int64_t k = i;
        for (; k > 0 && pairs[k - 1].key > p.key; k--)
            pairs[k] = pairs[k - 1];
        pairs[k] = p;
    }
}

/* How far a key is above the least one: it fits however far they are apart. */
static unsigned digit(const struct pair *p, int64_t least, int shift)
{
    return ((uint64_t)p->key - (uint64_t)least) >> shift & (DIGITS - 1);
}

static void pass(const struct pair *from, struct pair *to, int64_t n,
                 int64_t least, int shift)
{
    int64_t next[DIGITS] = {0}, sum = 0;
    for (int64_t i = 0; i < n; i++)
        next[digit(&from[i], least, shift)]++;
    for (int d = 0; d < DIGITS; d++) {
        int64_t count = next[d];
        next[d] = sum;
        sum += count;
    }
    for (int64_t i = 0; i < n; i++)
        to[next[digit(&from[i], least, shift)]++] = from[i];
}

void pairs_sort(struct pair *pairs, int64_t n, struct pair *room)
{
    int64_t least = INT64_MAX, most = INT64_MIN;
    bool sorted = true;
    for (int64_t i = 0; i < n; i++) {
        least = pairs[i].key < least ? pairs[i].key : least;
        sorted = sorted && pairs[i].key >= most;
        most = pairs[i].key > most ? pairs[i].key : most;
    }
    if (sorted)
        return;
    if (n <= FEW) {
        insert_few(pairs, n);
        return;
    }
    struct pair *from = pairs, *to = room;
    uint64_t span = (uint64_t)most - (uint64_t)least;
    for (int shift = 0; shift < KEY_BITS && span >> shift > 0;
         shift += DIGIT_BITS) {
        struct pair *swap = from;
        pass(from, to, n, least, shift);
        from = to;
        to = swap;
    }
    if (from != pairs)
        memcpy(pairs, from, (size_t)n * sizeof *pairs);
}
