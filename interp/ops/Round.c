/* Round.c - each element to the nearest integer, ties away from zero.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"

/* The sign of zero results is the operand's (IEEE 754-2019 5.9). */
static int round_integer(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rnd)
{
    mpfr_round(y, x);
    return 0; /* the result is exact */
}

OP_MONOTONE(Round, OP_STEPS, 0, .arity = 1, .real = round_integer,
            .exact_real = true);
