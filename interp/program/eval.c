/* eval.c - see eval.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/eval.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "interp/program/attribute.h"
#include "interp/program/evaluate.h"
#include "interp/program/interval.h"
#include "interp/program/interval_goal.h"
#include "interp/specification/flush.h"

/* A value of that shape whose leaves are the goals' values. */
static struct literal *assemble(struct arena *a, const struct shape *shape,
                                struct goal *const *goals, int *next)
{
    if (shape->kind == SHAPE_TUPLE) {
        struct literal *l = arena_new(a, struct literal, 1);
        l->shape = shape;
        l->elements = arena_new(a, struct literal *, (size_t)shape->rank);
        for (int i = 0; i < shape->rank; i++)
            l->elements[i] = assemble(a, shape->elements[i], goals, next);
        return l;
    }
    struct goal *g = goals[(*next)++];
    return g ? g->value : literal_new(a, shape);
}

bool eval_return(struct eval *ev, const struct shape *shape,
                 struct goal *const *goals)
{
    int n = shape_leaves(shape), next = 0;
    ev->out.goals = arena_new(ev->arena, struct goal *, (size_t)n);
    for (int i = 0; i < n; i++)
        ev->out.goals[i] = goals[i];
    ev->out.count = n;
    ev->out.value = assemble(ev->arena, shape, goals, &next);
    return true;
}

bool eval_return_one(struct eval *ev, struct goal *goal)
{
    ev->out.goals = arena_new(ev->arena, struct goal *, 1);
    ev->out.goals[0] = goal;
    ev->out.count = 1;
    ev->out.value = goal->value;
    return true;
}

static void add_goals(struct arena *a, struct literal *l, enum goal_rule rule,
                      struct goal **goals, int *next)
{
    if (l->shape->kind == SHAPE_TUPLE)
        for (int i = 0; i < l->shape->rank; i++)
            add_goals(a, l->elements[i], rule, goals, next);
    else
        goals[(*next)++] =
            l->shape->kind == SHAPE_TOKEN ? NULL : goal_of(a, l, rule);
}

static void outcome_of(struct arena *a, struct literal *value,
                       enum goal_rule rule, struct outcome *out)
{
    int n = 0;
    out->value = value;
    out->count = shape_leaves(value->shape);
    out->goals = arena_new(a, struct goal *, (size_t)out->count);
    add_goals(a, value, rule, out->goals, &n);
}

bool eval_return_literal(struct eval *ev, struct literal *value,
                         enum goal_rule rule)
{
    outcome_of(ev->arena, value, rule, &ev->out);
    return true;
}

struct literal *eval_source(const struct eval *ev, const struct literal *l)
{
    const struct machine *m = ev->machine;
    bool keep_sign = m->sources == MACHINE_FLUSH;
    struct literal *copy = literal_copy(ev->arena, l);
    for (int i = 0; m->sources && i < shape_leaves(l->shape); i++) {
        struct literal *leaf = literal_leaf(copy, i);
        struct literal *zero =
            flush_operand(ev->arena, m->profile, leaf, keep_sign);
        if (zero)
            *leaf = *zero;
    }
    return copy;
}

struct goal **eval_goals(struct eval *ev, int i)
{
    const struct outcome *o = ev->outcomes[i];
    if (o->goals)
        return o->goals;
    struct outcome made;
    outcome_of(ev->arena, o->value, GOAL_MOVED, &made);
    return made.goals;
}

bool eval_operands(struct eval *ev, struct status *st)
{
    int n = shape_leaves(ev->in->shape), next = 0;
    struct goal **goals = arena_new(ev->arena, struct goal *, (size_t)n);
    for (int i = 0; i < ev->count; i++) {
        struct goal **own = eval_goals(ev, i);
        for (int k = 0; k < shape_leaves(ev->operands[i]->shape); k++)
            goals[next++] = own[k];
    }
    return eval_return(ev, ev->in->shape, goals);
}

bool eval_return_outcome(struct eval *ev, const struct outcome *out)
{
    ev->out = *out;
    return true;
}

bool eval_decided(struct eval *ev, int operand, struct status *st)
{
    const struct profile *p = ev->machine->profile;
    const struct outcome *o = ev->outcomes[operand];
    if (!ev->want_exact
        || (interval_goal_exact(ev->arena, p, o) && !interval_nan_open(p, o)))
        return true;
    return FAIL(st, UNSUPPORTED,
                "inadmissible: %s depends on operand %d, whose value is not "
                "determined",
                ev->in->op->name, operand);
}

enum real_overflow eval_overflow(const struct eval *ev, enum dtype unit)
{
    return profile_rules(ev->machine->profile, unit).overflow;
}

struct goal *eval_goal(const struct eval *ev, const struct shape *shape,
                       enum goal_rule rule, bool want_exact)
{
    struct goal *g = goal_new(ev->arena, shape, rule, want_exact);
    g->overflow = eval_overflow(ev, dtype_unit(shape->dtype));
    return g;
}

static void write_over(struct literal *to, const struct literal *from)
{
    const struct shape *s = to->shape;
    if (s->kind == SHAPE_TUPLE) {
        for (int i = 0; i < s->rank; i++)
            write_over(to->elements[i], from->elements[i]);
    } else if (s->kind == SHAPE_ARRAY) {
        memmove(to->data, from->data, (size_t)shape_bytes(s));
        if (to->sizes && from->sizes)
            memmove(to->sizes, from->sizes,
                    (size_t)s->rank * sizeof *to->sizes);
    }
}

