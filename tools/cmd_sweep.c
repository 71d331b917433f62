/* cmd_sweep.c - assay sweep: one function over very many inputs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interp/base/slow.h"
#include "interp/data/show.h"
#include "interp/specification/spec.h"
#include "runner/process/supervise.h"
#include "runner/store/store.h"
#include "runner/sweep.h"
#include "tools/case_options.h"
#include "tools/command.h"
#include "tools/option.h"
#include "tools/sweep_svg.h"
#include "tools/whole_file.h"

enum {
    OPTION_BACKEND_OPTION = 256,
    OPTION_LOW,
    OPTION_HIGH,
    OPTION_SECOND,
    OPTION_ALL,
    OPTION_JSON,
    OPTION_SVG,
    OPTION_RESUME,
    OPTION_PROFILE,
    OPTION_NO_SANDBOX,
    OPTION_TIMEOUT,
    OPTION_SLOW,
    OPTION_EXHAUSTIVE,
    OPTION_PAIRS,
    OPTION_TO,
    OPTION_SHARD,
    OPTION_JOIN,
    LENGTHS_MAX = 256,
};

struct arguments {
    struct arena *arena;
    struct sweep_options sweep;
    const char *svg, *shard;
    int join_room;
    bool all, json;
    int length_count;
    int64_t lengths[LENGTHS_MAX];
    struct arena one; /* of one sweep */
    int failed, judged, done;
};

static const struct argp_option options[] = {
    {"type", 't', "T", 0, "Element type (f32)", 0},
    {"backend", 'b', "B", 0,
     "Backend: a name, a .so or executable file, or process:COMMAND (native)",
     0},
    {"backend-option", OPTION_BACKEND_OPTION, "K=V", 0,
     "Option for the backend (repeatable)", 0},
    {"stride", 's', "N", 0,
     "Every N-th bit pattern (1 up to 16 bits, otherwise about a million "
     "inputs)",
     0},
    {"exhaustive", OPTION_EXHAUSTIVE, NULL, 0,
     "Every input of a type of at most 32 bits; also prints the largest error "
     "of each binade",
     0},
    {"pairs", OPTION_PAIRS, NULL, 0,
     "Every pair of operands of a binary operation, of a type of at most 16 "
     "bits",
     0},
    {"low", OPTION_LOW, "X", 0, "Least input", 0},
    {"high", OPTION_HIGH, "X", 0, "Greatest input", 0},
    {"form", 'f', "LENGTHS", 0,
     "Array length of the program, or several, separated by commas and swept "
     "in turn; 'lengths': 1 to 129, 1000, 1024 and 4099",
     0},
    {"second", OPTION_SECOND, "X", 0, "Right operand of a binary operation", 0},
    {"to", OPTION_TO, "T", 0, "Of a conversion: element type of the result", 0},
    {"all-unary", OPTION_ALL, NULL, 0, "Every unary function", 0},
    {"profile", OPTION_PROFILE, "P", 0, "Profile to judge by (spec)", 0},
    {"json", OPTION_JSON, NULL, 0, "Print one JSON object per sweep", 0},
    {"svg", OPTION_SVG, "FILE", 0, "Plot the errors in FILE, as SVG", 0},
    {"database", 'd', "FILE", 0, "Results database (results.db)", 0},
    {"resume", OPTION_RESUME, NULL, 0, "Continue an interrupted sweep", 0},
    {"shard", OPTION_SHARD, "I/N|env|env/N", 0,
     "Sweep part I of N of the inputs, or the part that a job array's "
     "environment says",
     0},
    {"join", OPTION_JOIN, "DATABASE", 0,
     "Take over the parts that DATABASE has, of a shard or of a sweep that was "
     "stopped (repeatable); what is missing is swept",
     0},
    {"jobs", 'j', "N", 0, "Number of worker processes (number of processors)",
     0},
    {"timeout", OPTION_TIMEOUT, "SECONDS", 0,
     "Processor time limit of one part; six times as long while asleep (10)",
     0},
    {"slow", OPTION_SLOW, NULL, 0,
     "Use MPFR for every input; the results are the same", 0},
    {"no-sandbox", OPTION_NO_SANDBOX, NULL, 0,
     "Let the backend write files, use the network and signal processes", 0},
    {0}};

