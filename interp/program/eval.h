/* eval.h - what an operation calls while it evaluates.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_PROGRAM_EVAL_H
#define INTERP_PROGRAM_EVAL_H

#include "interp/program/op.h"

/* Set the outcome: one goal per leaf of shape, in order.  All eval_return*
 * return true, so that an evaluation may end with one. */
bool eval_return(struct eval *ev, const struct shape *shape,
                 struct goal *const *goals);
/* The one-array case. */
bool eval_return_one(struct eval *ev, struct goal *goal);
/* A copy of a value from Infeed or a constant, flushed if the machine flushes
 * such values. */
struct literal *eval_source(const struct eval *ev, const struct literal *l);
/* An exact result. */
bool eval_return_literal(struct eval *ev, struct literal *value,
                         enum goal_rule rule);

/* Goals of operand i, one per leaf: its own, or those of its bits. */
struct goal **eval_goals(struct eval *ev, int i);
/* An operation (op.eval) that returns its operands, several as a tuple. */
bool eval_operands(struct eval *ev, struct status *st);
/* The fate of values beyond a float type's range. */
enum real_overflow eval_overflow(const struct eval *ev, enum dtype unit);
/* A goal of values that are rounded as the profile says (GOAL_REAL, GOAL_SUM);
 * like goal_new for other rules. */
struct goal *eval_goal(const struct eval *ev, const struct shape *shape,
                       enum goal_rule rule, bool want_exact);
/* Pass on an outcome of the shape of value. */
bool eval_return_outcome(struct eval *ev, const struct outcome *out);
/* Fail with UNSUPPORTED "inadmissible: ..." if an operand that decides (an
 * index, a condition) is not known exactly. */
bool eval_decided(struct eval *ev, int operand, struct status *st);

/* Run a computation on arguments, in one replica, into an existing result,
 * which may be one of the arguments: nothing stays allocated. Counts steps,
 * fails with SYSTEM "limit: ..." texts beyond machine->limits. */
bool eval_call_into(struct eval *ev, const struct computation *c,
                    const struct literal *const *arguments,
                    struct literal *result, struct status *st);
/* The same; *exact is false if the profile allows other results as well, which
 * is not determined unless ev->want_exact.  any: where not NULL, the units of
 * the result that may be anything are set there, others stay as they are, and
 * *exact is about the others. */
bool eval_call_exact(struct eval *ev, const struct computation *c,
                     const struct literal *const *arguments,
                     struct literal *result, bool *exact, unsigned char *any,
                     struct status *st);
/* The same for a result that decides something, a comparison: fails with
 * UNSUPPORTED "inadmissible: ..." if it is not exact. */
bool eval_call_decided(struct eval *ev, const struct computation *c,
                       const struct literal *const *arguments,
                       struct literal *result, struct status *st);
/* In one replica, following inexact values, with a result in a. */
bool eval_call_followed(struct eval *ev, struct arena *a,
                        const struct computation *c,
                        const struct outcome *arguments, struct outcome *result,
                        struct status *st);
/* Count the work of an operation that takes terms for each of its elements.
 * Fails with SYSTEM "limit: ..." beyond machine->limits. */
bool eval_charge(struct eval *ev, int64_t elements, int64_t terms,
                 struct status *st);
/* Copy bits and sizes into a value of the same shape.  They may share arrays,
 * in any order; scratch holds copies of these. */
void eval_copy(struct arena *scratch, struct literal *to,
               const struct literal *from);
/* In several replicas in lock step, on values with their goals:
 * arguments[r][i], results[r].  In the arena of evs[0]. */
bool eval_call_group(struct eval *const *evs, int count,
                     const struct computation *c,
                     const struct outcome *const *arguments,
                     struct outcome *results, struct status *st);

/* In eval: the computation of that attribute, found again. */
const struct computation *eval_computation(const struct eval *ev,
                                           enum attribute_name attribute,
                                           int which);

#endif
