/* SendDone - the end of a Send.
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
    TRY(transfer_infer_done(in, &op_Send, st));
    in->result = shape_token(in->arena);
    return true;
}

static bool eval(struct eval *ev, struct status *st)
{
    int64_t id = attribute_int(ev->in, ATTRIBUTE_CHANNEL_ID, 0);
    if (channel_sent(ev, id, transfer_request(ev)))
        eval_return_literal(ev, literal_new(ev->arena, ev->in->shape),
                            GOAL_BITS);
    return true;
}

const struct op op_SendDone = {
    .name = "SendDone",
    .infer = infer,
    .eval = eval,
    .passes = true,
    .stablehlo = STABLEHLO_FORM(.write = stablehlo_token_send_done,
                                .why = "send has no context")};
