/* test_tap.c - the stream of results, by TAP 13's own text.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include <string.h>

#include "interp/test/tap.h"
#include "runner/tap.h"

/* Returns what one result writes; to be freed. */
static char *written(const char *name, enum verdict_status status,
                     const char *text, const char *command)
{
    char *out = NULL;
    size_t size;
    FILE *f = open_memstream(&out, &size);
    if (!f)
        exit(2);
    tap_result(f, 7, name, status, text, command);
    fclose(f);
    return out;
}

static void writes(const char *want, const char *name,
                   enum verdict_status status, const char *text,
                   const char *command)
{
    char *got = written(name, status, text, command);
    EQ_STR(got, want, "%s as %s", name, verdict_name(status));
    free(got);
}

/* A line tells success only by its first word, and a directive is what follows
 * the first number sign that is not escaped. */
static void check_every_status(void)
{
    for (int s = 0; s < VERDICT_COUNT; s++) {
        char *got = written("Add/x", (enum verdict_status)s, "why", NULL);
        bool todo = strstr(got, " # TODO ") != NULL;
        bool bad = strncmp(got, "not ok 7 - Add/x", 16) == 0;
        OK(bad || strncmp(got, "ok 7 - Add/x", 12) == 0, "%s has a line",
           verdict_name((enum verdict_status)s));
        /* A harness fails on "not ok" without a TODO; what we call a failure
         * must be one for it too, but an unexpected pass, which it shows. */
        OK((bad && !todo)
               == (verdict_is_failure((enum verdict_status)s)
                   && s != VERDICT_XPASS),
           "%s counts in a harness as it does here",
           verdict_name((enum verdict_status)s));
        OK((strstr(got, "\n  ---\n") != NULL) == (bad && !todo),
           "%s: a block only under a failure",
           verdict_name((enum verdict_status)s));
        free(got);
    }
}

int main(void)
{
    char *out = NULL;
    size_t size;
    FILE *f = open_memstream(&out, &size);
    if (!f)
        return 2;
    tap_begin(f, 12);
    fclose(f);
    EQ_STR(out, "TAP version 13\n1..12\n", "version and plan");
    free(out);

    writes("ok 7 - Add/rules/x@T=f32\n", "Add/rules/x@T=f32", VERDICT_PASS, "",
           NULL);
    writes("ok 7 - Add/x\\#constant\n", "Add/x#constant", VERDICT_PASS, "",
           NULL);
    writes("ok 7 - Add/x # SKIP unsupported: no f8\\#1\n", "Add/x",
           VERDICT_UNSUPPORTED, "no f8#1", NULL);
    writes("not ok 7 - Add/x # TODO xfail: known\n", "Add/x", VERDICT_XFAIL,
           "known", NULL);
    writes("not ok 7 - Add/x\n"
           "  ---\n"
           "  status: \"fail\"\n"
           "  message: \"got \\\"1\\\" \\\\ 2\"\n"
           "  command: \"assay run --filter Add/x\"\n"
           "  ...\n",
           "Add/x", VERDICT_FAIL, "got \"1\" \\ 2", "assay run --filter Add/x");
    writes("not ok 7 - Add/x\n"
           "  ---\n"
           "  status: \"crash\"\n"
           "  message: \"two lines\"\n"
           "  ...\n",
           "Add/x", VERDICT_CRASH, "two\nlines", NULL);
    check_every_status();
    return tap_done();
}
