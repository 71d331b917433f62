/* test_sandbox.c - what a process in the sandbox can and cannot do.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each attempt is made by a child of its own, once outside, where it must
 * succeed, so that the test would see a sandbox that is not there, and once
 * inside.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interp/test/tap.h"
#include "runner/process/sandbox.h"

static char folder[] = "/tmp/test_sandbox_XXXXXX";
static char victim[64];
static pid_t other; /* a process that is not in the sandbox */

static bool write_file(void)
{
    int fd = open(victim, O_WRONLY | O_TRUNC);
    return fd >= 0 && write(fd, "x", 1) == 1;
}

static bool make_file(void)
{
    char path[96];
    snprintf(path, sizeof path, "%s/made", folder);
    return open(path, O_WRONLY | O_CREAT, 0600) >= 0;
}

static bool remove_file(void)
{
    return unlink(victim) == 0;
}

static bool change_mode(void)
{
    return chmod(victim, 0) == 0;
}

static bool use_network(void)
{
    return socket(AF_INET, SOCK_DGRAM, 0) >= 0;
}

static bool use_local_socket(void)
{
    return socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
}

static bool signal_other(void)
{
    return kill(other, 0) == 0;
}

static bool trace_other(void)
{
    return ptrace(PTRACE_SEIZE, other, 0, 0) == 0;
}

static bool read_other_memory(void)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/mem", (long)other);
    return open(path, O_RDWR) >= 0;
}

/* /proc shows the files as another process sees them. */
static bool go_by_other(void)
{
    char path[160];
    snprintf(path, sizeof path, "/proc/%ld/root%s", (long)other, victim);
    return open(path, O_WRONLY) >= 0;
}

static bool limit_other(void)
{
    struct rlimit now;
    return prlimit(other, RLIMIT_CORE, NULL, &now) == 0;
}

static bool limit_oneself(void)
{
    const struct rlimit none = {0, 0};
    return setrlimit(RLIMIT_CORE, &none) == 0;
}

static bool leave_group(void)
{
    return setsid() >= 0;
}

/* What stays allowed. */
static bool write_scratch(void)
{
    const char *scratch = getenv("TMPDIR");
    char path[300];
    snprintf(path, sizeof path, "%s/file", scratch ? scratch : folder);
    int fd = open(path, O_RDWR | O_CREAT, 0600);
    return fd >= 0 && write(fd, "x", 1) == 1 && unlink(path) == 0;
}

static bool write_null(void)
{
    int fd = open("/dev/null", O_WRONLY);
    return fd >= 0 && write(fd, "x", 1) == 1;
}

static bool read_file(void)
{
    return open(victim, O_RDONLY) >= 0;
}

static bool signal_oneself(void)
{
    signal(SIGUSR1, SIG_IGN);
    return raise(SIGUSR1) == 0;
}

/* Did it work, in a new process? */
static bool attempt(bool (*act)(void), const struct sandbox *s)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        char why[120];
        if (s && !sandbox_enter(s, why, sizeof why)) {
            printf("# %s\n", why);
            fflush(NULL);
            _exit(2);
        }
        _exit(act() ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (s && (!WIFEXITED(status) || WEXITSTATUS(status) > 1))
        OK(false, "the sandbox can be entered");
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void make_victim(void)
{
    unlink(victim); /* it may have no mode */
    FILE *f = fopen(victim, "w");
    fputs("results", f);
    fclose(f);
    chmod(victim, 0600);
}

static void refused(bool (*act)(void), const char *what, bool here)
{
    static const struct sandbox none = {.on = false};
    struct sandbox s;
    struct status st = {STATUS_OK};
    make_victim();
    if (!OK(attempt(act, &none), "outside: %s", what))
        return;
    make_victim();
    if (!here) {
        printf("# not restricted by this kernel: %s\n", what);
        return;
    }
    OK(sandbox_open(&s, &st), "a sandbox (%s)", st.text);
    OK(!attempt(act, &s), "refused inside: %s", what);
    sandbox_close(&s);
}

static void allowed(bool (*act)(void), const char *what)
{
    struct sandbox s;
    struct status st = {STATUS_OK};
    make_victim();
    OK(sandbox_open(&s, &st), "a sandbox (%s)", st.text);
    char scratch[sizeof s.scratch];
    memcpy(scratch, s.scratch, sizeof scratch);
    OK(attempt(act, &s), "allowed inside: %s", what);
    sandbox_close(&s);
    OK(access(scratch, F_OK) != 0, "the scratch directory is gone");
}

static void try_all(bool files)
{
    refused(write_file, "write a file", files);
    refused(make_file, "make a file", files);
    refused(remove_file, "remove a file", files);
    refused(change_mode, "change a file's mode", true);
    refused(use_network, "open a network socket", true);
    refused(use_local_socket, "open a local socket", true);
    refused(signal_other, "signal another process", true);
    refused(trace_other, "trace another process", true);
    refused(read_other_memory, "open another process's memory", files);
    refused(go_by_other, "write a file through another process", files);
    refused(limit_other, "read another process's limits", true);
    refused(limit_oneself, "lower its own limits", true);
    refused(leave_group, "leave the process group", true);
    allowed(write_scratch, "write below TMPDIR");
    allowed(write_null, "write to /dev/null");
    allowed(read_file, "read a file");
    allowed(signal_oneself, "signal itself");
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    snprintf(victim, sizeof victim, "%s/victim", folder);
    other = fork();
    if (other == 0) {
        pause();
        _exit(0);
    }
    const struct sandbox on = {.on = true}, off = {.on = false};
    EQ_STR(sandbox_words(&off), "off", "a sandbox that is off says so");
    for (int i = 0; i < 2; i++) {
        printf("# %s\n", sandbox_words(&on));
        bool files = strncmp(sandbox_words(&on), "Landlock", 8) == 0
                     || strncmp(sandbox_words(&on), "namespaces", 10) == 0;
        OK((sandbox_missing() == NULL) == files,
           "what is missing is reported, and nothing else");
        try_all(files);
        setenv("ASSAY_TEST_NO_LANDLOCK", "1", 1);
    }
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
    unlink(victim);
    char made[96];
    snprintf(made, sizeof made, "%s/made", folder);
    unlink(made);
    rmdir(folder);
    return tap_done();
}
