/* triangular_bound.h - how far a product by a rounded inverse misses T x = b.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * For a lower triangular T, |T| and so on being the sizes of its elements:
 * substitution leaves |b - T x'| <= g |T| |x'|.  An inverse X that substitution
 * computes, by columns or by rows, has |T X - I| <= g |T| |X| or
 * |X T - I| <= g |X| |T| (Higham, Accuracy and Stability of Numerical
 * Algorithms, section 14.2), and its product with b misses X b by g |X| |b|.
 * With N = |T^-1| |T|, |b| <= |T| |x| and |X| |T| <= N / (1 - g N), a power
 * series, every one of them leaves
 *
 *     |b - T x'| <= g |T| N / (1 - g N) |x|
 *
 * with x the exact solution and g for all roundings together.  Unlike the norms
 * of T and x this bound scales with each row of T.
 */
#ifndef INTERP_CHECK_TRIANGULAR_BOUND_H
#define INTERP_CHECK_TRIANGULAR_BOUND_H

#include "interp/base/arena.h"
#include "interp/check/residual.h"

struct triangular_bound {
    int64_t n;
    int parts;
    bool known;  /* false: T is too large or too near to a singular one */
    mpfr_t *t;   /* the parts of T by rows, to be filled in; above: unused */
    mpfr_t *x;   /* sizes of the exact solution, to be filled in */
    mpfr_t *row; /* what triangular_bound_rows gives */
    mpfr_t *inverse, *sizes, *grown; /* T^-1, |T|, N */
    mpfr_t gamma, underflow;
    mpfr_t s, u, v;
};

/* Memory is the arena's, but for what the close gives back. */
void triangular_bound_open(struct triangular_bound *b, struct arena *a,
                           int64_t n, int parts);
void triangular_bound_close(struct triangular_bound *b);
/* From t: whether the bound is known, N, and g for these types.  tiny: what an
 * operation may lose beside its rounding (residual_tiny). */
void triangular_bound_matrix(struct triangular_bound *b, enum dtype unit,
                             enum dtype accumulator, mpfr_srcptr tiny);
/* From x, if it is known: the bound of each row. */
void triangular_bound_rows(struct triangular_bound *b);
/* The same with x the solution for a b that is 1 in row j and 0 elsewhere. */
void triangular_bound_impulse(struct triangular_bound *b, int64_t j);
/* After that: is x(i) so far from zero that no result within the bounds is zero
 * there?  Then any algorithm that keeps them has a factor for b(j) in x(i). */
bool triangular_bound_apart(struct triangular_bound *b, int64_t i, int64_t j);

#endif
