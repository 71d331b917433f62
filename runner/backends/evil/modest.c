/* modest.c - does little, says so, and tells no class of what it rejects.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The one of this folder that is not wrong: what it does not do must not be
 * asked of it.
 */
#include "evil.h"

static const char *capability(assay_backend *b, const char *name)
{
    (void)b;
    if (strcmp(name, "dtypes") == 0)
        return "f32 s32";
    if (strcmp(name, "ops") == 0)
        return "Parameter Constant Add Sub Tuple";
    return strcmp(name, "rejects-without-class") == 0 ? "yes" : NULL;
}

static assay_code compile(assay_backend *b, const assay_program *p,
                          assay_executable **x, assay_error *error)
{
    assay_code code = evil_compile(b, p, x, error);
    return code == ASSAY_OK ? code : ASSAY_REJECTED;
}

EVIL_MAKE(modest, e)
{
    e->backend.capability = capability;
    e->compile = compile;
}
