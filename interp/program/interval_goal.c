/* interval_goal.c - see interval_goal.h; interval.c carries the ends on.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/interval_goal.h"

#include <string.h>

static bool is_float(enum dtype unit)
{
    return dtype_class(unit) == DTYPE_FLOAT;
}

bool interval_goal_before(enum dtype unit, uint64_t a, uint64_t b)
{
    return real_key(unit, a) < real_key(unit, b);
}

bool interval_goal_widen(struct interval_ends *e, enum dtype unit,
                         uint64_t bits)
{
    bool nan = is_float(unit) && real_is_nan(unit, bits);
    if (is_float(unit) && nan != real_is_nan(unit, e->low))
        return false;
    if (nan)
        return true;
    if (interval_goal_before(unit, bits, e->low))
        e->low = bits;
    if (interval_goal_before(unit, e->high, bits))
        e->high = bits;
    return true;
}

static bool ends_of_set(const struct accept_set *set, enum dtype unit,
                        uint64_t value, struct interval_ends *e)
{
    *e = (struct interval_ends){value, value};
    if (set->any)
        return false;
    if (set->nan)
        return set->count == 0 && real_is_nan(unit, value);
    for (int i = 0; i < set->count; i++)
        if (!interval_goal_widen(e, unit,
                                 real_from_key(unit, set->range[i].low))
            || !interval_goal_widen(e, unit,
                                    real_from_key(unit, set->range[i].high)))
            return false;
    return true;
}

/* Is a result handed on that is not yet rounded, fused or in a wider type? */
static bool is_wider(const struct profile *p)
{
    return profile_takes(p, CHOICE_ARITHMETIC_CONTRACTION_ACCEPT)
           || profile_takes(p, CHOICE_ARITHMETIC_EXCESS_PRECISION_ACCEPT);
}

/* Make e reach to the neighbours of y, between which it lies. */
static bool take_in(struct interval_ends *e, enum dtype unit,
                    const struct real *y)
{
    return y->kind != REAL_FINITE
           || (interval_goal_widen(e, unit, real_round_down(y, unit))
               && interval_goal_widen(e, unit, real_round_up(y, unit)));
}

/* What a profile says of the units of one goal. */
struct basis {
    const struct profile *profile;
    struct accept_rules rules;
    const struct accept_budget *budget;
    bool wider;
    bool corner; /* its operands are the ends of others */
};

static struct basis basis_of(const struct profile *p, const struct goal *g,
                             bool corner)
{
    static const struct accept_budget nearest = {.kind = ACCEPT_CR};
    enum dtype unit = dtype_unit(g->value->shape->dtype);
    struct basis b = {p, profile_rules(p, unit), &nearest, is_wider(p),
                      corner && g->unit_budgets};
    b.rules.clip = g->clip;
    b.rules.low = g->clip_low;
    b.rules.high = g->clip_high;
    if (g->has_budget)
        b.budget = &g->budget;
    else if (g->accuracy)
        b.budget = profile_budget(p, g->accuracy, unit, NULL);
    return b;
}

/* The ends that a budget allows for a real result. */
static bool ends_of_real(const struct basis *b,
                         const struct accept_budget *budget, enum dtype unit,
                         const struct real *y, uint64_t value,
                         struct interval_ends *e)
{
    struct accept_set set = {0};
    accept_value(&set, unit, y, value, budget, &b->rules);
    return ends_of_set(&set, unit, value, e)
           && (!b->wider || take_in(e, unit, y));
}

/* Make e reach to what each of the budgets of the goal's class allows. */
static bool take_all(const struct basis *b, const struct goal *g,
                     const struct real *y, uint64_t value,
                     struct interval_ends *e)
{
    enum dtype unit = dtype_unit(g->value->shape->dtype);
    const struct accept_budget *budget;
    for (int n = 0;
         (budget = profile_budget_nth(b->profile, g->accuracy, unit, n, NULL));
         n++) {
        struct interval_ends more;
        if (!ends_of_real(b, budget, unit, y, value, &more)
            || !interval_goal_widen(e, unit, more.low)
            || !interval_goal_widen(e, unit, more.high))
            return false;
    }
    return true;
}

/* May a result that is one of the operands, or its negative, be flushed?  Where
 * operands may be, too, the next operation takes it for zero (judge_ways.h). */
static bool flushes_bits(const struct accept_rules *rules, enum dtype unit)
{
    return dtype_class(unit) == DTYPE_FLOAT
           && rules->subnormal & ACCEPT_FLUSH_RESULTS
           && !(rules->subnormal & ACCEPT_FLUSH_OPERANDS)
           && real_formats[unit].sign != 0;
}

static bool is_flushable(const struct goal *g, enum dtype unit, int64_t i)
{
    return g->rule == GOAL_BITS
           && real_is_subnormal(unit, literal_get(g->value, i));
}

/* Make e reach to what a flushed number becomes. */
static bool take_zeros(const struct basis *b, enum dtype unit,
                       struct interval_ends *e)
{
    bool negative = real_is_negative(unit, e->low);
    bool any = b->rules.subnormal & ACCEPT_FLUSH_ANY_SIGN;
    return interval_goal_widen(e, unit, real_zero(unit, negative))
           && (!any
               || interval_goal_widen(e, unit, real_zero(unit, !negative)));
}

