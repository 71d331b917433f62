/* scatter.h - which update of a Scatter goes to which element.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * An update is one element of the arrays of updates; those that differ in
 * window dimensions only form a window, and share an index vector.  A hit is an
 * update that changes an element of the operands.
 */
#ifndef INTERP_OPS_SCATTER_H
#define INTERP_OPS_SCATTER_H

#include "interp/base/pairs.h"
#include "interp/ops/dimnums.h"
#include "interp/program/eval.h"

struct scatter_numbers {
    struct dimnums window, inserted, map, batch, index_batch;
    int64_t vector; /* index_vector_dim */
};

/* A hit: its key is the element of the operands, its place that of the
 * updates. */
struct scatter {
    struct eval *ev;
    const struct computation *c;
    int n;             /* operands */
    int64_t count;     /* of hits */
    struct pair *hits; /* by element, then in order of updates */
    bool as_found; /* in order of updates only: to be set before they are found;
                      unique is not set */
    int64_t windows, elements; /* elements of an operand */
    bool sorted, unique;       /* what the indices are */
    bool update_first;         /* the computation's arguments change places */
    /* Windows that by policy may be left out; NULL if there are none. */
    unsigned char *optional;
    const struct shape *updates;
    /* Each dimension of updates: its step, and its step in windows, which is 0
     * for one of a window. */
    int64_t step[SHAPE_RANK_MAX], group[SHAPE_RANK_MAX];
};

/* Is that dimension of the operand one that windows have too? */
bool scatter_is_window_dim(const struct scatter_numbers *n, int d);
struct scatter_numbers scatter_get(const struct instruction *in);
bool scatter_infer(struct infer *in, const struct scatter_numbers *n,
                   struct status *st);
/* Find all hits, as policy scatter.partial-window has it.  Fails with SYSTEM
 * if there may be too many. */
bool scatter_find(struct scatter *s, struct status *st);
/* The window of hit i, and whether it may be left out. */
int64_t scatter_window(const struct scatter *s, int64_t i);
bool scatter_is_optional(const struct scatter *s, int64_t i);
/* Must one order of the windows explain all elements (scatter.duplicates)? */
bool scatter_in_one_order(const struct scatter *s);
/* The number of hits from i on that go to one element. */
int64_t scatter_run(const struct scatter *s, int64_t i);

/* Operand which, or the updates that go with it. */
static inline const struct literal *scatter_operand(const struct scatter *s,
                                                    int which)
{
    return s->ev->operands[which];
}

static inline const struct literal *scatter_updates(const struct scatter *s,
                                                    int which)
{
    return s->ev->operands[s->n + 1 + which];
}

#endif
