/* OptimizationBarrier - values as they are.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/eval.h"

static bool infer(struct infer *in, struct status *st)
{
    in->result = in->count == 1
                     ? in->operands[0]
                     : shape_tuple(in->arena, in->count, in->operands);
    return true;
}

const struct op op_OptimizationBarrier = {
    .name = "OptimizationBarrier",
    .infer = infer,
    .eval = eval_operands,
    .passes = true,
};
