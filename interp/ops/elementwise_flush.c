/* elementwise_flush.c - operations that take subnormal operands for zero.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Hardware that reads denormals as zeros does so where it compares and
 * computes; data that only move keep their bits, also if their sign is changed.
 * So does, on some hardware, the operand that a maximum returns.
 */
#include "interp/ops/elementwise.h"
#include "interp/specification/flush.h"

static bool takes_zero(const struct eval *ev, const struct elementwise *e)
{
    enum dtype type = ev->operands[0]->shape->dtype;
    bool complex = dtype_class(type) == DTYPE_COMPLEX && e->complex;
    bool compares = (e->exact || (e->parts && e->arity > 1)) && !e->bitwise;
    return !e->moved && (compares || e->real || e->real2 || complex);
}

static bool keeps_sign(const struct eval *ev)
{
    return ev->machine->flush == MACHINE_FLUSH;
}

const struct literal *const *
elementwise_flush_operands(const struct eval *ev, const struct elementwise *e)
{
    if (ev->machine->flush == MACHINE_KEEP || !takes_zero(ev, e))
        return ev->operands;
    const struct literal **all =
        arena_new(ev->arena, const struct literal *, (size_t)ev->count);
    for (int k = 0; k < ev->count; k++) {
        all[k] = flush_operand(ev->arena, ev->machine->profile, ev->operands[k],
                               keeps_sign(ev));
        if (!all[k])
            all[k] = ev->operands[k];
    }
    return all;
}

bool elementwise_flush_picks(const struct eval *ev, const struct elementwise *e)
{
    const struct shape *s = ev->operands[0]->shape;
    return ev->machine->flush != MACHINE_KEEP && e->ordered
           && e->result == ELEMENTWISE_SAME && takes_zero(ev, e)
           && dtype_units(s->dtype) == 1
           && flush_allowed(ev->machine->profile, s, keeps_sign(ev));
}

bool elementwise_flush_signs(const struct eval *ev, const struct elementwise *e)
{
    const struct shape *s = ev->operands[0]->shape;
    return ev->machine->flush == MACHINE_FLUSH_POSITIVE && e->arity == 1
           && e->exact && !e->moved && e->result == ELEMENTWISE_SAME
           && flush_allowed(ev->machine->profile, s, false);
}

void elementwise_flush_pick(struct goal *goal, int64_t i, uint64_t bits,
                            const uint64_t *from, const uint64_t *flushed,
                            int count, bool either)
{
    enum dtype unit = goal->value->shape->dtype;
    bool found = false;
    if (!real_is_zero(unit, bits))
        return;
    for (int k = 0; k < count; k++) {
        /* One that is subnormal compares equal to the zero that it is not. */
        bool right = flushed[k] == bits || real_is_subnormal(unit, from[k])
                     || (either && real_is_zero(unit, from[k]));
        if (!right)
            continue;
        if (found)
            goal_or(goal, i, from[k]);
        else
            goal_bits(goal, i, from[k]);
        found = true;
    }
    goal_or(goal, i, bits);
}
