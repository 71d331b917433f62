/* dot.h - sums of products over contracting dimensions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_OPS_DOT_H
#define INTERP_OPS_DOT_H

#include "interp/ops/dimnums.h"
#include "interp/program/eval.h"
#include "interp/program/infer.h"

/* Pairs of dimensions, those of the left operand first. */
struct dot_numbers {
    struct dimnums batch[2], contracting[2];
};

/* Check precision_config and the element types, and say which one the result
 * has; for every contraction. */
bool dot_infer_type(struct infer *in, enum dtype *type, struct status *st);
bool dot_infer(struct infer *in, const struct dot_numbers *n,
               struct status *st);
bool dot_eval(struct eval *ev, const struct dot_numbers *n, struct status *st);

/* One element of a contraction: started, fed with pairs of elements, and
 * written.  Convolutions use it too. */
struct dot_sum;
struct dot_sum *dot_sum_open(struct eval *ev, struct goal *goal);
void dot_sum_start(struct dot_sum *s);
void dot_sum_add(struct dot_sum *s, const struct literal *lhs, int64_t i,
                 const struct literal *rhs, int64_t j);
void dot_sum_finish(struct dot_sum *s, int64_t element);
/* The goal that a contraction with that result needs. */
struct goal *dot_sum_goal(struct eval *ev, const struct shape *result);

#endif
