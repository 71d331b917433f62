/* dot.h - sums of products over contracting dimensions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_OPS_DOT_H
#define INTERP_OPS_DOT_H

#include "interp/ops/dimnums.h"
#include "interp/ops/total.h"
#include "interp/program/eval.h"
#include "interp/program/infer.h"

/* Pairs of dimensions, those of the left operand first. */
struct dot_numbers {
    struct dimnums batch[2], contracting[2];
};

/* Check precision_config and the element types, and say which one the result
 * has; for every contraction. */
bool dot_infer_type(struct infer *in, enum dtype *type, struct status *st);
/* Decides what no document settles: a single entry of precision_config, and a
 * preferred type of another kind, of which any value is right (*done: it is
 * returned).  Fails if the profile refuses that.  Before a value is computed.
 */
bool dot_open(struct eval *ev, bool *done, struct status *st);
/* The dimensions are as DotGeneral has them. */
struct dot_numbers dot_get(const struct instruction *in);
bool dot_infer(struct infer *in, const struct dot_numbers *n,
               struct status *st);
bool dot_eval(struct eval *ev, const struct dot_numbers *n, struct status *st);
/* The same with terms of another kind: add that of element i of operand 0 and
 * element j of operand 1. */
struct dot_sum;
typedef void dot_term(void *context, struct dot_sum *s, int64_t i, int64_t j);
bool dot_eval_terms(struct eval *ev, const struct dot_numbers *n,
                    dot_term *term, void *context, struct status *st);

/* One element of a contraction: started, fed with pairs of elements, and
 * written.  Convolutions use it too. */
struct dot_sum *dot_sum_open(struct eval *ev, struct goal *goal);
void dot_sum_start(struct dot_sum *s);
void dot_sum_add(struct dot_sum *s, const struct literal *lhs, int64_t i,
                 const struct literal *rhs, int64_t j);
/* Add a product of an even number of real numbers, pairs of an operand's
 * element and its scale. */
void dot_sum_add_factors(struct dot_sum *s, const struct total_factor *factors,
                         int count);
void dot_sum_finish(struct dot_sum *s, int64_t element);
/* Steps along several dimensions, with a stride in lhs, in rhs and in what goes
 * with them. */
enum {
    DOT_SIDES = 3
};
struct dot_steps {
    int rank;
    int64_t dims[2 * SHAPE_RANK_MAX];
    int64_t strides[DOT_SIDES][2 * SHAPE_RANK_MAX];
    int64_t index[2 * SHAPE_RANK_MAX];
};
/* One dimension more, the innermost. */
void dot_step(struct dot_steps *s, int64_t size, int64_t left, int64_t right,
              int64_t other);
/* Go on to the next place; false after the last, and then at the first. */
bool dot_next(struct dot_steps *s, int64_t *at);

/* The goal that a contraction with that result needs. */
struct goal *dot_sum_goal(struct eval *ev, const struct shape *result);

#endif
