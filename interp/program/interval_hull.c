/* interval_hull.c - see interval.h.  Tests: test_interval_ways.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "interp/data/show.h"
#include "interp/program/interval.h"
#include "interp/program/interval_goal.h"

static bool is_float(enum dtype unit)
{
    return dtype_class(unit) == DTYPE_FLOAT;
}

bool interval_hull_rounds(const struct goal *g)
{
    return g->rule == GOAL_REAL && g->real.y;
}

struct goal **interval_hull_start(struct eval *ev,
                                  struct interval_reach ***reach)
{
    *reach =
        arena_new(ev->arena, struct interval_reach *, (size_t)ev->out.count);
    struct goal **goals =
        arena_new(ev->arena, struct goal *, (size_t)ev->out.count);
    for (int i = 0; i < ev->out.count; i++) {
        struct goal *from = ev->out.goals[i];
        if (!from)
            continue;
        goals[i] = goal_of(ev->arena, from->value, GOAL_BITS);
        goal_make_range(goals[i]);
        if (interval_hull_rounds(from))
            (*reach)[i] = arena_new(ev->arena, struct interval_reach,
                                    (size_t)literal_units(from->value));
    }
    return goals;
}

bool interval_hull_fail(const struct eval *ev, struct status *st)
{
    return FAIL(st, UNSUPPORTED,
                "inadmissible: the result of %s may be a NaN or a number",
                ev->in->op->name);
}

static bool is_free(const struct goal *g, int64_t i)
{
    return g->free_units && g->free_units[i];
}

/* Units that may be anything in `from` may be so in `to`.  Returns the rest of
 * `from`. */
static const struct goal *take_free(struct goal *to, const struct goal *from,
                                    struct arena *a)
{
    if (!from->free_units)
        return from;
    for (int64_t i = 0, n = literal_units(to->value); i < n; i++)
        if (is_free(from, i))
            goal_free_unit(to, i);
    return interval_free_without(a, from);
}

/* A sum without what follows from its terms by chance.  Between the corners
 * they are others, more may be there, and the sums need not be exact: then the
 * error bound decides.  Where every order of as many terms is tried, the
 * corners suffice, as each order rises with each term. */
static struct accept_sum without_chance(struct arena *a,
                                        const struct accept_sum *s)
{
    struct accept_sum to = *s;
    bool tried = s->few && s->orders && s->growth == ACCEPT_GROWTH_SUM
                 && s->most_roundings < ACCEPT_FEW;
    if (!tried)
        to.few = NULL;
    if (!tried && to.roundings < to.most_roundings)
        to.roundings = to.most_roundings;
    if (s->also) {
        struct accept_sum *also = arena_new(a, struct accept_sum, 1);
        *also = without_chance(a, s->also);
        to.also = also;
    }
    return to;
}

static const struct goal *take_chance(const struct goal *from, struct arena *a)
{
    if (from->rule != GOAL_SUM || !from->sum.sums)
        return from;
    int64_t n = literal_units(from->value);
    struct goal *g = arena_new(a, struct goal, 1); /* shares all but the sums */
    *g = *from;
    g->sum.sums = arena_new(a, struct accept_sum, (size_t)n + 1);
    for (int64_t i = 0; i < n; i++)
        g->sum.sums[i] = without_chance(a, &from->sum.sums[i]);
    return g;
}

bool interval_hull_include(struct eval *ev, struct goal *to,
                           const struct goal *from, struct status *st)
{
    enum dtype unit = dtype_unit(to->value->shape->dtype);
    struct literal *ends[2];
    const char *why;
    from = take_chance(take_free(to, from, ev->arena), ev->arena);
    if (!interval_goal_ends(ev->arena, ev->machine->profile, from, &ends[0],
                            &ends[1], &why))
        return FAIL(st, UNSUPPORTED, "inadmissible: the result of %s %s",
                    ev->in->op->name, why);
    for (int side = 0; side < 2; side++) {
        const struct literal *l = ends[side] ? ends[side] : from->value;
        for (int64_t i = 0, n = literal_units(to->value); i < n; i++) {
            struct goal_ends e = {literal_get(to->range.low, i),
                                  literal_get(to->range.high, i)};
            if (is_free(to, i))
                continue;
            if (!goal_ends_widen(&e, unit, literal_get(l, i)))
                return interval_hull_fail(ev, st);
            if (is_float(unit) && real_is_inf(unit, e.low)
                && real_is_inf(unit, e.high) && e.low != e.high)
                return FAIL(st, UNSUPPORTED,
                            "inadmissible: the result of %s may be anything",
                            ev->in->op->name);
            literal_set(to->range.low, i, e.low);
            literal_set(to->range.high, i, e.high);
        }
    }
    return true;
}

