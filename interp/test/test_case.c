/* test_case.c - case files: reading, expansion, making, expectations.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Names, values and classes are those that spec/case-format.md gives.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interp/case/case.h"
#include "interp/program/attribute.h"
#include "interp/program/op_table.h"
#include "interp/test/tap.h"

static struct arena arena = ARENA_INIT;
static struct limits limits = LIMITS_DEFAULT;
static char path[] = "/tmp/test_case_XXXXXX";

/* Read text as the file "f". */
static struct case_file *read_text(const char *text, struct status *st)
{
    FILE *f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
    struct case_file *file = NULL;
    *st = (struct status){STATUS_OK};
    return case_file_read(&arena, path, "f", &limits, &file, st) ? file : NULL;
}

/* A computation that adds, so that the program is one of a file of Add. */
#define ADDS \
    "\"k\": {\"parameters\": [\"f32[]\"], \"body\": [\"a = Add(p0, p0)\"], " \
    "\"result\": \"a\"}"

/* A program has the operation of its file. */
static const char *with_head(const char *cases)
{
    static const char *const others[] = {"Neg", "Call", "Tuple"};
    const char *op = "Add";
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strstr(cases, arena_printf(&arena, "\"op\": \"%s\"", others[i])))
            op = others[i];
    return arena_printf(&arena,
                        "{\"format\": \"assay-case/1\", \"op\": \"%s\",\n"
                        "\"cases\": [%s]}",
                        op, cases);
}

static struct case_file *good(const char *cases)
{
    struct status st;
    struct case_file *f = read_text(with_head(cases), &st);
    if (!OK(f != NULL, "%.60s is read: %s %s", cases,
            st.member ? st.member : "", st.text))
        exit(tap_done());
    return f;
}

/* The file is refused at a pointer, with a text. */
static void bad_file(const char *text, const char *member, const char *part)
{
    struct status st;
    OK(!read_text(text, &st), "refused: %s", part);
    EQ_INT(st.code, STATUS_INPUT, "as a mistake in the file");
    EQ_STR(st.member ? st.member : "", member, "at its place");
    OK(strstr(st.text, part) != NULL, "'%s' has '%s'", st.text, part);
    OK(st.path && st.line > 0 && st.column > 0, "and position");
}

static void bad(const char *cases, const char *member, const char *part)
{
    bad_file(with_head(cases), member, part);
}

static bool make(const struct case_file *f, int i, struct test_case **t,
                 struct status *st)
{
    *st = (struct status){STATUS_OK};
    return case_make(&arena, &f->stubs[i], NULL, &limits, t, st);
}

static struct test_case *made(const char *cases)
{
    struct status st;
    struct test_case *t = NULL;
    bool fine = make(good(cases), 0, &t, &st);
    if (!OK(fine, "%.60s is made: %s %s", cases, st.member ? st.member : "",
            st.text))
        exit(tap_done());
    return t;
}

/* The file is read, and its first case cannot be made. */
static void unmade(const char *cases, const char *member, const char *part)
{
    struct status st;
    struct test_case *t;
    OK(!make(good(cases), 0, &t, &st), "not made: %s", part);
    EQ_INT(st.code,
           strncmp(st.text, "limit: ", 7) == 0 ? STATUS_SYSTEM : STATUS_INPUT,
           "a mistake in the case, or a limit");
    EQ_STR(st.member ? st.member : "", member, "at its place");
    OK(strstr(st.text, part) != NULL, "'%s' has '%s'", st.text, part);
}

static void rejected(const char *cases, enum code code, const char *member,
                     const char *part)
{
    struct test_case *t = made(cases);
    const struct status *why = &t->rejection;
    OK(t->rejected, "rejected: %s", part);
    EQ_STR(status_name(why->code), status_name(code), "class");
    EQ_STR(why->member ? why->member : "", member, "at its place");
    OK(strstr(why->text, part) != NULL, "'%s' has '%s'", why->text, part);
}

#define CASE "{\"id\": \"a\", \"why\": \"w\", "
#define PAIR(T) \
    "\"inputs\": [{\"shape\": \"" T "\", \"splat\": 1}, " \
    "{\"shape\": \"" T "\", \"splat\": 2}]"
