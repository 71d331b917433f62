/* RoundNearestEven.c - each element to the nearest integer, ties to even.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"

static int round_integer(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rnd)
{
    mpfr_roundeven(y, x);
    return 0; /* the result is exact */
}

OP_MONOTONE(RoundNearestEven, OP_STEPS, 0, .arity = 1, .real = round_integer,
            .exact_real = true);
