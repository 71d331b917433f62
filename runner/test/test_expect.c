/* test_expect.c - expectations: reading, matching, statuses, sizes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interp/base/text.h"
#include "interp/exact/real.h"
#include "interp/test/tap.h"
#include "runner/plan/expect.h"

static bool read_bytes(struct arena *a, const char *text, size_t length,
                       struct expect *e, struct status *st)
{
    char path[] = "/tmp/assay-expect-XXXXXX";
    int fd = mkstemp(path);
    FILE *f = fdopen(fd, "w");
    fwrite(text, 1, length, f);
    fclose(f);
    bool ok = expect_read(a, arena_text(a, path), e, st);
    unlink(path);
    return ok;
}

static bool read_text(struct arena *a, const char *text, struct expect *e,
                      struct status *st)
{
    return read_bytes(a, text, strlen(text), e, st);
}

static void refused(struct arena *a, const char *text, unsigned line,
                    const char *what)
{
    struct expect e;
    struct status st = {0};
    OK(!read_text(a, text, &e, &st), "%s is refused", what);
    EQ_INT(st.code, STATUS_INPUT, "as input");
    EQ_INT(st.line, line, "with its line");
}

static enum verdict_status ends(struct expect *e, const char *name,
                                enum verdict_status status)
{
    const struct expect_line *line;
    const struct expect_found found = {.status = status};
    return expect_apply(e, name, &found, &line);
}

/* A fail of a unit that is that many millionths of an ulp off. */
static enum verdict_status fails(struct expect *e, const char *name,
                                 enum verdict_nature nature, int64_t size)
{
    const struct expect_line *line;
    struct expect_found found = {.status = VERDICT_FAIL};
    expect_found_unit(&found, nature, size, size);
    return expect_apply(e, name, &found, &line);
}

static void test_sizes(struct arena *a)
{
    struct expect e;
    struct status st = {0};
    OK(read_text(a,
                 "fail<=2.5 Tan/x rounds twice\n"
                 "crash,fail<=999999999999.999999? Tan/y much\n",
                 &e, &st),
       "sizes are read");
    EQ_INT(fails(&e, "Tan/x", VERDICT_NATURE_ERROR, -2500000), VERDICT_XFAIL,
           "as far off as expected, on either side");
    EQ_INT(fails(&e, "Tan/x", VERDICT_NATURE_ERROR, 2500001), VERDICT_FAIL,
           "a larger error is a new failure");
    EQ_INT(fails(&e, "Tan/x", VERDICT_NATURE_SPECIAL, 0), VERDICT_FAIL,
           "and so is a failure of another nature");
    EQ_INT(fails(&e, "Tan/y", VERDICT_NATURE_ERROR, REAL_ERROR_MAX - 1),
           VERDICT_XFAIL, "the largest size");
    EQ_INT(fails(&e, "Tan/y", VERDICT_NATURE_ERROR, REAL_ERROR_MAX),
           VERDICT_FAIL, "what is not measured is beyond it");
    EQ_INT(ends(&e, "Tan/y", VERDICT_CRASH), VERDICT_XFAIL,
           "a status beside a size");
    refused(a, "crash<=2 Tan/x y\n", 1, "a size of a crash");
    refused(a, "fail<= Tan/x y\n", 1, "no size");
    refused(a, "fail<=-1 Tan/x y\n", 1, "a negative size");
    refused(a, "fail<=1e3 Tan/x y\n", 1, "an exponent");
    refused(a, "fail<=0.0000001 Tan/x y\n", 1, "seven decimals");
    refused(a, "fail<=9999999999999999999 Tan/x y\n", 1, "too large a size");
    OK(!read_text(a, "fail<=1000000000000 Tan/x y\n", &e, &st)
           && strstr(st.text, "not measured"),
       "a size that bounds nothing (%s)", st.text);
}

#define ENTRY(members) \
    "{\"format\": \"assay-expectations/1\", \"expect\": [\n" \
    "{\"pattern\": \"Tan/*\", \"reason\": \"r\", " members "}]}"

