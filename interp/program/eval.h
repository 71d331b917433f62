/* eval.h - what an operation calls while it evaluates.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_PROGRAM_EVAL_H
#define INTERP_PROGRAM_EVAL_H

#include "interp/program/op.h"

/* Set the outcome: one goal a leaf of shape, in order. */
void eval_return(struct eval *ev, const struct shape *shape,
                 struct goal *const *goals);
/* The one-array case. */
void eval_return_one(struct eval *ev, struct goal *goal);
/* An exact result. */
void eval_return_literal(struct eval *ev, struct literal *value,
                         enum goal_rule rule);

/* The policy's choice under this evaluation's profile. */
const char *eval_policy(const struct eval *ev, const char *policy);
bool eval_policy_is(const struct eval *ev, const char *policy,
                    const char *choice);

/* Run a computation on arguments, in one replica; result in the arena.  Counts
 * steps, fails with UNSUPPORTED "limit" texts beyond machine->limits. */
bool eval_call(struct eval *ev, const struct computation *c,
               const struct literal *const *arguments, struct literal **result,
               struct status *st);
/* The same in several replicas in lock step. */
bool eval_call_group(struct eval *const *evs, int count,
                     const struct computation *c,
                     const struct literal *const *const *arguments,
                     struct literal **results, struct status *st);

/* In eval: the same computation, found again. */
const struct computation *eval_computation(const struct eval *ev,
                                           const char *attribute, int which);

#endif
