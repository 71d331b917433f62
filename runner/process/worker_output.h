/* worker_output.h - memory for outputs, between guards.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * An output has guard bytes before and after it, and so have its dimensions,
 * which are compared after the call.  A large one ends at an inaccessible page,
 * so that a write far beyond it is a crash instead of damage elsewhere.
 *
 * Outputs are filled with bytes drawn from a seed, and those of a second
 * execution with the complement: a byte that differs as the fill does was
 * never written.
 */
#ifndef RUNNER_PROCESS_WORKER_OUTPUT_H
#define RUNNER_PROCESS_WORKER_OUTPUT_H

#include "runner/plugin/abi_case.h"

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

#endif
