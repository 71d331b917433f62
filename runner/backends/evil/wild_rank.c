/* wild_rank.c - has more dimensions than there can be.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_OUTPUT(o)
{
    o->rank = INT32_MAX;
}
