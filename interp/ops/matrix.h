/* matrix.h - exact linear algebra: integer matrices, rounded once at the end.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every matrix of floats is an integer matrix times a power of two, so
 * elimination without fractions is exact.  What it leaves, a quotient of
 * integers or a quotient by a square root, is truncated (real.h) and says
 * whether it is inexact: nothing needs to be refined.
 */
#ifndef INTERP_OPS_MATRIX_H
#define INTERP_OPS_MATRIX_H

#include <gmp.h>
#include <mpfr.h>

#include "interp/program/eval.h"

/* Elements (row, column, part) times 2^exponent; two parts if complex. */
struct matrix {
    int64_t rows, columns, exponent;
    int parts;
    mpz_t *at;
};

/* Which unit of which literal is there, and is it conjugated?  -1: a zero,
 * -2: a one. */
typedef int64_t matrix_place(const void *context, int64_t row, int64_t column,
                             bool *conjugate);

void matrix_open(struct matrix *m, struct arena *a, int64_t rows,
                 int64_t columns, int parts);
void matrix_close(struct matrix *m);
/* Read it; all elements must be finite.  Returns the bits of the largest. */
int64_t matrix_read(struct matrix *m, const struct literal *l,
                    matrix_place *place, const void *context);
mpz_ptr matrix_at(const struct matrix *m, int64_t row, int64_t column,
                  int part);

/* number / divisor * 2^exponent */
struct real matrix_quotient(mpz_srcptr number, mpz_srcptr divisor,
                            int64_t exponent);
/* number / sqrt(square) * 2^exponent */
struct real matrix_root(mpz_srcptr number, mpz_srcptr square, int64_t exponent);

/* Is that element of square matrices in the lower triangle, or the upper one?
 * The diagonal is in both. */
bool matrix_in_triangle(const struct shape *s, int64_t element, bool lower);

#endif
