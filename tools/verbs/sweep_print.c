/* sweep_print.c - see sweep_options.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "interp/base/text.h"
#include "interp/data/show.h"
#include "interp/exact/real.h"
#include "report/format.h"
#include "tools/verbs/sweep_options.h"

/* Millionths as a decimal; words where it was not measured further. */
static const char *ulps(struct arena *a, int64_t error)
{
    if (error >= REAL_ERROR_MAX || error <= -REAL_ERROR_MAX)
        return format_ulps(a, llabs(error));
    uint64_t e = error < 0 ? -(uint64_t)error : (uint64_t)error;
    return arena_printf(a, "%" PRIu64 ".%06" PRIu64, e / 1000000, e % 1000000);
}

static const char *share(struct arena *a, const struct sweep *s)
{
    return s->count > 0 ? format_fraction(a, s->correct, s->count, 6)
                        : "0.000000";
}

static void print_binades_json(struct arena *a, const struct sweep *s)
{
    struct sweep_binade *b;
    enum dtype t = s->options->type;
    int64_t n = sweep_binades(a, s, &b);
    printf(", \"binades\": [");
    for (int64_t i = 0; i < n; i++) {
        printf("%s{\"first\": \"%s\", ", i > 0 ? ", " : "",
               show_bits(a, t, b[i].first));
        format_json_ulps(stdout, a, "max_ulp", true, llabs(b[i].error));
        printf(", \"max_ulp_input\": \"%s\"}",
               sweep_input(a, s, b[i].worst_input, b[i].worst_second, false));
    }
    printf("]");
}

static void print_binades(struct arena *a, const struct sweep *s)
{
    struct sweep_binade *b;
    enum dtype t = s->options->type;
    int64_t n = sweep_binades(a, s, &b);
    puts("  largest error of each binade, named by its least pattern:");
    for (int64_t i = 0; i < n; i++)
        printf("    %s %12s ulp at %s (%s)\n", show_bits(a, t, b[i].first),
               ulps(a, b[i].error), show_decimal(a, t, b[i].worst_input),
               show_bits(a, t, b[i].worst_input));
}

/* Results out of order with the pattern before theirs. */
static void print_order_json(struct arena *a, const struct sweep *s)
{
    const struct monotone_sum *o = &s->order;
    enum dtype t = s->options->type;
    printf(", \"monotonicity_breaks\": %s",
           s->ordered ? arena_printf(a, "%" PRId64, o->breaks) : "null");
    if (s->ordered && o->breaks > 0)
        printf(", \"monotonicity_break_inputs\": \"%s %s\"",
               show_bits(a, t, o->input - 1), show_bits(a, t, o->input));
    else
        printf(", \"monotonicity_break_inputs\": null");
}

static void print_order(struct arena *a, const struct sweep *s)
{
    enum dtype t = s->options->type;
    const struct monotone_sum *o = &s->order;
    if (!s->ordered)
        return;
    printf(", monotonicity breaks %" PRId64, o->breaks);
    if (o->breaks > 0)
        printf(", the first between %s (%s) and %s (%s)",
               show_decimal(a, t, o->input - 1), show_bits(a, t, o->input - 1),
               show_decimal(a, t, o->input), show_bits(a, t, o->input));
}

void sweep_print_json(struct arena *a, const struct sweep *s)
{
    enum dtype t = s->options->type;
    printf("{\"op\": \"%s\", \"type\": \"%s\", \"backend\": %s, \"count\": "
           "%" PRId64 ", ",
           s->options->op, dtype_table[t].name, json_quote(a, s->backend),
           s->count);
    format_json_ulps(stdout, a, "max_ulp", s->has_error, llabs(s->error));
    if (s->has_error)
        printf(", \"max_ulp_input\": \"%s\", ",
               sweep_input(a, s, s->worst_input, s->worst_second, false));
    else
        printf(", \"max_ulp_input\": null, ");
    printf("\"correctly_rounded\": %s, \"special_mismatches\": %" PRId64
           ", \"bad\": %" PRId64 ", \"length\": %" PRId64
           ", \"failed_parts\": %" PRId64,
           share(a, s), s->special, s->bad, s->length, s->failed);
    print_order_json(a, s);
    if (s->options->hunt)
        printf(", \"searched\": %" PRId64 ", \"seed\": %" PRIu64
               ", \"rounds\": %" PRId64,
               s->done_count * s->length, s->options->hunt->seed, s->rounds);
    else
        printf(", \"points\": %" PRId64, s->points);
    if (s->options->converts)
        printf(", \"to\": \"%s\"", dtype_table[s->options->to].name);
    if (s->options->shard.count > 0)
        printf(", \"shard\": %d, \"shards\": %d", s->options->shard.number,
               s->options->shard.count);
    if (s->failed > 0)
        printf(", \"why\": %s", json_quote(a, s->why));
    if (s->options->exhaustive || s->options->hunt)
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

/* A bin that is not empty has at least one mark: one input in four thousand
 * millions may be the only one that is wrong. */
static void print_histogram(struct arena *a, const struct sweep *s)
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
               bin_name(a, i + VERDICT_BIN_FIRST), s->bins[i],
               width > 0 ? width : 1,
               "########################################");
    }
}

static void print_wrong(struct arena *a, const struct sweep *s,
                        const char *title, const struct sweep_wrong *w, int n)
{
    if (n > 0)
        printf("  %s:\n", title);
    for (int i = 0; i < n; i++)
        printf("    %s (%s) gives %s (%s), expected %s (%s)\n",
               sweep_input(a, s, w[i].input, w[i].second, true),
               sweep_input(a, s, w[i].input, w[i].second, false),
               show_decimal(a, w[i].type, w[i].got),
               show_bits(a, w[i].type, w[i].got),
               show_decimal(a, w[i].type, w[i].want),
               show_bits(a, w[i].type, w[i].want));
}

void sweep_print_text(struct arena *a, const struct sweep *s, bool brief)
{
    enum dtype t = s->options->type;
    const struct shard *part = &s->options->shard;
    printf("%s %s on %s, %s%s: %" PRId64 " inputs", s->options->op,
           dtype_table[t].name, s->backend, s->variant,
           part->count > 0
               ? arena_printf(a, ", shard %d/%d", part->number, part->count)
               : "",
           s->count);
    if (s->options->hunt)
        printf(" judged of %" PRId64, s->done_count * s->length);
    if (s->has_error)
        printf(", largest error %s ulp at %s (%s)", ulps(a, s->error),
               sweep_input(a, s, s->worst_input, s->worst_second, true),
               sweep_input(a, s, s->worst_input, s->worst_second, false));
    printf(", correctly rounded %s, wrong special values %" PRId64
           ", outside their set %" PRId64,
           share(a, s), s->special, s->bad);
    print_order(a, s);
    puts("");
    if (s->failed > 0)
        printf("  %" PRId64 " %s without a result: %s\n", s->failed,
               text_plural(s->failed, "part", "parts"), s->why);
    if (brief)
        return;
    print_histogram(a, s);
    if (s->options->exhaustive)
        print_binades(a, s);
    print_wrong(a, s, "wrong special values", s->odd, s->special_count);
    print_wrong(a, s, "wrong values", s->wrong, s->wrong_count);
}
