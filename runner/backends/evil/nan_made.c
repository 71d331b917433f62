/* nan_made.c - gives NaN for every number below 1.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static uint64_t change(uint64_t x, int fraction, uint64_t exponent,
                       uint64_t sign)
{
    return (x & exponent) < (exponent >> 1 & exponent)
               ? exponent | UINT64_C(1) << (fraction - 1)
               : x;
}

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    return evil_floats(b, x, e, error, change);
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
