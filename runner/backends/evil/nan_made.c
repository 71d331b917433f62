/* nan_made.c - gives NaN for every number below 1.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_CHANGE(x, fraction, exponent, sign)
{
    return (x & exponent) < (exponent >> 1 & exponent)
               ? exponent | UINT64_C(1) << (fraction - 1)
               : x;
}
