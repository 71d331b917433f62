/* supervise.c - see supervise.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A process that dies costs the case that it was at.  The worker tries that
 * case once more in a new process; if it ends differently there, it is a
 * flake.  The judge doesn't: what kills the reference is a bug of ours.
 */
#include "runner/supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner/child.h"
#include "runner/judge.h"
#include "runner/worker.h"

enum {
    IDLE_DEATHS_MAX = 3,
    OPEN_MS = 60000,
    MEMORY_EVERY_MS = 20,
    DRAIN_MS = 3000,
    POLL_MS = 2,
};

enum reason {
    BY_ITSELF,
    BY_TIMEOUT,
    BY_MEMORY,
    BY_STOP,
};

/* How the first attempt at a case ended. */
struct attempt {
    int64_t position;
    enum verdict_status status;
    char text[JOB_TEXT];
    struct attempt *next;
};

struct seat { /* of one process */
    struct child child;
    struct job_place *place;
    enum reason reason;
    int idle_deaths;
};

struct watched {
    struct job job;
    struct seat worker, judge;
    struct attempt *attempts;
    bool finished;
};

struct supervisor {
    struct job_context *context;
    const struct supervise_options *options;
    supervise_result *on_result;
    supervise_tick *on_tick;
    void *self;
    struct watched *jobs;
    struct status *st;
    int64_t memory_seen; /* when memory was last looked at */
    bool enough;         /* on_result wants no more */
    bool stopping;
    int64_t stop_at; /* when judges must have ended */
    bool failed;
};

static bool fail(struct supervisor *s, const char *text, const char *more)
{
    s->failed = true;
    return FAIL(s->st, SYSTEM, "%s%s%.160s", text, more[0] ? ": " : "", more);
}

/* ---- Starting
 * ---------------------------------------------------------------------- */

static bool start_worker(struct supervisor *s, struct watched *w)
{
    atomic_store(&w->job.shared->worker.position, -1);
    atomic_store(&w->job.shared->worker.done, 0);
    atomic_store(&w->job.shared->worker.since, share_clock());
    atomic_store(&w->job.shared->worker.phase, JOB_OPEN);
    w->worker.reason = BY_ITSELF;
    pid_t pid = child_fork(&w->worker.child, true);
    if (pid < 0)
        return fail(s, "cannot start a worker", strerror(errno));
    if (pid > 0)
        return true;
    /* The results and the other jobs are none of the backend's business. */
    share_ring_free(w->job.results);
    for (int i = 0; i < s->options->jobs; i++)
        if (&s->jobs[i] != w) {
            share_ring_free(s->jobs[i].job.outputs);
            share_ring_free(s->jobs[i].job.results);
            share_unmap(s->jobs[i].job.shared, sizeof(struct job_shared));
        }
    _exit(worker_run(s->context, &w->job));
}

static bool start_judge(struct supervisor *s, struct watched *w)
{
    atomic_store(&w->job.shared->judge.position, -1);
    atomic_store(&w->job.shared->judge.phase, JOB_IDLE);
    w->judge.reason = BY_ITSELF;
    pid_t pid = child_fork(&w->judge.child, false);
    if (pid < 0)
        return fail(s, "cannot start a judge", strerror(errno));
    if (pid == 0)
        _exit(judge_run(s->context, &w->job));
    return true;
}

static bool work_left(const struct supervisor *s, const struct watched *w)
{
    return !s->stopping
           && (atomic_load(&w->job.shared->next)
                   < atomic_load(&w->job.shared->end)
               || atomic_load(s->context->counter) < s->context->pending_count);
}

/* ---- Results
 * -----------------------------------------------------------------------------
 */

static struct attempt *first_attempt(struct watched *w, int64_t position)
{
    for (struct attempt *t = w->attempts; t; t = t->next)
        if (t->position == position)
            return t;
    return NULL;
}

static void forget_attempt(struct watched *w, const struct attempt *gone)
{
    struct attempt **at = &w->attempts;
    while (*at != gone)
        at = &(*at)->next;
    *at = gone->next;
    free((void *)gone);
}

