/* shard.h - a part of a plan, for one of several machines.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The split is a function of the plan, the number of shards, and the costs, so
 * every machine that has the same ones computes the same split.
 */
#ifndef RUNNER_PLAN_SHARD_H
#define RUNNER_PLAN_SHARD_H

#include "runner/plan/plan.h"

enum {
    SHARDS_MAX = 10000
};

struct shard {
    int number, count; /* from 1; count 0: the plan is not split */
    /* Where they come from: NULL, or a variable of the environment. */
    const char *variable;
};

/* "3/8"; "env": both numbers from the environment of a job array; "env/8": only
 * the first.  Touches the file that TEST_SHARD_STATUS_FILE names, as test
 * runners require of a program that supports sharding.  Fails with INPUT. */
bool shard_read(const char *text, struct shard *shard, struct status *st);

/* Which shard each case of the plan belongs to, from 1; in the arena.  cost is
 * in any unit, one for each case (each at most INT64_MAX / count): heavy cases
 * are spread so that the sums are about equal.  NULL: cases are dealt in turn,
 * as neighbours cost about the same. */
int *shard_split(struct arena *a, const struct plan *plan, int count,
                 const int64_t *cost);

/* The cases of one shard, in their order; where[i] is the place of the i-th in
 * the whole plan. */
void shard_part(struct arena *a, const struct plan *whole, const int *shard_of,
                int number, struct plan *part, int64_t **where);

#endif
