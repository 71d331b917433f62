/* Conditional - one of several computations, chosen at run time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/control.h"
#include "interp/program/attribute.h"
#include "interp/program/eval.h"
#include "interp/program/infer.h"
#include "interp/stablehlo/stablehlo_form.h"

/* A predicate chooses between two named computations, true first; an index
 * chooses from a list. */
static bool by_predicate(const struct instruction *in, const struct shape *s)
{
    return s->dtype == DT_pred;
}

static bool check_attributes(const struct infer *in, bool pred,
                             struct status *st)
{
    bool two = attribute_find(in->in, ATTRIBUTE_TRUE_COMPUTATION)
               && attribute_find(in->in, ATTRIBUTE_FALSE_COMPUTATION);
    bool list = attribute_find(in->in, ATTRIBUTE_BRANCH_COMPUTATIONS) != NULL;
    if (pred ? (two && !list) : (list && !two))
        return true;
    return FAIL(st, ATTRIBUTE,
                pred ? "Conditional: a predicate chooses between "
                       "true_computation and false_computation"
                     : "Conditional: an s32 operand requires "
                       "branch_computations");
}

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0];
    if (!shape_is_scalar(s) || (s->dtype != DT_pred && s->dtype != DT_s32))
        return FAIL(st, TYPE,
                    "Conditional: the first operand is %s, not a pred or s32 "
                    "scalar",
                    shape_text(in->arena, s));
    bool pred = by_predicate(in->in, s);
    TRY(check_attributes(in, pred, st));
    const struct attribute *a =
        attribute_find(in->in, ATTRIBUTE_BRANCH_COMPUTATIONS);
    int n = pred ? 2 : a->computation_count;
    if (n == 0)
        return FAIL(st, ATTRIBUTE, "Conditional: branch_computations is empty");
    if (in->count != n + 1)
        return FAIL(st, STRUCTURE, "Conditional: %d branches, but %d operands",
                    n, in->count - 1);
    for (int i = 0; i < n; i++) {
        const struct computation *c;
        enum attribute_name name = !pred    ? ATTRIBUTE_BRANCH_COMPUTATIONS
                                   : i == 0 ? ATTRIBUTE_TRUE_COMPUTATION
                                            : ATTRIBUTE_FALSE_COMPUTATION;
        TRY(infer_computation(in, name, pred ? 0 : i, 1, &in->operands[i + 1],
                              &c, st));
        if (i > 0 && !shape_equal(c->result, in->result))
            return FAIL(
                st, COMPUTATION,
                "Conditional: branch %d returns %s, branch 0 returns %s", i,
                shape_text(in->arena, c->result),
                shape_text(in->arena, in->result));
        in->result = c->result;
    }
    return true;
}

static bool eval_group(struct eval *evs, int count, struct status *st)
{
    bool pred = by_predicate(evs[0].in, evs[0].operands[0]->shape);
    int n = evs[0].count - 1;
    int *choice = arena_new(evs[0].arena, int, (size_t)count);
    const struct computation **branches =
        arena_new(evs[0].arena, const struct computation *, (size_t)n);
    for (int i = 0; i < n; i++)
        branches[i] =
            !pred    ? eval_computation(evs, ATTRIBUTE_BRANCH_COMPUTATIONS, i)
            : i == 0 ? eval_computation(evs, ATTRIBUTE_TRUE_COMPUTATION, 0)
                     : eval_computation(evs, ATTRIBUTE_FALSE_COMPUTATION, 0);
    for (int i = 0; i < count; i++) {
        TRY(eval_decided(&evs[i], 0, st));
        int64_t index = literal_int(evs[i].operands[0], 0);
        if (pred)
            index = index == 0;
        /* Any index out of range takes the last branch. */
        choice[i] = index < 0 || index >= n ? n - 1 : (int)index;
    }
    return control_branches(evs, count, branches, choice, 1, st);
}

const struct op op_Conditional = {
    .name = "Conditional",
    .infer = infer,
    .eval_group = eval_group,
    .passes = true,
    .stablehlo = STABLEHLO_FORM(.write = stablehlo_op_conditional,
                                .hides = stablehlo_hidden_branch,
                                .why = "a branch captures its operand")};
