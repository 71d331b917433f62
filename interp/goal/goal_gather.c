/* goal_gather.c - see goal_gather.h.  Tests: called.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Units of goals that differ in nothing but their units share one goal, a kind;
 * the result takes each unit from the kind that has it.
 */
#include "interp/goal/goal_gather.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct kind {
    struct goal *goal;
    int64_t count; /* of its units that are set */
    struct kind *next;
};

struct goal_gather {
    struct goal *goal; /* GOAL_MOVED */
    struct kind *kinds;
    const struct goal *from; /* of the latest units, */
    int64_t taken;           /* and how many these are */
};

static bool marked(const unsigned char *units, int64_t i)
{
    return units && units[i];
}

/* ---- Units of goals that are alike --------------------------------------- */

struct goal *goal_gather_like(struct arena *a, struct literal *value,
                              const struct goal *from)
{
    struct goal *g = arena_new(a, struct goal, 1);
    size_t units = (size_t)literal_units(value);
    *g = *from;
    g->arena = a;
    g->value = value;
    g->sources = NULL;
    goal_only(g);
    g->free_units = g->nan_units = g->kept_units = NULL;
    if (g->rule == GOAL_REAL) {
        struct goal_real *r = &g->real;
        r->y = r->y ? arena_new(a, struct real, units) : NULL;
        r->unit_budgets = NULL;
        r->exact_units = r->cancelled_units = r->either_units = NULL;
        r->worst = r->worst_unit = 0;
    } else if (g->rule == GOAL_SUM && g->sum.sums) {
        g->sum.sums = arena_new(a, struct accept_sum, units);
    } else if (g->rule == GOAL_RANGE) {
        g->range.low = literal_copy(a, value);
        g->range.high = literal_copy(a, value);
        g->range.order = NULL;
    }
    return g;
}

static void put_real(struct goal *g, int64_t i, const struct goal *from,
                     int64_t at)
{
    const struct goal_real *r = &from->real;
    if (r->y)
        g->real.y[i] = r->y[at];
    if (r->unit_budgets && r->unit_budgets[at])
        goal_unit_budget(g, i, r->unit_budgets[at]);
    if (marked(r->exact_units, at))
        goal_exact_unit(g, i);
    if (marked(r->cancelled_units, at))
        goal_cancelled_unit(g, i);
    if (marked(r->either_units, at))
        goal_either_unit(g, i);
    if (at == r->worst_unit && llabs(r->worst) > llabs(g->real.worst)) {
        g->real.worst = r->worst;
        g->real.worst_unit = i;
    }
}

static void put_range(struct goal *g, int64_t i, const struct goal *from,
                      int64_t at)
{
    size_t units = (size_t)literal_units(g->value);
    literal_set(g->range.low, i, literal_get(from->range.low, at));
    literal_set(g->range.high, i, literal_get(from->range.high, at));
    if (!from->range.order)
        return;
    if (!g->range.order) {
        g->range.order = arena_new(g->arena, signed char, units);
        memset(g->range.order, -1, units);
    }
    g->range.order[i] = from->range.order[at];
}

void goal_gather_put(struct goal *g, int64_t i, const struct goal *from,
                     int64_t at)
{
    if (g->rule == GOAL_REAL) {
        put_real(g, i, from, at);
    } else if (g->rule == GOAL_SUM && g->sum.sums) {
        g->sum.sums[i] = from->sum.sums[at];
        if (from->arena != g->arena)
            goal_own_sum(g->arena, &g->sum.sums[i]);
    } else if (g->rule == GOAL_RANGE) {
        put_range(g, i, from, at);
    }
    if (marked(from->free_units, at))
        goal_free_unit(g, i);
    if (marked(from->nan_units, at))
        goal_nan_unit(g, i);
    if (marked(from->kept_units, at))
        goal_kept_unit(g, i);
    if (from->sources && from->sources[at].goal)
        goal_take(g, i, from, at);
    for (const struct goal_other *o = from->unit_others ? from->unit_others[at]
                                                        : NULL;
         o; o = o->same)
        goal_or(g, i, o->bits);
    g->note = g->note ? g->note : from->note;
}

/* ---- Units of goals that are not ----------------------------------------- */

static bool same_real(const struct real *a, const struct real *b)
{
    return a->significand == b->significand && a->exponent == b->exponent
           && a->kind == b->kind && a->width == b->width
           && a->negative == b->negative && a->inexact == b->inexact;
}

static bool same_budget(const struct accept_budget *a,
                        const struct accept_budget *b)
{
    return a->kind == b->kind && a->both_sides == b->both_sides
           && same_real(&a->ulps, &b->ulps) && same_real(&a->abs, &b->abs)
           && same_real(&a->rel, &b->rel);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool alike_real(const struct goal_real *a, const struct goal_real *b)
{
    return !a->y == !b->y && same_text(a->accuracy, b->accuracy)
           && a->zero_open == b->zero_open && a->complex_norm == b->complex_norm
           && a->has_budget == b->has_budget
           && (!a->has_budget || same_budget(&a->budget, &b->budget));
}

/* Do they differ in their units alone? */
static bool alike(const struct goal *a, const struct goal *b)
{
    return a->rule == b->rule && a->want_exact == b->want_exact
           && a->overflow == b->overflow && a->computed == b->computed
           && a->repeats == b->repeats && a->clip == b->clip
           && (!a->clip
               || (same_real(&a->clip_low, &b->clip_low)
                   && same_real(&a->clip_high, &b->clip_high)))
           && (a->rule != GOAL_REAL || alike_real(&a->real, &b->real))
           && (a->rule != GOAL_SUM || !a->sum.sums == !b->sum.sums);
}

static struct kind *kind_of(struct goal_gather *to, const struct goal *from)
{
    struct arena *a = to->goal->arena;
    struct kind *k = to->kinds;
    while (k && !alike(k->goal, from))
        k = k->next;
    if (k)
        return k;
    k = arena_new(a, struct kind, 1);
    k->next = to->kinds;
    k->goal = goal_gather_like(a, literal_new(a, to->goal->value->shape), from);
    k->goal->undecided = 0;
    return to->kinds = k;
}

struct goal_gather *goal_gather_open(struct arena *a, const struct shape *shape)
{
    struct goal_gather *to = arena_new(a, struct goal_gather, 1);
    to->goal = goal_new(a, shape, GOAL_MOVED, false);
    return to;
}

void goal_gather_unit(struct goal_gather *to, int64_t i,
                      const struct literal *value, const struct goal *goal,
                      int64_t at)
{
    uint64_t bits = literal_get(value, at);
    literal_set(to->goal->value, i, bits);
    if (!goal) {
        goal_take(to->goal, i, NULL, 0);
        return;
    }
    bool open = marked(goal->free_units, at), first = at == 0;
    goal = goal_source(goal, &at);
    if (first || goal != to->from)
        to->taken = 0;
    to->from = goal;
    assert(goal->rule != GOAL_CHECK);
    struct kind *k = kind_of(to, goal);
    k->count++;
    k->goal->undecided += to->taken++ < goal->undecided;
    literal_set(k->goal->value, i, bits);
    goal_gather_put(k->goal, i, goal, at);
    if (open || marked(k->goal->free_units, i))
        goal_free_unit(to->goal, i);
    goal_take(to->goal, i, k->goal, i);
}

struct goal *goal_gather_close(struct goal_gather *to)
{
    const struct kind *k = to->kinds;
    if (!k || k->next || k->count < literal_units(to->goal->value))
        return to->goal;
    k->goal->free_units = to->goal->free_units;
    return k->goal;
}