/* The ends that a rule allows unit i. */
static bool ends_of_unit(const struct basis *b, const struct goal *g, int64_t i,
                         struct interval_ends *e)
{
    enum dtype unit = dtype_unit(g->value->shape->dtype);
    uint64_t value = literal_get(g->value, i);
    struct accept_set set = {0};
    *e = (struct interval_ends){value, value};
    if (flushes_bits(&b->rules, unit) && is_flushable(g, unit, i))
        return take_zeros(b, unit, e);
    if (!is_float(unit) || (g->rule != GOAL_REAL && g->rule != GOAL_SUM))
        return true;
    if (g->rule == GOAL_REAL)
        return ends_of_real(b, goal_budget(g, i, b->budget), unit, &g->y[i],
                            value, e)
               && (!b->corner || take_all(b, g, &g->y[i], value, e));
    if (g->nan_units && g->nan_units[i])
        return false;
    accept_accumulation(&set, unit, &g->sums[i], value, &b->rules);
    return ends_of_set(&set, unit, value, e);
}

/* Are the ends one value? */
static bool is_point(const struct goal *g)
{
    size_t bytes = (size_t)shape_bytes(g->value->shape);
    return memcmp(g->low->data, g->high->data, bytes) == 0
           && memcmp(g->low->data, g->value->data, bytes) == 0;
}

static bool is_rounded(const struct goal *g)
{
    return g->rule == GOAL_REAL || g->rule == GOAL_SUM;
}

/* Has it an exact result that may be flushed? */
static bool any_flushable(const struct profile *p, const struct goal *g)
{
    enum dtype unit = dtype_unit(g->value->shape->dtype);
    if (g->rule != GOAL_BITS || !is_float(unit))
        return false;
    struct accept_rules rules = profile_rules(p, unit);
    int64_t n = flushes_bits(&rules, unit) ? literal_units(g->value) : 0;
    for (int64_t i = 0; i < n; i++)
        if (is_flushable(g, unit, i))
            return true;
    return false;
}

bool interval_goal_settled(const struct profile *profile, const struct goal *g)
{
    bool open =
        g
        && (any_flushable(profile, g) || g->rule == GOAL_FREE
            || g->rule == GOAL_CHECK || g->rule == GOAL_RANGE || g->free_units
            || g->others || (is_rounded(g) && g->want_exact));
    return !open;
}

/* The ends of a goal that is judged unit by unit. */
static bool ends_of_units(struct arena *a, const struct profile *profile,
                          bool corner, const struct goal *g,
                          struct literal **low, struct literal **high,
                          const char **why)
{
    bool differ = false;
    enum dtype unit = dtype_unit(g->value->shape->dtype);
    const struct basis basis = basis_of(profile, g, corner);
    struct literal *l = literal_copy(a, g->value);
    struct literal *h = literal_copy(a, g->value);
    *why = "may be a NaN or a number";
    for (int64_t i = 0, n = literal_units(g->value); i < n; i++) {
        struct interval_ends e;
        if (!ends_of_unit(&basis, g, i, &e))
            return false;
        literal_set(l, i, e.low);
        literal_set(h, i, e.high);
        differ = differ || e.low != e.high;
    }
    for (const struct goal_other *o = g->others; o; o = o->next) {
        struct interval_ends e = {literal_get(l, o->unit),
                                  literal_get(h, o->unit)};
        if (!interval_goal_widen(&e, unit, o->bits))
            return false;
        literal_set(l, o->unit, e.low);
        literal_set(h, o->unit, e.high);
        differ = differ || e.low != e.high;
    }
    if (differ) {
        *low = l;
        *high = h;
    }
    return true;
}

static bool ends_of_goal(struct arena *a, const struct profile *profile,
                         bool corner, const struct goal *g,
                         struct literal **low, struct literal **high,
                         const char **why)
{
    *low = *high = NULL;
    if (interval_goal_settled(profile, g))
        return true;
    if (g->rule == GOAL_FREE || g->rule == GOAL_CHECK || g->free_units) {
        *why = "may be any of several values";
        return false;
    }
    if (g->rule == GOAL_RANGE) {
        if (is_point(g))
            return true;
        *low = g->low;
        *high = g->high;
        return true;
    }
    if (g->complex_norm && is_rounded(g)) {
        *why = "is judged by the norm of a complex number";
        return false;
    }
    return ends_of_units(a, profile, corner, g, low, high, why);
}

bool interval_goal_ends(struct arena *a, const struct profile *profile,
                        const struct goal *g, struct literal **low,
                        struct literal **high, const char **why)
{
    return ends_of_goal(a, profile, false, g, low, high, why);
}

bool interval_goal_corner(struct arena *a, const struct profile *profile,
                          const struct goal *g, struct literal **low,
                          struct literal **high, const char **why)
{
    return ends_of_goal(a, profile, true, g, low, high, why);
}

bool interval_goal_include(struct interval_ends *e,
                           const struct profile *profile, const struct goal *g,
                           const struct real *y)
{
    enum dtype unit = dtype_unit(g->value->shape->dtype);
    struct basis basis = basis_of(profile, g, true);
    uint64_t value = real_round(y, unit, REAL_OVERFLOW_TYPE);
    struct interval_ends more;
    if (basis.corner)
        return take_all(&basis, g, y, value, e);
    return ends_of_real(&basis, basis.budget, unit, y, value, &more)
           && interval_goal_widen(e, unit, more.low)
           && interval_goal_widen(e, unit, more.high);
}

bool interval_goal_exact(struct arena *a, const struct profile *profile,
                         const struct outcome *out)
{
    for (int i = 0; out->goals && i < out->count; i++) {
        struct literal *low, *high;
        const char *why;
        if (!interval_goal_ends(a, profile, out->goals[i], &low, &high, &why)
            || low)
            return false;
    }
    return true;
}