static void test_json(struct arena *a)
{
    struct expect e;
    struct status st = {0};
    OK(read_text(a,
                 ENTRY("\"kind\": \"fail\","
                       "\"nature\": \"error,zero-sign\", \"ulps\": 3.5"),
                 &e, &st),
       "an entry with natures and a size");
    EQ_INT(fails(&e, "Tan/x", VERDICT_NATURE_ZERO, 0), VERDICT_XFAIL,
           "one of two natures");
    EQ_INT(fails(&e, "Tan/x", VERDICT_NATURE_ERROR, 3500000), VERDICT_XFAIL,
           "the other one");
    EQ_INT(fails(&e, "Tan/x", VERDICT_NATURE_ERROR, 3500001), VERDICT_FAIL,
           "the other one, too large");
    EQ_INT(fails(&e, "Tan/x", VERDICT_NATURE_NAN, 0), VERDICT_FAIL, "a third");
    OK(read_text(a, ENTRY("\"kind\": \"fail\", \"bounds\": 2"), &e, &st),
       "an entry with a size in bounds");
    EQ_INT(fails(&e, "Tan/x", VERDICT_NATURE_SUM, 2000000), VERDICT_XFAIL,
           "which says the nature as well");
    EQ_INT(fails(&e, "Tan/x", VERDICT_NATURE_SUM, 2000001), VERDICT_FAIL,
           "a sum that is further off");
    EQ_INT(fails(&e, "Tan/x", VERDICT_NATURE_ERROR, 1), VERDICT_FAIL,
           "an error in ulps is another nature");
    refused(a, ENTRY("\"kind\": \"fail\", \"nature\": \"error,\""), 2,
            "an unknown nature");
    OK(!read_text(a, ENTRY("\"kind\": \"fail\", \"nature\": \"sum,eror\""), &e,
                  &st)
           && strstr(st.text, "unknown nature 'eror' (nearest: 'error')"),
       "the message names it, and the nearest one: %s", st.text);
    refused(a, ENTRY("\"kind\": \"fail\", \"ulps\": \"2\""), 2,
            "a size that is not a number");
    refused(a, ENTRY("\"kind\": \"crash\", \"nature\": \"error\""), 2,
            "the nature of a crash");
    refused(a, ENTRY("\"kind\": \"fail\", \"ulps\": 1000000000000"), 2,
            "a size that bounds nothing");
    refused(a, ENTRY("\"kind\": \"fail\", \"bounds\": 1000000000000.5"), 2,
            "nor does one in bounds");
    OK(read_text(a, ENTRY("\"kind\": \"fail\", \"nature\": \"error\""), &e,
                 &st),
       "an error without a limit");
    EQ_INT(fails(&e, "Tan/x", VERDICT_NATURE_ERROR, REAL_ERROR_MAX),
           VERDICT_XFAIL, "excuses what is not measured");
}

static void test_cause(struct arena *a)
{
    struct expect e;
    struct status st = {0};
    const struct expect_line *line;
    struct expect_found found = {.status = VERDICT_FAIL, .searched = true};
    OK(read_text(a,
                 ENTRY("\"kind\": \"fail\","
                       "\"cause\": \"results.nan-dropped\""),
                 &e, &st),
       "an entry with a cause (%s)", st.text);
    EQ_INT(expect_apply(&e, "Tan/x", &found, &line), VERDICT_FAIL,
           "an unexplained failure is another one");
    found.causes[found.cause_count++] = "results.flushed";
    EQ_INT(expect_apply(&e, "Tan/x", &found, &line), VERDICT_FAIL,
           "so is one with another cause");
    OK(line && !expect_explains(line, &found), "which can be told");
    found.searched = false;
    EQ_INT(expect_apply(&e, "Tan/x", &found, &line), VERDICT_XFAIL,
           "unless the search ended early");
    found.searched = true;
    found.causes[found.cause_count++] = "results.nan-dropped";
    EQ_INT(expect_apply(&e, "Tan/x", &found, &line), VERDICT_XFAIL,
           "one of several causes");
    refused(a, ENTRY("\"kind\": \"fail\", \"cause\": \"results.nan\""), 2,
            "an unknown deviation");
    refused(a, ENTRY("\"kind\": \"fail\", \"cause\": 1"), 2,
            "a cause that is not a name");
    refused(a,
            ENTRY("\"kind\": \"crash\","
                  "\"cause\": \"results.nan-dropped\""),
            2, "the cause of a crash");
}

