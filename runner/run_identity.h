/* run_identity.h - the identity of a run of cases or of a sweep.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_RUN_IDENTITY_H
#define RUNNER_RUN_IDENTITY_H

#include "interp/specification/profile.h"
#include "runner/plan/expect.h"
#include "runner/plan/plan.h"
#include "runner/process/sandbox.h"
#include "runner/process/supervise.h"
#include "runner/store/identity.h"
#include "runner/store/store.h"

/* ---- run_info.c: the row of a run, of cases or of a sweep ---------------- */

/* Facts that runs and sweeps share. */
struct run_info {
    struct supervise_backend backend;
    const char *path, *options; /* of it, with those that its name implies */
    const struct profile *profile;
    const char *profile_name; /* as the command line has it: maybe a path */
    struct sandbox sandbox;
    const char *command;
    int jobs;
};

/* The profile's file and those that it extends, as a JSON array, in the
 * arena. */
const char *run_info_profile(struct arena *a, const struct profile *p);

/* The row of this run.  The caller adds what a sweep lacks (filter, tier, seed,
 * case set), the identity and the hash. */
struct store_run run_info_row(struct arena *a, const struct run_info *from);

/* ---- run_identity.c ------------------------------------------------------ */

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
