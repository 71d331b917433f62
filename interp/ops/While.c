/* While - a body run as long as a condition holds.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/eval.h"
#include "interp/program/evaluate.h"
#include "interp/program/infer.h"
#include "interp/program/interval.h"
#include "interp/program/interval_goal.h"
#include "interp/stablehlo/stablehlo_form.h"

static bool infer(struct infer *in, struct status *st)
{
    const struct computation *condition, *body;
    TRY(infer_computation(in, ATTRIBUTE_CONDITION, 0, 1, in->operands,
                          &condition, st));
    if (!shape_is_scalar(condition->result)
        || condition->result->dtype != DT_pred)
        return FAIL(st, COMPUTATION,
                    "While: condition '%s' returns %s, expected pred[]",
                    condition->name, shape_text(in->arena, condition->result));
    TRY(infer_computation(in, ATTRIBUTE_BODY, 0, 1, in->operands, &body, st));
    if (!shape_equal(body->result, in->operands[0]))
        return FAIL(st, COMPUTATION, "While: body '%s' returns %s, expected %s",
                    body->name, shape_text(in->arena, body->result),
                    shape_text(in->arena, in->operands[0]));
    in->result = in->operands[0];
    return true;
}

/* The replicas that still iterate, and their states. */
struct loop {
    struct eval **evs;
    int active;
    struct outcome *states, *next;
    const struct outcome **arguments;
    const struct computation *condition, *body;
    bool waits; /* for a channel */
    bool keeps; /* states keep their goals, so memory is kept too */
};

/* A round that waits for a channel has no result: the loop waits too. */
static bool stop_waiting(struct loop *l)
{
    l->waits = l->active > 0 && !l->next[0].value;
    if (l->waits)
        l->active = 0;
    return l->waits;
}

/* Run the condition or the body on the states; the results are in next. */
static bool call(struct loop *l, struct arena *a,
                 const struct computation *called, struct status *st)
{
    int *replicas = arena_new(a, int, (size_t)l->active);
    for (int i = 0; i < l->active; i++) {
        replicas[i] = l->evs[i]->replica;
        l->arguments[i] = &l->states[i];
    }
    return evaluate_group(a, l->evs[0]->machine, called, l->active, replicas,
                          l->evs[0]->want_exact, l->arguments, l->next, st);
}

/* Drop the replicas whose condition is false; their states are results. */
static bool test(struct loop *l, struct arena *a, struct status *st)
{
    const struct machine *m = l->evs[0]->machine;
    int left = 0;
    TRY(call(l, a, l->condition, st));
    if (stop_waiting(l))
        return true;
    for (int i = 0; i < l->active; i++) {
        if (l->evs[0]->want_exact
            && !interval_goal_exact(a, m->profile, &l->next[i]))
            return FAIL(st, UNSUPPORTED,
                        "inadmissible: the condition of While is not "
                        "determined");
        if (literal_get(l->next[i].value, 0)) {
            l->states[left] = l->states[i];
            l->evs[left++] = l->evs[i];
        } else {
            eval_return_outcome(l->evs[i], &l->states[i]);
        }
    }
    l->active = left;
    return true;
}

/* Has every value of this state one pattern? */
static bool is_exact(struct arena *a, const struct machine *m,
                     const struct outcome *state)
{
    return interval_goal_exact(a, m->profile, state)
           && !interval_nan_open(m->profile, state);
}

/* Have all values of this round one pattern?  If not, the loop keeps its memory
 * from now on, that of this round too. */
static void keep_inexact(struct loop *l, struct arena *frame)
{
    struct machine *m = l->evs[0]->machine;
    for (int i = 0; i < l->active && !l->keeps && l->evs[i]->want_exact; i++)
        l->keeps = !is_exact(frame, m, &l->next[i]);
    if (!l->keeps)
        return;
    struct arena *a = l->evs[0]->arena;
    for (int i = 0; i < l->active; i++)
        for (int k = 0; l->next[i].goals && k < l->next[i].count; k++)
            if (l->next[i].goals[k])
                l->next[i].goals[k]->arena = a;
    arena_adopt(a, frame);
}

static enum goal_rule rule_of(const struct outcome *state, int leaf)
{
    const struct goal *g = state->goals ? state->goals[leaf] : NULL;
    return !g || g->rule == GOAL_MOVED ? GOAL_MOVED : GOAL_BITS;
}

static bool is_computed(const struct outcome *state, int leaf)
{
    const struct goal *g = state->goals ? state->goals[leaf] : NULL;
    return g && (g->computed || g->sources);
}

