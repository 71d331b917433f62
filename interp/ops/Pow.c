/* Pow.c - each element to the power of the other.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gen/policy/pow_signalling_nan.h"
#include "interp/ops/elementwise.h"
#include "interp/ops/integer.h"
#include "interp/program/op_way.h"

/* pow(x, +-0) = 1 and pow(1, y) = 1 even for a quiet NaN (IEEE 754-2019
 * 9.2.1).  A signalling one is an invalid operation, unless it was quieted
 * before: policy pow.signalling-nan.  The rest of a NaN's rules is the frame's.
 * */
static bool special(struct elementwise_job *j, const uint64_t *x,
                    uint64_t *bits)
{
    if (!real_is_zero(j->unit, x[1]) && x[0] != real_one(j->unit))
        return false;
    *bits = real_one(j->unit);
    if (!elementwise_any_signalling(j->unit, x, 2))
        return true;
    if (profile_pow_signalling_nan_is_either(j->ev->machine->profile)) {
        j->also = true;
        j->also_bits = *bits;
    }
    *bits = real_nan(j->unit, false);
    return true;
}

OP_STEEP(Pow, OP_WAY_POW, OP_WAY_POW, .arity = 2, .integer = integer_pow,
         .real2 = mpfr_pow, .special = special, .complex = complex_pow_pow,
         .steep = steep_pow, .accuracy = "Pow",
         .accuracy_complex = "Pow.complex", .complex_norm = true, .open = true,
         .slope = slope_pow);
