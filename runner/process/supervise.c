/* supervise.c - see supervise.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A run is rounds of processes.  Rounds of batches may come before
 * (supervise_batch.c).  Then all cases, in as many jobs as there may
 * be; a process that ends is replaced, and the case that it was at is set
 * aside.  Then each of those alone, in processes of its own: the judge is
 * started when the worker has ended, so only the backend's results can reach
 * it.  A case without a result in either is run in another round; a round that
 * fails sets a case aside, so that the run terminates.
 */
#include "runner/process/supervise.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner/process/judge.h"
#include "runner/process/supervise_private.h"
#include "runner/process/worker.h"

enum {
    QUIET_DEATHS_MAX = 3,
    DRAIN_MS = 3000,
    CLOSE_MS = 1000,        /* to close, when all results are there */
    SLACK_BYTES = 64 << 20, /* what the kernel needs for a worker */
    POLL_MS = 2,
};

bool supervise_fail(struct supervisor *s, const char *text, const char *more)
{
    s->failed = true;
    return FAIL(s->st, SYSTEM, "%s%s%.160s", text, more[0] ? ": " : "", more);
}

int64_t supervise_now(struct supervisor *s)
{
    return supervise_watch_now(&s->clock);
}

bool supervise_stopped(const struct supervisor *s)
{
    return s->enough || s->failed || *s->options->interrupted;
}

/* ---- Starting ------------------------------------------------------------ */

static void begin_seat(struct supervisor *s, struct supervise_seat *seat,
                       enum job_phase phase)
{
    job_at(seat->place, -1);
    atomic_store(&seat->place->done, 0);
    job_enter(seat->place, phase);
    seat->reason = SUPERVISE_BY_ITSELF;
    supervise_watch_begin(&seat->watch, 0, supervise_now(s));
}

/* The results, the other jobs and the database are not shared with the backend,
 * and its stray writes must not reach them. */
static void unmap_for_worker(const struct supervisor *s, const struct job *j)
{
    const void *const kept[] = {j->shared, j->outputs->state, j->outputs->data,
                                s->context.counter, s->context.stop};
    ring_keep_only(kept, sizeof kept / sizeof *kept);
}

static bool start_worker(struct supervisor *s, struct supervise_job *w)
{
    begin_seat(s, &w->worker, JOB_OPEN);
    w->worker.fresh = supervise_sandbox_fresh(w);
    /* An earlier process's use does not count against this one. */
    supervise_watch_begin(&w->progress, 0, supervise_now(s));
    pid_t pid = child_fork(&w->worker.child, true);
    if (pid < 0)
        return supervise_fail(s, "cannot start a worker", strerror(errno));
    if (pid > 0) {
        /* The kernel counts the ring, too, where this process writes first. */
        child_cgroup_enter(w->worker.cgroup, pid,
                           s->options->memory_bytes + SLACK_BYTES
                               + (int64_t)w->job.outputs->capacity);
        return true;
    }
    unmap_for_worker(s, &w->job);
    _exit(worker_run(&s->context, &w->job));
}

static bool start_judge(struct supervisor *s, struct supervise_job *w)
{
    begin_seat(s, &w->judge, JOB_IDLE);
    pid_t pid = child_fork(&w->judge.child, false);
    if (pid < 0)
        return supervise_fail(s, "cannot start a judge", strerror(errno));
    if (pid == 0)
        _exit(judge_run(&s->context, &w->job));
    return true;
}

static bool work_left(const struct supervisor *s, const struct supervise_job *w)
{
    int64_t next = atomic_load(&w->job.shared->next);
    return !s->told && !s->over
           && ((next >= 0 && next < atomic_load(&w->job.shared->end))
               || atomic_load(s->context.counter) < s->list_count);
}

/* ---- Ending -------------------------------------------------------------- */

void supervise_kill(struct supervise_seat *seat, enum supervise_reason reason)
{
    if (seat->child.pid > 0) {
        seat->reason = reason;
        /* Its children are killed with it: none may allocate memory meanwhile.
         * */
        kill(-seat->child.pid, SIGKILL);
        kill(seat->child.pid, SIGKILL);
    }
}

