/* abi.h - a case in the words of the plugin ABI.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_PLUGIN_ABI_H
#define RUNNER_PLUGIN_ABI_H

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
    int replicas; /* times partitions: rows of inputs and outputs */
};

/* Everything lives in the arena, and the data are the case's own.  The case
 * must have a program; one that is rejected has no outputs. */
struct abi_case *abi_case(struct arena *a, const struct test_case *c);

const assay_shape *abi_shape(struct arena *a, const struct shape *s);
const assay_tensor *abi_tensor(struct arena *a, const struct literal *leaf);
/* A literal of a tensor, for what Outfeed gives; NULL if it is no tensor. */
struct literal *abi_literal(struct arena *a, const assay_tensor *t);

/* An error class of the case format for a code, and back. */
enum code abi_code(assay_code code);

#endif
