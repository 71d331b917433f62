/* test_pairs.c - a stable sort by whole numbers, against the definition.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/base/pairs.h"
#include "interp/base/random.h"
#include "interp/test/tap.h"

enum {
    MOST = 3000,
    ROUNDS = 400
};

/* Keys of that many bits, or next to both ends of the range. */
static int64_t some_key(struct random *r, unsigned bits)
{
    uint64_t x = random_next(r) >> (64 - bits);
    if (bits < 3)
        return (x & 1 ? INT64_MIN : INT64_MAX - 3) + (int64_t)(x >> 1);
    return (int64_t)(x - (UINT64_C(1) << (bits - 1)));
}

/* Places 0 to n - 1 each once, keys that rise, and places that rise where keys
 * are equal: no other order is like that. */
static bool is_sorted(const struct pair *got, const int64_t *keys, int64_t n)
{
    static unsigned char seen[MOST];
    for (int64_t i = 0; i < n; i++)
        seen[i] = 0;
    for (int64_t i = 0; i < n; i++) {
        const struct pair *p = &got[i];
        if (p->place < 0 || p->place >= n || seen[p->place]++
            || p->key != keys[p->place])
            return false;
        if (i > 0
            && (p->key < p[-1].key
                || (p->key == p[-1].key && p->place < p[-1].place)))
            return false;
    }
    return true;
}

int main(void)
{
    static struct pair pairs[2 * MOST];
    static int64_t keys[MOST];
    struct random r = {tap_seed(2)};
    int wrong = 0;
    for (int round = 0; round < ROUNDS; round++) {
        int64_t n = (int64_t)(random_next(&r) % (round % 2 ? MOST : 130));
        unsigned bits = 1 + (unsigned)(random_next(&r) % 64);
        for (int64_t i = 0; i < n; i++) {
            keys[i] = some_key(&r, bits);
            pairs[i] = (struct pair){keys[i], i};
        }
        pairs_sort(pairs, n, pairs + n);
        wrong += !is_sorted(pairs, keys, n);
    }
    EQ_INT(wrong, 0, "keys of 1 to 64 bits, 0 to 3000 of them");
    return tap_done();
}
