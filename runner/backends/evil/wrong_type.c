/* wrong_type.c - calls its results s32, or u32.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_OUTPUT(o)
{
    int was = strcmp(o->dtype, "s32") == 0;
    memcpy(o->dtype, was ? "u32" : "s32", 4);
}
