/* kill.c - kills itself.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <signal.h>

#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    raise(SIGKILL);
    return evil_execute(b, x, e, error);
}
