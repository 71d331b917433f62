/* judge_run.c - the judge's process: what it takes and what it gives.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * judge.c says what is right.  test_judge.c, test_worker.c and evil.t test
 * this.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interp/base/slow.h"
#include "interp/program/evaluate.h"
#include "interp/program/memo.h"
#include "runner/process/bits.h"
#include "runner/process/judge.h"
#include "runner/process/ring.h"
#include "runner/process/sandbox.h"

static void send(const struct job_context *x, struct ring *ring,
                 struct job_place *place, const struct job_result *result)
{
    uint64_t bytes = job_result_bytes(result);
    judge_enter(x, place, JOB_SEND);
    void *to = ring_reserve(ring, bytes);
    if (!to)
        judge_enter(x, place, JOB_WAIT);
    for (int turns = 0; !to; to = ring_reserve(ring, bytes))
        ring_wait(&turns);
    memcpy(to, result, bytes);
    ring_publish(ring, to, bytes);
}

/* After a failed write nothing more is kept: the end of the run finds it. */
static void keep(const struct job_context *x, int *fd, struct arena *a,
                 const struct job_record *record, uint64_t length)
{
    if (*fd < 0 || length < sizeof *record || record->position < 0
        || record->position >= x->pending_count)
        return;
    int64_t number = x->pending[record->position];
    if (bits_append(*fd, plan_name(a, &x->plan->cases[number]), record, length))
        return;
    close(*fd);
    *fd = -1;
}

int judge_run(const struct job_context *context, struct job *job)
{
    struct arena arena = ARENA_INIT;
    struct job_place *place = job->judge;
    struct ring_copy copy = {0};
    struct memo memo = {0};
    int turns = 0, bits = context->bits ? bits_open(context->bits) : -1;
    if (context->sandbox && context->sandbox->on)
        sandbox_hide();
    ring_begin(job->results);
    for (;;) {
        uint64_t length;
        /* In this order: what was sent before the end is still read. */
        bool done = atomic_load(&job->shared->worker.done);
        const struct job_record *record = ring_peek(job->outputs, &length);
        if (!record && done)
            break;
        if (!record) {
            ring_wait(&turns);
            continue;
        }
        turns = 0;
        /* If there is no memory for the copy, this is the case without a
         * verdict. */
        job_at(place, length >= sizeof *record ? record->position : -1);
        judge_enter(context, place, JOB_EVALUATE);
        record = ring_copy(job->outputs, &copy, &length);
        if (!record && errno)
            return JOB_NO_MEMORY;
        if (!record) { /* the backend has overwritten the ring meanwhile */
            judge_enter(context, place, JOB_IDLE);
            job_at(place, -1);
            continue;
        }
        job_at(place, length >= sizeof *record ? record->position : -1);
        keep(context, &bits, &arena, record, length);
        send(context, job->results, place,
             judge_at(&arena, context, place, slow() ? NULL : &memo, record,
                      length));
        judge_enter(context, place, JOB_IDLE);
        job_at(place, -1);
        ring_release(job->outputs);
        arena_reset(&arena);
    }
    atomic_store(&place->done, 1);
    evaluate_end();
    memo_free(&memo);
    ring_copy_free(&copy);
    arena_free(&arena);
    return EXIT_SUCCESS;
}
