/* fast_dot.h - sums of products in binary64, where they certify themselves.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Products of two binary32 numbers are exact in binary64, and a sum of n of
 * them in any order is off by at most
 *
 *     gamma_(n-1) * sum |products|,  gamma_k = k*u / (1 - k*u),  u = 2^-53
 *
 * (Higham, Accuracy and Stability, section 4.2).  Of binary64 numbers the
 * errors of products and sums are kept and added, which squares the bound.  If
 * both ends of the interval round to the same pattern, the exact sum rounds to
 * it as well; if not, the caller adds exactly.  Only proved results are
 * returned.
 */
#ifndef INTERP_EXACT_FAST_DOT_H
#define INTERP_EXACT_FAST_DOT_H

#include <stdbool.h>
#include <stdint.h>

#include "interp/base/dtype.h"

/* Numbers, each stride elements after the previous one. */
struct fast_dot_side {
    const unsigned char *data;
    int64_t stride;
};

/* The rounding to result (a float type) of the sum of n products of the
 * numbers of type unit in lhs and rhs.  False if that is not proved: types
 * other than f32 and (to f64) f64, zero sums, infinities, NaN, long sums, and
 * the rare sums that are too close to a midpoint. */
bool fast_dot(enum dtype unit, struct fast_dot_side lhs,
              struct fast_dot_side rhs, int64_t n, enum dtype result,
              uint64_t *bits);

#endif
