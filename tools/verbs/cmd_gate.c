/* cmd_gate.c - assay gate: may this change be merged?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/text.h"
#include "interp/judge/verdict.h"
#include "report/format.h"
#include "report/report.h"
#include "runner/plan/plan_names.h"
#include "tools/verbs/command.h"
#include "tools/verbs/option.h"

struct options {
    const char *which, *baseline;
    int64_t failures, drift, less_correct; /* allowed; -1: any */
    bool unfinished, removed, unsupported, known, fixed, profile, expired;
    const char *must_pass;
};

/* A decimal with at most six places, in millionths, or a whole number. */
static int64_t number_of(const char *text, int64_t unit,
                         struct argp_state *state)
{
    if (strcmp(text, "any") == 0)
        return -1;
    int64_t value = 0;
    const char *p = text;
    bool digits = false;
    for (; *p >= '0' && *p <= '9' && value < INT64_C(1000000000); p++) {
        value = 10 * value + (*p - '0');
        digits = true;
    }
    value *= unit;
    if (*p == '.' && unit > 1)
        for (p++; *p >= '0' && *p <= '9' && unit > 1; p++) {
            unit /= 10;
            value += unit * (*p - '0');
            digits = true;
        }
    if (*p || !digits)
        argp_error(state, "expected a nonnegative number, got '%s'", text);
    return value;
}

static void read_failures(void *target, const struct option_given *g)
{
    ((struct options *)target)->failures = number_of(g->text, 1, g->state);
}

static void read_drift(void *target, const struct option_given *g)
{
    ((struct options *)target)->drift = number_of(g->text, 1000000, g->state);
}

static void read_less_correct(void *target, const struct option_given *g)
{
    ((struct options *)target)->less_correct = number_of(g->text, 1, g->state);
}

static void print_table(void *target, const struct option_given *g)
{
    gate_table(stdout);
    exit(fflush(stdout) == 0 ? COMMAND_OK : COMMAND_BROKEN);
}

static const struct option_row options[] = {
    {"baseline", 'b', "DATABASE[@RUN]", 0,
     "Earlier run: only regressions against it count", 0,
     OPTION_TEXT(struct options, baseline)},
    {"max-failures", 0, "N", 0,
     "Allow N failures, or N new ones with a baseline (0)", 0,
     OPTION_CALL(read_failures)},
    {"max-drift", 0, "ULPS", 0,
     "Allow the worst error of a case to grow by ULPS, or \"any\" (0)", 0,
     OPTION_CALL(read_drift)},
    {"max-less-correct", 0, "N", 0,
     "Allow N cases with fewer correctly rounded elements (any)", 0,
     OPTION_CALL(read_less_correct)},
    {"allow-unfinished", 0, NULL, 0,
     "Accept an unfinished run: cases that never ran do not count", 0,
     OPTION_FLAG(struct options, unfinished)},
    {"allow-removed", 0, NULL, 0,
     "Accept that cases of the baseline are missing from the plan", 0,
     OPTION_FLAG(struct options, removed)},
    {"allow-unsupported", 0, NULL, 0,
     "Accept that passing cases are no longer judged", 0,
     OPTION_FLAG(struct options, unsupported)},
    {"allow-known", 0, NULL, 0,
     "Accept that passing cases fail, or failures are worse, as the "
     "expectations say",
     0, OPTION_FLAG(struct options, known)},
    {"allow-fixed", 0, NULL, 0,
     "Accept right cases that the expectations list as wrong", 0,
     OPTION_FLAG(struct options, fixed)},
    {"allow-other-profile", 0, NULL, 0,
     "Accept a baseline that was judged by another profile", 0,
     OPTION_FLAG(struct options, profile)},
    {"allow-expired", 0, NULL, 0,
     "Accept known failures whose expectation has expired", 0,
     OPTION_FLAG(struct options, expired)},
    {"must-pass", 0, "FILE", 0,
     "Fail unless every case that FILE names, one a line, is right: "
     "mustpass/VERSION.txt of the specification, or your own",
     0, OPTION_TEXT(struct options, must_pass)},
    {"table", 0, NULL, 0,
     "Print what counts, by the status before and after, and exit", 0,
     OPTION_CALL(print_table)},
    {0}};

/* Print a reason for failing, if it applies.  n: how many cases; -1: none is
 * counted. */
static bool refuse(bool reason, int64_t n, const char *what)
{
    if (!reason)
        return false;
    if (n >= 0)
        printf("gate: %lld %s %s\n", (long long)n,
               text_plural(n, "case", "cases"), what);
    else
        printf("gate: %s\n", what);
    return true;
}

static bool exceeds(int64_t n, int64_t allowed)
{
    return allowed >= 0 && n > allowed;
}

