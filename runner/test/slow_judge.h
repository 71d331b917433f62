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
/* A record of these arrays, each a shape and its units in hexadecimal, which
 * repeat if there are fewer: "f32[3] 3f800000; token[]; > 1: s32[2] 1 2".
 * Those after '>' are outfed; the number before the colon is a replica. */
void slow_judge_give(struct slow_judge *j, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A case's position among the pending ones. */
int64_t slow_judge_position(struct slow_judge *j, const char *name);
const struct job_result *slow_judge_case(struct slow_judge *j,
                                         const char *name);
/* The same, with two checks: of the status and the text that are expected. */
const struct job_result *slow_judge_due(struct slow_judge *j, const char *name,
                                        enum verdict_status status,
                                        const char *text);

#endif
