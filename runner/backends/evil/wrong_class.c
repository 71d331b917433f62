/* wrong_class.c - rejects with another class.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static assay_code compile(assay_backend *b, const assay_program *p,
                          assay_executable **x, assay_error *error)
{
    assay_code code = evil_compile(b, p, x, error);
    if (code >= ASSAY_SHAPE && code <= ASSAY_STRUCTURE)
        return code % ASSAY_STRUCTURE + 1;
    return code;
}

static void evil_make(struct evil *e)
{
    e->compile = compile;
}
