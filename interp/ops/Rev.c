/* Rev - dimensions turned round.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/dimnums.h"
#include "interp/ops/move.h"

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0];
    struct dimnums d = dimnums_get(in->in, "dimensions");
    TRY(dimnums_static(in, st));
    TRY(dimnums_check(in, &d, s->rank, false, st));
    in->result = s;
    return true;
}

static bool eval(struct eval *ev, struct status *st)
{
    const struct shape *s = ev->in->shape;
    struct dimnums d = dimnums_get(ev->in, "dimensions");
    int64_t strides[SHAPE_RANK_MAX] = {0}, base = 0;
    if (shape_elements(s) > 0)
        shape_strides(s->rank, s->dims, strides);
    for (int i = 0; i < d.count; i++) {
        base += strides[d.at[i]] * (s->dims[d.at[i]] - 1);
        strides[d.at[i]] = -strides[d.at[i]];
    }
    eval_return_literal(
        ev, move_strided(ev->arena, s, ev->operands[0], base, strides),
        GOAL_MOVED);
    return true;
}

const struct op op_Rev = {
    .name = "Rev", .infer = infer, .eval = eval, .monotone = {1}};
