/* test_place.c - places, and deviations that hold at one only.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Which elements differ is worked out by hand: each case says so.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/case/case.h"
#include "interp/deviation/deviation_judge.h"
#include "interp/deviation/deviation_located.h"
#include "interp/deviation/deviation_run.h"
#include "interp/test/tap.h"

static struct arena arena;
static const struct limits limits = LIMITS_DEFAULT;
static const struct deviation_table *table;
static const struct place_table *places;
static const struct profile *profile;

static struct test_case *case_of(const char *body, const char *form)
{
    /* The operation comes first. */
    size_t n = strcspn(body, ",");
    const char *text =
        arena_printf(&arena,
                     "{\"format\": \"assay-case/1\", %.*s, \"cases\": "
                     "[{\"id\": \"x\", \"covers\": [], \"why\": \"w\"%s}]}",
                     (int)n, body, body + n);
    struct case_file *file;
    struct test_case *made = NULL;
    struct status st = {0};
    if (!OK(case_file_parse(&arena, "row", "row", text, strlen(text), &limits,
                            &file, &st)
                && case_make(&arena, &file->stubs[0], form, &limits, &made, &st)
                && !made->rejected,
            "a case: %s", st.text))
        exit(tap_done());
    return made;
}

/* The elements of the one result that differ, as "-x--"; what the program as it
 * is written gives. */
static const char *differing(const struct test_case *c, const char *name,
                             int64_t execution)
{
    const struct test_case *w = c->written;
    struct deviation_use use;
    struct status st = {0};
    struct outcome out, right;
    struct machine m = {.program = w->program,
                        .profile = profile,
                        .limits = &limits,
                        .replicas = 1};
    struct literal *const *const *inputs =
        (struct literal *const *const *)w->inputs;
    struct machine plain = m;
    if (!OK(deviation_find(&arena, table, name, &use, &st), "%s: known %s",
            name, st.text)
        || !OK(evaluate_program(&arena, &plain, inputs, &right, &st),
               "the right result %s", st.text))
        return "";
    use.execution = execution;
    if (!deviation_run(&arena, &use, &m, inputs, &out, &st))
        return "none";
    int64_t n = literal_units(right.value);
    char *text = arena_alloc(&arena, (size_t)n + 1);
    for (int64_t i = 0; i < n; i++)
        text[i] = literal_get(right.value, i) == literal_get(out.value, i)
                      ? '-'
                      : 'x';
    text[n] = '\0';
    return text;
}

static void check(const char *body, const char *form, const char *name,
                  const char *want)
{
    EQ_STR(differing(case_of(body, form), name, 1), want, "%s%s%s", name,
           form ? " in " : "", form ? form : "");
}

#define INPUT(shape, data) "{\"shape\": \"" shape "\", \"data\": [" data "]}"
#define ADD(a, b)          "\"op\": \"Add\", \"inputs\": [" a ", " b "]"

static const char nine[] = ADD(
    INPUT("f32[9]", "1, 2, 3, 4, 5, \"nan\", \"inf\", \"-0\", \"0x1p-140\""),
    INPUT("f32[9]", "1, 1, 1, 1, 1, 1, 1, \"-0\", \"0x1p-141\""));
static const char two[] = ADD(INPUT("f32[2,2]", "[1, 2], [3, 4]"),
                              INPUT("f32[2,2]", "[1, 1], [1, 1]"));
static const char beside[] =
    ADD(INPUT("f32[2]", "1, 2"), "{\"shape\": \"f32[]\", \"data\": 3}");

static void check_elements(void)
{
    check(nine, NULL, "memory.zeros", "xxxxxxxxx");
    check(nine, NULL, "memory.zeros@remainder-8", "--------x");
    check(nine, NULL, "memory.zeros@remainder-16", "---------");
    check(nine, NULL, "memory.zeros@nan", "-----x---");
    check(nine, NULL, "memory.zeros@infinity", "------x--");
    check(nine, NULL, "memory.zeros@negative-zero", "-------x-");
    check(nine, NULL, "memory.zeros@subnormal", "--------x");
    check(nine, NULL, "operand.negated(lhs)@subnormal", "--------x");
    check(nine, NULL, "results.zero-sign@negative-zero", "-------x-");
    check(nine, NULL, "results.zero-sign@nan", "---------");
    check(two, NULL, "memory.zeros@later-batch", "--xx");
    check(two, NULL, "operand.zero(rhs)@later-batch", "--xx");
    check(ADD(INPUT("s32[3]", "16777217, 16777216, 5"),
              INPUT("s32[3]", "0, 1, 2147483642")),
          NULL, "operand.zero(lhs)@awkward", "xx-");
    check(ADD(INPUT("s32[3]", "16777217, 16777216, 5"),
              INPUT("s32[3]", "0, 1, 2147483642")),
          NULL, "operand.zero(lhs)@extreme", "--x");
}

