/* Real.c - the real part of each element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"

static uint64_t itself(struct elementwise_job *j, const uint64_t *x)
{
    return x[0];
}

static uint64_t real_part(struct elementwise_job *j, const uint64_t *x,
                          int part)
{
    return x[0];
}

OP_MONOTONE(Real, 1, 0, .arity = 1, .result = ELEMENTWISE_COMPONENT,
            .moved = true, .exact = itself, .parts = real_part);