#define ENTRY(B) \
    "\"module\": {\"entry\": \"m\", \"computations\": {\"m\": " \
    "{\"parameters\": [\"f32[2]\", \"f32[2]\"], \"body\": [" B \
    "], \"result\": \"r\"}}}, " PAIR("f32[2]")

/* ---- Expansion ----------------------------------------------------------- */

static void check_names(void)
{
    struct case_file *f = good(
        CASE "\"each\": {\"T\": [\"f32\", \"s8\"], \"N\": [1, 17]}}, "
             "{\"id\": \"b\", \"why\": \"w\", \"each\": [{\"P\": [1], \"B\": "
             "true}, {\"B\": false, \"P\": {\"x\": 1}}]}, "
             "{\"id\": \"c\", \"why\": \"w\"}");
    static const char *const names[] = {
        "f/a@T=f32,N=1",  "f/a@T=f32,N=17",  "f/a@T=s8,N=1", "f/a@T=s8,N=17",
        "f/b@P=0,B=true", "f/b@P=1,B=false", "f/c"};
    EQ_INT(f->stub_count, 7, "4 + 2 + 1 cases");
    for (int i = 0; i < f->stub_count; i++)
        EQ_STR(f->stubs[i].name, names[i], "name");
    EQ_STR(f->op, "Add", "operation");
    EQ_INT(f->stubs[1].binding_count, 2, "two variables");
    EQ_STR(f->stubs[1].values[1]->text, "17", "its value");
}

static void check_substitution(void)
{
    struct case_file *f =
        good(CASE "\"each\": {\"T\": [\"f32\"], \"TT\": [\"s8\"], \"N\": [2], "
                  "\"D\": [[1, 2]], \"W\": [\"no\"]}, \"inputs\": [{\"shape\": "
                  "\"$T[$N]\", \"data\": \"$D\"}, {\"shape\": \"$TT[$N]\", "
                  "\"data\": [3, \"$N\"]}]}");
    struct status st;
    struct test_case *t;
    if (!OK(make(f, 0, &t, &st), "made: %s", st.text))
        return;
    EQ_STR(shape_text(&arena, t->inputs[0][0]->shape), "f32[2]", "$T[$N]");
    EQ_STR(shape_text(&arena, t->inputs[0][1]->shape), "s8[2]",
           "the longest name wins");
    EQ_INT(literal_get(t->inputs[0][0], 1), 0x40000000, "a list as a value");
    EQ_INT(literal_get(t->inputs[0][1], 1), 2, "a number as a value");
    OK(t->rejected && t->rejection.code == STATUS_TYPE, "f32 + s8");
    unmade(CASE "\"each\": {\"D\": [[1]]}, \"inputs\": [{\"shape\": "
                "\"f32[$D]\", \"splat\": 1}]}",
           "/cases/0/inputs/0/shape", "cannot be part of");
    unmade(CASE "\"each\": {\"T\": [\"f33\"]}, \"inputs\": [{\"shape\": "
                "\"$T[]\", \"data\": 1}]}",
           "/cases/0/inputs/0/shape", "f33");
    unmade(CASE "\"each\": {\"I\": [3]}, \"inputs\": \"$I\"}",
           "/cases/0/inputs", "expected a list");
}

