/* flip_bit.c - flips the lowest bit of the last byte of each output.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_OUTPUT(o)
{
    if (o->bytes > 0)
        ((unsigned char *)o->data)[o->bytes - 1] ^= 1;
}
