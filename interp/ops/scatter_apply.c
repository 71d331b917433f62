/* scatter_apply.c - see scatter.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A sum of floats is exact and judged by its number of roundings; integers
 * and extremes come out the same in every order, for each operand alone
 * (scatter_part.c); for anything else scatter_last.c and scatter_body.c.
 */
#include <string.h>

#include "interp/ops/overflow.h"
#include "interp/ops/product.h"
#include "interp/ops/scatter.h"
#include "interp/ops/total.h"

/* ---- Order does not matter ----------------------------------------------- */

enum {
    CHOICES_MAX = 6 /* optional updates of one element */
};

/* One element: the operand's value, then count hits from the first. */
struct element {
    const struct scatter *s;
    int64_t first, count;
    unsigned skip; /* bit i: leave out the i-th optional hit */
};

/* Is the i-th hit left out? */
static bool skips(const struct element *e, int64_t i, int *optional)
{
    return scatter_is_optional(e->s, e->first + i)
           && e->skip >> (*optional)++ & 1;
}

/* Add up one unit into unit `to` of a goal. */
static void sum_unit(const struct scatter *s, const struct element *e, int u,
                     struct total *t, struct goal *g, int64_t to)
{
    const struct literal *l = scatter_operand(s, 0), *v = scatter_updates(s, 0);
    int units = dtype_units(l->shape->dtype), optional = 0;
    enum dtype unit = dtype_unit(l->shape->dtype);
    enum dtype accumulator = total_accumulator(s->ev, unit);
    const struct pair *hit = s->hits + e->first;
    uint64_t own = literal_get(l, hit->key * units + u);
    int64_t roundings = 0;
    total_start(t, s->ev, unit, accumulator);
    total_add(t, unit, own);
    for (int64_t i = 0; i < e->count; i++) {
        if (skips(e, i, &optional))
            continue;
        total_add(t, unit, literal_get(v, hit[i].place * units + u));
        roundings++;
    }
    if (roundings == 0) {
        goal_bits(g, to, own);
        return;
    }
    /* Adding to zero is exact, and one addition is rounded once. */
    if (real_is_zero(unit, own) || (roundings == 1 && accumulator == unit))
        roundings--;
    total_finish(t, s->ev, g, to, roundings, accumulator);
}

/* How many values of skip there are. */
static bool count_choices(const struct element *e, unsigned *choices,
                          struct status *st)
{
    int optional = 0;
    for (int64_t i = 0; i < e->count && optional <= CHOICES_MAX; i++)
        optional += scatter_is_optional(e->s, e->first + i);
    *choices = 1u << optional;
    if (optional > CHOICES_MAX)
        return FAIL(st, UNSUPPORTED,
                    "Scatter: more than %d windows that are partly out of "
                    "bounds go to one element",
                    CHOICES_MAX);
    return true;
}

static bool sum_choices(const struct scatter *s, struct element *e, int u,
                        struct total *t, struct goal *g, int64_t to,
                        struct status *st)
{
    const struct shape *scalar =
        shape_scalar(s->ev->arena, dtype_unit(g->value->shape->dtype));
    struct goal *other = eval_goal(s->ev, scalar, GOAL_SUM, true);
    unsigned choices;
    TRY(count_choices(e, &choices, st));
    for (e->skip = 1; e->skip < choices; e->skip++) {
        sum_unit(s, e, u, t, other, 0);
        if (other->sum.sums[0].roundings > 0)
            return FAIL(st, UNSUPPORTED,
                        "Scatter: an inexact sum with a window that is partly "
                        "out of bounds under policy scatter.partial-window "
                        "either");
        goal_or(g, to, literal_get(other->value, 0));
    }
    e->skip = 0;
    return true;
}

static bool eval_sum(struct scatter *s, struct goal *g, struct status *st)
{
    int units = dtype_units(g->value->shape->dtype);
    struct total *t = arena_new(s->ev->arena, struct total, 1);
    for (int64_t i = 0; i < s->count;) {
        struct element e = {s, i, scatter_run(s, i), 0};
        for (int u = 0; u < units; u++) {
            int64_t to = s->hits[i].key * units + u;
            sum_unit(s, &e, u, t, g, to);
            if (s->optional && g->want_exact)
                TRY(sum_choices(s, &e, u, t, g, to, st));
        }
        i += e.count;
    }
    return true;
}

static void eval_product(struct scatter *s, struct goal *g)
{
    const struct literal *l = scatter_operand(s, 0), *v = scatter_updates(s, 0);
    enum dtype type = l->shape->dtype;
    struct product *p = product_open(s->ev, type);
    for (int64_t i = 0; i < s->count;) {
        int64_t run = scatter_run(s, i), to = s->hits[i].key;
        product_start(p);
        product_multiply(p, l, to);
        for (int64_t k = i; k < i + run; k++)
            product_multiply(p, v, s->hits[k].place);
        product_finish(p, g, to, total_accumulator(s->ev, dtype_unit(type)));
        i += run;
    }
}

