/* Scatter - an array updated at positions given by another.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/scatter.h"

#include <string.h>

#include "interp/ops/reduce.h"
#include "interp/ops/scatter_apply.h"
#include "interp/program/attribute.h"

/* ---- Inference ------------------------------------------------------------
 */

static bool check_arrays(const struct infer *in, int n, struct status *st)
{
    const struct shape *const *updates = in->operands + n + 1;
    for (int i = 0; i < n; i++) {
        const struct shape *s = in->operands[i], *u = updates[i];
        if (!shape_same_dims(s, in->operands[0]))
            return FAIL(st, SHAPE, "Scatter: operand %d is %s, operand 0 %s", i,
                        shape_text(in->arena, s),
                        shape_text(in->arena, in->operands[0]));
        if (!shape_same_dims(u, updates[0]))
            return FAIL(st, SHAPE, "Scatter: updates %d are %s, updates 0 %s",
                        i, shape_text(in->arena, u),
                        shape_text(in->arena, updates[0]));
        if (s->dtype != u->dtype)
            return FAIL(st, TYPE,
                        "Scatter: updates %d have the type %s, not %s", i,
                        dtype_table[u->dtype].name, dtype_table[s->dtype].name);
    }
    return true;
}

static bool infer(struct infer *in, struct status *st)
{
    int n = in->count / 2;
    struct scatter_numbers numbers = scatter_get(in->in);
    if (in->count % 2 == 0 || n < 1)
        return FAIL(st, STRUCTURE,
                    "Scatter: %d operands are no arrays, indices and as many "
                    "updates",
                    in->count);
    TRY(dimnums_static(in, st));
    enum dtype *types = arena_new(in->arena, enum dtype, (size_t)n);
    for (int i = 0; i < n; i++)
        types[i] = in->operands[i]->dtype;
    TRY(reduce_infer_computation(in, "update_computation", n, types, st));
    TRY(check_arrays(in, n, st));
    TRY(scatter_infer(in, &numbers, st));
    in->result =
        n == 1 ? in->operands[0] : shape_tuple(in->arena, n, in->operands);
    return true;
}

/* ---- Values ----------------------------------------------------------------
 */

static bool broken_promise(const struct scatter *s)
{
    const struct instruction *in = s->ev->in;
    bool broken =
        (attribute_bool(in, "unique_indices", false) && !s->unique)
        || (attribute_bool(in, "indices_are_sorted", false) && !s->sorted);
    return broken && eval_policy_is(s->ev, "indices.broken-promise", "any");
}

static bool eval(struct eval *ev, struct status *st)
{
    struct scatter s = {.ev = ev,
                        .c = eval_computation(ev, "update_computation", 0),
                        .n = ev->count / 2};
    struct goal **goals = arena_new(ev->arena, struct goal *, (size_t)s.n);
    TRY(scatter_find(&s, st));
    bool want = ev->want_exact, broken = broken_promise(&s);
    ev->want_exact = want && !broken;
    bool ok = scatter_apply(&s, goals, st);
    ev->want_exact = want;
    TRY(ok);
    for (int i = 0; broken && i < s.n; i++)
        goals[i]->rule = GOAL_FREE;
    eval_return(ev, ev->in->shape, goals);
    return true;
}

/* The last update, a sum and extremes rise with what goes into them. */
static int monotone(const struct instruction *in, int operand)
{
    int n = in->operand_count / 2;
    const struct attribute *a = attribute_find(in, "update_computation");
    if (operand == n || !a || !a->computations[0])
        return OP_NEITHER;
    if (scatter_apply_is_last(a->computations[0], n))
        return OP_RISING;
    return n == 1 ? reduce_monotone(in, "update_computation") : OP_NEITHER;
}

const struct op op_Scatter = {
    .name = "Scatter", .infer = infer, .eval = eval, .monotone_of = monotone};