static void give(struct supervisor *s, const struct job_result *r)
{
    if (!s->failed && !s->enough && !s->on_result(s->self, r))
        s->stopping = s->enough = true;
}

/* A result that no judge saw. */
static void give_own(struct supervisor *s, int64_t position, int attempt,
                     enum verdict_status status, bool reference_wrong,
                     const char *text)
{
    struct job_result r = {.position = position,
                           .attempt = attempt,
                           .status = (int32_t)status,
                           .units = -1,
                           .worst_unit = -1,
                           .reference_wrong = reference_wrong};
    snprintf(r.text, sizeof r.text, "%s", text);
    give(s, &r);
}

static bool drain(struct supervisor *s, struct watched *w)
{
    bool any = false;
    uint64_t length;
    const struct job_result *r;
    for (int n = 0; n < SHARE_SLOTS; n++) {
        r = share_front(w->job.results, &length);
        if (!r)
            break;
        any = true;
        struct attempt *before =
            r->attempt > 1 ? first_attempt(w, r->position) : NULL;
        if (before) {
            struct job_result flake = *r;
            flake.wrong_count = flake.bin_count = 0;
            flake.status = VERDICT_FLAKE;
            snprintf(flake.text, sizeof flake.text,
                     "%s at first (%.180s), then %s",
                     verdict_name(before->status), before->text,
                     verdict_name((enum verdict_status)r->status));
            forget_attempt(w, before);
            give(s, &flake);
        } else {
            give(s, r);
        }
        share_release(w->job.results);
    }
    return any;
}

/* ---- Deaths
 * ----------------------------------------------------------------------------------
 */

static enum verdict_status why_died(const struct supervisor *s,
                                    struct seat *seat, int status, char *text,
                                    size_t size)
{
    const char *words = child_last_words(&seat->child);
    const char *said = words[0] ? "; last words: " : "";
    if (seat->reason == BY_TIMEOUT) {
        snprintf(text, size, "no result within %.3g s%s%.200s",
                 (double)s->options->timeout_ms / 1000, said, words);
        return VERDICT_TIMEOUT;
    }
    if (seat->reason == BY_MEMORY)
        snprintf(text, size, "took more than %" PRId64 " MiB of memory%s%.180s",
                 s->options->memory_bytes >> 20, said, words);
    else if (WIFSIGNALED(status))
        snprintf(text, size, "killed by signal %d (%s)%s%.200s",
                 WTERMSIG(status), strsignal(WTERMSIG(status)), said, words);
    else
        snprintf(text, size, "exited with status %d%s%.200s",
                 WEXITSTATUS(status), said, words);
    return VERDICT_CRASH;
}

/* The worker died at a case: now or at the second attempt that is a result. */
static void worker_lost_case(struct supervisor *s, struct watched *w,
                             int64_t position, enum verdict_status died,
                             const char *text)
{
    struct job_shared *shared = w->job.shared;
    struct attempt *before = first_attempt(w, position);
    if (atomic_load(&shared->worker.phase) == JOB_MAKE) {
        give_own(s, position, 1, VERDICT_LIMIT, true, text);
    } else if (!before) {
        before = calloc(1, sizeof *before);
        if (!before)
            return;
        before->position = position;
        before->status = died;
        snprintf(before->text, sizeof before->text, "%s", text);
        before->next = w->attempts;
        w->attempts = before;
        atomic_store(&shared->again, position);
        return;
    } else if (before->status == died && died == VERDICT_TIMEOUT
               && !supervise_end(s->context, s->options, position)) {
        give_own(s, position, 2, VERDICT_LIMIT, false,
                 "no end is found, by the reference neither");
        forget_attempt(w, before);
    } else if (before->status == died) {
        give_own(s, position, 2, died, false, text);
        forget_attempt(w, before);
    } else {
        char both[JOB_TEXT];
        snprintf(both, sizeof both, "%s at first (%.120s), then %s: %.120s",
                 verdict_name(before->status), before->text, verdict_name(died),
                 text);
        give_own(s, position, 2, VERDICT_FLAKE, false, both);
        forget_attempt(w, before);
    }
    atomic_store(&shared->again, -1);
    atomic_store(&shared->next, position + 1);
}

