/* AllToAllTuple - whole arrays exchanged among replicas.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/collective.h"
#include "interp/ops/dimnums.h"

static bool infer(struct infer *in, struct status *st)
{
    TRY(dimnums_static(in, st));
    TRY(collective_infer(in, COLLECTIVE_UNIFORM, st));
    int size = collective_size(in);
    if (in->count != size)
        return FAIL(
            st, STRUCTURE,
            "AllToAllTuple: %d operands; expected %d, the size of a group",
            in->count, size);
    for (int i = 1; i < in->count; i++) {
        const struct shape *s = in->operands[i], *first = in->operands[0];
        if (shape_equal(s, first))
            continue;
        if (s->dtype != first->dtype)
            return FAIL(
                st, TYPE, "AllToAllTuple: operand %d is %s, expected %s", i,
                dtype_table[s->dtype].name, dtype_table[first->dtype].name);
        return FAIL(st, SHAPE,
                    "AllToAllTuple: operand %d is %s; expected the shape of "
                    "operand 0, %s",
                    i, shape_text(in->arena, s), shape_text(in->arena, first));
    }
    in->result = shape_tuple(in->arena, in->count, in->operands);
    return true;
}

static bool eval_group(struct eval *evs, int count, struct status *st)
{
    struct collective_group *groups;
    struct arena *a = evs[0].arena;
    TRY(collective_find(evs, count, &groups, st));
    for (int i = 0; i < count; i++) {
        const struct collective_group *g = &groups[i];
        struct goal **goals = arena_new(a, struct goal *, (size_t)g->count);
        for (int k = 0; k < g->count; k++)
            goals[k] = goal_of(
                a, literal_copy(a, evs[g->members[k]].operands[g->position]),
                GOAL_MOVED);
        eval_return(&evs[i], evs[i].in->shape, goals);
    }
    return true;
}

const struct op op_AllToAllTuple = {
    .name = "AllToAllTuple",
    .infer = infer,
    .eval_group = eval_group,
    .monotone = {OP_RISING, OP_RISING, OP_RISING},
};
