/* hang_compile.c - never returns from compile.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <unistd.h>

#include "evil.h"

EVIL_COMPILE(b, p, x, error)
{
    volatile int for_ever = 1;
    while (for_ever)
        pause();
    return evil_compile(b, p, x, error);
}