void eval_copy(struct arena *scratch, struct literal *to,
               const struct literal *from)
{
    /* A computation that returns its arguments in another place, such as (a, b)
     * -> (b, a), returns a tuple of the very arrays that are written. */
    if (from->shape->kind == SHAPE_TUPLE)
        from = literal_copy(scratch, from);
    write_over(to, from);
}

bool eval_charge(struct eval *ev, int64_t elements, int64_t terms,
                 struct status *st)
{
    struct machine *m = ev->machine;
    int64_t work;
    if (__builtin_mul_overflow(elements, terms, &work)
        || work > m->limits->steps - m->steps)
        return FAIL(st, SYSTEM,
                    "limit: %s: %" PRId64 " times %" PRId64
                    " terms are more than %" PRId64 " steps (--limit-steps)",
                    ev->in->op->name, elements, terms, m->limits->steps);
    m->steps += work;
    return true;
}

static bool call_once(struct eval *ev, struct arena *a,
                      const struct computation *c,
                      const struct outcome *arguments, bool want_exact,
                      struct outcome *result, struct status *st)
{
    TRY(evaluate_group(a, ev->machine, c, 1, &ev->replica, want_exact,
                       &arguments, result, st));
    if (result->value)
        return true;
    return FAIL(st, STRUCTURE,
                "%s: '%s' waits for a channel, which a computation applied "
                "to elements must not",
                ev->in->op->name, c->name);
}

bool eval_call_followed(struct eval *ev, struct arena *a,
                        const struct computation *c,
                        const struct outcome *arguments, struct outcome *result,
                        struct status *st)
{
    return call_once(ev, a, c, arguments, true, result, st);
}

/* Mark the units that may be anything; are the others exact? */
static bool is_exact_but(struct arena *a, const struct profile *p,
                         const struct outcome *out, unsigned char *any)
{
    for (int i = 0; out->goals && i < out->count; i++) {
        const struct goal *g = out->goals[i];
        if (!g)
            continue;
        int64_t n = literal_units(g->value);
        for (int64_t u = 0; g->free_units && u < n; u++)
            any[u] |= g->free_units[u];
        any += n;
    }
    struct outcome rest = interval_free_rest(a, out);
    return interval_goal_exact(a, p, &rest);
}

/* exact: want exact values, and set *exact; NULL: neither. */
static bool call_into(struct eval *ev, const struct computation *c,
                      const struct literal *const *arguments,
                      struct literal *result, bool *exact, unsigned char *any,
                      struct status *st)
{
    struct machine *m = ev->machine;
    int64_t bytes = m->bytes;
    struct arena *a = evaluate_frame(m);
    struct outcome *with =
        arena_new(a, struct outcome, (size_t)c->parameter_count);
    for (int i = 0; i < c->parameter_count; i++)
        with[i].value = (struct literal *)(uintptr_t)arguments[i];
    struct outcome out = {0};
    bool ok = call_once(ev, a, c, with, exact != NULL, &out, st);
    if (ok)
        eval_copy(a, result, out.value);
    if (ok && exact)
        *exact = any ? is_exact_but(a, m->profile, &out, any)
                     : interval_goal_exact(a, m->profile, &out);
    evaluate_release(m);
    m->bytes = bytes;
    return ok;
}

bool eval_call_into(struct eval *ev, const struct computation *c,
                    const struct literal *const *arguments,
                    struct literal *result, struct status *st)
{
    return call_into(ev, c, arguments, result, NULL, NULL, st);
}

bool eval_call_exact(struct eval *ev, const struct computation *c,
                     const struct literal *const *arguments,
                     struct literal *result, bool *exact, unsigned char *any,
                     struct status *st)
{
    *exact = true;
    return call_into(ev, c, arguments, result, ev->want_exact ? exact : NULL,
                     any, st);
}

bool eval_call_decided(struct eval *ev, const struct computation *c,
                       const struct literal *const *arguments,
                       struct literal *result, struct status *st)
{
    bool exact;
    TRY(eval_call_exact(ev, c, arguments, result, &exact, NULL, st));
    return exact
           || FAIL(st, UNSUPPORTED,
                   "inadmissible: %s depends on '%s', whose result is not "
                   "determined",
                   ev->in->op->name, c->name);
}

bool eval_call_group(struct eval *const *evs, int count,
                     const struct computation *c,
                     const struct outcome *const *arguments,
                     struct outcome *results, struct status *st)
{
    int *replicas = arena_new(evs[0]->arena, int, (size_t)count);
    for (int i = 0; i < count; i++)
        replicas[i] = evs[i]->replica;
    return evaluate_group(evs[0]->arena, evs[0]->machine, c, count, replicas,
                          evs[0]->want_exact, arguments, results, st);
}

const struct computation *eval_computation(const struct eval *ev,
                                           enum attribute_name attribute,
                                           int which)
{
    const struct attribute *a = attribute_find(ev->in, attribute);
    assert(a && which < a->computation_count && a->computations[which]);
    return a->computations[which];
}
