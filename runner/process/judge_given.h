/* judge_given.h - what a worker sent of one case.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A record comes from memory that the backend could write to, so nothing in it
 * is trusted.  Here the backend's texts enter the judge and are made harmless:
 * text_clean.
 */
#ifndef RUNNER_PROCESS_JUDGE_GIVEN_H
#define RUNNER_PROCESS_JUDGE_GIVEN_H

#include "interp/base/hash.h"
#include "interp/judge/judge_value.h"
#include "runner/process/job.h"

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

#endif
