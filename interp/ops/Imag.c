/* Imag.c - the imaginary part of each element; 0 of a real one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"

static uint64_t zero(struct elementwise_job *j, const uint64_t *x)
{
    return real_zero(j->unit, false);
}

static uint64_t imaginary_part(struct elementwise_job *j, const uint64_t *x,
                               int part)
{
    return x[1];
}

OP_MONOTONE(Imag, OP_RISING, 0, .arity = 1, .result = ELEMENTWISE_COMPONENT,
            .moved = true, .exact = zero, .parts = imaginary_part);