/* By hand. */
static void test_size_texts(struct arena *a)
{
    static const struct {
        int64_t micro;
        const char *text;
    } rows[] = {{0, "0"},
                {1, "0.000001"},
                {1037431, "1.04"},
                {2500000, "2.5"},
                {494894315, "495"},
                {999500000, "1000"},
                {23439864147483, "23500000"},
                {REAL_ERROR_MAX / 1000 * 999, "999000000000"},
                {REAL_ERROR_MAX - 1, "999999999999.999999"}};
    EQ_INT(expect_size_up(REAL_ERROR_MAX), -1, "what is not measured");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t up = expect_size_up(rows[i].micro), back;
        const char *text = expect_size_text(a, up);
        EQ_STR(text, rows[i].text, "rounded up to three digits");
        OK(expect_size_parse(text, strlen(text), &back) && back == up,
           "%s is read back", text);
    }
}

/* Reads an entry of one kind for Exp; more is put behind its reason. */
static bool entry(struct arena *a, const char *pattern, const char *kind,
                  const char *more, struct expect *e, struct status *st)
{
    return read_text(
        a,
        arena_printf(a,
                     "{\"format\": \"assay-expectations/1\", \"expect\": ["
                     "{\"pattern\": \"%s\", \"kind\": \"%s\", "
                     "\"reason\": \"seen\"%s}]}",
                     pattern, kind, more),
        e, st);
}

static void entry_refused(struct arena *a, const char *more, const char *what)
{
    struct expect e;
    struct status st = {0};
    OK(!entry(a, "Exp/x", "fail", more, &e, &st), "%s is refused", what);
    EQ_INT(st.code, STATUS_INPUT, "as input: %s", st.text);
}

static void test_until(struct arena *a)
{
    struct expect e;
    struct status st = {0};
    const struct expect_found found = {.status = VERDICT_FAIL};
    OK(entry(a, "Exp/x", "fail", ", \"until\": \"9999-12-31\"", &e, &st)
           && ends(&e, "Exp/x", VERDICT_FAIL) == VERDICT_XFAIL,
       "a date to come");
    OK(entry(a, "Exp/x", "fail", ", \"until\": \"2020-02-29\"", &e, &st)
           && ends(&e, "Exp/x", VERDICT_FAIL) == VERDICT_FAIL,
       "after its last day an entry excuses nothing");
    EQ_STR(expect_why(a, &e.lines[0], &found), "it expired after 2020-02-29",
           "and says so");
    entry_refused(a, ", \"until\": \"2026-13-01\"", "a month 13");
    entry_refused(a, ", \"until\": \"2026-1-01\"", "a short month");
    entry_refused(a, ", \"until\": \"2026-02-30\"", "30 February");
    entry_refused(a, ", \"until\": \"2026-02-29\"", "no leap year");
    entry_refused(a, ", \"until\": \"2100-02-29\"", "none at a century");
    entry_refused(a, ", \"until\": \"2999-11-31\"", "31 November");
    OK(entry(a, "Exp/x", "fail", ", \"until\": \"2400-02-29\"", &e, &st),
       "but one every 400 years");
    entry_refused(a, ", \"until\": \"tomorrow\"", "a word");
    entry_refused(a, ", \"url\": \"ftp://example.org\"", "another address");
    entry_refused(a, ", \"versions\": []", "a list of no versions");
    entry_refused(a, ", \"versions\": \"1\"", "a version that is no list");
    entry_refused(a, ", \"notes\": \"x\"", "an unknown member");
}

