/* sweep_options.c - see sweep_options.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tools/verbs/sweep_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interp/base/text.h"
#include "report/whole_file.h"
#include "runner/process/supervise.h"
#include "tools/verbs/case_options.h"

static void read_json(void *target, const struct option_given *g)
{
    struct sweep_shared *x = target;
    x->json = x->sweep.quiet = true;
}

static void read_timeout(void *target, const struct option_given *g)
{
    struct sweep_options *o = &((struct sweep_shared *)target)->sweep;
    o->timeout_ms = option_seconds(g->state, g->name, g->text);
    o->sleep_ms = SUPERVISE_SLEEP_TIMES * o->timeout_ms;
}

static const struct option_row options[] = {
    {"backend", 'b', "B", 0,
     "Backend: a name, a .so or executable file, or process:COMMAND (native)",
     0, OPTION_TEXT(struct sweep_shared, sweep.backend)},
    {"backend-option", 0, "K=V", 0, "Option for the backend (repeatable)", 0,
     OPTION_JOINED(struct sweep_shared, sweep.backend_options)},
    {"profile", 0, "P", 0, "Profile to judge by (spec)", 0,
     OPTION_TEXT(struct sweep_shared, sweep.profile)},
    {"json", 0, NULL, 0, "Print one JSON object for each function", 0,
     OPTION_CALL(read_json)},
    {"svg", 0, "FILE", 0, "Plot the errors in FILE, as SVG", 0,
     OPTION_TEXT(struct sweep_shared, svg)},
    {"database", 'd', "FILE", 0, "Results database (results.db)", 0,
     OPTION_TEXT(struct sweep_shared, sweep.database)},
    {"resume", 0, NULL, 0, "Resume from the parts in the database", 0,
     OPTION_FLAG(struct sweep_shared, sweep.resume)},
    {"jobs", 'j', "N", 0, "Number of worker processes (number of processors)",
     0, OPTION_NUMBER(struct sweep_shared, sweep.jobs, 1, 256)},
    {"timeout", 0, "SECONDS", 0,
     "Limit of processor time for one part, six times as long while it sleeps "
     "(10, or 30 if the backend declares that compiling is slow)",
     0, OPTION_CALL(read_timeout)},
    {"slow", 0, NULL, 0, "Use MPFR for every input; the results are the same",
     0, OPTION_CALL(option_slow)},
    {"no-sandbox", 0, NULL, 0,
     "Let the backend write files, use the network and signal processes", 0,
     OPTION_FLAG(struct sweep_shared, sweep.no_sandbox)},
    {0}};

const struct option_set sweep_options = {
    .options = options,
    .children = {
        {&case_options_limit, offsetof(struct sweep_shared, sweep.limits)}}};

void sweep_options_start(struct sweep_shared *x, struct arena *a,
                         enum dtype type)
{
    *x = (struct sweep_shared){
        .arena = a,
        .sweep = {.limits = LIMITS_DEFAULT,
                  .type = type,
                  .backend = "native",
                  .backend_options = "",
                  .profile = "spec",
                  .database = "results.db",
                  .stride = 1,
                  .sleep_ms = SUPERVISE_SLEEP_TIMES * SUPERVISE_TIMEOUT_MS,
                  .memory_bytes = INT64_C(4) << 30}};
    x->sweep.jobs = (int)sysconf(_SC_NPROCESSORS_ONLN);
}

enum dtype sweep_options_dtype(struct argp_state *state, const char *text)
{
    enum dtype type = DT_f32;
    const char *names[DT_COUNT];
    char hint[TEXT_HINT];
    for (int i = 0; i < DT_COUNT; i++)
        names[i] = dtype_table[i].name;
    if (!dtype_parse(text, strlen(text), &type))
        argp_error(state, "unknown element type '%s'%s", text,
                   text_hint(hint, text, names, DT_COUNT));
    return type;
}

void sweep_options_type(void *target, const struct option_given *g)
{
    ((struct sweep_shared *)target)->sweep.type =
        sweep_options_dtype(g->state, g->text);
}

/* ---- Running ------------------------------------------------------------- */

static struct sweep_options *running;

static void on_signal(int number)
{
    (void)number;
    running->interrupted = 1;
}

void sweep_options_signals(struct sweep_options *o)
{
    struct sigaction action = {.sa_handler = on_signal};
    running = o;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool sweep_options_ready(const struct sweep_shared *x, struct status *st)
{
    return !x->svg || whole_file_check("--svg", x->svg, st);
}

bool sweep_options_report(const struct sweep_shared *x, struct arena *a,
                          const struct sweep *s, bool brief, struct status *st)
{
    struct whole_file w;
    if (x->json)
        sweep_print_json(a, s);
    else
        sweep_print_text(a, s, brief);
    if (!x->svg)
        return true;
    TRY(whole_file_open(&w, x->svg, st));
    sweep_svg(w.to, s);
    return whole_file_close(&w, true, st);
}
