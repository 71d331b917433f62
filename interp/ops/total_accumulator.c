/* total_accumulator.c - the type of partial sums, and their order.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gen/policy/accumulate_computation_type.h"
#include "gen/policy/accumulate_order.h"
#include "gen/policy/accumulate_type.h"
#include "interp/ops/total.h"

/* Where a computation of T, T -> T is applied, another policy holds than where
 * the operation itself adds up: the one that its specification names. */
enum dtype total_accumulator(const struct eval *ev, enum dtype unit)
{
    const struct machine_environment *e = ev->machine->environment;
    if (e && e->running
        && dtype_table[e->accumulator].bits < dtype_table[unit].bits)
        return e->accumulator;
    if (dtype_table[unit].bits >= 32)
        return unit;
    const struct spec_op *op = spec_op_find(ev->in->op->name);
    bool wide =
        op && spec_op_names(op, ACCUMULATE_COMPUTATION_TYPE_POLICY)
            ? profile_accumulate_computation_type_is_f32(ev->machine->profile)
            : profile_accumulate_type_is_f32(ev->machine->profile);
    return wide ? DT_f32 : unit;
}

/* ---- Order --------------------------------------------------------------- */

/* Numbers that are added in any order before the sums are added pairwise; 0:
 * all of them. */
static int64_t block_of(const struct profile *p)
{
    switch (profile_accumulate_order(p)) {
    case ACCUMULATE_ORDER_ANY:
        return 0;
    case ACCUMULATE_ORDER_PAIRWISE:
        return 1;
    case ACCUMULATE_ORDER_BLOCKED_8:
        return 8;
    case ACCUMULATE_ORDER_BLOCKED_16:
        return 16;
    case ACCUMULATE_ORDER_BLOCKED_32:
        return 32;
    case ACCUMULATE_ORDER_BLOCKED_64:
        return 64;
    case ACCUMULATE_ORDER_BLOCKED_128:
        return 128;
    case ACCUMULATE_ORDER_BLOCKED_256:
        return 256;
    case ACCUMULATE_ORDER_BLOCKED_512:
        return 512;
    case ACCUMULATE_ORDER_BLOCKED_1024:
        return 1024;
    }
    return 0;
}

int64_t total_accumulator_block(const struct eval *ev)
{
    int64_t block = block_of(ev->machine->profile);
    const struct spec_op *op = block ? spec_op_find(ev->in->op->name) : NULL;
    return op && spec_op_names(op, ACCUMULATE_ORDER_POLICY) ? block : 0;
}

/* The additions that one of n numbers meets at most, if blocks of them are
 * added in any order, and the sums of blocks pairwise.  One more is for an
 * initial value, or for zeros that at most double the number of terms; but no
 * number meets more than all others. */
static int64_t count_levels(int64_t n, int64_t block)
{
    int64_t levels = block;
    for (int64_t sums = (n + block - 1) / block; sums > 1; sums -= sums / 2)
        levels++;
    return levels < n ? levels : n - 1;
}

void total_accumulator_order(const struct total *t, struct accept_sum *s,
                             int64_t roundings)
{
    int64_t n = t->terms < roundings + 1 ? t->terms : roundings + 1;
    if (n < 1)
        n = 1;
    int64_t own = roundings - (n - 1); /* of a term that is a product */
    s->most_roundings = roundings;
    s->paired = own + count_levels(n, 1);
    s->additions = n - 1;
    s->term_roundings = own;
    if (t->block) {
        s->most_roundings = own + count_levels(n, t->block);
        s->growth = ACCEPT_GROWTH_FORMULA;
    }
}
