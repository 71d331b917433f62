/* supervise_batch.c - rounds of batches, of which what is right counts.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * In such a round a worker joins the cases that it takes (worker_batch.c).  A
 * case that is right then is settled, because users' programs are never one
 * operation either.  Nothing else counts:
 *
 *     in its batch                        next
 *     wrong, as expected                  that is the verdict
 *     right, but expected to be wrong     alone
 *     left out, refused, else not right   alone
 *     a timeout, a judge that died        alone
 *     the worker died                     all that it had taken in batches of
 *                                         an eighth, in the end alone
 *
 * and what happens to the case alone is its verdict, as if there were no
 * batches.  One possibility is left: wrong in its batch, right alone.  The same
 * batch runs again; if the case is wrong again, that is its verdict, otherwise
 * it is a flake.  batch.t and evil.t test this.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/memory.h"
#include "runner/process/supervise_private.h"

enum {
    SMALLER = 8, /* times, after a death */
    LONE = 1,
    DIED = 2 /* in this round */
};

bool supervise_batch_begin(struct supervisor *s)
{
    size_t n = (size_t)s->pending_count + 1;
    if (s->batch < 2)
        return true;
    s->lone = calloc(n, 1);
    s->first = malloc(n * sizeof *s->first);
    s->members = calloc(n, sizeof *s->members);
    if (!s->lone || !s->first || !s->members)
        return supervise_fail(s, "out of memory", "");
    for (size_t i = 0; i < n; i++)
        s->first[i] = -1;
    return true;
}

void supervise_batch_end(struct supervisor *s)
{
    for (int64_t i = 0; i < s->beside_count; i++)
        free(s->beside[i].wrong);
    free(s->beside);
    free(s->lone);
    free(s->first);
    free(s->members);
}

bool supervise_batch_runs(const struct supervisor *s)
{
    return s->round == SUPERVISE_ROUND_BATCHES
           || s->round == SUPERVISE_ROUND_BESIDE;
}

/* ---- A round ------------------------------------------------------------- */

/* Which of the cases that are still open may be in a batch again? */
static bool sort_out(struct supervisor *s)
{
    int64_t taken = atomic_load(s->context.counter);
    bool any = false;
    for (int64_t i = 0; i < s->list_count; i++) {
        int64_t position = s->list[i];
        if (i < taken && s->lone[position] != DIED)
            s->lone[position] = LONE;
        if (s->lone[position] == DIED)
            s->lone[position] = 0;
        any =
            any || (s->state[position] == SUPERVISE_OPEN && !s->lone[position]);
    }
    return any;
}

bool supervise_batch(struct supervisor *s)
{
    s->list_count = 0;
    for (int64_t i = 0; i < s->pending_count; i++)
        if (s->state[i] == SUPERVISE_OPEN && !s->lone[i])
            s->list[s->list_count++] = i;
    if (s->list_count < 2) {
        s->batch = 1;
        return true;
    }
    TRY(supervise_order(s));
    s->streak = 0;
    TRY(supervise_round(s, SUPERVISE_ROUND_BATCHES));
    bool again = sort_out(s) && !s->outcome.damaged;
    s->batch = again ? s->batch / SMALLER : 1;
    return true;
}

void supervise_batch_worker(struct supervisor *s, struct supervise_job *w,
                            const struct supervise_death *death)
{
    struct job_shared *shared = w->job.shared;
    int64_t next = atomic_load(&shared->next), end = atomic_load(&shared->end);
    bool late = death->status == VERDICT_TIMEOUT;
    for (int64_t i = next < 0 ? 0 : next; i < end && i < s->list_count; i++)
        if (s->state[s->list[i]] == SUPERVISE_OPEN && !s->lone[s->list[i]])
            s->lone[s->list[i]] = late ? LONE : DIED;
    atomic_store(&shared->next, end);
    if (late)
        supervise_try_timeout(s, death);
}

void supervise_batch_judge(struct supervisor *s, int64_t position)
{
    s->lone[position] = LONE;
}

/* ---- Results ------------------------------------------------------------- */

static struct supervise_beside *find_beside(struct supervisor *s,
                                            int64_t position)
{
    for (int64_t i = 0; i < s->beside_count; i++)
        if (s->beside[i].position == position)
            return &s->beside[i];
    return NULL;
}

static void note_wrong(struct supervisor *s, const struct job_result *r)
{
    size_t bytes = job_result_bytes(r);
    struct job_result *wrong =
        MEMORY_GROW(s->beside, s->beside_count, s->beside_room) ? malloc(bytes)
                                                                : NULL;
    if (!wrong) {
        supervise_fail(s, "out of memory", "");
        return;
    }
    memcpy(wrong, r, bytes);
    s->beside[s->beside_count++] =
        (struct supervise_beside){.position = r->position,
                                  .first = s->first[r->position],
                                  .wrong = wrong};
}

