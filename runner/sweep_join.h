/* sweep_join.h - reusing parts of a sweep from other databases.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_SWEEP_JOIN_H
#define RUNNER_SWEEP_JOIN_H

#include "interp/judge/verdict.h"
#include "runner/store/store_sweep.h"

/* One run of the sweep, or of a shard of it. */
struct sweep_join {
    struct store_sweep_part *parts;
    int64_t count, room;
    int64_t bins[VERDICT_BINS]; /* of all of them */
};

/* Every run of the sweep with that identity, those with most parts first.
 * Fails with INPUT if a file cannot be read or has none. */
bool sweep_join_read(struct arena *a, const char *hash, int count,
                     const char *const *files, struct sweep_join **list,
                     int *found, struct status *st);

#endif
