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
    SLOPE_OPERANDS = 4 /* parts count each */
};

typedef bool slope_function(const struct enclosure *x, struct enclosure *d);

slope_function slope_identity, slope_abs, slope_add, slope_atan, slope_cbrt,
    slope_clamp, slope_cos, slope_cosh, slope_div, slope_erf, slope_erfc,
    slope_exp, slope_log, slope_log1p, slope_logistic, slope_max, slope_min,
    slope_mul, slope_neg, slope_pow, slope_rsqrt, slope_sin, slope_sinh,
    slope_sqrt, slope_sub, slope_tanh;

/* slope_parts_NAME is the same of the real part (0) or the imaginary one (1) of
 * what operation NAME gives for complex operands, or of its real result: x and
 * d have the parts of each operand, the real one first. */
typedef bool slope_parts_function(const struct enclosure *x,
                                  struct enclosure *d, int part);

slope_parts_function slope_parts_abs, slope_parts_add, slope_parts_mul,
    slope_parts_neg, slope_parts_sub;

#endif
