/* fast_arith.h - sums, differences and products in the processor's arithmetic.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * IEEE 754 addition and multiplication of binary32 and binary64 are correctly
 * rounded, so the processor's result is the reference's, where it rounds to
 * nearest and flushes nothing: both are checked before each array.  The error
 * of an operation is a number that two-sum or a fused product gives exactly.
 */
#ifndef INTERP_EXACT_FAST_ARITH_H
#define INTERP_EXACT_FAST_ARITH_H

#include <stdbool.h>
#include <stdint.h>

#include "interp/base/dtype.h"

enum fast_arith_op {
    FAST_ARITH_NONE,
    FAST_ARITH_ADD,
    FAST_ARITH_SUB,
    FAST_ARITH_MUL,
};

/* n results of the operands x[0] and x[1], both f32 or both f64; NaNs become
 * the canonical one.  *worst is the largest error, in millionths of an ulp of
 * the exact value, and *worst_unit where it is; neither is touched if there is
 * none.  False, with to undefined, for other types, arithmetic that is not
 * IEEE's, and products whose error is not a number. */
bool fast_arith(enum fast_arith_op op, enum dtype unit,
                const unsigned char *const x[2], int64_t n, unsigned char *to,
                int64_t *worst, int64_t *worst_unit);

#endif