static void test_versions(struct arena *a)
{
    struct expect e;
    struct status st = {0};
    OK(entry(a, "Exp/x", "fail",
             ", \"versions\": [\"1.*\"], \"note\": \"n\","
             " \"url\": \"https://example.org/1\"",
             &e, &st),
       "versions, a note and an address: %s", st.text);
    EQ_INT(ends(&e, "Exp/x", VERDICT_FAIL), VERDICT_XFAIL,
           "an unknown version has every entry");
    e.version = "1.5";
    EQ_INT(ends(&e, "Exp/x", VERDICT_FAIL), VERDICT_XFAIL, "version 1.5");
    e.version = "2.0";
    EQ_INT(ends(&e, "Exp/x", VERDICT_FAIL), VERDICT_FAIL, "not version 2.0");
    EQ_INT(ends(&e, "Exp/x", VERDICT_PASS), VERDICT_PASS,
           "which may be right, too");
}

/* Too many lists in one another, wherever a glob is read. */
static void test_globs(struct arena *a)
{
    static const char deep[] =
        "@(@(@(@(@(@(@(@(@(@(@(@(@(@(@(@(@(@(@(@(@(x)))))))))))))))))))))";
    struct expect e;
    struct status st = {0};
    refused(a, arena_printf(a, "fail Add/x y\nfail %s y\n", deep), 2,
            "a glob of 21 lists in a line");
    OK(!entry(a, deep, "fail", "", &e, &st), "and as a pattern");
    EQ_STR(st.member, "/expect/0/pattern", "at its place");
    entry_refused(a, arena_printf(a, ", \"versions\": [\"%s\"]", deep),
                  "as a version");
}

static void test_complaints(struct arena *a)
{
    static const char nul[] = "fail Add/x y\nfail Add/\0x y\n";
    struct expect e;
    struct status st = {0}, control = {0}, json = {0};
    char line[300];
    OK(!read_bytes(a, nul, sizeof nul - 1, &e, &st), "a NUL byte is refused");
    EQ_STR(st.text, "the line has a NUL byte", "as such");
    EQ_INT(st.line, 2, "in its line");
    OK(!read_text(a, "fa\033[31mil Add/x y\n", &e, &control),
       "control characters in a status");
    EQ_STR(control.text, "not a status that can be expected: fa?[31mil",
           "are not shown");
    OK(!entry(a, "Exp/x", "fa\\u001bil", "", &e, &json), "nor those of JSON");
    EQ_STR(json.text, "not a status that can be expected: fa?il", "are");
    EQ_STR(json.member, "/expect/0/kind", "and the place is the member's");
    json = (struct status){0};
    OK(!entry(a, "Exp/x", "fail", ", \"a\\u001bb\": 1", &e, &json),
       "a member with an unknown name");
    status_line(&json, line, sizeof line);
    OK(!strchr(line, '\033'), "which is cleaned, too: %s", line);
}

static void test_own(void)
{
    EQ_INT(expect_own("killed; last words: x"), 21, "all of it");
    EQ_INT(expect_own("a; not the expectation at f:3: it names b"), 1,
           "without the expectation that it is not");
    EQ_INT(expect_own("ab; exceeds the expectation at f:3"), 2,
           "or that it exceeds");
}

static void test_message(struct arena *a)
{
    struct expect e;
    struct status st = {0};
    const struct expect_line *line;
    char class[TEXT_CLASS + 1];
    struct expect_found found = {.status = VERDICT_CRASH,
                                 .message = "killed by signal 8 (at 0x12)"};
    EQ_STR(text_class(class, found.message), "killed by signal # (at #x#)",
           "numbers differ from case to case");
    OK(entry(a, "Div/*", "crash", ", \"message\": \"killed by signal # (at\"",
             &e, &st),
       "a message: %s", st.text);
    EQ_INT(expect_apply(&e, "Div/x", &found, &line), VERDICT_XFAIL,
           "the crash that is known");
    found.message = "out of memory";
    EQ_INT(expect_apply(&e, "Div/x", &found, &line), VERDICT_CRASH,
           "another crash is new");
    EQ_STR(expect_why(a, line, &found),
           "the message differs from the one that it names", "and says so");
}

