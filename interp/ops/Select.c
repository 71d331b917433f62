/* Select.c - each element from one of two arrays, as a third says.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/stablehlo/stablehlo_form.h"

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *pred = in->operands[0], *on_true = in->operands[1];
    const struct shape *on_false = in->operands[2];

    if (pred->kind != SHAPE_ARRAY || pred->dtype != DT_pred)
        return FAIL(st, TYPE,
                    "Select: operand 0 is %s; expected element type pred",
                    shape_text(in->arena, pred));
    if (on_true->kind == SHAPE_ARRAY && on_false->kind == SHAPE_ARRAY
        && on_true->dtype != on_false->dtype)
        return FAIL(
            st, TYPE,
            "Select: on_true is %s, on_false %s; expected the same type",
            dtype_table[on_true->dtype].name,
            dtype_table[on_false->dtype].name);
    if (!shape_equal(on_true, on_false))
        return FAIL(
            st, SHAPE,
            "Select: on_true is %s, on_false %s; expected the same shape",
            shape_text(in->arena, on_true), shape_text(in->arena, on_false));
    /* A tuple counts as a scalar. */
    if (!shape_is_scalar(pred)
        && (on_true->kind != SHAPE_ARRAY || !shape_same_dims(pred, on_true)))
        return FAIL(
            st, SHAPE,
            "Select: pred is %s; expected a scalar, or the dimensions of %s",
            shape_text(in->arena, pred), shape_text(in->arena, on_true));
    in->result = on_true;
    return true;
}

struct selection {
    const struct eval *ev;
    struct literal *value;
};

static void select_element(void *context, int64_t i, const int64_t *at)
{
    struct selection *s = context;
    int which = literal_get(s->ev->operands[0], at[0]) ? 1 : 2;
    literal_move(s->value, i, s->ev->operands[which], at[which]);
}

/* A scalar predicate takes a tuple, or a token, whole. */
static bool select_whole(struct eval *ev)
{
    bool yes = literal_get(ev->operands[0], 0) != 0;
    const struct literal *chosen = ev->operands[yes ? 1 : 2];
    const struct shape *shape = ev->in->shape;
    int n = shape_leaves(shape);
    struct goal **goals = arena_new(ev->arena, struct goal *, (size_t)n + 1);

    for (int i = 0; i < n; i++)
        if (shape_leaf(shape, i)->kind == SHAPE_ARRAY)
            goals[i] = goal_of(ev->arena,
                               literal_copy(ev->arena, literal_leaf(chosen, i)),
                               GOAL_MOVED);
    return eval_return(ev, shape, goals);
}

static bool eval(struct eval *ev, struct status *st)
{
    if (ev->in->shape->kind != SHAPE_ARRAY)
        return select_whole(ev);
    struct selection s = {ev, literal_new(ev->arena, ev->in->shape)};
    TRY(elementwise_sizes(ev, s.value, st));
    elementwise_each(ev, ev->in->shape, select_element, &s);
    return eval_return_literal(ev, s.value, GOAL_MOVED);
}

const struct op op_Select = {
    .name = "Select",
    .infer = infer,
    .eval = eval,
    .role = OP_ROLE_SELECT,
    .monotone = {OP_NEITHER, OP_RISING, OP_RISING},
    .stablehlo = STABLEHLO_FORM(.write = stablehlo_builder_select, .like = 2)};
