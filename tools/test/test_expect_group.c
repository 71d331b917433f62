/* test_expect_group.c - failures by patterns: which, and at what cost.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The patterns of the small samples follow from the rule in expect_group.c, by
 * hand.  The cost is counted, not timed.
 */
#include <stdlib.h>
#include <string.h>

#include "interp/test/tap.h"
#include "tools/verbs/expect.h"

static struct arena arena = ARENA_INIT;

static int by_name(const void *a, const void *b)
{
    const struct expect_group_case *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static void groups_are(const struct expect_group_case *cases, int count,
                       const char *want, const char *name)
{
    struct expect_group *g;
    const char *got = "";
    int n = expect_group(&arena, cases, count, &g, NULL);
    for (int i = 0; i < n; i++)
        got = arena_printf(&arena, "%s%s%s:%d", got, i ? " " : "", g[i].pattern,
                           g[i].count);
    EQ_STR(got, want, "%s", name);
}

static void test_patterns(void)
{
    const struct expect_group_case typed[] = {{"Abs/a/x@T=bf16", "fail"},
                                              {"Abs/a/x@T=f32", NULL},
                                              {"Abs/b/x@T=bf16", "fail"},
                                              {"Add/a/x@T=bf16", "fail"},
                                              {"Add/b/y@T=f32", NULL}};
    groups_are(typed, 5, "Abs/*=bf16*:2 Add/a/x@T=bf16:1",
               "one element type of one operation");
    const struct expect_group_case op[] = {
        {"Abs/a/x", "fail"},
        {"Abs/b/x", "fail"},
        {"Add/b/y", NULL},
    };
    groups_are(op, 3, "Abs/*:2", "one operation");
    const struct expect_group_case mixed[] = {{"Abs/a/x", "fail"},
                                              {"Abs/a/y", "crash"},
                                              {"Abs/b/z", "fail"},
                                              {"Abs/b/zz", NULL}};
    groups_are(mixed, 4, "Abs/a/x:1 Abs/a/y:1 Abs/b/z:1",
               "what fails otherwise, or is not judged, shares no pattern");
    const struct expect_group_case constant[] = {
        {"Abs/a/x@N=1", NULL},
        {"Abs/a/x@N=1#constant", "fail"},
        {"Abs/b/x@N=1", NULL},
        {"Abs/b/x@N=1#constant", "fail"}};
    groups_are(constant, 4, "Abs/*#constant:2", "constants alone");
    groups_are(constant, 0, "", "no case");
    groups_are(constant, 1, "", "no failure");
}

/* Makes as many failures as asked for, of several operations, files and types,
 * with something right between them. */
static int64_t work_of(int failures)
{
    static const char *const types[] = {"f32", "f64", "bf16", "s32", "c64"};
    int count = failures + failures / 30;
    struct expect_group_case *c =
        arena_new(&arena, struct expect_group_case, (size_t)count);
    struct expect_group *g;
    int64_t work;
    for (int i = 0; i < count; i++) {
        c[i].name = arena_printf(&arena, "Op%d/f%d/id%d@T=%s,N=%d", i % 41,
                                 i % 7, i / 50, types[i % 5], i);
        c[i].kind = i % 31 == 30 ? NULL : "fail";
    }
    qsort(c, (size_t)count, sizeof *c, by_name);
    int n = expect_group(&arena, c, count, &g, &work);
    OK(n > 0, "%d failures give %d patterns", failures, n);
    arena_reset(&arena);
    return work;
}

static void test_work(void)
{
    int64_t small = work_of(3000), large = work_of(24000);
    /* n log n: eight times as many failures cost 8 * log(24000) / log(3000)
     * = 10.1 times as much; all with all would be 64 times. */
    OK(large < 14 * small, "eight times as many: %lld, then %lld steps",
       (long long)small, (long long)large);
    OK(small < (int64_t)3000 * 400, "some hundred steps a failure: %lld",
       (long long)small);
}

int main(void)
{
    test_patterns();
    test_work();
    arena_free(&arena);
    return tap_done();
}
