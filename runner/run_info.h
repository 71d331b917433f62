/* run_info.h - the row of a run, of cases or of a sweep.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_RUN_INFO_H
#define RUNNER_RUN_INFO_H

#include "interp/specification/profile.h"
#include "runner/process/sandbox.h"
#include "runner/process/supervise.h"
#include "runner/store/store.h"

/* Facts that runs and sweeps share. */
struct run_info {
    const struct supervise_backend *backend;
    const char *path, *options; /* of the backend */
    const struct profile *profile;
    const char *profile_name; /* as the command line has it: maybe a path */
    const struct sandbox *sandbox;
    const char *command;
    int jobs;
};

/* The profile's file and those that it extends, as a JSON array, in the
 * arena. */
const char *run_info_profile(struct arena *a, const struct profile *p);

/* The row of this run.  The caller adds what a sweep lacks (filter, tier, seed,
 * case set), the identity and the hash. */
struct store_run run_info_row(struct arena *a, const struct run_info *from);

#endif