static void add_length(struct arguments *x, int64_t n)
{
    if (x->length_count < LENGTHS_MAX)
        x->lengths[x->length_count++] = n;
}

static void read_lengths(struct arguments *x, char *text,
                         struct argp_state *state)
{
    static const int64_t more[] = {1000, 1024, 4099};
    x->length_count = 0;
    if (strcmp(text, "lengths") == 0) {
        for (int64_t n = 1; n <= 129; n++)
            add_length(x, n);
        for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
            add_length(x, more[i]);
        return;
    }
    for (char *next; text; text = next) {
        next = strchr(text, ',');
        if (next)
            *next++ = '\0';
        add_length(x, option_number(state, "form", text, 1, INT64_C(1) << 24));
    }
}

static void add_option(struct arguments *x, const char *text)
{
    const char *before = x->sweep.backend_options;
    x->sweep.backend_options =
        arena_printf(x->arena, "%s%s%s", before, before[0] ? "," : "", text);
}

static void add_join(struct arguments *x, const char *file)
{
    struct sweep_options *o = &x->sweep;
    ARENA_GROW(x->arena, o->joins, o->join_count, x->join_room);
    o->joins[o->join_count++] = file;
}

/* All inputs are no range of them. */
static void check_whole(const struct arguments *x, struct argp_state *state)
{
    const struct sweep_options *o = &x->sweep;
    const char *whole = o->pairs ? "pairs" : "exhaustive";
    if (!o->pairs && !o->exhaustive)
        return;
    if ((o->pairs && o->exhaustive) || o->stride || o->low || o->high)
        argp_error(state,
                   "--%s cannot be combined with --stride, --low, --high%s",
                   whole, o->pairs ? " or --exhaustive" : "");
    if (o->pairs && (o->second || x->svg || x->length_count || x->all))
        argp_error(state,
                   "--pairs cannot be combined with --second, --svg, --form "
                   "or --all-unary");
}

static void check_operation(const struct arguments *x, struct argp_state *state)
{
    if (!x->sweep.op && !x->all)
        argp_error(state, "expected an operation");
    if (x->sweep.op && x->all)
        argp_error(state, "an operation cannot be combined with --all-unary");
}

