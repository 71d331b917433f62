/* ieee.h - exact operations on the patterns of floats.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sign, comparison, maximum: IEEE 754-2019 5.5.1, 5.11, 9.6, for every float
 * type by its row.  The complex ones compare real parts first, then imaginary
 * parts.
 */
#ifndef INTERP_OPS_IEEE_H
#define INTERP_OPS_IEEE_H

#include "interp/ops/elementwise.h"

elementwise_bits ieee_abs, ieee_neg, ieee_sign, ieee_is_finite;
/* The result is as policies max.nan and max.signed-zero have it. */
elementwise_bits ieee_max, ieee_min;
elementwise_bits ieee_eq, ieee_ne, ieee_lt, ieee_le, ieee_gt, ieee_ge;
/* -NaN < -Inf < -Finite < -0 < +0 < +Finite < +Inf < +NaN */
elementwise_bits ieee_total_eq, ieee_total_ne, ieee_total_lt, ieee_total_le,
    ieee_total_gt, ieee_total_ge;

elementwise_parts ieee_complex_eq, ieee_complex_ne, ieee_complex_lt,
    ieee_complex_le, ieee_complex_gt, ieee_complex_ge;
elementwise_parts ieee_complex_max, ieee_complex_min, ieee_complex_neg;

#endif
