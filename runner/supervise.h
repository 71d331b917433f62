/* supervise.h - start the processes of a run, watch them, clean up after them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_SUPERVISE_H
#define RUNNER_SUPERVISE_H

#include <signal.h>

#include "runner/job.h"

struct supervise_options {
    int jobs;
    int64_t timeout_ms;   /* of one case in the backend, and in the reference */
    int64_t memory_bytes; /* of one process */
    const volatile sig_atomic_t *interrupted;
};

/* Called for each result: in any order, perhaps twice for one case (then the
 * second is to be ignored).  Returns false to stop the run. */
typedef bool supervise_result(void *self, const struct job_result *result);
/* Called now and then. */
typedef void supervise_tick(void *self);

/* Run all pending cases.  False if the run itself failed. */
bool supervise(struct job_context *context,
               const struct supervise_options *options,
               supervise_result *on_result, supervise_tick *on_tick, void *self,
               struct status *st);

/* Does the reference get through a pending case, within limits and time?  True
 * if that cannot be found out. */
bool supervise_end(const struct job_context *context,
                   const struct supervise_options *options, int64_t position);

/* Ask the backend who it is, in a process of its own.  Everything is copied
 * into the arena.  Fails with INPUT. */
struct supervise_backend {
    const char *name, *version;
    int property_count;
    const char **keys, **values;
};
bool supervise_probe(struct arena *a, const char *path, const char *options,
                     int64_t timeout_ms, struct supervise_backend *backend,
                     struct status *st);

#endif
