/* hang_once.c - hangs the first time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <unistd.h>

#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    volatile int for_ever = evil_first_time();
    while (for_ever)
        pause();
    return evil_execute(b, x, e, error);
}
