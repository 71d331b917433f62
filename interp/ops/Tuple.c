/* Tuple - several values as one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/eval.h"
#include "interp/stablehlo/stablehlo_form.h"

static bool infer(struct infer *in, struct status *st)
{
    in->result = shape_tuple(in->arena, in->count, in->operands);
    return true;
}

const struct op op_Tuple = {.name = "Tuple",
                            .infer = infer,
                            .eval = eval_operands,
                            .passes = true,
                            .role = OP_ROLE_TUPLE,
                            .stablehlo =
                                STABLEHLO_FORM(.write = stablehlo_op_tuple)};
