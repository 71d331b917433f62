/* worker_private.h - what the files of the worker share.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *     worker.c        calls the backend: one case at a time
 *     worker_batch.c  the same, several cases as one program
 *     worker_send.c   sends the outputs to the judge
 */
#ifndef RUNNER_PROCESS_WORKER_PRIVATE_H
#define RUNNER_PROCESS_WORKER_PRIVATE_H

#include <sys/types.h>

#include "runner/plugin/plugin.h"
#include "runner/process/worker.h"
#include "runner/process/worker_output.h"

enum {
    WORKER_KEPT = 32,    /* executables */
    WORKER_TICKETS = 64, /* executions whose late outfeeds are distinguished */
};

struct worker_executable {
    struct hash hash;
    assay_executable *made;
    uint64_t used;
};

struct worker_outfed {
    int32_t replica;
    const struct literal *value; /* NULL: no tensor of the ABI */
    struct worker_outfed *next;
};

/* What an execution writes to its outfeeds: a late one must not become the next
 * case's. */
struct worker_ticket {
    struct worker *worker;
    _Atomic bool open;
};

struct worker {
    const struct job_context *context;
    pid_t pid;
    struct worker_ticket tickets[WORKER_TICKETS];
    uint64_t executions;
    struct job *job;
    struct plugin plugin;
    struct arena arena; /* of one case */
    struct worker_executable kept[WORKER_KEPT];
    uint64_t uses;
    int64_t memory_before; /* the backend was opened */
    int64_t sent;          /* records */
    struct worker_output room;
    struct job_shared left;     /* what job->shared must be */
    struct worker_batch *batch; /* worker_batch.c; NULL: none yet */
    /* About the running case or batch: */
    int64_t position;
    struct job_record record;
    const struct abi_case *program;
    assay_output *const *outputs;  /* of the run that counts */
    assay_output *const *outputs2; /* of the second one */
    struct worker_outfed *outfeed, **outfeed_end;
    const struct worker_outfed *outfeed2; /* of the second one */
};

/* Begin a phase; be at a case (-1: at none); have these cases left. */
void worker_enter(struct worker *w, enum job_phase phase);
void worker_at(struct worker *w, int64_t position);
void worker_taken(struct worker *w, int64_t next, int64_t end);

/* Compile w->program, or find it among those that are kept; execute it.  False
 * if that fails: w->record says how. */
bool worker_compile(struct worker *w, struct worker_executable **found);
bool worker_execute(struct worker *w, struct worker_executable *e,
                    assay_output *const *outputs, bool second);
void worker_drop(struct worker *w, struct worker_executable *e);
/* Where the case at a position in job_context.pending may run. */
enum job_lone worker_lone(const struct job_context *x, int64_t position);

/* Begin the record of the case at a position. */
void worker_begin(struct worker *w, int64_t position);
/* Send it with the outputs; then the case is settled. */
void worker_send(struct worker *w);

/* Run those of the taken cases in batches that can be; cases that are not right
 * in their batch are left to be run alone. */
void worker_batch(struct worker *w);

#endif
