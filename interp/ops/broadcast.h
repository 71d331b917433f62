/* broadcast.h - how the shapes of two operands become one.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * XLA's rules (the documents on broadcasting): a scalar goes with anything;
 * operands of different ranks need broadcast_dimensions, strictly increasing,
 * one for each dimension of the operand of smaller rank; then a dimension of
 * size 1 stretches to the other operand's size.  With "broadcasting": "numpy"
 * shapes are aligned on the right instead.
 */
#ifndef INTERP_OPS_BROADCAST_H
#define INTERP_OPS_BROADCAST_H

#include "interp/program/infer.h"

/* The common shape of two operands, with the given element type, into
 * in->result. */
bool broadcast_infer(struct infer *in, enum dtype dtype, struct status *st);

/* Once inferred: the dimension of the result, which has that rank, that each
 * dimension of an operand goes with. */
void broadcast_place(const struct instruction *in, const struct shape *operand,
                     int rank, int64_t *where);
/* Once inferred: by how many elements of the operand a step along each
 * dimension of the result moves (0 where it is repeated). */
void broadcast_strides(const struct instruction *in,
                       const struct shape *operand, const struct shape *result,
                       int64_t *strides);

#endif
