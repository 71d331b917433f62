/* ConcatInDim - arrays one after the other.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "interp/ops/move.h"
#include "interp/program/attribute.h"

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0];
    int64_t d = attribute_int(in->in, ATTRIBUTE_DIMENSION, 0);
    int64_t dims[SHAPE_RANK_MAX], total = 0;
    bool dynamic[SHAPE_RANK_MAX] = {false};
    if (s->rank == 0)
        return FAIL(st, SHAPE, "ConcatInDim: scalars cannot be concatenated");
    if (d < 0 || d >= s->rank)
        return FAIL(st, ATTRIBUTE,
                    "ConcatInDim: dimension is %" PRId64
                    "; the operands have rank %d",
                    d, s->rank);
    for (int i = 0; i < in->count; i++) {
        const struct shape *o = in->operands[i];
        if (o->dtype != s->dtype)
            return FAIL(st, TYPE, "ConcatInDim: operand %d is %s, not %s", i,
                        dtype_table[o->dtype].name, dtype_table[s->dtype].name);
        bool fits = o->rank == s->rank;
        for (int k = 0; fits && k < s->rank; k++)
            fits = k == d || o->dims[k] == s->dims[k];
        if (!fits)
            return FAIL(st, SHAPE,
                        "ConcatInDim: operands %s and %s differ in "
                        "another dimension or in rank",
                        shape_text(in->arena, o), shape_text(in->arena, s));
        for (int k = 0; k < s->rank; k++)
            dynamic[k] = dynamic[k] || (o->dynamic && o->dynamic[k]);
        if (__builtin_add_overflow(total, o->dims[d], &total))
            return FAIL(st, SHAPE, "ConcatInDim: the result is too large");
    }
    for (int k = 0; k < s->rank; k++)
        dims[k] = k == d ? total : s->dims[k];
    return move_infer(in, s->dtype, s->rank, dims, dynamic, st);
}

/* Sizes along the dimension add up; others must be the same. */
static bool set_sizes(const struct eval *ev, int d, struct literal *to,
                      struct status *st)
{
    for (int k = 0; to->sizes && k < to->shape->rank; k++) {
        bool found = false;
        to->sizes[k] = k == d ? 0 : to->shape->dims[k];
        for (int i = 0; i < ev->count; i++) {
            const struct literal *l = ev->operands[i];
            int64_t size = move_size(l, k);
            if (k == d)
                to->sizes[k] += size;
            if (k == d || !l->shape->dynamic || !l->shape->dynamic[k])
                continue;
            if (found && to->sizes[k] != size)
                return FAIL(
                    st, UNSUPPORTED,
                    "inadmissible: operands of ConcatInDim have %" PRId64
                    " and %" PRId64 " elements in dynamic dimension %d",
                    to->sizes[k], size, k);
            to->sizes[k] = size;
            found = true;
        }
    }
    return true;
}

static bool eval(struct eval *ev, struct status *st)
{
    const struct shape *s = ev->in->shape;
    int64_t d = attribute_int(ev->in, ATTRIBUTE_DIMENSION, 0), at = 0;
    int64_t strides[SHAPE_RANK_MAX];
    struct literal *to = literal_new(ev->arena, s);
    if (shape_elements(s) > 0) {
        shape_strides(s->rank, s->dims, strides);
        for (int i = 0; i < ev->count; i++) {
            move_into(to, at * strides[d], strides, ev->operands[i]);
            at += move_size(ev->operands[i], (int)d);
        }
    }
    TRY(set_sizes(ev, (int)d, to, st));
    return eval_return_literal(ev, to, GOAL_MOVED);
}

const struct op op_ConcatInDim = {.name = "ConcatInDim",
                                  .spreads = true,
                                  .infer = infer,
                                  .eval = eval,
                                  .monotone = {1, 1, 1}};
