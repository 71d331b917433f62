/* total_accumulator.c - the type of partial sums.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gen/policy/accumulate_computation_type.h"
#include "gen/policy/accumulate_type.h"
#include "interp/ops/total.h"

bool total_accumulator_is_wide(const struct profile *p)
{
    switch (profile_accumulate_type(p)) {
    case ACCUMULATE_TYPE_F32:
        return true;
    case ACCUMULATE_TYPE_ELEMENT:
        break;
    }
    return false;
}

static bool is_wide_applied(const struct profile *p)
{
    switch (profile_accumulate_computation_type(p)) {
    case ACCUMULATE_COMPUTATION_TYPE_F32:
        return true;
    case ACCUMULATE_COMPUTATION_TYPE_ELEMENT:
        break;
    }
    return false;
}

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
    bool wide = op && spec_op_names(op, ACCUMULATE_COMPUTATION_TYPE_POLICY)
                    ? is_wide_applied(ev->machine->profile)
                    : total_accumulator_is_wide(ev->machine->profile);
    return wide ? DT_f32 : unit;
}