static bool drain(struct supervisor *s, struct supervise_job *w)
{
    uint64_t length;
    bool any = false;
    for (int n = 0; n < RING_SLOTS; n++) {
        /* The judge has finished with it, so it may be changed here. */
        struct job_result *r =
            (struct job_result *)ring_front(w->job.results, &length);
        if (!r)
            break;
        any = true;
        w->torn = w->torn || r->position < 0;
        if (verdict_is_failure((enum verdict_status)r->status))
            supervise_sandbox_say(w,
                                  r->batch > 0 ? r->batch_first : r->position,
                                  r->text, sizeof r->text);
        w->strays += !supervise_try_result(s, r);
        ring_release(w->job.results);
    }
    return any;
}

/* The case that a process is at: its position, or -1. */
static int64_t case_of(const struct supervisor *s,
                       const struct supervise_seat *seat)
{
    int64_t at = job_position(seat->place);
    if (at < 0 || at >= s->list_count
        || s->state[s->list[at]] == SUPERVISE_SETTLED)
        return -1;
    return s->list[at];
}

/* The round has failed, by the fault of a case that is not known,
 * unless it is the only one. */
static bool give_up_round(struct supervisor *s, const struct supervise_death *d)
{
    if (supervise_alone(s) && s->list_count == 1
        && s->state[s->list[0]] != SUPERVISE_SETTLED)
        supervise_try_worker(s, s->list[0], d);
    s->over = true;
    return !s->failed;
}

/* A process ended between cases, which may happen now and then, to all of them
 * at once, but not again and again with nothing done in between. */
static bool quiet_death(struct supervisor *s, bool is_judge,
                        const struct supervise_death *d)
{
    if (s->quiet_progress != s->settled + s->trouble_count)
        s->quiet_deaths = 0;
    s->quiet_progress = s->settled + s->trouble_count;
    if (++s->quiet_deaths <= QUIET_DEATHS_MAX * s->round_jobs
        && (d->status != VERDICT_TIMEOUT || d->outside))
        return true;
    if (is_judge)
        return supervise_fail(s, "the judge died between cases", d->text);
    if (d->phase == JOB_OPEN)
        return supervise_fail(s, "the backend cannot be opened", d->text);
    return give_up_round(s, d);
}

/* The judge of a case that is alone, if there is something to judge. */
static bool judge_alone(struct supervisor *s, struct supervise_job *w)
{
    uint64_t length;
    w->finished = s->told || s->over || !ring_peek(w->job.outputs, &length);
    return w->finished || start_judge(s, w);
}

static bool end_worker(struct supervisor *s, struct supervise_job *w)
{
    atomic_store(&w->worker.place->done, 1);
    return !supervise_alone(s) || judge_alone(s, w);
}

/* It died: start the next one, if there are cases left. */
static bool replace_worker(struct supervisor *s, struct supervise_job *w)
{
    return work_left(s, w) ? start_worker(s, w) : end_worker(s, w);
}

bool supervise_damaged(struct supervisor *s, struct supervise_job *w)
{
    struct supervise_death d;
    int status = 0;
    supervise_kill(&w->worker, SUPERVISE_BY_DAMAGE);
    supervise_kill(&w->judge, SUPERVISE_BY_DAMAGE);
    child_wait(&w->worker.child, &status);
    child_wait(&w->judge.child, &status);
    child_cgroup_leave(w->worker.cgroup);
    drain(s, w);
    ring_clear(w->job.outputs);
    ring_clear(w->job.results);
    w->strays = 0;
    w->finished = true;
    s->context.careful = s->outcome.damaged = true;
    w->worker.reason = SUPERVISE_BY_DAMAGE;
    supervise_try_why(s, &w->worker, status, &d);
    return give_up_round(s, &d);
}

static bool worker_died(struct supervisor *s, struct supervise_job *w,
                        int status)
{
    struct supervise_seat *seat = &w->worker;
    struct supervise_death d;
    supervise_try_why(s, seat, status, &d);
    supervise_sandbox_say(w, job_position(seat->place), d.text, sizeof d.text);
    supervise_sandbox_end(w);
    supervise_closing_died(s, seat, &d, status);
    if (seat->reason == SUPERVISE_BY_STOP)
        return end_worker(s, w);
    if (!job_place_whole(seat->place)
        || (WIFEXITED(status) && WEXITSTATUS(status) == JOB_DAMAGED))
        return supervise_damaged(s, w);
    if (atomic_load(&seat->place->done))
        return end_worker(s, w);
    if (supervise_try_left(seat, status))
        return replace_worker(s, w);
    int64_t position = case_of(s, seat);
    if (position < 0) {
        TRY(quiet_death(s, false, &d));
        return replace_worker(s, w);
    }
    int64_t at = job_position(seat->place);
    if (supervise_batch_runs(s)) {
        supervise_batch_worker(s, w, &d);
        return !s->failed && replace_worker(s, w);
    }
    supervise_try_worker(s, position, &d);
    atomic_store(&w->job.shared->next, at + 1);
    return !s->failed && replace_worker(s, w);
}

