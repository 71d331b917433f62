/* judge_value.h - are the values that a backend gave right?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_PROCESS_JUDGE_VALUE_H
#define RUNNER_PROCESS_JUDGE_VALUE_H

#include "runner/process/judge_given.h"
#include "runner/process/judge_reference.h"

/* What values are judged by. */
struct judge_value {
    struct arena *arena;
    const struct job_context *context;
    const struct profile *profile; /* with the case's own choices */
    const struct test_case *made;  /* the case, as it was run */
    const struct plan_case *planned;
    const struct judge_reference *plain; /* evaluated without exact values */
};

/* Judge count arrays and tokens of all replicas; text says why.  False if the
 * reference reached a limit, and text says which. */
bool judge_value(const struct judge_value *j, const struct judge_given *given,
                 int count, struct verdict *v, enum verdict_status *status,
                 char *text, size_t size);

/* What Outfeed sent is data on the move: bit by bit, in order, the arrays of a
 * tuple one by one. */
bool judge_value_outfeed(const struct judge_value *j,
                         const struct judge_given *given, int count, char *why,
                         size_t size);

#endif
