/* negative_dims.c - gives dimensions that cannot be: the least and the largest
 * integer by turns.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_OUTPUT(o)
{
    for (int32_t i = 0; i < o->rank; i++)
        o->dims[i] = o->sizes[i] = i % 2 ? INT64_MAX : INT64_MIN;
}
