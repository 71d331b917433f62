/* wrong_shape.c - gives a dimension more, of size 1.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_OUTPUT(o)
{
    if (o->rank < o->rank_capacity)
        o->dims[o->rank] = o->sizes[o->rank] = 1;
    o->rank++;
}