static bool worker_died(struct supervisor *s, struct watched *w, int status)
{
    struct job_place *place = w->worker.place;
    int64_t position = atomic_load(&place->position);
    char text[JOB_TEXT];
    enum verdict_status died =
        why_died(s, &w->worker, status, text, sizeof text);
    if (atomic_load(&place->done))
        return true;
    if (w->worker.reason == BY_STOP) {
        atomic_store(&place->done, 1);
        return true;
    }
    if (position >= 0) {
        w->worker.idle_deaths = 0;
        worker_lost_case(s, w, position, died, text);
    } else if (atomic_load(&place->phase) == JOB_OPEN) {
        return fail(s, "the backend cannot be opened", text);
    } else if (++w->worker.idle_deaths > IDLE_DEATHS_MAX) {
        return fail(s, "the backend dies between cases", text);
    }
    if (work_left(s, w))
        return start_worker(s, w);
    atomic_store(&place->done, 1);
    return true;
}

static bool judge_died(struct supervisor *s, struct watched *w, int status)
{
    struct job_place *place = w->judge.place;
    int64_t position = atomic_load(&place->position);
    char text[JOB_TEXT - 32], whole[JOB_TEXT];
    enum verdict_status died =
        why_died(s, &w->judge, status, text, sizeof text);
    drain(s, w);
    if (atomic_load(&place->done) || w->judge.reason == BY_STOP) {
        w->finished = true;
        return true;
    }
    if (position < 0 && ++w->judge.idle_deaths > IDLE_DEATHS_MAX)
        return fail(s, "the judge dies between cases", text);
    if (position >= 0) {
        bool bug = died == VERDICT_CRASH && w->judge.reason == BY_ITSELF;
        snprintf(whole, sizeof whole, "the reference: %s", text);
        share_release(w->job.outputs);
        give_own(s, position, 1, VERDICT_LIMIT, bug, whole);
    }
    return start_judge(s, w);
}

/* ---- Watching
 * ------------------------------------------------------------------------------------
 */

static void kill_for(struct seat *seat, enum reason reason)
{
    if (seat->child.pid > 0) {
        seat->reason = reason;
        kill(seat->child.pid, SIGKILL);
    }
}

static void check_time(const struct supervisor *s, struct seat *seat)
{
    enum job_phase phase = (enum job_phase)atomic_load(&seat->place->phase);
    int64_t since = atomic_load(&seat->place->since), most;
    if (seat->child.pid <= 0 || seat->reason != BY_ITSELF || phase == JOB_IDLE
        || phase == JOB_WAIT)
        return;
    most = s->options->timeout_ms;
    if ((phase == JOB_OPEN || phase == JOB_MAKE) && most < OPEN_MS)
        most = OPEN_MS;
    if (share_clock() - since > most)
        kill_for(seat, BY_TIMEOUT);
}

static void check_memory(const struct supervisor *s, struct seat *seat)
{
    if (seat->child.pid > 0 && seat->reason == BY_ITSELF
        && child_memory(&seat->child) > s->options->memory_bytes)
        kill_for(seat, BY_MEMORY);
}

static void watch(struct supervisor *s)
{
    int64_t now = share_clock();
    bool memory = now - s->memory_seen >= MEMORY_EVERY_MS;
    for (int i = 0; i < s->options->jobs; i++) {
        struct seat *seats[] = {&s->jobs[i].worker, &s->jobs[i].judge};
        for (int k = 0; k < 2; k++) {
            check_time(s, seats[k]);
            if (memory)
                check_memory(s, seats[k]);
        }
    }
    if (memory)
        s->memory_seen = now;
}

