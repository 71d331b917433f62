/* cmd_run.c - assay run: judge a backend on the cases.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interp/base/slow.h"
#include "report/report.h"
#include "report/whole_file.h"
#include "runner/plugin/custom_call.h"
#include "runner/process/supervise.h"
#include "runner/record.h"
#include "runner/run.h"
#include "tools/case_options.h"
#include "tools/command.h"
#include "tools/import.h"
#include "tools/option.h"
#include "tools/plan_choice.h"
#include "tools/run_print.h"

enum {
    JOBS_MAX = 1024,
    KEY_FIRST = 256,
    KEY_BACKEND_OPTION,
    KEY_BALANCE,
    KEY_BATCH,
    KEY_BITS,
    KEY_COLOR,
    KEY_DATABASE,
    KEY_DOCS,
    KEY_DRY_RUN,
    KEY_EXPECTATIONS,
    KEY_EXPECTED_TIMEOUT,
    KEY_NO_SANDBOX,
    KEY_FAIL_FAST,
    KEY_GIVE_UP,
    KEY_HTML,
    KEY_JSON,
    KEY_STEPS,
    KEY_LIST,
    KEY_MEMORY,
    KEY_PROFILE,
    KEY_RESUME,
    KEY_SEED,
    KEY_SHARD,
    KEY_SLEEP_TIMEOUT,
    KEY_SLOW,
    KEY_TAP,
    KEY_TIMEOUT
};

static const struct argp_option options[] = {
    {"backend", 'b', "NAME|PATH", 0,
     "Backend: a name, a .so or executable file, or process:COMMAND (native)",
     1},
    {"backend-option", KEY_BACKEND_OPTION, "KEY=VALUE", 0,
     "Option for the backend (repeatable)", 1},
    {"steps", KEY_STEPS, 0, 0,
     "Then run each operation of the program alone, on the exact values of its "
     "operands; and if these are right and the whole is not, the program with "
     "each value as a result",
     2},
    {"list", KEY_LIST, 0, 0, "Print the names of the cases and exit", 2},
    {"dry-run", KEY_DRY_RUN, 0, 0, "Read and count the cases and exit", 2},
    {"profile", KEY_PROFILE, "NAME|FILE", 0, "Profile to judge by (spec)", 3},
    {"expectations", KEY_EXPECTATIONS, "FILE", 0,
     "Known failures of the backend (NAME.expect next to NAME.so, if it "
     "exists)",
     3},
    {"seed", KEY_SEED, "N", 0,
     "Seed of the fill pattern and the choice of samples (0)", 3},
    {"jobs", 'j', "N", 0, "Number of cases in parallel (number of processors)",
     4},
    {"batch", KEY_BATCH, "N", 0,
     "Compile up to N cases as one program; cases that are not right in it are "
     "rerun alone; 1: each case alone (1, or 200 if the backend declares that "
     "compiling is slow)",
     4},
    {"timeout", KEY_TIMEOUT, "SECONDS", 0,
     "Processor time limit of one backend call, including its threads and "
     "children, counted at most one second per second (10, or 30 if "
     "it says that compiling takes long); twice as much in a second try",
     4},
    {"sleep-timeout", KEY_SLEEP_TIMEOUT, "SECONDS", 0,
     "Elapsed time limit of one backend call while the backend sleeps (60, or "
     "6 times a given --timeout)",
     4},
    {"expected-timeout", KEY_EXPECTED_TIMEOUT, "SECONDS", 0,
     "Processor time limit of one call where the expectations foresee a "
     "timeout (a tenth of --timeout, at least 1); that of --sleep-timeout is "
     "reduced in proportion",
     4},
    {"give-up", KEY_GIVE_UP, "N", 0,
     "Stop after N consecutive timeouts of one kind, or N/3 if the backend "
     "slept; 0: never (10)",
     4},
    {"memory", KEY_MEMORY, "MIB", 0,
     "Limit of the memory of a process and its children, and of the files that "
     "it writes, in MiB (4096)",
     4},
    {"slow", KEY_SLOW, 0, 0,
     "Use no fast path in the reference; the verdicts are the same", 4},
    {"no-sandbox", KEY_NO_SANDBOX, 0, 0,
     "Let the backend write files, use the network and signal processes, as "
     "required to drive a device",
     4},
    {"fail-fast", KEY_FAIL_FAST, 0, 0, "Stop at the first failure", 4},
    {"resume", KEY_RESUME, 0, 0, "Continue an unfinished run", 4},
    {"shard", KEY_SHARD, "I/N|env|env/N", 0,
     "Run part I of N of the plan; env: take both from a job array's "
     "environment (assay merge joins the parts)",
     5},
    {"balance", KEY_BALANCE, "DATABASE", 0,
     "Split by the times of the latest run in DATABASE, not by count", 5},
    {"database", KEY_DATABASE, "FILE", 0, "Results database (results.db)", 6},
    {"bits", KEY_BITS, "FILE", 0,
     "Also keep what the backend returned, for assay pack", 6},
    {"html", KEY_HTML, "FILE", 0, "Also write an HTML report", 6},
    {"docs", KEY_DOCS, "URL|DIR", 0,
     "In the HTML report, link each failure to the operation's page in a site "
     "that `assay doc --site` wrote; a folder is relative to the report",
     6},
    {"tap", KEY_TAP, 0, 0, "Print a TAP stream", 6},
    {"json", KEY_JSON, 0, 0, "Print one JSON object per case", 6},
    {"quiet", 'q', 0, 0, "Print only the totals and what was judged", 6},
    {"verbose", 'v', 0, 0,
     "Print every case, every wrong unit, and the table of all operations", 6},
    {"color", KEY_COLOR, "auto|always|never", 0, "When to use colour (auto)",
     6},
    {0}};

#define MEMORY_BYTES (INT64_C(4) << 30)

struct arguments {
    struct run_options run;
    const char *html, *docs;
    struct import import;
    struct plan_choice choice;
    const char *color;
    struct arena *arena;
};

static struct run_options *running;

static void on_signal(int number)
{
    running->interrupted = number;
    if (!running->planned)
        _exit(COMMAND_INTERRUPTED);
}

static error_t parse_flag(struct arguments *to, int key)
{
    struct run_options *o = &to->run;
    switch (key) {
    case KEY_STEPS:
        to->import.want_steps = true;
        return 0;
    case KEY_LIST:
        o->list = true;
        return 0;
    case KEY_DRY_RUN:
        o->dry_run = true;
        return 0;
    case KEY_SLOW:
        slow_set(true);
        return 0;
    case KEY_NO_SANDBOX:
        o->no_sandbox = true;
        return 0;
    case KEY_FAIL_FAST:
        o->fail_fast = true;
        return 0;
    case KEY_RESUME:
        o->resume = true;
        return 0;
    case KEY_TAP:
        o->tap = true;
        return 0;
    case KEY_JSON:
        o->json = true;
        return 0;
    case 'q':
        o->quiet = true;
        return 0;
    case 'v':
        o->verbose = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Options with a number. */
