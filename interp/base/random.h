/* random.h - the case format's generator: the same data everywhere.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * splitmix64, one 64-bit output a draw (Steele, Lea, Flood, 2014).
 */
#ifndef INTERP_BASE_RANDOM_H
#define INTERP_BASE_RANDOM_H

#include <stdint.h>

struct random {
    uint64_t state;
};

/* The next draw. */
uint64_t random_next(struct random *r);

/* A draw from low to high, both included, of which the top bits decide and
 * those outside the range are skipped. */
int64_t random_between(struct random *r, int64_t low, int64_t high);

/* A draw from 0 to n - 1, not quite evenly: the remainder of one; 0 if n is 0.
 */
static inline uint64_t random_below(struct random *r, uint64_t n)
{
    return n > 0 ? random_next(r) % n : 0;
}

/* The same, but the more likely the smaller it is. */
static inline uint64_t random_early(struct random *r, uint64_t n)
{
    return random_below(r, random_below(r, n) + 1);
}

/* ---- random123.c: the counter-based generators ThreeFry and Philox ------- */
/* Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3
 * (2011): ThreeFry-2x32 of 20 rounds, Philox-4x32 of 10. */

void random123_threefry(const uint32_t counter[2], const uint32_t key[2],
                        uint32_t out[2]);
void random123_philox(const uint32_t counter[4], const uint32_t key[2],
                      uint32_t out[4]);

#endif
