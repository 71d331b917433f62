/* supervise_watch.h - has a process been busy with one thing for too long?
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Two limits.  While the process or a child of it computes, its processor time
 * counts, at most one second a second: what it would take on an idle machine.
 * While all of them sleep, time on the wall counts, against a separate limit.
 * Waiting for a processor does not count.
 *
 * All times are of a clock that only runs while the caller looks at it: time
 * in which the runner itself was stopped or starved is left out.
 */
#ifndef RUNNER_PROCESS_SUPERVISE_WATCH_H
#define RUNNER_PROCESS_SUPERVISE_WATCH_H

#include <stdint.h>
#include <sys/types.h>

/* Milliseconds in which the runner was awake. */
struct supervise_watch_clock {
    int64_t last, awake;
};
/* Call it at least every 100 ms. */
int64_t supervise_watch_now(struct supervise_watch_clock *clock);

struct supervise_watch_limits {
    int64_t busy_ms, sleep_ms;
};

enum supervise_watch_late {
    SUPERVISE_WATCH_IN_TIME,
    SUPERVISE_WATCH_BUSY,   /* too much processor time */
    SUPERVISE_WATCH_ASLEEP, /* too much time on the wall */
};

struct supervise_watch {
    uint64_t mark;
    int64_t looked; /* when use was read last */
    int64_t cpu_ms; /* and what it was; -1: not read yet */
    int64_t since, busy, asleep;
};

/* It begins a new phase now. */
void supervise_watch_begin(struct supervise_watch *w, uint64_t mark,
                           int64_t now);
/* Look; a different mark than last time means a new phase. */
enum supervise_watch_late
supervise_watch_look(struct supervise_watch *w, pid_t pid, uint64_t mark,
                     int64_t now, struct supervise_watch_limits limits);

#endif
