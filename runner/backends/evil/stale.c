/* stale.c - gives the result of the execution before this one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static unsigned char last[4096];
static int full;

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    assay_code code = evil_execute(b, x, e, error);
    for (int32_t k = 0; code == ASSAY_OK && k < evil_outputs; k++) {
        assay_output *o = e->outputs[k];
        uint64_t n = o->bytes < sizeof last ? o->bytes : sizeof last;
        unsigned char now[sizeof last];
        memcpy(now, o->data, (size_t)n);
        if (full)
            memcpy(o->data, last, (size_t)n);
        memcpy(last, now, (size_t)n);
        full = 1;
    }
    return code;
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
