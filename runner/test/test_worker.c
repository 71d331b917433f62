/* test_worker.c - what the worker records of good backends and bad ones.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The worker runs in this process, over the cases of judge/ and the plugins of
 * runner/backends; what each of them does is in its file.  The flags that
 * are expected follow from job.h.
 */
#include <assay/backend.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/test/tap.h"
#include "runner/process/judge.h"
#include "runner/process/worker.h"
#include "runner/test/slow_judge.h"

static struct slow_judge j;
static struct job_shared *shared;
static struct job job;
static _Atomic int64_t counter;
static _Atomic int32_t stop;

enum {
    RING = RING_SOFT_BYTES + (1 << 20)
};

static void fresh(uint64_t ring)
{
    if (job.outputs)
        ring_free(job.outputs);
    memset(shared, 0, sizeof *shared);
    job = (struct job){.shared = shared, .outputs = ring_new(ring)};
    atomic_store(&counter, 0);
    atomic_store(&stop, 0);
}

/* A worker gives nothing back: its memory ends with its process, and here
 * many run in one. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

/* Run these pending cases through a plugin. */
static int run(const char *plugin, const int64_t *pending, int64_t count,
               bool twice)
{
    const char *build = getenv("B") ? getenv("B") : "build";
    struct job_context x = j.context;
    x.pending = pending;
    x.pending_count = count;
    x.counter = &counter;
    x.stop = &stop;
    x.backend_path = arena_printf(&j.arena, "%s/%s.so", build, plugin);
    x.seed = 1;
    x.memory_bytes = INT64_C(4) << 30;
    x.twice = twice;
    return worker_run(&x, &job);
}

/* A case's number in the plan. */
static int64_t number(const char *name)
{
    return j.context.pending[slow_judge_position(&j, name)];
}

/* Take the next record, in the arena; false if there is none. */
static bool next(struct judge_given_record *r)
{
    uint64_t length;
    const void *p = ring_front(job.outputs, &length);
    if (!p)
        return false;
    void *copy = arena_alloc(&j.arena, length);
    memcpy(copy, p, length);
    ring_release(job.outputs);
    *r = (struct judge_given_record){0};
    OK(judge_given_read(&j.arena, copy, length, r), "a whole record");
    return true;
}

/* One case through one plugin. */
static struct judge_given_record one(const char *plugin, const char *name,
                                     bool twice)
{
    struct judge_given_record r;
    const int64_t pending[] = {number(name)};
    fresh(RING);
    OK(run(plugin, pending, 1, twice) == EXIT_SUCCESS
           && atomic_load(&shared->worker.done) == 1
           && job_position(&shared->worker) == -1
           && job_place_whole(&shared->worker)
           && atomic_load(&shared->worker.phase) == JOB_CLOSE,
       "%s ends well", plugin);
    if (!next(&r))
        exit(2);
    return r;
}

static void good(void)
{
    static const unsigned char sums[] = {0,    0,    0x30, 0x41, 0, 0,
                                         0xb0, 0x41, 0,    0,    4, 0x42};
    struct judge_given_record r =
        one("backends/native", "Add/judge/plain", true);
    OK(r.head->code == ASSAY_OK
           && (r.head->flags & ~(uint32_t)JOB_EXECUTED) == 0
           && r.head->attempt == 1 && r.head->position == 0
           && r.head->output_count == 1 && r.head->outfeed_count == 0
           && !r.head->text[0] && r.head->phase == JOB_EXECUTE,
       "nothing to say of a right one");
    OK(r.head->compile_ns > 0 && r.head->time_ns >= r.head->compile_ns,
       "it takes time");
    const struct verdict_got *g = &r.outputs[0].got;
    OK(strcmp(g->dtype, "f32") == 0 && g->rank == 1 && g->dims[0] == 3
           && g->sizes[0] == 3 && g->bytes == 12 && g->held == 12
           && memcmp(g->data, sums, 12) == 0,
       "its output");
    r = one("backends/reference", "Outfeed/judge/two", false);
    OK(r.head->outfeed_count == 2 && r.outfeed[1].replica == 0
           && r.outfeed[1].got.data[4] == 4
           && strcmp(r.outputs[0].got.dtype, "token") == 0
           && r.outputs[0].got.bytes == 0,
       "outfeeds and a token");
    r = one("backends/reference", "Outfeed/judge/pair", true);
    OK(r.head->outfeed_count == 2 && r.head->output_count == 2,
       "once, even if it runs twice");
}