/* Is every number between the ends an integer, or both of them zero?  Then no
 * step is left out: they are what the operation may give, and nothing else. */
static bool has_all_steps(enum dtype unit, uint64_t low, uint64_t high)
{
    if (real_is_zero(unit, low) && real_is_zero(unit, high))
        return true;
    if (real_is_nan(unit, low)
        || real_is_negative(unit, low) != real_is_negative(unit, high))
        return false;
    int64_t first = INT64_C(1) << (dtype_table[unit].precision - 1);
    bool negative = real_is_negative(unit, low);
    struct real from = real_from_int(negative ? -first : first);
    return negative
               ? !goal_ends_before(unit, real_round_down(&from, unit), high)
               : !goal_ends_before(unit, low, real_round_up(&from, unit));
}

/* The first unit that is neither one pattern nor anything (nor, if steps, all
 * steps between its ends); -1: there is none. */
static int64_t find_open(const struct goal *g, bool steps)
{
    enum dtype unit = dtype_unit(g->value->shape->dtype);
    for (int64_t i = 0, n = literal_units(g->value); i < n; i++) {
        uint64_t low = literal_get(g->range.low, i);
        uint64_t high = literal_get(g->range.high, i);
        if (!is_free(g, i) && low != high
            && !(steps && is_float(unit) && has_all_steps(unit, low, high)))
            return i;
    }
    return -1;
}

int64_t interval_hull_open(const struct literal *low,
                           const struct literal *high, bool *zero)
{
    int64_t first = -1;
    enum dtype unit = dtype_unit(low->shape->dtype);
    uint64_t plus = real_zero(unit, false), minus = real_zero(unit, true);
    for (int64_t i = 0, n = literal_units(low); i < n; i++) {
        uint64_t a = literal_get(low, i), b = literal_get(high, i);
        if (a == b)
            continue;
        first = first < 0 ? i : first;
        *zero = !goal_ends_before(unit, plus, a)
                && !goal_ends_before(unit, b, minus);
        if (*zero)
            return i;
    }
    return first;
}

const char *interval_hull_told(struct arena *a, const struct literal *low,
                               const struct literal *high, int64_t i)
{
    enum dtype unit = dtype_unit(low->shape->dtype);
    return arena_printf(a, "element %" PRId64 " is from %s to %s",
                        i / dtype_units(low->shape->dtype),
                        show_decimal(a, unit, literal_get(low, i)),
                        show_decimal(a, unit, literal_get(high, i)));
}

/* Keeps the units that the operation left alone, where the operand is known. */
static void keep_units(struct goal *to, const struct goal *from)
{
    int64_t n = from->kept_units ? literal_units(to->value) : 0;
    for (int64_t i = 0; i < n; i++)
        if (from->kept_units[i]
            && literal_get(to->range.low, i) == literal_get(to->range.high, i))
            goal_kept_unit(to, i);
}

bool interval_hull_finish(struct eval *ev, struct goal **goals, bool steps,
                          struct status *st)
{
    for (int i = 0; i < ev->out.count; i++) {
        if (!goals[i])
            continue;
        bool real = is_float(dtype_unit(goals[i]->value->shape->dtype));
        int64_t open = find_open(goals[i], steps);
        bool same = open < 0 && (!steps || find_open(goals[i], false) < 0);
        keep_units(goals[i], ev->out.goals[i]);
        if (open >= 0 && (steps || !real))
            return FAIL(st, UNSUPPORTED,
                        "inadmissible: the discrete result of %s depends on "
                        "a rounding: its %s",
                        ev->in->op->name,
                        interval_hull_told(ev->arena, goals[i]->range.low,
                                           goals[i]->range.high, open));
        if (same) {
            struct goal *known = goal_of(ev->arena, goals[i]->value, GOAL_BITS);
            known->free_units = goals[i]->free_units;
            known->kept_units = goals[i]->kept_units;
            goals[i] = known;
        }
        ev->out.goals[i] = goals[i];
    }
    return true;
}