static error_t parse_number(struct arguments *to, int key, const char *text,
                            struct argp_state *state)
{
    struct run_options *o = &to->run;
    switch (key) {
    case KEY_SEED:
        o->seed = (uint64_t)option_number(state, "seed", text, 0, INT64_MAX);
        return 0;
    case 'j':
        o->jobs = (int)option_number(state, "jobs", text, 1, JOBS_MAX);
        return 0;
    case KEY_TIMEOUT:
        o->timeout_ms = option_seconds(state, "timeout", text);
        return 0;
    case KEY_SLEEP_TIMEOUT:
        o->sleep_ms = option_seconds(state, "sleep-timeout", text);
        return 0;
    case KEY_EXPECTED_TIMEOUT:
        o->expected_ms = option_seconds(state, "expected-timeout", text);
        return 0;
    case KEY_BATCH:
        o->batch = (int)option_number(state, "batch", text, 1, JOB_BATCH_MAX);
        return 0;
    case KEY_GIVE_UP:
        o->give_up = (int)option_number(state, "give-up", text, 0, INT32_MAX);
        return 0;
    case KEY_MEMORY:
        o->memory_bytes = option_number(state, "memory", text, 1, 1 << 30)
                          << 20;
        return 0;
    default:
        return parse_flag(to, key);
    }
}

