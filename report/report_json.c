/* report_json.c - a report for programs; spec/results.md describes its form.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <sqlite3.h>

#include "interp/judge/verdict.h"
#include "report/format.h"
#include "report/report.h"

/* A value that is not known is null, not left out, so that a reader finds the
 * same members everywhere. */
static void number(FILE *out, const char *key, int64_t value)
{
    fprintf(out, ", \"%s\": %lld", key, (long long)value);
}

static void counts(FILE *out, const int64_t *n)
{
    fputs("{", out);
    const char *comma = "";
    for (int i = 0; i < REPORT_STATUSES; i++)
        if (n[i]) {
            fprintf(out, "%s\"%s\": %lld", comma, report_statuses[i].name,
                    (long long)n[i]);
            comma = ", ";
        }
    fputs("}", out);
}

static void error(struct report *r, const char *key, bool has, int64_t micro)
{
    fputs(", ", r->out);
    format_json_ulps(r->out, &r->row, key, has, micro);
}

/* Bits are what counts; a decimal or hexadecimal number cannot tell one NaN
 * from another. */
static void value(struct report *r, const char *type, uint64_t bits)
{
    struct arena *a = &r->row;
    fprintf(r->out, "{\"bits\": \"%s\"", format_bits(a, type, bits));
    format_json_member(r->out, ", ", "decimal", format_decimal(a, type, bits));
    format_json_member(r->out, ", ", "hex", format_hexfloat(a, type, bits));
    fputs("}", r->out);
}

static void column(struct report *r, const struct store_column *c,
                   const char *type, const char *row)
{
    const void *at = row + c->at;
    switch (c->kind) {
    case RECORD_INT:
    case RECORD_NATURAL:
        fprintf(r->out, "%lld", (long long)*(const int64_t *)at);
        return;
    case RECORD_SIZE: /* format_json_ulps writes its name, too */
        return;
    case RECORD_BITS:
    case RECORD_MAYBE:
        value(r, type, *(const uint64_t *)at);
        return;
    case RECORD_FLAG:
        fputs(*(const bool *)at ? "true" : "false", r->out);
        return;
    case RECORD_TEXT:
    case RECORD_WORD:
        format_json(r->out, *(const char *const *)at);
    }
}

/* The members of a row of record.def or report_record.def: a pattern that is
 * not known is left out.  type is that of the patterns; before is what comes
 * before the first. */
static void record(struct report *r, const struct store_record *t,
                   const char *type, const void *row, const char *before)
{
    for (int i = 0; i < t->count; i++) {
        const struct store_column *c = &t->columns[i];
        const bool *has = (const void *)((const char *)row + c->has);
        if (!c->key || (c->kind == RECORD_MAYBE && !*has))
            continue;
        fputs(before, r->out);
        before = ", ";
        if (c->kind == RECORD_SIZE) {
            format_json_ulps(r->out, &r->row, c->key, *has,
                             *(const int64_t *)((const char *)row + c->at));
            continue;
        }
        fprintf(r->out, "\"%s\": ", c->key);
        column(r, c, type, row);
    }
}

static void wrong(struct report *r, const struct store_wrong *w)
{
    record(r, &store_record_tables[STORE_WRONG], w->type, w, "{");
    fputs(", \"inputs\": [", r->out);
    for (int k = 0; k < w->operand_count; k++) {
        fputs(k ? ", " : "", r->out);
        record(r, &store_record_tables[STORE_OPERAND], w->operands[k].type,
               &w->operands[k], "{");
        fputs("}", r->out);
    }
    fputs("]}", r->out);
}

static bool causes(struct report *r, const struct report_case *c,
                   struct status *st)
{
    struct store_cause *list;
    int count;
    TRY(report_explain_causes(r, c->plan, &list, &count, st));
    fputs(", \"causes\": [", r->out);
    for (int i = 0; i < count; i++) {
        fputs(i ? ", " : "", r->out);
        record(r, &store_record_tables[STORE_CAUSE], NULL, &list[i], "{");
        fputs("}", r->out);
    }
    fputs("]", r->out);
    return true;
}

