/* RemoveDynamicDimension - an array whose dimension is static again.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <string.h>

#include "interp/ops/move.h"
#include "interp/program/attribute.h"

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0];
    int64_t d = attribute_int(in->in, ATTRIBUTE_DIMENSION, 0);
    bool dynamic[SHAPE_RANK_MAX];
    if (d < 0 || d >= s->rank)
        return FAIL(st, ATTRIBUTE,
                    "RemoveDynamicDimension: dimension is %" PRId64
                    "; the operand has rank %d",
                    d, s->rank);
    for (int i = 0; i < s->rank; i++)
        dynamic[i] = i != d && s->dynamic && s->dynamic[i];
    in->result = shape_dynamic(in->arena, s->dtype, s->rank, s->dims, dynamic);
    return true;
}

static bool eval(struct eval *ev, struct status *st)
{
    const struct literal *from = ev->operands[0];
    const struct shape *s = ev->in->shape;
    struct literal *to = literal_new(ev->arena, s);
    memcpy(to->data, from->data, (size_t)shape_bytes(s));
    for (int i = 0; to->sizes && i < s->rank; i++)
        to->sizes[i] = s->dynamic[i] ? from->sizes[i] : s->dims[i];
    struct goal *g = goal_of(ev->arena, to, GOAL_MOVED);
    if (ev->want_exact && from->sizes)
        move_free_padding(ev, from, g);
    return eval_return_one(ev, g);
}

const struct op op_RemoveDynamicDimension = {.name = "RemoveDynamicDimension",
                                             .infer = infer,
                                             .eval = eval,
                                             .monotone = {1}};
