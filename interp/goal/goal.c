/* goal.c - what one array of a result must be.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/goal/goal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "interp/goal/goal_ends.h"

static enum dtype unit_of(const struct goal *g)
{
    return dtype_unit(g->value->shape->dtype);
}

struct goal *goal_of(struct arena *a, struct literal *value,
                     enum goal_rule rule)
{
    assert(value->shape->kind == SHAPE_ARRAY);
    struct goal *g = arena_new(a, struct goal, 1);
    g->arena = a;
    g->rule = rule;
    g->value = value;
    return g;
}

struct goal *goal_new(struct arena *a, const struct shape *shape,
                      enum goal_rule rule, bool want_exact)
{
    struct goal *g = goal_of(a, literal_new(a, shape), rule);
    size_t units = (size_t)literal_units(g->value);
    g->want_exact = want_exact;
    if (want_exact && rule == GOAL_REAL)
        g->real.y = arena_new(a, struct real, units);
    if (want_exact && rule == GOAL_SUM)
        g->sum.sums = arena_new(a, struct accept_sum, units);
    if (rule == GOAL_RANGE) {
        g->range.low = literal_new(a, shape);
        g->range.high = literal_new(a, shape);
    }
    return g;
}

static void *copy_units(struct arena *a, const void *units, int64_t n,
                        size_t size)
{
    if (!units)
        return NULL;
    void *to = arena_array(a, (size_t)n + 1, size);
    memcpy(to, units, (size_t)n * size);
    return to;
}

static void copy_real(struct arena *a, struct goal_real *r, int64_t n)
{
    r->y = copy_units(a, r->y, n, sizeof *r->y);
    r->unit_budgets =
        copy_units(a, r->unit_budgets, n, sizeof(struct accept_budget *));
    r->exact_units = copy_units(a, r->exact_units, n, 1);
    r->cancelled_units = copy_units(a, r->cancelled_units, n, 1);
    r->either_units = copy_units(a, r->either_units, n, 1);
}

void goal_own_sum(struct arena *a, struct accept_sum *s)
{
    s->few = copy_units(a, s->few, 1, sizeof *s->few);
    if (!s->also)
        return;
    struct accept_sum *also = copy_units(a, s->also, 1, sizeof *also);
    goal_own_sum(a, also);
    s->also = also;
}

/* Copies of the goals, each once. */
static struct goal_source *
copy_sources(struct arena *a, const struct goal_source *from, int64_t n)
{
    struct goal_source *to = copy_units(a, from, n, sizeof *from);
    for (int64_t i = 0; to && i < n; i++) {
        int64_t k = i;
        if (!from[i].goal)
            continue;
        while (k > 0 && from[k - 1].goal != from[i].goal)
            k--;
        to[i].goal = k > 0 ? to[k - 1].goal : goal_copy(a, from[i].goal);
    }
    return to;
}

struct goal *goal_copy(struct arena *a, const struct goal *g)
{
    assert(g->rule != GOAL_CHECK);
    struct goal *c = arena_new(a, struct goal, 1);
    int64_t n = literal_units(g->value);
    *c = *g;
    c->arena = a;
    c->value = literal_copy(a, g->value);
    goal_only(c);
    for (const struct goal_other *o = g->others; o; o = o->next)
        goal_or(c, o->unit, o->bits);
    c->free_units = copy_units(a, g->free_units, n, 1);
    c->nan_units = copy_units(a, g->nan_units, n, 1);
    c->kept_units = copy_units(a, g->kept_units, n, 1);
    c->sources = copy_sources(a, g->sources, n);
    if (g->rule == GOAL_REAL) {
        copy_real(a, &c->real, n);
    } else if (g->rule == GOAL_SUM) {
        c->sum.sums = copy_units(a, g->sum.sums, n, sizeof *g->sum.sums);
        for (int64_t i = 0; c->sum.sums && i < n; i++)
            goal_own_sum(a, &c->sum.sums[i]);
    } else if (g->rule == GOAL_RANGE) {
        c->range.low = literal_copy(a, g->range.low);
        c->range.high = literal_copy(a, g->range.high);
        c->range.order = copy_units(a, g->range.order, n, 1);
    }
    return c;
}

void goal_make_free(struct goal *g)
{
    g->rule = GOAL_FREE;
}

void goal_make_check(struct goal *g, goal_check *holds, const void *data,
                     int place)
{
    g->rule = GOAL_CHECK;
    g->check.holds = holds;
    g->check.data = data;
    g->check.place = place;
    g->check.apart = NULL;
}

