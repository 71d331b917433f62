/* lapack.h - LAPACK's factorizations, as jaxlib calls them on CPUs.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The first operand is a matrix, or a batch of them.  Results, with k the
 * lesser of its rows and columns:
 *
 *   getrf  the factors, k pivots (from 1), info
 *   syevd  eigenvectors as columns, eigenvalues that rise, info; heevd too
 *   geqrf  R with the vectors of the reflectors below it, k numbers tau
 *   orgqr  Q, of these two; ungqr too
 *   gesdd  anything, k singular values that fall, U, V^H, info
 *
 * Options are letters in `opaque`, as MLIR writes them: "{mode = 86 : ui8, uplo
 * = 76 : ui8}".
 */
#ifndef INTERP_OPS_LAPACK_H
#define INTERP_OPS_LAPACK_H

#include "interp/program/eval.h"
#include "interp/program/infer.h"

bool lapack_infer_getrf(struct infer *in, struct status *st);
bool lapack_eval_getrf(struct eval *ev, struct status *st);
bool lapack_infer_syevd(struct infer *in, struct status *st);
bool lapack_eval_syevd(struct eval *ev, struct status *st);
bool lapack_infer_geqrf(struct infer *in, struct status *st);
bool lapack_qr_eval(struct eval *ev, struct status *st);
bool lapack_infer_orgqr(struct infer *in, struct status *st);
bool lapack_qr_eval_product(struct eval *ev, struct status *st);
bool lapack_infer_gesdd(struct infer *in, struct status *st);
bool lapack_svd_eval(struct eval *ev, struct status *st);

#endif
