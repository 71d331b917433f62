/* test_judge.c - what the judge makes of what a worker saw.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Expected results follow from the words of job.h and verdict.def.
 */
#include <assay/backend.h>
#include <stdio.h>
#include <string.h>

#include "interp/deviation/deviation.h"
#include "interp/test/tap.h"
#include "runner/plugin/plugin_state.h"
#include "runner/test/slow_judge.h"

static struct slow_judge j;

/* 1, 2, 3 and 10, 20, 30 */
#define SUMS    "f32[3] 41300000 41b00000 42040000"
#define SHIFTED "f32[3] 41b00000 42040000 41300000"

/* ---- What the worker saw ------------------------------------------------- */

static void conduct(void)
{
    static const struct {
        uint32_t flags;
        int32_t code;
        enum verdict_status status;
        const char *text;
    } trials[] = {
        {JOB_NO_PROGRAM, 0, VERDICT_UNSUPPORTED, "why"},
        {JOB_DECLINED, 0, VERDICT_UNSUPPORTED, "why"},
        {0, ASSAY_UNSUPPORTED, VERDICT_UNSUPPORTED, "why"},
        {JOB_GUARD, 0, VERDICT_FAIL, "wrote outside output 3"},
        {JOB_GUARD, ASSAY_FAILED, VERDICT_FAIL, "wrote outside output 3"},
        {JOB_INPUT, 0, VERDICT_FAIL, "changed an input"},
        {JOB_BESIDE, 0, VERDICT_FAIL, "wrote outside an input"},
        {JOB_PROGRAM, 0, VERDICT_FAIL, "changed the program"},
        {JOB_ERROR, 0, VERDICT_FAIL, "wrote outside the text of an error"},
        {JOB_BAD_CASE, ASSAY_FAILED, VERDICT_FAIL,
         "the case cannot be made beside the backend: why"},
        {JOB_TOO_LARGE, 0, VERDICT_LIMIT, "why"},
        {0, ASSAY_FAILED, VERDICT_REFUSED, "failed: why"},
        {0, ASSAY_SHAPE, VERDICT_REFUSED, "shape: why"},
        {0, ASSAY_REJECTED, VERDICT_REFUSED, "failed: why"},
        {0, 99, VERDICT_REFUSED, "the unknown code 99: why"},
        {JOB_UNWRITTEN, ASSAY_TYPE, VERDICT_REFUSED, "type: why"},
        {JOB_UNWRITTEN, 0, VERDICT_FAIL, "left bytes of output 3 unwritten"},
        {JOB_CLASSLESS, 0, VERDICT_PASS, ""},
    };
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        slow_judge_give(&j, SUMS);
        j.record.head.flags = trials[i].flags;
        j.record.head.code = trials[i].code;
        j.record.head.where = 3;
        snprintf(j.record.head.text, sizeof j.record.head.text, "why");
        slow_judge_due(&j, "Add/judge/plain", trials[i].status, trials[i].text);
    }
    slow_judge_start(&j);
    j.record.head.code = ASSAY_TYPE;
    slow_judge_due(&j, "Add/judge/plain", VERDICT_REFUSED, "type");
    j.record.head.text[0] = 'x';
    slow_judge_due(&j, "Add/judge/plain", VERDICT_REFUSED, "type: x");
}

/* The backend was given something else than the case. */
static void disturbed(const char *name, uint32_t flags, const char *what)
{
    j.record.head.flags = flags;
    OK(slow_judge_due(&j, name, VERDICT_FAIL,
                      "the program or an input had been changed before the"
                      " execution")
           ->disturbed,
       "%s", what);
}

static void disturbances(void)
{
    slow_judge_give(&j, SUMS);
    disturbed("Add/judge/plain", JOB_EXECUTED,
              "inputs of another hash are not the case's");
    j.record.head.program.h[0] = 1;
    disturbed("Add/judge/plain", 0,
              "a program of another hash is not the case's");
    disturbed("Add/judge/error", 0,
              "nor is it where a program must be rejected");
}

/* Results and rejections alike. */
static void left_behind(void)
{
    static const struct {
        uint32_t left;
        const char *text;
    } trials[] = {
        {PLUGIN_STATE_MODE, "changed the floating-point environment"},
        {PLUGIN_STATE_REGISTERS,
         "left x87 registers in use (MMX without EMMS)"},
        {PLUGIN_STATE_BACKWARDS, "left the direction flag set"},
        {PLUGIN_STATE_ALIGNMENT, "left the alignment check flag set"},
    };
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        slow_judge_give(&j, SUMS);
        j.record.head.left = trials[i].left;
        slow_judge_due(&j, "Add/judge/plain", VERDICT_FAIL, trials[i].text);
        j.record.head.code = ASSAY_SHAPE;
        slow_judge_due(&j, "Add/judge/error", VERDICT_FAIL, trials[i].text);
    }
}