/* The value goes back to its own place, as the frame is freed; of its goals,
 * which may be those of the state in another order, only the rules matter. */
static void write_back(struct outcome *state, const struct outcome *next,
                       struct arena *frame)
{
    size_t n = (size_t)state->count;
    enum goal_rule *rules = arena_new(frame, enum goal_rule, n);
    bool *computed = arena_new(frame, bool, n);
    for (int i = 0; i < state->count; i++) {
        rules[i] = rule_of(next, i);
        computed[i] = is_computed(next, i);
    }
    for (int i = 0; i < state->count; i++)
        if (state->goals[i]) {
            state->goals[i]->rule = rules[i];
            state->goals[i]->computed = computed[i];
        }
    eval_copy(frame, state->value, next->value);
}

static void settle(struct loop *l, struct arena *frame)
{
    if (!l->keeps)
        keep_inexact(l, frame);
    for (int i = 0; i < l->active; i++) {
        if (l->keeps)
            l->states[i] = l->next[i];
        else
            write_back(&l->states[i], &l->next[i], frame);
    }
}

static bool go_round(struct loop *l, struct arena *a, struct status *st)
{
    TRY(call(l, a, l->body, st));
    if (stop_waiting(l))
        return true;
    settle(l, a);
    return test(l, a, st);
}

/* A state that the loop may write to, with its own goals. */
static void own_state(struct eval *ev, struct outcome *state)
{
    struct literal *copy = literal_copy(ev->arena, state->value);
    int n = shape_leaves(copy->shape);
    struct goal **goals = arena_new(ev->arena, struct goal *, (size_t)n);
    for (int i = 0; i < n; i++) {
        struct literal *leaf = literal_leaf(copy, i);
        if (leaf->shape->kind != SHAPE_ARRAY)
            continue;
        goals[i] = goal_of(ev->arena, leaf, rule_of(state, i));
        goals[i]->computed = is_computed(state, i);
    }
    *state = (struct outcome){.value = copy, .count = n, .goals = goals};
}

static void prepare(struct loop *l, struct eval *evs, int count)
{
    struct arena *a = evs[0].arena;
    size_t n = (size_t)count;
    l->evs = arena_new(a, struct eval *, n);
    l->states = arena_new(a, struct outcome, n);
    l->next = arena_new(a, struct outcome, n);
    l->arguments = arena_new(a, const struct outcome *, n);
    l->active = count;
    l->condition = eval_computation(evs, ATTRIBUTE_CONDITION, 0);
    l->body = eval_computation(evs, ATTRIBUTE_BODY, 0);
    l->keeps = l->waits = false;
    for (int i = 0; i < count; i++) {
        l->evs[i] = &evs[i];
        l->states[i] = *evs[i].outcomes[0];
        if (evs[i].want_exact && !is_exact(a, evs[i].machine, &l->states[i]))
            l->keeps = true;
    }
    if (evs[0].want_exact && !l->body->exact)
        l->keeps = true;
}

static bool loop(struct loop *l, struct arena *a, struct machine *m,
                 struct status *st)
{
    if (l->keeps) {
        TRY(test(l, a, st));
        while (l->active > 0)
            TRY(go_round(l, a, st));
        return true;
    }
    /* A state that never enters the loop keeps its goals. */
    struct arena *frame = evaluate_frame(m);
    bool ok = test(l, frame, st);
    evaluate_release(m);
    for (int i = 0; i < l->active; i++)
        own_state(l->evs[i], &l->states[i]);
    int64_t bytes = m->bytes;
    while (ok && l->active > 0 && !l->keeps) {
        frame = evaluate_frame(m);
        ok = go_round(l, frame, st);
        evaluate_release(m);
        if (!l->keeps)
            m->bytes = bytes;
    }
    while (ok && l->active > 0)
        ok = go_round(l, a, st);
    return ok;
}

static bool eval_group(struct eval *evs, int count, struct status *st)
{
    struct loop l;
    prepare(&l, evs, count);
    TRY(loop(&l, evs[0].arena, evs[0].machine, st));
    for (int i = 0; i < count && l.waits; i++)
        eval_return_outcome(&evs[i], &(struct outcome){0});
    return true;
}

const struct op op_While = {.name = "While",
                            .infer = infer,
                            .eval_group = eval_group,
                            .passes = true,
                            .stablehlo =
                                STABLEHLO_FORM(.write = stablehlo_op_while)};
