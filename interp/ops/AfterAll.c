/* AfterAll - tokens joined.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/eval.h"
#include "interp/stablehlo/stablehlo_form.h"

static bool infer(struct infer *in, struct status *st)
{
    for (int i = 0; i < in->count; i++)
        if (in->operands[i]->kind != SHAPE_TOKEN)
            return FAIL(st, TYPE, "AfterAll: operand %d is %s, not a token", i,
                        shape_text(in->arena, in->operands[i]));
    in->result = shape_token(in->arena);
    return true;
}

static bool eval(struct eval *ev, struct status *st)
{
    return eval_return_literal(ev, literal_new(ev->arena, ev->in->shape),
                               GOAL_BITS);
}

const struct op op_AfterAll = {.name = "AfterAll",
                               .infer = infer,
                               .eval = eval,
                               .passes = true,
                               .stablehlo = STABLEHLO_FORM(.no_tuples = true)};
