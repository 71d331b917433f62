/* transfer.h - what Send, SendDone, Recv and RecvDone share.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The context that Send and Recv give is a tuple of the data, the u32 number
 * of the request, and a token; only their Done may take it.
 */
#ifndef INTERP_OPS_TRANSFER_H
#define INTERP_OPS_TRANSFER_H

#include "interp/program/eval.h"
#include "interp/program/infer.h"

/* The result of Send and Recv: a context of that data. */
bool transfer_infer(struct infer *in, const struct shape *data, int token,
                    struct status *st);
/* In SendDone and RecvDone: the operand must be a context of `begin`, with the
 * same channel. */
bool transfer_infer_done(struct infer *in, const struct op *begin,
                         struct status *st);
/* Set the value of Send and Recv, and return true. */
bool transfer_return(struct eval *ev, struct literal *data, uint64_t request);
/* The request's number in a context. */
uint64_t transfer_request(const struct eval *ev);

#endif
