/* tiny_size.c - claims that its struct has no members.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static void evil_make(struct evil *e)
{
    e->backend.size = sizeof e->backend.size;
}
