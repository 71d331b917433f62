/* rule_real.c - GOAL_REAL: the rounding of an exact value, within the budget
 * of the function's class.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Without exact values (want_exact) only the reference's own pattern is known,
 * and that is what is allowed.
 *
 * Tests: test_judge_ways.c.
 */
#include <string.h>

#include "interp/goal/rule.h"

/* A NaN where the type has none: no document specifies the replacement. */
static bool is_unsayable(const struct rule_basis *b, const struct goal *g,
                         int64_t i)
{
    enum dtype unit = rule_unit(g);
    return g->real.y[i].kind == REAL_NAN && dtype_class(unit) == DTYPE_FLOAT
           && !real_has_nan(unit) && rule_frees_nan(b->profile);
}

static void allow(struct accept_set *set, const struct rule_basis *b,
                  const struct goal *g, int64_t i,
                  const struct accept_rules *rules)
{
    enum dtype unit = rule_unit(g);
    uint64_t value = literal_get(g->value, i);
    if (!g->real.y) {
        rule_bits.allow(set, b, g, i, rules);
        return;
    }
    if (is_unsayable(b, g, i)) {
        memset(set, 0, sizeof *set);
        set->any = true;
        return;
    }
    const struct accept_budget *budget = goal_budget(g, i, b->budget);
    accept_value(set, unit, &g->real.y[i], value, budget, rules);
    if (!g->real.either_units || !g->real.either_units[i])
        return;
    struct accept_set other;
    struct real turned = g->real.y[i];
    turned.negative = !turned.negative;
    accept_value(&other, unit, &turned, value ^ real_formats[unit].sign, budget,
                 rules);
    accept_union(set, &other);
}

static bool error(const struct goal *g, int64_t i, uint64_t got, int64_t *error)
{
    enum dtype unit = rule_unit(g);
    uint64_t value = literal_get(g->value, i);
    if (!g->real.y || g->real.y[i].kind > REAL_FINITE
        || !rule_is_finite(unit, got) || !rule_is_finite(unit, value))
        return false;
    *error = real_error(&g->real.y[i], unit, got);
    /* The reference itself is off by more than half an ulp only where the
     * exact value is beyond the type's range; that is not a rounding error. */
    int64_t own = real_error(&g->real.y[i], unit, value);
    return own <= 500000 && own >= -500000;
}

static const char *words(struct arena *a, const struct rule_basis *b,
                         const struct goal *g)
{
    static const char *const kinds[] = {[ACCEPT_EXACT] = "exact",
                                        [ACCEPT_CR] = "correctly rounded",
                                        [ACCEPT_FAITHFUL] = "faithful",
                                        [ACCEPT_ULP] = "within ulps",
                                        [ACCEPT_XLA] = "within XLA's tolerance",
                                        [ACCEPT_ANY] = "any"};
    const char *accuracy = g->real.accuracy;
    return arena_printf(
        a, "%s%s%s%s%s",
        g->real.unit_budgets ? "by the operands" : kinds[b->budget->kind],
        b->norm ? " of the whole number" : "", accuracy ? " (" : "",
        accuracy ? accuracy : "", accuracy ? ")" : "");
}

bool rule_real_varies(const struct profile *p, const struct goal *g)
{
    (void)p;
    return g->want_exact;
}

/* The ends that a budget allows; where results are wider, also the neighbours
 * of y, between which it lies. */
static bool ends_by(struct goal_ends *e, const struct rule_basis *b,
                    const struct accept_budget *budget, enum dtype unit,
                    const struct real *y, uint64_t value)
{
    struct accept_set set = {0};
    accept_value(&set, unit, y, value, budget, &b->rules);
    if (!goal_ends_of_set(e, &set, unit, value))
        return false;
    return y->kind != REAL_FINITE || !b->wider
           || (goal_ends_widen(e, unit, real_round_down(y, unit))
               && goal_ends_widen(e, unit, real_round_up(y, unit)));
}

/* Extend e to what each of the budgets of the goal's class allows. */
static bool take_all(struct goal_ends *e, const struct rule_basis *b,
                     const struct goal *g, const struct real *y, uint64_t value)
{
    enum dtype unit = rule_unit(g);
    const struct accept_budget *budget;
    for (int n = 0; (budget = profile_budget_nth(b->profile, g->real.accuracy,
                                                 unit, n, NULL));
         n++) {
        struct goal_ends more;
        if (!ends_by(&more, b, budget, unit, y, value)
            || !goal_ends_widen(e, unit, more.low)
            || !goal_ends_widen(e, unit, more.high))
            return false;
    }
    return true;
}

static bool ends(struct goal_ends *e, const struct rule_basis *b,
                 const struct goal *g, int64_t i, const char **why)
{
    enum dtype unit = rule_unit(g);
    uint64_t value = literal_get(g->value, i);
    if (g->real.complex_norm) {
        *why = "is judged by the norm of a complex number";
        return false;
    }
    if (dtype_class(unit) != DTYPE_FLOAT || !g->real.y)
        return rule_bits_point(e, b, g, i, why);
    return ends_by(e, b, goal_budget(g, i, b->budget), unit, &g->real.y[i],
                   value);
}

bool rule_real_include(struct goal_ends *e, const struct rule_basis *b,
                       const struct goal *g, const struct real *y)
{
    enum dtype unit = rule_unit(g);
    uint64_t value = real_round(y, unit, b->rules.overflow);
    struct goal_ends more;
    if (g->real.unit_budgets)
        return take_all(e, b, g, y, value);
    return ends_by(&more, b, b->budget, unit, y, value)
           && goal_ends_widen(e, unit, more.low)
           && goal_ends_widen(e, unit, more.high);
}

const struct rule rule_real = {.allow = allow,
                               .measure = RULE_ULPS,
                               .error = error,
                               .words = words,
                               .varies = rule_real_varies,
                               .ends = ends};