static bool violates(struct report *r, const struct report_run *run,
                     const struct report_case *c, struct status *st)
{
    struct violations v;
    TRY(report_violation(r, run, c, &v, st));
    fputs(", \"violates\": [", r->out);
    for (int i = 0; i < v.count; i++) {
        fputs(i ? ", {\"requirement\": " : "{\"requirement\": ", r->out);
        format_json(r->out, v.list[i].id);
        format_json_member(r->out, ", ", "text", v.list[i].text);
        format_json_member(r->out, ", ", "source", v.list[i].source);
        format_json_member(r->out, ", ", "policy", v.list[i].policy);
        format_json_member(r->out, ", ", "choice", v.list[i].choice);
        fputs("}", r->out);
    }
    fputs("]", r->out);
    return true;
}

static bool failure(struct report *r, const struct report_run *run,
                    const struct report_case *c, int64_t nth, struct status *st)
{
    fputs(nth ? ",\n      " : "\n      ", r->out);
    record(r, &report_case_record, NULL, c, "{");
    TRY(violates(r, run, c, st));
    format_json_member(r->out, ", ", "would_accept", report_power(r, run, c));
    fprintf(r->out, ", \"search_ended\": %s",
            c->flags & VERDICT_SEARCH_ENDED ? "true" : "false");
    TRY(causes(r, c, st));
    struct store_wrong *w;
    int count;
    TRY(report_case_wrongs(r, c->plan, r->wrong_limit, &w, &count, st));
    fputs(", \"wrong\": [", r->out);
    for (int i = 0; i < count; i++) {
        fputs(i ? ",\n        " : "", r->out);
        wrong(r, &w[i]);
    }
    fputs("]}", r->out);
    return true;
}

static bool failures(struct report *r, const struct report_run *run,
                     struct status *st)
{
    int64_t n;
    fputs(",\n    \"failures\": [", r->out);
    TRY(report_case_list(r, run, r->failure_limit, failure, &n, st));
    fprintf(r->out, "],\n    \"failures_omitted\": %lld",
            (long long)(run->failures - n));
    return true;
}

static bool known(struct report *r, const struct report_run *run,
                  struct status *st)
{
    struct report_known *k;
    int count;
    TRY(report_known(r, run->id, &k, &count, st));
    fputs(",\n    \"known\": [", r->out);
    for (int i = 0; i < count; i++) {
        fputs(i ? ",\n      {\"op\": " : "\n      {\"op\": ", r->out);
        format_json(r->out, k[i].op);
        format_json_member(r->out, ", ", "reason", k[i].reason);
        number(r->out, "cases", k[i].count);
        putc('}', r->out);
    }
    fputs("]", r->out);
    return true;
}

static bool remarks(struct report *r, const struct report_run *run,
                    struct status *st)
{
    struct report_remark *list;
    int count;
    TRY(report_remarks(r, run->id, &list, &count, st));
    fputs(",\n    \"remarks\": {", r->out);
    for (int i = 0; i < count; i++) {
        fputs(i ? ", " : "", r->out);
        format_json(r->out, list[i].name);
        fprintf(r->out, ": {\"cases\": %lld, \"units\": %lld}",
                (long long)list[i].cases, (long long)list[i].units);
    }
    fputs("}", r->out);
    return true;
}

static void cell(struct report *r, const struct report_cell *c)
{
    format_json_member(r->out, "{", "op", c->op);
    format_json_member(r->out, ", ", "type", *c->type ? c->type : NULL);
    fputs(", \"counts\": ", r->out);
    counts(r->out, c->counts);
    number(r->out, "units", c->units);
    number(r->out, "correct", c->correct);
    number(r->out, "rated", c->rated);
    number(r->out, "special", c->special);
    error(r, "worst_error_ulps", c->has_error, c->error);
    error(r, "worst_error_bounds", c->has_share, c->share);
    format_json_member(r->out, ", ", "worst_input", c->worst_input);
    fputs(", \"bins\": [", r->out);
    const char *comma = "";
    for (int i = 0; i < 257; i++)
        if (c->bins[i]) {
            fprintf(r->out, "%s[%d, %lld]", comma, i - 128,
                    (long long)c->bins[i]);
            comma = ", ";
        }
    fputs("]}", r->out);
    arena_reset(&r->row);
}

static bool cells(struct report *r, const struct report_run *run,
                  struct status *st)
{
    struct report_cell *list;
    int count;
    TRY(report_cells(r, run->id, &list, &count, st));
    fputs(",\n    \"operations\": [", r->out);
    for (int i = 0; i < count; i++) {
        fputs(i ? ",\n      " : "\n      ", r->out);
        cell(r, &list[i]);
    }
    fputs("]", r->out);
    return true;
}

