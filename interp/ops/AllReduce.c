/* AllReduce - arrays combined over replicas.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/collective.h"
#include "interp/ops/dimnums.h"
#include "interp/ops/reduce.h"

static bool infer(struct infer *in, struct status *st)
{
    TRY(dimnums_static(in, st));
    TRY(collective_infer(in, 0, st));
    for (int i = 0; i < in->count; i++) {
        if (in->operands[i]->dtype != in->operands[0]->dtype)
            return FAIL(st, TYPE, "AllReduce: operand %d is %s, operand 0 %s",
                        i, dtype_table[in->operands[i]->dtype].name,
                        dtype_table[in->operands[0]->dtype].name);
    }
    TRY(reduce_infer_computation(in, "computation", 1, &in->operands[0]->dtype,
                                 st));
    in->result = in->count == 1
                     ? in->operands[0]
                     : shape_tuple(in->arena, in->count, in->operands);
    return true;
}

static bool eval_group(struct eval *evs, int count, struct status *st)
{
    return collective_reduce(evs, count,
                             eval_computation(evs, "computation", 0), st);
}

static int monotone(const struct instruction *in, int operand)
{
    return reduce_monotone(in, "computation");
}

const struct op op_AllReduce = {
    .name = "AllReduce",
    .infer = infer,
    .eval_group = eval_group,
    .monotone_of = monotone,
};
