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

EVIL_EXECUTE(narrow, b, x, e, error)
{
    assay_code code = evil_execute(b, x, e, error);
    const uint64_t *in, one = UINT64_C(0x3ff) << 52;
    uint64_t *out, n = code == ASSAY_OK ? evil_f64(e, &in, &out) : 0;
    for (uint64_t i = 0; i < n; i++)
        if (in[i] - one < UINT64_C(1) << WIDTH)
            out[i] += MOST - (in[i] - one) * MOST / (UINT64_C(1) << WIDTH);
    return code;
}
