/* cmd_run.c - assay run: judge a backend on the cases.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/report.h"
#include "report/whole_file.h"
#include "runner/plugin/custom_call.h"
#include "runner/process/supervise.h"
#include "runner/record.h"
#include "runner/run.h"
#include "tools/verbs/case_options.h"
#include "tools/verbs/command.h"
#include "tools/verbs/import.h"
#include "tools/verbs/option.h"
#include "tools/verbs/run_print.h"

enum {
    JOBS_MAX = 1024
};

#define MEMORY_BYTES (INT64_C(4) << 30)

struct arguments {
    struct run_options run;
    const char *html, *docs;
    struct import import;
    struct plan_choice choice;
    bool decided; /* is_decided, of the last run */
    enum {
        COLOR_AUTO,
        COLOR_ALWAYS,
        COLOR_NEVER
    } color;
    struct arena *arena;
};

static struct run_options *running;

static void on_signal(int number)
{
    running->interrupted = number;
    if (!running->planned)
        _exit(COMMAND_INTERRUPTED);
}

static void read_memory(void *target, const struct option_given *g)
{
    ((struct arguments *)target)->run.memory_bytes =
        option_number(g->state, g->name, g->text, 1, 1 << 30) << 20;
}

static void read_database(void *target, const struct option_given *g)
{
    if (!*g->text)
        argp_error(g->state, "--%s: expected a file name", g->name);
    ((struct arguments *)target)->run.database = g->text;
}

static void read_program(void *target, const struct option_given *g)
{
    struct arguments *to = target;
    if (to->import.file || !import_is_program(g->text))
        argp_error(g->state,
                   "unexpected argument: %s; expected at most one program "
                   "(%s); case files are chosen with --cases and --filter",
                   g->text, import_names);
    to->import.file = g->text;
}

static const struct option_row options[] = {
    {"backend", 'b', "NAME|PATH", 0,
     "Backend: a name, a .so or executable file, or process:COMMAND (native)",
     1, OPTION_TEXT(struct arguments, run.backend)},
    {"backend-option", 0, "KEY=VALUE", 0, "Option for the backend (repeatable)",
     1, OPTION_JOINED(struct arguments, run.backend_options)},
    {"steps", 0, 0, 0,
     "Then run each operation of the program alone, on the exact values of its "
     "operands. If all are right and the program is not, run it with each "
     "value as a result",
     2, OPTION_FLAG(struct arguments, import.want_steps)},
    {"list", 0, 0, 0, "Print the names of the cases and exit", 2,
     OPTION_FLAG(struct arguments, run.list)},
    {"dry-run", 0, 0, 0, "Read and count the cases and exit", 2,
     OPTION_FLAG(struct arguments, run.dry_run)},
    {"profile", 0, "NAME|FILE", 0, "Profile to judge by (spec)", 3,
     OPTION_TEXT(struct arguments, run.profile)},
    {"expectations", 0, "FILE", 0,
     "Known failures of the backend (NAME.expect next to NAME.so, if it "
     "exists)",
     3, OPTION_TEXT(struct arguments, run.expectations)},
    {"seed", 0, "N", 0,
     "Seed of the fill pattern and the choice of samples (0)", 3,
     OPTION_NUMBER(struct arguments, run.seed, 0, INT64_MAX)},
    {"jobs", 'j', "N", 0, "Number of cases in parallel (number of processors)",
     4, OPTION_NUMBER(struct arguments, run.jobs, 1, JOBS_MAX)},
    {"batch", 0, "N", 0,
     "Compile up to N cases as one program; cases that are not right in it are "
     "rerun alone; 1: each case alone (1, or 200 if the backend declares that "
     "compiling is slow)",
     4, OPTION_NUMBER(struct arguments, run.batch, 1, JOB_BATCH_MAX)},
    {"timeout", 0, "SECONDS", 0,
     "Limit of processor time for one backend call, its threads and children "
     "included, counted at no more than one second per second (10, or 30 if "
     "the backend declares that compiling is slow); doubled for a second try",
     4, OPTION_SECONDS(struct arguments, run.timeout_ms)},
    {"sleep-timeout", 0, "SECONDS", 0,
     "Elapsed time limit of one backend call while the backend sleeps (60, or "
     "6 times a given --timeout)",
     4, OPTION_SECONDS(struct arguments, run.sleep_ms)},
    {"expected-timeout", 0, "SECONDS", 0,
     "Limit of processor time for one call where the expectations foresee a "
     "timeout (a tenth of --timeout, at least 1); --sleep-timeout is reduced "
     "in proportion",
     4, OPTION_SECONDS(struct arguments, run.expected_ms)},
    {"give-up", 0, "N", 0,
     "Stop after N consecutive timeouts of one kind, or N/3 if the backend "
     "slept; 0: never (10)",
     4, OPTION_NUMBER(struct arguments, run.give_up, 0, INT32_MAX)},
    {"memory", 0, "MIB", 0,
     "Memory limit of a process and its children, and of the files that they "
     "write, in MiB (4096)",
     4, OPTION_CALL(read_memory)},
    {"slow", 0, 0, 0,
     "Use no fast path in the reference; the verdicts are the same", 4,
     OPTION_CALL(option_slow)},
    {"no-sandbox", 0, 0, 0,
     "Let the backend write files, use the network and signal processes, as "
     "required to drive a device",
     4, OPTION_FLAG(struct arguments, run.no_sandbox)},
    {"fail-fast", 0, 0, 0, "Stop at the first failure", 4,
     OPTION_FLAG(struct arguments, run.fail_fast)},
    {"resume", 0, 0, 0, "Continue an unfinished run", 4,
     OPTION_FLAG(struct arguments, run.resume)},
    {"shard", 0, "I/N|env|env/N", 0,
     "Run part I of N of the plan; env: take both from a job array's "
     "environment (assay merge joins the parts)",
     5, OPTION_TEXT(struct arguments, run.shard)},
    {"balance", 0, "DATABASE", 0,
     "Split by the times of the latest run in DATABASE, not by count", 5,
     OPTION_TEXT(struct arguments, run.balance)},
    {"database", 'd', "FILE", 0, "Results database (results.db)", 6,
     OPTION_CALL(read_database)},
    {"bits", 0, "FILE", 0,
     "Also keep what the backend returned, for assay pack", 6,
     OPTION_TEXT(struct arguments, run.bits)},
    {"html", 0, "FILE", 0, "Also write an HTML report", 6,
     OPTION_TEXT(struct arguments, html)},
    {"docs", 0, "URL|DIR", 0,
     "In the HTML report, link each failure to the operation's page in a site "
     "that `assay doc --site` wrote; a folder is relative to the report",
     6, OPTION_TEXT(struct arguments, docs)},
    {"tap", 0, 0, 0, "Print a TAP stream", 6,
     OPTION_FLAG(struct arguments, run.tap)},
    {"json", 0, 0, 0, "Print one JSON object per case", 6,
     OPTION_FLAG(struct arguments, run.json)},
    {"quiet", 'q', 0, 0, "Print only the totals and what was judged", 6,
     OPTION_FLAG(struct arguments, run.quiet)},
    {"verbose", 'v', 0, 0,
     "Print every case, every wrong unit, and the table of all operations", 6,
     OPTION_FLAG(struct arguments, run.verbose)},
    {"color", 0, "auto|always|never", 0, "When to use colour (auto)", 6,
     OPTION_CHOICE(struct arguments, color, NULL)},
    {0}};

