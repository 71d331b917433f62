/* move.h - results whose elements are those of an operand, elsewhere.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_OPS_MOVE_H
#define INTERP_OPS_MOVE_H

#include "interp/program/eval.h"
#include "interp/program/infer.h"

/* An array of that shape whose element at an index is element
 * base + sum(index[d] * strides[d]) of from. */
struct literal *move_strided(struct arena *a, const struct shape *shape,
                             const struct literal *from, int64_t base,
                             const int64_t *strides);
/* The reverse: put each element of from there in to. */
void move_into(struct literal *to, int64_t base, const int64_t *strides,
               const struct literal *from);

/* Set the result to an array with dynamic dimensions (dims are their bounds)
 * after checking the size limit. */
bool move_infer(struct infer *in, enum dtype dtype, int rank,
                const int64_t *dims, const bool *dynamic, struct status *st);
/* The actual size of a dimension. */
int64_t move_size(const struct literal *l, int d);
/* Elements that count in the goal's value, but were padding in the operand
 * that it was made of, may be anything. */
void move_free_padding(const struct eval *ev, const struct literal *from,
                       struct goal *g);

/* Is any result right where indices are not what was said of them: sorted,
 * unique (policy indices.broken-promise)? */
bool move_promises_bind(const struct eval *ev);

/* Start indices of DynamicSlice and DynamicUpdateSlice: operands first, ...,
 * scalars of one integer type, or one array of rank 1. */
bool move_infer_starts(struct infer *in, int first, struct status *st);
/* The start index at a place, clamped so that a window of that size fits. */
int64_t move_start(const struct eval *ev, const struct literal *from,
                   int64_t at, int64_t size, int64_t window);
/* Read them, clamped so that a window of those sizes fits into dims. */
void move_starts(const struct eval *ev, int first, int rank,
                 const int64_t *dims, const int64_t *sizes, int64_t *starts);

/* In eval: a slice (or update) of that shape and size 0, which policy
 * slice.empty may refuse. */
bool move_empty(const struct eval *ev, const struct shape *slice,
                enum code class, struct status *st);

#endif
