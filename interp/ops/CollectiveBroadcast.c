/* CollectiveBroadcast - one replica's arrays given to its group.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The first member of a group sends; with has_dynamic_root the last operand
 * says for each array which member does.
 */
#include "interp/ops/collective.h"
#include "interp/ops/dimnums.h"
#include "interp/program/attribute.h"
#include "interp/stablehlo/stablehlo_form.h"

static bool has_roots(const struct instruction *in)
{
    return attribute_bool(in, ATTRIBUTE_HAS_DYNAMIC_ROOT, false);
}

static bool infer_roots(const struct infer *in, int arrays, struct status *st)
{
    if (arrays == 0)
        return FAIL(st, STRUCTURE,
                    "CollectiveBroadcast: the only operand is that of the "
                    "roots; expected an array before it");
    const struct shape *s = in->operands[arrays];
    if (s->dtype != DT_s32)
        return FAIL(st, TYPE,
                    "CollectiveBroadcast: the roots are %s; expected s32",
                    dtype_table[s->dtype].name);
    if (s->rank != 1 || s->dims[0] != arrays)
        return FAIL(st, SHAPE,
                    "CollectiveBroadcast: the roots are %s; expected s32[%d], "
                    "one for each array",
                    shape_text(in->arena, s), arrays);
    return true;
}

static bool infer(struct infer *in, struct status *st)
{
    int arrays = in->count - has_roots(in->in);
    TRY(dimnums_static(in, st));
    TRY(collective_infer(in, COLLECTIVE_PARTIAL, st));
    if (has_roots(in->in))
        TRY(infer_roots(in, arrays, st));
    in->result = arrays == 1 ? in->operands[0]
                             : shape_tuple(in->arena, arrays, in->operands);
    return true;
}

/* The member that sends that array; -1: none, or members disagree. */
static int find_root(struct eval *evs, const struct collective_group *g,
                     int arrays, int array)
{
    const struct eval *first = &evs[g->members[0]];
    if (!has_roots(first->in))
        return 0;
    int64_t root = literal_int(first->operands[arrays], array);
    for (int i = 1; i < g->count; i++)
        if (literal_int(evs[g->members[i]].operands[arrays], array) != root)
            return -1;
    return root >= 0 && root < g->count ? (int)root : -1;
}

/* The value that a member receives for one array. */
static struct goal *receive(struct eval *evs, int self,
                            const struct collective_group *g, int arrays,
                            int array)
{
    struct arena *a = evs[0].arena;
    const struct literal *own = evs[self].operands[array];
    if (g->count == 0)
        return goal_of(a, literal_new(a, own->shape), GOAL_MOVED);
    int root = find_root(evs, g, arrays, array);
    const struct literal *sent =
        root < 0 ? own : evs[g->members[root]].operands[array];
    struct goal *goal = goal_of(a, literal_copy(a, sent), GOAL_MOVED);
    if (root < 0)
        goal_make_free(goal);
    return goal;
}

static bool eval_group(struct eval *evs, int count, struct status *st)
{
    struct collective_group *groups;
    int arrays = evs[0].count - has_roots(evs[0].in);
    TRY(collective_find(evs, count, &groups, st));
    for (int i = 0; i < count; i++) {
        struct goal **goals =
            arena_new(evs[0].arena, struct goal *, (size_t)arrays);
        for (int k = 0; k < arrays; k++)
            goals[k] = receive(evs, i, &groups[i], arrays, k);
        eval_return(&evs[i], evs[i].in->shape, goals);
    }
    return true;
}

static int monotone(const struct instruction *in, int operand)
{
    return has_roots(in) && operand == in->operand_count - 1 ? OP_NEITHER
                                                             : OP_RISING;
}

const struct op op_CollectiveBroadcast = {
    .name = "CollectiveBroadcast",
    .infer = infer,
    .eval_group = eval_group,
    .monotone_of = monotone,
    .stablehlo = STABLEHLO_FORM(.attributes = stablehlo_attribute_broadcast)};
