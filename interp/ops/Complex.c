/* Complex.c - complex elements from real and imaginary parts.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"

/* The frame makes both units itself. */
static uint64_t real_part(struct elementwise_job *j, const uint64_t *x)
{
    return x[0];
}

OP_MONOTONE(Complex, OP_RISING, OP_RISING, .arity = 2,
            .result = ELEMENTWISE_COMPLEX, .moved = true, .exact = real_part);
