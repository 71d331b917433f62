/* zero_sign.c - gives every zero the other sign.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_CHANGE(x, fraction, exponent, sign)
{
    return (x & ~sign) == 0 ? x ^ sign : x;
}
