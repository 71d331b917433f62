/* test_sandbox.c - what a process in the sandbox can and cannot do.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each attempt is made by a child of its own, once outside, where it must
 * succeed, so that the test would see a sandbox that is not there, and once
 * inside.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
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
#include "runner/process/child.h"
#include "runner/process/sandbox.h"
#include "runner/process/sandbox_notice.h"

static char folder[] = "/tmp/test_sandbox_XXXXXX";
static char victim[64];
static pid_t other; /* a process that is not in the sandbox */

/* An act that is one expression. */
#define ACT(name, expression) \
    static bool name(void) \
    { \
        return expression; \
    }

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

ACT(remove_file, unlink(victim) == 0)
ACT(change_mode, chmod(victim, 0) == 0)
ACT(use_network, socket(AF_INET, SOCK_DGRAM, 0) >= 0)
ACT(use_local_socket, socket(AF_UNIX, SOCK_STREAM, 0) >= 0)
ACT(signal_other, kill(other, 0) == 0)
ACT(trace_other, ptrace(PTRACE_SEIZE, other, 0, 0) == 0)

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

ACT(leave_group, setsid() >= 0)

/* Tries what stays allowed. */
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

ACT(read_file, open(victim, O_RDONLY) >= 0)

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
        if (s && !sandbox_enter(s, s->scratch, NULL, why, sizeof why)) {
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
    refused(read_other_memory, "open another process's memory",
            files || geteuid() == 0);
    refused(go_by_other, "write a file through another process", files);
    refused(limit_other, "read another process's limits", true);
    refused(limit_oneself, "lower its own limits", true);
    refused(leave_group, "leave the process group", true);
    allowed(write_scratch, "write below TMPDIR");
    allowed(write_null, "write to /dev/null");
    allowed(read_file, "read a file");
    allowed(signal_oneself, "signal itself");
}

/* ---- The scratch directory ----------------------------------------------- */

static int entries(void)
{
    int n = 0;
    DIR *d = opendir(folder);
    while (d && readdir(d))
        n++;
    closedir(d);
    return n - 2;
}

/* A run that was killed leaves its directory; the next one removes it. */
static void scratches(void)
{
    struct sandbox live, next;
    struct status st = {STATUS_OK};
    char path[300], part[SANDBOX_SCRATCH_PATH];
    int status;
    setenv("TMPDIR", folder, 1);
    unlink(victim);
    snprintf(path, sizeof path, "%s/made", folder);
    unlink(path);
    EQ_INT(entries(), 0, "nothing is there");
    OK(sandbox_open(&live, &st), "a run");
    fflush(NULL);
    pid_t killed = fork();
    if (killed == 0) {
        close(live.lock);
        if (sandbox_open(&next, &st)) {
            sandbox_folder(&next, 3, part);
            snprintf(path, sizeof path, "%s/left", part);
            close(open(path, O_WRONLY | O_CREAT, 0));
        }
        kill(getpid(), SIGKILL);
    }
    waitpid(killed, &status, 0);
    EQ_INT(entries(), 2, "a run that is killed leaves its directory");
    snprintf(path, sizeof path, "%s/assay-scratch.mine", folder);
    OK(mkdir(path, 0700) == 0, "a name that is not of a run");
    OK(sandbox_open(&next, &st), "the next run");
    EQ_INT(entries(), 3, "removes it, and leaves those that live");
    sandbox_folder(&next, 0, part);
    EQ_INT(sandbox_scratch_bytes(part), 0, "a part is empty");
    char file[SANDBOX_SCRATCH_PATH + 8];
    snprintf(file, sizeof file, "%s/file", part);
    FILE *f = fopen(file, "w");
    for (int i = 0; i < 100000; i++)
        fputc('x', f);
    fclose(f);
    OK(sandbox_scratch_bytes(part) >= 100000, "a file is counted");
    sandbox_scratch_clear(part);
    EQ_INT(sandbox_scratch_bytes(part), 0, "and removed");
    sandbox_close(&next);
    sandbox_close(&live);
    OK(rmdir(path) == 0, "what is not of a run stays");
    EQ_INT(entries(), 0, "nothing is left");
    unsetenv("TMPDIR");
}

/* ---- What was refused ---------------------------------------------------- */

static bool remove_missing(void)
{
    char path[96];
    snprintf(path, sizeof path, "%s/missing", folder);
    return unlink(path) == 0;
}

