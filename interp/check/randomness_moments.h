/* randomness_moments.h - is this a normal or a uniform sample?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_CHECK_RANDOMNESS_MOMENTS_H
#define INTERP_CHECK_RANDOMNESS_MOMENTS_H

#include "interp/check/randomness.h"

/* Are these (z times 2^RANDOMNESS_Z_BITS, |z| <= 16) normal numbers?  By their
 * mean and deviation, by how many are 2 to 5 standard deviations off, and by
 * the third to the sixth moment of those within 4.  A good sample is rejected
 * with a probability of 2e-10.  A deviation that is off by more than 7 times
 * the sample's own error, (2n)^-1/2, is rejected. */
bool randomness_moments_normal(const int64_t *z, int64_t n, char *why,
                               size_t size);
/* Are these (x times 2^RANDOMNESS_Z_BITS, -1 <= x <= 1) uniform numbers?  By
 * their first six moments; a good sample is refused with a probability of
 * 7e-11. */
bool randomness_moments_uniform(const int64_t *x, int64_t n, char *why,
                                size_t size);

#endif
