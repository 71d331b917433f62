/* nan_lost.c - gives 0 for NaN.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_CHANGE(x, fraction, exponent, sign)
{
    return (x & ~sign) > exponent ? 0 : x;
}
