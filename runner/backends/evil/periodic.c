/* periodic.c - wrong for f64 inputs next to multiples of (log 3) / 3 alone: by
 * 2 units in the last place, and by 9 from 512 to 1024.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * For runner/test/hunt.t: a 2^16th of all inputs, to which those where errors
 * are large lead, as the same differences lie between them.
 */
#include "evil.h"

#define PERIOD 0x1.76fe34e3c040fp-2
#define NEAR   0x1p-17 /* of the period, on each side */

static uint64_t units(double x)
{
    double turns = x / PERIOD;
    double off = turns - (turns + 0x1.8p52 - 0x1.8p52);
    if (!(x > PERIOD / 2 && x < 0x1p30) || off > NEAR || off < -NEAR)
        return 0;
    return x >= 512 && x < 1024 ? 9 : 2;
}

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    assay_code code = evil_execute(b, x, e, error);
    assay_output *o = e->outputs[0];
    const assay_tensor *from = evil_inputs > 0 ? e->inputs[0] : NULL;
    if (code != ASSAY_OK || !from || strcmp(o->dtype, "f64") != 0
        || from->bytes != o->bytes)
        return code;
    const double *in = from->data;
    uint64_t *out = o->data;
    for (uint64_t i = 0; i < o->bytes / sizeof *out; i++)
        out[i] += units(in[i]);
    return code;
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
