/* run_print.c - see run_print.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tools/run_print.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "interp/exact/real.h"
#include "runner/store/claim.h"

static int64_t failures(const struct run_tally *t)
{
    int64_t n = 0;
    for (int v = 0; v < VERDICT_COUNT; v++)
        n += verdict_is_failure((enum verdict_status)v) ? t->count[v] : 0;
    return n;
}

int64_t run_print_judged(const struct run_tally *t)
{
    int64_t n = 0;
    for (int v = 0; v < VERDICT_COUNT; v++)
        if (v != VERDICT_UNSUPPORTED && v != VERDICT_LIMIT
            && v != VERDICT_MISSING)
            n += t->count[v];
    return n;
}

static void print_tally(const struct run_tally *t, const char *name)
{
    int64_t right = t->count[VERDICT_PASS] + t->count[VERDICT_WARN];
    int64_t skipped = t->count[VERDICT_UNSUPPORTED] + t->count[VERDICT_LIMIT];
    printf(
        "%-28s %8" PRId64 " %8" PRId64 " %6" PRId64 " %8" PRId64 " %6" PRId64,
        name, t->planned, right, failures(t), skipped, t->count[VERDICT_XFAIL]);
    if (t->has_error) {
        uint64_t e = (uint64_t)(t->error < 0 ? -t->error : t->error);
        if (e >= REAL_ERROR_MAX)
            printf(" %13s", "10^12 or more");
        else if (e >= UINT64_C(1000000000000))
            printf(" %13" PRId64, t->error / 1000000);
        else
            printf(" %6s%" PRIu64 ".%06" PRIu64, t->error < 0 ? "-" : "",
                   e / 1000000, e % 1000000);
    } else {
        printf(" %13s", "");
    }
    if (t->rated > 0)
        printf(" %6.2f%%", 100.0 * (double)t->correct / (double)t->rated);
    putchar('\n');
}

static int most_first(const void *a, const void *b)
{
    int64_t x = ((const struct run_reason *)a)->count;
    int64_t y = ((const struct run_reason *)b)->count;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* No case was judged: the most frequent reasons. */
static void print_reasons(const struct run_summary *s)
{
    enum {
        REASONS = 5
    };
    fputs("assay run: no case was judged\n", stderr);
    if (s->reason_count > 0)
        qsort(s->reasons, (size_t)s->reason_count, sizeof *s->reasons,
              most_first);
    for (int i = 0; i < s->reason_count && i < REASONS; i++)
        fprintf(stderr, "assay run: %" PRId64 " cases: %s\n",
                s->reasons[i].count,
                *s->reasons[i].text ? s->reasons[i].text : "no reason given");
    if (s->reason_count > REASONS)
        fprintf(stderr, "assay run: ... and %d more reasons\n",
                s->reason_count - REASONS);
}

static void print_claim(FILE *out, const struct run_summary *s)
{
    struct arena a = ARENA_INIT;
    const struct claim_facts facts = {
        .identity = s->identity,
        .complete = !s->stopped && !s->interrupted,
        .shard = s->shards > 0,
        .planned = s->all.planned,
        .judged = run_print_judged(&s->all),
        .failures = failures(&s->all) - s->all.count[VERDICT_MISSING],
        .known = s->all.count[VERDICT_XFAIL],
        .missing = s->all.count[VERDICT_MISSING]};
    fprintf(out, "identity: %s\n", identity_line(&a, s->identity));
    fprintf(out, "verdict: %s\n", claim_line(&a, &facts));
    arena_free(&a);
}

/* What it refused, and what it is not. */
static void print_sandbox(FILE *out, const struct run_summary *s)
{
    if (s->refused > 0)
        fprintf(out, "%s", s->refused_text);
    if (s->refused > 1)
        fprintf(out, " (the first of %" PRId64 " calls that it refused)",
                s->refused);
    if (s->refused > 0)
        putc('\n', out);
    if (s->sandbox_missing)
        fprintf(out, "sandbox: %s: %s\n", s->sandbox, s->sandbox_missing);
}

static void print_ending(FILE *out, const char *call, int64_t count,
                         const char *text)
{
    if (count > 0)
        fprintf(out,
                "the backend died %" PRId64 " time%s in %s, which costs no "
                "case its verdict; first: %s\n",
                count, count == 1 ? "" : "s", call, text);
}

static void print_endings(FILE *out, const struct run_summary *s)
{
    print_ending(out, "release", s->release_deaths, s->release_text);
    print_ending(out, "close", s->close_deaths, s->close_text);
}

void run_print_summary(const struct run_options *o, const struct run_summary *s)
{
    FILE *out = stdout;
    if (!o->quiet && !o->tap && !o->json) {
        printf("\n%-28s %8s %8s %6s %8s %6s %13s %7s\n", "operation", "cases",
               "right", "failed", "skipped", "xfail", "worst ulps", "rounded");
        for (int i = 0; i < s->op_count; i++)
            print_tally(&s->ops[i], s->ops[i].op);
        print_tally(&s->all, "all");
    }
    if (o->tap || o->json)
        out = stderr;
    fprintf(out, "%" PRId64 " cases:", s->all.planned);
    for (int v = 0; v < VERDICT_COUNT; v++)
        if (s->all.count[v] > 0)
            fprintf(out, " %" PRId64 " %s", s->all.count[v],
                    verdict_name((enum verdict_status)v));
    if (s->reference_wrong > 0)
        fprintf(out, "; in %" PRId64 " the reference or the case is wrong",
                s->reference_wrong);
    fprintf(out, "%s\n", s->interrupted ? " (interrupted)" : "");
    if (s->note)
        fprintf(out, "incomplete: %s\n", s->note);
    if (s->shards > 0)
        fprintf(out, "shard %d/%d of %" PRId64 " cases%s%s%s\n", s->shard,
                s->shards, s->whole, s->shard_variable ? " (" : "",
                s->shard_variable ? s->shard_variable : "",
                s->shard_variable ? ")" : "");
    if (s->unconfirmed > 0)
        fprintf(out,
                "%" PRId64 " timeouts were not confirmed when the case was"
                " run alone\n",
                s->unconfirmed);
    if (s->disturbed > 0)
        fprintf(out,
                "%" PRId64 " cases were run again alone: an earlier case or a"
                " thread of the backend had changed their inputs\n",
                s->disturbed);
    print_endings(out, s);
    if (s->damaged)
        fprintf(out, "the backend overwrote memory shared with the runner; "
                     "from then on that memory was read-only during calls\n");
    print_sandbox(out, s);
    fprintf(out,
            "%.1f s; the backend was compiling for %.1f s and executing for"
            " %.1f s, with %d job%s\n",
            (double)s->wall_ns / 1e9, (double)s->compile_ns / 1e9,
            (double)s->execute_ns / 1e9, o->jobs, o->jobs == 1 ? "" : "s");
    if (s->expectations)
        fprintf(out, "expectations: %s (%d %s)\n", s->expectations,
                s->expectation_count,
                s->expectation_count == 1 ? "entry" : "entries");
    if (s->identity)
        print_claim(out, s);
    if (o->database)
        fprintf(out, "results: %s\n", o->database);
    /* A shard may have none that can be judged. */
    if (!s->interrupted && s->shards == 0 && run_print_judged(&s->all) == 0)
        print_reasons(s);
}
