/* inherited.c - see inherited.h; tools/test/inherited.t covers it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _DEFAULT_SOURCE /* NSIG */
#include "interp/base/inherited.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/time.h>
#include <unistd.h>

/* Those by which nohup and a shell's `&` protect a program, or its terminal,
 * stay ignored. */
static bool is_users(int signal)
{
    static const int users[] = {SIGHUP,  SIGINT,  SIGQUIT,
                                SIGTSTP, SIGTTIN, SIGTTOU};
    for (size_t i = 0; i < sizeof users / sizeof *users; i++)
        if (users[i] == signal)
            return true;
    return false;
}

static void restore_signals(void)
{
    struct sigaction now;
    sigset_t none;
    for (int i = 1; i < NSIG; i++)
        if (!is_users(i) && sigaction(i, NULL, &now) == 0
            && now.sa_handler == SIG_IGN)
            signal(i, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* A closed stream stays unusable: what is written to it fails. */
static void restore_files(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

void inherited_restore(void)
{
    const struct itimerval none = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &none, NULL);
    setitimer(ITIMER_VIRTUAL, &none, NULL);
    setitimer(ITIMER_PROF, &none, NULL);
    restore_signals();
    restore_files();
}
