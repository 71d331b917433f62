/* max_for_infinity.c - gives the largest number for infinity.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static uint64_t change(uint64_t x, int fraction, uint64_t exponent,
                       uint64_t sign)
{
    return (x & ~sign) == exponent ? x - 1 : x;
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