static void rejections(void)
{
    static const struct {
        uint32_t flags;
        int32_t code;
        enum verdict_status status;
        const char *text;
    } trials[] = {
        {JOB_NO_PROGRAM, 0, VERDICT_UNSUPPORTED,
         "the ABI cannot express a program that is malformed in this way"},
        {JOB_DECLINED, 0, VERDICT_UNSUPPORTED, "why"},
        {0, 0, VERDICT_ACCEPTED, "accepted, expected shape"},
        {0, ASSAY_SHAPE, VERDICT_PASS, ""},
        {JOB_CLASSLESS, 0, VERDICT_ACCEPTED, "accepted, expected shape"},
        {JOB_CLASSLESS, ASSAY_REJECTED, VERDICT_PASS, ""},
        {JOB_CLASSLESS, ASSAY_TYPE, VERDICT_WRONG_CLASS,
         "rejected with type, expected shape: why"},
        {0, ASSAY_REJECTED, VERDICT_WRONG_CLASS,
         "rejected with no class, expected shape: why"},
        {0, ASSAY_FAILED, VERDICT_WRONG_CLASS,
         "rejected with no class (failed), expected shape: why"},
        {0, ASSAY_TYPE, VERDICT_WRONG_CLASS,
         "rejected with type, expected shape: why"},
        {0, ASSAY_UNSUPPORTED, VERDICT_UNSUPPORTED, "why"},
        {0, ASSAY_REJECTED + 1, VERDICT_WRONG_CLASS,
         "rejected with the unknown code 9, expected shape: why"},
        {0, -1, VERDICT_WRONG_CLASS,
         "rejected with the unknown code -1, expected shape: why"},
        {JOB_PROGRAM, ASSAY_SHAPE, VERDICT_FAIL, "changed the program"},
        {JOB_ERROR, ASSAY_SHAPE, VERDICT_FAIL,
         "wrote outside the text of an error"},
    };
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        slow_judge_start(&j);
        j.record.head.flags = trials[i].flags;
        j.record.head.code = trials[i].code;
        snprintf(j.record.head.text, sizeof j.record.head.text, "why");
        slow_judge_due(&j, "Add/judge/error", trials[i].status, trials[i].text);
    }
    slow_judge_start(&j);
    j.record.head.code = ASSAY_TYPE;
    slow_judge_due(&j, "Add/judge/errors", VERDICT_PASS, "");
    j.record.head.code = ASSAY_SHAPE;
    slow_judge_due(&j, "Add/judge/errors", VERDICT_PASS, "");
    j.record.head.code = ASSAY_ATTRIBUTE;
    OK(slow_judge_case(&j, "Add/judge/errors")->status == VERDICT_WRONG_CLASS,
       "no third");
}

/* A case that the reference contradicts is never the backend's fault. */
static void references(void)
{
    slow_judge_give(&j, "f32[1] 40400000");
    const struct job_result *r = slow_judge_due(
        &j, "Add/judge/accepts", VERDICT_LIMIT,
        "the reference accepts a program that the case expects to be "
        "rejected");
    OK(r->reference_wrong, "which is the reference's fault, or the case's");
    r = slow_judge_case(&j, "Add/judge/class");
    OK(r->status == VERDICT_LIMIT && r->reference_wrong
           && strncmp(r->text,
                      "the reference rejects with class shape, the case "
                      "expects type: ",
                      63)
                  == 0
           && r->text[63],
       "another class: %s", r->text);
    r = slow_judge_case(&j, "Add/judge/rejects");
    OK(r->status == VERDICT_LIMIT && r->reference_wrong && r->text[0],
       "a program that is none: %s", r->text);
    r = slow_judge_case(&j, "Add/judge/contradicts");
    OK(r->status == VERDICT_LIMIT && r->reference_wrong
           && strstr(r->text, "the reference contradicts the case: result 0"),
       "another value: %s", r->text);
    r = slow_judge_due(&j, "Add/judge/said", VERDICT_PASS, "");
    OK(!r->reference_wrong, "the case agrees");
    slow_judge_give(&j, "token[]; > s32[2] 1 2");
    r = slow_judge_due(
        &j, "Outfeed/judge/wrongly", VERDICT_LIMIT,
        "the reference contradicts the case: outfeed 0 of replica 0");
    OK(r->reference_wrong, "another outfeed");
}

