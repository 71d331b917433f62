/* Parameter - an argument of the computation.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/attribute.h"
#include "interp/program/eval.h"

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = attribute_find(in->in, ATTRIBUTE_SHAPE)->shape;
    if (s->kind == SHAPE_ARRAY)
        TRY(shape_check_size(s->rank, s->dims, s->dtype,
                             in->program->limits->literal_bytes, st));
    in->result = s;
    return true;
}

/* The frame binds the arguments itself. */
static bool eval(struct eval *ev, struct status *st)
{
    return FAIL(st, STRUCTURE, "parameter '%s' has no argument", ev->in->name);
}

const struct op op_Parameter = {.name = "Parameter",
                                .infer = infer,
                                .eval = eval,
                                .role = OP_ROLE_PARAMETER};
