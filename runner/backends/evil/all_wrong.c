/* all_wrong.c - gives the complement of each output: every unit is wrong.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_OUTPUT(o)
{
    unsigned char *byte = o->data;
    for (uint64_t i = 0; i < o->bytes; i++)
        byte[i] = (unsigned char)~byte[i];
}
