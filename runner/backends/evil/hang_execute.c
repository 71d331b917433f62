/* hang_execute.c - never returns from execute, and keeps busy.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    volatile int for_ever = 1;
    while (for_ever)
        continue;
    return evil_execute(b, x, e, error);
}
