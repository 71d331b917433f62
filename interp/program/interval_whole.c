/* interval_whole.c - see interval.h.  Tests: decomposed.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>

#include "interp/program/interval.h"
#include "interp/program/interval_goal.h"

/* Some units of a result that a predicate judges as a whole, beside units of a
 * known array. */
struct masked {
    const struct goal *whole;   /* a GOAL_CHECK of one array */
    const unsigned char *taken; /* by unit: is it one of the whole? */
    const struct literal *rest; /* what the others are */
};

static bool is_nan(enum dtype unit, uint64_t bits)
{
    return dtype_class(unit) == DTYPE_FLOAT && real_is_nan(unit, bits);
}

/* Units of the whole that are not there are as the reference has them: those
 * that are there do not depend on them. */
static bool check_masked(const struct goal *g, const struct literal *const *got,
                         int n, struct goal_finding *found)
{
    const struct masked *p = g->check.data;
    struct literal *whole = literal_copy(g->arena, p->whole->value);
    const struct literal *one = whole;
    enum dtype unit = dtype_unit(whole->shape->dtype);
    for (int64_t i = 0, units = literal_units(whole); i < units; i++) {
        uint64_t bits = literal_get(got[0], i);
        uint64_t rest = literal_get(p->rest, i);
        if (p->taken[i]) {
            literal_set(whole, i, bits);
        } else if (bits != rest
                   && !(is_nan(unit, bits) && is_nan(unit, rest))) {
            found->unit = i;
            snprintf(found->why, sizeof found->why,
                     "an element that was selected from a known array differs");
            return false;
        }
    }
    return p->whole->check.holds(p->whole, &one, n, found);
}

/* The operand of which a select whose predicate is decided takes every element;
 * 0: none. */
static int whole_operand(const struct eval *ev)
{
    const struct literal *p = ev->operands[0];
    int64_t n = ev->in->op->role == OP_ROLE_SELECT ? literal_units(p) : 0;
    if (n == 0
        || !interval_goal_exact(ev->arena, ev->machine->profile,
                                ev->outcomes[0]))
        return 0;
    for (int64_t i = 1; i < n; i++)
        if (literal_get(p, i) != literal_get(p, 0))
            return 0;
    return literal_get(p, 0) ? 1 : 2;
}

/* Does a predicate judge the one result of an outcome as a whole? */
static bool is_whole(const struct outcome *o)
{
    return o->goals && o->count == 1 && o->goals[0]
           && o->goals[0]->rule == GOAL_CHECK;
}

/* The operand that a predicate judges as a whole, of which a select takes all
 * but units that do not matter for the others, and these from a known array; 0:
 * none. */
static int masked_operand(const struct eval *ev)
{
    const struct profile *profile = ev->machine->profile;
    const struct literal *p = ev->operands[0];
    if (ev->in->op->role != OP_ROLE_SELECT)
        return 0;
    int k = is_whole(ev->outcomes[1]) ? 1 : 2;
    const struct goal *g =
        is_whole(ev->outcomes[k]) ? ev->outcomes[k]->goals[0] : NULL;
    if (!g || !g->check.apart
        || !interval_goal_exact(ev->arena, profile, ev->outcomes[0])
        || !interval_goal_exact(ev->arena, profile, ev->outcomes[3 - k]))
        return 0;
    int units = dtype_units(g->value->shape->dtype);
    int64_t n = literal_units(p);
    if (n * units != literal_units(g->value))
        return 0;
    for (int64_t i = 0; i < n * units; i++)
        if ((literal_get(p, i / units) != 0) != (k == 1) && !g->check.apart[i])
            return 0;
    return k;
}

static void mask_whole(struct eval *ev, int k)
{
    const struct goal *from = ev->outcomes[k]->goals[0];
    struct goal *g = goal_of(ev->arena, ev->out.goals[0]->value, GOAL_CHECK);
    struct masked *data = arena_new(ev->arena, struct masked, 1);
    int units = dtype_units(g->value->shape->dtype);
    int64_t n = literal_units(g->value);
    unsigned char *taken = arena_new(ev->arena, unsigned char, (size_t)n + 1);
    for (int64_t i = 0; i < n; i++)
        taken[i] = (literal_get(ev->operands[0], i / units) != 0) == (k == 1);
    *data = (struct masked){from, taken, g->value};
    goal_make_check(g, check_masked, data, 0);
    ev->out.goals[0] = g;
}

bool interval_whole(struct eval *evs, int count)
{
    bool all = true, masked = true;
    for (int r = 0; r < count; r++) {
        int k = whole_operand(&evs[r]);
        all = all && k > 0 && is_whole(evs[r].outcomes[k]);
        masked = masked && evs[r].out.count == 1 && masked_operand(&evs[r]) > 0;
    }
    for (int r = 0; r < count; r++)
        if (all)
            evs[r].out = *evs[r].outcomes[whole_operand(&evs[r])];
        else if (masked)
            mask_whole(&evs[r], masked_operand(&evs[r]));
    return all || masked;
}
