/* interval_goal.c - see interval_goal.h; interval.c carries the ends on.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tests: test_evaluate.c, test_interval.c.
 */
#include "interp/program/interval_goal.h"

#include "interp/goal/rule.h"
#include "interp/program/uses.h"
#include "interp/specification/flush.h"

bool interval_goal_settled(const struct profile *profile, const struct goal *g)
{
    if (!g)
        return true;
    const struct rule *rule = rule_of(g);
    return !(rule->varies && rule->varies(profile, g)) && !g->free_units
           && !g->others;
}

/* The ends of unit i, with what other patterns (goal_or) add to them. */
static bool ends_of_unit(struct goal_ends *e, const struct rule_basis *basis,
                         const struct goal *g, int64_t i, const char **why)
{
    const struct rule_place at = rule_place(basis, g, i);
    *why = "may be any of several values";
    if (!at.rule->ends)
        return false;
    *why = "may be a NaN or a number";
    if (!at.rule->ends(e, &at.basis, at.goal, at.unit, why))
        return false;
    for (const struct goal_other *o = goal_others(g, i); o; o = o->same)
        if (!goal_ends_widen(e, rule_unit(g), o->bits))
            return false;
    return true;
}

/* unread: by unit, which may be taken for the value whatever they are; or NULL
 */
static bool ends_of_goal(struct arena *a, const struct rule_basis *basis,
                         const struct goal *g, const unsigned char *unread,
                         struct literal **low, struct literal **high,
                         const char **why)
{
    bool differ = false;
    *why = "may be any of several values";
    if (!rule_of(g)->ends || g->free_units)
        return false;
    struct literal *l = literal_copy(a, g->value);
    struct literal *h = literal_copy(a, g->value);
    for (int64_t i = 0, n = literal_units(g->value); i < n; i++) {
        struct goal_ends e;
        if (unread && unread[i])
            continue;
        if (!ends_of_unit(&e, basis, g, i, why))
            return false;
        literal_set(l, i, e.low);
        literal_set(h, i, e.high);
        differ = differ || e.low != e.high;
    }
    *low = differ ? l : NULL;
    *high = differ ? h : NULL;
    return true;
}

static bool find_ends(struct arena *a, const struct profile *profile,
                      const struct goal *g, const unsigned char *unread,
                      struct literal **low, struct literal **high,
                      const char **why)
{
    *low = *high = NULL;
    if (interval_goal_settled(profile, g))
        return true;
    struct rule_basis basis = rule_basis(profile, g);
    return ends_of_goal(a, &basis, g, unread, low, high, why);
}

bool interval_goal_ends(struct arena *a, const struct profile *profile,
                        const struct goal *g, struct literal **low,
                        struct literal **high, const char **why)
{
    return find_ends(a, profile, g, NULL, low, high, why);
}

/* The units of operand k that an instruction does not read; NULL: none. */
static const unsigned char *find_unread(const struct eval *ev, int k)
{
    const struct literal *l = ev->operands[k];
    if (!ev->in->op->reads || l->shape->kind != SHAPE_ARRAY)
        return NULL;
    int parts = dtype_units(l->shape->dtype);
    int64_t n = literal_units(l);
    unsigned char *unread = arena_new(ev->arena, unsigned char, (size_t)n + 1);
    for (int64_t i = 0; i < n; i++)
        unread[i] = !ev->in->op->reads(ev, k, i / parts);
    return unread;
}

/* Extend the ends of a value, which are NULL where it is exact, to the zeros
 * that a profile lets what is subnormal be taken for. */
static void spread(struct arena *a, const struct profile *profile,
                   const struct literal *value, struct literal **low,
                   struct literal **high)
{
    enum dtype unit = dtype_unit(value->shape->dtype);
    for (int i = 0; i < 4; i++) { /* each end, to each zero */
        const struct literal *end = !*low ? value : i & 1 ? *high : *low;
        const struct literal *zeros = flush_operand(a, profile, end, i < 2);
        if (zeros && !*low) {
            *low = literal_copy(a, value);
            *high = literal_copy(a, value);
        }
        for (int64_t u = 0, n = zeros ? literal_units(zeros) : 0; u < n; u++) {
            struct goal_ends e = {literal_get(*low, u), literal_get(*high, u)};
            uint64_t zero = literal_get(zeros, u);
            if (!real_is_zero(unit, zero) || !goal_ends_widen(&e, unit, zero))
                continue;
            literal_set(*low, u, e.low);
            literal_set(*high, u, e.high);
        }
    }
}

