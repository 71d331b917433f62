/* bracket_span.h - the ends of a reduction by a computation that rounds.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_OPS_BRACKET_SPAN_H
#define INTERP_OPS_BRACKET_SPAN_H

#include "interp/ops/bracket_fold.h"

enum {
    BRACKET_SPAN_LEAVES = 6 /* terms whose trees are all followed */
};

/* Rows between which every unit of the result lies, whatever the tree, of the 1
 * to BRACKET_SPAN_LEAVES terms of the element at work, the initial value
 * entering as in bracket_tree_all.  Fails with UNSUPPORTED where a computation
 * cannot be followed (interval.h). */
bool bracket_span_ends(struct bracket_fold *f, bool any, uint64_t *low,
                       uint64_t *high, struct status *st);
/* The same for any number of terms from the first to the last, the initial
 * value before them. */
bool bracket_span_fold(struct bracket_fold *f, uint64_t *low, uint64_t *high,
                       struct status *st);
/* *keeps: whatever its roundings, f(init, x) may be x for each of the terms; an
 * initial value that is an identity in real numbers does so. */
bool bracket_span_keeps(struct bracket_fold *f, bool *keeps, struct status *st);

#endif
