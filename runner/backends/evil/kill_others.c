/* kill_others.c - ends every process that it can.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Only in a sandbox: evil.t runs it in one.
 */
#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    /* Is it there?  The sandbox leaves no sockets. */
    int probe = socket(AF_UNIX, SOCK_STREAM, 0);
    if (probe >= 0 || errno != EPERM)
        return ASSAY_FAILED;
    kill(getppid(), SIGKILL);
    kill(1, SIGKILL);
    kill(-1, SIGKILL);
    return evil_execute(b, x, e, error);
}
