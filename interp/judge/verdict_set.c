/* verdict_set.c - see verdict_set.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/judge/verdict_set.h"

#include <string.h>

static void set_bits(struct accept_set *set, enum dtype unit, uint64_t value,
                     const struct accept_rules *rules)
{
    accept_bits(set, unit, value);
    if (dtype_class(unit) != DTYPE_FLOAT)
        return;
    if (real_is_nan(unit, value)) {
        memset(set, 0, sizeof *set);
        set->nan = true;
        set->nan_rule = rules->nan;
        set->nan_bits = value;
    } else if (real_is_subnormal(unit, value)
               && rules->subnormal & ACCEPT_FLUSH_RESULTS) {
        bool negative = real_is_negative(unit, value);
        accept_add(set, unit, real_zero(unit, negative));
        if (rules->subnormal & ACCEPT_FLUSH_ANY_SIGN)
            accept_add(set, unit, real_zero(unit, !negative));
    }
}

/* Both zeros, where a zero is due and a policy lets it have either sign. */
static void add_zeros(struct accept_set *set, enum dtype unit, uint64_t value,
                      const struct accept_rules *rules)
{
    if (rules->zero_any_sign && dtype_class(unit) == DTYPE_FLOAT
        && real_is_zero(unit, value) && real_has_negative_zero(unit)) {
        accept_add(set, unit, real_zero(unit, false));
        accept_add(set, unit, real_zero(unit, true));
    }
}

/* Any NaN beside a sum. */
static void add_nan(struct accept_set *set, enum dtype unit,
                    const struct goal *g, int64_t i,
                    const struct accept_rules *rules)
{
    if (!g->nan_units || !g->nan_units[i] || set->nan)
        return;
    set->nan = true;
    set->nan_rule = rules->nan;
    set->nan_bits = real_nan(unit, false);
}

/* A number between low and high may be subnormal, and so flushed. */
static void add_flushed(struct accept_set *set, enum dtype unit, uint64_t low,
                        uint64_t high, const struct accept_rules *rules)
{
    uint64_t normal = real_min_normal(unit), sign = real_formats[unit].sign;
    int64_t first = real_key(unit, low), last = real_key(unit, high);
    bool any = rules->subnormal & ACCEPT_FLUSH_ANY_SIGN;
    if (!(rules->subnormal & ACCEPT_FLUSH_RESULTS) || sign == 0)
        return;
    bool up = last > real_key(unit, 0) && first < real_key(unit, normal);
    bool down = first < real_key(unit, real_zero(unit, true))
                && last > real_key(unit, normal | sign);
    if (up || (down && any))
        accept_add(set, unit, real_zero(unit, false));
    if (down || (up && any))
        accept_add(set, unit, real_zero(unit, true));
}

static void set_range(struct accept_set *set, enum dtype unit,
                      const struct goal *g, int64_t i, uint64_t value,
                      const struct accept_rules *rules)
{
    uint64_t low = literal_get(g->low, i), high = literal_get(g->high, i);
    if (verdict_set_is_nan(unit, value) || verdict_set_is_nan(unit, low)
        || verdict_set_is_nan(unit, high)) {
        set_bits(set, unit, value, rules);
        return;
    }
    memset(set, 0, sizeof *set);
    set->count = 1;
    set->range[0].low = real_key(unit, low);
    set->range[0].high = real_key(unit, high);
    if (dtype_class(unit) == DTYPE_FLOAT)
        add_flushed(set, unit, low, high, rules);
    add_zeros(set, unit, value, rules);
}

struct verdict_set_basis verdict_set_basis(const struct profile *p,
                                           const struct goal *g)
{
    static const struct accept_budget correctly_rounded = {.kind = ACCEPT_CR};
    struct verdict_set_basis b = {.budget = &correctly_rounded,
                                  .rules =
                                      profile_rules(p, verdict_set_unit(g))};
    if (g->has_budget)
        b.budget = &g->budget;
    else if (g->accuracy)
        b.budget = profile_budget(p, g->accuracy, verdict_set_unit(g), NULL);
    if (g->clip) {
        b.rules.clip = true;
        b.rules.low = g->clip_low;
        b.rules.high = g->clip_high;
    }
    b.norm = g->complex_norm && g->rule == GOAL_REAL && g->y
             && profile_takes(p, CHOICE_COMPLEX_ACCURACY_NORM);
    b.unsayable = g->rule == GOAL_REAL && g->y
                  && dtype_class(verdict_set_unit(g)) == DTYPE_FLOAT
                  && !real_has_nan(verdict_set_unit(g))
                  && profile_takes(p, CHOICE_CONVERT_NAN_TO_FINITE_ANY);
    return b;
}

/* A NaN where the type has none: no document says what comes instead. */
static bool is_unsayable(const struct verdict_set_basis *b,
                         const struct goal *g, int64_t i)
{
    return b->unsayable && g->y[i].kind == REAL_NAN;
}