static void check_expansion_errors(void)
{
    bad(CASE "\"each\": {}}", "/cases/0/each",
        "expected at least one variable");
    bad(CASE "\"each\": {\"T\": []}}", "/cases/0/each/T", "empty");
    bad(CASE "\"each\": []}", "/cases/0/each", "empty");
    bad(CASE "\"each\": 3}", "/cases/0/each", "object or a list");
    bad(CASE "\"each\": {\"a b\": [1]}}", "/cases/0/each/a b",
        "not a variable name");
    bad(CASE "\"each\": {\"T\": [\"a b\"]}}", "/cases/0/each/T/0", "blank");
    bad(CASE "\"each\": {\"T\": [1, 1]}}", "/cases/0/each", "f/a@T=1");
    bad(CASE "\"each\": {\"T\": [1, \"1\"]}}", "/cases/0/each",
        "duplicate case name");
    bad(CASE "\"each\": [{\"T\": 1}, {\"U\": 1}]}", "/cases/0/each/1/U",
        "lacks 'U'");
    bad(CASE "\"each\": [{\"T\": 1, \"U\": 2}, {\"U\": 1}]}", "/cases/0/each/1",
        "2 variables");
    bad(CASE "\"x\": 1}", "/cases/0/x", "unknown member 'x'");
    bad(CASE "\"input\": []}", "/cases/0/input", "(nearest: 'inputs')");
    bad(CASE "\"profile\": 1}, " CASE "\"profile\": \"x\"}", "/cases/0/profile",
        "a string");
    bad(CASE "\"profile\": \"x\"}, " CASE "\"profile\": \"x\"}", "/cases/1/id",
        "duplicate case name");
    limits.file_cases = 99;
    bad(CASE "\"each\": {\"A\": [1,2,3,4,5,6,7,8,9,10], \"B\": "
             "[1,2,3,4,5,6,7,8,9,10]}}",
        "/cases/0", "more than 99 cases");
    limits.file_cases = 100;
    EQ_INT(good(CASE "\"each\": {\"A\": [1,2,3,4,5,6,7,8,9,10], \"B\": "
                     "[1,2,3,4,5,6,7,8,9,10]}}")
               ->stub_count,
           100, "the limit itself");
    limits.file_cases = 1000000;
    /* 2^62 combinations must neither overflow nor be tried. */
    const char *many = "{\"id\": \"a\", \"why\": \"w\", \"each\": {\"V0\": [0]";
    for (int i = 1; i < 16; i++)
        many = arena_printf(&arena,
                            "%s, \"V%d\": "
                            "[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]",
                            many, i);
    bad(arena_printf(&arena, "%s}}", many), "/cases/0", "more than 1000000");
}

/* ---- Files --------------------------------------------------------------- */

static void check_files(void)
{
    bad_file("[]", "", "expected an object");
    bad_file("{\"op\": \"Add\"}", "", "lacks 'format'");
    bad_file("{\"format\": \"assay-case/2\"}", "/format", "assay-case/1");
    bad_file("{\"format\": \"assay-case/1\", \"op\": \"add\", \"cases\": []}",
             "/op", "unknown operation 'add'");
    bad_file("{\"format\": \"assay-case/1\", \"op\": \"Add\", \"cases\": []}",
             "/cases", "empty");
    bad_file("{\"format\": \"assay-case/1\", \"op\": \"Add\", \"op\": \"Sub\"}",
             "/op", "duplicate member 'op'");
    struct status st;
    OK(!read_text("", &st) && st.code == STATUS_INPUT, "an empty file");
    OK(!read_text(with_head("{\"id\": \"a\""), &st) && st.code == STATUS_INPUT
           && st.line == 2,
       "a truncated file: %s", st.text);
    char *deep = arena_alloc(&arena, 200001);
    memset(deep, '[', 200000);
    OK(!read_text(deep, &st) && st.code == STATUS_INPUT, "deep nesting: %s",
       st.text);
    /* Every prefix of a good file is refused, and none is read too far. */
    const char *whole = with_head(CASE PAIR("f32[2]") "}");
    int accepted = 0;
    for (size_t n = 0; n < strlen(whole); n++)
        accepted +=
            read_text(arena_printf(&arena, "%.*s", (int)n, whole), &st) != NULL;
    EQ_INT(accepted, 0, "no prefix is a case file");
    struct case_file *f;
    st = (struct status){STATUS_OK};
    OK(!case_file_read(&arena, "/nowhere/x.json", "x", &limits, &f, &st)
           && st.code == STATUS_SYSTEM,
       "no such file");
    limits.file_bytes = 20;
    OK(!read_text(whole, &st) && st.code == STATUS_INPUT, "too large: %s",
       st.text);
    limits.file_bytes = 1 << 24;
}

/* ---- Cases --------------------------------------------------------------- */

