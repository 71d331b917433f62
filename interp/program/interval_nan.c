/* interval_nan.c - see interval.h.  Tests: test_evaluate.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The instruction is evaluated again with other patterns in the places of such
 * NaNs: the ends of the total order, between which all others are.  Where a
 * result is a NaN each time it is one of them; no other result may change.
 */
#include "interp/goal/rule.h"
#include "interp/program/interval.h"

/* The greatest or the least of the total order, as the profile lets them be. */
static uint64_t pattern(const struct profile *p, enum dtype unit, bool least)
{
    uint64_t nan = real_nan(unit, least);
    uint64_t fraction = (UINT64_C(1) << (dtype_table[unit].precision - 1)) - 1;
    bool payload = profile_rules(p, unit).nan < ACCEPT_NAN_CANONICAL;
    return payload && real_is_nan(unit, nan | fraction) ? nan | fraction : nan;
}

static bool has_patterns(const struct profile *p, enum dtype unit)
{
    return dtype_class(unit) == DTYPE_FLOAT && real_has_nan(unit)
           && profile_rules(p, unit).nan != ACCEPT_NAN_PAYLOAD
           && pattern(p, unit, false) != pattern(p, unit, true);
}

static bool is_open(const struct goal *g, enum dtype unit, int64_t i)
{
    if (!real_is_nan(unit, literal_get(g->value, i)))
        return false;
    g = goal_source(g, &i);
    return !rule_keeps(g, i) || (g->nan_units && g->nan_units[i]);
}

static bool any_open(const struct profile *p, const struct goal *g)
{
    enum dtype unit = dtype_unit(g->value->shape->dtype);
    if (g->rule == GOAL_CHECK || g->rule == GOAL_FREE
        || (g->rule == GOAL_MOVED && !g->nan_units && !g->sources)
        || !has_patterns(p, unit))
        return false;
    for (int64_t i = 0, n = literal_units(g->value); i < n; i++)
        if (is_open(g, unit, i))
            return true;
    return false;
}

bool interval_nan_open(const struct profile *profile,
                       const struct outcome *value)
{
    for (int i = 0; value->goals && i < value->count; i++)
        if (value->goals[i] && any_open(profile, value->goals[i]))
            return true;
    return false;
}

bool interval_nan_again(const struct eval *evs, int count,
                        struct literal *const *values, struct eval *again,
                        struct status *st)
{
    int n = evs[0].count;
    for (int r = 0; r < count; r++) {
        again[r] = evs[r];
        struct eval *ev = &again[r];
        struct arena *a = ev->arena;
        const struct literal **operands =
            arena_new(a, const struct literal *, (size_t)n);
        struct outcome *outcomes = arena_new(a, struct outcome, (size_t)n);
        const struct outcome **list =
            arena_new(a, const struct outcome *, (size_t)n);
        for (int k = 0; k < n; k++) {
            struct literal *other = values[r * n + k];
            outcomes[k] = *evs[r].outcomes[k];
            if (other)
                outcomes[k] = (struct outcome){.value = other};
            list[k] = &outcomes[k];
            operands[k] = outcomes[k].value;
        }
        ev->operands = operands;
        ev->outcomes = list;
        ev->out = (struct outcome){0};
    }
    const struct op *op = evs[0].in->op;
    if (op->eval_group)
        return op->eval_group(again, count, st);
    for (int r = 0; r < count; r++)
        TRY(op->eval(&again[r], st));
    return true;
}

bool interval_nan_try(struct eval *evs, int count,
                      const struct interval_trial *trial, struct status *st)
{
    struct arena *a = evs[0].arena;
    int n = evs[0].count;
    struct literal **values =
        arena_new(a, struct literal *, (size_t)count * (size_t)n);
    struct eval *again = arena_new(a, struct eval, (size_t)count);
    for (int pass = 0; pass < trial->passes; pass++) {
        for (int i = 0; i < count * n; i++)
            values[i] = trial->patterns(&evs[i / n], i % n, pass);
        TRY(interval_nan_again(evs, count, values, again, st));
        for (int r = 0; r < count; r++)
            TRY(trial->compare(&evs[r], &again[r], st));
    }
    return true;
}

enum {
    PASSES = 4 /* all of one pattern or the other; both in turn, twice */
};

/* The operand with other NaNs, or NULL if it has none that are open. */
static struct literal *with_patterns(const struct eval *ev, int operand,
                                     int pass)
{
    const struct profile *p = ev->machine->profile;
    const struct outcome *o = ev->outcomes[operand];
    if (!o->goals || o->count != 1 || !o->goals[0] || !any_open(p, o->goals[0]))
        return NULL;
    struct literal *to = literal_copy(ev->arena, o->value);
    enum dtype unit = dtype_unit(to->shape->dtype);
    for (int64_t i = 0, n = literal_units(to), open = operand; i < n; i++)
        if (is_open(o->goals[0], unit, i)) {
            bool turn = pass >= 2 && (open++ & 1);
            literal_set(to, i, pattern(p, unit, (pass & 1) != turn));
        }
    return to;
}

static bool is_nan(enum dtype unit, uint64_t bits)
{
    return dtype_class(unit) == DTYPE_FLOAT && real_is_nan(unit, bits);
}

static bool fail(const struct eval *ev, struct status *st)
{
    return FAIL(st, UNSUPPORTED,
                "inadmissible: the result of %s depends on the bits of a NaN, "
                "which are not determined",
                ev->in->op->name);
}

/* Note which NaNs of a result are others now. */
static bool compare_goals(const struct eval *ev, const struct eval *again,
                          struct status *st)
{
    for (int k = 0; k < ev->out.count; k++) {
        struct goal *g = ev->out.goals[k];
        if (!g || g->rule == GOAL_FREE)
            continue;
        const struct literal *other = again->out.goals[k]->value;
        enum dtype unit = dtype_unit(other->shape->dtype);
        for (int64_t i = 0, n = literal_units(other); i < n; i++) {
            uint64_t x = literal_get(g->value, i), y = literal_get(other, i);
            if (x == y)
                continue;
            if (g->rule == GOAL_CHECK || !is_nan(unit, x) || !is_nan(unit, y))
                return fail(ev, st);
            goal_nan_unit(g, i);
        }
    }
    return true;
}

bool interval_nan_propagate(struct eval *evs, int count, struct status *st)
{
    int n = evs[0].count;
    bool any = false;
    for (int r = 0; r < count && !any; r++)
        for (int k = 0; k < n && !any; k++)
            any =
                interval_nan_open(evs[r].machine->profile, evs[r].outcomes[k]);
    if (!any)
        return true;
    static const struct interval_trial trial = {PASSES, with_patterns,
                                                compare_goals};
    return interval_nan_try(evs, count, &trial, st);
}
