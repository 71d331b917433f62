/* lapack_matrix.h - matrices in so many bits that their rounding cannot show.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Elements are real or complex: of one part, or of two.  Functions that write
 * a matrix expect one of the right size that is none of their operands.
 */
#ifndef INTERP_CHECK_LAPACK_MATRIX_H
#define INTERP_CHECK_LAPACK_MATRIX_H

#include <mpfr.h>

#include "interp/base/literal.h"

enum {
    LAPACK_MATRIX_BITS = 512
};

struct lapack_matrix {
    int64_t rows, columns;
    int parts;
    mpfr_t *at; /* by rows, the imaginary part after the real one */
};

/* How many elements the diagonal of a matrix of that size has. */
static inline int64_t lapack_matrix_diagonal(int64_t rows, int64_t columns)
{
    return rows < columns ? rows : columns;
}

/* All zero. */
void lapack_matrix_open(struct lapack_matrix *m, struct arena *a, int64_t rows,
                        int64_t columns, int parts);
void lapack_matrix_close(struct lapack_matrix *m);

/* The real part of an element; the imaginary one, if there is one, follows. */
mpfr_ptr lapack_matrix_at(const struct lapack_matrix *m, int64_t i, int64_t j);
/* The magnitude of an element, rounded up. */
void lapack_matrix_magnitude(mpfr_ptr to, const struct lapack_matrix *m,
                             int64_t i, int64_t j);

/* Loads the numbers exactly, from that unit of an array on. */
void lapack_matrix_load(const struct lapack_matrix *m, const struct literal *l,
                        int64_t first);
void lapack_matrix_identity(const struct lapack_matrix *m);
void lapack_matrix_swap_rows(const struct lapack_matrix *m, int64_t i,
                             int64_t k);
void lapack_matrix_swap_columns(const struct lapack_matrix *m, int64_t j,
                                int64_t k);
/* c = a b, where either may be its adjoint instead. */
void lapack_matrix_multiply(const struct lapack_matrix *c,
                            const struct lapack_matrix *a, bool adjoint_a,
                            const struct lapack_matrix *b, bool adjoint_b);
void lapack_matrix_subtract(const struct lapack_matrix *from,
                            const struct lapack_matrix *m);

/* Numbers of as many parts as m's: z = x, z = z x, and z = z + x y, where
 * conjugate is x's. */
void lapack_matrix_set(const struct lapack_matrix *m, mpfr_ptr z,
                       mpfr_srcptr x);
void lapack_matrix_scale(const struct lapack_matrix *m, mpfr_ptr z,
                         mpfr_srcptr x, bool conjugate);
void lapack_matrix_add(const struct lapack_matrix *m, mpfr_ptr z, mpfr_srcptr x,
                       bool conjugate, mpfr_srcptr y);

/* m = H m for H = I - tau v v^H, or its adjoint.  v is zero above row k, 1
 * there, and below as column k of f; tau is element k of the row t. */
void lapack_matrix_reflect(const struct lapack_matrix *m,
                           const struct lapack_matrix *f, int64_t k,
                           const struct lapack_matrix *t, bool adjoint);
/* The first columns of the identity times the first `count` reflectors, the
 * first one last. */
void lapack_matrix_form(const struct lapack_matrix *q,
                        const struct lapack_matrix *f,
                        const struct lapack_matrix *t, int64_t count);

/* The 1-norm: the largest sum of magnitudes of a column, rounded up. */
void lapack_matrix_norm(mpfr_ptr to, const struct lapack_matrix *m);

#endif