static void bad(void)
{
    static const struct {
        const char *plugin, *name;
        bool twice;
        uint32_t flags;
        int32_t code, phase, outputs;
        const char *text;
    } trials[] = {
        {"overrun", "plain", false, JOB_GUARD, 0, JOB_EXECUTE, 0, ""},
        {"overrun", "plain", true, JOB_GUARD, 0, JOB_EXECUTE, 0, ""},
        {"underrun", "plain", false, JOB_GUARD, 0, JOB_EXECUTE, 0, ""},
        {"write_inputs", "plain", false, JOB_INPUT, 0, JOB_EXECUTE, 1, ""},
        {"partial", "plain", true, JOB_UNWRITTEN, 0, JOB_EXECUTE, 1, ""},
        {"partial", "plain", false, 0, 0, JOB_EXECUTE, 1, ""},
        {"no_op", "plain", true, JOB_UNWRITTEN, 0, JOB_EXECUTE, 1, ""},
        {"refuse", "plain", true, 0, ASSAY_FAILED, JOB_EXECUTE, 0,
         "it is too early in the day"},
        {"fickle", "plain", true, JOB_TWICE, 0, JOB_EXECUTE, 1, ""},
        {"wrong_class", "error", false, 0, -1, JOB_COMPILE, 0, NULL},
        {"accept", "error", true, 0, 0, JOB_COMPILE, 0, ""},
        {"huge_size", "plain", true, 0, 0, JOB_EXECUTE, 1, ""},
    };
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        char plugin[64], name[64];
        snprintf(plugin, sizeof plugin, "backends/evil/%s", trials[i].plugin);
        snprintf(name, sizeof name, "Add/judge/%s", trials[i].name);
        struct judge_given_record r = one(plugin, name, trials[i].twice);
        EQ_INT(r.head->flags & ~(uint32_t)JOB_EXECUTED, trials[i].flags,
               "%s: flags", trials[i].plugin);
        if (trials[i].code >= 0)
            EQ_INT(r.head->code, trials[i].code, "and code");
        else
            OK(r.head->code != ASSAY_OK && r.head->code != ASSAY_SHAPE,
               "another class");
        EQ_INT(r.head->phase, trials[i].phase, "and phase");
        EQ_INT(r.head->output_count, trials[i].outputs, "and outputs");
        OK(r.head->where == 0, "and place");
        if (trials[i].text)
            EQ_STR(r.head->text, trials[i].text, "and text");
    }
    struct judge_given_record r =
        one("backends/evil/wrong_type", "Add/judge/plain", false);
    EQ_STR(r.outputs[0].got.dtype, "s32", "what it said goes to the judge");
    r = one("backends/evil/wrong_shape", "Add/judge/plain", false);
    OK(r.outputs[0].got.rank != 1 || r.outputs[0].got.dims[0] != 3,
       "whatever shape it is");
}

/* Checks what never reaches the backend, or comes back from it with nothing. */
static void unrun(void)
{
    struct judge_given_record r =
        one("backends/evil/no_executable", "Add/judge/plain", true);
    OK(r.head->code == ASSAY_FAILED && r.head->phase == JOB_COMPILE
           && r.head->output_count == 0,
       "an executable that is none");
    EQ_STR(r.head->text, "compile returned no executable", "is told");
    r = one("backends/evil/modest", "Add/judge/replicas", true);
    OK(r.head->flags == (JOB_DECLINED | JOB_CLASSLESS)
           && r.head->output_count == 0 && r.head->time_ns == 0,
       "more replicas than there are");
    EQ_STR(r.head->text, "2 replicas, the backend has 1", "are told");
    static const char *const lacks[][2] = {
        {"Mul/judge/minus", "the backend has no operation Mul"},
        {"Mul/judge/complex", "the backend has no type c64"},
        {"Outfeed/judge/nan", "the backend has no operation Outfeed"},
        {"RngBitGenerator/judge/any", "the backend has no type u64"},
    };
    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++) {
        r = one("backends/evil/modest", lacks[i][0], true);
        EQ_INT(r.head->flags, JOB_DECLINED | JOB_CLASSLESS, "%s is declined",
               lacks[i][0]);
        EQ_STR(r.head->text, lacks[i][1], "with the reason");
    }
    r = one("backends/evil/modest", "Add/judge/plain", true);
    EQ_INT(r.head->flags, JOB_CLASSLESS | JOB_EXECUTED, "what it does is run");
    r = one("backends/evil/modest", "Add/judge/pair", true);
    EQ_INT(r.head->flags, JOB_CLASSLESS | JOB_EXECUTED,
           "a tuple of what it does too");
    r = one("backends/evil/modest", "Add/judge/error", true);
    OK(r.head->flags == JOB_CLASSLESS && r.head->code == ASSAY_REJECTED
           && r.head->phase == JOB_COMPILE,
       "what it rejects has no class");
    r = one("backends/native", "Neg/judge/nowhere", true);
    OK(r.head->flags == JOB_NO_PROGRAM && r.head->code == ASSAY_OK
           && r.head->time_ns == 0,
       "a module that is not a program");
}