static bool backend(struct report *r, const struct report_run *run,
                    struct status *st)
{
    FILE *out = r->out;
    fputs(",\n    \"backend\": {\"name\": ", out);
    format_json(out, run->backend);
    format_json_member(out, ", ", "version", run->backend_version);
    format_json_member(out, ", ", "path", run->backend_path);
    format_json_member(out, ", ", "options", run->backend_options);
    fputs(", \"properties\": {", out);
    sqlite3_stmt *q = report_query(r, "properties", run->id, st);
    if (!q)
        return false;
    int rc;
    for (int i = 0; (rc = sqlite3_step(q)) == SQLITE_ROW; i++) {
        fputs(i ? ", " : "", out);
        format_json(out, (const char *)sqlite3_column_text(q, 0));
        fputs(": ", out);
        format_json(out, (const char *)sqlite3_column_text(q, 1));
    }
    bool good =
        rc == SQLITE_DONE || store_sql_fail(r->store, "reading properties", st);
    sqlite3_reset(q);
    fputs("}}", out);
    return good;
}

/* The run by operations. */
static bool summary(struct report *r, const struct report_run *run,
                    struct status *st)
{
    struct report_summary s;
    TRY(report_summary(r, run, &s, st));
    fprintf(r->out,
            ", \"summary\": {\"operations\": %d, \"supported\": %d, \"right\":"
            " %d, \"wrong\": %d, \"unknown\": %d, \"failing\": [",
            s.operations, s.supported, s.right, s.wrong, s.unknown);
    const char *comma = "";
    for (int i = 0; i < s.operations; i++) {
        if (s.rows[i].failures == 0)
            continue;
        fputs(comma, r->out);
        format_json(r->out, s.rows[i].op);
        comma = ", ";
    }
    fputs("]", r->out);
    format_json_member(r->out, ", ", "text", report_summary_line(&r->row, &s));
    fputs("}", r->out);
    return true;
}

/* Writes what was judged, by what and how, and what the run may claim. */
static void identity(struct report *r, const struct report_run *run)
{
    const struct claim_facts facts = report_claim(run);
    enum claim claim = claim_of(&facts);
    fputs(", \"identity\": {", r->out);
    for (int m = 0; m < IDENTITY_COUNT; m++) {
        fprintf(r->out, "%s\"%s\": ", m ? ", " : "",
                identity_key((enum identity_member)m));
        format_json(r->out, run->identity.value[m]);
    }
    fputs("}", r->out);
    format_json_member(
        r->out, ", ", "suite_release",
        identity_suite_version(&r->row, run->identity.value[IDENTITY_SUITE]));
    format_json_member(r->out, ", ", "claim", claim_word(claim));
    fprintf(r->out, ", \"conforms\": %s",
            claim == CLAIM_CONFORMS ? "true" : "false");
    format_json_member(r->out, ", ", "claim_lacks",
                       claim_lacks(&r->row, &facts));
}

static bool one_run(struct report *r, const struct report_run *run,
                    struct status *st)
{
    FILE *out = r->out;
    fprintf(out, "{\"run\": %lld", (long long)run->id);
    TRY(summary(r, run, st));
    report_since_json(r);
    record(r, &report_run_record, NULL, run, ", ");
    TRY(backend(r, run, st));
    identity(r, run);
    number(out, "planned", run->planned);
    number(out, "ran", run->ran);
    number(out, "judged", run->judged);
    number(out, "failed", run->failures);
    fputs(", \"counts\": ", out);
    counts(out, run->counts);
    TRY(remarks(r, run, st));
    TRY(cells(r, run, st));
    TRY(failures(r, run, st));
    TRY(known(r, run, st));
    fputs("}", out);
    return true;
}

bool report_json(struct report *r, struct status *st)
{
    fputs("{\"format\": \"assay-report/1\", \"runs\": [\n  ", r->out);
    for (int i = 0; i < r->run_count; i++) {
        fputs(i ? ",\n  " : "", r->out);
        TRY(one_run(r, &r->runs[i], st));
    }
    fputs("\n]}\n", r->out);
    return true;
}
