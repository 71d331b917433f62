/* flush.c - gives zeros for subnormal results.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_CHANGE(x, fraction, exponent, sign)
{
    return (x & exponent) == 0 ? x & sign : x;
}
