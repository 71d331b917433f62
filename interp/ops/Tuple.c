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

static bool eval(struct eval *ev, struct status *st)
{
    int n = shape_leaves(ev->in->shape), next = 0;
    struct goal **goals = arena_new(ev->arena, struct goal *, (size_t)n);
    for (int i = 0; i < ev->count; i++) {
        struct goal **own = eval_goals(ev, i);
        for (int k = 0; k < shape_leaves(ev->operands[i]->shape); k++)
            goals[next++] = own[k];
    }
    eval_return(ev, ev->in->shape, goals);
    return true;
}

static const struct stablehlo_form form = {.write = stablehlo_op_tuple};

const struct op op_Tuple = {.name = "Tuple",
                            .infer = infer,
                            .eval = eval,
                            .passes = true,
                            .role = OP_ROLE_TUPLE,
                            .stablehlo = &form};
