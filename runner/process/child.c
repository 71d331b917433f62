/* child.c - see child.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _DEFAULT_SOURCE /* syscall */
#include "runner/process/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    FILES_MAX = 1024,
    FILES_LAST = 1 << 16, /* where closing one by one ends */
    CLOSE_RANGE = 436,    /* on every architecture */
    CHUNK = 16384,
    CHUNKS_MAX = 16, /* at one time: an endless log blocks nothing */
};

/* The database and other files of the runner are closed to it, whatever their
 * numbers.  Kernels older than 5.9 lack close_range. */
static void close_files(void)
{
    struct rlimit files = {FILES_MAX, FILES_MAX};
    if (syscall(CLOSE_RANGE, 3U, ~0U, 0U) == 0)
        return;
    getrlimit(RLIMIT_NOFILE, &files);
    int most = files.rlim_cur < FILES_LAST ? (int)files.rlim_cur : FILES_LAST;
    for (int fd = 3; fd < most; fd++)
        close(fd);
}

static void become(pid_t parent, int output, bool quiet)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_FAILURE);
    setpgid(0, 0);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    int null = open("/dev/null", O_RDWR);
    dup2(null, 0);
    dup2(quiet ? output : null, 1);
    dup2(output, 2);
    close_files();
    setvbuf(stdout, NULL, _IOLBF, 0);
}

pid_t child_fork(struct child *c, bool quiet)
{
    int ends[2];
    pid_t parent = getpid();
    if (pipe(ends) != 0)
        return -1;
    fflush(NULL);
    c->pid = fork();
    if (c->pid == 0) {
        c->pid = -1;
        become(parent, ends[1], quiet);
        return 0;
    }
    int error = errno;
    /* Here too: until the child has got a processor to do it, it would not be
     * found by its group, and so would seem to sleep, or outlive its group. */
    if (c->pid > 0)
        setpgid(c->pid, c->pid);
    close(ends[1]);
    c->pipe = ends[0];
    c->words = (struct words){0};
    fcntl(c->pipe, F_SETFL, O_NONBLOCK);
    if (c->pid < 0) {
        close(c->pipe);
        c->pid = 0;
        errno = error;
        return -1;
    }
    return c->pid;
}

/* A byte in the pipe, because nothing else is in order with what the backend
 * writes there.  What stdio still holds was printed before. */
void child_begin_words(void)
{
    static const char begin = WORDS_BEGIN;
    fflush(stdout);
    if (write(STDERR_FILENO, &begin, 1) != 1)
        return; /* the backend has closed it: there are no words either */
}

void child_listen(struct child *c)
{
    char chunk[CHUNK];
    if (c->pid <= 0)
        return;
    for (int i = 0; i < CHUNKS_MAX; i++) {
        ssize_t n = read(c->pipe, chunk, sizeof chunk);
        if (n <= 0)
            return;
        words_add(&c->words, chunk, (size_t)n);
    }
}

const char *child_last_words(struct child *c)
{
    return words_text(&c->words);
}

static void ended(struct child *c)
{
    /* Its own children are killed with it. */
    kill(-c->pid, SIGKILL);
    child_listen(c);
    close(c->pipe);
    c->pipe = -1;
    c->pid = 0;
}

bool child_ended(struct child *c, int *status)
{
    if (c->pid <= 0 || waitpid(c->pid, status, WNOHANG) != c->pid)
        return false;
    ended(c);
    return true;
}

void child_wait(struct child *c, int *status)
{
    if (c->pid <= 0)
        return;
    while (waitpid(c->pid, status, 0) < 0 && errno == EINTR)
        ;
    ended(c);
}
