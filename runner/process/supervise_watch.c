/* supervise_watch.c - see supervise_watch.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/process/supervise_watch.h"

#include "runner/process/child.h"
#include "runner/process/ring.h"

enum {
    GAP_MS = 100,   /* a longer one is time that the runner did not have */
    FIRST_MS = 100, /* most cases are over by then */
    LOOK_MIN_MS = 5,
    LOOK_MAX_MS = 1000,
    LOOK_PART = 16, /* of the time that it took so far: 6 % of error */
    LOOKS = 8,      /* within a limit */
    STARVED = 10,   /* times both limits: it gets no processor time */
};

int64_t supervise_watch_now(struct supervise_watch_clock *c)
{
    int64_t now = ring_clock(), gap = now - c->last;
    if (c->last != 0)
        c->awake += gap > GAP_MS ? GAP_MS : gap;
    c->last = now;
    return c->awake;
}

void supervise_watch_begin(struct supervise_watch *w, uint64_t mark,
                           int64_t now)
{
    *w = (struct supervise_watch){
        .mark = mark, .looked = now, .since = now, .cpu_ms = -1};
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* How often: ever more rarely, as checking takes time too. */
static int64_t look_every(int64_t sofar, struct supervise_watch_limits limits)
{
    int64_t least_limit = least(limits.busy_ms, limits.sleep_ms);
    int64_t ms =
        least(least(sofar / LOOK_PART, least_limit / LOOKS), LOOK_MAX_MS);
    return ms < LOOK_MIN_MS ? LOOK_MIN_MS : ms;
}

enum supervise_watch_late
supervise_watch_look(struct supervise_watch *w, pid_t pid, uint64_t mark,
                     int64_t now, struct supervise_watch_limits limits)
{
    struct child_use use;
    if (mark != w->mark) {
        supervise_watch_begin(w, mark, now);
        return SUPERVISE_WATCH_IN_TIME;
    }
    int64_t wall = now - w->looked;
    if (now - w->since < FIRST_MS && limits.busy_ms > FIRST_MS)
        return SUPERVISE_WATCH_IN_TIME;
    if (wall < look_every(now - w->since, limits))
        return SUPERVISE_WATCH_IN_TIME;
    /* Without /proc it counts as sleeping. */
    child_use(pid, &use);
    /* Its use before the first check is unknown, and not counted. */
    int64_t cpu = w->cpu_ms < 0 ? 0 : use.cpu_ms - w->cpu_ms;
    cpu = cpu < 0 ? 0 : least(cpu, wall);
    w->busy += cpu;
    if (!use.computing)
        w->asleep += wall - cpu;
    w->cpu_ms = use.cpu_ms;
    w->looked = now;
    if (w->busy > limits.busy_ms)
        return SUPERVISE_WATCH_BUSY;
    if (w->asleep > limits.sleep_ms
        || now - w->since > STARVED * (limits.busy_ms + limits.sleep_ms))
        return SUPERVISE_WATCH_ASLEEP;
    return SUPERVISE_WATCH_IN_TIME;
}