/* Of a flake, what its wrong try said counts. */
static void test_flake_message(struct arena *a)
{
    static const struct {
        const char *message;
        enum verdict_status due;
    } of[] = {
        {"wrong at first (outside of [a, b)), then right", VERDICT_XFAIL},
        {"right at first, then wrong: outside of [a, b)", VERDICT_XFAIL},
        {"right at first, then refused: outside of [a, b)", VERDICT_XFAIL},
        {"fail at first (outside of [a, b)), then pass", VERDICT_XFAIL},
        {"fail at first (output 0: unwritten), then pass", VERDICT_FLAKE},
        {"fail at first (unwritten), then fail: outside of [a, b)",
         VERDICT_FLAKE}};
    struct expect e;
    struct status st = {0};
    const struct expect_line *line;
    OK(entry(a, "Rng/x", "fail,flake?", ", \"message\": \"outside of [a\"", &e,
             &st),
       "a message: %s", st.text);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct expect_found found = {.status = VERDICT_FLAKE,
                                     .message = of[i].message};
        EQ_INT(expect_apply(&e, "Rng/x", &found, &line), of[i].due, "%s",
               of[i].message);
    }
}

/* A pattern of several names says what the failure is. */
static void test_wide(struct arena *a)
{
    static const struct {
        const char *pattern, *kind, *more;
        bool wide;
    } rows[] = {{"Exp/x@T=f32", "fail", "", false},
                {"Exp/*", "fail", "", true},
                {"Exp/*", "fail", ", \"nature\": \"special\"", false},
                {"Exp/*", "fail", ", \"nature\": \"error\"", true},
                {"Exp/*=f64*", "fail", ", \"nature\": \"error,special\"", true},
                {"Exp/x*", "fail", ", \"nature\": \"error\"", false},
                {"Exp/*", "fail", ", \"nature\": \"sum\"", true},
                {"Exp/*", "fail", ", \"nature\": \"sum\", \"ulps\": 2", true},
                {"Exp/*", "fail",
                 ", \"nature\": \"error\", \"cause\": \"results.flushed\"",
                 false},
                {"Exp/*", "fail", ", \"ulps\": 2", false},
                {"Exp/*", "fail", ", \"cause\": \"results.flushed\"", false},
                {"Exp/*", "crash", "", true},
                {"Exp/x", "crash", "", false},
                {"Exp/*", "crash", ", \"message\": \"killed\"", true},
                {"E*", "refused", ", \"message\": \"failed\"", true},
                {"*@T=*", "timeout", ", \"message\": \"no\"", true},
                {"Exp/x*", "crash", ", \"message\": \"killed\"", false},
                {"*=s2*", "crash", ", \"message\": \"killed\"", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct expect e;
        struct status st = {0};
        OK(entry(a, rows[i].pattern, rows[i].kind, rows[i].more, &e, &st)
               && (expect_too_wide(&e.lines[0]) != NULL) == rows[i].wide,
           "%s %s%s is %s", rows[i].kind, rows[i].pattern, rows[i].more,
           rows[i].wide ? "too wide" : "not too wide");
    }
}

/* What `make run` uses hides no other kind of failure: tanh errs by two ulps,
 * and does not return 0.5 for everything. */
static void test_native(struct arena *a)
{
    struct status st = {0};
    struct expect e;
    OK(expect_read(a, "runner/backends/native/native.expect", &e, &st)
           && e.count > 0,
       "native's own (%s)", st.text);
    for (int i = 0; i < e.count; i++)
        OK(!expect_too_wide(&e.lines[i]) && e.lines[i].may
               && e.lines[i].natures,
           "%s: narrow, and unsteady", e.lines[i].glob);
    const struct {
        enum verdict_nature nature;
        int64_t error; /* in millionths of an ulp */
        bool due;
    } rows[] = {{VERDICT_NATURE_ERROR, 1842000, true},
                {VERDICT_NATURE_ERROR, INT64_C(1) << 50, false},
                {VERDICT_NATURE_ERROR, 5000000, false},
                {VERDICT_NATURE_SPECIAL, 0, false},
                {VERDICT_NATURE_ZERO, 0, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct expect_found found = {.status = VERDICT_FAIL};
        expect_found_unit(&found, rows[i].nature, rows[i].error, 0);
        OK(expect_foresees(&e, "Tanh/random/domain@T=f64", &found)
               == rows[i].due,
           "Tanh, nature %d, error %lld: %d", (int)rows[i].nature,
           (long long)rows[i].error, rows[i].due);
    }
}

static void test_refused(struct arena *a)
{
    refused(a, "\nfail Add/*\n", 2, "a line without a reason");
    refused(a, "fail\n", 1, "a line without a glob");
    refused(a, "bad Add/* x\n", 1, "an unknown status");
    refused(a, "pass Add/* x\n", 1, "a status that is not a failure");
    refused(a, "xpass Add/* x\n", 1, "xpass");
}

int main(void)
{
    struct arena a = ARENA_INIT;
    struct expect e;
    struct status st = {0};
    OK(read_text(&a,
                 "# a comment\n\n"
                 "fail Add/*  all of Add is wrong\n"
                 "crash,timeout\tSort/x@T=f32  no comparators\n"
                 "fail? Sub/* sometimes\n"
                 "refused Add/special  not the usual\n",
                 &e, &st),
       "a file is read");
    EQ_INT(e.count, 4, "of four lines");
    EQ_INT(ends(&e, "Add/x@N=1", VERDICT_FAIL), VERDICT_XFAIL,
           "an expected failure is xfail");
    const struct expect_line *line;
    const struct expect_found fail = {.status = VERDICT_FAIL};
    expect_apply(&e, "Add/x@N=1", &fail, &line);
    EQ_STR(line->reason, "all of Add is wrong", "with its reason");
    EQ_INT(ends(&e, "Add/x", VERDICT_PASS), VERDICT_XPASS,
           "a pass that was not expected is xpass");
    EQ_INT(ends(&e, "Add/x", VERDICT_WARN), VERDICT_XPASS, "and so is a warn");
    EQ_INT(ends(&e, "Add/x", VERDICT_CRASH), VERDICT_CRASH,
           "another failure than expected stays");
    EQ_INT(ends(&e, "Add/x", VERDICT_UNSUPPORTED), VERDICT_UNSUPPORTED,
           "unsupported stays");
    EQ_INT(ends(&e, "Add/x", VERDICT_LIMIT), VERDICT_LIMIT,
           "a limit of the reference stays");
    EQ_INT(ends(&e, "Add/special", VERDICT_FAIL), VERDICT_FAIL,
           "the last line that matches counts");
    EQ_INT(ends(&e, "Sort/x@T=f32", VERDICT_TIMEOUT), VERDICT_XFAIL,
           "one of several statuses");
    EQ_INT(ends(&e, "Sub/x", VERDICT_PASS), VERDICT_PASS,
           "a question mark lets it be right");
    EQ_INT(ends(&e, "Sub/x", VERDICT_FAIL), VERDICT_XFAIL, "or wrong");
    EQ_INT(ends(&e, "Mul/x", VERDICT_FAIL), VERDICT_FAIL,
           "what no line matches stays");
    expect_apply(&e, "Mul/x", &fail, &line);
    OK(line == NULL, "and has no line");
    test_refused(&a);
    test_globs(&a);
    test_complaints(&a);
    test_own();
    test_sizes(&a);
    test_json(&a);
    test_cause(&a);
    test_size_texts(&a);
    test_until(&a);
    test_versions(&a);
    test_message(&a);
    test_flake_message(&a);
    test_wide(&a);
    test_native(&a);
    arena_free(&a);
    return tap_done();
}
