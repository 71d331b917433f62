/* integer.h - integers modulo 2^n, and truth values.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Patterns in, patterns out: two's complement for signed types, no bit outside
 * dtype_mask.  What the documents leave open follows a policy: the choice
 * "any" frees the unit, others say which value it has.
 */
#ifndef INTERP_OPS_INTEGER_H
#define INTERP_OPS_INTEGER_H

#include "interp/ops/elementwise.h"

elementwise_bits integer_add, integer_sub, integer_mul, integer_pow;
elementwise_bits integer_div, integer_rem;
elementwise_bits integer_abs, integer_neg, integer_sign;
elementwise_bits integer_not, integer_and, integer_or, integer_xor;
elementwise_bits integer_clz, integer_popcount;
elementwise_bits integer_shl, integer_shra, integer_shrl;
elementwise_bits integer_max, integer_min;
elementwise_bits integer_eq, integer_ne, integer_lt, integer_le, integer_gt,
    integer_ge;
/* Truth values; those not here are the integers' (and, or, xor, eq, ...). */
elementwise_bits integer_pred_not;

#endif
