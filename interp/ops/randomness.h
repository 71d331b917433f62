/* randomness.h - is this a sample of that distribution?
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Elements are put into bins of known probability by exact comparisons.
 * Chi-square statistics of the bins, and of pairs of neighbours, are compared
 * with bounds that hold with probability 1 - e^-t (Laurent, Massart 2000); a
 * sample is refused if the whole of it is beyond that of t = 14 and each of its
 * halves beyond that of t = 9.  All arithmetic is on integers.
 */
#ifndef INTERP_OPS_RANDOMNESS_H
#define INTERP_OPS_RANDOMNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "interp/base/arena.h"

enum {
    RANDOMNESS_BINS = 16,
    RANDOMNESS_LEAST = 128 /* samples; fewer say nothing */
};

struct randomness {
    int bins;
    int64_t weight[RANDOMNESS_BINS]; /* in proportion to probability */
    int64_t n;
    const unsigned char *bin; /* of each element */
};

/* False, and why, if the elements don't look like it. */
bool randomness_test(const struct randomness *r, char *why, size_t size);
/* Of n patterns from a set of that many, are enough distinct?  Sorts them. */
bool randomness_distinct(uint64_t *patterns, int64_t n, uint64_t from,
                         char *why, size_t size);
/* Is each of the bits set about as often as not? */
bool randomness_bits(const uint64_t *patterns, int64_t n, int bits, char *why,
                     size_t size);

#endif
