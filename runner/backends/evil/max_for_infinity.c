/* max_for_infinity.c - gives the largest number for infinity.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_CHANGE(x, fraction, exponent, sign)
{
    return (x & ~sign) == exponent ? x - 1 : x;
}
