/* processes.c - what a plugin can do to its process.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "evil.h"

/* Aborts. */
EVIL_EXECUTE(abort, b, x, e, error)
{
    abort();
}

/* Leaves the direction flag set, which x86's string instructions read. */
EVIL_AFTER(backwards, b, e, error)
{
#if defined __x86_64__
    __asm__ volatile("std" ::: "cc", "memory");
#endif
}

/* Becomes another program, which ends well. */
EVIL_EXECUTE(become, b, x, e, error)
{
    execl("/bin/true", "true", (char *)NULL);
    return ASSAY_OK;
}

/* Keeps what it compiles in the file that ASSAY_EVIL_CACHE names, and where it
 * cannot, does not say which.  Its results are right. */
EVIL_COMPILE(cache, b, p, x, error)
{
    const char *path = getenv("ASSAY_EVIL_CACHE");
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
    if (fd < 0) {
        snprintf(error->text, sizeof error->text, "no cache");
        return ASSAY_FAILED;
    }
    close(fd);
    return evil_compile(b, p, x, error);
}

/* Closes every file. */
EVIL_EXECUTE(close_files, b, x, e, error)
{
    for (int i = 0; i < 1024; i++)
        close(i);
    return evil_execute(b, x, e, error);
}

/* Reports an error whenever all is well, and once aborts without a word, at an
 * input of 4. */
EVIL_EXECUTE(earlier_words, b, x, e, error)
{
    const float four = 4;
    for (int32_t i = 0; i < evil_inputs; i++)
        if (e->inputs[i]->bytes >= sizeof four
            && memcmp(e->inputs[i]->data, &four, sizeof four) == 0
            && evil_first_time())
            abort();
    fprintf(stderr, "Check failed: of an earlier case\n");
    printf("and half a line");
    return evil_execute(b, x, e, error);
}

/* Logs without end. */
EVIL_EXECUTE(endless_log, b, x, e, error)
{
    const assay_host *host = evil_of(b)->host;
    volatile int for_ever = 1;
    while (for_ever)
        host->log(host, 1, "is anybody there?");
    return evil_execute(b, x, e, error);
}

/* Ends its process, and says that all is well. */
EVIL_EXECUTE(exit_quietly, b, x, e, error)
{
    exit(0);
}

/* Crashes the first time. */
EVIL_EXECUTE(flaky, b, x, e, error)
{
    if (evil_first_time())
        abort();
    return evil_execute(b, x, e, error);
}

/* Leaves a mode in which subnormal numbers are zero; its results are right. */
EVIL_AFTER(flush_left, b, e, error)
{
#ifdef __SSE__
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#endif
}

/* Computes where subnormal numbers are zero. */
EVIL_EXECUTE(flush_mode, b, x, e, error)
{
#ifdef __SSE__
    unsigned before = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(before | 0x8040);
#endif
    assay_code code = evil_execute(b, x, e, error);
#ifdef __SSE__
    __builtin_ia32_ldmxcsr(before);
#endif
    return code;
}

/* Leaves a child behind. */
EVIL_EXECUTE(fork_child, b, x, e, error)
{
    if (fork() == 0) {
        sleep(20);
        _exit(0);
    }
    return evil_execute(b, x, e, error);
}

/* Never returns from compile. */
EVIL_COMPILE(hang_compile, b, p, x, error)
{
    volatile int for_ever = 1;
    while (for_ever)
        pause();
    return evil_compile(b, p, x, error);
}

/* Never returns from execute, and keeps busy. */
EVIL_EXECUTE(hang_execute, b, x, e, error)
{
    volatile int for_ever = 1;
    while (for_ever)
        continue;
    return evil_execute(b, x, e, error);
}

/* Hangs the first time. */
EVIL_EXECUTE(hang_once, b, x, e, error)
{
    volatile int for_ever = evil_first_time();
    while (for_ever)
        pause();
    return evil_execute(b, x, e, error);
}

/* Never returns from compiling a program that has a Rev. */
EVIL_COMPILE(hang_one, b, p, x, error)
{
    volatile int for_ever = 1;
    for (int i = 0; i < p->computation_count; i++)
        for (int k = 0; k < p->computations[i]->instruction_count; k++)
            while (for_ever
                   && strcmp(p->computations[i]->instructions[k]->op, "Rev")
                          == 0)
                pause();
    return evil_compile(b, p, x, error);
}

/* Kills itself. */
EVIL_EXECUTE(kill, b, x, e, error)
{
    raise(SIGKILL);
    return evil_execute(b, x, e, error);
}

