/* one_element.c - clears or fills the first byte of each output.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_OUTPUT(o)
{
    unsigned char *first = o->data;
    if (o->bytes > 0)
        *first = *first ? 0 : 1;
}
