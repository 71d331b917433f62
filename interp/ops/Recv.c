/* Recv - data received from the Send of a channel.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/transfer.h"
#include "interp/program/attribute.h"
#include "interp/program/channel.h"
#include "interp/program/op_table.h"
#include "interp/stablehlo/stablehlo_form.h"

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = attribute_find(in->in, ATTRIBUTE_SHAPE)->shape;
    if (s->kind != SHAPE_ARRAY)
        return FAIL(st, SHAPE, "Recv: %s is not an array",
                    shape_text(in->arena, s));
    if (shape_has_dynamic(s))
        return FAIL(st, UNSUPPORTED, "Recv: the shape %s is dynamic",
                    shape_text(in->arena, s));
    TRY(shape_check_size(s->rank, s->dims, s->dtype,
                         in->program->limits->literal_bytes, st));
    return transfer_infer(in, s, 0, st);
}

static bool eval(struct eval *ev, struct status *st)
{
    int64_t id = attribute_int(ev->in, ATTRIBUTE_CHANNEL_ID, 0);
    return transfer_return(ev,
                           literal_new(ev->arena, ev->in->shape->elements[0]),
                           channel_receive(ev, id));
}

const struct op op_Recv = {
    .name = "Recv",
    .infer = infer,
    .eval = eval,
    .passes = true,
    .done = &op_RecvDone,
    .stablehlo = STABLEHLO_FORM(
            .write = stablehlo_token_recv,
            .attributes = stablehlo_attribute_channel,
            .why = "recv has no context, and channels are not checked")};
