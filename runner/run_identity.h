/* run_identity.h - the identity of a run of cases or of a sweep.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_RUN_IDENTITY_H
#define RUNNER_RUN_IDENTITY_H

#include "runner/plan/expect.h"
#include "runner/plan/plan.h"
#include "runner/run_info.h"
#include "runner/store/identity.h"

/* Facts about a run that a sweep lacks; any may be NULL or "". */
struct run_identity {
    const struct plan *plan;
    const char *tier, *filter, *forms;
    uint64_t seed;
    const struct expect *expect; /* path NULL: none was read */
};

/* In the arena.  Fails with INPUT if a file of the backend cannot be read. */
bool run_identity_make(struct arena *a, const struct run_info *from,
                       const struct run_identity *of, struct identity *to,
                       struct status *st);
/* The SHA-256 of a backend's files, in their order, separated by spaces; "" if
 * a command names none. */
bool run_identity_backend(struct arena *a, const char *path,
                          const char *options, const char **digests,
                          struct status *st);
/* Why an unfinished run cannot be continued as this one: which member differs,
 * with both values. */
const char *run_identity_refusal(struct arena *a, int64_t run,
                                 const struct identity *its,
                                 const struct identity *mine);

#endif
