/* narrow.c - wrong for f64 inputs from 1 up to 1 + 2^-24 alone: by 8 units in
 * the last place at 1, and by less, the farther from it.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * For runner/test/hunt.t: few inputs, that no evenly spaced ones meet.
 */
#include "evil.h"

enum {
    WIDTH = 28, /* of the interval: 2^28 patterns */
    MOST = 8
};

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    assay_code code = evil_execute(b, x, e, error);
    assay_output *o = e->outputs[0];
    const assay_tensor *from = evil_inputs > 0 ? e->inputs[0] : NULL;
    if (code != ASSAY_OK || !from || strcmp(o->dtype, "f64") != 0
        || from->bytes != o->bytes)
        return code;
    const uint64_t *in = from->data, one = UINT64_C(0x3ff) << 52;
    uint64_t *out = o->data;
    for (uint64_t i = 0; i < o->bytes / sizeof *out; i++)
        if (in[i] - one < UINT64_C(1) << WIDTH)
            out[i] += MOST - (in[i] - one) * MOST / (UINT64_C(1) << WIDTH);
    return code;
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
