/* slow_judge.h - records as a worker writes them, for tests of the judge.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The cases are those of runner/test/judge.  A test starts a record, puts in
 * what a backend is to have given, and has it judged.
 */
#ifndef RUNNER_TEST_SLOW_JUDGE_H
#define RUNNER_TEST_SLOW_JUDGE_H

#include "runner/process/judge.h"

struct slow_judge {
    struct arena arena;
    struct plan plan;
    const struct profile *spec, *strict;
    struct job_context context; /* of spec */
    /* The record, and what follows its head. */
    struct {
        struct job_record head;
        unsigned char rest[8192];
    } record;
    size_t used;
};

/* Exits if it fails. */
void slow_judge_open(struct slow_judge *j);
void slow_judge_close(struct slow_judge *j);

/* An empty record. */
void slow_judge_start(struct slow_judge *j);
void slow_judge_append(struct slow_judge *j, const void *bytes, size_t n);
/* An array of rank 1, or a token if n < 0, after the others; the caller counts
 * it in the head. */
void slow_judge_array(struct slow_judge *j, const char *dtype, int64_t n,
                      const void *data, size_t bytes, int64_t replica);
/* An output of n units of 4 bytes; an f32[1]; a token; and an outfed s32[2]. */
void slow_judge_output(struct slow_judge *j, const char *dtype, int n,
                       const uint32_t *bits);
void slow_judge_number(struct slow_judge *j, uint32_t bits);
void slow_judge_token(struct slow_judge *j);
void slow_judge_outfed(struct slow_judge *j, int64_t replica, uint32_t a,
                       uint32_t b);

/* A case's position among the pending ones. */
int64_t slow_judge_position(struct slow_judge *j, const char *name);
const struct job_result *slow_judge_case(struct slow_judge *j,
                                         const char *name);
/* The same, with two checks: of the status and the text that are expected. */
const struct job_result *slow_judge_due(struct slow_judge *j, const char *name,
                                        enum verdict_status status,
                                        const char *text);

#endif