static void check_single(void)
{
    struct test_case *t = made(
        CASE "\"covers\": [\"Add.value\"], \"policies\": {\"max.nan\": "
             "\"propagate\"}, \"profile\": \"strict\", " PAIR("f32[2]") "}");
    OK(!t->rejected, "accepted");
    EQ_STR(t->name, "f/a", "name");
    EQ_STR(t->why, "w", "why");
    EQ_STR(t->covers[0], "Add.value", "covers");
    EQ_STR(t->profile, "strict", "profile");
    OK(t->policies != NULL, "policies");
    EQ_INT(t->input_count, 2, "two inputs");
    EQ_INT(t->replicas, 1, "one replica");
    EQ_STR(shape_text(&arena, t->program->entry->result), "f32[2]", "result");
    EQ_INT(t->program->entry->parameter_count, 2, "two parameters");
    EQ_INT(t->expect_count, 0, "nothing is expected");

    struct status st;
    struct case_file *f = good(CASE PAIR("f32[2]") "}");
    OK(case_make(&arena, &f->stubs[0], "constant", &limits, &t, &st),
       "as constants");
    EQ_STR(t->name, "f/a#constant", "with the name of the form");
    EQ_INT(t->input_count, 2, "what must be computed has its inputs");
    EQ_INT(t->written->input_count, 0, "a backend gets none");
    EQ_INT(t->written->program->entry->parameter_count, 0, "no parameters");
    EQ_STR(t->written->program->entry->instructions[0]->op->name, "Constant",
           "but constants");
    f = good(CASE ENTRY("{\"name\": \"r\", \"op\": \"Add\", \"operands\": "
                        "[\"p0\", \"p1\"]}") "}");
    OK(case_make(&arena, &f->stubs[0], "constant", &limits, &t, &st)
           && t->written->program->entry->parameter_count == 0,
       "a module with constants");
    st = (struct status){STATUS_OK};
    OK(!case_make(&arena, &f->stubs[0], "constnat", &limits, &t, &st)
           && strstr(st.text, "constant"),
       "a form that is not known: %s", st.text);
}

static void check_rejected(void)
{
    rejected(CASE "\"inputs\": [{\"shape\": \"f32[2]\", \"splat\": 1}, "
                  "{\"shape\": \"f32[3]\", \"splat\": 1}], \"expect\": "
                  "{\"error\": [\"shape\", \"type\"]}}",
             STATUS_SHAPE, "/cases/0", "");
    rejected(CASE "\"inputs\": [{\"shape\": \"f32[2]\", \"splat\": 1}]}",
             STATUS_STRUCTURE, "/cases/0", "operands");
    rejected(CASE
             "\"attributes\": {\"broadcasting\": \"jax\"}, " PAIR("f32[]") "}",
             STATUS_ATTRIBUTE, "/cases/0/attributes/broadcasting", "jax");
    unmade(CASE "\"attributes\": {\"broadcast\": \"jax\"}, " PAIR("f32[]") "}",
           "/cases/0/attributes/broadcast", "unknown member");
    unmade(CASE
           "\"attributes\": {\"broadcast_dimensions\": 0}, " PAIR("f32[]") "}",
           "/cases/0/attributes/broadcast_dimensions", "list");
    unmade(CASE "\"attributes\": {\"broadcast_dimensions\": "
                "[99999999999999999999]}, " PAIR("f32[]") "}",
           "/cases/0/attributes/broadcast_dimensions/0", "64-bit");
    struct test_case *t =
        made(CASE PAIR("f32[]") ", \"expect\": {\"error\": \"type\"}}");
    OK(!t->rejected && t->error_count == 1 && t->errors[0] == STATUS_TYPE,
       "an error that does not come");
    unmade(CASE PAIR("f32[]") ", \"expect\": {\"error\": \"rank\"}}",
           "/cases/0/expect/error", "rank");
    unmade(
        CASE PAIR("f32[]") ", \"expect\": {\"error\": [\"type\", \"type\"]}}",
        "/cases/0/expect/error/1", "duplicate 'type'");
    unmade(CASE "\"inputs\": [{\"shape\": \"f32[99999999999]\", \"splat\": "
                "1}]}",
           "/cases/0/inputs/0/shape", "");
    unmade(CASE "\"inputs\": [{\"shape\": \"f32[2]\", \"data\": [1, 2, 3]}]}",
           "/cases/0/inputs/0/data", "");
    unmade(CASE "\"inputs\": [{\"shape\": \"f32[1]\", \"data\": [0.1]}]}",
           "/cases/0/inputs/0/data/0", "");
}

