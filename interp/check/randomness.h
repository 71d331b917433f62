/* randomness.h - is this a sample of that distribution?
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Elements are put into bins of known probability by exact comparisons.
 * Chi-square statistics of the bins, and of pairs of neighbours, are compared
 * with bounds that hold with probability 1 - e^-t (Laurent, Massart 2000); a
 * sample is rejected if the whole of it is beyond that of t = 14 and each of
 * its halves beyond that of t = 9 (which are so with probability 1.2e-6 each),
 * or, of fewer than 512 elements, if the whole is beyond that of t = 20.  So it
 * is if more or fewer elements than expected lie below some bin (7.6e-11).  All
 * arithmetic is on integers.
 */
#ifndef INTERP_CHECK_RANDOMNESS_H
#define INTERP_CHECK_RANDOMNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "interp/base/arena.h"
#include "interp/exact/real.h"

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

/* False, and why, if the elements do not look like it. */
bool randomness_test(const struct randomness *r, char *why, size_t size);
/* Are enough of n patterns distinct, if each has a probability of 1 / values at
 * most?  Sorts them.  A good sample is rejected with a probability of 7e-13. */
bool randomness_distinct(uint64_t *patterns, int64_t n, uint64_t values,
                         char *why, size_t size);
/* Do the least and the greatest of n places, from -1 to 1 times
 * 2^RANDOMNESS_Z_BITS, come as near to the ends as chance would have it?  No
 * element lies in a part f of the range with a probability below e^-nf: a good
 * sample is rejected with less than 2 e^-30, 2e-13.  coarse: by how much of the
 * range, in parts of 2^RANDOMNESS_Z_BITS, a number's rounding may move it. */
bool randomness_ends(const int64_t *place, int64_t n, int64_t coarse, char *why,
                     size_t size);
/* Does each of the integers from first on, range of them, modulo 2^bits, occur
 * among n patterns?  Only where a good sample lacks one with a probability
 * below range e^(-n / range) <= e^-30, 1e-13. */
bool randomness_complete(struct arena *a, const uint64_t *patterns, int64_t n,
                         uint64_t first, uint64_t range, int bits, char *why,
                         size_t size);
/* Is each of the bits set about as often as not? */
bool randomness_bits(const uint64_t *patterns, int64_t n, int bits, char *why,
                     size_t size);
/* Do any two of the bits differ about as often as not?  A good sample of 64
 * bits is rejected with a probability of 4e-10: 2016 pairs, 2 e^-30 each. */
bool randomness_bit_pairs(const uint64_t *patterns, int64_t n, int bits,
                          char *why, size_t size);
/* Is there no set of bits whose exclusive or is the same in every element?  The
 * differences of the elements from the first then have full rank over GF(2).
 * Each of the 2^bits - 1 sets is constant in a good sample with a probability
 * of 2^(1 - n): of 128 elements of 64 bits one is refused with less than
 * 2^-63. */
bool randomness_bit_relation(const uint64_t *patterns, int64_t n, int bits,
                             char *why, size_t size);

/* The least r with r^2 >= x, by bisection. */
int64_t randomness_root(real_u128 x);
/* Bernstein: a sum of independent terms that lie within most of their mean
 * exceeds its own mean by that, or falls short of it, with a probability below
 * e^-t each; variance is the sum's. */
int64_t randomness_sum(int64_t variance, int64_t most, int t);

#endif
