/* pairs.h - places sorted by whole numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_BASE_PAIRS_H
#define INTERP_BASE_PAIRS_H

#include <stdint.h>

struct pair {
    int64_t key, place;
};

/* A stable sort of n pairs by rising keys, with room for as many more.  Takes
 * time in proportion to n and the digits in which the keys differ. */
void pairs_sort(struct pair *pairs, int64_t n, struct pair *room);

#endif
