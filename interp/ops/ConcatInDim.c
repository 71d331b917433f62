/* ConcatInDim - arrays one after the other.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "interp/ops/dimnums.h"
#include "interp/ops/move.h"
#include "interp/program/attribute.h"

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0];
    int64_t d = attribute_int(in->in, "dimension", 0);
    int64_t dims[SHAPE_RANK_MAX], total = 0;
    TRY(dimnums_static(in, st));
    if (s->rank == 0)
        return FAIL(st, SHAPE, "ConcatInDim: a scalar has no dimension");
    if (d < 0 || d >= s->rank)
        return FAIL(st, ATTRIBUTE,
                    "ConcatInDim: dimension %" PRId64 " of rank %d", d,
                    s->rank);
    for (int i = 0; i < in->count; i++) {
        const struct shape *o = in->operands[i];
        if (o->dtype != s->dtype)
            return FAIL(st, TYPE, "ConcatInDim: operand %d is %s, not %s", i,
                        dtype_table[o->dtype].name, dtype_table[s->dtype].name);
        bool fits = o->rank == s->rank;
        for (int k = 0; fits && k < s->rank; k++)
            fits = k == d || o->dims[k] == s->dims[k];
        if (!fits)
            return FAIL(st, SHAPE, "ConcatInDim: %s does not go with %s",
                        shape_text(in->arena, o), shape_text(in->arena, s));
        if (__builtin_add_overflow(total, o->dims[d], &total))
            return FAIL(st, SHAPE, "ConcatInDim: the result is too large");
    }
    for (int k = 0; k < s->rank; k++)
        dims[k] = k == d ? total : s->dims[k];
    return infer_array(in, s->dtype, s->rank, dims, st);
}

static bool eval(struct eval *ev, struct status *st)
{
    const struct shape *s = ev->in->shape;
    int64_t d = attribute_int(ev->in, "dimension", 0), at = 0;
    int64_t strides[SHAPE_RANK_MAX];
    struct literal *to = literal_new(ev->arena, s);
    if (shape_elements(s) > 0) {
        shape_strides(s->rank, s->dims, strides);
        for (int i = 0; i < ev->count; i++) {
            move_into(to, at * strides[d], strides, ev->operands[i]);
            at += ev->operands[i]->shape->dims[d];
        }
    }
    eval_return_literal(ev, to, GOAL_MOVED);
    return true;
}

const struct op op_ConcatInDim = {
    .name = "ConcatInDim", .infer = infer, .eval = eval, .monotone = {1, 1, 1}};