/* "14 cases passed that mine.expect lists: ..." */
static bool refuse_listed(const struct options *o, struct arena *a,
                          const struct report_run *run, int64_t n)
{
    const char *file = run->identity.value[IDENTITY_EXPECTED];
    if (!file || !*file)
        file = "FILE";
    return refuse(
        !o->fixed && n > 0, n,
        arena_printf(a,
                     "passed that %s lists: delete the entries, or"
                     " assay expect --keep %s %s (--allow-fixed"
                     " accepts this)",
                     strcmp(file, "FILE") == 0 ? "the expectations" : file,
                     file, o->which));
}

/* All reasons are printed, not only the first: hence |= and not ||. */
static bool judge_run(const struct options *o, struct arena *a,
                      const struct report_run *run)
{
    bool bad = refuse(run->judged == 0, -1, "no case was judged");
    bad |= refuse(!o->unfinished && run->state
                      && strcmp(run->state, "complete") != 0,
                  -1, "the run is unfinished");
    /* With a baseline, failures that it already had do not count. */
    int64_t missing = run->counts[VERDICT_MISSING];
    int64_t listed = run->counts[VERDICT_XPASS];
    int64_t failures = run->failures - missing - listed;
    bad |= refuse(!o->unfinished && missing > 0, missing, "never ran");
    if (!o->baseline) {
        bad |= refuse(exceeds(failures, o->failures), failures, "failed");
        bad |= refuse_listed(o, a, run, listed);
    }
    return bad;
}

/* The first cases of a fate, each with its cause, and where the others are. */
static void list(const struct options *o, const struct report_change *c,
                 enum gate_fate fate)
{
    int64_t n = c->fate[fate];
    for (int64_t i = 0; i < n && i < REPORT_LISTED; i++) {
        const struct report_changed *x = &c->first[fate][i];
        printf("%-12s ", gate_word(fate));
        format_plain(stdout, x->name);
        printf(": %s -> %s\n", x->before, x->after);
        if (x->why) {
            printf("%-12s ", "");
            format_plain(stdout, x->why);
            putchar('\n');
        }
    }
    if (n > REPORT_LISTED)
        printf("... and %lld more: assay diff --limit %d %s %s\n",
               (long long)n - REPORT_LISTED, INT32_MAX, o->baseline, o->which);
}

/* The names of the fates that may close the gate, and when each does. */
static bool judge_fates(const struct options *o, const struct report_change *c)
{
    const struct {
        enum gate_fate fate;
        bool red;
        const char *text;
    } rows[] = {{GATE_NEW, exceeds(c->fate[GATE_NEW], o->failures),
                 "failed that did not before"},
                {GATE_WORSE, c->fate[GATE_WORSE] > 0,
                 "failed in a worse way than before"},
                {GATE_KNOWN, !o->known && c->fate[GATE_KNOWN] > 0,
                 "became known failures, or worse ones"
                 " (--allow-known accepts this)"},
                {GATE_LOST, !o->unsupported && c->fate[GATE_LOST] > 0,
                 "passed before and were not judged"
                 " (--allow-unsupported accepts this)"},
                {GATE_REMOVED, !o->removed && c->fate[GATE_REMOVED] > 0,
                 "disappeared from the plan"}};
    bool bad = false;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (refuse(rows[i].red, c->fate[rows[i].fate], rows[i].text)) {
            list(o, c, rows[i].fate);
            bad = true;
        }
    return bad;
}

static bool judge_change(const struct options *o, struct arena *a,
                         const struct report *after,
                         const struct report_change *c)
{
    bool bad = judge_fates(o, c);
    bool profile =
        c->identity[IDENTITY_PROFILE] || c->identity[IDENTITY_PROFILE_FILE];
    if (refuse_listed(o, a, &after->runs[0], c->fate[GATE_LISTED])) {
        list(o, c, GATE_LISTED);
        bad = true;
    }
    bad |= refuse(profile && !o->profile, -1,
                  "the baseline was judged by another profile"
                  " (--allow-other-profile accepts this)");
    bad |= refuse(exceeds(c->less_correct, o->less_correct), c->less_correct,
                  "lost correctly rounded elements");
    if (exceeds(c->worst_drift, o->drift))
        bad |=
            refuse(true, c->worse,
                   arena_printf(a, "lost accuracy, the worst of them by %s ulp",
                                format_ulps(a, c->worst_drift)));
    if (c->fate[GATE_FIXED] > 0)
        printf("fixed: %lld %s\n", (long long)c->fate[GATE_FIXED],
               text_plural(c->fate[GATE_FIXED], "case", "cases"));
    return bad;
}