static void set_program(struct arguments *to, const char *text,
                        struct argp_state *state)
{
    if (to->import.file || !import_is_program(text))
        argp_error(state,
                   "unexpected argument: %s; expected at most one program "
                   "(%s); case files are chosen with --cases and --filter",
                   text, import_names);
    to->import.file = text;
}

static void set_database(struct run_options *o, const char *text,
                         struct argp_state *state)
{
    if (!*text)
        argp_error(state, "--database: expected a file name");
    o->database = text;
}

static void set_color(struct arguments *to, const char *text,
                      struct argp_state *state)
{
    to->color = text;
    if (strcmp(text, "auto") != 0 && strcmp(text, "always") != 0
        && strcmp(text, "never") != 0)
        argp_error(state, "--color: expected auto, always or never, got '%s'",
                   text);
}

static int64_t sleep_default(const struct run_options *o)
{
    return SUPERVISE_SLEEP_TIMES
           * (o->timeout_ms ? o->timeout_ms : SUPERVISE_TIMEOUT_MS);
}

/* What depends on several options, once all are read. */
static void check_together(struct arguments *to, struct argp_state *state)
{
    struct run_options *o = &to->run;
    if (o->sleep_ms == 0)
        o->sleep_ms = sleep_default(o);
    if (o->balance && !o->shard)
        argp_error(state, "--balance needs --shard");
    if (import_given(&to->import) && !to->import.file)
        argp_error(state, "%s needs a program (%s); a case has its own inputs",
                   import_given(&to->import), import_names);
    if (to->import.want_steps && !to->import.file)
        argp_error(state, "--steps needs a program (%s)", import_names);
    if (to->import.want_steps && (o->tap || to->html || o->shard))
        argp_error(state, "--steps cannot be combined with --tap, --html or "
                          "--shard: it is more than one run");
    if (to->import.file && o->plan.cases)
        argp_error(state, "--cases cannot be combined with a program");
    if (to->docs && !to->html)
        argp_error(state, "--docs needs --html");
    if (o->tap && o->json)
        argp_error(state, "--tap cannot be combined with --json");
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *to = state->input;
    struct run_options *o = &to->run;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->limits;
        state->child_inputs[2] = &to->choice;
        state->child_inputs[3] = &to->import;
        return 0;
    case 'b':
        o->backend = text;
        return 0;
    case KEY_BACKEND_OPTION:
        o->backend_options = option_joined(to->arena, o->backend_options, text);
        return 0;
    case KEY_PROFILE:
        o->profile = text;
        return 0;
    case KEY_EXPECTATIONS:
        o->expectations = text;
        return 0;
    case KEY_SHARD:
        o->shard = text;
        return 0;
    case KEY_BALANCE:
        o->balance = text;
        return 0;
    case KEY_DATABASE:
        set_database(o, text, state);
        return 0;
    case KEY_BITS:
        o->bits = text;
        return 0;
    case KEY_HTML:
        to->html = text;
        return 0;
    case KEY_DOCS:
        to->docs = text;
        return 0;
    case KEY_COLOR:
        set_color(to, text, state);
        return 0;
    case ARGP_KEY_ARG:
        set_program(to, text, state);
        return 0;
    case ARGP_KEY_END:
        check_together(to, state);
        return 0;
    default:
        return parse_number(to, key, text, state);
    }
}

