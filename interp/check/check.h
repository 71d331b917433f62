/* check.h - what decides where many results are right, a check a file (goal.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_CHECK_CHECK_H
#define INTERP_CHECK_CHECK_H

#include "interp/goal/goal.h"

/* ---- check_cholesky.c: is that a Cholesky decomposition? ----------------- */
/* A result is judged by its residual, component by component (Higham, Accuracy
 * and Stability of Numerical Algorithms, theorems 10.3, 10.4 and 10.7). */

enum check_cholesky_state {
    CHECK_CHOLESKY_DEFINITE,  /* every algorithm succeeds */
    CHECK_CHOLESKY_DIFFICULT, /* definite, and one may break down */
    CHECK_CHOLESKY_INDEFINITE /* no rule holds */
};

struct check_cholesky {
    struct arena *arena;
    const struct literal *a;          /* the operand, as the reference has it */
    const struct literal *low, *high; /* what it may be: a, if it is exact */
    enum dtype unit, accumulator;
    int64_t n, batches;
    int parts;
    bool lower;
    bool flush, nan_due, zero_other; /* as the profile chooses */
    unsigned char *state;            /* of each matrix */
    struct literal *least, *most;    /* ends of each unit that a matrix with
                                        bounds has; or NULL */
    unsigned char *bounded;          /* does a matrix have them? */
};

/* A goal_check, whose data are a struct check_cholesky. */
bool check_cholesky(const struct goal *g, const struct literal *const *got,
                    int n, struct goal_finding *found);

/* The element of the array that holds l(i, j), or a(i, j), i >= j, of the
 * matrix that begins at first. */
int64_t check_cholesky_element(const struct check_cholesky *p, int64_t first,
                               int64_t i, int64_t j);
/* How many roundings there are on the way to an element, at most. */
int64_t check_cholesky_roundings(const struct check_cholesky *p);
/* How far a part of a(i, j) may be from the product of a right factor with
 * itself.  False: any distance is right. */
bool check_cholesky_residual(const struct check_cholesky *p, int64_t first,
                             int64_t i, int64_t j, mpfr_ptr bound);

/* Of the factor l of a definite matrix, part by part by rows: may rounding lose
 * a pivot (DIFFICULT) of this matrix, or of one whose least eigenvalue is that
 * divided by margin?  If not, and p has room for ends, find those of the parts
 * of each right factor.  (cholesky_bound.c) */
enum check_cholesky_state cholesky_bound(const struct check_cholesky *p,
                                         int64_t batch, const struct real *l,
                                         unsigned long margin);
goal_check_ends cholesky_bound_ends;

/* ---- check_compact.c ----------------------------------------------------- */
/* A predicate over the elements within actual sizes.
 *
 * An operation whose operands have actual sizes is evaluated on compact arrays
 * (interp/ops/dynamic.h); so is the predicate that it names. */

/* The element of an array of shape s, among the bounds, at which each element
 * of a compact array is. */
int64_t *check_compact_places(struct arena *a, const struct shape *compact,
                              const struct shape *s);

/* A goal_check, whose data are the goals of the compact results: a
 * struct goal *const *. */
bool check_compact(const struct goal *goal, const struct literal *const *got,
                   int n, struct goal_finding *found);

/* ---- check_last.c -------------------------------------------------------- */
/* Is each element the value of an update that may be its last? */

/* An update that replaces an element. */
struct check_last_hit {
    int64_t element, update; /* of the operands, of the updates */
    int64_t window;          /* updates of one window are applied together */
    bool optional;           /* the window may be left out */
};

struct check_last {
    int n;            /* arrays: operands, updates and values */
    bool one_order;   /* one order of windows explains all elements */
    int64_t elements; /* of an operand */
    int64_t windows;
    int64_t count;                     /* of hits */
    const struct check_last_hit *hits; /* by element */
    const struct literal **operands, **updates;
};

/* A goal_check, whose data are a struct check_last. */
bool check_last(const struct goal *goal, const struct literal *const *got,
                int n, struct goal_finding *found);

/* ---- check_normal.c ------------------------------------------------------ */
/* Is that a sample of normally distributed numbers?
 *
 * Bins are bounded by quantiles: sixteenths, or quarters where the type has few
 * numbers. */

/* A goal_check, whose data are a struct distribution. */
bool check_normal(const struct goal *g, const struct literal *const *got, int n,
                  struct goal_finding *found);

/* ---- check_rows.c: is each row of values and places like one of two? ----- */

/* Values and indices. */
struct check_rows_way {
    struct literal *values, *indices;
};

/* The two results of which each row may be one. */
struct check_rows {
    int64_t k; /* elements of a row */
    struct check_rows_way way[2];
};

/* A goal_check, whose data are a struct check_rows. */
bool check_rows(const struct goal *goal, const struct literal *const *got,
                int n, struct goal_finding *found);

/* ---- check_sorted.c ------------------------------------------------------ */
/* Are lines sorted, and permutations of the expected ones? */

