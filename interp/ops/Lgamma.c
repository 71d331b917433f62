/* Lgamma.c - the logarithm of the magnitude of the gamma function of each
 * element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/program/op_way.h"

static int lgamma_real(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rnd)
{
    int sign;
    return mpfr_lgamma(y, &sign, x, rnd);
}

OP_FUNCTION(Lgamma, lgamma_real, OP_WAY_LGAMMA, .complex = NULL);
