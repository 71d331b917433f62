/* GetDimensionSize - the size of a dimension.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "interp/ops/move.h"
#include "interp/program/attribute.h"
#include "interp/stablehlo/stablehlo_form.h"

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0];
    int64_t d = attribute_int(in->in, ATTRIBUTE_DIMENSION, 0);
    if (d < 0 || d >= s->rank)
        return FAIL(st, ATTRIBUTE,
                    "GetDimensionSize: dimension is %" PRId64
                    "; the operand has rank %d",
                    d, s->rank);
    if (s->dims[d] > INT32_MAX)
        return FAIL(st, UNSUPPORTED,
                    "GetDimensionSize: the size %" PRId64 " does not fit s32",
                    s->dims[d]);
    in->result = shape_scalar(in->arena, DT_s32);
    return true;
}

static bool eval(struct eval *ev, struct status *st)
{
    int d = (int)attribute_int(ev->in, ATTRIBUTE_DIMENSION, 0);
    struct literal *to = literal_new(ev->arena, ev->in->shape);
    literal_set(to, 0, (uint64_t)move_size(ev->operands[0], d));
    return eval_return_literal(ev, to, GOAL_MOVED);
}

const struct op op_GetDimensionSize = {
    .name = "GetDimensionSize",
    .infer = infer,
    .eval = eval,
    .passes = true,
    /* The elements do not matter, so they may have any value. */
    .stablehlo = STABLEHLO_FORM(.claim = stablehlo_claim_integer)};
