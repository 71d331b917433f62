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

#include <stdint.h>
#include <sys/types.h>

#include "runner/plugin/abi_case.h"
#include "runner/plugin/plugin.h"
#include "runner/process/worker.h"

/* ---- worker_input.c: inputs between guards ------------------------------- */
/* Small inputs are copied to where guard bytes stand before and after them; a
 * backend that writes there is detected.  Large ones are not copied. */

/* The copies are in the arena. */
void worker_input_guard(struct arena *a, const struct abi_case *c);
/* Are the guards of all inputs intact? */
bool worker_input_whole(const struct abi_case *c);
/* The data as the backend sees them: inputs_hash, if they are the case's. */
struct hash worker_input_hash(const struct abi_case *c);

/* ---- worker_memory.c: how much memory a worker may take ------------------ */

/* The peak memory of this process, in bytes. */
int64_t worker_memory_peak(void);
/* Refuse allocations far above the limit. */
void worker_memory_limit(int64_t bytes);
/* The runner checks periodically; a peak in a call between two checks is
 * detected here: more than bytes above the earlier peak ends the process. */
void worker_memory_check(int64_t bytes, int64_t before, int64_t took_ns);

/* ---- worker_output.c: memory for outputs, between guards ----------------- */
/* An output has guard bytes before and after it, and so have its dimensions,
 * which are compared after the call.  A large one ends at an inaccessible page,
 * so that a write far beyond it is a crash instead of damage elsewhere.
 *
 * Outputs are filled with bytes drawn from a seed, and those of a second
 * execution with the complement: a byte that differs as the fill does was
 * never written. */

enum {
    WORKER_OUTPUT_POOLS = 4
};

struct worker_output {
    struct arena *arena; /* of one case */
    const struct abi_case *program;
    uint64_t seed;
    /* Holds small outputs.  A backend that writes into the results of its last
     * execution too late writes into unused memory. */
    struct {
        unsigned char *data;
        uint64_t bytes;
    } pools[WORKER_OUTPUT_POOLS];
    unsigned turn; /* whose it is */
    unsigned char *pool;
    uint64_t pool_used;
    uint64_t *sizes; /* of the program's outputs, in bytes; 0 of a token */
    unsigned char **data[2];      /* of each execution, where outputs lie */
    struct worker_mapping *large; /* outputs with pages of their own */
};

/* How many bytes of data an output holds: what it says, up to its capacity. */
uint64_t worker_output_held(const assay_output *o, uint64_t capacity);

/* Bytes of all inputs and outputs of one execution. */
uint64_t worker_output_data(const struct abi_case *c);

/* Make room for two executions of the program; false if there is none. */
bool worker_output_room(struct worker_output *w);
/* The outputs of all replicas, filled. */
assay_output *const *worker_output_new(struct worker_output *w, bool second);
/* The first output that was written outside its bounds, or -1. */
int worker_output_broken(const struct worker_output *w,
                         assay_output *const *out, bool second);
/* An output of which a byte still is the fill in both executions, or -1;
 * dynamic arrays have room that need not be written. */
int worker_output_unwritten(const struct worker_output *w,
                            assay_output *const *first,
                            assay_output *const *second);
/* Did the executions give different bits? */
bool worker_output_differ(const struct worker_output *w,
                          assay_output *const *first,
                          assay_output *const *second);

/* ---- worker.c ------------------------------------------------------------ */

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

/* An execution's permission to write to its outfeeds: a late write must not
 * become the next case's. */
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