static void check_instructions(void)
{
    check(nine, NULL, "memory.zeros@rank-1", "xxxxxxxxx");
    check(nine, NULL, "memory.zeros@rank-2", "none");
    check(two, NULL, "memory.zeros@rank-2", "xxxx");
    check(beside, NULL, "operand.zero(lhs)@scalar-operand", "xx");
    check(two, NULL, "operand.zero(lhs)@scalar-operand", "none");
    check(nine, NULL, "memory.zeros@long-1024", "none");
    check(two, NULL, "memory.zeros@constant-operand", "none");
    check(two, "constant", "memory.zeros@constant-operand", "xxxx");
    check(two, "called", "operand.zero(lhs)@in-call", "xxxx");
    check(two, "called", "operand.zero(lhs)@in-loop", "none");
    check(two, "taken", "operand.zero(lhs)@in-branch", "xxxx");
    /* A float, as the loop counts with Add. */
    check(nine, "loop-3", "results.nan-dropped@in-loop", "-----x---");
    check(nine, "loop-3", "results.nan-dropped@in-call", "none");
    check(two, "mapped", "operand.zero(lhs)@in-map", "xxxx");
    check(two, NULL, "operand.zero(lhs)@in-map", "none");
    check(two, "reversed", "operand.zero(lhs)@behind-producer", "xxxx");
    check(two, NULL, "operand.zero(lhs)@behind-producer", "none");
    check(two, "then-reversed", "operand.zero(lhs)@before-consumer", "xxxx");
    check(two, "then-reversed", "operand.zero(lhs)@in-call", "none");
    /* Other instructions have the place, too: Rev of a matrix. */
    check(two, "then-reversed", "memory.zeros@before-consumer", "xxxx");
    check(two, NULL, "memory.zeros@second-execution", "none");
    EQ_STR(differing(case_of(two, NULL), "memory.zeros@second-execution", 2),
           "xxxx", "the second execution");
}

enum {
    DEPTH = 48 /* 2^48 chains of calls */
};

/* Each computation calls the next one twice: a search outwards enters each one
 * once, not once for each chain. */
static void check_chains(void)
{
    const char *text = "";
    for (int i = 0; i < DEPTH; i++) {
        const char *call =
            i + 1 < DEPTH
                ? arena_printf(&arena, "Call(p0) {computation = c%d}", i + 1)
                : "Neg(p0)";
        text =
            arena_printf(&arena,
                         "%s%s\"c%d\": {\"parameters\": [\"f32[]\"], \"body\": "
                         "[\"a = %s\", \"b = %s\", \"r = Add(a, b)\"], "
                         "\"result\": \"r\"}",
                         text, i ? ", " : "", i, call, call);
    }
    const struct test_case *c = case_of(
        arena_printf(&arena,
                     "\"op\": \"Call\", \"inputs\": [{\"shape\": "
                     "\"f32[]\", \"data\": 1}], \"module\": {\"entry\": "
                     "\"c0\", \"computations\": {%s}}",
                     text),
        NULL);
    const struct computation *last = NULL;
    for (int i = 0; i < c->program->computation_count; i++)
        if (c->program->computations[i]->count == 4
            && strcmp(c->program->computations[i]->instructions[1]->op->name,
                      "Neg")
                   == 0)
            last = c->program->computations[i];
    if (!OK(last != NULL, "the computation that all chains lead to"))
        return;
    const struct place_at at = {.program = c->program,
                                .computation = last,
                                .in = last->instructions[3]};
    const struct place *call, *loop;
    struct status st = {0};
    OK(place_find(places, "in-call", &call, &st)
           && place_find(places, "in-loop", &loop, &st),
       "places inside %s", st.text);
    uint64_t found = place_of_instruction(places, &at);
    OK(place_is_step(places, c->program, last), "it is part of the program");
    OK(found >> call->number & 1, "it is in a call");
    OK(!(found >> loop->number & 1), "and in no loop");
}

