/* spawn.c - the program's process: its start and its end.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * It is a child of the worker, in the worker's process group and sandbox, and
 * dies with it: the kernel kills it when the worker ends, however that ends
 * (PR_SET_PDEATHSIG), and the runner kills the group.  Its standard error is
 * the worker's, which the runner keeps.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "process.h"

enum {
    PIPE_BYTES = 1 << 20,
    STOP_MS = 2000,
    LOOK_MS = 2,
};

assay_code process_say(assay_error *error, assay_code code, const char *format,
                       ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    return code;
}

/* One command and nothing else?  Then the shell need not stay, and the end of
 * the backend and of its pipes is seen. */
static int is_simple(const char *command)
{
    return !strpbrk(command, ";&|<>(){}$`!\n")
           && !memchr(command, '=', strcspn(command, " "));
}

static void run_shell(const char *command)
{
    char *text;
    if (asprintf(&text, "%s%s", is_simple(command) ? "exec " : "", command) > 0)
        execl("/bin/sh", "sh", "-c", text, (char *)NULL);
}

/* In the child. */
static void become(const struct process *p, pid_t worker, int in, int out)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != worker)
        _exit(EXIT_FAILURE);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGINT, SIG_IGN);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    if (p->is_file)
        execl(p->what, p->what, (char *)NULL);
    else
        run_shell(p->what);
    dprintf(STDERR_FILENO, "cannot run %s: %s\n",
            p->is_file ? p->what : "/bin/sh", strerror(errno));
    _exit(127);
}

int process_spawn(struct process *p)
{
    int to[2], from[2];
    pid_t worker = getpid();
    p->status = p->pidfd = -1;
    if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0)
        return process_break(p, "cannot create a pipe: %s", strerror(errno));
    /* Fewer changes of process for a large array; a wish only. */
    fcntl(to[1], F_SETPIPE_SZ, PIPE_BYTES);
    fcntl(from[1], F_SETPIPE_SZ, PIPE_BYTES);
    /* A program that is gone is an error of write, not the worker's end; and
     * how it ended can be asked for. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    fflush(NULL);
    p->child = fork();
    if (p->child == 0)
        become(p, worker, to[0], from[1]);
    close(to[0]);
    close(from[1]);
    p->out.fd = to[1];
    p->in.fd = from[0];
    if (p->child < 0)
        return process_break(p, "cannot start a process: %s", strerror(errno));
    process_pipe_begin(p);
    return 1;
}

int process_ended(struct process *p, int wait_ms)
{
    struct timespec pause = {.tv_nsec = LOOK_MS * 1000000L};
    for (int waited = 0; p->child > 0; waited += LOOK_MS) {
        int status;
        if (waitpid(p->child, &status, WNOHANG) == p->child) {
            p->status = status;
            p->child = 0;
        } else if (waited >= wait_ms) {
            break;
        } else {
            nanosleep(&pause, NULL);
        }
    }
    return p->child <= 0;
}

void process_describe(int status, char *text, size_t size)
{
    if (WIFSIGNALED(status))
        snprintf(text, size, "the backend was killed by signal %d (%s)",
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(text, size, "the backend exited with status %d",
                 WEXITSTATUS(status));
}

void process_die(struct process *p)
{
    /* It must not report the pipe that is closed below. */
    if (p->child > 0 && kill(p->child, SIGKILL) == 0) {
        int status;
        waitpid(p->child, &status, 0);
    }
    fprintf(stderr, "%s\n", p->broken);
    fflush(NULL);
    if (p->status >= 0 && WIFSIGNALED(p->status)) {
        const struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        signal(WTERMSIG(p->status), SIG_DFL);
        raise(WTERMSIG(p->status));
    }
    _exit(p->status > 0 && WIFEXITED(p->status) ? WEXITSTATUS(p->status)
                                                : EXIT_FAILURE);
}

void process_stop(struct process *p)
{
    process_pipe_end(p);
    if (!process_ended(p, STOP_MS))
        kill(p->child, SIGKILL);
}
