/* cmd_sweep.c - assay sweep: one function over very many inputs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/specification/spec.h"
#include "tools/verbs/command.h"
#include "tools/verbs/option.h"
#include "tools/verbs/sweep_options.h"

enum {
    LENGTHS_MAX = 256
};

struct arguments {
    struct sweep_shared shared;
    const char *shard;
    struct option_words joins;
    bool all;
    int length_count;
    int64_t lengths[LENGTHS_MAX];
    struct arena one; /* of one sweep */
    int failed, judged, done;
    bool inapplicable; /* the last one failed for this */
};

static void add_length(struct arguments *x, int64_t n)
{
    if (x->length_count < LENGTHS_MAX)
        x->lengths[x->length_count++] = n;
}

static void read_lengths(void *target, const struct option_given *g)
{
    struct arguments *x = target;
    char *text = g->text;
    static const int64_t more[] = {1000, 1024, 4099};
    x->length_count = 0;
    if (strcmp(g->text, "lengths") == 0) {
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
        add_length(x,
                   option_number(g->state, g->name, text, 1, INT64_C(1) << 24));
    }
}

static void read_to(void *target, const struct option_given *g)
{
    struct sweep_options *o = &((struct arguments *)target)->shared.sweep;
    o->converts = true;
    o->to = sweep_options_dtype(g->state, g->text);
}

static const struct option_row options[] = {
    {"type", 't', "T", 0, "Element type (f32)", 0,
     OPTION_CALL(sweep_options_type)},
    {"stride", 's', "N", 0,
     "One bit pattern of every N, drawn by a fixed rule (1 up to 16 bits, 256 "
     "for 32, 2^44 for 64)",
     0, OPTION_NUMBER(struct arguments, shared.sweep.stride, 1, INT64_MAX)},
    {"exhaustive", 0, NULL, 0,
     "Every input of a type of at most 32 bits; also prints the largest error "
     "of each binade",
     0, OPTION_FLAG(struct arguments, shared.sweep.exhaustive)},
    {"pairs", 0, NULL, 0,
     "Every pair of operands of a binary operation, of a type of at most 16 "
     "bits",
     0, OPTION_FLAG(struct arguments, shared.sweep.pairs)},
    {"low", 0, "X", 0, "Least input", 0,
     OPTION_TEXT(struct arguments, shared.sweep.low)},
    {"high", 0, "X", 0, "Greatest input", 0,
     OPTION_TEXT(struct arguments, shared.sweep.high)},
    {"form", 'f', "LENGTHS", 0,
     "Array length of the program, or several, separated by commas and swept "
     "in turn; 'lengths': 1 to 129, 1000, 1024 and 4099",
     0, OPTION_CALL(read_lengths)},
    {"second", 0, "X", 0, "Right operand of a binary operation", 0,
     OPTION_TEXT(struct arguments, shared.sweep.second)},
    {"to", 0, "T", 0, "Element type of the result, for a conversion", 0,
     OPTION_CALL(read_to)},
    {"all-unary", 0, NULL, 0, "Every unary function", 0,
     OPTION_FLAG(struct arguments, all)},
    {"shard", 0, "I/N|env|env/N", 0,
     "Sweep part I of N of the inputs; env: take both from a job array's "
     "environment",
     0, OPTION_TEXT(struct arguments, shard)},
    {"join", 0, "DATABASE", 0,
     "Reuse the parts in DATABASE, from a shard or an interrupted sweep "
     "(repeatable); only missing parts are swept",
     0, OPTION_LIST(struct arguments, joins, INT32_MAX)},
    {0}};

/* All inputs exclude a range. */
static void check_whole(const struct arguments *x, struct argp_state *state)
{
    const struct sweep_options *o = &x->shared.sweep;
    const char *whole = o->pairs ? "pairs" : "exhaustive";
    if (!o->pairs && !o->exhaustive)
        return;
    if ((o->pairs && o->exhaustive) || o->stride || o->low || o->high)
        argp_error(state,
                   "--%s cannot be combined with --stride, --low, --high%s",
                   whole, o->pairs ? " or --exhaustive" : "");
    if (o->pairs && (o->second || x->shared.svg || x->length_count || x->all))
        argp_error(state,
                   "--pairs cannot be combined with --second, --svg, --form "
                   "or --all-unary");
}

/* The largest error of each binade is that of its parts. */
static void check_lengths(const struct arguments *x, struct argp_state *state)
{
    const struct sweep_options *o = &x->shared.sweep;
    int p = dtype_table[o->type].precision;
    if (!o->exhaustive || dtype_class(o->type) != DTYPE_FLOAT)
        return;
    for (int i = 0; i < x->length_count; i++)
        if ((INT64_C(1) << (p - 1)) % x->lengths[i] != 0)
            argp_error(state,
                       "--exhaustive: --form %lld does not divide the %lld "
                       "numbers of a binade of %s; use --stride 1 instead, or "
                       "another --form",
                       (long long)x->lengths[i], 1LL << (p - 1),
                       dtype_table[o->type].name);
}

