/* Transpose - dimensions in another order.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/dimnums.h"
#include "interp/ops/move.h"

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0];
    struct dimnums p = dimnums_get(in->in, ATTRIBUTE_PERMUTATION);
    int64_t dims[SHAPE_RANK_MAX];
    bool dynamic[SHAPE_RANK_MAX];
    TRY(dimnums_count(in, &p, s->rank, st));
    TRY(dimnums_check(in, &p, s->rank, false, st));
    for (int i = 0; i < s->rank; i++) {
        dims[i] = s->dims[p.at[i]];
        dynamic[i] = s->dynamic && s->dynamic[p.at[i]];
    }
    in->result = shape_dynamic(in->arena, s->dtype, s->rank, dims, dynamic);
    return true;
}

static bool eval(struct eval *ev, struct status *st)
{
    const struct literal *from = ev->operands[0];
    const struct shape *s = from->shape;
    struct dimnums p = dimnums_get(ev->in, ATTRIBUTE_PERMUTATION);
    int64_t own[SHAPE_RANK_MAX] = {0}, strides[SHAPE_RANK_MAX];
    if (shape_elements(s) > 0)
        shape_strides(s->rank, s->dims, own);
    for (int i = 0; i < s->rank; i++)
        strides[i] = own[p.at[i]];
    struct literal *to =
        move_strided(ev->arena, ev->in->shape, from, 0, strides);
    for (int i = 0; to->sizes && i < s->rank; i++)
        to->sizes[i] = from->sizes[p.at[i]];
    return eval_return_literal(ev, to, GOAL_MOVED);
}

const struct op op_Transpose = {.name = "Transpose",
                                .spreads = true,
                                .infer = infer,
                                .eval = eval,
                                .monotone = {1}};
