/* AllGather - arrays of all replicas one after the other.
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
    int64_t count, d;
    const struct shape **results =
        arena_new(in->arena, const struct shape *, (size_t)in->count);
    TRY(dimnums_static(in, st));
    TRY(collective_infer(in, COLLECTIVE_UNIFORM, st));
    TRY(collective_count(in, ATTRIBUTE_SHARD_COUNT, &count, st));
    for (int i = 0; i < in->count; i++) {
        const struct shape *s = in->operands[i];
        int64_t dims[SHAPE_RANK_MAX];
        TRY(collective_dimension(in, ATTRIBUTE_ALL_GATHER_DIMENSION, i, &d,
                                 st));
        for (int k = 0; k < s->rank; k++)
            dims[k] = s->dims[k];
        if (__builtin_mul_overflow(dims[d], count, &dims[d]))
            return FAIL(st, SHAPE, "AllGather: the result is too large");
        TRY(infer_array(in, s->dtype, s->rank, dims, st));
        results[i] = in->result;
    }
    if (in->count > 1)
        in->result = shape_tuple(in->arena, in->count, results);
    return true;
}

/* One operand of a group's members, in their order. */
static struct literal *gather(struct eval *evs,
                              const struct collective_group *g, int operand,
                              const struct shape *s, int64_t d)
{
    int64_t strides[SHAPE_RANK_MAX], at = 0;
    struct literal *to = literal_new(evs[0].arena, s);
    if (shape_elements(s) == 0)
        return to;
    shape_strides(s->rank, s->dims, strides);
    for (int i = 0; i < g->count; i++) {
        const struct literal *from = evs[g->members[i]].operands[operand];
        move_into(to, at * strides[d], strides, from);
        at += from->shape->dims[d];
    }
    return to;
}

static bool eval_group(struct eval *evs, int count, struct status *st)
{
    struct collective_group *groups;
    int64_t d = attribute_int(evs[0].in, ATTRIBUTE_ALL_GATHER_DIMENSION, 0);
    const struct shape *s = evs[0].in->shape;
    int n = evs[0].count;
    TRY(collective_find(evs, count, &groups, st));
    for (int i = 0; i < count; i++) {
        if (groups[i].position != 0)
            continue;
        struct goal **goals = arena_new(evs[0].arena, struct goal *, (size_t)n);
        for (int k = 0; k < n; k++)
            goals[k] = goal_of(
                evs[0].arena,
                gather(evs, &groups[i], k, n == 1 ? s : s->elements[k], d),
                GOAL_MOVED);
        for (int k = 0; k < groups[i].count; k++)
            eval_return(&evs[groups[i].members[k]], s, goals);
    }
    return true;
}

const struct op op_AllGather = {
    .name = "AllGather",
    .infer = infer,
    .eval_group = eval_group,
    .monotone = {OP_RISING, OP_RISING, OP_RISING},
    .stablehlo =
        STABLEHLO_FORM(.attributes = stablehlo_attribute_groups,
                       .claim = stablehlo_claim_gathered, .global_ids = true)};
