/* judge.h - the process that decides what is right.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_PROCESS_JUDGE_H
#define RUNNER_PROCESS_JUDGE_H

#include "runner/process/job.h"

struct memo;

/* Judge what the worker sends until it has ended; in a forked process, which
 * ends with the returned status. */
int judge_run(const struct job_context *context, struct job *job);

/* A judge's process begins a phase. */
void judge_enter(const struct job_context *context, struct job_place *place,
                 enum job_phase phase);

/* judge_record in such a process, which is at place; memo: values that were
 * computed for cases before, or NULL. */
struct job_result *judge_at(struct arena *a, const struct job_context *context,
                            struct job_place *place, struct memo *memo,
                            const void *record, uint64_t length);

/* Judge one record (of length bytes, which nobody has checked) and fill in a
 * result with its wrong units in the arena. */
struct job_result *judge_record(struct arena *a,
                                const struct job_context *context,
                                const void *record, uint64_t length);

#endif