/* What a command needs besides the filter to run a case as this run did. */
static const char *rerun(struct arguments *x)
{
    const struct run_options *o = &x->run;
    struct arena *a = x->arena;
    const char *all =
        arena_printf(a, "%s%s%s --backend %s", option_line(a, "run", 1, NULL),
                     x->import.file ? " " : "",
                     x->import.file ? record_word(a, x->import.file) : "",
                     record_word(a, o->backend));
    const struct {
        const char *option, *value;
        bool given;
    } texts[] = {
        {"backend-option", o->backend_options, o->backend_options[0] != 0},
        {"inputs", x->import.inputs, x->import.inputs != NULL},
        {"entry", x->import.entry, x->import.entry != NULL},
        {"replicas", x->import.replicas, x->import.replicas != NULL},
        {"steps", NULL, x->import.want_steps},
        {"cases", o->plan.cases, o->plan.cases != NULL},
        {"profile", o->profile, strcmp(o->profile, "spec") != 0},
        {"tier", o->plan.tier,
         o->plan.tier && strcmp(o->plan.tier, "default") != 0},
        {"seed", arena_printf(a, "%" PRIu64, o->seed), o->seed != 0},
        {"timeout", arena_printf(a, "%g", (double)o->timeout_ms / 1000),
         o->timeout_ms != 0},
        {"sleep-timeout", arena_printf(a, "%g", (double)o->sleep_ms / 1000),
         o->sleep_ms != sleep_default(o)},
        {"no-sandbox", NULL, o->no_sandbox},
        {"memory", arena_printf(a, "%" PRId64, o->memory_bytes >> 20),
         o->memory_bytes != MEMORY_BYTES},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i].given)
            all = arena_printf(a, "%s --%s%s%s", all, texts[i].option,
                               texts[i].value ? " " : "",
                               texts[i].value ? record_word(a, texts[i].value)
                                              : "");
    return all;
}

static bool use_colour(const struct arguments *x)
{
    return strcmp(x->color, "always") == 0
           || (strcmp(x->color, "auto") == 0 && command_colour());
}

static bool write_html(struct arguments *x, struct status *st)
{
    struct report r;
    struct whole_file w;
    TRY(whole_file_open(&w, x->html, st));
    bool ok = report_open(&r, x->arena, x->run.database, w.to, st);
    if (ok) {
        r.docs = x->docs;
        ok = report_write(&r, "html", st);
        report_close(&r);
    }
    TRY(whole_file_close(&w, ok, st));
    fprintf(x->run.tap || x->run.json ? stderr : stdout, "report: %s\n",
            x->html);
    return true;
}

static int exit_of(const struct run_summary *s)
{
    if (s->interrupted)
        return COMMAND_INTERRUPTED;
    if (s->reference_wrong > 0)
        return COMMAND_BROKEN;
    if (s->failed > 0 || (s->shards == 0 && run_print_judged(&s->all) == 0))
        return COMMAND_FAILED;
    return COMMAND_OK;
}

static int run(struct arguments *x)
{
    struct status st = {0};
    struct run_summary summary;
    struct sigaction action = {.sa_handler = on_signal};
    running = &x->run;
    x->run.planned = x->import.file != NULL; /* its folder must be removed */
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    /* Reported before the run, not after it. */
    if (x->html && !x->run.list && !x->run.dry_run
        && !whole_file_check("--html", x->html, &st)) {
        command_complain("run", &st, NULL);
        return COMMAND_USAGE;
    }
    bool ok = run_suite(x->arena, &x->run, &summary, &st);
    if (!ok) {
        import_place(x->arena, &x->import, &st);
        command_complain("run", &st, NULL);
    }
    /* A run that failed before its first case has nothing to sum up. */
    if (summary.ran && (ok || run_print_judged(&summary.all) > 0)) {
        struct status unread = {STATUS_OK};
        bool read = run_print_summary(&x->run, &summary, &unread);
        if (ok && !read) {
            ok = false;
            st = unread;
            command_complain("run", &st, NULL);
        }
    }
    if (ok)
        custom_call_complain("assay run");
    if (ok && summary.ran && x->html && x->run.database) {
        ok = write_html(x, &st);
        if (!ok)
            command_complain("run", &st, NULL);
    }
    if (!ok && x->run.interrupted && !summary.note)
        return COMMAND_INTERRUPTED;
    if (!ok)
        return st.code == STATUS_INPUT ? COMMAND_USAGE : COMMAND_BROKEN;
    return summary.ran ? exit_of(&summary) : COMMAND_OK;
}

