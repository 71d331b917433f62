/* bracket_fold.h - a computation applied to values of a list, pair by pair.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A value of N operands is a row of patterns, one a unit.  What is done with
 * rows: bracket.h, which starts here; bracket_tree.h, sets of rows in every
 * order; bracket_span.h, their ends where the computation rounds.
 */
#ifndef INTERP_OPS_BRACKET_FOLD_H
#define INTERP_OPS_BRACKET_FOLD_H

#include "interp/ops/reduce.h"

struct bracket_fold {
    struct eval *ev;
    struct arena *arena; /* of rows and sets; that of ev */
    const struct computation *c;
    int n, units;
    struct literal **left, **right; /* arguments, N scalars each */
    struct literal *result;         /* one scalar, or a tuple of N */
    const struct literal **arguments;
    /* The current element. */
    const struct reduce_list *list;
    int64_t i;
    int64_t calls; /* of the computation so far */
    bool rounds;   /* a result was one of several that the profile allows; known
                      only if ev->want_exact */
    bool any_init; /* policy reduce.init: init may be used more than once, */
    bool anywhere; /* and as a right argument */
    unsigned char *any; /* units of a row that may be anything, by a policy */
};

void bracket_fold_open(struct bracket_fold *f, struct eval *ev,
                       const struct computation *c, int n);
/* Begin with another element. */
void bracket_fold_start(struct bracket_fold *f, const struct reduce_list *list,
                        int64_t i);
/* A row in f->arena. */
uint64_t *bracket_fold_row(const struct bracket_fold *f);
/* to = f(x, y); to may be one of them. */
bool bracket_fold_apply(struct bracket_fold *f, uint64_t *to, const uint64_t *x,
                        const uint64_t *y, struct status *st);
/* The initial values; term k. */
void bracket_fold_init(const struct bracket_fold *f, uint64_t *to);
void bracket_fold_term(const struct bracket_fold *f, int64_t k, uint64_t *to);
/* The ends of term k, or of the initial values (-1), where operands are
 * inexact (ev->low). */
void bracket_fold_ends(const struct bracket_fold *f, int64_t k, uint64_t *low,
                       uint64_t *high);
/* Equal bits; all NaNs are equal. */
bool bracket_fold_same(const struct bracket_fold *f, const uint64_t *x,
                       const uint64_t *y);

#endif
