/* judge.h - the process that decides what is right.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_PROCESS_JUDGE_H
#define RUNNER_PROCESS_JUDGE_H

#include "interp/base/hash.h"
#include "interp/judge/judge_reference.h"
#include "interp/judge/judge_value.h"
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

/* ---- judge_given.c: what a worker sent of one case ----------------------- */
/* A record comes from memory that the backend could write to, so nothing in it
 * is trusted.  Here the backend's texts enter the judge and are made harmless:
 * text_clean. */

struct judge_given_record {
    const struct job_record *head;
    struct judge_given *outputs, *outputs2; /* head->output_count of them */
    struct judge_given *outfeed, *outfeed2; /* outfeed_count, outfeed2_count */
};

/* False if no worker writes such a record. */
bool judge_given_read(struct arena *a, const void *bytes, uint64_t length,
                      struct judge_given_record *record);

/* Add all that a verdict follows from. */
void judge_given_hash(struct hash *h, const struct judge_given *list,
                      int count);

/* ---- judge_wrong.c: wrong units, described for the record ---------------- */

/* The result with its wrong units after it, and the input of the worst one:
 * moved in the arena. */
struct job_result *judge_wrong(struct arena *a, const struct test_case *c,
                               const struct judge_reference *reference,
                               const struct verdict *v,
                               const struct job_result *result);

#endif
