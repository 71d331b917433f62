/* lapack_call.h - what the functions of LAPACK share.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_OPS_LAPACK_CALL_H
#define INTERP_OPS_LAPACK_CALL_H

#include "interp/check/check_lapack.h"
#include "interp/program/eval.h"
#include "interp/program/infer.h"

/* The letter of an option, or another one if it is not there. */
int lapack_call_option(const struct instruction *in, const char *name,
                       int other);

/* A call being evaluated, a matrix of the batch after the other. */
struct lapack_call {
    struct check_lapack *p;
    struct arena *arena;
    struct goal *goals[CHECK_LAPACK_RESULTS];
    int count;
    struct lapack_matrix a; /* the operand */
    mpfr_t x, y, t;         /* the caller's */
};

bool lapack_call_open(struct lapack_call *c, struct eval *ev,
                      struct status *st);
/* The goals are the results from `place` on, judged by that check; the ones
 * before are anything.  If `decided`, the last one is: info, of numbers that
 * are finite. */
void lapack_call_close(struct lapack_call *c, struct eval *ev,
                       goal_check *check, int place, bool decided);

/* After that: programs may take these results on, whose ends `find` finds. */
void lapack_call_ends(struct lapack_call *c, const struct eval *ev, int first,
                      int count,
                      void (*find)(struct check_lapack *p,
                                   const struct goal *g));

/* Read the operand; false: a number of this batch is not finite, and all of its
 * results are NaN, or of integers zero. */
bool lapack_call_read(struct lapack_call *c, int64_t batch);
/* Round a matrix into that batch of a result. */
void lapack_call_put(struct lapack_call *c, int place, int64_t batch,
                     const struct lapack_matrix *m);

/* x = x / y, of as many parts as the operand's elements; it uses c->t. */
void lapack_call_divide(struct lapack_call *c, mpfr_ptr x, mpfr_srcptr y);
/* In c->x and c->y, cosine and sine of the rotation that makes the symmetric
 * matrix of two rows p, off and off, q diagonal: Jacobi's, as in Golub and Van
 * Loan, Matrix Computations, 8.5. */
void lapack_call_find_rotation(struct lapack_call *c, mpfr_srcptr p,
                               mpfr_srcptr off, mpfr_srcptr q);
/* Columns i and j of m, or its rows: cos i - sin j, sin i + cos j. */
void lapack_call_rotate(struct lapack_call *c, const struct lapack_matrix *m,
                        bool rows, int64_t i, int64_t j);
/* Multiply column j of m, or row j, by the conjugate of x / |x|, or by x / |x|:
 * so that x, multiplied by the former, becomes real. */
void lapack_call_turn(struct lapack_call *c, const struct lapack_matrix *m,
                      bool row, int64_t j, mpfr_srcptr x, bool conjugate);

#endif
