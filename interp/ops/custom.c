/* custom.c - see custom.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/custom.h"

#include <string.h>

#include "interp/ops/lapack.h"
#include "interp/program/attribute.h"

/* assay.identity: the only operand, whatever it is. */

static bool infer_identity(struct infer *in, struct status *st)
{
    const struct shape *s = attribute_find(in->in, ATTRIBUTE_SHAPE)->shape;
    if (in->count != 1)
        return FAIL(st, STRUCTURE,
                    "CustomCall: assay.identity has %d operands; expected 1",
                    in->count);
    if (!shape_equal(s, in->operands[0]))
        return FAIL(
            st, SHAPE, "CustomCall: assay.identity returns %s, expected %s",
            shape_text(in->arena, in->operands[0]), shape_text(in->arena, s));
    return true;
}

static bool eval_identity(struct eval *ev, struct status *st)
{
    return eval_return(ev, ev->in->shape, eval_goals(ev, 0));
}

static const struct custom registered[] = {
    {"assay.identity", infer_identity, eval_identity, false},
    {"lapack_sgetrf_ffi", lapack_infer_getrf, lapack_eval_getrf, true},
    {"lapack_dgetrf_ffi", lapack_infer_getrf, lapack_eval_getrf, true},
    {"lapack_cgetrf_ffi", lapack_infer_getrf, lapack_eval_getrf, true},
    {"lapack_zgetrf_ffi", lapack_infer_getrf, lapack_eval_getrf, true},
    {"lapack_ssyevd_ffi", lapack_infer_syevd, lapack_eval_syevd, true},
    {"lapack_dsyevd_ffi", lapack_infer_syevd, lapack_eval_syevd, true},
    {"lapack_cheevd_ffi", lapack_infer_syevd, lapack_eval_syevd, true},
    {"lapack_zheevd_ffi", lapack_infer_syevd, lapack_eval_syevd, true},
    {"lapack_sgeqrf_ffi", lapack_infer_geqrf, lapack_qr_eval, true},
    {"lapack_dgeqrf_ffi", lapack_infer_geqrf, lapack_qr_eval, true},
    {"lapack_cgeqrf_ffi", lapack_infer_geqrf, lapack_qr_eval, true},
    {"lapack_zgeqrf_ffi", lapack_infer_geqrf, lapack_qr_eval, true},
    {"lapack_sorgqr_ffi", lapack_infer_orgqr, lapack_qr_eval_product, true},
    {"lapack_dorgqr_ffi", lapack_infer_orgqr, lapack_qr_eval_product, true},
    {"lapack_cungqr_ffi", lapack_infer_orgqr, lapack_qr_eval_product, true},
    {"lapack_zungqr_ffi", lapack_infer_orgqr, lapack_qr_eval_product, true},
    {"lapack_sgesdd_ffi", lapack_infer_gesdd, lapack_svd_eval, true},
    {"lapack_dgesdd_ffi", lapack_infer_gesdd, lapack_svd_eval, true},
    {"lapack_cgesdd_ffi", lapack_infer_gesdd, lapack_svd_eval, true},
    {"lapack_zgesdd_ffi", lapack_infer_gesdd, lapack_svd_eval, true},
};

const struct custom *custom_find(const char *name)
{
    for (size_t i = 0; i < sizeof registered / sizeof *registered; i++)
        if (strcmp(registered[i].name, name) == 0)
            return &registered[i];
    return NULL;
}
