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
#include "interp/ops/monoid.h"
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

/* ---- scatter_apply.c ----------------------------------------------------- */
/* Updates combined with the existing elements, in any order. */

/* Make goals, one an operand, for hits that are known. */
bool scatter_apply(struct scatter *s, struct goal **goals, struct status *st);

/* Does c give its last n arguments? */
bool scatter_apply_is_last(const struct computation *c, int n);

/* ---- scatter_body.c: updates by any computation -------------------------- */
/* The order of updates is free.  Where the result depends on it, a few updates
 * are tried in every order, and each result is right; many are rejected.  A
 * computation that rounds: scatter_round.c. */

/* Run the computation for every hit: write the values of goals, which hold the
 * operands, and note what else is right there. */
bool scatter_body_eval(struct scatter *s, struct goal **goals,
                       struct status *st);

/* ---- scatter_last.c: updates that replace what was there ----------------- */
/* The order of updates is free, so any of several updates of one element may be
 * the last. */

/* Every hit puts its update in place: write the values of goals, which hold
 * the operands, and note what else is right there. */
void scatter_last_eval(struct scatter *s, struct goal **goals);

/* ---- scatter_part.c ------------------------------------------------------ */
/* A Scatter whose results do not depend on one another.
 *
 * Where each result of the computation is a sum, a product, an extreme or a
 * bitwise operation of the two values that meet there, the updates of each
 * operand are combined as if they were alone, however many there are.  So is a
 * difference, which is a sum of negatives. */

struct scatter_part {
    struct scatter s; /* of one operand */
    const struct monoid *monoid;
    bool negative;     /* of the updates' negatives: those of s are negated */
    bool sum, product; /* rounded; else it has a fold (monoid_find) */
};

/* The parts of s, one of each operand; NULL where it is not so. */
struct scatter_part *scatter_part_split(const struct scatter *s);

/* ---- scatter_round.c: updates by a computation that rounds --------------- */

enum {
    SCATTER_MOVES_MAX = 6 /* updates or windows whose orders are all tried */
};

/* Replace goals, which hold the values.  One update of an element is judged as
 * the computation alone; of several, in any order, the result lies between the
 * ends of what the orders give. */
bool scatter_round_eval(struct scatter *s, struct goal **goals,
                        struct status *st);

#endif
