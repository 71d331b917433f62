/* Constant - a value given in the program.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/attribute.h"
#include "interp/program/eval.h"
#include "interp/stablehlo/stablehlo_form.h"

static bool infer(struct infer *in, struct status *st)
{
    const struct literal *l =
        attribute_find(in->in, ATTRIBUTE_LITERAL)->literal;
    in->result = l->shape;
    return true;
}

static bool eval(struct eval *ev, struct status *st)
{
    const struct literal *l =
        attribute_find(ev->in, ATTRIBUTE_LITERAL)->literal;
    return eval_return_literal(ev, eval_source(ev, l), GOAL_MOVED);
}

const struct op op_Constant = {
    .name = "Constant",
    .infer = infer,
    .eval = eval,
    .role = OP_ROLE_CONSTANT,
    .stablehlo = STABLEHLO_FORM(.write = stablehlo_op_constant)};
