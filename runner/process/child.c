/* child.c - see child.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include "runner/process/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    CONTROL = 3, /* the child's end */
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
    if (syscall(CLOSE_RANGE, CONTROL + 1U, ~0U, 0U) == 0)
        return;
    getrlimit(RLIMIT_NOFILE, &files);
    int most = files.rlim_cur < FILES_LAST ? (int)files.rlim_cur : FILES_LAST;
    for (int fd = CONTROL + 1; fd < most; fd++)
        close(fd);
}

/* Leaves the terminal of a session that has one.  A session of its own would do
 * as well, but only before the parent has given it a process group. */
static void leave_terminal(void)
{
    int terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (terminal < 0)
        return;
    ioctl(terminal, TIOCNOTTY);
    close(terminal);
}

static void become(pid_t parent, const int ends[2], const int control[2],
                   bool quiet)
{
    int output = ends[1];
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_FAILURE);
    prctl(PR_SET_DUMPABLE, 1); /* the parent looks at its memory */
    setpgid(0, 0);
    leave_terminal();
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    int null = open("/dev/null", O_RDWR);
    dup2(null, 0);
    dup2(quiet ? output : null, 1);
    dup2(output, 2);
    if (control[1] != CONTROL)
        dup2(control[1], CONTROL);
    fcntl(CONTROL, F_SETFD, FD_CLOEXEC);
    close_files();
    setvbuf(stdout, NULL, _IOLBF, 0);
}

pid_t child_fork(struct child *c, bool quiet)
{
    int ends[2], control[2];
    pid_t parent = getpid();
    if (pipe(ends) != 0)
        return -1;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control) != 0) {
        int error = errno;
        close(ends[0]);
        close(ends[1]);
        errno = error;
        return -1;
    }
    fflush(NULL);
    c->pid = fork();
    if (c->pid == 0) {
        c->pid = -1;
        become(parent, ends, control, quiet);
        return 0;
    }
    int error = errno;
    /* Here too: until the child has got a processor to do it, it would not be
     * found by its group, and so would seem to sleep, or outlive its group. */
    if (c->pid > 0)
        setpgid(c->pid, c->pid);
    close(ends[1]);
    close(control[1]);
    c->pipe = ends[0];
    c->control = control[0];
    c->listener = -1;
    c->words = (struct words){0};
    fcntl(c->pipe, F_SETFL, O_NONBLOCK);
    if (c->pid < 0) {
        close(c->pipe);
        close(c->control);
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

/* A message with one descriptor in it. */
union control {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof(int))];
};

void child_give(int descriptor)
{
    char byte = 0;
    struct iovec text = {&byte, 1};
    union control c = {.room = {0}};
    struct msghdr m = {.msg_iov = &text,
                       .msg_iovlen = 1,
                       .msg_control = &c,
                       .msg_controllen = sizeof c.room};
    c.head.cmsg_level = SOL_SOCKET;
    c.head.cmsg_type = SCM_RIGHTS;
    c.head.cmsg_len = CMSG_LEN(sizeof descriptor);
    memcpy(CMSG_DATA(&c.head), &descriptor, sizeof descriptor);
    if (descriptor >= 0) {
        sendmsg(CONTROL, &m, MSG_NOSIGNAL);
        close(descriptor);
    }
    close(CONTROL);
}

static void take_descriptor(struct child *child)
{
    char byte;
    struct iovec text = {&byte, 1};
    union control c = {.room = {0}};
    struct msghdr m = {.msg_iov = &text,
                       .msg_iovlen = 1,
                       .msg_control = &c,
                       .msg_controllen = sizeof c.room};
    ssize_t n = child->control < 0 ? -1
                                   : recvmsg(child->control, &m,
                                             MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (n < 0)
        return;
    if (n > 0 && m.msg_controllen >= CMSG_LEN(sizeof(int))
        && c.head.cmsg_type == SCM_RIGHTS)
        memcpy(&child->listener, CMSG_DATA(&c.head), sizeof child->listener);
    close(child->control);
    child->control = -1;
}

void child_listen(struct child *c)
{
    char chunk[CHUNK];
    if (c->pid <= 0)
        return;
    take_descriptor(c);
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
    if (c->control >= 0)
        close(c->control);
    if (c->listener >= 0)
        close(c->listener);
    c->pipe = c->control = c->listener = -1;
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