static bool judge_died(struct supervisor *s, struct supervise_job *w,
                       int status)
{
    struct supervise_seat *seat = &w->judge;
    struct supervise_death d;
    supervise_try_why(s, seat, status, &d);
    drain(s, w);
    bool ended = atomic_load(&seat->place->done) != 0;
    if (ended && w->worker.child.pid > 0
        && atomic_load(&w->worker.place->phase) != JOB_CLOSE)
        return supervise_damaged(s, w);
    if (ended || seat->reason == SUPERVISE_BY_STOP) {
        w->finished = true;
        return true;
    }
    bool busy = d.phase == JOB_EVALUATE || d.phase == JOB_JUDGE;
    int64_t position = case_of(s, seat);
    if (busy)
        ring_release(w->job.outputs);
    if (busy && position >= 0 && supervise_batch_runs(s))
        supervise_batch_judge(s, position);
    else if (busy && position >= 0)
        supervise_try_judge(s, position, &d);
    else
        TRY(quiet_death(s, true, &d));
    return !s->failed
           && (supervise_alone(s) ? judge_alone(s, w) : start_judge(s, w));
}

/* ---- Watching ------------------------------------------------------------ */

/* Was it the kernel that ended it, at its limit? */
static void end_group(struct supervise_seat *seat)
{
    if (seat->reason == SUPERVISE_BY_ITSELF
        && child_cgroup_exceeded(seat->cgroup)) {
        seat->reason = SUPERVISE_BY_LIMIT;
        seat->blamed = job_position(seat->place);
    }
    child_cgroup_leave(seat->cgroup);
}

static bool reap(struct supervisor *s)
{
    for (int i = 0; i < s->round_jobs; i++) {
        struct supervise_job *w = &s->jobs[i];
        int status;
        child_listen(&w->worker.child);
        child_listen(&w->judge.child);
        if (child_ended(&w->worker.child, &status)) {
            end_group(&w->worker);
            TRY(worker_died(s, w, status));
        }
        if (child_ended(&w->judge.child, &status))
            TRY(judge_died(s, w, status));
    }
    return true;
}

/* No new cases: the workers end now, the judges when they are through with
 * what was sent. */
static void stop_round(struct supervisor *s)
{
    s->told = true;
    s->stop_at = supervise_now(s) + DRAIN_MS;
    atomic_store(s->context.stop, 1);
    for (int i = 0; i < s->round_jobs; i++)
        supervise_kill(&s->jobs[i].worker, SUPERVISE_BY_STOP);
}

static bool all_finished(const struct supervisor *s)
{
    for (int i = 0; i < s->round_jobs; i++)
        if (!s->jobs[i].finished)
            return false;
    return true;
}

static bool watch_round(struct supervisor *s)
{
    while (!all_finished(s)) {
        bool any = false;
        for (int i = 0; i < s->round_jobs; i++)
            any = drain(s, &s->jobs[i]) || any;
        if (!s->told
            && (supervise_stopped(s) || s->over
                || supervise_try_streak_ended(s)))
            stop_round(s);
        if (s->told && supervise_now(s) > s->stop_at)
            for (int i = 0; i < s->round_jobs; i++)
                supervise_kill(&s->jobs[i].judge, SUPERVISE_BY_STOP);
        TRY(supervise_check(s));
        supervise_sandbox_check(s);
        TRY(reap(s));
        s->on_tick(s->self);
        supervise_sandbox_wait(s, any ? 0 : POLL_MS);
    }
    return !s->failed;
}

/* ---- Rounds -------------------------------------------------------------- */

static void clear_job(struct supervise_job *w)
{
    ring_clear(w->job.outputs);
    ring_clear(w->job.results);
    atomic_store(&w->job.shared->next, 0);
    atomic_store(&w->job.shared->end, 0);
    /* The judge begins first, and would take it for the end of its worker. */
    atomic_store(&w->job.shared->worker.done, 0);
    w->strays = 0;
    w->torn = false;
    w->refused.count = w->refused.cases = 0;
    w->head = 0;
    w->finished = false;
}