static void value_set(struct accept_set *set, const struct verdict_set_basis *b,
                      const struct goal *g, int64_t i,
                      const struct accept_rules *rules)
{
    enum dtype unit = verdict_set_unit(g);
    uint64_t value = literal_get(g->value, i);
    const struct accept_budget *budget = goal_budget(g, i, b->budget);
    accept_value(set, unit, &g->y[i], value, budget, rules);
    if (!g->either_units || !g->either_units[i])
        return;
    struct accept_set other;
    struct real turned = g->y[i];
    turned.negative = !turned.negative;
    accept_value(&other, unit, &turned, value ^ real_formats[unit].sign, budget,
                 rules);
    accept_union(set, &other);
}

void verdict_set_of(struct accept_set *set, const struct verdict_set_basis *b,
                    const struct goal *g, int64_t i,
                    const struct accept_rules *rules)
{
    enum dtype unit = verdict_set_unit(g);
    uint64_t value = literal_get(g->value, i);
    if (is_unsayable(b, g, i)) {
        memset(set, 0, sizeof *set);
        set->any = true;
        return;
    }
    switch (g->rule) {
    case GOAL_REAL:
        if (g->y) {
            value_set(set, b, g, i, rules);
            return;
        }
        break;
    case GOAL_SUM:
        if (g->sums) {
            accept_accumulation(set, unit, &g->sums[i], value, rules);
            add_nan(set, unit, g, i, rules);
            return;
        }
        break;
    case GOAL_RANGE:
        set_range(set, unit, g, i, value, rules);
        return;
    case GOAL_MOVED:
    case GOAL_CHECK:
        accept_bits(set, unit, value);
        if (g->nan_units && g->nan_units[i])
            set_bits(set, unit, value, rules);
        return;
    case GOAL_FREE:
        memset(set, 0, sizeof *set);
        set->any = true;
        return;
    case GOAL_BITS:
        break;
    }
    set_bits(set, unit, value, rules);
    add_zeros(set, unit, value, rules);
}
/* Is unit i judged with its other half?  Not where a part is infinite or NaN,
 * nor a part that is exactly zero: that is this zero, whatever stands beside
 * it, unless it is a difference that a rounded term does not cancel. */
static bool by_norm(const struct verdict_set_basis *b, const struct goal *g,
                    const struct literal *got, int64_t i, uint64_t z[2])
{
    enum dtype unit = verdict_set_unit(g);
    int64_t first = i & ~INT64_C(1);
    if (!b->norm)
        return false;
    for (int k = 0; k < 2; k++) {
        z[k] = literal_get(got, first + k);
        if (g->y[first + k].kind > REAL_FINITE || !real_is_finite(unit, z[k]))
            return false;
    }
    return g->y[i].kind != REAL_ZERO
           || (g->cancelled_units && g->cancelled_units[i]);
}

/* The two parts of a complex number together, where all of them are finite. */
bool verdict_set_norm(const struct verdict_set_basis *b, const struct goal *g,
                      const struct literal *got, int64_t i)
{
    enum dtype unit = verdict_set_unit(g);
    uint64_t z[2];
    return by_norm(b, g, got, i, z)
           && verdict_norm(&g->y[i & ~INT64_C(1)], z, unit,
                           goal_budget(g, i, b->budget));
}

/* All that is right for unit i beside the part of got that is not asked for:
 * what its own budget allows, and what the whole number's does. */
void verdict_set_whole(struct accept_set *set,
                       const struct verdict_set_basis *b, const struct goal *g,
                       const struct literal *got, int64_t i)
{
    enum dtype unit = verdict_set_unit(g);
    struct accept_set slice;
    uint64_t z[2];
    verdict_set_of(set, b, g, i, &b->rules);
    if (by_norm(b, g, got, i, z)
        && verdict_norm_set(&slice, &g->y[i & ~INT64_C(1)], z, (int)(i & 1),
                            unit, goal_budget(g, i, b->budget)))
        accept_union(set, &slice);
}

const char *verdict_set_words(struct arena *a,
                              const struct verdict_set_basis *b,
                              const struct goal *g)
{
    static const char *const kinds[] = {[ACCEPT_EXACT] = "exact",
                                        [ACCEPT_CR] = "correctly rounded",
                                        [ACCEPT_FAITHFUL] = "faithful",
                                        [ACCEPT_ULP] = "within ulps",
                                        [ACCEPT_XLA] = "within XLA's tolerance",
                                        [ACCEPT_ANY] = "any"};
    switch (g->rule) {
    case GOAL_REAL:
        return arena_printf(
            a, "%s%s%s%s%s",
            g->unit_budgets ? "by the operands" : kinds[b->budget->kind],
            b->norm ? " of the whole number" : "", g->accuracy ? " (" : "",
            g->accuracy ? g->accuracy : "", g->accuracy ? ")" : "");
    case GOAL_SUM:
        return "accumulation";
    case GOAL_RANGE:
        return "interval";
    case GOAL_CHECK:
        return "predicate";
    case GOAL_FREE:
        return "any";
    case GOAL_BITS:
    case GOAL_MOVED:
        break;
    }
    return "exact";
}