static void check_modules(void)
{
    struct test_case *t = made(
        CASE ENTRY("{\"name\": \"r\", \"op\": \"Mul\", \"operands\": [\"a\", "
                   "\"p1\"]}, {\"name\": \"a\", \"op\": \"Add\", "
                   "\"operands\": [\"p0\", \"p0\"]}") "}");
    const struct computation *c = t->program->entry;
    OK(!t->rejected, "in any order: %s", t->rejection.text);
    EQ_INT(c->count, 4, "two parameters, two instructions");
    EQ_STR(c->instructions[2]->op->name, "Add", "operands come first");
    EQ_STR(c->instructions[c->root]->op->name, "Mul", "the result");
    rejected(CASE ENTRY("{\"name\": \"r\", \"op\": \"Add\", \"operands\": "
                        "[\"p0\", \"s\"]}, {\"name\": \"s\", \"op\": \"Add\", "
                        "\"operands\": [\"r\", \"p0\"]}") "}",
             STATUS_STRUCTURE, "/cases/0/module/computations/m/body/1",
             "itself");
    rejected(CASE ENTRY("{\"name\": \"r\", \"op\": \"Add\", \"operands\": "
                        "[\"p0\", \"x\"]}") "}",
             STATUS_STRUCTURE,
             "/cases/0/module/computations/m/body/0/operands/1", "'x'");
    rejected(CASE ENTRY("{\"name\": \"r\", \"op\": \"Add\", \"operands\": "
                        "[\"p0\", \"p2\"]}") "}",
             STATUS_STRUCTURE,
             "/cases/0/module/computations/m/body/0/operands/1", "'p2'");
    rejected(CASE ENTRY("{\"name\": \"x\", \"op\": \"Neg\", \"operands\": "
                        "[\"p0\"]}") "}",
             STATUS_STRUCTURE, "/cases/0/module/computations/m/result", "'r'");
    unmade(CASE ENTRY("{\"name\": \"r\", \"op\": \"Neg\"}, {\"name\": \"r\", "
                      "\"op\": \"Neg\"}") "}",
           "/cases/0/module/computations/m/body/1/name",
           "duplicate instruction");
    bad(CASE ENTRY("{\"name\": \"p9\", \"op\": \"Neg\"}") "}",
        "/cases/0/module/computations/m/body/0/name", "reserved");
    bad(CASE ENTRY("{\"name\": \"r\", \"op\": \"Negate\"}") "}",
        "/cases/0/module/computations/m/body/0/op", "Negate");
    unmade(CASE "\"module\": {\"entry\": \"m\", \"computations\": {" ADDS "}}}",
           "/cases/0/module/entry", "no computation");
    unmade(CASE "\"module\": {\"entry\": \"m\", \"computations\": {" ADDS
                ", \"m\": "
                "{\"parameters\": [\"f32[3]\", \"f32[2]\"], \"body\": [], "
                "\"result\": \"p0\"}}}, " PAIR("f32[2]") "}",
           "/cases/0/module/computations/m/parameters/0", "f32[2]");
    unmade(CASE
           "\"module\": {\"entry\": \"m\", \"computations\": {" ADDS ", \"m\": "
           "{\"parameters\": [], \"body\": [], \"result\": \"p0\"}}}, " PAIR(
               "f32[2]") "}",
           "/cases/0/module/computations/m/parameters", "2 inputs");
}

/* A program of several operations is filed under the one that it names. */
static void check_own_operations(void)
{
#define NEGATED \
    ENTRY("\"a = Add(p0, p1)\", \"s = Mul(a, p1)\", \"r = Neg(s)\"") "}"
    EQ_STR(made(CASE NEGATED)->op, "Add", "that of the file");
    EQ_STR(made(CASE "\"op\": \"Mul\", " NEGATED)->op, "Mul", "its own");
    bad(CASE "\"op\": \"Sub\", " NEGATED, "/cases/0/op",
        "the module has no Sub");
    bad(CASE "\"op\": \"mul\", " NEGATED, "/cases/0/op",
        "unknown operation 'mul'");
    bad(CASE "\"op\": \"Add\", " PAIR("f32[2]") "}", "/cases/0/op",
        "only a case with a 'module'");
}

