/* DynamicUpdateSlice - an array with a part replaced.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/dimnums.h"
#include "interp/ops/move.h"

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0], *update = in->operands[1];
    TRY(dimnums_static(in, st));
    if (update->dtype != s->dtype)
        return FAIL(st, TYPE, "DynamicUpdateSlice: operand is %s, update %s",
                    dtype_table[s->dtype].name,
                    dtype_table[update->dtype].name);
    bool fits = update->rank == s->rank;
    for (int i = 0; fits && i < s->rank; i++)
        fits = update->dims[i] <= s->dims[i];
    if (!fits)
        return FAIL(st, SHAPE, "DynamicUpdateSlice: update %s does not fit %s",
                    shape_text(in->arena, update), shape_text(in->arena, s));
    TRY(move_infer_starts(in, 2, st));
    in->result = s;
    return true;
}

static bool eval(struct eval *ev, struct status *st)
{
    const struct shape *s = ev->in->shape, *update = ev->operands[1]->shape;
    int64_t strides[SHAPE_RANK_MAX], starts[SHAPE_RANK_MAX], base = 0;
    struct literal *to = literal_copy(ev->arena, ev->operands[0]);
    if (shape_elements(update) > 0) {
        shape_strides(s->rank, s->dims, strides);
        move_starts(ev, 2, s->rank, s->dims, update->dims, starts);
        for (int i = 0; i < s->rank; i++)
            base += starts[i] * strides[i];
        move_into(to, base, strides, ev->operands[1]);
    }
    eval_return_literal(ev, to, GOAL_MOVED);
    return true;
}

const struct op op_DynamicUpdateSlice = {
    .name = "DynamicUpdateSlice",
    .infer = infer,
    .eval = eval,
    .monotone = {1, 1},
};
