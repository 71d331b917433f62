/* Rsqrt.c - the reciprocal square root of each element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"

/* 1/sqrt(-0) = 1/-0 = -inf (IEEE 754-2019 9.2.1, rSqrt); MPFR gives +inf. */
static bool special(struct elementwise_job *j, const uint64_t *x,
                    uint64_t *bits)
{
    if (!real_is_zero(j->unit, x[0]) || !real_is_negative(j->unit, x[0]))
        return false;
    struct real y = {.kind = REAL_INF, .negative = true};
    *bits = real_round(&y, j->unit, j->goal->overflow);
    return true;
}

OP_FUNCTION(Rsqrt, mpfr_rec_sqrt, OP_NONZERO, .complex = complex_algebra_rsqrt,
            .steep = steep_rsqrt, .special = special, .slope = slope_rsqrt);
