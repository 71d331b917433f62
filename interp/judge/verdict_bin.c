/* verdict_bin.c - the bins that errors are counted in (results.sql).
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tests: test_verdict_sets.c.
 */

#include "interp/judge/verdict.h"

int verdict_bin(int64_t error)
{
    uint64_t e = error < 0 ? -(uint64_t)error : (uint64_t)error;
    int bin = (int)(e <= 8000000 ? (e + 124999) / 125000 : 65);
    for (uint64_t top = 16000000; bin >= 65 && e > top; bin++) {
        if (top > UINT64_MAX / 2)
            break;
        top *= 2;
    }
    return error < 0 ? -bin : bin;
}
