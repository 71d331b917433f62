/* elementwise_policy.c - the policies that the frame itself decides by.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gen/policy/complex_order.h"
#include "gen/policy/complex_special.h"
#include "gen/policy/complex_zero_sign.h"
#include "gen/policy/function_special_value.h"
#include "gen/policy/function_zero_sign.h"
#include "interp/ops/elementwise.h"

bool elementwise_policy_zeros(const struct eval *ev)
{
    const struct spec_op *op = spec_op_find(ev->in->op->name);
    return op && spec_op_names(op, FUNCTION_ZERO_SIGN_POLICY);
}

void elementwise_policy_read(struct elementwise_job *j)
{
    const struct profile *p = j->ev->machine->profile;
    bool real = j->goal->rule == GOAL_REAL;
    if (profile_complex_special_is_any(p))
        j->special_any = true;
    if (profile_complex_zero_sign_is_either(p))
        j->zero_either = real && j->goal->real.complex_norm;
    if (profile_function_special_value_is_exact(p))
        j->special_exact =
            j->ev->want_exact && real && !j->goal->real.has_budget;
}

bool elementwise_policy_order(const struct eval *ev,
                              const struct elementwise *e, struct status *st)
{
    enum dtype t = ev->operands[0]->shape->dtype;
    if (!e->ordered || dtype_class(t) != DTYPE_COMPLEX)
        return true;
    if (profile_complex_order_is_lexicographic(ev->machine->profile))
        return true;
    return FAIL(st, TYPE, "%s does not order complex numbers",
                ev->in->op->name);
}
