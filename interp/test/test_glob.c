/* test_glob.c - names that a pattern stands for.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The rules are POSIX.1, "Pattern Matching Notation", without its special case
 * for slashes, and ksh's lists of patterns.
 */
#include "interp/base/glob.h"
#include "interp/test/tap.h"

static void test_match(void)
{
    static const struct {
        const char *glob, *name;
        bool matches;
    } rows[] = {
        {"Add/x", "Add/x", true},
        {"Add/x", "Add/xy", false},
        {"Add/xy", "Add/x", false},
        {"*", "Add/x", true},
        {"Add*", "Add/x@T=f32", true},
        {"*@T=f32", "Add/x@T=f32", true},
        {"*@T=f32", "Add/x@T=f64", false},
        {"Add/?", "Add/x", true},
        {"Add?x", "Add/x", true},
        {"Add/?", "Add/", false},
        {"Add/[x-z]", "Add/y", true},
        {"Add/[!x-z]", "Add/y", false},
        {"Add/\\*", "Add/*", true},
        {"Add/\\*", "Add/x", false},
        {"@(Add|Sub)/*", "Sub/x", true},
        {"@(Add|Sub)/*", "Mul/x", false},
        {"A!(dd)", "Add", false},
        {"A!(dd)", "Abs", true},
        {"Add(x)", "Add(x)", true},
        {"Add/x@D=[1]", "Add/x@D=[1]", true}, /* the name itself */
        {"Add/.x", "Add/.x", true},
        {"Add/*", "Add/.x", true},
        {"", "", true},
        {"", "x", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        OK(glob_match(rows[i].glob, rows[i].name) == rows[i].matches,
           "'%s' %s '%s'", rows[i].glob,
           rows[i].matches ? "matches" : "does not match", rows[i].name);
}

static void test_plain(void)
{
    EQ_INT(glob_plain("Add/x@T=f32"), 11, "a name stands for itself");
    EQ_INT(glob_plain("Add/*"), 4, "up to a star");
    EQ_INT(glob_plain("Add/x@(a|b)"), 5, "up to a list");
    EQ_INT(glob_plain("@(Add|Sub)"), 0, "a list first");
}

int main(void)
{
    test_match();
    test_plain();
    return tap_done();
}
