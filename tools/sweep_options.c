/* sweep_options.c - see sweep_options.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tools/sweep_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interp/base/slow.h"
#include "report/whole_file.h"
#include "runner/process/supervise.h"
#include "tools/case_options.h"
#include "tools/option.h"
#include "tools/sweep_print.h"
#include "tools/sweep_svg.h"

enum {
    KEY_BACKEND_OPTION = 512,
    KEY_JSON,
    KEY_SVG,
    KEY_RESUME,
    KEY_PROFILE,
    KEY_NO_SANDBOX,
    KEY_TIMEOUT,
    KEY_SLOW,
};

static const struct argp_option options[] = {
    {"backend", 'b', "B", 0,
     "Backend: a name, a .so or executable file, or process:COMMAND (native)",
     0},
    {"backend-option", KEY_BACKEND_OPTION, "K=V", 0,
     "Option for the backend (repeatable)", 0},
    {"profile", KEY_PROFILE, "P", 0, "Profile to judge by (spec)", 0},
    {"json", KEY_JSON, NULL, 0, "Print one JSON object for each function", 0},
    {"svg", KEY_SVG, "FILE", 0, "Plot the errors in FILE, as SVG", 0},
    {"database", 'd', "FILE", 0, "Results database (results.db)", 0},
    {"resume", KEY_RESUME, NULL, 0, "Resume from the parts in the database", 0},
    {"jobs", 'j', "N", 0, "Number of worker processes (number of processors)",
     0},
    {"timeout", KEY_TIMEOUT, "SECONDS", 0,
     "Processor time limit of one part; six times as long while it sleeps "
     "(10; 30 if the backend says that compiling takes long)",
     0},
    {"slow", KEY_SLOW, NULL, 0,
     "Use MPFR for every input; the results are the same", 0},
    {"no-sandbox", KEY_NO_SANDBOX, NULL, 0,
     "Let the backend write files, use the network and signal processes", 0},
    {0}};

static error_t parse_more(int key, char *text, struct argp_state *state)
{
    struct sweep_shared *x = state->input;
    struct sweep_options *o = &x->sweep;
    switch (key) {
    case KEY_RESUME:
        o->resume = true;
        return 0;
    case KEY_PROFILE:
        o->profile = text;
        return 0;
    case KEY_NO_SANDBOX:
        o->no_sandbox = true;
        return 0;
    case KEY_TIMEOUT:
        o->timeout_ms = option_seconds(state, "timeout", text);
        o->sleep_ms = SUPERVISE_SLEEP_TIMES * o->timeout_ms;
        return 0;
    case KEY_SLOW:
        slow_set(true);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct sweep_shared *x = state->input;
    struct sweep_options *o = &x->sweep;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->limits;
        return 0;
    case 'b':
        o->backend = text;
        return 0;
    case KEY_BACKEND_OPTION:
        o->backend_options = option_joined(x->arena, o->backend_options, text);
        return 0;
    case 'd':
        o->database = text;
        return 0;
    case 'j':
        o->jobs = (int)option_number(state, "jobs", text, 1, 256);
        return 0;
    case KEY_JSON:
        x->json = o->quiet = true;
        return 0;
    case KEY_SVG:
        x->svg = text;
        return 0;
    default:
        return parse_more(key, text, state);
    }
}

/* The limits are a separate argp child. */
static const struct argp shared = {
    options, parse, NULL, NULL, case_options_limits, NULL, NULL};

const struct argp_child sweep_options[] = {{&shared, 0, NULL, 0}, {0}};

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

enum dtype sweep_options_type(struct argp_state *state, const char *text)
{
    enum dtype type = DT_f32;
    if (!dtype_parse(text, strlen(text), &type))
        argp_error(state, "unknown element type %s", text);
    return type;
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
