/* test_expect.c - expectations: reading, matching, statuses.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "interp/test/tap.h"
#include "runner/plan/expect.h"

static bool read_text(struct arena *a, const char *text, struct expect *e,
                      struct status *st)
{
    char path[] = "/tmp/assay-expect-XXXXXX";
    int fd = mkstemp(path);
    FILE *f = fdopen(fd, "w");
    fputs(text, f);
    fclose(f);
    bool ok = expect_read(a, arena_printf(a, "%s", path), e, st);
    unlink(path);
    return ok;
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

int main(void)
{
    struct arena a = ARENA_INIT;
    struct expect e;
    struct status st = {0};
    const struct expect_line *line;
    OK(read_text(&a,
                 "# a comment\n\n"
                 "fail Add/*  all of Add is wrong\n"
                 "crash,timeout\tSort/x@T=f32  no comparators\n"
                 "fail? Sub/* sometimes\n"
                 "refused Add/special  not the usual\n",
                 &e, &st),
       "a file is read");
    EQ_INT(e.count, 4, "of four lines");
    EQ_INT(expect_apply(&e, "Add/x@N=1", VERDICT_FAIL, &line), VERDICT_XFAIL,
           "an expected failure is xfail");
    EQ_STR(line->reason, "all of Add is wrong", "with its reason");
    EQ_INT(expect_apply(&e, "Add/x", VERDICT_PASS, &line), VERDICT_XPASS,
           "a pass that was not expected is xpass");
    EQ_INT(expect_apply(&e, "Add/x", VERDICT_WARN, &line), VERDICT_XPASS,
           "and so is a warn");
    EQ_INT(expect_apply(&e, "Add/x", VERDICT_CRASH, &line), VERDICT_CRASH,
           "another failure than expected stays");
    EQ_INT(expect_apply(&e, "Add/x", VERDICT_UNSUPPORTED, &line),
           VERDICT_UNSUPPORTED, "unsupported stays");
    EQ_INT(expect_apply(&e, "Add/x", VERDICT_LIMIT, &line), VERDICT_LIMIT,
           "a limit of the reference stays");
    EQ_INT(expect_apply(&e, "Add/special", VERDICT_FAIL, &line), VERDICT_FAIL,
           "the last line that matches counts");
    EQ_INT(expect_apply(&e, "Sort/x@T=f32", VERDICT_TIMEOUT, &line),
           VERDICT_XFAIL, "one of several statuses");
    EQ_INT(expect_apply(&e, "Sub/x", VERDICT_PASS, &line), VERDICT_PASS,
           "a question mark lets it be right");
    EQ_INT(expect_apply(&e, "Sub/x", VERDICT_FAIL, &line), VERDICT_XFAIL,
           "or wrong");
    EQ_INT(expect_apply(&e, "Mul/x", VERDICT_FAIL, &line), VERDICT_FAIL,
           "what no line matches stays");
    OK(line == NULL, "and has no line");
    refused(&a, "\nfail Add/*\n", 2, "a line without a reason");
    refused(&a, "fail\n", 1, "a line without a glob");
    refused(&a, "bad Add/* x\n", 1, "an unknown status");
    refused(&a, "pass Add/* x\n", 1, "a status that is no failure");
    refused(&a, "xpass Add/* x\n", 1, "xpass");
    arena_free(&a);
    return tap_done();
}