/* Expired waivers; *bad is kept or set. */
static bool judge_expired(const struct options *o, struct report *r, bool *bad,
                          struct status *st)
{
    sqlite3_stmt *q = report_query(r, "expired", r->runs[0].id, st);
    int rc;
    int64_t n = 0;
    if (!q)
        return false;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW && !o->expired)
        if (n++ < REPORT_LISTED) {
            printf("%-12s ", "expired");
            format_plain(stdout, report_column_text(q, 0));
            printf(": excused until %s\n", report_column_text(q, 1));
        }
    *bad |= refuse(n > 0, n,
                   "had an expectation that has expired"
                   " (--allow-expired accepts this)");
    return o->expired ? (sqlite3_reset(q), true)
                      : report_ended(r, q, rc, "reading waivers", st);
}

/* Every case of a list must be right; *bad is kept or set. */
static bool judge_must_pass(const struct options *o, struct arena *a,
                            struct report *r, bool *bad, struct status *st)
{
    struct plan_names must;
    struct report_case c;
    const char *first;
    int64_t wrong = 0;
    int more;
    TRY(plan_names_read(a, o->must_pass, &must, st));
    sqlite3_stmt *q = report_query(r, "cases", r->runs[0].id, st);
    if (!q)
        return false;
    while ((more = report_case_next(r, q, &c, st)) == 1) {
        bool right =
            strcmp(c.status, "pass") == 0 || strcmp(c.status, "warn") == 0;
        if (!plan_names_has(&must, c.name) || right)
            continue;
        if (wrong++ < REPORT_LISTED) {
            printf("%-12s ", "must pass");
            format_plain(stdout, c.name);
            printf(": %s\n", c.status);
        }
    }
    sqlite3_reset(q);
    TRY(more == 0);
    *bad |= refuse(wrong > 0, wrong, "must pass and did not");
    int64_t unmet = plan_names_unmet(&must, &first);
    *bad |= refuse(unmet > 0, unmet,
                   unmet > 0 ? arena_printf(
                       a, "must pass and did not run; first: %s", first)
                             : "");
    if (wrong + unmet == 0)
        printf("cases that must pass: %lld, all right (%s)\n",
               (long long)must.count, o->must_pass);
    return true;
}

static void introduce(struct arena *a, const struct report_run *run)
{
    const struct claim_facts facts = report_claim(run);
    fputs("identity: ", stdout);
    format_plain(stdout, identity_line(a, &run->identity));
    fputs("\nverdict: ", stdout);
    format_plain(stdout, claim_line(a, &facts));
    putchar('\n');
}

static int judge_all(const struct options *o, struct report *r)
{
    struct status st = {STATUS_OK};
    struct arena a = ARENA_INIT;
    struct report before;
    struct report_change c;
    int result = COMMAND_OK;
    introduce(&a, &r->runs[0]);
    bool bad = judge_run(o, &a, &r->runs[0]);
    if (!judge_expired(o, r, &bad, &st))
        result = command_complain("gate", &st, o->which);
    else if (o->must_pass && !judge_must_pass(o, &a, r, &bad, &st))
        result = command_complain("gate", &st, NULL);
    if (result == COMMAND_OK && o->baseline) {
        if (!report_open(&before, &a, o->baseline, stdout, &st)) {
            result = command_complain("gate", &st, o->baseline);
        } else {
            if (report_diff(&before, r, NULL, 0, &a, &c, &st)) {
                report_diff_identity(&c, &before, r, "note", stdout);
                bad |= judge_change(o, &a, r, &c);
            } else {
                result = command_complain("gate", &st, o->baseline);
            }
            report_close(&before);
        }
    }
    arena_free(&a);
    if (result == COMMAND_OK && bad)
        result = COMMAND_FAILED;
    if (result == COMMAND_OK)
        puts("gate: open");
    return fflush(stdout) == 0 ? result : COMMAND_BROKEN;
}

int cmd_gate(int argc, char **argv)
{
    static const struct option_set set = {
        .options = options,
        .arguments = "DATABASE[@RUN]",
        .help = "Pass or fail a change by the results of a run.  The gate "
                "fails if no case was judged.  Without a baseline it fails on "
                "any failure; with one, on any new or worse failure, any "
                "passing case that became a known failure or unsupported, any "
                "case that disappeared, and any loss of accuracy: --table "
                "prints what counts.\vExit status: 0 passed, 1 failed, with a "
                "line for each reason, 2 usage error or unreadable database.",
        .missing = "expected a results database",
        .surplus = "expected one run",
        .word = offsetof(struct options, which)};
    struct options o = {.less_correct = -1};
    struct arena arena = ARENA_INIT;
    struct report r;
    struct status st = {STATUS_OK};
    option_parse(&set, argc, argv, &o);
    int result = COMMAND_USAGE;
    if (report_open(&r, &arena, o.which, stdout, &st)) {
        result = judge_all(&o, &r);
        report_close(&r);
    } else {
        command_complain("gate", &st, o.which);
    }
    arena_free(&arena);
    return result;
}
