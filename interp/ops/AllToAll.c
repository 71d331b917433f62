/* AllToAll - parts of arrays exchanged among replicas.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

#include "interp/ops/collective.h"
#include "interp/ops/dimnums.h"
#include "interp/ops/move.h"
#include "interp/program/attribute.h"
#include "interp/stablehlo/stablehlo_form.h"

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0];
    int64_t dims[SHAPE_RANK_MAX], split, concat, count;
    TRY(dimnums_static(in, st));
    TRY(collective_infer(in, COLLECTIVE_UNIFORM, st));
    TRY(collective_dimension(in, ATTRIBUTE_SPLIT_DIMENSION, 0, &split, st));
    TRY(collective_dimension(in, ATTRIBUTE_CONCAT_DIMENSION, 0, &concat, st));
    TRY(collective_count(in, ATTRIBUTE_SPLIT_COUNT, &count, st));
    for (int k = 0; k < s->rank; k++)
        dims[k] = s->dims[k];
    TRY(collective_divide(in, dims, split, count, "split_count", st));
    if (__builtin_mul_overflow(dims[concat], count, &dims[concat]))
        return FAIL(st, SHAPE, "AllToAll: the result is too large");
    return infer_array(in, s->dtype, s->rank, dims, st);
}

/* The value that a process receives: its block of each member, in their order.
 */
static struct literal *receive(struct eval *evs,
                               const struct collective_group *g,
                               const struct shape *to_shape)
{
    struct eval *ev = &evs[0];
    const struct shape *s = ev->operands[0]->shape;
    int64_t split = attribute_int(ev->in, ATTRIBUTE_SPLIT_DIMENSION, 0);
    int64_t concat = attribute_int(ev->in, ATTRIBUTE_CONCAT_DIMENSION, 0);
    int64_t from[SHAPE_RANK_MAX], to[SHAPE_RANK_MAX], dims[SHAPE_RANK_MAX];
    struct literal *result = literal_new(ev->arena, to_shape);
    if (shape_elements(s) == 0)
        return result;
    shape_strides(s->rank, s->dims, from);
    shape_strides(s->rank, to_shape->dims, to);
    for (int k = 0; k < s->rank; k++)
        dims[k] = k == split ? s->dims[k] / g->count : s->dims[k];
    const struct shape *block = shape_array(ev->arena, s->dtype, s->rank, dims);
    for (int i = 0; i < g->count; i++)
        move_into(result, i * dims[concat] * to[concat], to,
                  move_strided(ev->arena, block, evs[g->members[i]].operands[0],
                               g->position * dims[split] * from[split], from));
    return result;
}

static bool eval_group(struct eval *evs, int count, struct status *st)
{
    struct collective_group *groups;
    TRY(collective_find(evs, count, &groups, st));
    for (int i = 0; i < count; i++)
        eval_return_literal(&evs[i], receive(evs, &groups[i], evs[i].in->shape),
                            GOAL_MOVED);
    return true;
}

const struct op op_AllToAll = {
    .name = "AllToAll",
    .infer = infer,
    .eval_group = eval_group,
    .monotone = {OP_RISING},
    .stablehlo = STABLEHLO_FORM(.attributes = stablehlo_attribute_groups)};