static bool is_right(const struct job_result *r)
{
    return (r->status == VERDICT_PASS || r->status == VERDICT_WARN)
           && !r->disturbed && !r->reference_wrong;
}

/* Is it known to be wrong alone, so that being right here proves nothing? */
static bool was_wrong(const struct supervisor *s, const struct job_result *r)
{
    const unsigned char *lone = s->context.lone;
    return lone && lone[s->pending[r->position]] == JOB_ONCE_BAD;
}

/* Does the result count although the case was not alone? */
static bool settles(const struct supervisor *s, const struct job_result *r)
{
    if (is_right(r))
        return !was_wrong(s, r);
    return r->status == VERDICT_FAIL && !r->disturbed && !r->reference_wrong
           && supervise_expects(s, r);
}

static bool is_wrong(const struct job_result *r)
{
    return r->status == VERDICT_FAIL || r->status == VERDICT_FLAKE;
}

bool supervise_batch_result(struct supervisor *s, struct job_result *r)
{
    if (s->round == SUPERVISE_ROUND_BESIDE) {
        struct supervise_beside *b = find_beside(s, r->position);
        if (b)
            b->again = is_wrong(r);
        return true;
    }
    bool known = r->batch_first >= 0 && r->batch_first < s->list_count;
    if (s->lone[r->position] == LONE)
        return true;
    if (settles(s, r)) {
        s->first[r->position] = known ? s->list[r->batch_first] : -1;
        supervise_try_give(s, r);
        return true;
    }
    s->lone[r->position] = LONE;
    if (!known)
        return true;
    s->first[r->position] = s->list[r->batch_first];
    if (is_wrong(r))
        note_wrong(s, r);
    return true;
}

bool supervise_batch_differs(struct supervisor *s, const struct job_result *r)
{
    struct supervise_beside *b = find_beside(s, r->position);
    if (!b || !is_right(r))
        return false;
    s->state[r->position] = SUPERVISE_BESIDE;
    s->differ++;
    return true;
}

/* ---- Wrong only in a batch ----------------------------------------------- */

static const char *name_of(struct arena *a, const struct supervisor *s,
                           int64_t position)
{
    const struct plan *plan = s->context.plan;
    return plan_name(a, &plan->cases[s->pending[position]]);
}

static void conclude(struct supervisor *s, const struct supervise_beside *b,
                     int64_t count)
{
    struct arena a = ARENA_INIT;
    struct job_result *r = b->wrong;
    int64_t place = 0;
    while (place < count && s->members[place] != b->position)
        place++;
    const char *text =
        arena_printf(&a,
                     "only in a batch with other operations%s (case %lld of a "
                     "batch of %lld, %.70s"
                     " to %.70s): %.110s",
                     b->again ? "" : ", and only once", (long long)place + 1,
                     (long long)count, name_of(&a, s, s->members[0]),
                     name_of(&a, s, s->members[count - 1]), r->text);
    r->status = b->again ? VERDICT_FAIL : VERDICT_FLAKE;
    r->attempt = 2;
    r->beside = s->members;
    r->beside_count = count;
    snprintf(r->text, sizeof r->text, "%s", text);
    arena_free(&a);
    supervise_try_give(s, r);
}

/* One batch, with all that were in it. */
static bool run_batch(struct supervisor *s, int64_t first)
{
    int64_t count = 0;
    for (int64_t i = 0; i < s->pending_count; i++)
        if (s->first[i] == first)
            s->list[count++] = i;
    s->list_count = count;
    TRY(supervise_order(s));
    memcpy(s->members, s->list, (size_t)count * sizeof *s->members);
    s->batch = count > 2 ? (int)count : 2;
    s->streak = 0;
    bool ok = supervise_round(s, SUPERVISE_ROUND_BESIDE);
    s->batch = 1;
    if (!ok || supervise_stopped(s))
        return ok;
    for (int64_t i = 0; i < s->beside_count; i++)
        if (s->beside[i].first == first
            && s->state[s->beside[i].position] == SUPERVISE_BESIDE)
            conclude(s, &s->beside[i], count);
    return !s->failed;
}

bool supervise_batch_again(struct supervisor *s)
{
    for (int64_t i = 0; i < s->beside_count && !supervise_stopped(s); i++)
        if (s->state[s->beside[i].position] == SUPERVISE_BESIDE)
            TRY(run_batch(s, s->beside[i].first));
    return !s->failed;
}
