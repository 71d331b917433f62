/* supervise_sandbox.c - what the sandbox refuses, and what its directory holds
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * test_sandbox.c and sandbox.t test this.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/process/sandbox.h"
#include "runner/process/sandbox_notice.h"
#include "runner/process/supervise_private.h"

enum {
    LOOK_MS = 200
};

static void answer(struct supervisor *s, struct supervise_job *w)
{
    struct sandbox_notices *n = &w->refused;
    int64_t before = n->count;
    if (w->worker.child.pid <= 0)
        return;
    sandbox_notice_answer(n, w->worker.child.listener,
                          s->protects ? w->job.folder : NULL, w->worker.place);
    if (s->outcome.refused == 0 && n->count > before)
        snprintf(s->outcome.refused_text, sizeof s->outcome.refused_text, "%s",
                 n->kept[0].text);
    s->outcome.refused += n->count - before;
}

/* Files are only asked about where the sandbox protects them. */
bool supervise_sandbox_begin(struct supervisor *s)
{
    const struct sandbox *sandbox = s->context.sandbox;
    s->protects = sandbox && strcmp(sandbox_level(sandbox), "full") == 0;
    s->polled = calloc((size_t)s->options->jobs, sizeof *s->polled);
    for (int i = 0; i < s->options->jobs; i++)
        sandbox_folder(sandbox, i, s->jobs[i].job.folder);
    return s->polled != NULL;
}

void supervise_sandbox_wait(struct supervisor *s, int most_ms)
{
    for (int i = 0; i < s->round_jobs; i++)
        s->polled[i] =
            (struct pollfd){.fd = s->jobs[i].worker.child.pid > 0
                                      ? s->jobs[i].worker.child.listener
                                      : -1,
                            .events = POLLIN};
    poll(s->polled, (nfds_t)s->round_jobs, most_ms);
    for (int i = 0; i < s->round_jobs; i++)
        if (s->polled[i].revents & POLLIN)
            answer(s, &s->jobs[i]);
}

void supervise_sandbox_say(struct supervise_job *w, int64_t position,
                           char *text, size_t size)
{
    const char *refused = sandbox_notice_at(&w->refused, position);
    size_t n = strlen(text);
    if (refused)
        snprintf(text + n, size - n, "%s%s", n > 0 ? "; " : "", refused);
}

bool supervise_sandbox_fresh(struct supervise_job *w)
{
    return !w->job.folder[0] || sandbox_scratch_bytes(w->job.folder) == 0;
}

void supervise_sandbox_check(struct supervisor *s)
{
    int64_t now = supervise_now(s);
    if (!s->context.sandbox || now - s->scratch_seen < LOOK_MS)
        return;
    s->scratch_seen = now;
    for (int i = 0; i < s->round_jobs; i++) {
        struct supervise_job *w = &s->jobs[i];
        if (w->worker.child.pid <= 0 || !w->job.folder[0]
            || w->worker.reason != SUPERVISE_BY_ITSELF)
            continue;
        w->worker.blamed = job_position(w->worker.place);
        if (sandbox_scratch_bytes(w->job.folder) <= s->options->memory_bytes)
            continue;
        supervise_kill(&w->worker, SUPERVISE_BY_SCRATCH);
    }
}

void supervise_sandbox_end(struct supervise_job *w)
{
    if (w->worker.reason == SUPERVISE_BY_SCRATCH)
        sandbox_scratch_clear(w->job.folder);
}
