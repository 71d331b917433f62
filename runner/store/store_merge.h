/* store_merge.h - the shards of a run, joined into one run.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_STORE_STORE_MERGE_H
#define RUNNER_STORE_STORE_MERGE_H

#include "runner/store/store.h"

struct store_merged {
    int shards;                /* that the plan is split into */
    int runs;                  /* that were found and joined */
    int64_t planned;           /* cases of the whole plan */
    int64_t repeated;          /* results of a case beyond its first */
    int64_t differing;         /* of which with another verdict */
    int blank;                 /* files in which no run had begun */
    const char *blank_name;    /* the first of these, or NULL */
    const char *differs;       /* the first of these, in words; or NULL */
    int64_t missing;           /* cases without a final result */
    int64_t *missing_of;       /* by shard, [1] to [shards] */
    int64_t *planned_of;       /* likewise */
    const char **missing_name; /* full names, in the order of the plan */
};

/* Join shards into one new run of the database `to`, which is created if
 * missing.  From each file every run is taken that is a shard of the same plan
 * as the latest one of the first file.  Of a case with several results the one
 * of a complete run is kept, else the one that was given first.  The new run
 * has the rows that a run of the whole plan would have; with missing cases it
 * can be resumed like any stopped run.
 *
 * Fails with INPUT if a file cannot be read, holds no shard, or shards of
 * another plan, or if the shards were split differently; then nothing is
 * written.  Everything that *merged points to is in the arena. */
bool store_merge(struct arena *a, const char *to, int count,
                 const char *const *from, const char *command,
                 struct store_merged *merged, struct status *st);

#endif
