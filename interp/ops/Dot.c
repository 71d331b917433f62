/* Dot - product of vectors and matrices.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/dot.h"

#include "interp/program/op_way.h"
#include "interp/stablehlo/stablehlo_form.h"

static const int64_t numbers[] = {0, 1};

/* The last dimension of lhs goes with the first of rhs. */
static struct dot_numbers get(const struct shape *lhs)
{
    return (struct dot_numbers){
        .contracting = {{"lhs", 1, &numbers[lhs->rank - 1]},
                        {"rhs", 1, &numbers[0]}}};
}

static bool infer(struct infer *in, struct status *st)
{
    for (int i = 0; i < 2; i++)
        if (in->operands[i]->rank < 1 || in->operands[i]->rank > 2)
            return FAIL(st, SHAPE, "Dot: %s is neither a vector nor a matrix",
                        shape_text(in->arena, in->operands[i]));
    struct dot_numbers n = get(in->operands[0]);
    return dot_infer(in, &n, st);
}

static bool eval(struct eval *ev, struct status *st)
{
    struct dot_numbers n = get(ev->operands[0]->shape);
    return dot_eval(ev, &n, st);
}

const struct op op_Dot = {
    .name = "Dot",
    .infer = infer,
    .eval = eval,
    .monotone = {OP_WAY_SUM, OP_WAY_SUM},
    .stablehlo =
        STABLEHLO_FORM(.attributes = stablehlo_attribute_dot,
                       .hides = stablehlo_hidden_rank,
                       .why = "it is a dot_general, which takes any rank")};
