/* underrun.c - writes one byte before each output.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_OUTPUT(o)
{
    ((unsigned char *)o->data)[-1] ^= 0xff;
}
