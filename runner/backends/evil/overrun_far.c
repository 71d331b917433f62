/* overrun_far.c - writes eight bytes, 200 bytes after each output; after a
 * large one, 70 kB.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_OUTPUT(o)
{
    uint64_t far = o->capacity < 1 << 20 ? 200 : 70000;
    memset((unsigned char *)o->data + o->capacity + far, 0, 8);
}
