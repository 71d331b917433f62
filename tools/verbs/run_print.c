/* run_print.c - see run_print.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tools/verbs/run_print.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "interp/base/text.h"
#include "interp/specification/spec.h"
#include "report/report.h"
#include "runner/record.h"
#include "runner/store/claim.h"
#include "tools/verbs/command.h"
#include "tools/verbs/option.h"

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
    for (int i = 0; i < s->reason_count && i < REASONS; i++) {
        const struct run_reason *r = &s->reasons[i];
        fprintf(stderr, "assay run: %" PRId64 " %s: %s\n", r->count,
                text_plural(r->count, "case", "cases"),
                *r->text ? r->text : "no reason given");
    }
    const char *advice =
        s->reason_count > 0 ? command_advice(s->reasons[0].text) : NULL;
    if (advice)
        fprintf(stderr, "assay run: %s\n", advice);
    if (s->reason_count > REASONS)
        fprintf(stderr, "assay run: ... and %d more %s\n",
                s->reason_count - REASONS,
                text_plural(s->reason_count - REASONS, "reason", "reasons"));
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

/* Prints what the sandbox refused, and what it lacks. */
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

/* Prints what the reports say of the run, in their words. */
static bool print_brief(FILE *out, const struct run_options *o,
                        const struct run_summary *s, struct status *st)
{
    struct arena a = ARENA_INIT;
    struct report r;
    struct report_summary sum;
    if (!report_open(&r, &a,
                     arena_printf(&a, "%s@%" PRId64, o->database, s->run), out,
                     st)) {
        arena_free(&a);
        return false;
    }
    r.colour = o->colour;
    bool brief = !o->quiet && out == stdout;
    bool ok = brief ? report_summary_brief(&r, &r.runs[0], o->verbose, st)
                    : report_summary(&r, &r.runs[0], &sum, st);
    if (ok && !brief)
        fprintf(out, "%s\n", report_summary_line(&a, &sum));
    report_close(&r);
    arena_free(&a);
    return ok;
}

/* Prints the commands that a person may want to enter next. */
static void print_next(FILE *out, const struct run_options *o,
                       const struct run_summary *s)
{
    struct arena a = ARENA_INIT;
    const char *program = record_word(&a, option_program);
    const char *file = record_word(&a, o->database);
    const char *next = "next: ";
    bool more = s->interrupted || (s->stopped && !s->failed_fast);
    if (more) {
        fprintf(out, "%s%s%s\n", next, o->command,
                o->resume ? "" : " --resume");
        next = "      ";
    } else if (s->shards > 0) {
        fprintf(out, "%s%s merge -o whole.db %s ...  # with the other shards\n",
                next, program, file);
        next = "      ";
    }
    if (s->failed > 0) {
        fprintf(out, "%s%s explain %s  # every cause\n", next, program, file);
        next = "      ";
    }
    if (s->shards == 0 && run_print_judged(&s->all) > 0)
        fprintf(out, "%s%s report -f html -o report.html %s\n", next, program,
                file);
    arena_free(&a);
}

static void print_totals(FILE *out, const struct run_summary *s)
{
    fprintf(out, "%" PRId64 " %s:", s->all.planned,
            text_plural(s->all.planned, "case", "cases"));
    for (int v = 0; v < VERDICT_COUNT; v++)
        if (s->all.count[v] > 0)
            fprintf(out, " %" PRId64 " %s", s->all.count[v],
                    verdict_name((enum verdict_status)v));
    if (s->reference_wrong > 0)
        fprintf(out, "; in %" PRId64 " the reference or the case is wrong",
                s->reference_wrong);
    fprintf(out, "%s\n", s->interrupted ? " (interrupted)" : "");
}

/* A tier of chosen cases: what these catch of what the whole would. */
static void print_tier(FILE *out, const struct run_options *o)
{
    const struct plan_options *p = &o->plan;
    const struct json *tiers = spec_file("spec/tiers.json");
    const struct json *cases =
        json_member(json_member(json_member(tiers, "tiers"), p->tier), "cases");
    const struct json *file = cases ? spec_file(cases->text) : NULL;
    bool first = true;
    if (p->cases || p->filter_count || p->exclude_count || p->names || !file)
        return;
    for (const struct json *c = json_member(file, "catches")->child; c;
         c = c->next, first = false) {
        int64_t caught = atoll(json_member(c, "caught")->text);
        int64_t of = atoll(json_member(c, "of")->text);
        fprintf(out, "%s%" PRId64 " of %" PRId64 " %s (%" PRId64 " %%)",
                first ? "tier quick catches " : ", ", caught, of, c->key,
                of > 0 ? 100 * caught / of : 100);
    }
    fputs(" that the default tier catches\n", out);
}

bool run_print_summary(const struct run_options *o, const struct run_summary *s,
                       struct status *st)
{
    FILE *out = o->tap || o->json ? stderr : stdout;
    if (out == stdout && !o->quiet)
        putc('\n', out);
    print_totals(out, s);
    bool ok = s->run == 0 || print_brief(out, o, s, st);
    if (s->note)
        fprintf(out, "incomplete: %s\n", s->note);
    if (s->shards > 0)
        fprintf(out, "shard %d/%d of %" PRId64 " cases%s%s%s\n", s->shard,
                s->shards, s->whole, s->shard_variable ? " (" : "",
                s->shard_variable ? s->shard_variable : "",
                s->shard_variable ? ")" : "");
    if (s->unconfirmed > 0)
        fprintf(out,
                "%" PRId64 " %s not confirmed when the case was run alone\n",
                s->unconfirmed,
                text_plural(s->unconfirmed, "timeout was", "timeouts were"));
    if (s->disturbed > 0)
        fprintf(out,
                "%" PRId64 " %s run again alone: an earlier case or a thread"
                " of the backend had changed %s inputs\n",
                s->disturbed,
                text_plural(s->disturbed, "case was", "cases were"),
                text_plural(s->disturbed, "its", "their"));
    if (s->endings)
        fprintf(out, "%s\n", s->endings);
    if (s->damaged)
        fprintf(out, "the backend overwrote memory shared with the runner; "
                     "from then on that memory was read-only during calls\n");
    print_sandbox(out, s);
    if (o->plan.tier)
        print_tier(out, o);
    fprintf(out,
            "%.1f s; the backend was compiling for %.1f s and executing for"
            " %.1f s, with %d %s\n",
            (double)s->wall_ns / 1e9, (double)s->compile_ns / 1e9,
            (double)s->execute_ns / 1e9, o->jobs,
            text_plural(o->jobs, "job", "jobs"));
    if (s->expectations)
        fprintf(out, "expectations: %s (%d %s)\n", s->expectations,
                s->expectation_count,
                text_plural(s->expectation_count, "entry", "entries"));
    if (s->identity)
        print_claim(out, s);
    if (o->database)
        fprintf(out, "results: %s\n", o->database);
    if (s->run != 0 && !o->quiet)
        print_next(out, o, s);
    /* A shard may have none that can be judged. */
    if (!s->interrupted && s->shards == 0 && run_print_judged(&s->all) == 0)
        print_reasons(s);
    return ok;
}
