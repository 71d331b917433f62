/* record_again.c - see record.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Failures are retried, but not those that the expectations foresee: a process
 * that died or a timeout by the supervisor, other failures after all cases,
 * each executed twice. Its row is written at
 * once, marked (STORE_HELD), so that a run that is killed shows it; the second
 * try replaces the row.  A run that is resumed has marked rows left: these
 * cases run again, and that is their second attempt. runner/test/faults.t tests
 * this.
 */
#include <string.h>

#include "runner/record.h"

static bool is_held(const struct record *r, int64_t number)
{
    for (int64_t i = 0; i < r->again_count; i++)
        if (r->again[i] == number)
            return true;
    return false;
}

bool record_again_expected(void *self, const struct job_result *result)
{
    struct record *r = self;
    if (r->expect.count == 0 || result->position < 0
        || result->position >= r->pending_count)
        return false;
    int64_t number = r->pending[result->position];
    const char *name = plan_name(&r->scratch, &r->plan->cases[number]);
    const struct expect_found found = record_detail_found(result);
    return expect_foresees(&r->expect, name, &found);
}

/* While they are few. */
static bool hold(struct record *r, int64_t number,
                 const struct job_result *result)
{
    enum verdict_status s = (enum verdict_status)result->status;
    if (r->options->fail_fast || result->attempt > 1 || result->reference_wrong
        || (s != VERDICT_FAIL && s != VERDICT_REFUSED && s != VERDICT_ACCEPTED
            && s != VERDICT_WRONG_CLASS))
        return false;
    if (record_again_expected(r, result))
        return false;
    if (is_held(r, number))
        return true;
    if (r->again_count == RECORD_AGAIN_MAX)
        return false;
    r->again[r->again_count++] = number;
    return record_mark(r, number, result);
}

static void call_flake(struct job_result *to, enum verdict_status then,
                       const char *then_text, enum verdict_status now,
                       const char *now_text)
{
    char text[JOB_TEXT];
    job_flake(text, then, then_text, now, now_text);
    memcpy(to->text, text, sizeof text);
    to->status = VERDICT_FLAKE;
}

static bool second(struct record *r, int64_t number,
                   const struct job_result *result)
{
    struct job_result *held = r->held[number];
    enum verdict_status then = (enum verdict_status)held->status;
    enum verdict_status now = (enum verdict_status)result->status;
    held->attempt = 2;
    if (now != then && now != VERDICT_LIMIT)
        call_flake(held, then, held->text, now, result->text);
    return record_keep(r, number, held);
}

/* The first try was in an earlier part of the run, and its status is the one
 * that the expectations made of it.  A timeout that does not recur does not
 * count (supervise_try.c). */
static bool second_early(struct record *r, int64_t number,
                         const struct job_result *result)
{
    enum verdict_status then = (enum verdict_status)r->early[number];
    enum verdict_status now = (enum verdict_status)result->status;
    const struct expect_line *line;
    const char *name = plan_name(&r->scratch, &r->plan->cases[number]);
    size_t bytes = job_result_bytes(result);
    struct job_result *copy = arena_alloc(r->arena, bytes);
    memcpy(copy, result, bytes);
    copy->attempt = 2;
    const struct expect_found found = record_detail_found(result);
    if (expect_apply(&r->expect, name, &found, &line) != then
        && then != VERDICT_TIMEOUT && now != VERDICT_LIMIT)
        call_flake(copy, then, r->early_text[number], now, result->text);
    return record_keep(r, number, copy);
}

bool record_again(void *self, const struct job_result *result)
{
    struct record *r = self;
    if (result->position < 0 || result->position >= r->pending_count)
        return true;
    int64_t number = r->pending[result->position];
    if (r->status[number] != VERDICT_COUNT)
        return true;
    if (result->held)
        return r->again_done || record_mark(r, number, result);
    r->summary->compile_ns += result->compile_ns;
    r->summary->execute_ns += result->time_ns - result->compile_ns;
    if (r->again_done)
        return second(r, number, result);
    if (r->early[number] != VERDICT_COUNT)
        return second_early(r, number, result);
    return hold(r, number, result) || record_keep(r, number, result);
}