/* No unit is the worst of none: there is nothing to read. */
static void empty(void)
{
    slow_judge_give(&j, "f32[0]");
    const struct job_result *r =
        slow_judge_due(&j, "Add/judge/empty", VERDICT_PASS, "");
    OK(r->units == 0 && r->correct == 0 && !r->has_error && !r->has_share
           && !r->worst_input[0],
       "an empty array has no error and no worst input");
}

/* Where the reference may not take enough steps, nobody is judged. */
static void limited(void)
{
    const struct limits *usual = j.context.limits;
    struct limits few = LIMITS_DEFAULT;
    few.steps = 1;
    j.context.limits = &few;
    slow_judge_give(&j, SUMS);
    const struct job_result *r = slow_judge_case(&j, "Add/judge/plain");
    OK(r->status == VERDICT_LIMIT && !r->reference_wrong
           && strncmp(r->text, "the reference: ", 15) == 0 && r->text[15],
       "%s", r->text);
    few = (struct limits)LIMITS_DEFAULT;
    few.literal_bytes = 4;
    r = slow_judge_case(&j, "Add/judge/plain");
    OK(r->status == VERDICT_LIMIT && !r->reference_wrong && r->text[0],
       "data beyond a limit: %s", r->text);
    j.context.limits = usual;
}

static void broken(void)
{
    slow_judge_give(&j, SUMS);
    j.record.head.attempt = 2;
    j.record.head.time_ns = 77;
    j.record.head.compile_ns = 33;
    const struct job_result *r = slow_judge_case(&j, "Add/judge/plain");
    OK(r->status == VERDICT_PASS
           && r->position == slow_judge_position(&j, "Add/judge/plain")
           && r->attempt == 2 && r->time_ns == 77 && r->compile_ns == 33
           && r->units == 3 && r->correct == 3 && r->bad == 0 && r->special == 0
           && r->flags == 0 && r->wrong_count == 0 && r->bin_count == 0
           && !r->reference_wrong,
       "a whole record");
    OK(r->has_error && r->error == 0 && !r->has_share && r->worst_unit == 0,
       "its error");
    static const char lost[] = "the backend overwrote the runner's memory";
    for (int i = 0; i < 3; i++) {
        j.record.head.position = i == 0   ? -1
                                 : i == 1 ? j.plan.count
                                          : INT64_MAX;
        r = judge_record(&j.arena, &j.context, &j.record,
                         sizeof j.record.head + j.used);
        OK(r->status == VERDICT_CRASH && r->position == j.record.head.position
               && r->units == -1 && r->worst_unit == -1,
           "no such case");
        EQ_STR(r->text, lost, "is a crash");
    }
    j.record.head.position = 0;
    r = judge_record(&j.arena, &j.context, &j.record, sizeof j.record.head);
    OK(r->status == VERDICT_CRASH && r->position == 0, "its outputs are gone");
    r = judge_record(&j.arena, &j.context, &j.record, sizeof j.record.head - 1);
    OK(r->status == VERDICT_CRASH && r->position == -1, "it is cut off");
    r = judge_record(&j.arena, &j.context, &j.record, 0);
    OK(r->status == VERDICT_CRASH && r->position == -1, "nothing is left");
}

static int phases;

static void begin(const struct job_place *place, bool judge)
{
    phases += judge && place != NULL;
}

/* The process itself, in this one: what the worker left is judged until it has
 * ended. */
static void process(void)
{
    struct job_shared *shared = arena_new(&j.arena, struct job_shared, 1);
    struct job_place place = {0};
    struct job job = {shared, &place, ring_new(RING_SOFT_BYTES + (1 << 20)),
                      ring_new(RING_SOFT_BYTES + (1 << 20)), ""};
    const int lengths[] = {1, 1, 0};
    phases = 0;
    j.context.on_phase = begin;
    for (int i = 0; i < 3; i++) {
        slow_judge_give(&j, SUMS);
        j.record.head.attempt = i + 1;
        j.record.head.position = slow_judge_position(&j, "Add/judge/plain");
        uint64_t length = lengths[i] ? sizeof j.record.head + j.used : 8;
        void *to = ring_reserve(job.outputs, length);
        memcpy(to, &j.record, length);
        ring_publish(job.outputs, to, length);
    }
    atomic_store(&shared->worker.done, 1);
    atomic_store(&place.phase, JOB_OPEN);
    EQ_INT(judge_run(&j.context, &job), 0, "the judge ends well");
    OK(atomic_load(&place.done) == 1 && job_position(&place) == -1
           && atomic_load(&place.phase) == JOB_IDLE,
       "and says so");
    uint64_t length;
    OK(!ring_front(job.outputs, &length), "everything was taken");
    for (int i = 0; i < 3; i++) {
        const struct job_result *r = ring_front(job.results, &length);
        OK(r && length == job_result_bytes(r)
               && r->status == (i < 2 ? VERDICT_PASS : VERDICT_CRASH)
               && r->attempt == (i < 2 ? i + 1 : 0),
           "record %d has its verdict", i);
        ring_release(job.results);
    }
    OK(!ring_front(job.results, &length), "and nothing else came out");
    j.context.on_phase = NULL;
    EQ_INT(phases, 15, "the judge tells each phase that it begins");
    EQ_INT(atomic_load(&place.steps), 15,
           "the backend's results are a phase of their own, if there are any");
    ring_free(job.outputs);
    ring_free(job.results);
}

