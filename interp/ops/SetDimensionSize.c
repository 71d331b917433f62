/* SetDimensionSize - an array whose dimension has a run-time size.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <string.h>

#include "interp/ops/move.h"
#include "interp/program/attribute.h"

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0], *size = in->operands[1];
    int64_t d = attribute_int(in->in, ATTRIBUTE_DIMENSION, 0);
    bool dynamic[SHAPE_RANK_MAX];
    if (!shape_is_scalar(size))
        return FAIL(st, SHAPE, "SetDimensionSize: the size is %s, not a scalar",
                    shape_text(in->arena, size));
    if (d < 0 || d >= s->rank)
        return FAIL(st, ATTRIBUTE,
                    "SetDimensionSize: dimension is %" PRId64
                    "; the operand has rank %d",
                    d, s->rank);
    for (int i = 0; i < s->rank; i++)
        dynamic[i] = i == d || (s->dynamic && s->dynamic[i]);
    in->result = shape_dynamic(in->arena, s->dtype, s->rank, s->dims, dynamic);
    return true;
}

static bool eval(struct eval *ev, struct status *st)
{
    const struct literal *from = ev->operands[0];
    const struct shape *s = ev->in->shape;
    int d = (int)attribute_int(ev->in, ATTRIBUTE_DIMENSION, 0);
    int64_t size = literal_int(ev->operands[1], 0);
    if (size < 0 || size > s->dims[d])
        return FAIL(st, UNSUPPORTED,
                    "inadmissible: SetDimensionSize to %" PRId64
                    " of dimension %d, whose bound is %" PRId64,
                    size, d, s->dims[d]);
    struct literal *to = literal_new(ev->arena, s);
    memcpy(to->data, from->data, (size_t)shape_bytes(s));
    for (int i = 0; i < s->rank; i++)
        to->sizes[i] = i == d ? size : move_size(from, i);
    struct goal *g = goal_of(ev->arena, to, GOAL_MOVED);
    if (ev->want_exact && from->sizes)
        move_free_padding(ev, from, g);
    return eval_return_one(ev, g);
}

const struct op op_SetDimensionSize = {.name = "SetDimensionSize",
                                       .infer = infer,
                                       .eval = eval,
                                       .monotone = {1, OP_NEITHER}};
