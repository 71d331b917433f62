/* Call - a computation applied to operands.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/eval.h"
#include "interp/program/infer.h"

static bool infer(struct infer *in, struct status *st)
{
    const struct computation *c;
    TRY(infer_computation(in, "computation", 0, in->count, in->operands, &c,
                          st));
    in->result = c->result;
    return true;
}

static bool eval_group(struct eval *evs, int count, struct status *st)
{
    const struct computation *c = eval_computation(evs, "computation", 0);
    size_t n = (size_t)count;
    struct arena *a = evs[0].arena;
    struct eval **all = arena_new(a, struct eval *, n);
    const struct outcome **arguments = arena_new(a, const struct outcome *, n);
    struct outcome *results = arena_new(a, struct outcome, n);
    for (int i = 0; i < count; i++) {
        struct outcome *own =
            arena_new(a, struct outcome, (size_t)evs[i].count);
        for (int k = 0; k < evs[i].count; k++)
            own[k] = *evs[i].outcomes[k];
        all[i] = &evs[i];
        arguments[i] = own;
    }
    TRY(eval_call_group(all, count, c, arguments, results, st));
    for (int i = 0; i < count; i++)
        eval_return_outcome(&evs[i], &results[i]);
    return true;
}

const struct op op_Call = {
    .name = "Call", .infer = infer, .eval_group = eval_group, .passes = true};