/* What cannot be opened is told by the exit status; no case is touched. */
static void unusable(void)
{
    static const char *const names[] = {
        "backends/no-such-file",       "custom-calls",
        "backends/evil/open_fails",    "backends/evil/open_null",
        "backends/evil/tiny_size",     "backends/evil/too_new",
        "backends/evil/error_garbage",
    };
    const int64_t pending[] = {number("Add/judge/plain")};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct judge_given_record r;
        fresh(RING);
        OK(run(names[i], pending, 1, false) == EXIT_FAILURE && !next(&r)
               && atomic_load(&shared->worker.done) == 0
               && atomic_load(&shared->worker.phase) == JOB_OPEN
               && atomic_load(&counter) == 0,
           "%s is not a backend", names[i]);
    }
}

/* All cases, more programs than are kept, and each twice: the judge has nothing
 * against the reference. */
static void all(void)
{
    struct judge_given_record r;
    int64_t n = j.plan.count, count = 0, wrong = 0, limits = 0;
    fresh(RING);
    EQ_INT(run("backends/reference", j.context.pending, n, true), EXIT_SUCCESS,
           "the reference runs %lld cases", (long long)n);
    const void *p;
    uint64_t length;
    for (; (p = ring_front(job.outputs, &length)); count++) {
        const struct job_result *v =
            judge_record(&j.arena, &j.context, p, length);
        OK(v->position == count, "in order");
        wrong += verdict_is_failure((enum verdict_status)v->status);
        limits += v->reference_wrong;
        ring_release(job.outputs);
    }
    EQ_INT(count, n, "each has a record");
    OK(n > 40, "more than 32 programs");
    EQ_INT(wrong, 0, "none is wrong");
    OK(limits > 5, "but some contradict themselves");
    fresh(RING);
    atomic_store(&shared->next, 3);
    atomic_store(&shared->end, 5);
    atomic_store(&counter, n);
    j.context.attempt = 2;
    run("backends/native", j.context.pending, n, false);
    OK(next(&r) && r.head->position == 3 && r.head->attempt == 2,
       "the rest of a batch, when it is tried again");
    OK(next(&r) && r.head->position == 4, "all of it");
    OK(!next(&r), "and no other");
    j.context.attempt = 1;
    fresh(RING);
    atomic_store(&shared->next, -3);
    atomic_store(&shared->end, 2);
    atomic_store(&counter, -1000);
    OK(run("backends/native", j.context.pending, n, false) == EXIT_SUCCESS
           && !next(&r),
       "none where the numbers of cases were overwritten");
    fresh(RING);
    atomic_store(&stop, 1);
    OK(run("backends/native", j.context.pending, n, false) == EXIT_SUCCESS
           && !next(&r) && atomic_load(&shared->worker.done) == 1,
       "none if it is to stop");
}

static void too_large(void)
{
    struct judge_given_record r;
    const int64_t pending[] = {number("Add/judge/many")};
    fresh(RING_SOFT_BYTES + sizeof(struct job_record) + 64);
    run("backends/native", pending, 1, false);
    OK(next(&r) && r.head->flags == (JOB_TOO_LARGE | JOB_EXECUTED)
           && r.head->output_count == 0 && r.head->code == ASSAY_OK,
       "an output that does not fit in the ring");
    fresh(RING_SOFT_BYTES + sizeof(struct job_record) + 64);
    run("backends/evil/fickle", pending, 1, true);
    OK(next(&r) && r.head->flags == (JOB_TOO_LARGE | JOB_EXECUTED),
       "nor do two");
}

static void samples(void)
{
    int count = 0, other = 0;
    for (int64_t i = 0; i < 16000; i++) {
        count += worker_samples(1, i);
        other += worker_samples(1, i) && worker_samples(2, i);
    }
    OK(count > 800 && count < 1200, "%d of 16000 run twice", count);
    OK(other < 200, "others by another seed");
}

int main(void)
{
    slow_judge_open(&j);
    shared = ring_map(sizeof *shared);
    good();
    bad();
    unrun();
    unusable();
    all();
    too_large();
    samples();
    ring_free(job.outputs);
    ring_unmap(shared, sizeof *shared);
    slow_judge_close(&j);
    return tap_done();
}
