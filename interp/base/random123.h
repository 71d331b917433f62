/* random123.h - the counter-based generators ThreeFry and Philox.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3
 * (2011): ThreeFry-2x32 of 20 rounds, Philox-4x32 of 10.
 */
#ifndef INTERP_BASE_RANDOM123_H
#define INTERP_BASE_RANDOM123_H

#include <stdint.h>

void random123_threefry(const uint32_t counter[2], const uint32_t key[2],
                        uint32_t out[2]);
void random123_philox(const uint32_t counter[4], const uint32_t key[2],
                      uint32_t out[4]);

#endif
