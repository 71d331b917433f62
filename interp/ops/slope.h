/* slope.h - how much a real function changes with its operands.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * slope_NAME is that of operation NAME: the function is continuous in the box
 * x[0] ... and d[k] contains its partial derivative by operand k at each point
 * of the box where it has one.  False if that is not so, or not known.
 */
#ifndef INTERP_OPS_SLOPE_H
#define INTERP_OPS_SLOPE_H

#include "interp/fast/enclosure.h"

enum {
    SLOPE_OPERANDS = 3
};

typedef bool slope_function(const struct enclosure *x, struct enclosure *d);

slope_function slope_identity, slope_abs, slope_add, slope_atan, slope_cbrt,
    slope_clamp, slope_cos, slope_cosh, slope_div, slope_erf, slope_erfc,
    slope_exp, slope_log, slope_log1p, slope_logistic, slope_max, slope_min,
    slope_mul, slope_neg, slope_pow, slope_rsqrt, slope_sin, slope_sinh,
    slope_sqrt, slope_sub, slope_tanh;

#endif