/* The worker gets that case, and finds no other: all count as taken. */
static void assign(struct supervise_job *w, int64_t at)
{
    atomic_store(&w->job.shared->next, at);
    atomic_store(&w->job.shared->end, at + 1);
}

static void end_job(struct supervisor *s, struct supervise_job *w)
{
    int status;
    supervise_closing_wait(s, w);
    supervise_kill(&w->worker, SUPERVISE_BY_STOP);
    supervise_kill(&w->judge, SUPERVISE_BY_STOP);
    child_wait(&w->worker.child, &status);
    child_wait(&w->judge.child, &status);
    child_cgroup_leave(w->worker.cgroup);
}

bool supervise_round(struct supervisor *s, enum supervise_round kind)
{
    bool alone = kind == SUPERVISE_ROUND_ALONE;
    s->round = kind;
    s->context.batch = supervise_batch_runs(s) ? s->batch : 0;
    int64_t step = alone                  ? 1
                   : s->context.batch > 0 ? s->context.batch
                                          : JOB_TAKEN;
    int64_t steps = (s->list_count + step - 1) / step;
    s->round_jobs = s->options->jobs;
    if (s->round_jobs > steps)
        s->round_jobs = (int)steps;
    s->told = s->over = false;
    s->quiet_deaths = 0;
    s->taken = 0;
    s->context.pending_count = s->list_count;
    for (int64_t i = 0; i < s->list_count; i++)
        ((int64_t *)s->context.pending)[i] = s->pending[s->list[i]];
    s->context.attempt = alone ? 2 : 1;
    atomic_store(s->context.counter, alone ? s->list_count : 0);
    atomic_store(s->context.stop, 0);
    bool ok = true;
    for (int i = 0; ok && i < s->round_jobs; i++) {
        clear_job(&s->jobs[i]);
        if (alone)
            assign(&s->jobs[i], i);
        ok = (alone || start_judge(s, &s->jobs[i]))
             && start_worker(s, &s->jobs[i]);
    }
    ok = ok && watch_round(s);
    for (int i = 0; i < s->round_jobs; i++)
        end_job(s, &s->jobs[i]);
    return ok;
}

/* All cases of which nothing is known. */
static bool open_cases(struct supervisor *s)
{
    if (s->batch > 1)
        return supervise_batch(s);
    int64_t before = s->settled + s->trouble_count + s->differ;
    s->list_count = 0;
    for (int64_t i = 0; i < s->pending_count; i++)
        if (s->state[i] == SUPERVISE_OPEN)
            s->list[s->list_count++] = i;
    if (s->list_count == 0)
        return true;
    s->streak = 0;
    int64_t first = s->list[0];
    TRY(supervise_round(s, SUPERVISE_ROUND_OPEN));
    return s->settled + s->trouble_count + s->differ > before
           || supervise_stopped(s) || supervise_try_aside(s, first);
}

/* A case that was set aside, until it is known. */
static bool try_alone(struct supervisor *s, int64_t position)
{
    static const struct supervise_death nothing = {
        .status = VERDICT_CRASH,
        .outside = true, /* as a kill between a case and its record would be */
        .phase = JOB_EXECUTE,
        .text = "ended without a result, after memory shared with the runner "
                "was overwritten"};
    while (s->state[position] == SUPERVISE_ASIDE && !supervise_stopped(s)) {
        int tries = supervise_try_find(s, position)->tries;
        s->list[0] = position;
        s->list_count = 1;
        TRY(supervise_round(s, SUPERVISE_ROUND_ALONE));
        if (s->state[position] != SUPERVISE_ASIDE || supervise_stopped(s))
            break;
        if (supervise_try_find(s, position)->tries == tries)
            supervise_try_worker(s, position, &nothing);
    }
    return !s->failed;
}

/* May others run at the same time, as they have no part in how it ended? */
static bool is_apart(const struct supervisor *s,
                     const struct supervise_trouble *t)
{
    return t->own && s->state[t->position] == SUPERVISE_ASIDE;
}

/* As many cases at once as there are jobs, each in processes of its own.  What
 * is still not known then is tried with nothing else running. */
static bool try_each(struct supervisor *s)
{
    int64_t next = 0;
    while (next < s->trouble_count && !supervise_stopped(s)) {
        s->list_count = 0;
        for (; next < s->trouble_count && s->list_count < s->options->jobs;
             next++)
            if (is_apart(s, &s->troubles[next]))
                s->list[s->list_count++] = s->troubles[next].position;
        if (s->list_count > 1)
            TRY(supervise_round(s, SUPERVISE_ROUND_ALONE));
    }
    return !s->failed;
}

