/* write_released.c - when it releases a program, it writes where the inputs of
 * the last execution were: those of the next one are there by then.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The host keeps 32 programs.
 */
#include "evil.h"

static unsigned char *last;

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    last = evil_inputs > 0 ? (unsigned char *)e->inputs[0]->data : NULL;
    return evil_execute(b, x, e, error);
}

static void release(assay_backend *b, assay_executable *x)
{
    if (last != NULL)
        last[3] ^= 0x40;
    last = NULL;
    evil_release(b, x);
}

EVIL_MAKE(write_released, e)
{
    e->execute = execute;
    e->release = release;
}
