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
    RANDOMNESS_LEAST = 128, /* samples; fewer say nothing */
    RANDOMNESS_Z_BITS = 40  /* of a fraction */
};

struct randomness {
    int bins;
    int64_t weight[RANDOMNESS_BINS]; /* in proportion to probability */
    int64_t n;
    const unsigned char *bin; /* of each element */
};

/* False, and why, if the elements don't look like it. */
bool randomness_test(const struct randomness *r, char *why, size_t size);
/* Are enough of n patterns distinct, if each has a probability of 1 / values at
 * most?  Sorts them.  A good sample is refused with a probability of 7e-13. */
bool randomness_distinct(uint64_t *patterns, int64_t n, uint64_t values,
                         char *why, size_t size);
/* Are these (z times 2^RANDOMNESS_Z_BITS, |z| <= 16) normal numbers?  Mean and
 * mean square (a good sample is refused with a probability of 6e-8), and how
 * many are 2 to 5 standard deviations off (6e-12).  A deviation that is more
 * than 6 times the sample's own error off, (2n)^-1/2, is refused: of 262,144
 * numbers one that is wrong by 2 in 100 is 14.5 times that off, of three
 * million one that is wrong by 0.3 in 100 is 7.3 times. */
bool randomness_normal(const int64_t *z, int64_t n, char *why, size_t size);
/* Is each of the bits set about as often as not? */
bool randomness_bits(const uint64_t *patterns, int64_t n, int bits, char *why,
                     size_t size);

#endif