/* A line is n elements, step apart; a rank's class is the first rank of it. */
struct check_sorted {
    int n;
    int64_t length, step, outer; /* outer * step lines */
    const struct literal **values;
    int64_t *classes; /* of every rank of every line */
    int64_t *ranks;   /* room for two lines */
    /* By line and by rank of the reference: must the row of that rank precede
     * the other?  NULL: any order of the classes will do. */
    unsigned char **before;
};

/* The first element of a line. */
int64_t check_sorted_line(const struct check_sorted *s, int64_t line);

/* A goal_check, whose data are a struct check_sorted. */
bool check_sorted(const struct goal *goal, const struct literal *const *got,
                  int n, struct goal_finding *found);

/* ---- check_triangular.c: is that the solution of a triangular system? ---- */
/* Every form is t x = b with a lower triangular t, whose rows may be read
 * backwards.  A result is judged by its residual (Higham, Accuracy and
 * Stability of Numerical Algorithms, theorem 8.5). */

enum check_triangular_state {
    CHECK_TRIANGULAR_SOLVED,
    CHECK_TRIANGULAR_FREE,    /* overflow, or an a that is not finite */
    CHECK_TRIANGULAR_SPECIAL, /* a b that is not finite */
    CHECK_TRIANGULAR_SINGULAR /* policy triangular-solve.singular */
};

struct check_triangular {
    struct arena *arena;
    const struct literal *a, *b;
    const struct literal *a_ends[2], *b_ends[2]; /* a and b if exact */
    bool inexact;
    enum dtype unit, accumulator;
    int64_t n, columns, batches;
    int parts;
    bool left, lower, unit_diagonal, swap, conjugate;
    bool flush, row_wise, special_due; /* as the profile chooses */
    unsigned char *state;              /* of each column of each batch */
    struct literal *least, *most;      /* as in struct check_cholesky, */
    unsigned char *bounded;            /* of each column */
};

/* One column of one batch. */
struct check_triangular_place {
    const struct check_triangular *p;
    int64_t batch, column;
};

/* A goal_check, whose data are a struct check_triangular. */
bool check_triangular(const struct goal *g, const struct literal *const *got,
                      int n, struct goal_finding *found);

/* The elements of a and b that t(i, j) and b(i, j) are, of the place that
 * context is: -1 for a zero, -2 for a one; is t(i, j) conjugated? */
int64_t check_triangular_a(const void *context, int64_t i, int64_t j,
                           bool *conjugate);
int64_t check_triangular_b(const void *context, int64_t i, int64_t j,
                           bool *conjugate);

/* Can no step overflow, or divide by next to nothing, with the solution x? */
bool check_triangular_tame(const struct check_triangular_place *at,
                           const struct real *x);
/* The same with the solution for any a and b between their ends. */
bool check_triangular_tame_between(const struct check_triangular_place *at);

/* A right x of row i leaves a residual of at most gamma |t| |x| + lost in each
 * part. */
void check_triangular_row(const struct check_triangular_place *at, int64_t i,
                          mpfr_ptr gamma, mpfr_ptr lost);
/* For p->least and the like: the ends of each part of a right solution, where x
 * is the exact one, column by column.  (triangular_ends.c) */
struct triangular_ends;
struct triangular_ends *triangular_ends_open(const struct check_triangular *p);
void triangular_ends_column(struct triangular_ends *t,
                            const struct check_triangular_place *at,
                            const struct real *x);
void triangular_ends_close(struct triangular_ends *t);
goal_check_ends triangular_ends;

/* ---- check_uniform.c ----------------------------------------------------- */
/* Is that a sample of uniformly distributed numbers of [a, b)? */

/* A goal_check, whose data are a struct distribution. */
bool check_uniform(const struct goal *g, const struct literal *const *got,
                   int n, struct goal_finding *found);

/* ---- check_updates.c: does an order of updates explain a result? --------- */
/* A row is what all results have at one element: one pattern a unit. */

/* Elements whose updates must be explained together, and each result that an
 * order of the updates leaves there. */
struct check_updates_part {
    int64_t slots, *elements;
    int64_t count;
    const uint64_t *results; /* of slots * width patterns each */
};

struct check_updates {
    int n, width; /* arrays; patterns in a row */
    bool one_order;
    int64_t part_count;
    struct check_updates_part *parts;
    unsigned char *open; /* of each element: a part has it */
    unsigned char *hit;  /* has it an update? */
    const struct literal **values;
};

/* A goal_check, whose data are a struct check_updates. */
bool check_updates(const struct goal *goal, const struct literal *const *got,
                   int n, struct goal_finding *found);

/* Equal, or both a NaN. */
bool check_updates_alike(enum dtype unit, uint64_t x, uint64_t y);

/* ---- check_words.c: is that a generator's next state, and its output? ---- */

struct check_words {
    const struct literal *state;
    bool draws;         /* the result has elements */
    bool words, philox; /* of that algorithm */
};

/* A goal_check, whose data are a struct check_words. */
bool check_words(const struct goal *g, const struct literal *const *got, int n,
                 struct goal_finding *found);

#endif
