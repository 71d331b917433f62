/* reduce.h - many values combined into one by a computation.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reduce, AllReduce, ReduceScatter and the window reductions combine lists of
 * values: association is free, order is not.  A list is passed as a function of
 * its position, so nothing is copied.
 */
#ifndef INTERP_OPS_REDUCE_H
#define INTERP_OPS_REDUCE_H

#include "interp/program/eval.h"
#include "interp/program/infer.h"

struct reduce;

/* One list: term k of result element i of operand `which` is element *at of
 * *from; *from NULL: the initial value is there (padding). */
typedef void reduce_term(void *context, int64_t i, int64_t k, int which,
                         const struct literal **from, int64_t *at);

struct reduce_list {
    reduce_term *term;
    void *context;
    int64_t count;               /* terms of each element */
    int operands;                /* N */
    const struct literal **init; /* N scalars, or NULL: none */
};

/* A prepared computation for n operands of these result shapes, and goals for
 * them, all to be set by reduce_element. */
struct reduce *reduce_open(struct eval *ev, const struct computation *c, int n,
                           const struct shape *const *results);
/* Combine list's terms into element i of every goal. */
bool reduce_element(struct reduce *r, const struct reduce_list *list, int64_t i,
                    struct status *st);
/* Does it make no difference how many more of these initial values take part,
 * once one does? */
bool reduce_init_is_idle(const struct reduce *r,
                         const struct literal *const *init);
/* The goals, one an operand. */
struct goal **reduce_goals(struct reduce *r);

/* In infer: are the operands arrays of the same dimensions, and a scalar of
 * each one's type? */
bool reduce_infer_pairs(const struct infer *in, struct status *st);
/* And a computation of 2n scalars of these types that gives n of them. */
bool reduce_infer_computation(struct infer *in, enum attribute_name attribute,
                              int n, const enum dtype *types,
                              struct status *st);
/* How the result depends on the operands, by the computation that the
 * attribute names. */
int reduce_monotone(const struct instruction *in,
                    enum attribute_name attribute);
/* The same as op.monotone_of, where the attribute is computation. */
int reduce_monotone_of(const struct instruction *in, int operand);

#endif
