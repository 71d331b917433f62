/* run_warn.h - what concerns no case: filters, expectations, a deviation.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_RUN_WARN_H
#define RUNNER_RUN_WARN_H

#include "interp/deviation/deviation.h"
#include "runner/run.h"

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
