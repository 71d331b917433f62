/* control.c - see control.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/control.h"

bool control_branches(struct eval *evs, int count,
                      const struct computation *const *branches,
                      const int *choice, int first, struct status *st)
{
    struct arena *a = evs[0].arena;
    size_t n = (size_t)count;
    struct eval **some = arena_new(a, struct eval *, n);
    const struct outcome **arguments = arena_new(a, const struct outcome *, n);
    struct outcome *results = arena_new(a, struct outcome, n);
    bool *done = arena_new(a, bool, n);
    for (int i = 0; i < count; i++) {
        if (done[i])
            continue;
        int members = 0;
        for (int k = i; k < count; k++) {
            if (choice[k] != choice[i])
                continue;
            done[k] = true;
            arguments[members] = evs[k].outcomes[first + choice[i]];
            some[members++] = &evs[k];
        }
        TRY(eval_call_group(some, members, branches[choice[i]], arguments,
                            results, st));
        for (int k = 0; k < members; k++)
            eval_return_outcome(some[k], &results[k]);
    }
    return true;
}

bool control_call(struct eval *evs, int count, struct status *st)
{
    const struct computation *c =
        eval_computation(evs, ATTRIBUTE_COMPUTATION, 0);
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
