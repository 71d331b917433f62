/* CollectiveBroadcast - one replica's array given to its group.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/collective.h"
#include "interp/ops/dimnums.h"
#include "interp/stablehlo/stablehlo_form.h"

static bool infer(struct infer *in, struct status *st)
{
    TRY(dimnums_static(in, st));
    TRY(collective_infer(in, COLLECTIVE_PARTIAL, st));
    in->result = in->operands[0];
    return true;
}

static bool eval_group(struct eval *evs, int count, struct status *st)
{
    struct collective_group *groups;
    struct arena *a = evs[0].arena;
    TRY(collective_find(evs, count, &groups, st));
    for (int i = 0; i < count; i++) {
        const struct collective_group *g = &groups[i];
        eval_return_literal(
            &evs[i],
            g->count == 0 ? literal_new(a, evs[i].in->shape)
                          : literal_copy(a, evs[g->members[0]].operands[0]),
            GOAL_MOVED);
    }
    return true;
}

static const struct stablehlo_form form = {.attributes =
                                               stablehlo_attribute_groups};

const struct op op_CollectiveBroadcast = {.name = "CollectiveBroadcast",
                                          .infer = infer,
                                          .eval_group = eval_group,
                                          .monotone = {OP_RISING},
                                          .stablehlo = &form};
