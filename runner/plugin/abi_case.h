/* abi_case.h - a whole case as the plugin ABI has it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_PLUGIN_ABI_CASE_H
#define RUNNER_PLUGIN_ABI_CASE_H

#include <assay/backend.h>

#include "interp/base/hash.h"
#include "interp/case/case.h"

struct abi_case {
    const assay_program *program;
    struct hash hash; /* of the program; its name is not in it */
    /* Leaves of all replicas, in the order of assay_execution. */
    const assay_tensor *const *inputs;
    const assay_tensor *const *infeed; /* NULL: none */
    const int64_t *infeed_start;
    int input_count, output_count; /* of one replica */
    bool has_outputs;              /* the program is valid */
    int replicas; /* times partitions: rows of inputs and outputs */
};

/* Everything lives in the arena, and the data are the case's own.  The case
 * must have a program; one that is rejected has no outputs. */
struct abi_case *abi_case(struct arena *a, const struct test_case *c);

/* Is the program as it was made? */
bool abi_case_whole(const struct abi_case *c);

#endif
