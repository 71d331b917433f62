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

/* Units of the whole that are not there are as the reference has them: those
 * that are there do not depend on them. */
static bool check_masked(const struct goal *g, const struct literal *const *got,
                         int n, struct goal_finding *found)
{
    const struct masked *p = g->check.data;
    struct literal *whole = literal_copy(g->arena, p->whole->value);
    const struct literal *one = whole;
    for (int64_t i = 0, units = literal_units(whole); i < units; i++) {
        uint64_t bits = literal_get(got[0], i);
        if (p->taken[i]) {
            literal_set(whole, i, bits);
        } else if (bits != literal_get(p->rest, i)) {
            found->unit = i;
            snprintf(found->why, sizeof found->why,
                     "an element that was selected from a known array differs");
            return false;
        }
    }
    return p->whole->check.holds(p->whole, &one, n, found);
}

static bool masked_ends(const struct goal *g, int64_t i, struct goal_ends *e,
                        const char **why)
{
    const struct masked *p = g->check.data;
    if (p->taken[i])
        return p->whole->check.ends(p->whole, i, e, why);
    e->low = e->high = literal_get(p->rest, i);
    return true;
}

/* Does a predicate judge the one result of an outcome as a whole? */
static bool is_whole(const struct outcome *o)
{
    return o->goals && o->count == 1 && o->goals[0]
           && o->goals[0]->rule == GOAL_CHECK;
}

static bool is_decided(const struct eval *ev)
{
    return interval_goal_exact(ev->arena, ev->machine->profile,
                               ev->outcomes[0]);
}

/* Does a select take unit i of its result, of so many parts an element, from
 * operand k? */
static bool takes(const struct eval *ev, int k, int64_t i, int parts)
{
    return (literal_get(ev->operands[0], i / parts) != 0) == (k == 1);
}

/* The operand that a predicate judges as a whole, of which a select takes every
 * element; 0: none. */
static int whole_operand(const struct eval *ev)
{
    int64_t n = is_decided(ev) ? literal_units(ev->operands[0]) : 0;
    if (n == 0)
        return 0;
    int k = takes(ev, 1, 0, 1) ? 1 : 2;
    for (int64_t i = 1; i < n; i++)
        if (!takes(ev, k, i, 1))
            return 0;
    return is_whole(ev->outcomes[k]) ? k : 0;
}

/* The same where it takes all but units that do not matter for the others, and
 * these from a known array.  The bits of a NaN that is moved may be a matter of
 * the profile, so there is none in that array. */
static int masked_operand(const struct eval *ev)
{
    if (!is_decided(ev) || ev->out.count != 1)
        return 0;
    int k = is_whole(ev->outcomes[1]) ? 1 : 2;
    const struct goal *g =
        is_whole(ev->outcomes[k]) ? ev->outcomes[k]->goals[0] : NULL;
    if (!g || !g->check.apart
        || !interval_goal_exact(ev->arena, ev->machine->profile,
                                ev->outcomes[3 - k]))
        return 0;
    int parts = dtype_units(g->value->shape->dtype);
    int64_t n = literal_units(g->value);
    if (literal_units(ev->operands[0]) * parts != n)
        return 0;
    enum dtype unit = dtype_unit(g->value->shape->dtype);
    for (int64_t i = 0; i < n; i++)
        if (!takes(ev, k, i, parts)
            && (!g->check.apart[i]
                || real_is_nan(unit, literal_get(ev->operands[3 - k], i))))
            return 0;
    return k;
}

static void mask_whole(struct eval *ev, int k)
{
    const struct goal *from = ev->outcomes[k]->goals[0];
    struct goal *g = goal_of(ev->arena, ev->out.goals[0]->value, GOAL_CHECK);
    struct masked *data = arena_new(ev->arena, struct masked, 1);
    int parts = dtype_units(g->value->shape->dtype);
    int64_t n = literal_units(g->value);
    unsigned char *taken = arena_new(ev->arena, unsigned char, (size_t)n + 1);
    for (int64_t i = 0; i < n; i++)
        taken[i] = takes(ev, k, i, parts);
    *data = (struct masked){from, taken, g->value};
    g->want_exact = from->want_exact;
    goal_make_check(g, check_masked, data, 0);
    g->check.ends = from->check.ends ? masked_ends : NULL;
    ev->out.goals[0] = g;
}

/* Find such an operand of the select in each replica. */
static bool find_all(const struct eval *evs, int count,
                     int (*find)(const struct eval *ev), int *found)
{
    for (int r = 0; r < count; r++) {
        found[r] = find(&evs[r]);
        if (found[r] == 0)
            return false;
    }
    return true;
}

bool interval_whole(struct eval *evs, int count)
{
    if (evs[0].in->op->role != OP_ROLE_SELECT)
        return false;
    int *k = arena_new(evs[0].arena, int, (size_t)count);
    bool all = find_all(evs, count, whole_operand, k);
    if (!all && !find_all(evs, count, masked_operand, k))
        return false;
    for (int r = 0; r < count; r++)
        if (all)
            evs[r].out = *evs[r].outcomes[k[r]];
        else
            mask_whole(&evs[r], k[r]);
    return true;
}
