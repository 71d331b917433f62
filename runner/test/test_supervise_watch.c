/* test_supervise_watch.c - what counts against which limit.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Processes that only compute, and only sleep; which limit ends them follows
 * from supervise_watch.h, however long it takes.
 */
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interp/test/tap.h"
#include "runner/process/child.h"
#include "runner/process/supervise_watch.h"

static void compute(void)
{
    for (volatile int on = 1; on;)
        continue;
}

static void sleep_on(void)
{
    for (;;)
        pause();
}

/* Sleeps while a child computes. */
static void wait_for_child(void)
{
    if (fork() == 0)
        compute();
    sleep_on();
}

static enum supervise_watch_late watch(void (*body)(void),
                                       struct supervise_watch_limits limits)
{
    struct supervise_watch_clock clock = {0};
    struct supervise_watch w;
    enum supervise_watch_late late = SUPERVISE_WATCH_IN_TIME;
    pid_t pid = fork();
    if (pid == 0) {
        setpgid(0, 0);
        body();
        _exit(0);
    }
    setpgid(pid, pid);
    supervise_watch_begin(&w, 1, supervise_watch_now(&clock));
    while (late == SUPERVISE_WATCH_IN_TIME) {
        late = supervise_watch_look(&w, pid, 1, supervise_watch_now(&clock),
                                    limits);
        poll(NULL, 0, 2);
    }
    kill(-pid, SIGKILL);
    waitpid(pid, NULL, 0);
    return late;
}

/* It is looked for by its group, and may not have run yet. */
static void groups(void)
{
    enum {
        TIMES = 32
    };
    int found = 0;
    for (int i = 0; i < TIMES; i++) {
        struct child c = {0};
        struct child_use use;
        int status;
        pid_t pid = child_fork(&c, true);
        if (pid == 0)
            sleep_on();
        found += child_use(pid, &use) && use.processes == 1;
        kill(pid, SIGKILL);
        child_wait(&c, &status);
    }
    EQ_INT(found, TIMES, "a process has its own group from the beginning");
}

int main(void)
{
    const struct supervise_watch_limits busy = {100, 60000},
                                        asleep = {60000, 100};
    EQ_INT(watch(compute, busy), SUPERVISE_WATCH_BUSY,
           "processor time counts while it computes");
    EQ_INT(watch(sleep_on, asleep), SUPERVISE_WATCH_ASLEEP,
           "elapsed time counts while it sleeps");
    EQ_INT(watch(wait_for_child, busy), SUPERVISE_WATCH_BUSY,
           "a child's processor time counts");
    groups();

    struct supervise_watch_clock clock = {0};
    supervise_watch_now(&clock);
    clock.last -= 15000; /* as if the runner had been stopped for 15 s */
    OK(supervise_watch_now(&clock) <= 100,
       "time in which the runner was stopped is left out");

    struct supervise_watch w;
    supervise_watch_begin(&w, 1, 0);
    w.asleep = 500;
    EQ_INT(supervise_watch_look(&w, getpid(), 2, 5, asleep),
           SUPERVISE_WATCH_IN_TIME, "what restarts");
    OK(w.asleep == 0 && w.busy == 0, "has taken no time");

    struct child_use use;
    OK(child_use(getpgrp(), &use) && use.computing && use.processes >= 1,
       "this process is at work");
    return tap_done();
}
