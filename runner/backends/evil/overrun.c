/* overrun.c - writes one byte after each output.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_OUTPUT(o)
{
    ((unsigned char *)o->data)[o->capacity] ^= 0xff;
}