/* One evaluation gives the same as judging what each place gives. */
static void check_judged(const char *body, const char *form, const char *name)
{
    struct test_case *c = case_of(body, form);
    struct judge_reference plain;
    struct status st = {0};
    struct deviation_use use;
    struct deviation_located at;
    struct deviation_shared shared = {0};
    struct deviation_places found = {.wanted = UINT64_MAX};
    const char *policy;
    struct judge_value by = {.arena = &arena,
                             .mode = {.profile = profile, .limits = &limits},
                             .made = c,
                             .plain = &plain};
    if (!OK(judge_reference(&arena, c, &by.mode, &plain, &st)
                && deviation_find(&arena, table, name, &use, &st)
                && deviation_located_at(&arena, c, plain.outcomes[0].value, &at,
                                        &st),
            "%s: places of the case %s", name, st.text))
        return;
    deviation_located_judge(&by, &shared, &use, &at, &found, &policy);
    for (int i = 0; i < places->count; i++) {
        /* What the program that a backend gets returns is judged by the case's
         * own rule, since a form leaves results as they are. */
        const char *full =
            arena_printf(&arena, "%s@%s", name, places->rows[i].id);
        struct test_case *written = arena_new(&arena, struct test_case, 1);
        struct judge_value of = by;
        struct judge_reference own;
        *written = *c->written;
        written->written = written;
        of.made = written;
        of.plain = &own;
        if (!OK(deviation_find(&arena, table, full, &use, &st)
                    && judge_reference(&arena, written, &by.mode, &own, &st),
                "%s: known %s", full, st.text))
            return;
        enum deviation_result r = deviation_judge(&of, &use, &policy, NULL);
        EQ_INT(found.differs >> i & 1, r > DEVIATION_SAME, "%s differs", full);
        EQ_INT(found.rejected >> i & 1, r == DEVIATION_REJECTED,
               "%s is rejected", full);
    }
    deviation_run_free(&shared);
}

static void refuse_table(const char *row, const char *part)
{
    const char *text = arena_printf(
        &arena, "{\"format\": \"assay-places/1\", \"places\": [%s]}", row);
    const struct json *root;
    struct place_table t = {0};
    struct status st = {0};
    OK(json_parse(&arena, "t", text, strlen(text), &root, &st)
           && !place_parse(&arena, root, &t, &st) && st.code == STATUS_INPUT
           && strstr(st.text, part),
       "a table is refused: %s", st.text);
}

#define ROW "{\"id\": \"a\", \"text\": \"t\", \"phrase\": \"p\""

int main(void)
{
    struct status st = {0};
    if (!OK(deviation_read(&arena, &table, &st) && place_read(&places, &st)
                && profile_load(&arena, "spec", &profile, &st),
            "the tables: %s", st.text))
        return tap_done();
    check_elements();
    check_instructions();
    check_chains();
    check_judged(nine, NULL, "memory.zeros");
    check_judged(nine, NULL, "results.zero-sign");
    check_judged(nine, NULL, "results.flushed");
    check_judged(two, "constant", "operand.zero(lhs)");
    check_judged(beside, NULL, "operand.negated(rhs)");
    check_judged(nine, "loop-3", "results.nan-dropped");
    check_judged(
        "\"op\": \"Sort\", \"attributes\": {\"comparator\": "
        "\"lt\", \"dimension\": 0, \"is_stable\": true}, "
        "\"inputs\": [" INPUT("f32[3,2]", "[3, 1], [2, 5], [1, 0]") "]",
        NULL, "memory.reversed");
    refuse_table(ROW "}", "expected one member that says where");
    refuse_table(ROW ", \"longer\": 1, \"batch\": \"later\"}",
                 "expected one member that says where");
    refuse_table(ROW ", \"operand\": \"scaler\"}",
                 "'scaler', expected scalar or constant");
    refuse_table(ROW ", \"inside\": \"Wile\"}", "unknown operation 'Wile'");
    refuse_table(ROW ", \"values\": [\"na\"]}", "unknown class of values 'na'");
    refuse_table(ROW ", \"rank\": [1]}", "expected the least and largest rank");
    refuse_table(ROW ", \"longer\": 0}", "expected a positive number");
    refuse_table("{\"id\": \"a\", \"text\": \"t\", \"longer\": 1}",
                 "member 'phrase' is missing");
    refuse_table(ROW ", \"longer\": 1}, " ROW ", \"longer\": 2}",
                 "duplicate place 'a'");
    arena_free(&arena);
    return tap_done();
}
