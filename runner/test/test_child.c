/* test_child.c - what a forked process has of its parent.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * supervise.c and evil.t test the rest of child.c in whole runs.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interp/test/tap.h"
#include "runner/process/child.h"

enum {
    LAST = 3000, /* above the 1024 that is most often the limit */
    SOME = 7
};

/* In the child: input is empty, and nothing else is open once it has given what
 * it gives. */
static int look(int given)
{
    char c;
    child_give(given);
    for (int fd = 3; fd <= LAST; fd++)
        if (fcntl(fd, F_GETFD) >= 0) {
            fprintf(stderr, "file %d is open\n", fd);
            return 1;
        }
    return read(0, &c, 1) != 0;
}

int main(void)
{
    struct rlimit files;
    struct child child = {0};
    int status = 0;
    char zero = 1;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max < LAST + 1 ? files.rlim_max : LAST + 1;
    setrlimit(RLIMIT_NOFILE, &files);
    int last = (int)files.rlim_cur - 1;
    OK(dup2(1, SOME) == SOME && dup2(1, last) == last, "file %d is open", last);
    pid_t pid = child_fork(&child, true);
    if (pid == 0)
        _exit(look(-1));
    OK(pid > 0, "a child");
    child_wait(&child, &status);
    OK(WIFEXITED(status) && WEXITSTATUS(status) == 0,
       "it has no file of its parent (%s)", child_last_words(&child));
    pid = child_fork(&child, true);
    if (pid == 0)
        _exit(look(open("/dev/zero", O_RDONLY)));
    int given = -1;
    while (given < 0 && child.control >= 0) {
        child_listen(&child);
        given = child.listener;
        poll(NULL, 0, 1);
    }
    OK(given >= 0 && read(given, &zero, 1) == 1 && zero == 0,
       "what it gives is a file of its parent");
    child_wait(&child, &status);
    OK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "and no longer its own");
    OK(fcntl(given, F_GETFD) < 0, "with its end it is closed");
    return tap_done();
}