bool interval_goal_operand(const struct eval *ev, int k, struct literal **low,
                           struct literal **high, struct status *st)
{
    const struct outcome *o = ev->outcomes[k];
    const struct profile *profile = ev->machine->profile;
    const char *why;
    if (o->goals && o->value->shape->kind == SHAPE_TUPLE)
        return interval_goal_exact(ev->arena, profile, o)
               || FAIL(st, UNSUPPORTED,
                       "inadmissible: %s takes a tuple of inexact values",
                       ev->in->op->name);
    if (o->goals
        && !find_ends(ev->arena, profile, o->goals[0], find_unread(ev, k), low,
                      high, &why))
        return FAIL(st, UNSUPPORTED, "inadmissible: operand %d of %s %s", k,
                    ev->in->op->name, why);
    if (ev->spreads)
        spread(ev->arena, profile, o->value, low, high);
    return true;
}

void interval_goal_flush(const struct eval *ev, int k, struct literal **low,
                         struct literal **high)
{
    struct literal *flushed_low = *low ? uses_flushed(ev, k, *low) : NULL;
    struct literal *flushed_high = *low ? uses_flushed(ev, k, *high) : NULL;
    *low = flushed_low ? flushed_low : *low;
    *high = flushed_high ? flushed_high : *high;
}

struct goal *interval_goal_between(struct arena *a, struct literal *value,
                                   struct literal *low, struct literal *high)
{
    if (literal_equal(low, high))
        return NULL;
    struct goal *g = goal_of(a, value, GOAL_RANGE);
    g->range.low = low;
    g->range.high = high;
    return g;
}

struct outcome interval_goal_outcome(struct arena *a, struct literal *value,
                                     struct literal *low, struct literal *high)
{
    struct outcome o = {.value = value};
    struct goal *g = interval_goal_between(a, value, low, high);
    if (!g)
        return o;
    o.count = 1;
    o.goals = arena_new(a, struct goal *, 1);
    o.goals[0] = g;
    return o;
}

struct outcome interval_goal_element(struct arena *a,
                                     const struct literal *value,
                                     const struct literal *low,
                                     const struct literal *high, int64_t i)
{
    const struct literal *from[] = {value, low, high};
    struct literal *to[3];
    for (int k = 0; k < 3; k++) {
        to[k] = literal_new(a, shape_scalar(a, value->shape->dtype));
        literal_move(to[k], 0, from[k], i);
    }
    return interval_goal_outcome(a, to[0], to[1], to[2]);
}

struct outcome interval_goal_part(const struct outcome *out, int n, int k)
{
    return (struct outcome){.value =
                                n == 1 ? out->value : out->value->elements[k],
                            .goals = out->goals ? &out->goals[k] : NULL,
                            .count = out->goals ? 1 : 0};
}

bool interval_goal_widen(struct arena *a, const struct profile *profile,
                         const struct outcome *by, struct literal **low,
                         struct literal **high, const char *discrete,
                         const char **why)
{
    struct literal *ends[2] = {NULL, NULL};
    enum dtype unit = dtype_unit(by->value->shape->dtype);
    if (by->goals
        && !interval_goal_ends(a, profile, by->goals[0], &ends[0], &ends[1],
                               why))
        return false;
    if (!*low) {
        *low = literal_copy(a, ends[0] ? ends[0] : by->value);
        *high = literal_copy(a, ends[1] ? ends[1] : by->value);
        return true;
    }
    for (int64_t i = 0, n = literal_units(by->value); i < n; i++) {
        struct goal_ends e = {literal_get(*low, i), literal_get(*high, i)};
        for (int side = 0; side < 2; side++) {
            uint64_t bits = literal_get(ends[side] ? ends[side] : by->value, i);
            *why = discrete;
            if (dtype_class(unit) != DTYPE_FLOAT && bits != e.low)
                return false;
            *why = "may be a NaN or a number";
            if (!goal_ends_widen(&e, unit, bits))
                return false;
        }
        literal_set(*low, i, e.low);
        literal_set(*high, i, e.high);
    }
    return true;
}

const struct goal *interval_goal_by_unit(struct arena *a,
                                         const struct profile *profile,
                                         const struct goal *goal,
                                         const char **why)
{
    struct literal *low, *high;
    if (goal->rule != GOAL_CHECK)
        return goal;
    if (!interval_goal_ends(a, profile, goal, &low, &high, why))
        return NULL;
    struct goal *g =
        low ? interval_goal_between(a, goal->value, low, high) : NULL;
    return g ? g : goal_of(a, goal->value, GOAL_BITS);
}

bool interval_goal_include(struct goal_ends *e, const struct profile *profile,
                           const struct goal *g, const struct real *y)
{
    struct rule_basis basis = rule_basis(profile, g);
    return rule_real_include(e, &basis, g, y);
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
