/* report_junit.c - JUnit XML, as the common schemas of CI systems have it.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Valid by Ant's format as JUnit.xsd of windyroad/JUnit-Schema writes it down,
 * which knows no attribute of testsuites, and by junit-10.xsd of Jenkins' xunit
 * plugin.
 *
 * A test suite is a case file of a run.  Which element a status becomes is
 * the junit column of verdict.def.
 */
#include <sqlite3.h>
#include <string.h>

#include "report/format.h"
#include "report/report.h"

struct suite {
    char *name;
    int64_t tests, failures, errors, skipped, time_ns;
};

static void count(struct suite *s, int status, int64_t n)
{
    const char *element = report_statuses[status].junit;
    s->tests += n;
    s->failures += strcmp(element, "failure") == 0 ? n : 0;
    s->errors += strcmp(element, "error") == 0 ? n : 0;
    s->skipped += strcmp(element, "skipped") == 0 ? n : 0;
}

static void write_time(FILE *out, int64_t ns)
{
    if (ns < 0)
        ns = 0;
    fprintf(out, "%lld.%06lld", (long long)(ns / 1000000000),
            (long long)(ns % 1000000000 / 1000));
}

static void write_counts(FILE *out, const struct suite *s)
{
    fprintf(out, " tests=\"%lld\" failures=\"%lld\" errors=\"%lld\"",
            (long long)s->tests, (long long)s->failures, (long long)s->errors);
}

/* An attribute has no line breaks, which a reader would turn into blanks. */
static void attribute(FILE *out, const char *name, const char *text)
{
    fprintf(out, " %s=\"", name);
    format_xml(out, text ? text : "", 0);
    putc('"', out);
}

static void property(FILE *out, const char *name, const char *value)
{
    if (!value || !*value)
        return;
    fputs("      <property", out);
    attribute(out, "name", name);
    attribute(out, "value", value);
    fputs("/>\n", out);
}

static bool write_wrongs(struct report *r, const struct report_case *c,
                         struct status *st)
{
    struct store_wrong *w;
    int n;
    struct arena *a = &r->row;
    TRY(report_case_wrongs(r, c->plan, r->wrong_limit, &w, &n, st));
    for (int i = 0; i < n; i++) {
        fputs("at ", r->out);
        format_xml(r->out, w[i].place, 0);
        fputs(": got ", r->out);
        format_xml(r->out, format_decimal(a, w[i].type, w[i].got), 0);
        fprintf(r->out, " (0x%s), wanted ",
                format_bits(a, w[i].type, w[i].got));
        format_xml(r->out, format_decimal(a, w[i].type, w[i].want), 0);
        fprintf(r->out, " (0x%s)", format_bits(a, w[i].type, w[i].want));
        const char *off = report_case_off(a, &w[i]);
        if (off)
            fprintf(r->out, ", off by %s", off);
        putc('\n', r->out);
    }
    return true;
}

static bool write_outcome(struct report *r, const struct report_run *run,
                          const struct report_case *c, struct status *st)
{
    const struct report_status *s = report_status_find(c->status);
    const char *message = c->message ? c->message : s->meaning;
    fprintf(r->out, ">\n      <%s", s->junit);
    attribute(r->out, "message", message);
    if (strcmp(s->junit, "skipped") == 0) {
        fputs("/>\n", r->out);
    } else {
        attribute(r->out, "type", s->name);
        putc('>', r->out);
        const char *cause;
        struct violations v;
        TRY(report_violation(r, run, c, &v, st));
        for (int i = 0; i < v.count; i++) {
            fputs("violates ", r->out);
            format_xml(r->out, violation_text(&r->row, &v.list[i]), 0);
            putc('\n', r->out);
        }
        TRY(report_explain_text(r, c, &cause, st));
        if (cause) {
            format_xml(r->out, cause, 0);
            putc('\n', r->out);
        }
        TRY(write_wrongs(r, c, st));
        if (c->command) {
            fputs("run again: ", r->out);
            format_xml(r->out, c->command, 0);
        }
        fprintf(r->out, "</%s>\n", s->junit);
    }
    fputs("    </testcase>\n", r->out);
    return true;
}

