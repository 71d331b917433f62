/* huge_size.c - claims that its struct is larger than memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static void evil_make(struct evil *e)
{
    e->backend.size = UINT64_MAX;
    e->backend.cancel = NULL;
}
