/* Pow.c - each element to the power of the other.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/integer.h"

/* pow(x, +-0) = 1 and pow(1, y) = 1, quiet NaN or not (IEEE 754-2019 9.2.1);
 * the rest of a NaN's rules is the frame's. */
static bool special(struct elementwise_job *j, const uint64_t *x,
                    uint64_t *bits)
{
    if (elementwise_any_signalling(j->unit, x, 2))
        return false;
    if (!real_is_zero(j->unit, x[1]) && x[0] != real_one(j->unit))
        return false;
    *bits = real_one(j->unit);
    return true;
}

OP_ELEMENTWISE(Pow, .arity = 2, .integer = integer_pow, .real2 = mpfr_pow,
               .special = special, .complex = complex_pow_pow,
               .accuracy = "Pow", .accuracy_complex = "Pow.complex",
               .complex_norm = true, .policies = {"pow.int.negative-exponent"});