static bool write_cases(struct report *r, const struct report_run *run,
                        const char *file, struct status *st)
{
    sqlite3_stmt *q = report_query(r, "suite", run->id, st);
    if (!q)
        return false;
    sqlite3_bind_text(q, 2, file, -1, SQLITE_STATIC);
    struct report_case c;
    int more;
    bool good = true;
    while (good && (more = report_case_next(r, q, &c, st)) == 1) {
        fputs("    <testcase", r->out);
        attribute(r->out, "name", c.name);
        attribute(r->out, "classname", file);
        fputs(" time=\"", r->out);
        write_time(r->out, c.time_ns);
        putc('"', r->out);
        if (*report_status_find(c.status)->junit)
            good = write_outcome(r, run, &c, st);
        else
            fputs("/>\n", r->out);
    }
    good = good && more == 0;
    sqlite3_reset(q);
    return good;
}

static bool write_suite(struct report *r, const struct report_run *run,
                        const struct suite *s, int number, struct status *st)
{
    FILE *out = r->out;
    const struct claim_facts facts = report_claim(run);
    struct report_summary sum;
    TRY(report_summary(r, run, &sum, st));
    fputs("  <testsuite", out);
    attribute(out, "name", s->name);
    fprintf(out, " id=\"%d\"", number);
    attribute(out, "package", run->backend);
    /* xs:dateTime without zone and fraction, as the schema has it. */
    attribute(
        out, "timestamp",
        arena_printf(&r->row, "%.19s",
                     run->started ? run->started : "1970-01-01T00:00:00"));
    attribute(out, "hostname", "localhost");
    write_counts(out, s);
    fprintf(out, " skipped=\"%lld\" time=\"", (long long)s->skipped);
    write_time(out, s->time_ns);
    fputs("\">\n    <properties>\n", out);
    property(out, "backend", run->backend);
    property(out, "backend.version", run->backend_version);
    property(out, "profile", report_mask_shown(r, &r->row, run->profile));
    property(out, "run", run->uuid);
    property(out, "summary", report_summary_line(&r->row, &sum));
    property(out, "claim", claim_line(&r->row, &facts));
    property(out, "identity", identity_line(&r->row, &run->identity));
    fputs("    </properties>\n", out);
    TRY(write_cases(r, run, s->name, st));
    fputs("    <system-out/>\n    <system-err/>\n  </testsuite>\n", out);
    return true;
}

/* Read the suites of a run, in the report's arena. */
static bool read_suites(struct report *r, const struct report_run *run,
                        struct suite **suites, int *number, struct status *st)
{
    sqlite3_stmt *q = report_query(r, "suites", run->id, st);
    if (!q)
        return false;
    int rc, room = 0, n = 0;
    struct suite *list = NULL;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(q, 0);
        if (n == 0 || strcmp(list[n - 1].name, name) != 0) {
            ARENA_GROW(r->arena, list, n, room);
            list[n++].name = arena_text(r->arena, name);
        }
        int status = (int)sqlite3_column_int64(q, 1) - 1;
        if (status < 0 || status >= REPORT_STATUSES)
            continue;
        count(&list[n - 1], status, sqlite3_column_int64(q, 2));
        list[n - 1].time_ns += sqlite3_column_int64(q, 3);
    }
    bool good =
        rc == SQLITE_DONE || store_sql_fail(r->store, "reading files", st);
    sqlite3_reset(q);
    *suites = list;
    *number = n;
    return good;
}

bool report_junit(struct report *r, struct status *st)
{
    size_t runs = (size_t)r->run_count;
    struct suite **suites = arena_new(r->arena, struct suite *, runs);
    int *counts = arena_new(r->arena, int, runs), number = 0;
    report_mask(r);
    for (size_t i = 0; i < runs; i++)
        TRY(read_suites(r, &r->runs[i], &suites[i], &counts[i], st));
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", r->out);
    for (size_t i = 0; i < runs; i++)
        for (int k = 0; k < counts[i]; k++)
            TRY(write_suite(r, &r->runs[i], &suites[i][k], number++, st));
    fputs("</testsuites>\n", r->out);
    return true;
}
