/* stop.c - stops itself.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <signal.h>

#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    raise(SIGSTOP);
    return evil_execute(b, x, e, error);
}
