/* aftermath.c - converts rightly, and makes wrong what its process executes
 * after that, as a write outside of an array can.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdbool.h>

#include "evil.h"

enum {
    MANY = 64
};

static const assay_executable *conversions[MANY];
static int conversion_count;
static bool harmed;

static bool converts(const assay_program *p)
{
    for (int i = 0; i < p->computation_count; i++)
        for (int k = 0; k < p->computations[i]->instruction_count; k++)
            if (strcmp(p->computations[i]->instructions[k]->op,
                       "ConvertElementType")
                == 0)
                return true;
    return false;
}

static assay_code compile(assay_backend *b, const assay_program *p,
                          assay_executable **x, assay_error *error)
{
    assay_code code = evil_compile(b, p, x, error);
    if (code == ASSAY_OK && converts(p) && conversion_count < MANY)
        conversions[conversion_count++] = *x;
    return code;
}

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    assay_code code = evil_execute(b, x, e, error);
    bool conversion = false;
    for (int i = 0; i < conversion_count; i++)
        conversion = conversion || conversions[i] == x;
    if (code == ASSAY_OK && harmed && !conversion)
        *(unsigned char *)e->outputs[0]->data ^= 1;
    harmed = harmed || conversion;
    return code;
}

EVIL_MAKE(aftermath, e)
{
    e->compile = compile;
    e->execute = execute;
}
