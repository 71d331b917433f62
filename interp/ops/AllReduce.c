/* AllReduce - arrays combined over replicas.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/collective.h"
#include "interp/ops/dimnums.h"
#include "interp/ops/reduce.h"
#include "interp/stablehlo/stablehlo_form.h"

/* The arrays: several operands, or the elements of one tuple (004:46). */
static bool infer(struct infer *in, struct status *st)
{
    const struct shape *first = in->operands[0];
    bool tuple = in->count == 1 && first->kind == SHAPE_TUPLE;
    const struct shape *const *arrays = tuple ? first->elements : in->operands;
    int count = tuple ? first->rank : in->count;
    TRY(dimnums_static(in, st));
    TRY(collective_infer(in, 0, st));
    if (count == 0)
        return FAIL(st, TYPE, "AllReduce: the operand is an empty tuple");
    for (int i = 0; i < count; i++) {
        if (arrays[i]->kind != SHAPE_ARRAY)
            return FAIL(st, TYPE, "AllReduce: %s %d is %s, not an array",
                        tuple ? "element" : "operand", i,
                        shape_text(in->arena, arrays[i]));
        if (arrays[i]->dtype != arrays[0]->dtype)
            return FAIL(st, TYPE, "AllReduce: %s %d is %s, %s 0 %s",
                        tuple ? "element" : "operand", i,
                        dtype_table[arrays[i]->dtype].name,
                        tuple ? "element" : "operand",
                        dtype_table[arrays[0]->dtype].name);
    }
    TRY(reduce_infer_computation(in, ATTRIBUTE_COMPUTATION, 1,
                                 &arrays[0]->dtype, st));
    in->result = in->count == 1
                     ? first
                     : shape_tuple(in->arena, in->count, in->operands);
    return true;
}

static bool eval_group(struct eval *evs, int count, struct status *st)
{
    return collective_reduce(
        evs, count, eval_computation(evs, ATTRIBUTE_COMPUTATION, 0), st);
}

const struct op op_AllReduce = {
    .name = "AllReduce",
    .infer = infer,
    .eval_group = eval_group,
    .monotone_of = reduce_monotone_of,
    .stablehlo = STABLEHLO_FORM(.attributes = stablehlo_attribute_groups,
                                .claim = stablehlo_claim_all,
                                .hides = stablehlo_hidden_group,
                                .why = "a -1 in replica_groups is padding",
                                .uneven_groups = true, .global_ids = true)};
