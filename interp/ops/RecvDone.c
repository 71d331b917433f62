/* RecvDone - the end of a Recv.
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
    TRY(transfer_infer_done(in, &op_Recv, st));
    const struct shape *parts[2] = {in->operands[0]->elements[0],
                                    shape_token(in->arena)};
    in->result = shape_tuple(in->arena, 2, parts);
    return true;
}

static bool eval(struct eval *ev, struct status *st)
{
    int64_t id = attribute_int(ev->in, ATTRIBUTE_CHANNEL_ID, 0);
    const struct outcome *data;
    if (!channel_take(ev, id, transfer_request(ev), &data))
        return true;
    struct goal *goals[2] = {
        data->goals ? data->goals[0]
                    : goal_of(ev->arena, literal_copy(ev->arena, data->value),
                              GOAL_MOVED),
        NULL};
    goals[0]->computed = goals[0]->computed || !data->goals; /* it may be */
    return eval_return(ev, ev->in->shape, goals);
}

const struct op op_RecvDone = {
    .name = "RecvDone",
    .infer = infer,
    .eval = eval,
    .passes = true,
    .stablehlo = STABLEHLO_FORM(.write = stablehlo_token_recv_done,
                                .why = "recv has no context")};
