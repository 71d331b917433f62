/* accept.c - accepts every program, right or wrong.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static assay_executable *fake;

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    return x == fake ? ASSAY_OK : evil_execute(b, x, e, error);
}

static void release(assay_backend *b, assay_executable *x)
{
    if (x != fake) {
        evil_release(b, x);
        return;
    }
    free(x);
    fake = NULL;
}

static assay_code compile(assay_backend *b, const assay_program *p,
                          assay_executable **x, assay_error *error)
{
    assay_code code = evil_count(b, p, x, error);
    if (code >= ASSAY_SHAPE && code <= ASSAY_STRUCTURE) {
        *x = (assay_executable *)calloc(1, 4096);
        fake = *x;
        return ASSAY_OK;
    }
    return code;
}

static void evil_make(struct evil *e)
{
    e->backend.compile = compile;
    e->backend.execute = execute;
    e->backend.release = release;
}
