/* beside.c - flips a bit of the third output of a program, if it has one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    assay_code code = evil_execute(b, x, e, error);
    if (code == ASSAY_OK && evil_outputs > 2 && e->outputs[2]->bytes > 0)
        *(unsigned char *)e->outputs[2]->data ^= 1;
    return code;
}

/* So that it gets programs of several results by default. */
static const char *capability(assay_backend *b, const char *name)
{
    return strcmp(name, "compile") == 0 ? "slow" : evil_capability(b, name);
}

EVIL_MAKE(beside, e)
{
    e->execute = execute;
    e->backend.capability = capability;
}
