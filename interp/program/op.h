/* op.h - what one operation is to the interpreter.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * interp/ops/NAME.c defines op_NAME and nothing else that is visible.  The
 * table of all of them, op_table.h, is made from the files of spec/ops/.
 *
 * An operation says which shapes and types are legal and what the result's
 * shape is (infer), and the exact result with the shape of its error (eval,
 * into goals).  It never compares, prints, or knows a backend.
 */
#ifndef INTERP_PROGRAM_OP_H
#define INTERP_PROGRAM_OP_H

#include "interp/base/limits.h"
#include "interp/base/literal.h"
#include "interp/exact/goal.h"
#include "interp/program/profile.h"
#include "interp/program/program.h"

struct elementwise;

/* One inference.  Before infer is called, the number of operands, the element
 * types that spec/ops allows and the presence and form of all attributes have
 * been checked. */
struct infer {
    struct arena *arena;
    struct program *program;
    const struct op *op;
    struct instruction *in; /* may bind built-in computations */
    int count;
    const struct shape *const *operands;
    const struct shape *result; /* to set */
};

/* What a run of the interpreter has and may use. */
struct machine {
    const struct program *program;
    const struct profile *profile;
    const struct limits *limits;
    bool want_exact; /* goals of the entry's result shall hold exact values */
    int replicas;
    int64_t steps;            /* instructions run so far */
    struct literal ***infeed; /* [replica][i], infeed_count[replica] */
    int *infeed_count, *infeed_next;
    struct literal ***outfeed; /* what Outfeed gave, per replica */
    int *outfeed_count, *outfeed_room;
    void *channels; /* Send and Recv in flight; private to their file */
    const void *custom_calls;
};

/* What an instruction gave: the value, and a goal for each array or token of
 * it (tokens: NULL), depth first. */
struct outcome {
    struct literal *value;
    int count;
    struct goal **goals;
};

/* One evaluation of one instruction in one replica. */
struct eval {
    struct arena *arena;
    struct machine *machine;
    const struct instruction *in;
    int replica;
    int count;
    const struct literal *const *operands;
    bool want_exact;
    struct outcome out; /* to set: eval_return (eval.h) */
};

struct op {
    const char *name;
    bool (*infer)(struct infer *in, struct status *st);
    /* Either: one replica at a time, */
    bool (*eval)(struct eval *ev, struct status *st);
    /* or all replicas that arrived, in lock step (collectives, control). */
    bool (*eval_group)(struct eval *evs, int count, struct status *st);
    const struct elementwise *elementwise; /* interp/ops/elementwise.h */
    /* Rising (+1), falling (-1) or neither (0) in each operand, for programs
     * of several inexact instructions. */
    signed char monotone[3];
};

#endif
