/* supervise.h - start the processes of a run, watch them, clean up after them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_PROCESS_SUPERVISE_H
#define RUNNER_PROCESS_SUPERVISE_H

#include <signal.h>

#include "runner/process/job.h"

enum {
    SUPERVISE_TIMEOUT_MS = 10000,     /* defaults */
    SUPERVISE_SLEEP_TIMES = 6,        /* sleep_ms in timeout_ms */
    SUPERVISE_ALONE_TIMES = 2,        /* timeout_ms in that of a second try */
    SUPERVISE_LONG_TIMES = 3,         /* and where compiling takes long */
    SUPERVISE_EXPECTED_PART = 10,     /* expected_ms in timeout_ms, */
    SUPERVISE_EXPECTED_MIN_MS = 1000, /* but no less than this */
    SUPERVISE_OPEN_MS = 60000,
    SUPERVISE_GIVE_UP = 10,
    SUPERVISE_ASLEEP_PART = 3, /* of that many, if they are of sleep */
};

/* The outcome of a supervised run, besides its results. */
struct supervise_outcome {
    bool gave_up;        /* the rest was not run */
    int64_t unconfirmed; /* timeouts that did not recur when the case was run
                            alone */
    int64_t disturbed;   /* cases whose inputs something had overwritten */
    bool damaged;        /* memory that is shared was overwritten */
    char text[160];      /* why it gave up */
    int64_t refused;     /* calls that the sandbox refused, and the first one */
    char refused_text[160];
    /* Deaths and time limits inside release and close, which cost no case its
     * verdict, and how the first of each ended. */
    int64_t release_deaths, close_deaths;
    char release_text[160], close_text[160];
};

/* Does a case usually end so?  Then once is enough. */
typedef bool supervise_expected(void *self, const struct job_result *result);

/* supervise_watch.h says what the limits count.  Both are of one call of the
 * backend, and of one evaluation of the reference. */
struct supervise_options {
    int jobs;
    int64_t timeout_ms; /* of processor time; in a second try
                           SUPERVISE_ALONE_TIMES as much */
    int64_t sleep_ms;   /* while it sleeps */
    /* In place of timeout_ms, if it is less, for a case whose timeout is
     * expected; sleep_ms shrinks in proportion. */
    int64_t expected_ms;
    /* At least this, of either, to open a backend, to make a case, and for a
     * worker to wait for its judge. */
    int64_t open_ms;
    int64_t memory_bytes;          /* of one process and its children */
    const struct sandbox *sandbox; /* for supervise_probe; NULL: none */
    /* Give up after this many consecutive timeouts of a kind, a third of that
     * if it slept; 0: never. */
    int give_up;
    const volatile sig_atomic_t *interrupted;
    supervise_expected *expected; /* with the same self; NULL: nothing is */
    struct supervise_outcome *outcome; /* may be NULL */
};

/* Called for each result: in any order, perhaps twice for one case (then the
 * second is to be ignored).  One that is held is not final: the case will be
 * tried again.  Returns false to stop the run. */
typedef bool supervise_result(void *self, const struct job_result *result);
/* Called now and then. */
typedef void supervise_tick(void *self);

/* Run all pending cases.  A case at which a process died or that timed out is
 * tried again, alone and in fresh processes, unless it is expected to end so.
 * False if the run itself failed.
 */
bool supervise(const struct job_context *context,
               const struct supervise_options *options,
               supervise_result *on_result, supervise_tick *on_tick, void *self,
               struct status *st);

/* Does the reference complete a pending case within limits and time?  True
 * if that cannot be found out. */
bool supervise_end(const struct job_context *context,
                   const struct supervise_options *options, int64_t position);

/* Ask the backend for its name and version, in a separate process.  Everything
 * is copied into the arena.  Fails with INPUT. */
struct supervise_backend {
    const char *name, *version;
    bool slow_compile; /* it asks for batches */
    bool long_compile; /* and for more time */
    int property_count;
    const char **keys, **values;
};
bool supervise_probe(struct arena *a, const char *path, const char *options,
                     const struct supervise_options *limits,
                     struct supervise_backend *backend, struct status *st);
/* timeout_ms, if nothing else was asked for. */
static inline int64_t supervise_timeout(const struct supervise_backend *backend)
{
    return SUPERVISE_TIMEOUT_MS
           * (backend->long_compile ? SUPERVISE_LONG_TIMES : 1);
}

/* expected_ms, likewise. */
static inline int64_t supervise_expected_timeout(int64_t timeout_ms)
{
    int64_t ms = timeout_ms / SUPERVISE_EXPECTED_PART;
    return ms > SUPERVISE_EXPECTED_MIN_MS ? ms : SUPERVISE_EXPECTED_MIN_MS;
}

#endif
