/* CompositeCall - an operation made of others, by name.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "interp/ops/control.h"
#include "interp/program/attribute.h"
#include "interp/program/infer.h"
#include "interp/stablehlo/stablehlo_form.h"

static bool infer(struct infer *in, struct status *st)
{
    const struct computation *c;
    int64_t version = attribute_int(in->in, ATTRIBUTE_VERSION, 0);
    if (version < 0)
        return FAIL(st, ATTRIBUTE,
                    "CompositeCall: version is %" PRId64 "; expected 0 or more",
                    version);
    TRY(infer_computation(in, ATTRIBUTE_COMPUTATION, 0, in->count, in->operands,
                          &c, st));
    in->result = c->result;
    return true;
}

const struct op op_CompositeCall = {
    .name = "CompositeCall",
    .infer = infer,
    .eval_group = control_call,
    .passes = true,
    .stablehlo =
        STABLEHLO_FORM(.attributes = stablehlo_attribute_composite,
                       .hides = stablehlo_hidden_version,
                       .why = "composite has versions below 0", .calls = true)};
