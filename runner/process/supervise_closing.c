/* supervise_closing.c - deaths in calls that have no part in any verdict.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A crash in release or close costs no case its verdict, but the summary names
 * it.  evil.t tests this.
 */
#include <poll.h>
#include <stdio.h>
#include <sys/wait.h>

#include "runner/process/supervise_private.h"

enum {
    CLOSE_MS = 1000 /* to close, when all results are there */
};

/* A call that has no part in any verdict is at least reported. */
void supervise_closing_died(struct supervisor *s,
                            const struct supervise_seat *seat,
                            const struct supervise_death *d, int status)
{
    struct supervise_outcome *o = &s->outcome;
    bool release = d->phase == JOB_RELEASE;
    if ((!release && d->phase != JOB_CLOSE)
        || (WIFEXITED(status)
            && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == JOB_DAMAGED))
        || d->outside || seat->reason == SUPERVISE_BY_STOP
        || supervise_try_left(seat, status))
        return;
    int64_t *count = release ? &o->release_deaths : &o->close_deaths;
    char *text = release ? o->release_text : o->close_text;
    if ((*count)++ == 0)
        snprintf(text, sizeof o->close_text, "%.150s", d->text);
}

/* All results are there, but the backend may still be closing. */
void supervise_closing_wait(struct supervisor *s, struct supervise_job *w)
{
    struct supervise_seat *seat = &w->worker;
    struct supervise_death d;
    int status = 0;
    for (int ms = 0; ms < CLOSE_MS && !supervise_stopped(s); ms++) {
        if (seat->child.pid <= 0 || seat->reason != SUPERVISE_BY_ITSELF
            || !atomic_load(&seat->place->done))
            return;
        child_listen(&seat->child);
        if (child_ended(&seat->child, &status)) {
            supervise_try_why(s, seat, status, &d);
            supervise_closing_died(s, seat, &d, status);
            return;
        }
        poll(NULL, 0, 1);
    }
}
