/* elementwise_flush.c - operations that take subnormal operands for zero.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Hardware that reads denormals as zeros does so where it compares and
 * computes; data that only move keep their bits, also if their sign is changed.
 * So does, on some hardware, the operand that a maximum returns.
 */
#include "interp/ops/elementwise.h"
#include "interp/program/uses.h"
#include "interp/specification/flush.h"

static bool takes_zero(const struct eval *ev, const struct elementwise *e)
{
    enum dtype type = ev->operands[0]->shape->dtype;
    bool complex = dtype_class(type) == DTYPE_COMPLEX && e->complex;
    bool compares = (e->exact || (e->parts && e->arity > 1)) && !e->bitwise;
    return !e->moved && (compares || e->real || e->real2 || complex);
}

const struct literal *const *
elementwise_flush_operands(const struct eval *ev, const struct elementwise *e)
{
    if (!uses_any(ev->machine) || !takes_zero(ev, e))
        return ev->operands;
    const struct literal **all =
        arena_new(ev->arena, const struct literal *, (size_t)ev->count);
    for (int k = 0; k < ev->count; k++)
        all[k] = uses_taken(ev, k);
    return all;
}

bool elementwise_flush_picks(const struct eval *ev, const struct elementwise *e)
{
    const struct shape *s = ev->operands[0]->shape;
    if (!uses_any(ev->machine) || !e->ordered || e->result != ELEMENTWISE_SAME
        || !takes_zero(ev, e) || dtype_units(s->dtype) != 1)
        return false;
    for (int k = 0; k < ev->count; k++) {
        enum machine_flush way = uses_way(ev, k);
        if (way != MACHINE_KEEP
            && flush_allowed(ev->machine->profile, s, way == MACHINE_FLUSH))
            return true;
    }
    return false;
}

bool elementwise_flush_spreads(const struct eval *ev,
                               const struct elementwise *e)
{
    return uses_spread(ev->machine) && takes_zero(ev, e);
}

bool elementwise_flush_signs(const struct eval *ev, const struct elementwise *e)
{
    const struct shape *s = ev->operands[0]->shape;
    return ev->machine->flush == MACHINE_FLUSH_POSITIVE && e->arity == 1
           && e->exact && !e->moved && e->result == ELEMENTWISE_SAME
           && flush_allowed(ev->machine->profile, s, false);
}

/* Of operands that compare equal to a zero, may that be one?  One that is
 * subnormal was flushed, and is compared as the zero that it is not. */
static bool is_picked(enum dtype unit, uint64_t zero, uint64_t from,
                      uint64_t flushed, bool either)
{
    return flushed == zero || (flushed != from && real_is_subnormal(unit, from))
           || (either && real_is_zero(unit, from));
}

void elementwise_flush_pick(const struct eval *ev, struct goal *goal, int64_t i,
                            const uint64_t *from, const uint64_t *flushed,
                            bool either)
{
    enum dtype unit = goal->value->shape->dtype;
    uint64_t zero = literal_get(goal->value, i);
    bool found = false, chooses = false;
    if (!real_is_zero(unit, zero))
        return;
    for (int k = 0; k < ev->count; k++)
        chooses = chooses || (ev->machine->uses && flushed[k] != from[k]);
    /* 0 chooses a zero, k + 1 operand k. */
    int choice = chooses ? uses_choice(ev, ev->count) : 0;
    for (int k = 0; k < ev->count; k++) {
        if (!is_picked(unit, zero, from[k], flushed[k], either)
            || (chooses && choice == 0 && !real_is_zero(unit, from[k]))
            || (chooses && choice > 0 && choice != k + 1))
            continue;
        if (found)
            goal_or(goal, i, from[k]);
        else
            goal_bits(goal, i, from[k]);
        found = true;
    }
    if (choice == 0 || !found)
        goal_or(goal, i, zero);
}