static bool ends_of_value(const struct goal *g, int64_t i, struct goal_ends *e,
                          const char **why)
{
    (void)why;
    e->low = e->high = literal_get(g->value, i);
    return true;
}

void goal_check_known(struct goal *g)
{
    assert(g->rule == GOAL_CHECK);
    g->want_exact = true;
    g->check.ends = ends_of_value;
}

void goal_make_range(struct goal *g)
{
    assert(g->rule == GOAL_BITS);
    g->rule = GOAL_RANGE;
    g->range.low = literal_copy(g->arena, g->value);
    g->range.high = literal_copy(g->arena, g->value);
    g->range.order = NULL;
}

bool goal_same_check(const struct goal *a, const struct goal *b)
{
    return a->rule == GOAL_CHECK && b->rule == GOAL_CHECK
           && a->check.holds == b->check.holds
           && a->check.data == b->check.data;
}

const struct goal *goal_source(const struct goal *g, int64_t *i)
{
    if (!g->sources || !g->sources[*i].goal)
        return g;
    const struct goal_source *from = &g->sources[*i];
    *i = from->unit;
    return from->goal;
}

bool goal_is_rounded(const struct goal *g)
{
    for (int64_t i = 0; g->sources && i < literal_units(g->value); i++)
        if (g->sources[i].goal && goal_is_rounded(g->sources[i].goal))
            return true;
    return g->rule == GOAL_REAL || g->rule == GOAL_SUM;
}

const struct real *goal_exact(const struct goal *g, int64_t i)
{
    g = goal_source(g, &i);
    if (g->rule == GOAL_REAL && g->real.y)
        return &g->real.y[i];
    return g->rule == GOAL_SUM && g->sum.sums ? &g->sum.sums[i].sum : NULL;
}

/* Record the error of the reference's own rounding. */
static void measure(struct goal *g, int64_t i, const struct real *y,
                    uint64_t bits)
{
    enum dtype unit = unit_of(g);
    struct goal_real *r = &g->real;
    if (y->kind > REAL_FINITE || !real_is_finite(unit, bits))
        return;
    int64_t error = real_error(y, unit, bits);
    /* Rounding is never off by more than half an ulp; saturation is. */
    if (llabs(error) > 500000 || llabs(error) <= llabs(r->worst))
        return;
    r->worst = error;
    r->worst_unit = i;
}

static uint64_t round_unit(struct goal *g, int64_t i, const struct real *y)
{
    uint64_t bits = real_round(y, unit_of(g), g->overflow);
    literal_set(g->value, i, bits);
    return bits;
}

void goal_measure(struct goal_finding *found, int64_t unit, mpfr_srcptr error,
                  mpfr_srcptr bound)
{
    MPFR_DECL_INIT(ratio, 64);
    if (mpfr_zero_p(error) && mpfr_zero_p(bound))
        return;
    mpfr_div(ratio, error, bound, MPFR_RNDU);
    mpfr_mul_ui(ratio, ratio, 1000000, MPFR_RNDU);
    /* Rounded up: what is beyond its bound is more than 1000000. */
    int64_t share = mpfr_cmp_si(ratio, REAL_ERROR_MAX) < 0
                        ? (int64_t)mpfr_get_si(ratio, MPFR_RNDU)
                        : REAL_ERROR_MAX;
    if (found->has_share && share <= found->share)
        return;
    found->has_share = true;
    found->share = share;
    found->share_unit = unit;
}

void goal_real(struct goal *g, int64_t i, const struct real *y)
{
    uint64_t bits = round_unit(g, i, y);
    if (g->rule == GOAL_REAL) {
        measure(g, i, y, bits);
        if (g->real.y)
            g->real.y[i] = *y;
    } else if (g->rule == GOAL_RANGE) {
        literal_set(g->range.low, i, bits);
        literal_set(g->range.high, i, bits);
    }
}

void goal_bits(struct goal *g, int64_t i, uint64_t bits)
{
    literal_set(g->value, i, bits);
    if (g->rule == GOAL_REAL && g->real.y) {
        g->real.y[i] = real_from_bits(unit_of(g), bits);
    } else if (g->rule == GOAL_SUM && g->sum.sums) {
        g->sum.sums[i] = (struct accept_sum){
            .sum = real_from_bits(unit_of(g), bits),
            .accumulator = unit_of(g),
        };
    } else if (g->rule == GOAL_RANGE) {
        literal_set(g->range.low, i, bits);
        literal_set(g->range.high, i, bits);
    }
}

