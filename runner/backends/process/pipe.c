/* pipe.c - the pipes to the program: bytes, as long as the program lives.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A process that the program has started may hold the pipes when the program
 * has ended, so the end of a pipe does not tell.  Every wait is for the pipe
 * and for the program together (pidfd_open(2); the sandbox permits it), and
 * what arrives when the program has ended is read for messages only: its call
 * has failed (process_finish).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "process.h"

enum {
    LOOK_MS = 20,               /* where there is no pidfd */
    SETTLE_NS = 100000000,      /* for the program to go to sleep */
    SETTLE_FIRST_NS = 20000,    /* of that, the first wait; then twice that */
    SETTLE_LONGEST_NS = 2000000 /* at most this */
};

void process_pipe_begin(struct process *p)
{
#ifdef SYS_pidfd_open
    p->pidfd = (int)syscall(SYS_pidfd_open, p->child, 0);
#else
    p->pidfd = -1;
#endif
    fcntl(p->in.fd, F_SETFL, O_NONBLOCK);
    fcntl(p->out.fd, F_SETFL, O_NONBLOCK);
}

void process_pipe_end(struct process *p)
{
    int *const all[] = {&p->in.fd, &p->out.fd, &p->pidfd};
    for (int i = 0; i < 3; i++) {
        if (*all[i] > 0)
            close(*all[i]);
        *all[i] = -1;
    }
}

/* Wait for a pipe, or the end of the program.  Can the pipe be used? */
static int wait_for(struct process *p, int fd, short events)
{
    for (;;) {
        struct pollfd all[2] = {{.fd = fd, .events = events},
                                {.fd = p->pidfd, .events = POLLIN}};
        int n = poll(all, 2, p->pidfd < 0 ? LOOK_MS : -1);
        if (n < 0 && errno != EINTR)
            return 0;
        if (n > 0 && all[0].revents)
            return 1;
        if ((n > 0 && all[1].revents) || (n == 0 && process_ended(p, 0)))
            return 0;
    }
}

int process_pipe_write(struct process *p, const unsigned char *data,
                       uint64_t bytes)
{
    while (bytes > 0) {
        if (!wait_for(p, p->out.fd, POLLOUT))
            return 0;
        ssize_t n = write(p->out.fd, data, bytes);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (n <= 0)
            return 0;
        data += n;
        bytes -= (uint64_t)n;
    }
    return 1;
}

size_t process_pipe_read(struct process *p, void *to, size_t bytes)
{
    while (wait_for(p, p->in.fd, POLLIN)) {
        ssize_t n = read(p->in.fd, to, bytes);
        if (n >= 0)
            return (size_t)n;
        if (errno != EINTR && errno != EAGAIN)
            break;
    }
    return 0;
}

/* ---- Between calls ------------------------------------------------------- */

/* Is its first thread asleep, as one is that waits for a request?  Yes, where
 * that cannot be found out. */
static int is_asleep(const struct process *p)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)p->child);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    if (n <= 0)
        return 1;
    text[n] = '\0';
    /* "PID (NAME) STATE", and the name may have any character. */
    const char *state = strrchr(text, ')');
    return !state || state[1] != ' ' || state[2] == 'S' || state[2] == 'I';
}

/* Is the pipe readable or closed, or the program at its end, within that time?
 */
static int stirs(const struct process *p, int64_t wait_ns)
{
    const struct timespec most = {.tv_nsec = wait_ns};
    struct pollfd all[2] = {{.fd = p->in.fd, .events = POLLIN},
                            {.fd = p->pidfd, .events = POLLIN}};
    return p->in.from < p->in.to || ppoll(all, 2, &most, NULL) > 0;
}

int process_pipe_quiet(struct process *p, int settle)
{
    int64_t wait = SETTLE_FIRST_NS;
    for (int64_t waited = 0; settle && waited < SETTLE_NS; waited += wait) {
        if (is_asleep(p))
            break;
        if (stirs(p, wait))
            return 0;
        wait = 2 * wait < SETTLE_LONGEST_NS ? 2 * wait : SETTLE_LONGEST_NS;
    }
    return !stirs(p, 0) && (p->pidfd >= 0 || !process_ended(p, 0));
}
