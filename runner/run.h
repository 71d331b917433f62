/* run.h - a run: plan, supervise, record, summarise.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_RUN_H
#define RUNNER_RUN_H

#include <signal.h>
#include <stdio.h>

#include "interp/judge/verdict.h"
#include "runner/plan/expect.h"
#include "runner/plan/plan.h"
#include "runner/store/identity.h"

enum {
    RUN_BATCH = 200 /* of a backend that says that compiling is slow */
};

struct run_options {
    struct plan_options plan;
    struct limits limits;
    const char *backend, *backend_options; /* name or path */
    const char *profile, *database, *expectations;
    const char *bits;    /* file for what the backend returns, or NULL */
    const char *shard;   /* "I/N", "env", "env/N" (plan/shard.h), or NULL */
    const char *balance; /* database with the times to split by, or NULL */
    const char *command; /* the whole command line, for the record */
    const char *rerun;   /* its part that makes a case run again */
    const char *program; /* that the only case was made of, or NULL */
    uint64_t seed;
    int jobs;
    int64_t timeout_ms;  /* 0: supervise_timeout() */
    int64_t expected_ms; /* 0: supervise_expected_timeout() */
    int64_t sleep_ms, memory_bytes;
    int give_up; /* supervise.h */
    int batch;   /* cases compiled as one program; 0: as the backend asks */
    bool each;   /* values of a program, each by those given for its operands */
    bool unremarked; /* no choices that are permitted with a remark */
    bool no_sandbox;
    bool resume, list, dry_run, tap, json, fail_fast, quiet, verbose, colour;
    volatile sig_atomic_t interrupted; /* set by the caller's handler */
    /* The cases are read, so interrupted is looked at from here on.  Before,
     * nothing has been written, and the handler may end the process. */
    volatile sig_atomic_t planned;
};

struct run_tally {
    int64_t planned, count[VERDICT_COUNT];
};

/* Why cases were not judged: those whose messages have one class (text.h). */
struct run_reason {
    const char *class, *text; /* text: the first message */
    int64_t count;
};

struct run_summary {
    struct run_tally all;
    int64_t wall_ns, compile_ns,
        execute_ns; /* the backend's own: the last two */
    int reason_count;
    struct run_reason *reasons; /* in the order of their first case */
    int64_t failed;             /* cases whose status is a failure */
    int64_t reference_wrong;
    bool interrupted, stopped; /* before its end */
    bool failed_fast;          /* because of --fail-fast */
    bool gave_up;              /* because of --give-up */
    const char *note;          /* why it stopped, or NULL */
    int64_t unconfirmed; /* timeouts that did not recur when the case was run
                            alone */
    int64_t disturbed;   /* cases whose inputs something had overwritten */
    bool damaged;        /* memory of the runner was overwritten */
    const char *endings; /* how it died in release and in close, or NULL */
    int64_t refused;     /* calls that the sandbox refused; the first: */
    const char *refused_text;
    const char *sandbox, *sandbox_missing; /* sandbox_level, what it lacks */
    bool ran;                              /* false: only listed or planned */
    int shard, shards;                     /* 0: the whole plan */
    const char *shard_variable;            /* that said so, or NULL */
    int64_t whole;                         /* planned cases of all shards */
    int64_t run;                           /* in the database; 0: none yet */
    const struct identity *identity; /* NULL: the backend was not opened */
    const char *expectations;        /* file that was read, or NULL */
    int expectation_count;
};

/* False if the run itself failed: a usage or input error (st->code INPUT), or
 * the system (any other). */
bool run_suite(struct arena *a, struct run_options *options,
               struct run_summary *summary, struct status *st);

#endif