static int64_t sleep_default(const struct run_options *o)
{
    return SUPERVISE_SLEEP_TIMES
           * (o->timeout_ms ? o->timeout_ms : SUPERVISE_TIMEOUT_MS);
}

/* Checks what depends on several options, once all are read. */
static void check(void *target, struct argp_state *state)
{
    struct arguments *to = target;
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

/* The options that a command needs, besides the filter, to run a case as this
 * run did. */
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
    return x->color == COLOR_ALWAYS
           || (x->color == COLOR_AUTO && command_colour());
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

/* Has a case failed, or needed none of them a limit or a remark? */
static bool is_decided(const struct run_summary *s)
{
    return s->failed > 0
           || s->all.count[VERDICT_LIMIT] + s->all.count[VERDICT_WARN] == 0;
}

static int run_cases(struct arguments *x)
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
        && !whole_file_check("--html", x->html, &st))
        return command_complain("run", &st, NULL);
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
    x->decided = is_decided(&summary);
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
    return run_cases(x);
}

/* Does a filter name the case of the program, or that of its values, as the
 * command does that repeats its failure? */
static bool is_repeated(const struct arguments *x, const char *id)
{
    const char *file = strrchr(x->import.path, '/') + 1;
    int stem = (int)(strlen(file) - strlen(".json"));
    const char *name =
        id ? arena_printf(x->arena, "%.*s/%s", stem, file, id)
           : arena_printf(x->arena, "%.*s/%.*s", stem, file, stem, file);
    for (int i = 0; i < x->run.plan.filter_count; i++)
        if (strcmp(x->run.plan.filters[i], name) == 0)
            return true;
    return false;
}

/* Each value of a folder's programs is a result.  Where their sets are too wide
 * to decide, or a choice is permitted that accounts for what is wrong, each
 * value is judged by what was returned for its operands; unremarked: without
 * choices that are permitted with a remark, as no operation alone made use of
 * one. */
static int run_values(struct arguments *x, const struct run_options *as,
                      const char *folder, const char *const titles[2],
                      bool unremarked)
{
    struct run_options each = *as;
    each.each = true;
    each.unremarked = unremarked;
    x->decided = true;
    int values = run_folder(x, as, folder, titles[0]);
    return values > COMMAND_FAILED || x->decided
               ? values
               : run_folder(x, &each, folder, titles[1]);
}

