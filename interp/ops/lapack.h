/* lapack.h - LAPACK's factorizations, as jaxlib calls them on CPUs.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A call has one operand, a matrix or a batch of them, and three results: the
 * factors or vectors, the pivots (from 1) or eigenvalues, and info.  Options
 * are letters in `opaque`, as MLIR writes them: "{mode = 86 : ui8, uplo = 76 :
 * ui8}".
 */
#ifndef INTERP_OPS_LAPACK_H
#define INTERP_OPS_LAPACK_H

#include "interp/program/eval.h"
#include "interp/program/infer.h"

bool lapack_infer_getrf(struct infer *in, struct status *st);
bool lapack_eval_getrf(struct eval *ev, struct status *st);
bool lapack_infer_syevd(struct infer *in, struct status *st);
bool lapack_eval_syevd(struct eval *ev, struct status *st);

#endif
