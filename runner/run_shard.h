/* run_shard.h - a run that is one shard of a plan.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_RUN_SHARD_H
#define RUNNER_RUN_SHARD_H

#include "runner/plan/shard.h"
#include "runner/run.h"

struct run_shard {
    struct shard shard; /* count 0: the run has the whole plan */
    struct plan whole;
    int *shard_of;  /* of each case of the whole plan */
    int64_t *where; /* the shard's cases in the whole plan, or NULL */
};

/* Reduce the plan to the shard of --shard, split by --balance.  Without --shard
 * the plan stays as it is. */
bool run_shard_choose(struct arena *a, const struct run_options *options,
                      struct plan *plan, struct run_shard *x,
                      struct status *st);

#endif