/* A chain of n Neg in reverse order, and n computations that call on. */
static void check_long(void)
{
    enum {
        N = 20000
    };
    size_t room = 100 * (size_t)N, n = 0;
    char *text = arena_alloc(&arena, room);
    for (int i = N - 1; i >= 0; i--)
        n += (size_t)snprintf(text + n, room - n,
                              "{\"name\": \"%s%d\", \"op\": \"Neg\", "
                              "\"operands\": [\"%s%d\"]}%s",
                              i == N - 1 ? "r" : "x", i == N - 1 ? 0 : i,
                              i ? "x" : "p", i ? i - 1 : 0, i ? "," : "");
    char *body = strstr(text, "\"r0\"");
    memcpy(body, "\"r\" ", 4);
    struct test_case *t = made(arena_printf(
        &arena,
        CASE "\"module\": {\"entry\": \"m\", \"computations\": {\"m\": "
             "{\"parameters\": [\"f32[2]\"], \"body\": [%s], \"result\": "
             "\"r\"}}}, \"inputs\": [{\"shape\": \"f32[2]\", \"splat\": 1}]}",
        text));
    EQ_INT(t->program ? t->program->entry->count : 0, N + 1,
           "a long chain in reverse");
    n = 0;
    for (int i = 0; i < 1000; i++)
        n += (size_t)snprintf(
            text + n, room - n,
            "%s\"c%d\": {\"parameters\": [\"f32[]\"], \"body\": [{\"name\": "
            "\"r\", \"op\": \"Call\", \"operands\": [\"p0\"], \"attributes\": "
            "{\"computation\": \"c%d\"}}], \"result\": \"r\"}",
            i ? "," : "", i, i + 1);
    if (op_table_find("Call"))
        unmade(arena_printf(&arena,
                            CASE "\"module\": {\"entry\": \"c0\", "
                                 "\"computations\": {%s}}, \"inputs\": "
                                 "[{\"shape\": \"f32[]\", \"data\": 1}]}",
                            text),
               "/cases/0/module/computations/c128", "deeper than 128");
}

static void check_scopes(void)
{
    if (!op_table_find("Reduce"))
        return;
#define BODY(OP) \
    "{\"parameters\": [\"f32[]\", \"f32[]\"], \"body\": " \
    "[{\"name\": \"r\", \"op\": \"" OP "\", \"operands\": " \
    "[\"p0\", \"p1\"]}], \"result\": \"r\"}"
#define REDUCE \
    "\"inputs\": [{\"shape\": \"f32[2]\", \"splat\": 1}, " \
    "{\"shape\": \"f32[]\", \"splat\": 0}], \"attributes\": " \
    "{\"computation\": \"add\", \"dimensions_to_reduce\": [0]}}"
    struct status st;
    struct test_case *t;
    struct case_file *f = read_text(
        "{\"format\": \"assay-case/1\", \"op\": \"Reduce\", \"computations\": "
        "{\"add\": " BODY("Sub") "}, \"cases\": [" CASE REDUCE
                                 ", {\"id\": \"b\", \"why\": \"w\", "
                                 "\"computations\": {\"add\": " BODY(
                                     "Max") "}, " REDUCE "]}",
        &st);
    static const char *const want[] = {"Sub", "Max"};
    for (int i = 0; i < 2; i++) {
        if (!OK(f && make(f, i, &t, &st), "made: %s", st.text))
            return;
        const struct computation *e = t->program->entry;
        const struct attribute *a =
            attribute_find(e->instructions[e->root], ATTRIBUTE_COMPUTATION);
        const struct computation *c = a->computations[0];
        EQ_STR(c->instructions[c->root]->op->name, want[i],
               i ? "the case before the file" : "the file before built-in");
    }
}

