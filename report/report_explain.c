/* report_explain.c - what explains a failure, and the failures of a run by
 * cause.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <sqlite3.h>

#include "interp/judge/verdict.h"
#include "report/format.h"
#include "report/report.h"

bool report_explain_causes(struct report *r, int64_t plan,
                           struct store_cause **list, int *count,
                           struct status *st)
{
    enum {
        CAUSES = 16
    };
    sqlite3_stmt *q = report_query(r, "causes", plan, st);
    int rc = SQLITE_DONE;
    *count = 0;
    *list = arena_new(&r->row, struct store_cause, CAUSES);
    if (!q)
        return false;
    while (*count < CAUSES && (rc = sqlite3_step(q)) == SQLITE_ROW)
        store_record_read(&store_record_tables[STORE_CAUSE], &r->row, q,
                          &(*list)[(*count)++]);
    bool good = rc == SQLITE_DONE || rc == SQLITE_ROW
                || store_sql_fail(r->store, "reading causes", st);
    sqlite3_reset(q);
    return good;
}

bool report_explain_text(struct report *r, const struct report_case *c,
                         const char **text, struct status *st)
{
    struct store_cause *list;
    int count;
    bool ended = c->flags & VERDICT_SEARCH_ENDED;
    *text = NULL;
    TRY(report_explain_causes(r, c->plan, &list, &count, st));
    if (count > 0)
        *text = arena_printf(
            &r->row, "explained (%s of %s wrong units, %s) by %s: %s%s",
            format_count(&r->row, list[0].units), format_count(&r->row, c->bad),
            list[0].exact ? "bit for bit" : "within its set", list[0].name,
            list[0].text, ended ? " Not all deviations were tried." : "");
    else if (c->bad > 0)
        *text = ended ? "unexplained; not all deviations were tried"
                      : "unexplained";
    return true;
}

/* ---- Groups -------------------------------------------------------------- */

enum {
    SHOWN = 6 /* operations or types of a group, unless all are asked for */
};

static void write_names(FILE *out, const char *what,
                        const struct report_names *n, bool all)
{
    int shown = all || n->count <= SHOWN + 1 ? n->count : SHOWN;
    fprintf(out, "%s", what);
    for (int i = 0; i < shown; i++) {
        fputs(i ? ", " : " ", out);
        format_plain(out, n->list[i]);
    }
    if (shown < n->count)
        fprintf(out, " and %d more", n->count - shown);
}

static void write_group(struct report *r, const struct report_group *g,
                        bool all)
{
    struct arena *a = &r->row;
    const char *text = report_group_text(a, g);
    fprintf(r->out, "%7s  ", format_count(a, g->cases));
    format_plain(r->out, g->cause);
    if (text) {
        fputs(": ", r->out);
        format_plain(r->out, text);
    }
    if (g->known > 0)
        fprintf(r->out, " (%s known)", format_count(a, g->known));
    write_names(r->out, "\n         operations:", &g->ops, all);
    write_names(r->out, "; types:", &g->types, all);
    fputs("\n         smallest: ", r->out);
    format_plain(r->out, g->name);
    if (g->bad > 0)
        fprintf(r->out, ", %s of %s units wrong", format_count(a, g->bad),
                format_count(a, g->units));
    if (g->command) {
        fputs("\n         ", r->out);
        format_plain(r->out, g->command);
    }
    fputs("\n", r->out);
    arena_reset(a);
}

static void write_list(FILE *out, const char *key, const struct report_names *n)
{
    fprintf(out, ", \"%s\": [", key);
    for (int i = 0; i < n->count; i++) {
        fputs(i ? ", " : "", out);
        format_json(out, n->list[i]);
    }
    fputs("]", out);
}

static void write_group_json(struct report *r, const struct report_group *g)
{
    format_json_member(r->out, "{", "cause", g->cause);
    format_json_member(r->out, ", ", "text", report_group_bare(&r->row, g));
    fprintf(r->out,
            ", \"deviation\": %s, \"cases\": %lld, \"known\": %lld, "
            "\"search_ended\": %lld",
            g->kind == REPORT_GROUP_DEVIATION ? "true" : "false",
            (long long)g->cases, (long long)g->known, (long long)g->ended);
    write_list(r->out, "operations", &g->ops);
    write_list(r->out, "types", &g->types);
    format_json_member(r->out, ", ", "smallest", g->name);
    format_json_member(r->out, ", ", "command", g->command);
    fputs("}", r->out);
    arena_reset(&r->row);
}

static void write_share(struct report *r, const char *of, int64_t part,
                        int64_t whole)
{
    if (whole > 0)
        fprintf(r->out, "%s%s of %s (%.1f %%)", of, format_count(&r->row, part),
                format_count(&r->row, whole),
                100.0 * (double)part / (double)whole);
}

/* How many wrong values have a cause.  The size of an error is a number, not a
 * cause: it counts apart. */
static void write_sums(struct report *r, const int64_t *cases)
{
    int64_t wrong = cases[REPORT_GROUP_DEVIATION] + cases[REPORT_GROUP_BOUND]
                    + cases[REPORT_GROUP_OPEN];
    int64_t all = wrong + cases[REPORT_GROUP_ENDED];
    struct arena *a = &r->row;
    fprintf(r->out, "%s failed cases", format_count(a, all));
    if (all > 0)
        fprintf(r->out,
                ": %s explained by a deviation, %s with a size only, %s "
                "ended without a value, %s unexplained\n",
                format_count(a, cases[REPORT_GROUP_DEVIATION]),
                format_count(a, cases[REPORT_GROUP_BOUND]),
                format_count(a, cases[REPORT_GROUP_ENDED]),
                format_count(a, cases[REPORT_GROUP_OPEN]));
    write_share(r, "wrong values: cause ", cases[REPORT_GROUP_DEVIATION],
                wrong);
    write_share(r, ", size only ", cases[REPORT_GROUP_BOUND], wrong);
    write_share(r, ", unexplained ", cases[REPORT_GROUP_OPEN], wrong);
    fputs(all == 0 || wrong > 0 ? "\n" : "", r->out);
}

static void write_run(struct report *r, const struct report_group *list,
                      int count, bool json, bool all)
{
    int64_t cases[REPORT_GROUP_KINDS] = {0};
    for (int i = 0; i < count; i++) {
        cases[list[i].kind] += list[i].cases;
        if (json) {
            fputs(i ? ",\n  " : "\n  ", r->out);
            write_group_json(r, &list[i]);
        } else {
            write_group(r, &list[i], all);
        }
    }
    if (json)
        return;
    fputs(count ? "\n" : "", r->out);
    write_sums(r, cases);
}

bool report_explain(struct report *r, const char *glob, bool json, bool all,
                    struct status *st)
{
    struct report_form *forms = NULL;
    int form_count = 0;
    if (json)
        fputs("{\"format\": \"assay-explain/1\", \"causes\": [", r->out);
    for (int i = 0; i < r->run_count; i++) {
        struct report_group *list;
        int count;
        TRY(report_group_list(r, r->runs[i].id, glob, &list, &count, st));
        write_run(r, list, count, json, all);
        TRY(report_form_list(r, r->runs[i].id, glob, &forms, &form_count, st));
        if (!json)
            report_form_write(r, forms, form_count, all);
    }
    if (json) {
        fputs("\n], \"forms\": [", r->out);
        report_form_json(r, forms, form_count);
        fputs("\n]}\n", r->out);
    }
    return true;
}