#define WORDS "u32[4] 12345678 9abcdef0 fedcba9 87654321"

/* A program may pass on the results of a generator in any order, or one of
 * them several times, or alone: each is judged. */
static void passed_on(void)
{
    for (int stuck = 0; stuck < 3; stuck++) {
        slow_judge_give(&j, WORDS "; u64[2] 2 %d; u64[2] 2 %d",
                        stuck == 1 ? 2 : 3, stuck == 2 ? 2 : 3);
        const struct job_result *r = slow_judge_due(
            &j, "RngBitGenerator/judge/passed-on",
            stuck ? VERDICT_FAIL : VERDICT_PASS,
            stuck ? "the next state is the same as the initial one" : "");
        const struct job_wrong *w = (const void *)(r + 1);
        OK(!stuck || w->leaf == stuck, "result %d stops", stuck);
    }
    slow_judge_give(&j, WORDS);
    EQ_INT(slow_judge_due(&j, "RngBitGenerator/judge/alone", VERDICT_PASS, "")
               ->correct,
           -1, "no unit is right by itself");
    /* Any bits, but the same each time. */
    slow_judge_give(&j, WORDS "; u32[4] 1 2 3 4");
    j.record.head.output_count = 1;
    j.record.head.flags = JOB_TWICE;
    slow_judge_due(&j, "RngBitGenerator/judge/alone", VERDICT_FAIL,
                   "two executions returned different results");
}

/* ---- What is said besides ------------------------------------------------ */

/* 11 22 33 shifted by one is 22 33 11: every unit is wrong, and memory.shifted
 * moves every unit.  A case in a batch is judged again alone, and so is one
 * that is tried twice: they are not explained. */
static void causes(void)
{
    struct status st = {0};
    const struct deviation_table *table;
    OK(deviation_read(&j.arena, &table, &st), "deviations: %s", st.text);
    for (int i = 0; i < 5; i++) {
        slow_judge_give(&j, i == 1 ? SUMS : SHIFTED);
        j.context.deviations = i == 2 ? NULL : table;
        j.record.head.batch = i == 3;
        j.context.twice = i == 4;
        const struct job_result *r = slow_judge_case(&j, "Add/judge/plain");
        const struct job_cause *c = job_causes(r);
        EQ_INT(r->flags, 0, "it was searched to its end, %d", i);
        int found = 0;
        for (int k = 0; k < r->cause_count; k++)
            found += strcmp(c[k].name, "memory.shifted") == 0 && c[k].units == 3
                     && c[k].moved == 3 && c[k].exact
                     && strstr(c[k].text, "shifted by one");
        EQ_INT(found, i == 0, "a shifted result is explained as one, %d", i);
        EQ_INT(r->cause_count > 0, i == 0, "and no other, %d", i);
    }
    j.context.twice = false;
    slow_judge_give(&j, "f32[1] 3f800000");
    OK(slow_judge_case(&j, "Add/judge/said")->cause_count > 0,
       "1 in place of 1 + 2 is the operand");
    /* The first operand is flushed, the second result is no result of any. */
    slow_judge_give(&j, "f32[2] 0 12345678");
    EQ_INT(slow_judge_case(&j, "Mul/judge/both")->flags,
           VERDICT_FLUSHED_OPERANDS, "flags stay");
    j.context.deviations = NULL;
}

/* The same wrong bits are wrong again, without being judged: the text is that
 * of the first try.  Other ones are judged, and so is what was not wrong. */
