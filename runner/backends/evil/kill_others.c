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

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
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

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