/* The values of the program's entry. */
static int run_entry(struct arguments *x, const struct run_options *as,
                     bool remarks, bool unremarked)
{
    static const char *const titles[][2] = {
        {"each value of the program", "each value, by those of its operands"},
        {"each value of the program (remarks)",
         "each value, by those of its operands (remarks)"}};
    return run_values(x, as, x->import.values, titles[remarks], unremarked);
}

/* Those of each iteration of a loop, each branch that is taken, and each
 * function that is called. */
static int run_parts(struct arguments *x, const struct run_options *as,
                     bool unremarked)
{
    static const char *const titles[] = {
        "each value inside", "each value inside, by those of its operands"};
    struct run_options one = *as;
    one.batch = 1;
    return run_values(x, &one, x->import.parts, titles, unremarked);
}

/* Does a filter name one of these, as the command does that repeats its
 * failure? */
static bool is_part(const struct arguments *x)
{
    for (int i = 0; i < x->run.plan.filter_count; i++)
        if (strstr(x->run.plan.filters[i], "/inside-"))
            return true;
    return false;
}

/* Each operation alone is right, and the program is not: a compiler may have
 * fused some, which profile spec does not permit. */
static void suggest_profile(const struct run_options *as)
{
    if (!as->quiet && !as->json && strcmp(as->profile, "spec") == 0)
        printf("\neach operation alone is right: --profile xla-cpu-default"
               " also permits what XLA does to several, such as fusing them\n");
}

/* The program, each of its operations, and where these are right the program
 * again, with all its values: if it is right, a value that is wrong there does
 * not count, for it shows in no result.  If it is not, what it runs inside is
 * run, too.  A filter chooses among the operations, or repeats one of the
 * others. */
static int run_steps(struct arguments *x)
{
    const struct run_options as = x->run;
    const struct import *i = &x->import;
    bool filtered = as.plan.filter_count > 0;
    int whole = COMMAND_OK;
    if (is_repeated(x, "values"))
        return run_entry(x, &as, false, true);
    if (is_part(x))
        return run_parts(x, &as, true);
    bool only = is_repeated(x, NULL);
    if (!filtered || only)
        whole = run_folder(x, &as, i->cases, "the program");
    if (only || whole > COMMAND_FAILED)
        return whole;
    struct run_options one = as;
    one.batch = 1;
    int alone = run_folder(x, &one, i->steps, "each operation alone");
    if (filtered || alone != COMMAND_OK)
        return alone > whole ? alone : whole;
    bool unremarked = x->decided;
    int values = run_entry(x, &as, whole == COMMAND_OK, unremarked);
    if (whole == COMMAND_FAILED && values <= COMMAND_FAILED) {
        int parts = run_parts(x, &as, unremarked);
        values = parts > values ? parts : values;
        suggest_profile(&as);
    }
    return values > COMMAND_FAILED ? values : whole;
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
    static const struct option_set set = {
        .options = options,
        .arguments = "[PROGRAM]",
        .help = "Run the cases on a backend and judge the results.  With a "
                "program in StableHLO or HLO (.mlir, .mlirbc, .hlo, .txt, "
                ".pb), run only that, imported as by assay import.\vExit "
                "status: 0 no case failed, 1 a case failed or none was judged, "
                "2 usage error or invalid input, 3 the run itself failed, 71 "
                "out of memory, 130 interrupted.",
        .read = read_program,
        .check = check,
        .children = {
            {&case_options_limit, offsetof(struct arguments, run.limits)},
            {&case_options_custom, 0},
            {&plan_choice_options, offsetof(struct arguments, choice)},
            {&import_options, offsetof(struct arguments, import)}}};
    static struct arguments x;
    struct arena arena = {.paged = true};
    x.arena = &arena;
    x.run = (struct run_options){.limits = LIMITS_DEFAULT,
                                 .backend = "native",
                                 .backend_options = "",
                                 .profile = "spec",
                                 .database = "results.db",
                                 .give_up = SUPERVISE_GIVE_UP,
                                 .memory_bytes = MEMORY_BYTES};
    x.import.want_titles = true;
    x.run.plan.tier = "default";
    plan_choice_begin(&x.choice, &x.run.plan);
    x.run.jobs = (int)sysconf(_SC_NPROCESSORS_ONLN);
    option_parse(&set, argc, argv, &x);
    x.run.colour = use_colour(&x);
    x.run.command = option_line(&arena, "run", argc, argv);
    x.run.rerun = rerun(&x);
    int result = !choose(&x) || !open_program(&x) ? COMMAND_USAGE
                 : x.import.want_steps            ? run_steps(&x)
                                                  : run_cases(&x);
    import_close(&x.import);
    arena_free(&arena);
    return result;
}
