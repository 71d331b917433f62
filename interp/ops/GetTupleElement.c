/* GetTupleElement - one element of a tuple.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "interp/program/attribute.h"
#include "interp/program/eval.h"
#include "interp/stablehlo/stablehlo_form.h"

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0];
    int64_t i = attribute_int(in->in, ATTRIBUTE_INDEX, -1);
    if (s->kind != SHAPE_TUPLE)
        return FAIL(st, TYPE, "GetTupleElement: the operand is %s, not a tuple",
                    shape_text(in->arena, s));
    if (i < 0 || i >= s->rank)
        return FAIL(st, ATTRIBUTE,
                    "GetTupleElement: index is %" PRId64
                    "; the tuple has %d elements",
                    i, s->rank);
    in->result = s->elements[i];
    return true;
}

static bool eval(struct eval *ev, struct status *st)
{
    const struct shape *s = ev->operands[0]->shape;
    int64_t index = attribute_int(ev->in, ATTRIBUTE_INDEX, 0);
    int first = 0;
    for (int64_t i = 0; i < index; i++)
        first += shape_leaves(s->elements[i]);
    return eval_return(ev, ev->in->shape, eval_goals(ev, 0) + first);
}

const struct op op_GetTupleElement = {
    .name = "GetTupleElement",
    .role = OP_ROLE_ELEMENT,
    .infer = infer,
    .eval = eval,
    .passes = true,
    .stablehlo = STABLEHLO_FORM(.write = stablehlo_op_element)};
