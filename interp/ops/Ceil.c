/* Ceil.c - each element rounded up to an integer.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"

/* ceil(-0.5) = -0 (IEEE 754-2019 5.9). */
static int round_integer(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rnd)
{
    mpfr_ceil(y, x);
    return 0; /* the result is exact */
}

OP_MONOTONE(Ceil, OP_STEPS, 0, .arity = 1, .real = round_integer,
            .exact_real = true);