ACT(make_again, mkdir(folder, 0700) == 0)

static bool open_missing(void)
{
    char path[96];
    snprintf(path, sizeof path, "%s/missing/file", folder);
    return open(path, O_WRONLY | O_CREAT, 0600) >= 0;
}

ACT(write_folder, open(folder, O_WRONLY) >= 0)

static bool write_output(void)
{
    int fd = open("/dev/stdout", O_WRONLY);
    return fd >= 0;
}

ACT(write_foreign, open("/etc/passwd", O_WRONLY) >= 0)
ACT(open_terminal, open("/dev/tty", O_RDWR) >= 0)
ACT(write_relative, chdir(folder) == 0 && open("victim", O_WRONLY) >= 0)

/* Checks what the runner is told of what a process does there. */
static void told(bool (*act)(void), const char *what, const char *due)
{
    static struct sandbox_notices n;
    struct sandbox s;
    struct status st = {STATUS_OK};
    struct child c = {0};
    char why[120], all[200];
    int status = 0;
    make_victim();
    n.count = n.cases = 0;
    OK(sandbox_open(&s, &st), "a sandbox (%s)", st.text);
    pid_t pid = child_fork(&c, true);
    if (pid == 0) {
        int listener;
        if (!sandbox_enter(&s, s.scratch, &listener, why, sizeof why))
            _exit(3);
        child_give(listener);
        _exit(act() ? 2 : 0);
    }
    while (!child_ended(&c, &status)) {
        child_listen(&c);
        sandbox_notice_answer(&n, c.listener, s.scratch, NULL);
        poll(NULL, 0, 1);
    }
    const char *text = sandbox_notice_at(&n, -1);
    snprintf(all, sizeof all, due ? "the sandbox refused %s" : "", due);
    EQ_STR(text ? text : "", all, "%s: what is told", what);
    OK(WIFEXITED(status) && WEXITSTATUS(status) != 3
           && (!due || WEXITSTATUS(status) == 0),
       "%s: it ends", what);
    sandbox_close(&s);
}

static void notices(void)
{
    char file[96], made[96];
    snprintf(file, sizeof file, "write to %s", victim);
    snprintf(made, sizeof made, "write to %s/made", folder);
    if (strcmp(sandbox_level(&(struct sandbox){.on = true}), "full") != 0) {
        printf("# files are not protected on this kernel\n");
        return;
    }
    told(write_file, "write a file", file);
    told(write_relative, "by a relative path", file);
    told(make_file, "make a file", made);
    snprintf(file, sizeof file, "removal of %s", victim);
    told(remove_file, "remove a file", file);
    told(change_mode, "change a mode", "the system call chmod");
    /* What fails anyway was not refused, nor was what succeeds. */
    told(remove_missing, "remove what is not there", NULL);
    told(open_missing, "write in a folder that is not there", NULL);
    told(make_again, "make a folder that is there", NULL);
    told(write_folder, "write to a folder", NULL);
    told(write_output, "write to its own output", NULL);
    told(open_terminal, "open the terminal that it does not have", NULL);
    told(write_scratch, "write below TMPDIR", NULL);
    told(write_null, "write to /dev/null", NULL);
    told(read_file, "read a file", NULL);
    if (geteuid() == 0)
        return;
    told(write_foreign, "write what the user may not", NULL);
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
    EQ_STR(sandbox_level(&off), "none", "and its level");
    OK(sandbox_missing(&off) != NULL, "and what it lacks");
    /* What this kernel offers, then less of it. */
    static const char *const less[] = {NULL, "5",          "3",      "2",
                                       "1",  "namespaces", "seccomp"};
    for (size_t i = 0; i < sizeof less / sizeof *less; i++) {
        if (less[i])
            setenv("ASSAY_TEST_SANDBOX", less[i], 1);
        printf("# %s\n", sandbox_words(&on));
        bool files = strcmp(sandbox_words(&on), "seccomp") != 0;
        EQ_STR(sandbox_level(&on), files ? "full" : "partial", "the level");
        OK((sandbox_missing(&on) == NULL) == files,
           "what is missing is reported, and nothing else");
        try_all(files);
    }
    unsetenv("ASSAY_TEST_SANDBOX");
    scratches();
    notices();
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
    unlink(victim);
    rmdir(folder);
    return tap_done();
}
