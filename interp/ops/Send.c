/* Send - data sent to the Recv of a channel.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/dimnums.h"
#include "interp/ops/transfer.h"
#include "interp/program/attribute.h"
#include "interp/program/channel.h"
#include "interp/program/op_table.h"
#include "interp/stablehlo/stablehlo_form.h"

static bool infer(struct infer *in, struct status *st)
{
    if (in->operands[0]->kind != SHAPE_ARRAY)
        return FAIL(st, TYPE, "Send: operand 0 is %s, not an array",
                    shape_text(in->arena, in->operands[0]));
    TRY(dimnums_static(in, st));
    return transfer_infer(in, in->operands[0], 1, st);
}

static bool eval(struct eval *ev, struct status *st)
{
    uint64_t request;
    int64_t id = attribute_int(ev->in, ATTRIBUTE_CHANNEL_ID, 0);
    if (channel_send(ev, id, ev->outcomes[0], &request))
        transfer_return(ev, literal_copy(ev->arena, ev->operands[0]), request);
    return true;
}

const struct op op_Send = {
    .name = "Send",
    .infer = infer,
    .eval = eval,
    .passes = true,
    .done = &op_SendDone,
    .stablehlo = STABLEHLO_FORM(
            .write = stablehlo_token_send,
            .attributes = stablehlo_attribute_channel,
            .why = "send has no context, and channels are not checked")};
