/* supervise_check.c - are the processes of a round in order?
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Time, memory, and what the worker, and so its backend, may write.  Called
 * every few milliseconds.
 */
#include "runner/process/supervise_private.h"

enum {
    STRAYS_MAX = 1000, /* results that are no longer awaited */
    PHASES_MAX = 8,    /* of a case, in a worker and its judge */
    OURS_MAX = 3,      /* of them opening, making and waiting */
    MEMORY_EVERY_MS = 20,
    CHILDREN_EVERY_MS = 100, /* where there were none */
};

/* Phases that are not the backend's fault have more time: a judge may get the
 * processor late, and its worker waits meanwhile. */
static struct supervise_watch_limits limits_of(const struct supervisor *s,
                                               enum job_phase phase)
{
    const struct supervise_options *o = s->options;
    bool ours = phase == JOB_OPEN || phase == JOB_MAKE || phase == JOB_WAIT;
    struct supervise_watch_limits most = supervise_limits(s, false);
    int64_t least = ours ? o->open_ms : 0;
    return (struct supervise_watch_limits){
        most.busy_ms < least ? least : most.busy_ms,
        most.sleep_ms < least ? least : most.sleep_ms};
}

/* Has it had the time that a case has whose timeout is expected, and is that so
 * of this one? */
static enum supervise_watch_late look_early(const struct supervisor *s,
                                            const struct supervise_seat *seat)
{
    struct supervise_watch_limits most = supervise_limits(s, true);
    int32_t phase = atomic_load(&seat->place->phase);
    bool busy = seat->watch.busy > most.busy_ms;
    if ((phase != JOB_COMPILE && phase != JOB_EXECUTE)
        || (!busy && seat->watch.asleep <= most.sleep_ms)
        || !supervise_try_expected(s, seat->blamed, seat, !busy))
        return SUPERVISE_WATCH_IN_TIME;
    return busy ? SUPERVISE_WATCH_BUSY : SUPERVISE_WATCH_ASLEEP;
}

static bool is_late(struct supervisor *s, struct supervise_seat *seat,
                    uint64_t mark)
{
    int64_t at = job_position(seat->place), looked = seat->watch.looked;
    struct supervise_watch_limits most =
        limits_of(s, (enum job_phase)atomic_load(&seat->place->phase));
    seat->blamed = at;
    enum supervise_watch_late late = supervise_watch_look(
        &seat->watch, seat->child.pid, mark, supervise_now(s), most);
    seat->early =
        late == SUPERVISE_WATCH_IN_TIME && seat->watch.looked != looked;
    if (seat->early)
        late = look_early(s, seat);
    if (late == SUPERVISE_WATCH_IN_TIME)
        return false;
    supervise_kill(seat, late == SUPERVISE_WATCH_BUSY ? SUPERVISE_BY_BUSY
                                                      : SUPERVISE_BY_SLEEP);
    return true;
}

/* A worker that waits for room in the ring is not late while the judge is at
 * work; a judge that waits is not while there is a worker.  Everything else has
 * its limit, waiting for the other one too: what they wait for may have been
 * overwritten. */
static bool check_time(struct supervisor *s, struct supervise_job *w)
{
    const struct job_place *judge = w->judge.place, *worker = w->worker.place;
    bool judge_rests = atomic_load(&judge->phase) == JOB_IDLE;
    bool full = atomic_load(&worker->phase) == JOB_WAIT;
    uint64_t taken = atomic_load(&w->job.outputs->state->tail);
    if (w->worker.child.pid > 0 && w->worker.reason == SUPERVISE_BY_ITSELF) {
        if (full && !judge_rests)
            supervise_watch_begin(&w->worker.watch, 0, supervise_now(s));
        else if (is_late(s, &w->worker, atomic_load(&worker->steps) + taken)
                 && full)
            return supervise_damaged(s, w);
    }
    if (w->judge.child.pid > 0 && w->judge.reason == SUPERVISE_BY_ITSELF) {
        if (judge_rests ? w->worker.child.pid > 0
                        : atomic_load(&judge->phase) == JOB_WAIT)
            supervise_watch_begin(&w->judge.watch, 0, supervise_now(s));
        else
            is_late(s, &w->judge, atomic_load(&judge->steps));
    }
    return true;
}

/* Has something else written where only the worker writes? */
static bool check_damage(struct supervisor *s, struct supervise_job *w)
{
    struct supervise_watch_limits most = {
        PHASES_MAX * supervise_busy_ms(s) + OURS_MAX * s->options->open_ms,
        PHASES_MAX * s->options->sleep_ms + OURS_MAX * s->options->open_ms};
    uint64_t head = atomic_load(&w->job.outputs->state->head);
    int64_t taken = atomic_load(s->context.counter);
    bool bad = head < w->head || taken < s->taken || w->strays > STRAYS_MAX
               || w->torn || (!s->told && atomic_load(s->context.stop))
               || !ring_whole(w->job.outputs);
    w->head = head;
    s->taken = taken;
    /* It may seem to progress without any result. */
    uint64_t results =
        atomic_load(&w->job.results->state->head) + (uint64_t)s->trouble_count;
    if (w->worker.child.pid > 0)
        bad = bad
              || supervise_watch_look(&w->progress, w->worker.child.pid,
                                      results, supervise_now(s), most)
                     != SUPERVISE_WATCH_IN_TIME;
    return !bad || supervise_damaged(s, w);
}

static void check_memory(struct supervisor *s, struct supervise_seat *seat,
                         uint64_t file)
{
    int64_t most = s->options->memory_bytes;
    if (seat->child.pid <= 0 || seat->reason != SUPERVISE_BY_ITSELF)
        return;
    seat->blamed = job_position(seat->place);
    seat->memory = child_memory(&s->processes, seat->child.pid, most, file);
    if (seat->memory > most)
        supervise_kill(seat, SUPERVISE_BY_MEMORY);
}

bool supervise_check(struct supervisor *s)
{
    int64_t at = supervise_now(s);
    bool memory = at - s->memory_seen >= MEMORY_EVERY_MS;
    if (memory
        && (s->processes.children || at - s->children_seen >= CHILDREN_EVERY_MS
            || s->children_seen == 0)) {
        child_memory_list(&s->processes);
        s->children_seen = at;
    }
    for (int i = 0; i < s->round_jobs; i++) {
        if (!s->jobs[i].finished)
            TRY(check_time(s, &s->jobs[i]));
        if (!s->jobs[i].finished)
            TRY(check_damage(s, &s->jobs[i]));
        if (memory) {
            check_memory(s, &s->jobs[i].worker, s->jobs[i].file);
            check_memory(s, &s->jobs[i].judge, s->jobs[i].file);
        }
    }
    if (memory)
        s->memory_seen = at;
    return true;
}
