/* slow_judge.c - see slow_judge.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/test/slow_judge.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/program/evaluate.h"
#include "interp/test/slow_run.h"
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

static void append(struct slow_judge *j, const void *bytes, size_t n)
{
    if (n > 0)
        memcpy(j->record.rest + j->used, bytes, n);
    j->used += (n + 7) & ~(size_t)7;
}

/* Reads one array: "> REPLICA: SHAPE UNIT ...", most of which may be absent.
 * One without units has no data. */
static void give_array(struct slow_judge *j, char *text)
{
    const bool outfed = *text == '>';
    char *colon = strchr(text, ':');
    char *shape = colon ? colon + 1 : text + outfed;
    shape += strspn(shape, " ");
    char *next = shape + strcspn(shape, " ");
    uint64_t units[32];
    int count = 0;
    bool bad = false;
    while (*next == ' ' && count < 32) {
        char *unit = next + 1;
        *next = '\0';
        units[count++] = strtoull(unit, &next, 16);
        bad |= next == unit;
    }
    struct status st = {0};
    const struct shape *s;
    if (bad || *next || !shape_parse(&j->arena, shape, &s, &st)) {
        fprintf(stderr, "no array: %s: %s\n", shape, st.text);
        exit(2);
    }
    const size_t bytes = count > 0 ? (size_t)shape_bytes(s) : 0;
    struct job_output o = {.bytes = bytes,
                           .data_bytes = bytes,
                           .rank = s->rank,
                           .dims = s->rank,
                           .replica =
                               colon ? strtol(text + outfed, NULL, 10) : 0};
    snprintf(o.dtype, sizeof o.dtype, "%s",
             s->kind == SHAPE_TOKEN ? "token" : dtype_table[s->dtype].name);
    append(j, &o, sizeof o);
    for (int i = 0; i < 2; i++)
        append(j, s->dims, (size_t)s->rank * sizeof *s->dims);
    if (count > 0)
        append(j, slow_run_array(&j->arena, shape, count, units)->data, bytes);
    if (outfed)
        j->record.head.outfeed_count++;
    else
        j->record.head.output_count++;
}

void slow_judge_give(struct slow_judge *j, const char *format, ...)
{
    va_list args;
    char text[512], *rest = text;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (length >= (int)sizeof text) {
        fprintf(stderr, "too long: %s\n", text);
        exit(2);
    }
    slow_judge_start(j);
    for (char *next = text; next; next = rest) {
        rest = strchr(next, ';');
        if (rest)
            *rest++ = '\0';
        give_array(j, next + strspn(next, " "));
    }
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
