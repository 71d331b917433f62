/* slow_judge.c - see slow_judge.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/test/slow_judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/program/evaluate.h"
#include "interp/test/tap.h"

static const struct limits limits = LIMITS_DEFAULT;

void slow_judge_open(struct slow_judge *j)
{
    struct status st = {0};
    struct plan_options o = {.cases = "runner/test/judge"};
    *j = (struct slow_judge){.arena = ARENA_INIT};
    if (!plan_make(&j->arena, &o, &limits, &j->plan, &st)
        || !profile_load(&j->arena, "spec", &j->spec, &st)
        || !profile_load(&j->arena, "strict", &j->strict, &st)) {
        fprintf(stderr, "%s: %s\n", st.path ? st.path : "", st.text);
        exit(2);
    }
    int64_t n = j->plan.count;
    int64_t *pending = arena_new(&j->arena, int64_t, (size_t)n);
    for (int64_t i = 0; i < n; i++)
        pending[i] = n - 1 - i;
    j->context = (struct job_context){.plan = &j->plan,
                                      .pending = pending,
                                      .pending_count = n,
                                      .limits = &limits,
                                      .profile = j->spec};
}

void slow_judge_close(struct slow_judge *j)
{
    evaluate_end();
    arena_free(&j->arena);
}

void slow_judge_start(struct slow_judge *j)
{
    memset(&j->record, 0, sizeof j->record);
    j->used = 0;
}

void slow_judge_append(struct slow_judge *j, const void *bytes, size_t n)
{
    if (n > 0)
        memcpy(j->record.rest + j->used, bytes, n);
    j->used += (n + 7) & ~(size_t)7;
}

void slow_judge_array(struct slow_judge *j, const char *dtype, int64_t n,
                      const void *data, size_t bytes, int64_t replica)
{
    struct job_output o = {.bytes = bytes,
                           .data_bytes = bytes,
                           .rank = n >= 0,
                           .dims = n >= 0,
                           .replica = replica};
    snprintf(o.dtype, sizeof o.dtype, "%s", dtype);
    slow_judge_append(j, &o, sizeof o);
    for (int i = 0; n >= 0 && i < 2; i++)
        slow_judge_append(j, &n, sizeof n);
    slow_judge_append(j, data, bytes);
}

void slow_judge_output(struct slow_judge *j, const char *dtype, int n,
                       const uint32_t *bits)
{
    j->record.head.output_count++;
    slow_judge_array(j, dtype, n, bits, 4 * (size_t)n, 0);
}

void slow_judge_number(struct slow_judge *j, uint32_t bits)
{
    slow_judge_output(j, "f32", 1, &bits);
}

void slow_judge_token(struct slow_judge *j)
{
    j->record.head.output_count++;
    slow_judge_array(j, "token", -1, "", 0, 0);
}

void slow_judge_outfed(struct slow_judge *j, int64_t replica, uint32_t a,
                       uint32_t b)
{
    const uint32_t bits[] = {a, b};
    j->record.head.outfeed_count++;
    slow_judge_array(j, "s32", 2, bits, 8, replica);
}

int64_t slow_judge_position(struct slow_judge *j, const char *name)
{
    for (int64_t i = 0; i < j->plan.count; i++)
        if (strcmp(plan_name(&j->arena, &j->plan.cases[i]), name) == 0)
            return j->plan.count - 1 - i; /* pending is the other way round */
    fprintf(stderr, "no case %s\n", name);
    exit(2);
}

const struct job_result *slow_judge_case(struct slow_judge *j, const char *name)
{
    j->record.head.position = slow_judge_position(j, name);
    return judge_record(&j->arena, &j->context, &j->record,
                        sizeof j->record.head + j->used);
}

const struct job_result *slow_judge_due(struct slow_judge *j, const char *name,
                                        enum verdict_status status,
                                        const char *text)
{
    const struct job_result *r = slow_judge_case(j, name);
    EQ_STR(verdict_name((enum verdict_status)r->status), verdict_name(status),
           "%s", name);
    EQ_STR(r->text, text, "%s: and says why", name);
    return r;
}
