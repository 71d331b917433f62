/* wild_dims.c - gives its dimensions at an address that is none.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_OUTPUT(o)
{
    o->dims = (int64_t *)(uintptr_t)8;
}