static int run_folder(struct arguments *x, const struct run_options *as,
                      const char *folder, const char *title)
{
    if (access(folder, R_OK) != 0) /* a program of no operation */
        return COMMAND_OK;
    x->run = *as;
    x->run.plan.cases = folder;
    if (!x->run.quiet && !x->run.json)
        printf("\n== %s ==\n", title);
    fflush(stdout);
    return run(x);
}

/* The program, each of its operations, and where only these are right the
 * program again, with all its values.  A filter chooses among the operations,
 * as the command does that repeats a failure. */
static int run_steps(struct arguments *x)
{
    const struct run_options as = x->run;
    const struct import *i = &x->import;
    int whole = COMMAND_OK;
    if (as.plan.filter_count == 0)
        whole = run_folder(x, &as, i->cases, "the program");
    if (whole > COMMAND_FAILED)
        return whole;
    struct run_options one = as;
    one.batch = 1;
    int alone = run_folder(x, &one, i->steps, "each operation alone");
    if (whole == COMMAND_OK || alone != COMMAND_OK)
        return alone > whole ? alone : whole;
    int values = run_folder(x, &as, i->values, "each value of the program");
    return values > whole ? values : whole;
}

/* The program, if one is given, takes the place of the cases. */
static bool open_program(struct arguments *x)
{
    struct status st = {STATUS_OK};
    if (!x->import.file)
        return true;
    if (import_open(x->arena, &x->import, &st)) {
        x->run.plan.cases = x->import.cases;
        x->run.program = x->import.file;
        return true;
    }
    if (st.text[0])
        command_complain("run", &st, NULL);
    return false;
}

static bool choose(struct arguments *x)
{
    struct status st = {STATUS_OK};
    if (plan_choice_end(x->arena, &x->choice, x->run.database, &st))
        return true;
    command_complain("run", &st, NULL);
    return false;
}

int cmd_run(int argc, char **argv)
{
    static const struct argp_child children[] = {
        {&case_options_limit, 0, NULL, 0},
        {&case_options_custom, 0, NULL, 0},
        {&plan_choice_argp, 0, NULL, 0},
        {&import_options, 0, NULL, 0},
        {0}};
    static const struct argp argp = {
        options,
        parse,
        "[PROGRAM]",
        "Run the cases on a backend and judge the results; or only a program "
        "in StableHLO or HLO (.mlir, .mlirbc, .hlo, .txt, .pb), imported as "
        "assay import does.\v"
        "Exit status: 0 no case failed, 1 a case failed or none was judged, 2 "
        "usage error or invalid input, 3 the run itself failed, 71 out of "
        "memory, "
        "130 interrupted.",
        children,
        NULL,
        NULL};
    static struct arguments x;
    struct arena arena = {.paged = true};
    x.arena = &arena;
    x.color = "auto";
    x.run = (struct run_options){.limits = LIMITS_DEFAULT,
                                 .backend = "native",
                                 .backend_options = "",
                                 .profile = "spec",
                                 .database = "results.db",
                                 .give_up = SUPERVISE_GIVE_UP,
                                 .memory_bytes = MEMORY_BYTES};
    x.run.plan.tier = "default";
    plan_choice_begin(&x.choice, &x.run.plan);
    x.run.jobs = (int)sysconf(_SC_NPROCESSORS_ONLN);
    argp_err_exit_status = COMMAND_USAGE;
    if (argp_parse(&argp, argc, argv, 0, NULL, &x) != 0)
        return COMMAND_USAGE;
    x.run.colour = use_colour(&x);
    x.run.command = option_line(&arena, "run", argc, argv);
    x.run.rerun = rerun(&x);
    int result = !choose(&x) || !open_program(&x) ? COMMAND_USAGE
                 : x.import.want_steps            ? run_steps(&x)
                                                  : run(&x);
    import_close(&x.import);
    arena_free(&arena);
    return result;
}
