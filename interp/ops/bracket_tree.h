/* bracket_tree.h - what a computation returns in every order of its calls.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Terms keep their order and may be combined in any tree.  The initial value
 * is always the left argument (004:1368), of a term or of terms that are
 * already combined (004:1244-1250).
 */
#ifndef INTERP_OPS_BRACKET_TREE_H
#define INTERP_OPS_BRACKET_TREE_H

#include "interp/ops/bracket_fold.h"

enum {
    BRACKET_TREE_LEAVES = 6, /* terms whose trees are all tried */
    BRACKET_RUN_LEAVES = 40  /* the same, where most runs have one result */
};

/* Rows, each once. */
struct bracket_set {
    int count, room;
    uint64_t *rows;
};

const uint64_t *bracket_tree_row(const struct bracket_fold *f,
                                 const struct bracket_set *s, int i);
bool bracket_tree_has(const struct bracket_fold *f, const struct bracket_set *s,
                      const uint64_t *row);
/* The results of all trees of the 1 to BRACKET_RUN_LEAVES terms of the element
 * at work: without the initial value, and, if there is one, with it once, or
 * (any) once or more, though in one place only once. */
bool bracket_tree_all(struct bracket_fold *f, bool any,
                      struct bracket_set *without, struct bracket_set *with,
                      struct status *st);

#endif