static uint64_t fold(const struct scatter_part *p, const struct element *e,
                     bool *open, struct overflow *over)
{
    const struct scatter *s = &p->s;
    const struct literal *l = scatter_operand(s, 0), *v = scatter_updates(s, 0);
    enum dtype type = l->shape->dtype;
    monoid_fold *f = monoid_find(p->monoid, type);
    const struct pair *hit = s->hits + e->first;
    uint64_t acc = literal_get(l, hit->key);
    int optional = 0;
    overflow_start(over);
    overflow_term(over, acc);
    for (int64_t i = 0; i < e->count; i++) {
        if (skips(e, i, &optional))
            continue;
        uint64_t x = literal_get(v, hit[i].place);
        *open = *open || monoid_is_open(s->ev, type, acc, x);
        acc = f(type, acc, x);
        /* The term is subtracted: a type may lack the negative of a number. */
        if (p->negative)
            overflow_negative(over, (0 - x) & dtype_mask(type));
        else
            overflow_term(over, x);
    }
    return acc;
}

enum {
    OTHERS_MAX = 4096 /* hits whose values a goal lists as results */
};

/* A policy leaves a maximum or minimum open: where that is a NaN, which may be
 * dropped, any value that it met may be left; where it is a zero, either. */
static void add_others(struct scatter *s, struct goal *g,
                       const struct element *e)
{
    const struct literal *l = scatter_operand(s, 0), *v = scatter_updates(s, 0);
    const struct pair *hit = s->hits + e->first;
    enum dtype type = l->shape->dtype;
    int64_t to = hit->key;
    uint64_t acc = literal_get(g->value, to);
    if (real_is_zero(type, acc)) {
        goal_or(g, to, real_zero(type, false));
        goal_or(g, to, real_zero(type, true));
    }
    if (!real_is_nan(type, acc))
        return;
    if (s->count > OTHERS_MAX)
        goal_free_unit(g, to);
    for (int64_t i = -1; i < e->count && s->count <= OTHERS_MAX; i++) {
        uint64_t x = i < 0 ? literal_get(l, to) : literal_get(v, hit[i].place);
        if (!real_is_nan(type, x))
            goal_or(g, to, x);
    }
}

static bool eval_fold(struct scatter_part *p, struct goal *g, struct status *st)
{
    struct scatter *s = &p->s;
    enum dtype type = g->value->shape->dtype;
    struct overflow over = overflow_open(s->ev, type, p->monoid->kind);
    for (int64_t i = 0; i < s->count;) {
        struct element e = {s, i, scatter_run(s, i), 0};
        int64_t to = s->hits[i].key;
        bool open = false;
        literal_set(g->value, to, fold(p, &e, &open, &over));
        bool free = over.found;
        unsigned choices = 1;
        if (s->optional && s->ev->want_exact)
            TRY(count_choices(&e, &choices, st));
        for (e.skip = 1; e.skip < choices; e.skip++) {
            goal_or(g, to, fold(p, &e, &open, &over));
            free = free || over.found;
        }
        if (open && s->ev->want_exact)
            add_others(s, g, &e);
        if (free)
            goal_free_unit(g, to);
        i += e.count;
    }
    return true;
}

/* ---- One result ---------------------------------------------------------- */

bool scatter_apply_is_last(const struct computation *c, int n)
{
    const struct instruction *root = c->instructions[c->root];
    if (n == 1)
        return c->root == c->parameters[1];
    if (root->op->role != OP_ROLE_TUPLE)
        return false;
    for (int i = 0; i < n; i++)
        if (root->operands[i] != c->parameters[n + i])
            return false;
    return true;
}

static struct goal *start_goal(struct scatter *s, int which,
                               enum goal_rule rule)
{
    const struct literal *from = scatter_operand(s, which);
    bool exact = rule == GOAL_SUM && s->ev->want_exact;
    struct goal *g = eval_goal(s->ev, from->shape, rule, exact);
    memcpy(g->value->data, from->data, (size_t)shape_bytes(from->shape));
    for (int64_t i = 0, n = literal_units(from); exact && i < n; i++)
        goal_bits(g, i, literal_get(from, i));
    return g;
}

/* Elements that no update goes to. */
static void keep_others(const struct scatter *s, struct goal *g)
{
    int64_t i = 0, n = shape_elements(g->value->shape);
    int units = dtype_units(g->value->shape->dtype);
    for (int64_t e = 0; e < n; e++) {
        for (int u = 0; u < units && (i == s->count || s->hits[i].key != e);
             u++)
            goal_kept_unit(g, e * units + u);
        while (i < s->count && s->hits[i].key == e)
            i++;
    }
}

/* Goal which of s, whose values are to be set. */
static struct goal *open_goal(struct scatter *s, int which, enum goal_rule rule)
{
    struct goal *g = start_goal(s, which, rule);
    if (s->ev->want_exact)
        keep_others(s, g);
    return g;
}

static bool apply_part(struct scatter_part *p, struct goal **goal,
                       struct status *st)
{
    struct scatter *s = &p->s;
    *goal = open_goal(s, 0, p->sum || p->product ? GOAL_SUM : GOAL_BITS);
    if (p->sum)
        return eval_sum(s, *goal, st);
    if (!p->product)
        return eval_fold(p, *goal, st);
    eval_product(s, *goal);
    return true;
}

bool scatter_apply(struct scatter *s, struct goal **goals, struct status *st)
{
    struct scatter_part *parts = scatter_part_split(s);
    bool last = scatter_apply_is_last(s->c, s->n);
    for (int i = 0; i < s->n; i++) {
        if (parts)
            TRY(apply_part(&parts[i], &goals[i], st));
        else
            goals[i] = open_goal(s, i, last ? GOAL_MOVED : GOAL_BITS);
    }
    if (parts)
        return true;
    if (!last)
        return scatter_body_eval(s, goals, st);
    scatter_last_eval(s, goals);
    return true;
}