static void check_replicas(void)
{
    struct test_case *t =
        made(CASE "\"replicas\": 2, \"inputs\": [[{\"shape\": \"f32[]\", "
                  "\"data\": 1}, {\"shape\": \"f32[]\", \"data\": 2}], "
                  "[{\"shape\": \"f32[]\", \"data\": 3}, {\"shape\": "
                  "\"f32[]\", \"data\": 4}]], \"expect\": [[{\"any\": true}], "
                  "[{\"any\": true}]]}");
    EQ_INT(t->replicas, 2, "two replicas");
    EQ_INT(t->program->replicas, 2, "in the program too");
    EQ_INT(literal_get(t->inputs[1][0], 0), 0x40400000, "replica 1's input");
    OK(t->expect_count == 1 && !t->expect[1][0].value, "any result");
    unmade(CASE "\"replicas\": 2, \"inputs\": [[]]}", "/cases/0/inputs",
           "2 lists");
    unmade(CASE "\"replicas\": 2, \"inputs\": [[], [{\"shape\": \"f32[]\", "
                "\"data\": 1}]]}",
           "/cases/0/inputs/1", "1 inputs");
    unmade(CASE "\"replicas\": 2, \"inputs\": [[{\"shape\": \"f32[]\", "
                "\"data\": 1}], [{\"shape\": \"s32[]\", \"data\": 1}]]}",
           "/cases/0/inputs/1/0", "s32[]");
    unmade(CASE "\"replicas\": 0}", "/cases/0/replicas", "1 to");
    unmade(CASE "\"replicas\": 1e3}", "/cases/0/replicas", "integer");
    unmade(CASE "\"replicas\": 1024, \"partitions\": 2}", "/cases/0",
           "replicas times");
    t = made(CASE
             "\"infeed\": [{\"shape\": \"f32[]\", \"data\": 1}], "
             "\"outfeed\": [{\"shape\": \"f32[]\", \"data\": \"nan\"}], " PAIR(
                 "f32[]") "}");
    EQ_INT(t->infeed_count[0], 1, "one infeed");
    OK(t->outfeed_count[0] == 1 && t->outfeed[0][0].nan[0], "one outfeed");
}

static void check_expect(void)
{
#define TUPLE \
    "{\"name\": \"r\", \"op\": \"Tuple\", \"operands\": [\"p0\", " \
    "\"p1\"]}"
#define TWO "{\"shape\": \"f32[2]\", \"data\": [1, \"nan\"]}"
    struct test_case *t =
        made(CASE ENTRY(TUPLE) ", \"expect\": [" TWO ", {\"any\": true}]}");
    EQ_INT(t->expect_count, 2, "the short form of a tuple");
    OK(t->expect[0][0].nan[1] && !t->expect[0][0].nan[0], "with any NaN");
    OK(!t->expect[0][1].value, "and anything");
    t = made(CASE ENTRY(TUPLE) ", \"expect\": [{\"tuple\": [" TWO
                               ", {\"one_of\": [" TWO ", " TWO "]}]}]}");
    EQ_INT(t->expect_count, 2, "a tuple is taken apart");
    EQ_INT(t->expect[0][1].count, 1, "with an alternative");
    t = made(CASE ENTRY(TUPLE) ", \"expect\": [{\"any\": true}]}");
    OK(t->expect_count == 2 && !t->expect[0][1].value, "any tuple");
    t = made(CASE ENTRY(TUPLE) ", \"expect\": [{\"one_of\": [{\"tuple\": "
                               "[" TWO ", " TWO "]}]}]}");
    EQ_INT(t->expect_count, 1, "whole tuples stay whole");
    unmade(CASE PAIR("f32[2]") ", \"expect\": []}", "/cases/0/expect", "empty");
    unmade(CASE PAIR("f32[2]") ", \"expect\": [1]}", "/cases/0/expect/0", "");
    bad(CASE PAIR("f32[2]") ", \"expect\": 1}", "/cases/0/expect", "");
    bad(CASE PAIR("f32[2]") ", \"expect\": {}}", "/cases/0/expect", "error");
}

int main(void)
{
    int fd = mkstemp(path);
    close(fd);
    check_names();
    check_substitution();
    check_expansion_errors();
    check_files();
    check_single();
    check_rejected();
    check_modules();
    check_own_operations();
    check_long();
    check_scopes();
    check_replicas();
    check_expect();
    unlink(path);
    arena_free(&arena);
    return tap_done();
}
