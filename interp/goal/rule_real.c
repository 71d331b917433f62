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

#include "gen/policy/convert_nan_to_finite.h"
#include "interp/exact/accept_bound.h"
#include "interp/goal/rule.h"

/* A NaN where the type has none: no document specifies the replacement. */
static bool is_unsayable(const struct rule_basis *b, const struct goal *g,
                         int64_t i)
{
    enum dtype unit = rule_unit(g);
    return g->real.y[i].kind == REAL_NAN && dtype_class(unit) == DTYPE_FLOAT
           && !real_has_nan(unit)
           && profile_convert_nan_to_finite_is_any(b->profile);
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

const char *rule_real_words(struct arena *a, const struct rule_basis *b,
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

/* x = max(x, a * b), rounded up. */
static void reach_product(mpfr_ptr x, const struct real *a, mpfr_srcptr b)
{
    ACCEPT_BOUND(y);
    accept_bound_above(y, a);
    mpfr_mul(y, y, b, MPFR_RNDU);
    mpfr_max(x, x, y, MPFR_RNDU);
}

void rule_real_norm(mpfr_ptr far, const struct accept_budget *budget,
                    enum dtype unit, mpfr_srcptr size)
{
    const struct dtype_info *t = &dtype_table[unit];
    ACCEPT_BOUND(x);
    mpfr_set_ui(far, 0, MPFR_RNDN);
    reach_product(far, &budget->rel, size);
    mpfr_set_ui(x, 1, MPFR_RNDN);
    reach_product(far, &budget->abs, x);
    mpfr_set_ui_2exp(x, 1, t->emin, MPFR_RNDN);
    mpfr_max(x, x, size, MPFR_RNDU);
    mpfr_mul_2si(x, x, 1 - t->precision, MPFR_RNDU);
    reach_product(far, &budget->ulps, x);
}

static struct real real_of(mpfr_srcptr x, bool zero_negative)
{
    bool negative = mpfr_zero_p(x) ? zero_negative : mpfr_signbit(x) != 0;
    struct real r = real_from_mpfr(x, 0);
    r.negative = negative;
    return r;
}

/* Extend e to what is allowed for a part of a complex number, whatever the
 * other part is: y and the budget's distance for the whole number. */
static bool ends_by_norm(struct goal_ends *e,
                         const struct accept_budget *budget,
                         const struct goal *g, int64_t i)
{
    enum dtype unit = rule_unit(g);
    const struct real *y = &g->real.y[i & ~INT64_C(1)], *part = &g->real.y[i];
    bool zero = part->kind == REAL_ZERO
                && !(g->real.cancelled_units && g->real.cancelled_units[i]);
    if (budget->kind != ACCEPT_ULP || zero || y[0].kind > REAL_FINITE
        || y[1].kind > REAL_FINITE)
        return true;
    ACCEPT_BRACKET(own);
    ACCEPT_BOUND(far);
    ACCEPT_BOUND(other);
    accept_bound_above(far, &y[0]);
    accept_bound_above(other, &y[1]);
    mpfr_hypot(other, far, other, MPFR_RNDU);
    rule_real_norm(far, budget, unit, other);
    accept_bound_magnitude(&own, part);
    mpfr_sub(own.low, own.low, far, MPFR_RNDD);
    mpfr_add(own.high, own.high, far, MPFR_RNDU);
    if (part->negative) {
        mpfr_neg(own.low, own.low, MPFR_RNDN);
        mpfr_neg(own.high, own.high, MPFR_RNDN);
        mpfr_swap(own.low, own.high);
    }
    struct real low = real_of(own.low, true), high = real_of(own.high, false);
    return goal_ends_widen(e, unit, real_round_down(&low, unit))
           && goal_ends_widen(e, unit, real_round_up(&high, unit));
}

static bool ends(struct goal_ends *e, const struct rule_basis *b,
                 const struct goal *g, int64_t i, const char **why)
{
    enum dtype unit = rule_unit(g);
    uint64_t value = literal_get(g->value, i);
    if (dtype_class(unit) != DTYPE_FLOAT || !g->real.y)
        return rule_bits_point(e, b, g, i, why);
    if (rule_is_beyond(b, unit, &g->real.y[i], why))
        return false;
    const struct accept_budget *budget = goal_budget(g, i, b->budget);
    return ends_by(e, b, budget, unit, &g->real.y[i], value)
           && (!b->norm || ends_by_norm(e, budget, g, i));
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
                               .varies = rule_real_varies,
                               .ends = ends};
