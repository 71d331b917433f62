/* deviation_run.c - see deviation_run.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/deviation/deviation_run.h"

#include <string.h>

#include "interp/bound/bound.h"
#include "interp/deviation/deviation_located.h"
#include "interp/deviation/deviation_private.h"

/* Put array number *next, and those after it, in place of a value's own. */
static void put_leaves(struct literal *l, struct literal *const *leaves,
                       int *next)
{
    for (int i = 0; l->shape->kind == SHAPE_TUPLE && i < l->shape->rank; i++)
        if (l->elements[i]->shape->kind == SHAPE_TUPLE)
            put_leaves(l->elements[i], leaves, next);
        else
            l->elements[i] = leaves[(*next)++];
}

/* Each array of one replica's result; false if it applies to none. */
static bool transform(struct arena *a, const struct deviation *d, int count,
                      struct literal *const *inputs, struct outcome *out)
{
    int n = shape_leaves(out->value->shape), next = 0;
    bool any = false;
    struct literal *value = literal_copy(a, out->value);
    struct literal **leaves = arena_new(a, struct literal *, (size_t)n + 1);
    out->goals = arena_new(a, struct goal *, (size_t)n + 1);
    for (int i = 0; i < n; i++) {
        leaves[i] = literal_leaf(value, i);
        struct literal *other =
            deviation_transform(a, d, leaves[i], count, inputs);
        any = any || other;
        if (other)
            leaves[i] = other;
        if (leaves[i]->shape->kind == SHAPE_ARRAY)
            out->goals[i] = goal_of(a, leaves[i], GOAL_MOVED);
    }
    if (value->shape->kind == SHAPE_TUPLE)
        put_leaves(value, leaves, &next);
    else
        value = leaves[0];
    out->value = value;
    out->count = n;
    return any;
}

static int parameters_of(const struct program *p, int replica)
{
    const struct computation *c = p->entries ? p->entries[replica] : p->entry;
    return c->parameter_count;
}

/* The results of all replicas. */
static bool transform_all(struct arena *a, const struct deviation_use *use,
                          const struct machine *m,
                          struct literal *const *const *inputs,
                          struct outcome *outcomes, struct status *st)
{
    bool any = false;
    for (int r = 0; r < m->replicas; r++)
        any = transform(a, use->what, parameters_of(m->program, r), inputs[r],
                        &outcomes[r])
              || any;
    return any
           || FAIL(st, UNSUPPORTED, "%s does not apply to this result",
                   use->name);
}

bool deviation_run(struct arena *a, const struct deviation_use *use,
                   struct machine *m, struct literal *const *const *inputs,
                   struct outcome *outcomes, struct status *st)
{
    struct machine_environment environment;
    const struct deviation *d = use->what;
    if (use->place)
        return deviation_located_run(a, use, m, inputs, outcomes, st);
    if (d->kind == DEVIATION_REWRITE)
        TRY(deviation_rewrite(a, use, m->program, &m->program, st));
    if (d->kind == DEVIATION_ENVIRONMENT)
        deviation_environment(d, m, &environment);
    bool good = evaluate_program(a, m, inputs, outcomes, st);
    m->environment = NULL;
    TRY(good);
    return d->kind != DEVIATION_TRANSFORM
           || transform_all(a, use, m, inputs, outcomes, st);
}

/* ---- Shared evaluations -------------------------------------------------- */

void deviation_run_free(struct deviation_shared *s)
{
    arena_free(&s->arena);
}

static void leave(const void *context, struct eval *ev)
{
}

/* Evaluate, or take what an earlier deviation evaluated. */
static bool run_once(struct deviation_shared *s, struct deviation_shared_run *r,
                     struct machine *m, struct literal *const *const *inputs,
                     struct outcome *outcomes, struct status *st)
{
    /* A given value makes results exact, and avoids intervals. */
    static const struct machine_environment exact = {.give = leave};
    if (!r->made) {
        r->made = true;
        r->after = *m;
        r->after.environment = r == &s->exact ? &exact : NULL;
        r->outcomes = arena_new(&s->arena, struct outcome, (size_t)m->replicas);
        r->good =
            bound_program(&s->arena, &r->after, inputs, r->outcomes, &r->st);
    }
    m->steps = r->after.steps;
    m->outfeed = r->after.outfeed;
    m->outfeed_count = r->after.outfeed_count;
    m->fed = r->after.fed;
    if (!r->good) {
        *st = r->st;
        return false;
    }
    memcpy(outcomes, r->outcomes, (size_t)m->replicas * sizeof *outcomes);
    return true;
}

bool deviation_run_goals(struct deviation_shared *s, struct machine *m,
                         struct literal *const *const *inputs,
                         struct outcome *outcomes, struct status *st)
{
    return run_once(s, &s->goals, m, inputs, outcomes, st);
}

const struct instruction *deviation_run_single(const struct program *p)
{
    if (p->entries || p->computation_count != 1
        || p->entry->count != p->entry->parameter_count + 1)
        return NULL;
    const struct instruction *in = p->entry->instructions[p->entry->root];
    return in->op->role == OP_ROLE_PARAMETER ? NULL : in;
}

/* Is an operand of the only instruction read as another value? */
static bool takes_any(struct arena *a, const struct deviation *d,
                      const struct machine *m, const struct instruction *in,
                      struct literal *const *const *inputs)
{
    const struct computation *c = m->program->entry;
    for (int r = 0; r < m->replicas; r++)
        for (int k = 0; k < in->operand_count; k++)
            for (int i = 0; i < c->parameter_count; i++)
                if (c->parameters[i] == in->operands[k]
                    && deviation_environment_takes(d, a, in, inputs[r][i]))
                    return true;
    return false;
}

bool deviation_run_shared(struct arena *a, struct deviation_shared *s,
                          const struct deviation_use *use, struct machine *m,
                          struct literal *const *const *inputs,
                          struct outcome *outcomes, struct status *st)
{
    const struct deviation *d = use->what;
    const struct instruction *in = deviation_run_single(m->program);
    if (use->place)
        return deviation_run(a, use, m, inputs, outcomes, st);
    if (d->kind == DEVIATION_TRANSFORM) {
        TRY(run_once(s, &s->plain, m, inputs, outcomes, st));
        return transform_all(a, use, m, inputs, outcomes, st);
    }
    if (!in || d->kind != DEVIATION_ENVIRONMENT || !d->step)
        return deviation_run(a, use, m, inputs, outcomes, st);
    if (!d->on_results)
        return takes_any(a, d, m, in, inputs)
                   ? deviation_run(a, use, m, inputs, outcomes, st)
                   : run_once(s, &s->plain, m, inputs, outcomes, st);
    bool exact = m->want_exact || d->step->exact;
    TRY(run_once(s, exact ? &s->exact : &s->plain, m, inputs, outcomes, st));
    for (int r = 0; r < m->replicas; r++) {
        struct eval ev = {.arena = a,
                          .machine = m,
                          .in = in,
                          .replica = r,
                          .out = outcomes[r]};
        deviation_environment_give(d, &ev);
        outcomes[r] = ev.out;
    }
    return true;
}