/* Ends every process that it can.  Only in a sandbox: evil.t runs it in one. */
EVIL_EXECUTE(kill_others, b, x, e, error)
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

/* Lowers the limits of its process, which its next cases would run into. */
EVIL_AFTER(low_limits, b, e, error)
{
    const struct rlimit least = {0, 0};
    setrlimit(RLIMIT_DATA, &least);
    setrlimit(RLIMIT_AS, &least);
    setrlimit(RLIMIT_CPU, &least);
    setrlimit(RLIMIT_STACK, &least);
    setrlimit(RLIMIT_FSIZE, &least);
}

/* Rejects what it must, and leaves another rounding mode. */
EVIL_COMPILE(mode_on_reject, b, p, x, error)
{
    assay_code code = evil_compile(b, p, x, error);
    if (code != ASSAY_OK)
        fesetround(FE_UPWARD);
    return code;
}

/* Leaves another rounding direction behind. */
EVIL_AFTER(rounding_mode, b, e, error)
{
    fesetround(FE_UPWARD);
}

/* Stops itself. */
EVIL_EXECUTE(stop, b, x, e, error)
{
    raise(SIGSTOP);
    return evil_execute(b, x, e, error);
}

/* Forks in a call, and both processes return from it. */
EVIL_EXECUTE(twin, b, x, e, error)
{
    static int forked; /* once: twins that fork would fill the machine */
    if (!forked++ && fork() < 0)
        return ASSAY_FAILED;
    return evil_execute(b, x, e, error);
}

/* Writes to address 0. */
static int *volatile zero;

/* A sanitizer would end it in another way. */
__attribute__((no_sanitize("undefined"))) static assay_code
run_into_null(assay_backend *b, assay_executable *x, const assay_execution *e,
              assay_error *error)
{
    *(volatile int *)zero = 1;
    return evil_execute(b, x, e, error);
}

EVIL_MAKE(segfault, e)
{
    e->execute = run_into_null;
}

/* Recurses without end. */
static int (*volatile deeper)(int n);

static int recurse(int n)
{
    volatile char frame[4096];
    frame[0] = (char)n;
    return deeper(n + 1) + frame[0];
}

static assay_code fill_stack(assay_backend *b, assay_executable *x,
                             const assay_execution *e, assay_error *error)
{
    if (deeper(1) == 0)
        return ASSAY_FAILED;
    return evil_execute(b, x, e, error);
}

EVIL_MAKE(stack_overflow, e)
{
    deeper = recurse;
    e->execute = fill_stack;
}

/* Leaves a timer behind, and a handler for every signal. */
static void ignore(int number)
{
    (void)number;
}

EVIL_EXECUTE(timer, b, x, e, error)
{
    const struct itimerval often = {{0, 500}, {0, 500}};
    for (int i = 1; i < 32; i++)
        signal(i, ignore);
    setitimer(ITIMER_REAL, &often, NULL);
    return evil_execute(b, x, e, error);
}

/* Says 4 MiB on each of its outputs, and waits for an answer. */
EVIL_EXECUTE(loud, b, x, e, error)
{
    char text[4096];
    memset(text, '!', sizeof text);
    for (int i = 0; i < 2048; i++)
        if (write(1 + i % 2, text, sizeof text) < 0)
            return ASSAY_FAILED;
    while (read(0, text, sizeof text) > 0)
        ;
    return evil_execute(b, x, e, error);
}

/* Sleeps for a while, and computes for a while, then is right. */
enum {
    MS = 100
};

static int spent_ms(clockid_t clock, const struct timespec *since)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (int)((t.tv_sec - since->tv_sec) * 1000
                 + (t.tv_nsec - since->tv_nsec) / 1000000);
}

EVIL_EXECUTE(slow, b, x, e, error)
{
    struct timespec start;
    usleep(MS * 1000);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    while (spent_ms(CLOCK_PROCESS_CPUTIME_ID, &start) < MS)
        continue;
    return evil_execute(b, x, e, error);
}

/* Takes its time to compile, and refuses Abs. */
EVIL_COMPILE(slow_refuse, b, p, x, error)
{
    usleep(200000);
    for (int i = 0; i < p->computation_count; i++)
        for (int k = 0; k < p->computations[i]->instruction_count; k++)
            if (strcmp(p->computations[i]->instructions[k]->op, "Abs") == 0) {
                snprintf(error->text, sizeof error->text, "no Abs today");
                return ASSAY_FAILED;
            }
    return evil_compile(b, p, x, error);
}
