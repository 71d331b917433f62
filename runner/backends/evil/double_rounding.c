/* double_rounding.c - converts f64 to narrower types via f32.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>

#include "evil.h"

/* The second rounding: a finite number to a type of two bytes. */
static uint64_t twice(double x, int fraction)
{
    int emin = fraction == 10 ? -14 : -126;
    if (x == 0)
        return 0;
    int e = ilogb(x) < emin ? emin : ilogb(x);
    double scaled = rint(scalbn(x, fraction - e)); /* below 2^(fraction + 1) */
    uint64_t bits = (uint64_t)(e - emin) << fraction;
    uint64_t most = ((UINT64_C(1) << 15) - 1) >> fraction << fraction;
    bits += (uint64_t)scaled;
    return bits < most ? bits : most;
}

EVIL_EXECUTE(double_rounding, b, x, e, error)
{
    assay_code code = evil_execute(b, x, e, error);
    if (code != ASSAY_OK || evil_outputs != 1 || evil_inputs != 1
        || strcmp(e->inputs[0]->shape->dtype, "f64") != 0)
        return code;
    assay_output *o = e->outputs[0];
    int fraction, bytes = evil_bytes(o, &fraction);
    for (uint64_t i = 0; bytes == 2 && i < o->bytes / 2; i++) {
        double wide;
        memcpy(&wide, (const char *)e->inputs[0]->data + 8 * i, 8);
        float once = (float)wide;
        uint64_t sign = signbit(once) ? UINT64_C(1) << 15 : 0;
        if (isfinite(once))
            evil_set(o, i, 2, sign | twice(fabs((double)once), fraction));
    }
    return code;
}
