/* Digamma.c - the derivative of the logarithm of the gamma function, of each
 * element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/hurwitz.h"
#include "interp/program/op_way.h"

static bool special(struct elementwise_job *j, const uint64_t *x,
                    uint64_t *bits)
{
    if (real_is_nan(j->unit, x[0]) || !hurwitz_is_pole(j->unit, x[0]))
        return false;
    hurwitz_pole(j, false, bits);
    return true;
}

OP_FUNCTION(Digamma, mpfr_digamma, OP_WAY_DIGAMMA, .complex = NULL,
            .special = special, .open = true);
