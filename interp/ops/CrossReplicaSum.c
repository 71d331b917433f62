/* CrossReplicaSum - AllReduce with addition.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/ops/collective.h"
#include "interp/ops/dimnums.h"

static bool infer(struct infer *in, struct status *st)
{
    enum dtype type = in->operands[0]->dtype;
    TRY(dimnums_static(in, st));
    TRY(collective_infer(in, 0, st));
    /* Made here, so that evaluation finds it ready. */
    struct computation *add = program_builtin(in->program, "add", type);
    TRY(program_infer_computation(in->program, add, st));
    in->result = in->operands[0];
    return true;
}

static bool eval_group(struct eval *evs, int count, struct status *st)
{
    const struct program *p = evs[0].machine->program;
    enum dtype type = evs[0].operands[0]->shape->dtype;
    for (int i = 0; i < p->computation_count; i++) {
        const struct computation *c = p->computations[i];
        if (c->builtin && strcmp(c->builtin, "add") == 0
            && c->result->dtype == type)
            return collective_reduce(evs, count, c, st);
    }
    return FAIL(st, STRUCTURE, "CrossReplicaSum: the program was not inferred");
}

const struct op op_CrossReplicaSum = {
    .name = "CrossReplicaSum",
    .infer = infer,
    .eval_group = eval_group,
    .monotone = {OP_RISING},
};
