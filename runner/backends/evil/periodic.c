/* periodic.c - wrong for f64 inputs next to multiples of (log 3) / 3 alone: by
 * 2 units in the last place, and by 9 from 512 to 1024.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * For runner/test/hunt.t: about one input in 65,536.  Two wrong inputs differ
 * by a multiple of the period, so they lead to others.
 */
#include "evil.h"

#define PERIOD 0x1.76fe34e3c040fp-2
#define NEAR   0x1p-17 /* of the period, on each side */

static uint64_t units(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    double turns = x / PERIOD;
    double off = turns - (turns + 0x1.8p52 - 0x1.8p52);
    if (!(x > PERIOD / 2 && x < 0x1p30) || off > NEAR || off < -NEAR)
        return 0;
    return x >= 512 && x < 1024 ? 9 : 2;
}

EVIL_EXECUTE(periodic, b, x, e, error)
{
    assay_code code = evil_execute(b, x, e, error);
    const uint64_t *in;
    uint64_t *out, n = code == ASSAY_OK ? evil_f64(e, &in, &out) : 0;
    for (uint64_t i = 0; i < n; i++)
        out[i] += units(in[i]);
    return code;
}
