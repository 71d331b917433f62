/* flush.c - gives zeros for subnormal results.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static uint64_t change(uint64_t x, int fraction, uint64_t exponent,
                       uint64_t sign)
{
    return (x & exponent) == 0 ? x & sign : x;
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
