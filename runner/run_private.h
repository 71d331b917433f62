/* run_private.h - what the files of a run share.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_RUN_PRIVATE_H
#define RUNNER_RUN_PRIVATE_H

#include "interp/deviation/deviation.h"
#include "runner/plan/expect.h"
#include "runner/plan/shard.h"
#include "runner/run.h"

/* ---- run_shard.c: a run that is one shard of a plan ---------------------- */

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

/* ---- run_warn.c ---------------------------------------------------------- */
/* Warns of options that concern no case: filters, expectations, a deviation. */

/* No case was chosen: fail with INPUT, and say why. */
bool run_warn_nothing(struct arena *a, const struct run_options *options,
                      const struct plan *plan, struct status *st);
/* A deviation of the reference that cannot change any planned case would let
 * all of them pass: fail with INPUT.  path and options are the backend's. */
bool run_warn_deviation(struct arena *a, const char *path, const char *options,
                        const struct deviation_table *table,
                        const struct plan *plan, const struct limits *limits,
                        struct status *st);
/* Warn of each filter that matches no case of the plan. */
void run_warn_filters(struct arena *a, const struct run_options *options,
                      const struct plan *plan);
/* Warn of expectations that would hide another kind of failure, and of those
 * that match no case of any tier; whole is the plan of all shards. */
void run_warn_expectations(struct arena *a, const struct run_options *options,
                           const struct plan *whole,
                           const struct expect *expect);

#endif