static bool reap(struct supervisor *s)
{
    for (int i = 0; i < s->options->jobs; i++) {
        struct watched *w = &s->jobs[i];
        int status;
        child_listen(&w->worker.child);
        child_listen(&w->judge.child);
        if (child_ended(&w->worker.child, &status))
            TRY(worker_died(s, w, status));
        if (child_ended(&w->judge.child, &status))
            TRY(judge_died(s, w, status));
    }
    return true;
}

/* No new cases: the workers end now, the judges when they are through with
 * what was sent. */
static void stop_all(struct supervisor *s)
{
    s->stopping = true;
    s->stop_at = share_clock() + DRAIN_MS;
    atomic_store(s->context->stop, 1);
    for (int i = 0; i < s->options->jobs; i++)
        kill_for(&s->jobs[i].worker, BY_STOP);
}

static bool all_finished(const struct supervisor *s)
{
    for (int i = 0; i < s->options->jobs; i++)
        if (!s->jobs[i].finished)
            return false;
    return true;
}

static bool loop(struct supervisor *s)
{
    bool told = false;
    while (!all_finished(s)) {
        bool any = false;
        for (int i = 0; i < s->options->jobs; i++)
            any = drain(s, &s->jobs[i]) || any;
        if (!told && (s->stopping || *s->options->interrupted)) {
            stop_all(s);
            told = true;
        }
        if (told && share_clock() > s->stop_at)
            for (int i = 0; i < s->options->jobs; i++)
                kill_for(&s->jobs[i].judge, BY_STOP);
        watch(s);
        TRY(reap(s));
        s->on_tick(s->self);
        if (!any)
            poll(NULL, 0, POLL_MS);
    }
    return !s->failed;
}

/* ---- The whole
 * ---------------------------------------------------------------------------------------
 */

static bool open_job(struct supervisor *s, struct watched *w)
{
    uint64_t bytes = (uint64_t)s->context->limits->literal_bytes;
    w->job.shared = share_map(sizeof *w->job.shared);
    w->job.outputs = share_ring_new(4 * bytes + JOB_RING_BYTES_MIN);
    w->job.results = share_ring_new(JOB_RING_BYTES_MIN);
    w->worker.place = &w->job.shared->worker;
    w->judge.place = &w->job.shared->judge;
    atomic_store(&w->job.shared->again, -1);
    return true;
}

static void close_job(struct watched *w)
{
    int status;
    kill_for(&w->worker, BY_STOP);
    kill_for(&w->judge, BY_STOP);
    child_wait(&w->worker.child, &status);
    child_wait(&w->judge.child, &status);
    while (w->attempts)
        forget_attempt(w, w->attempts);
    share_ring_free(w->job.outputs);
    share_ring_free(w->job.results);
    share_unmap(w->job.shared, sizeof *w->job.shared);
}

bool supervise(struct job_context *context,
               const struct supervise_options *options,
               supervise_result *on_result, supervise_tick *on_tick, void *self,
               struct status *st)
{
    struct supervisor s = {.context = context,
                           .options = options,
                           .on_result = on_result,
                           .on_tick = on_tick,
                           .self = self,
                           .st = st};
    s.jobs = calloc((size_t)options->jobs, sizeof *s.jobs);
    if (!s.jobs)
        return FAIL(st, SYSTEM, "no memory for %d jobs", options->jobs);
    context->counter = share_map(sizeof *context->counter);
    context->stop = share_map(sizeof *context->stop);
    for (int i = 0; i < options->jobs; i++)
        open_job(&s, &s.jobs[i]);
    bool ok = true;
    for (int i = 0; ok && i < options->jobs; i++)
        ok = start_judge(&s, &s.jobs[i]) && start_worker(&s, &s.jobs[i]);
    ok = ok && loop(&s);
    for (int i = 0; i < options->jobs; i++)
        close_job(&s.jobs[i]);
    share_unmap(context->counter, sizeof *context->counter);
    share_unmap(context->stop, sizeof *context->stop);
    free(s.jobs);
    return ok;
}
