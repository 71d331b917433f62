/* Call - a computation applied to operands.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/control.h"
#include "interp/program/infer.h"
#include "interp/stablehlo/stablehlo_form.h"

static bool infer(struct infer *in, struct status *st)
{
    const struct computation *c;
    TRY(infer_computation(in, ATTRIBUTE_COMPUTATION, 0, in->count, in->operands,
                          &c, st));
    in->result = c->result;
    return true;
}

const struct op op_Call = {
    .name = "Call",
    .infer = infer,
    .eval_group = control_call,
    .passes = true,
    .stablehlo =
        STABLEHLO_FORM(.attributes = stablehlo_attribute_call, .calls = true)};