static void check_operation(const struct arguments *x, struct argp_state *state)
{
    const char *op = x->shared.sweep.op;
    if (!op && !x->all)
        argp_error(state, "expected an operation");
    if (op && x->all)
        argp_error(state, "an operation cannot be combined with --all-unary");
    if (x->all && (x->shared.sweep.second || x->shared.sweep.converts))
        argp_error(state, "--all-unary cannot be combined with --second or "
                          "--to");
}

/* Joined databases need not be of the shard. */
static void check_join(const struct arguments *x, struct argp_state *state)
{
    if (x->shard && x->joins.count > 0)
        argp_error(state, "--shard cannot be combined with --join: a join "
                          "reports the whole sweep");
}

static void check(void *target, struct argp_state *state)
{
    const struct arguments *x = target;
    check_operation(x, state);
    check_whole(x, state);
    check_join(x, state);
    check_lengths(x, state);
}

/* ---- Sweeps -------------------------------------------------------------- */

static bool sweep_one(struct arguments *x, bool brief, struct status *st)
{
    struct sweep *s = arena_new(&x->one, struct sweep, 1);
    struct sweep_options *o = &x->shared.sweep;
    bool ran = sweep_run(&x->one, o, s, st);
    x->inapplicable = !ran && s->inapplicable;
    if (!ran)
        return false;
    x->done++;
    /* With very many shards, one may have no part. */
    x->judged += s->count > 0 || (o->shard.count > 0 && s->due_count == 0);
    x->failed += s->bad > 0 || (s->failed > 0 && !s->unsupported);
    return sweep_options_report(&x->shared, &x->one, s, brief, st);
}

static bool sweep_lengths(struct arguments *x, struct status *st)
{
    bool ok = true;
    int n = x->length_count > 0 ? x->length_count : 1;
    for (int i = 0; ok && i < n && !x->shared.sweep.interrupted; i++) {
        x->shared.sweep.length = x->length_count > 0 ? x->lengths[i] : 0;
        ok = sweep_one(x, x->all || n > 1, st);
        arena_reset(&x->one);
    }
    return ok;
}

static bool sweep_all(struct arguments *x, struct status *st)
{
    for (int i = 0; i < spec_op_count() && !x->shared.sweep.interrupted; i++) {
        struct status one = {0};
        x->shared.sweep.op = spec_op_at(i)->name;
        if (!sweep_is_unary(x->shared.sweep.op) || sweep_lengths(x, &one))
            continue;
        /* An operation without that type is left out; all else is wrong for
         * every operation, or not what was asked for. */
        if (!x->inapplicable) {
            *st = one;
            return false;
        }
    }
    return x->done > 0 || FAIL(st, INPUT, "no operation supports this type");
}

/* All inputs of at most 16 bits, 2^24 of 32 bits, for which there are kernels,
 * and 2^20 of 64, each of which takes MPFR microseconds.  A power of two gives
 * every binade as many. */
static uint64_t default_stride(enum dtype type)
{
    int bits = dtype_table[type].bits;
    int sampled = bits > 32 ? 20 : 24;
    return UINT64_C(1) << (bits > 16 ? bits - sampled : 0);
}

static int run_sweep(struct arguments *x)
{
    struct status st = {0};
    struct sweep_options *o = &x->shared.sweep;
    sweep_options_signals(o);
    if (o->stride == 0)
        o->stride = o->exhaustive ? 1 : default_stride(o->type);
    bool ok = (!x->shard || shard_read(x->shard, &o->shard, &st))
              && sweep_options_ready(&x->shared, &st) && spec_load(&st)
              && (x->all ? sweep_all(x, &st) : sweep_lengths(x, &st));
    if (!ok)
        return command_fail("sweep", &st, NULL);
    if (o->interrupted)
        return COMMAND_INTERRUPTED;
    if (x->judged == 0)
        fprintf(stderr, "assay sweep: nothing was judged\n");
    return x->failed > 0 || x->judged == 0 ? COMMAND_FAILED : COMMAND_OK;
}

int cmd_sweep(int argc, char **argv)
{
    static const struct option_set set = {
        .options = options,
        .arguments = "OP",
        .help = "Judge a unary function, or a binary one with a fixed second "
                "operand, on one bit pattern of every N of a type.\vExit "
                "status: 0 every result is in its acceptance set, 1 a result "
                "is not or nothing was judged, 2 usage error or invalid input, "
                "3 the sweep itself failed, 130 interrupted.",
        .surplus = "expected one operation",
        .word = offsetof(struct arguments, shared.sweep.op),
        .check = check,
        .children = {{&sweep_options, offsetof(struct arguments, shared)}}};
    static struct arguments x;
    struct arena arena = {.paged = true};
    sweep_options_start(&x.shared, &arena, DT_f32);
    x.shared.sweep.stride = 0;
    option_parse(&set, argc, argv, &x);
    x.shared.sweep.join_count = x.joins.count;
    x.shared.sweep.joins = (const char **)x.joins.list;
    x.shared.sweep.command = option_line(&arena, "sweep", argc, argv);
    int result = run_sweep(&x);
    arena_free(&x.one);
    arena_free(&arena);
    return result;
}
