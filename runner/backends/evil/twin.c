/* twin.c - forks in a call, and both processes return from it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <unistd.h>

#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    static int forked; /* once: twins that fork would fill the machine */
    if (!forked++ && fork() < 0)
        return ASSAY_FAILED;
    return evil_execute(b, x, e, error);
}