static void second_tries(void)
{
    static const struct {
        const char *given;
        enum verdict_status first, status;
        const char *text;
    } of[] = {
        {SHIFTED, VERDICT_FAIL, VERDICT_FAIL, "as before"},
        {"f32[3] 41b00000 42040000 0", VERDICT_FAIL, VERDICT_FAIL,
         "3 of 3 units are wrong"},
        {SUMS, VERDICT_FAIL, VERDICT_PASS, ""},
        {SHIFTED, VERDICT_REFUSED, VERDICT_FAIL, "3 of 3 units are wrong"},
    };
    const char *name = "Add/judge/plain";
    struct job_result **before =
        arena_new(&j.arena, struct job_result *, (size_t)j.plan.count);
    slow_judge_give(&j, SHIFTED);
    struct job_result first = *slow_judge_case(&j, name);
    EQ_INT(first.status, VERDICT_FAIL, "the first try is wrong");
    snprintf(first.text, sizeof first.text, "as before");
    before[j.context.pending[slow_judge_position(&j, name)]] = &first;
    j.context.twice = true;
    j.context.before = before;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        first.status = (int32_t)of[i].first;
        slow_judge_give(&j, "%s", of[i].given);
        slow_judge_due(&j, name, of[i].status, of[i].text);
    }
    j.context.twice = false;
    j.context.before = NULL;
}

/* Results in the places of consecutive inputs from 1 on, f being increasing. */
static void in_order(void)
{
    static const uint32_t ends[] = {0x41300000, 0x42040000};
    static const struct monotone rising = {
        DT_f32, 1, {{0x3f800000, 0x3f800002, 1}}};
    j.context.monotone = &rising;
    for (int i = 0; i < 2; i++) {
        slow_judge_give(&j, i ? "f32[3] 42040000 41b00000 41300000" : SUMS);
        const struct monotone_part o =
            slow_judge_case(&j, "Add/judge/plain")->order;
        OK(o.counted && o.breaks == 2 * i && (!i || o.input == 0x3f800001)
               && o.first == ends[i] && o.last == ends[1 - i],
           "%d breaks of the order", 2 * i);
    }
    slow_judge_give(&j, "f32[1] 40400000");
    OK(slow_judge_case(&j, "Add/judge/said")->order.counted,
       "one result is in order");
    slow_judge_give(&j, "f32[2] 41300000 41b00000");
    OK(!slow_judge_case(&j, "Add/judge/plain")->order.counted,
       "an array of another size is in none");
    slow_judge_give(&j, "f32[2] 41300000 41b00000; f32[2] 41300000 41b00000");
    OK(!slow_judge_case(&j, "Add/judge/replicas")->order.counted,
       "nor are two of them");
    j.context.monotone = NULL;
}

/* Whose data are constants: the same inputs are listed. */
static void constants(void)
{
    for (int i = 0; i < 2; i++) {
        slow_judge_give(&j, "f32[1] 00d80001");
        const struct job_result *r = slow_judge_case(
            &j, i ? "Add/judge/tiny#constant" : "Add/judge/tiny");
        const struct job_wrong *w = (const void *)(r + 1);
        OK(r->wrong_count == 1 && w->operand_count == 2
               && w->operands[0].bits == 0x00700000
               && w->operands[1].bits == 0x00680000,
           "the inputs of a wrong unit");
    }
}

/* What a kernel does not see: e is 402df854. */
static void sweeps(void)
{
#define E     "f32[2] 402df854"
#define WRONG "f32[2] 0"
    static const struct {
        const char *given;
        uint32_t flags;
        enum verdict_status status;
        const char *text;
    } trials[] = {
        {E "; " WRONG, 0, VERDICT_FAIL, "2 outputs, expected 1"},
        {E "; " WRONG, JOB_TWICE, VERDICT_FLAKE,
         "right at first, then wrong: 2 of 2 units are wrong"},
        {E, JOB_SECOND, VERDICT_FLAKE, "right at first, then refused: why"},
        {WRONG, JOB_SECOND, VERDICT_FAIL, "2 of 2 units are wrong"},
        {E "; > s32[2] 1 2", 0, VERDICT_FAIL,
         "replica 0 wrote more outfeed items than the 0 expected"},
    };
    j.context.bins = true;
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        slow_judge_give(&j, "%s", trials[i].given);
        j.record.head.flags = trials[i].flags;
        if (trials[i].flags == JOB_TWICE)
            j.record.head.output_count = 1;
        snprintf(j.record.head.text, sizeof j.record.head.text, "why");
        slow_judge_due(&j, "Exp/judge/inexact", trials[i].status,
                       trials[i].text);
    }
    j.context.bins = false;
}

int main(void)
{
    slow_judge_open(&j);
    causes();
    second_tries();
    in_order();
    constants();
    sweeps();
    conduct();
    disturbances();
    left_behind();
    rejections();
    references();
    limited();
    empty();
    broken();
    process();
    passed_on();
    slow_judge_close(&j);
    return tap_done();
}
