/* cmd_hunt.c - assay hunt: the worst input of one function.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "interp/base/folder.h"
#include "interp/specification/spec.h"
#include "runner/plan/plan.h"
#include "tools/verbs/command.h"
#include "tools/verbs/option.h"
#include "tools/verbs/sweep_options.h"

enum {
    SECONDS_MS = 60000 /* default */
};

struct arguments {
    struct sweep_shared shared;
    struct sweep_hunt hunt;
    bool timed;
};

static void read_seconds(void *target, const struct option_given *g)
{
    struct arguments *x = target;
    x->hunt.seconds_ms = option_seconds(g->state, g->name, g->text);
    x->timed = true;
}

static const struct option_row options[] = {
    {"type", 't', "T", 0, "Element type: f32 or f64 (f64)", 0,
     OPTION_CALL(sweep_options_type)},
    {"seconds", 0, "N", 0,
     "Start no new round after N seconds (60; no limit if --rounds is given)",
     0, OPTION_CALL(read_seconds)},
    {"rounds", 0, "N", 0,
     "End after N rounds of 2097152 inputs, earlier sessions included", 0,
     OPTION_NUMBER(struct arguments, hunt.rounds, 1, 1000000)},
    {"seed", 0, "N", 0, "Seed of the inputs (0)", 0,
     OPTION_NUMBER(struct arguments, hunt.seed, 0, INT64_MAX)},
    {"cases", 0, "DIR", 0,
     "Folder of case files whose inputs are starting points of the search", 0,
     OPTION_TEXT(struct arguments, hunt.cases)},
    {0}};

/* A folder that is named must exist; the suite's own need not. */
static bool find_cases(struct arguments *x, struct arena *a, struct status *st)
{
    struct folder folder;
    if (!x->hunt.cases) {
        x->hunt.cases = plan_folder(a);
        return true;
    }
    return folder_read(a, x->hunt.cases, &folder)
           || FAIL(st, INPUT, "%.200s: %s", x->hunt.cases, strerror(errno));
}

static int run_hunt(struct arguments *x, struct arena *a)
{
    struct status st = {0};
    struct sweep_options *o = &x->shared.sweep;
    struct sweep *s = arena_new(a, struct sweep, 1);
    if (!x->timed && x->hunt.rounds == 0)
        x->hunt.seconds_ms = SECONDS_MS;
    o->hunt = &x->hunt;
    sweep_options_signals(o);
    bool ok = find_cases(x, a, &st) && sweep_options_ready(&x->shared, &st)
              && spec_load(&st) && sweep_run(a, o, s, &st)
              && sweep_options_report(&x->shared, a, s, false, &st);
    if (!ok)
        return command_fail("hunt", &st, NULL);
    if (o->interrupted)
        return COMMAND_INTERRUPTED;
    if (s->count == 0)
        fprintf(stderr, "assay hunt: nothing was judged\n");
    bool failed = s->bad > 0 || (s->failed > 0 && !s->unsupported);
    return failed || s->count == 0 ? COMMAND_FAILED : COMMAND_OK;
}

int cmd_hunt(int argc, char **argv)
{
    static const struct option_set set = {
        .options = options,
        .arguments = "OP",
        .help = "Search for the input of a function of one or two operands at "
                "which its error is largest: in every binade, near hard inputs "
                "of the suite and multiples of pi/2, and again where errors "
                "were large.  The same seed gives the same inputs.  For f64, "
                "only the results with the largest estimated errors are "
                "judged; with --slow, all are.\vExit status: 0 every result is "
                "in its acceptance set, 1 a result is not or nothing was "
                "judged, 2 usage error or invalid input, 3 the hunt itself "
                "failed, 130 interrupted.",
        .missing = "expected an operation",
        .surplus = "expected one operation",
        .word = offsetof(struct arguments, shared.sweep.op),
        .children = {{&sweep_options, offsetof(struct arguments, shared)}}};
    static struct arguments x;
    struct arena arena = {.paged = true};
    sweep_options_start(&x.shared, &arena, DT_f64);
    option_parse(&set, argc, argv, &x);
    x.shared.sweep.command = option_line(&arena, "hunt", argc, argv);
    int result = run_hunt(&x, &arena);
    arena_free(&arena);
    return result;
}
