/* CrossReplicaSum - AllReduce with addition.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/collective.h"
#include "interp/ops/dimnums.h"
#include "interp/program/op_table.h"
#include "interp/stablehlo/stablehlo_form.h"

static bool infer(struct infer *in, struct status *st)
{
    enum dtype type = in->operands[0]->dtype;
    TRY(dimnums_static(in, st));
    TRY(collective_infer(in, 0, st));
    /* Made here, so that evaluation finds it ready. */
    struct computation *add =
        program_builtin(in->program, op_Add.builtin, type);
    TRY(program_infer_computation(in->program, add, st));
    in->result = in->operands[0];
    return true;
}

static bool eval_group(struct eval *evs, int count, struct status *st)
{
    const struct program *p = evs[0].machine->program;
    enum dtype type = evs[0].operands[0]->shape->dtype;
    const struct computation *add =
        program_builtin_made(p, op_Add.builtin, type);
    if (add)
        return collective_reduce(evs, count, add, st);
    return FAIL(st, STRUCTURE, "CrossReplicaSum: the program was not inferred");
}

const struct op op_CrossReplicaSum = {
    .name = "CrossReplicaSum",
    .infer = infer,
    .eval_group = eval_group,
    .monotone = {OP_RISING},
    .stablehlo = STABLEHLO_FORM(.write = stablehlo_op_cross_replica_sum,
                                .attributes = stablehlo_attribute_groups,
                                .claim = stablehlo_claim_all,
                                .hides = stablehlo_hidden_pred,
                                .why = "all_reduce may add pred",
                                .uneven_groups = true)};
