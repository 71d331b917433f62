/* deviation_run.c - see deviation_run.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/deviation/deviation_run.h"

#include "interp/deviation/deviation_environment.h"
#include "interp/deviation/deviation_rewrite.h"
#include "interp/deviation/deviation_transform.h"
#include "interp/program/evaluate.h"

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

bool deviation_run(struct arena *a, const struct deviation_use *use,
                   struct machine *m, struct literal *const *const *inputs,
                   struct outcome *outcomes, struct status *st)
{
    struct machine_environment environment;
    const struct deviation *d = use->what;
    bool any = d->kind != DEVIATION_TRANSFORM;
    if (d->kind == DEVIATION_REWRITE)
        TRY(deviation_rewrite(a, use, m->program, &m->program, st));
    if (d->kind == DEVIATION_ENVIRONMENT)
        deviation_environment(d, m, &environment);
    bool good = evaluate_program(a, m, inputs, outcomes, st);
    m->environment = NULL;
    TRY(good);
    for (int r = 0; d->kind == DEVIATION_TRANSFORM && r < m->replicas; r++)
        any = transform(a, d, parameters_of(m->program, r), inputs[r],
                        &outcomes[r])
              || any;
    return any
           || FAIL(st, UNSUPPORTED, "%s does not apply to this result",
                   use->name);
}
