/* complex_ranges.c - see complex_ranges.h.  Tests: transforms.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each part of a product is linear in each part of a factor, and the distance
 * that a budget allows is convex in the product: the sum of both has its ends
 * at corners.
 */
#include "interp/ops/complex_ranges.h"

#include "interp/program/interval.h"

enum {
    PARTS = 2,
    CORNERS = 1 << 2 * PARTS
};

/* The low end, with the parts of the other end that high names. */
static const struct literal *corner_of(const struct eval *ev, int k,
                                       unsigned high)
{
    struct literal *to = literal_copy(ev->arena, ev->low[k]);
    for (int64_t i = 0, n = literal_units(to); i < n; i++)
        if (high >> i % PARTS & 1)
            literal_set(to, i, literal_get(ev->high[k], i));
    return to;
}

static bool include_corner(const struct eval *ev, unsigned corner,
                           struct goal *to, struct status *st)
{
    struct eval again = *ev;
    const struct literal *operands[] = {corner_of(ev, 0, corner),
                                        corner_of(ev, 1, corner >> PARTS)};
    again.operands = operands;
    again.low = again.high = NULL;
    again.out = (struct outcome){0};
    TRY(ev->in->op->eval(&again, st));
    struct goal *from = again.out.goals[0];
    /* A part that is zero at a corner is not so beside it. */
    for (int64_t i = 0, n = literal_units(from->value); i < n; i++)
        if (from->rule == GOAL_REAL)
            goal_cancelled_unit(from, i);
    return interval_hull_include(&again, to, from, st);
}

bool complex_ranges_mul(struct eval *ev, struct status *st)
{
    struct interval_reach **reach;
    TRY(ev->in->op->eval(ev, st));
    struct goal **goals = interval_hull_start(ev, &reach);
    for (unsigned corner = 0; corner < CORNERS; corner++)
        TRY(include_corner(ev, corner, goals[0], st));
    return interval_hull_finish(ev, goals, false, st);
}