static bool second_tries(struct supervisor *s)
{
    s->confirmed = 0;
    TRY(try_each(s));
    for (int64_t i = 0; i < s->trouble_count && !supervise_stopped(s); i++)
        TRY(try_alone(s, s->troubles[i].position));
    if (supervise_stopped(s))
        return !s->failed;
    s->trouble_count = 0;
    if (s->options->give_up > 0
        && s->confirmed >= supervise_try_most_timeouts(s)
        && s->settled < s->pending_count) {
        s->outcome.gave_up = true;
        snprintf(s->outcome.text, sizeof s->outcome.text,
                 "%lld %s confirmed alone: the remaining cases were not run"
                 " (see --give-up)",
                 (long long)s->confirmed,
                 s->confirmed == 1 ? "timeout," : "consecutive timeouts, each");
    }
    return true;
}

/* ---- The whole ----------------------------------------------------------- */

static bool open_job(struct supervise_job *w, uint64_t literal_bytes)
{
    w->job.shared = ring_map(sizeof *w->job.shared);
    w->job.judge = ring_map(sizeof *w->job.judge);
    w->job.outputs = ring_new(4 * literal_bytes + JOB_RING_BYTES_MIN);
    w->job.results = ring_new(JOB_RING_BYTES_MIN);
    if (w->job.results)
        w->job.results->unsealed = true;
    w->worker.place = w->job.shared ? &w->job.shared->worker : NULL;
    w->judge.place = w->job.judge;
    w->file = w->job.outputs ? child_memory_file(w->job.outputs->data) : 0;
    return w->job.shared && w->job.judge && w->job.outputs && w->job.results;
}

static void close_job(struct supervise_job *w)
{
    ring_free(w->job.outputs);
    ring_free(w->job.results);
    ring_unmap(w->job.judge, sizeof *w->job.judge);
    ring_unmap(w->job.shared, sizeof *w->job.shared);
}

static bool open_all(struct supervisor *s)
{
    size_t n = (size_t)s->pending_count + 1;
    s->jobs = calloc((size_t)s->options->jobs, sizeof *s->jobs);
    s->state = calloc(n, 1);
    s->list = calloc(n, sizeof *s->list);
    s->context.pending = calloc(n, sizeof *s->context.pending);
    s->context.counter = ring_map(sizeof *s->context.counter);
    s->context.stop = ring_map(sizeof *s->context.stop);
    bool ok = s->jobs && s->state && s->list && s->context.pending
              && s->context.counter && s->context.stop;
    for (int i = 0; ok && i < s->options->jobs; i++)
        ok = open_job(&s->jobs[i], (uint64_t)s->context.limits->literal_bytes);
    ok = ok && supervise_sandbox_begin(s);
    return ok
           || supervise_fail(s, "cannot allocate memory for the jobs",
                             strerror(errno));
}

static void close_all(struct supervisor *s)
{
    for (int i = 0; s->jobs && i < s->options->jobs; i++)
        close_job(&s->jobs[i]);
    ring_unmap(s->context.counter, sizeof *s->context.counter);
    ring_unmap(s->context.stop, sizeof *s->context.stop);
    child_memory_free(&s->processes);
    free((void *)s->context.pending);
    free(s->troubles);
    free(s->list);
    free(s->state);
    free(s->polled);
    free(s->jobs);
}

bool supervise(const struct job_context *context,
               const struct supervise_options *options,
               supervise_result *on_result, supervise_tick *on_tick, void *self,
               struct status *st)
{
    struct supervisor s = {.context = *context,
                           .options = options,
                           .on_result = on_result,
                           .on_tick = on_tick,
                           .self = self,
                           .st = st,
                           .pending = context->pending,
                           .pending_count = context->pending_count,
                           .batch = context->batch};
    bool ok = open_all(&s) && supervise_batch_begin(&s);
    while (ok && !s.outcome.gave_up && !supervise_stopped(&s)
           && s.settled < s.pending_count)
        ok = open_cases(&s) && second_tries(&s) && supervise_batch_again(&s);
    supervise_batch_end(&s);
    close_all(&s);
    if (options->outcome)
        *options->outcome = s.outcome;
    return ok && !s.failed;
}
