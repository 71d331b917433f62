/* IsFinite.c - is each element neither infinite nor NaN?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/ieee.h"

OP_MONOTONE(IsFinite, OP_STEPS, 0, .arity = 1, .result = ELEMENTWISE_PRED,
            .exact = ieee_is_finite);
