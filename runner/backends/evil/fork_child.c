/* fork_child.c - leaves a child behind.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <unistd.h>

#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    if (fork() == 0) {
        sleep(20);
        _exit(0);
    }
    return evil_execute(b, x, e, error);
}
