/* bracket.h - reductions by any computation.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The values are combined from the first to the last.  Brackets may be
 * anywhere: a few values are tried in every way, and the result of each is
 * right.  Many values need a computation that is declared associative, or is
 * proven to be (bracket_law.c); others are rejected.
 */
#ifndef INTERP_OPS_BRACKET_H
#define INTERP_OPS_BRACKET_H

#include "interp/ops/reduce.h"

struct bracket;

struct bracket *bracket_open(struct eval *ev, const struct computation *c,
                             int n);
bool bracket_element(struct bracket *b, const struct reduce_list *list,
                     int64_t i, struct goal **goals, struct status *st);

/* ---- bracket_fold.c ------------------------------------------------------ */
/* A computation applied to values of a list, pair by pair.
 *
 * A value of N operands is a row of patterns, one a unit.  What is done with
 * rows: bracket.c, which starts here; bracket_tree.c, sets of rows in every
 * order; bracket_span.c, their ends where the computation rounds. */

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

/* ---- bracket_law.c: laws of computations that only compare and select ---- */
/* The result of such a computation (argmax: comparisons, Select, And, Or, Max)
 * follows from the order of its arguments.  Three rows can be ordered in
 * finitely many ways, so a law of three rows is proven by trying each of them,
 * however many values are then combined. */

enum bracket_law {
    BRACKET_ASSOCIATES,    /* f(f(x, y), z) = f(x, f(y, z)) */
    BRACKET_EXCHANGES,     /* f(f(x, y), z) = f(f(x, z), y) */
    BRACKET_EXCHANGES_LEFT /* f(z, f(y, x)) = f(y, f(z, x)) */
};

/* The special values that one operand of all rows has. */
struct bracket_seen {
    bool nan, plus, minus, subnormal;
};

/* A value between two ends, which may be one. */
void bracket_law_see(struct bracket_seen *seen, enum dtype type, uint64_t low,
                     uint64_t high);
/* *holds: the law is proven for rows with such special values.  Not proven is
 * not disproven. */
bool bracket_law(struct bracket_fold *f, enum bracket_law law,
                 const struct bracket_seen *seen, bool *holds,
                 struct status *st);

/* ---- bracket_span.c ------------------------------------------------------ */
/* The ends of a reduction by a computation that rounds. */

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

/* ---- bracket_tree.c ------------------------------------------------------ */
/* The results of a computation in every order of its calls.
 *
 * Terms keep their order and may be combined in any tree.  The initial value
 * is always the left argument (004:1368), of a term or of terms that are
 * already combined (004:1244-1250). */

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
