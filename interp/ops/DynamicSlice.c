/* DynamicSlice - part of an array from run-time start indices.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "interp/ops/dimnums.h"
#include "interp/ops/move.h"

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0];
    struct dimnums sizes = dimnums_get(in->in, "slice_sizes");
    TRY(dimnums_static(in, st));
    TRY(move_infer_starts(in, 1, st));
    TRY(dimnums_count(in, &sizes, s->rank, st));
    for (int i = 0; i < s->rank; i++)
        if (sizes.at[i] < 0 || sizes.at[i] > s->dims[i])
            return FAIL(st, ATTRIBUTE,
                        "DynamicSlice: size %" PRId64
                        " in dimension %d of size %" PRId64,
                        sizes.at[i], i, s->dims[i]);
    return infer_array(in, s->dtype, s->rank, sizes.at, st);
}

static bool eval(struct eval *ev, struct status *st)
{
    const struct shape *s = ev->in->shape, *from = ev->operands[0]->shape;
    int64_t strides[SHAPE_RANK_MAX] = {0}, starts[SHAPE_RANK_MAX], base = 0;
    if (shape_elements(s) > 0)
        shape_strides(from->rank, from->dims, strides);
    move_starts(ev, 1, s->rank, from->dims, s->dims, starts);
    for (int i = 0; i < s->rank; i++)
        base += starts[i] * strides[i];
    eval_return_literal(
        ev, move_strided(ev->arena, s, ev->operands[0], base, strides),
        GOAL_MOVED);
    return true;
}

const struct op op_DynamicSlice = {
    .name = "DynamicSlice", .infer = infer, .eval = eval, .monotone = {1}};
