/* program_policy.c - see program_policy.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/program_policy.h"

#include "interp/program/op.h"

static bool of_operation(const struct instruction *in, const char *policy)
{
    const struct spec_op *op = spec_op_find(in->op->name);
    return op && spec_op_names(op, policy);
}

static bool in_computation(const struct computation *c, const char *policy)
{
    for (int i = 0; i < c->count; i++)
        if (program_policy_of(c->instructions[i], policy))
            return true;
    return false;
}

bool program_policy_of(const struct instruction *in, const char *policy)
{
    if (of_operation(in, policy))
        return true;
    for (int k = 0; k < in->attribute_count; k++) {
        const struct attribute *a = &in->attributes[k];
        for (int i = 0; i < a->computation_count; i++)
            if (a->computations[i]
                && in_computation(a->computations[i], policy))
                return true;
    }
    return false;
}

bool program_policy_any(const struct program *p, const char *policy)
{
    for (int c = 0; c < p->computation_count; c++)
        for (int i = 0; i < p->computations[c]->count; i++)
            if (of_operation(p->computations[c]->instructions[i], policy))
                return true;
    return false;
}
