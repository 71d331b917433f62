/* elementwise_flush.c - operations that take subnormal operands for zero.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Hardware that reads denormals as zeros does so where it compares and
 * computes; what it only moves, and the sign that it turns over, keeps its
 * bits.  So does the operand that a maximum gives, on some of it.
 */
#include "interp/ops/elementwise.h"

static bool takes_zero(const struct elementwise *e)
{
    bool compares = e->arity > 1 && (e->exact || e->parts) && !e->bitwise;
    return !e->moved && (compares || e->real || e->real2 || e->complex);
}

static bool may_flush(const struct eval *ev, enum dtype unit)
{
    enum machine_flush flush = ev->machine->flush;
    if (flush == MACHINE_KEEP || dtype_class(unit) != DTYPE_FLOAT)
        return false;
    unsigned may = profile_rules(ev->machine->profile, unit).subnormal;
    return may & ACCEPT_FLUSH_OPERANDS
           && (flush == MACHINE_FLUSH || may & ACCEPT_FLUSH_ANY_SIGN);
}

static const struct literal *flushed(const struct eval *ev,
                                     const struct literal *l)
{
    bool sign = ev->machine->flush == MACHINE_FLUSH;
    enum dtype unit = dtype_unit(l->shape->dtype);
    struct literal *copy = NULL;
    int64_t n = literal_units(l);
    for (int64_t i = 0; i < n; i++) {
        uint64_t bits = literal_get(l, i);
        if (!real_is_subnormal(unit, bits))
            continue;
        if (!copy)
            copy = literal_copy(ev->arena, l);
        literal_set(copy, i,
                    real_zero(unit, sign && real_is_negative(unit, bits)));
    }
    return copy ? copy : l;
}

const struct literal *const *
elementwise_flush_operands(const struct eval *ev, const struct elementwise *e)
{
    if (ev->machine->flush == MACHINE_KEEP || !takes_zero(e))
        return ev->operands;
    const struct literal **all =
        arena_new(ev->arena, const struct literal *, (size_t)ev->count);
    for (int k = 0; k < ev->count; k++)
        all[k] = may_flush(ev, dtype_unit(ev->operands[k]->shape->dtype))
                     ? flushed(ev, ev->operands[k])
                     : ev->operands[k];
    return all;
}

bool elementwise_flush_picks(const struct eval *ev, const struct elementwise *e)
{
    return e->ordered && e->result == ELEMENTWISE_SAME && takes_zero(e)
           && may_flush(ev, ev->operands[0]->shape->dtype);
}

void elementwise_flush_pick(struct goal *goal, int64_t i, uint64_t bits,
                            const uint64_t *from, int count)
{
    enum dtype unit = goal->value->shape->dtype;
    bool found = false;
    if (!real_is_zero(unit, bits))
        return;
    for (int k = 0; k < count; k++) {
        if (!real_is_subnormal(unit, from[k]) && !real_is_zero(unit, from[k]))
            continue;
        if (found)
            goal_or(goal, i, from[k]);
        else
            goal_bits(goal, i, from[k]);
        found = true;
    }
    goal_or(goal, i, bits);
}