void goal_sum(struct goal *g, int64_t i, const struct accept_sum *sum)
{
    round_unit(g, i, &sum->sum);
    if (g->rule == GOAL_SUM && g->sum.sums)
        g->sum.sums[i] = *sum;
}

void goal_sum_also(struct goal *g, int64_t i, const struct accept_sum *sum)
{
    assert(g->rule == GOAL_SUM && g->sum.sums);
    struct accept_sum *also = arena_new(g->arena, struct accept_sum, 1);
    *also = *sum;
    also->also = g->sum.sums[i].also;
    g->sum.sums[i].also = also;
}

int goal_order(const struct goal *g, int64_t i)
{
    g = goal_source(g, &i);
    if (g->rule == GOAL_SUM && g->sum.sums)
        return accept_accumulation_order(&g->sum.sums[i],
                                         dtype_unit(g->value->shape->dtype));
    return g->rule == GOAL_RANGE && g->range.order ? g->range.order[i] : -1;
}

void goal_or(struct goal *g, int64_t i, uint64_t bits)
{
    struct goal_other *other = arena_new(g->arena, struct goal_other, 1);
    if (!g->unit_others)
        g->unit_others = arena_new(g->arena, struct goal_other *,
                                   (size_t)literal_units(g->value));
    *other = (struct goal_other){i, bits, g->others, g->unit_others[i]};
    g->others = g->unit_others[i] = other;
}

const struct goal_other *goal_others(const struct goal *g, int64_t i)
{
    g = goal_source(g, &i);
    return g->unit_others ? g->unit_others[i] : NULL;
}

void goal_only(struct goal *g)
{
    g->others = NULL;
    g->unit_others = NULL;
}

static void mark(struct goal *g, unsigned char **units, int64_t i)
{
    if (!*units)
        *units =
            arena_new(g->arena, unsigned char, (size_t)literal_units(g->value));
    (*units)[i] = 1;
}

void goal_free_unit(struct goal *g, int64_t i)
{
    mark(g, &g->free_units, i);
}

void goal_nan_unit(struct goal *g, int64_t i)
{
    mark(g, &g->nan_units, i);
}

void goal_take(struct goal *g, int64_t i, const struct goal *from, int64_t at)
{
    assert(g->rule == GOAL_MOVED);
    from = from ? goal_source(from, &at) : NULL;
    assert(!from || from->rule != GOAL_CHECK);
    if (!g->sources)
        g->sources = arena_new(g->arena, struct goal_source,
                               (size_t)literal_units(g->value));
    if (from && from->sources) /* it was given */
        from = NULL;
    g->sources[i] = (struct goal_source){from, at};
}

void goal_decided(struct goal *g)
{
    if (g->rule != GOAL_MOVED)
        return;
    g->computed = true;
    if (!g->sources)
        return;
    struct goal *copy = goal_of(g->arena, g->value, GOAL_MOVED);
    copy->computed = true;
    for (int64_t i = 0, n = literal_units(g->value); i < n; i++)
        if (!g->sources[i].goal)
            g->sources[i] = (struct goal_source){copy, i};
}

void goal_kept_unit(struct goal *g, int64_t i)
{
    mark(g, &g->kept_units, i);
}

void goal_exact_unit(struct goal *g, int64_t i)
{
    assert(g->rule == GOAL_REAL);
    mark(g, &g->real.exact_units, i);
}

void goal_cancelled_unit(struct goal *g, int64_t i)
{
    assert(g->rule == GOAL_REAL);
    mark(g, &g->real.cancelled_units, i);
}

void goal_either_unit(struct goal *g, int64_t i)
{
    enum dtype unit = unit_of(g);
    uint64_t sign = real_formats[unit].sign;
    assert(g->rule == GOAL_REAL);
    mark(g, &g->real.either_units, i);
    goal_or(g, i, literal_get(g->value, i) ^ sign);
}

void goal_unit_budget(struct goal *g, int64_t i,
                      const struct accept_budget *budget)
{
    assert(g->rule == GOAL_REAL);
    if (!g->real.unit_budgets)
        g->real.unit_budgets = arena_new(g->arena, const struct accept_budget *,
                                         (size_t)literal_units(g->value));
    g->real.unit_budgets[i] = budget;
}

const struct accept_budget *goal_budget(const struct goal *g, int64_t i,
                                        const struct accept_budget *usual)
{
    static const struct accept_budget nearest = {.kind = ACCEPT_CR};
    if (g->real.exact_units && g->real.exact_units[i])
        return &nearest;
    return g->real.unit_budgets && g->real.unit_budgets[i]
               ? g->real.unit_budgets[i]
               : usual;
}
