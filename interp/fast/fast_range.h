/* fast_range.h - the magnitudes of a block of operands.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The inputs of a sweep are in order, so mostly one branch of a kernel serves
 * a whole block; computing that alone gives the same bits.
 */
#ifndef INTERP_FAST_FAST_RANGE_H
#define INTERP_FAST_FAST_RANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "interp/fast/fast_bits.h"

/* The bits of the least and the greatest magnitude; NaN is above infinity. */
struct fast_range {
    uint64_t low, high;
};

static inline struct fast_range fast_range_of(const double *x, int n)
{
    int64_t low = INT64_MAX, high = 0;
    for (int i = 0; i < n; i++) {
        int64_t a = (int64_t)fast_bits(fast_abs(x[i]));
        low = a < low ? a : low;
        high = a > high ? a : high;
    }
    return (struct fast_range){(uint64_t)low, (uint64_t)high};
}

/* Are all magnitudes at most that? */
static inline bool fast_range_below(struct fast_range r, double most)
{
    return r.high <= fast_bits(most);
}

/* Are all above that, or NaN? */
static inline bool fast_range_above(struct fast_range r, double limit)
{
    return r.low > fast_bits(limit);
}

#endif
