/* fuzz_record.c - any bytes as what a worker hands over to the judge.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The memory is one that the backend could write to.  Two kinds of input: the
 * bytes of a record; or a sketch of one, from which a well-formed record is
 * made, so that what follows the first checks is reached too.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/process/judge.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

enum {
    RECORD_MAX = 1 << 16,
    OUTPUTS_MAX = 4
};

static struct limits limits = LIMITS_DEFAULT;
static struct plan plan;
static struct job_context context;

static void open_context(void)
{
    static struct arena arena = ARENA_INIT;
    struct status st = {STATUS_OK};
    struct plan_options o = {.cases = "runner/test/judge"};
    const struct profile *profile;
    limits.steps = 1 << 20;
    limits.evaluate_bytes = 1 << 26;
    if (!plan_make(&arena, &o, &limits, &plan, &st)
        || !profile_load(&arena, "spec", &profile, &st)) {
        fprintf(stderr, "%s: %s\n", st.path ? st.path : "", st.text);
        abort();
    }
    int64_t *pending = arena_new(&arena, int64_t, (size_t)plan.count);
    for (int64_t i = 0; i < plan.count; i++)
        pending[i] = i;
    context = (struct job_context){.plan = &plan,
                                   .pending = pending,
                                   .pending_count = plan.count,
                                   .limits = &limits,
                                   .profile = profile};
}

/* The rest of the input; after its end are zeros. */
struct sketch {
    const unsigned char *at, *end;
};

static unsigned next(struct sketch *s)
{
    return s->at < s->end ? *s->at++ : 0;
}

struct draft {
    uint64_t words[RECORD_MAX / 8]; /* aligned, as the ring is */
    size_t used;
};

static void append(struct draft *d, const void *bytes, size_t n)
{
    assert(d->used + n + 8 <= sizeof d->words);
    memcpy((char *)d->words + d->used, bytes, n);
    d->used += (n + 7) & ~(size_t)7;
}

/* Mostly f32[3], which most of the cases give. */
static void draw_output(struct draft *d, struct sketch *s)
{
    unsigned type = next(s), rank = next(s);
    struct job_output o = {.rank = rank < 128 ? 1 : (int)(rank % 12) - 2,
                           .replica = next(s) % 3};
    int64_t dims[16] = {0}, count = 1;
    snprintf(o.dtype, sizeof o.dtype, "%s",
             type < 128 ? "f32" : dtype_table[type % DT_COUNT].name);
    o.dims = o.rank < 0 || o.rank > SHAPE_RANK_MAX ? 0 : o.rank;
    for (int i = 0; i < o.dims; i++) {
        dims[i] = rank < 96 ? 3 : next(s) % 5;
        count *= dims[i];
    }
    unsigned char data[64] = {0};
    o.data_bytes = (uint64_t)(count < 16 ? 4 * count : 64);
    o.bytes = o.data_bytes + (next(s) == 1);
    for (uint64_t i = 0; i < o.data_bytes; i++)
        data[i] = (unsigned char)next(s);
    append(d, &o, sizeof o);
    append(d, dims, (size_t)o.dims * sizeof *dims);
    append(d, dims, (size_t)o.dims * sizeof *dims);
    append(d, data, o.data_bytes);
}

static void draw(struct draft *d, struct sketch *s)
{
    struct job_record head = {.position = next(s) % plan.count, .attempt = 1};
    head.flags = next(s) | (next(s) & 1) << 8;
    head.code = (int32_t)(next(s) % 12);
    head.phase = next(s) & 1 ? JOB_EXECUTE : JOB_COMPILE;
    head.output_count = (int32_t)(next(s) % OUTPUTS_MAX);
    head.outfeed_count = (int32_t)(next(s) % OUTPUTS_MAX);
    head.where = (int32_t)next(s) - 4;
    for (size_t i = 0, n = next(s) % 32; i < n; i++)
        head.text[i] = (char)next(s);
    append(d, &head, sizeof head);
    int outputs = head.output_count * (head.flags & JOB_TWICE ? 2 : 1);
    for (int i = 0; i < outputs + head.outfeed_count; i++)
        draw_output(d, s);
    /* And somebody writes into it. */
    while (s->at < s->end) {
        size_t where = next(s) | next(s) << 8;
        ((unsigned char *)d->words)[where % d->used] = (unsigned char)next(s);
    }
}

static void check(const struct job_result *r)
{
    assert(r->status >= 0 && r->status < VERDICT_COUNT);
    assert(memchr(r->text, '\0', sizeof r->text));
    assert(memchr(r->worst_input, '\0', sizeof r->worst_input));
    assert(r->wrong_count >= 0 && r->bin_count >= 0);
    for (const char *p = r->text; *p; p++)
        assert((unsigned char)*p >= ' ' || *p == '\n');
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static struct draft d;
    if (!plan.count)
        open_context();
    if (size < 1 || size > RECORD_MAX / 2)
        return 0;
    memset(&d, 0, sizeof d);
    struct sketch s = {data + 1, data + size};
    if (data[0] & 1)
        append(&d, data + 1, size - 1);
    else
        draw(&d, &s);
    struct arena arena = ARENA_INIT;
    /* Of just that length, so that reading after it is seen. */
    size_t length = data[0] & 1 ? size - 1 : d.used;
    void *record = malloc(length + !length);
    if (!record)
        abort();
    memcpy(record, d.words, length);
    check(judge_record(&arena, &context, record, length));
    free(record);
    arena_free(&arena);
    return 0;
}
