/* Rev - dimensions reversed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/dimnums.h"
#include "interp/ops/move.h"

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0];
    struct dimnums d = dimnums_get(in->in, ATTRIBUTE_DIMENSIONS);
    TRY(dimnums_check(in, &d, s->rank, false, st));
    in->result = s;
    return true;
}

/* With dynamic sizes, the elements that count are reversed. */
static struct literal *turn_counting(const struct eval *ev, struct dimnums d)
{
    const struct literal *from = ev->operands[0];
    const struct shape *s = from->shape;
    struct literal *to = literal_new(ev->arena, s);
    int64_t index[SHAPE_RANK_MAX] = {0}, other[SHAPE_RANK_MAX];
    for (int i = 0; i < s->rank; i++)
        to->sizes[i] = from->sizes[i];
    for (int64_t i = 0, n = shape_elements(s); i < n; i++) {
        for (int k = 0; k < s->rank; k++)
            other[k] = dimnums_find(&d, k) >= 0 ? from->sizes[k] - 1 - index[k]
                                                : index[k];
        if (literal_counts(from, index))
            literal_move(to, i, from, shape_linear(s->rank, s->dims, other));
        shape_next_index(s->rank, s->dims, index);
    }
    return to;
}

static bool eval(struct eval *ev, struct status *st)
{
    const struct literal *from = ev->operands[0];
    const struct shape *s = ev->in->shape;
    struct dimnums d = dimnums_get(ev->in, ATTRIBUTE_DIMENSIONS);
    int64_t strides[SHAPE_RANK_MAX] = {0}, base = 0;
    if (shape_elements(s) > 0)
        shape_strides(s->rank, s->dims, strides);
    for (int i = 0; i < d.count; i++) {
        base += strides[d.at[i]] * (s->dims[d.at[i]] - 1);
        strides[d.at[i]] = -strides[d.at[i]];
    }
    struct literal *to = from->sizes
                             ? turn_counting(ev, d)
                             : move_strided(ev->arena, s, from, base, strides);
    return eval_return_literal(ev, to, GOAL_MOVED);
}

const struct op op_Rev = {
    .name = "Rev", .infer = infer, .eval = eval, .monotone = {1}};
