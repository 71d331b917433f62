/* scatter_round.c - see scatter.h.  Tests: called.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each step is followed as an instruction of a program is (interval.h).
 */
#include <string.h>

#include "interp/goal/goal_gather.h"
#include "interp/ops/scatter.h"
#include "interp/program/evaluate.h"
#include "interp/program/interval_goal.h"

/* The updates of one element. */
struct element {
    struct scatter *s;
    struct arena *arena;
    int64_t first, run, key;
    /* The outcome of the orders so far, by operand or, if there are several,
     * its ends. */
    int orders;
    struct outcome *only;
    struct literal **low, **high;
};

static bool fail(const struct element *e, const char *why, struct status *st)
{
    return FAIL(st, UNSUPPORTED,
                "inadmissible: Scatter: a result of computation '%s' %s",
                e->s->c->name, why);
}

static struct literal *scalar_of(const struct element *e,
                                 const struct literal *from, int64_t at)
{
    struct literal *to =
        literal_new(e->arena, shape_scalar(e->arena, from->shape->dtype));
    literal_move(to, 0, from, at);
    return to;
}

/* next = f(now, the i-th update) */
static bool apply(const struct element *e, const struct outcome *now, int i,
                  struct outcome *next, struct status *st)
{
    struct scatter *s = e->s;
    int n = s->n, first = s->update_first ? n : 0;
    struct outcome *with = arena_new(e->arena, struct outcome, 2 * (size_t)n);
    struct outcome out = {0};
    for (int k = 0; k < n; k++) {
        with[first + k] = now[k];
        with[n - first + k].value =
            scalar_of(e, scatter_updates(s, k), s->hits[e->first + i].place);
    }
    TRY(eval_call_followed(s->ev, e->arena, s->c, with, &out, st));
    for (int k = 0; k < n; k++)
        next[k] = interval_goal_part(&out, n, k);
    return true;
}

/* Extend the ends of operand k to an outcome. */
static bool widen(struct element *e, int k, const struct outcome *by,
                  struct status *st)
{
    const char *why;
    return interval_goal_widen(
               e->arena, e->s->ev->machine->profile, by, &e->low[k],
               &e->high[k], "is discrete and depends on the order of updates",
               &why)
           || fail(e, why, st);
}

static bool take_order(struct element *e, const struct outcome *now,
                       struct status *st)
{
    if (e->orders++ == 0) {
        memcpy(e->only, now, (size_t)e->s->n * sizeof *now);
        return true;
    }
    for (int k = 0; k < e->s->n; k++) {
        if (e->orders == 2)
            TRY(widen(e, k, &e->only[k], st));
        TRY(widen(e, k, &now[k], st));
    }
    return true;
}

static bool explore(struct element *e, unsigned used, const struct outcome *now,
                    struct status *st)
{
    bool complete = true;
    for (int i = 0; i < e->run; i++) {
        struct outcome *next;
        if (used >> i & 1)
            continue;
        complete = complete && scatter_is_optional(e->s, e->first + i);
        next = arena_new(e->arena, struct outcome, (size_t)e->s->n);
        TRY(apply(e, now, i, next, st));
        TRY(explore(e, used | 1u << i, next, st));
    }
    return !complete || take_order(e, now, st);
}

/* Gathers the values that operand k may become. */
static bool gather(struct element *e, int k, struct goal_gather *to,
                   struct status *st)
{
    const struct outcome *only = &e->only[k];
    const struct literal *value = only->value;
    const struct goal *g = only->goals ? only->goals[0] : NULL;
    int units = dtype_units(value->shape->dtype);
    const char *why;
    if (e->orders > 1) {
        struct literal *own = literal_copy(e->arena, value);
        g = interval_goal_between(e->arena, own, e->low[k], e->high[k]);
        g = g ? g : goal_of(e->arena, own, GOAL_BITS);
    } else if (g
               && !(g = interval_goal_by_unit(
                        e->arena, e->s->ev->machine->profile, g, &why))) {
        return fail(e, why, st);
    }
    for (int u = 0; u < units; u++)
        goal_gather_unit(to, e->key * units + u, value, g, u);
    return true;
}

static bool eval_element(struct element *e, struct goal_gather **to,
                         struct status *st)
{
    size_t n = (size_t)e->s->n;
    struct outcome *now = arena_new(e->arena, struct outcome, n);
    e->only = arena_new(e->arena, struct outcome, n);
    e->low = arena_new(e->arena, struct literal *, n);
    e->high = arena_new(e->arena, struct literal *, n);
    if (e->run > SCATTER_MOVES_MAX)
        return fail(e, "rounds, and too many updates go to one element", st);
    for (int k = 0; k < e->s->n; k++)
        now[k].value = scalar_of(e, scatter_operand(e->s, k), e->key);
    TRY(explore(e, 0, now, st));
    for (int k = 0; k < e->s->n; k++)
        TRY(gather(e, k, to[k], st));
    return true;
}

bool scatter_round_eval(struct scatter *s, struct goal **goals,
                        struct status *st)
{
    struct machine *m = s->ev->machine;
    struct arena *a = s->ev->arena;
    struct goal_gather **to = arena_new(a, struct goal_gather *, (size_t)s->n);
    for (int k = 0; k < s->n; k++) {
        const struct literal *own = scatter_operand(s, k);
        to[k] = goal_gather_open(a, goals[k]->value->shape);
        for (int64_t i = 0; i < literal_units(own); i++)
            goal_gather_unit(to[k], i, own, NULL, i);
    }
    for (int64_t i = 0, run; i < s->count; i += run) {
        int64_t bytes = m->bytes;
        run = scatter_run(s, i);
        struct element e = {.s = s,
                            .arena = evaluate_frame(m),
                            .first = i,
                            .run = run,
                            .key = s->hits[i].key};
        bool ok = eval_element(&e, to, st);
        evaluate_release(m);
        m->bytes = bytes;
        if (!ok)
            return false;
    }
    for (int k = 0; k < s->n; k++)
        goals[k] = goal_gather_close(to[k]);
    return true;
}
