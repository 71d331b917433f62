/* CollectivePermute - arrays sent from replica to replica.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/collective.h"
#include "interp/ops/dimnums.h"
#include "interp/stablehlo/stablehlo_form.h"

static bool infer(struct infer *in, struct status *st)
{
    TRY(dimnums_static(in, st));
    TRY(collective_infer_pairs(in, st));
    in->result = in->operands[0];
    return true;
}

static bool eval_group(struct eval *evs, int count, struct status *st)
{
    struct arena *a = evs[0].arena;
    int *sources = arena_new(a, int, (size_t)count);
    TRY(collective_sources(evs, count, sources, st));
    for (int i = 0; i < count; i++)
        eval_return_literal(&evs[i],
                            sources[i] < 0
                                ? literal_new(a, evs[i].in->shape)
                                : literal_copy(a, evs[sources[i]].operands[0]),
                            GOAL_MOVED);
    return true;
}

const struct op op_CollectivePermute = {
    .name = "CollectivePermute",
    .infer = infer,
    .eval_group = eval_group,
    .monotone = {OP_RISING},
    .stablehlo = STABLEHLO_FORM(.attributes = stablehlo_attribute_permute)};