static error_t parse_more(int key, char *text, struct argp_state *state)
{
    struct arguments *x = state->input;
    switch (key) {
    case OPTION_ALL:
        x->all = true;
        return 0;
    case OPTION_JSON:
        x->json = true;
        return 0;
    case OPTION_SVG:
        x->svg = text;
        return 0;
    case OPTION_RESUME:
        x->sweep.resume = true;
        return 0;
    case OPTION_NO_SANDBOX:
        x->sweep.no_sandbox = true;
        return 0;
    case OPTION_EXHAUSTIVE:
        x->sweep.exhaustive = true;
        return 0;
    case OPTION_PAIRS:
        x->sweep.pairs = true;
        return 0;
    case OPTION_SLOW:
        slow_set(true);
        return 0;
    case OPTION_PROFILE:
        x->sweep.profile = text;
        return 0;
    case OPTION_TO:
        x->sweep.converts = true;
        if (!dtype_parse(text, strlen(text), &x->sweep.to))
            argp_error(state, "unknown element type %s", text);
        return 0;
    case OPTION_SHARD:
        x->shard = text;
        return 0;
    case OPTION_JOIN:
        add_join(x, text);
        return 0;
    case OPTION_TIMEOUT:
        x->sweep.timeout_ms = option_seconds(state, "timeout", text);
        x->sweep.sleep_ms = SUPERVISE_SLEEP_TIMES * x->sweep.timeout_ms;
        return 0;
    case ARGP_KEY_ARG:
        if (x->sweep.op)
            argp_error(state, "expected one operation");
        x->sweep.op = text;
        return 0;
    case ARGP_KEY_END:
        check_operation(x, state);
        check_whole(x, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *x = state->input;
    struct sweep_options *o = &x->sweep;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->limits;
        return 0;
    case 't':
        if (!dtype_parse(text, strlen(text), &o->type))
            argp_error(state, "unknown element type %s", text);
        return 0;
    case 'b':
        o->backend = text;
        return 0;
    case OPTION_BACKEND_OPTION:
        add_option(x, text);
        return 0;
    case 's':
        o->stride =
            (uint64_t)option_number(state, "stride", text, 1, INT64_MAX);
        return 0;
    case OPTION_LOW:
        o->low = text;
        return 0;
    case OPTION_HIGH:
        o->high = text;
        return 0;
    case 'f':
        read_lengths(x, text, state);
        return 0;
    case OPTION_SECOND:
        o->second = text;
        return 0;
    case 'd':
        o->database = text;
        return 0;
    case 'j':
        o->jobs = (int)option_number(state, "jobs", text, 1, 256);
        return 0;
    default:
        return parse_more(key, text, state);
    }
}

/* ---- What came out ------------------------------------------------------- */

/* Millionths as a decimal. */
static const char *ulps(struct arena *a, int64_t error)
{
    uint64_t e = error < 0 ? -(uint64_t)error : (uint64_t)error;
    return arena_printf(a, "%" PRIu64 ".%06" PRIu64, e / 1000000, e % 1000000);
}

static const char *share(struct arena *a, const struct sweep *s)
{
    double part = s->count ? (double)s->correct / (double)s->count : 0;
    return arena_printf(a, "%.6f", part);
}

static void print_binades_json(struct arena *a, const struct sweep *s)
{
    struct sweep_binade *b;
    enum dtype t = s->options->type;
    int64_t n = sweep_binades(a, s, &b), shown = 0;
    printf(", \"binades\": [");
    for (int64_t i = 0; i < n; i++)
        if (b[i].has_error)
            printf("%s{\"first\": \"%s\", \"max_ulp\": %s, "
                   "\"max_ulp_input\": \"%s\"}",
                   shown++ ? ", " : "", show_bits(a, t, b[i].first),
                   ulps(a, b[i].error), show_bits(a, t, b[i].worst_input));
    printf("]");
}

static void print_binades(struct arguments *x, const struct sweep *s)
{
    struct arena *a = &x->one;
    struct sweep_binade *b;
    enum dtype t = s->options->type;
    int64_t n = sweep_binades(a, s, &b);
    puts("  largest error of each binade, named by its least pattern:");
    for (int64_t i = 0; i < n; i++)
        if (b[i].has_error)
            printf("    %s %12s ulp at %s (%s)\n", show_bits(a, t, b[i].first),
                   ulps(a, b[i].error), show_decimal(a, t, b[i].worst_input),
                   show_bits(a, t, b[i].worst_input));
}

static void print_json(struct arguments *x, const struct sweep *s)
{
    struct arena *a = &x->one;
    enum dtype t = s->options->type;
    printf("{\"op\": \"%s\", \"type\": \"%s\", \"backend\": %s, \"count\": "
           "%" PRId64 ", ",
           s->options->op, dtype_table[t].name, json_quote(a, s->backend),
           s->count);
    if (s->has_error)
        printf("\"max_ulp\": %s, \"max_ulp_input\": \"%s\", ",
               ulps(a, s->error), sweep_input(a, s, s->worst_input, false));
    else
        printf("\"max_ulp\": null, \"max_ulp_input\": null, ");
    printf("\"correctly_rounded\": %s, \"special_mismatches\": %" PRId64
           ", \"bad\": %" PRId64 ", \"length\": %" PRId64
           ", \"points\": %" PRId64 ", \"failed_parts\": %" PRId64,
           share(a, s), s->special, s->bad, s->length, s->points, s->failed);
    if (s->options->converts)
        printf(", \"to\": \"%s\"", dtype_table[s->options->to].name);
    if (s->options->shard.count > 0)
        printf(", \"shard\": %d, \"shards\": %d", s->options->shard.number,
               s->options->shard.count);
    if (s->failed > 0)
        printf(", \"why\": %s", json_quote(a, s->why));
    if (s->options->exhaustive)
        print_binades_json(a, s);
    printf("}\n");
    fflush(stdout);
}

/* The upper end of a bin, in ulps (results.sql). */
static const char *bin_name(struct arena *a, int bin)
{
    int n = bin < 0 ? -bin : bin;
    if (bin == VERDICT_BIN_SPECIAL)
        return "NaN or infinity";
    if (n == 0)
        return "0";
    if (n <= 64)
        return arena_printf(a, "%s%.3f", bin < 0 ? "-" : "<= ", (double)n / 8);
    return n < 120 ? arena_printf(a, "%s%.4g", bin < 0 ? "-" : "<= ",
                                  8.0 * (double)(INT64_C(1) << (n - 64)))
                   : arena_printf(a, "%s2^%d", bin < 0 ? "-" : "<= ", n - 61);
}

static void print_histogram(struct arguments *x, const struct sweep *s)
{
    int64_t most = 1;
    for (int i = 0; i < VERDICT_BINS; i++)
        most = s->bins[i] > most ? s->bins[i] : most;
    puts("  error in ulps          inputs");
    for (int i = 0; i < VERDICT_BINS; i++) {
        if (s->bins[i] == 0)
            continue;
        int width = (int)(40 * (double)s->bins[i] / (double)most);
        printf("  %15s %12" PRId64 " %.*s\n",
               bin_name(&x->one, i + VERDICT_BIN_FIRST), s->bins[i],
               width > 0 ? width : 1,
               "########################################");
    }
}

static void print_wrong(struct arguments *x, const struct sweep *s,
                        const char *title, const struct sweep_wrong *w, int n)
{
    struct arena *a = &x->one;
    if (n > 0)
        printf("  %s:\n", title);
    for (int i = 0; i < n; i++)
        printf("    %s (%s) gives %s (%s), expected %s (%s)\n",
               sweep_input(a, s, w[i].input, true),
               sweep_input(a, s, w[i].input, false),
               show_decimal(a, w[i].type, w[i].got),
               show_bits(a, w[i].type, w[i].got),
               show_decimal(a, w[i].type, w[i].want),
               show_bits(a, w[i].type, w[i].want));
}

static void print_text(struct arguments *x, const struct sweep *s, bool brief)
{
    struct arena *a = &x->one;
    enum dtype t = s->options->type;
    const struct shard *part = &s->options->shard;
    printf("%s %s on %s, %s%s: %" PRId64 " inputs", s->options->op,
           dtype_table[t].name, s->backend, s->variant,
           part->count > 0
               ? arena_printf(a, ", shard %d/%d", part->number, part->count)
               : "",
           s->count);
    if (s->has_error)
        printf(", largest error %s ulp at %s (%s)", ulps(a, s->error),
               sweep_input(a, s, s->worst_input, true),
               sweep_input(a, s, s->worst_input, false));
    printf(", correctly rounded %s, wrong special values %" PRId64
           ", outside their set %" PRId64 "\n",
           share(a, s), s->special, s->bad);
    if (s->failed > 0)
        printf("  %" PRId64 " parts without a result: %s\n", s->failed, s->why);
    if (brief)
        return;
    print_histogram(x, s);
    if (s->options->exhaustive)
        print_binades(x, s);
    print_wrong(x, s, "wrong special values", s->odd, s->special_count);
    print_wrong(x, s, "wrong values", s->wrong, s->wrong_count);
}

/* Told before the sweep, not after it. */
static bool can_draw(const struct arguments *x, struct status *st)
{
    return !x->svg || whole_file_check("--svg", x->svg, st);
}

static bool draw(const struct arguments *x, const struct sweep *s,
                 struct status *st)
{
    struct whole_file w;
    if (!x->svg)
        return true;
    TRY(whole_file_open(&w, x->svg, st));
    sweep_svg(w.to, s);
    return whole_file_close(&w, true, st);
}

/* ---- Sweeps -------------------------------------------------------------- */

static struct sweep_options *running;

static void on_signal(int number)
{
    (void)number;
    running->interrupted = 1;
}

static bool sweep_one(struct arguments *x, bool brief, struct status *st)
{
    struct sweep *s = arena_new(&x->one, struct sweep, 1);
    bool ok = sweep_run(&x->one, &x->sweep, s, st);
    if (ok) {
        x->done++;
        /* A shard of very many may have no part at all. */
        x->judged +=
            s->count > 0 || (x->sweep.shard.count > 0 && s->due_count == 0);
        x->failed += s->bad > 0 || (s->failed > 0 && !s->unsupported);
        if (x->json)
            print_json(x, s);
        else
            print_text(x, s, brief);
        ok = draw(x, s, st);
    }
    return ok;
}

static bool sweep_lengths(struct arguments *x, struct status *st)
{
    bool ok = true;
    int n = x->length_count > 0 ? x->length_count : 1;
    for (int i = 0; ok && i < n && !x->sweep.interrupted; i++) {
        x->sweep.length = x->length_count > 0 ? x->lengths[i] : 0;
        ok = sweep_one(x, x->all || n > 1, st);
        arena_reset(&x->one);
    }
    return ok;
}

static bool sweep_all(struct arguments *x, struct status *st)
{
    for (int i = 0; i < spec_op_count() && !x->sweep.interrupted; i++) {
        struct status one = {0};
        x->sweep.op = spec_op_at(i)->name;
        if (!sweep_is_unary(x->sweep.op) || sweep_lengths(x, &one))
            continue;
        /* An operation without that type is left out. */
        if (one.code != STATUS_INPUT) {
            *st = one;
            return false;
        }
    }
    return x->done > 0 || FAIL(st, INPUT, "no operation supports this type");
}

static int run(struct arguments *x)
{
    struct status st = {0};
    struct sigaction action = {.sa_handler = on_signal};
    running = &x->sweep;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    int bits = dtype_table[x->sweep.type].bits;
    if (x->sweep.stride == 0)
        x->sweep.stride =
            bits > 20 && !x->sweep.exhaustive ? UINT64_C(1) << (bits - 20) : 1;
    bool ok = (!x->shard || shard_read(x->shard, &x->sweep.shard, &st))
              && can_draw(x, &st) && spec_load(&st)
              && (x->all ? sweep_all(x, &st) : sweep_lengths(x, &st));
    if (!ok)
        command_complain("sweep", &st, NULL);
    if (!ok)
        return st.code == STATUS_INPUT ? COMMAND_USAGE : COMMAND_BROKEN;
    if (x->sweep.interrupted)
        return COMMAND_INTERRUPTED;
    if (x->judged == 0)
        fprintf(stderr, "assay sweep: nothing was judged\n");
    return x->failed > 0 || x->judged == 0 ? COMMAND_FAILED : COMMAND_OK;
}

int cmd_sweep(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "OP",
        "Judge a unary function, or a binary one with a fixed second operand, "
        "on every N-th bit pattern of a type.\v"
        "Exit status: 0 every result is in its acceptance set, 1 a result is "
        "not or nothing was judged, 2 usage error or invalid input, 3 the "
        "sweep itself failed, 130 interrupted.",
        case_options_limits,
        NULL,
        NULL};
    static struct arguments x;
    struct arena arena = {.paged = true};
    x.arena = &arena;
    x.sweep = (struct sweep_options){.limits = LIMITS_DEFAULT,
                                     .type = DT_f32,
                                     .backend = "native",
                                     .backend_options = "",
                                     .profile = "spec",
                                     .database = "results.db",
                                     .timeout_ms = SUPERVISE_TIMEOUT_MS,
                                     .sleep_ms = SUPERVISE_SLEEP_TIMES
                                                 * SUPERVISE_TIMEOUT_MS,
                                     .memory_bytes = INT64_C(4) << 30};
    x.sweep.jobs = (int)sysconf(_SC_NPROCESSORS_ONLN);
    argp_err_exit_status = COMMAND_USAGE;
    if (argp_parse(&argp, argc, argv, 0, NULL, &x) != 0)
        return COMMAND_USAGE;
    x.sweep.quiet = x.json;
    const char *all = argv[0];
    for (int i = 1; i < argc; i++)
        all = arena_printf(&arena, "%s %s", all, argv[i]);
    x.sweep.command = all;
    int result = run(&x);
    arena_free(&x.one);
    arena_free(&arena);
    return result;
}
