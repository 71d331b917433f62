/* Outfeed - data written to the device's outfeed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/attribute.h"
#include "interp/program/eval.h"
#include "interp/stablehlo/stablehlo_form.h"

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s =
        attribute_find(in->in, ATTRIBUTE_SHAPE_WITH_LAYOUT)->shape;
    if (in->count == 2 && in->operands[1]->kind != SHAPE_TOKEN)
        return FAIL(st, TYPE, "Outfeed: operand 1 is %s, not a token",
                    shape_text(in->arena, in->operands[1]));
    for (int i = 0; i < shape_leaves(in->operands[0]); i++)
        if (shape_leaf(in->operands[0], i)->kind == SHAPE_TOKEN)
            return FAIL(st, TYPE, "Outfeed: the data must not contain a token");
    if (!shape_equal(s, in->operands[0]))
        return FAIL(st, SHAPE, "Outfeed: the operand is %s, expected %s",
                    shape_text(in->arena, in->operands[0]),
                    shape_text(in->arena, s));
    in->result = in->count == 2 ? shape_token(in->arena)
                                : shape_tuple(in->arena, 0, NULL);
    return true;
}

static void append_fed(struct machine *m, int replica, struct literal *item,
                       struct machine_fed fed)
{
    int n = m->outfeed_count[replica];
    ARENA_GROW(m->feeds, m->outfeed[replica], n, m->outfeed_room[replica]);
    ARENA_GROW(m->feeds, m->fed[replica], n, m->fed_room[replica]);
    m->outfeed[replica][n] = item;
    m->fed[replica][n] = fed;
    m->outfeed_count[replica] = n + 1;
}

/* A value with several right results is written as it would be returned; one
 * that only a predicate over the whole decides is not. */
static bool keep_goals(struct eval *ev, struct goal ***kept, struct status *st)
{
    struct goal **goals = eval_goals(ev, 0);
    int n = shape_leaves(ev->operands[0]->shape);
    *kept = arena_new(ev->machine->feeds, struct goal *, (size_t)n + 1);
    for (int i = 0; i < n; i++)
        if (goals[i] && goals[i]->rule == GOAL_CHECK)
            TRY(eval_decided(ev, 0, st));
        else if (goals[i])
            (*kept)[i] = goal_copy(ev->machine->feeds, goals[i]);
    return true;
}

static bool eval(struct eval *ev, struct status *st)
{
    struct machine *m = ev->machine;
    struct machine_fed fed = {.from = ev->in};
    if (ev->want_exact)
        TRY(keep_goals(ev, &fed.goals, st));
    append_fed(m, ev->replica, literal_copy(m->feeds, ev->operands[0]), fed);
    return eval_return_literal(ev, literal_new(ev->arena, ev->in->shape),
                               GOAL_BITS);
}

const struct op op_Outfeed = {
    .name = "Outfeed",
    .infer = infer,
    .eval = eval,
    .passes = true,
    .feed = OP_OUTFEED,
    .stablehlo =
        STABLEHLO_FORM(.write = stablehlo_token_feed,
                       .config = ATTRIBUTE_OUTFEED_CONFIG,
                       .why = "outfeed has a token, and no shape beside it")};
