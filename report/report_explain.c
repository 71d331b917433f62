/* report_explain.c - the failures of a run, by cause.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A cause is the narrowest deviation that explains a case's wrong units, as the
 * judge stored it; a measured bound where accuracy alone falls short; the
 * status where no value was judged; else "unexplained".
 */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "report/format.h"
#include "report/report.h"

static const char *text_of(struct arena *a, sqlite3_stmt *q, int column)
{
    const char *text = (const char *)sqlite3_column_text(q, column);
    return text ? arena_printf(a, "%s", text) : NULL;
}

bool report_explain_causes(struct report *r, int64_t plan,
                           struct report_cause **list, int *count,
                           struct status *st)
{
    enum {
        CAUSES = 16
    };
    sqlite3_stmt *q = report_query(r, "causes", plan, st);
    int rc = SQLITE_DONE;
    *count = 0;
    *list = arena_new(&r->row, struct report_cause, CAUSES);
    if (!q)
        return false;
    while (*count < CAUSES && (rc = sqlite3_step(q)) == SQLITE_ROW)
        (*list)[(*count)++] =
            (struct report_cause){.name = text_of(&r->row, q, 0),
                                  .text = text_of(&r->row, q, 1),
                                  .units = sqlite3_column_int64(q, 2),
                                  .moved = sqlite3_column_int64(q, 3),
                                  .exact = sqlite3_column_int(q, 4) != 0};
    bool good = rc == SQLITE_DONE || rc == SQLITE_ROW
                || report_fail(r, "reading causes", st);
    sqlite3_finalize(q);
    return good;
}

bool report_explain_text(struct report *r, const struct report_case *c,
                         const char **text, struct status *st)
{
    struct report_cause *list;
    int count;
    *text = NULL;
    TRY(report_explain_causes(r, c->plan, &list, &count, st));
    if (count > 0)
        *text = arena_printf(
            &r->row, "explained (%s of %s wrong units, %s) by %s: %s",
            format_count(&r->row, list[0].units), format_count(&r->row, c->bad),
            list[0].exact ? "bit for bit" : "within its set", list[0].name,
            list[0].text);
    else if (c->bad > 0)
        *text = "unexplained";
    return true;
}

/* ---- Groups -------------------------------------------------------------- */

struct names {
    int count, room;
    const char **list;
};

/* The cases of one cause. */
struct group {
    const char *cause, *text;
    int64_t cases, known;
    struct names ops, types;
    const char *name, *command; /* of the smallest case */
    int64_t units, bad;
    int64_t ulps, bounds; /* the largest; -1: none */
};

struct groups {
    int count, room;
    struct group *list;
};

static void add_name(struct arena *a, struct names *n, const char *name)
{
    for (int i = 0; i < n->count; i++)
        if (strcmp(n->list[i], name) == 0)
            return;
    ARENA_GROW(a, n->list, n->count, n->room);
    n->list[n->count++] = name;
}

/* Rows of one cause follow one another, the smallest case first. */
static struct group *group_of(struct arena *a, struct groups *g,
                              const char *cause, sqlite3_stmt *q)
{
    if (g->count > 0 && strcmp(g->list[g->count - 1].cause, cause) == 0)
        return &g->list[g->count - 1];
    ARENA_GROW(a, g->list, g->count, g->room);
    struct group *own = &g->list[g->count++];
    *own = (struct group){.cause = cause,
                          .text = text_of(a, q, 1),
                          .name = text_of(a, q, 2),
                          .command = text_of(a, q, 10),
                          .units = sqlite3_column_int64(q, 5),
                          .bad = sqlite3_column_int64(q, 6),
                          .ulps = -1,
                          .bounds = -1};
    return own;
}

static void keep_larger(int64_t *most, sqlite3_stmt *q, int column)
{
    int64_t own = sqlite3_column_int64(q, column);
    if (sqlite3_column_type(q, column) != SQLITE_NULL && own > *most)
        *most = own;
}

static bool read_groups(struct report *r, int64_t run, const char *glob,
                        struct groups *g, struct status *st)
{
    struct arena *a = r->arena;
    sqlite3_stmt *q = report_query(r, "explain", run, st);
    if (!q)
        return false;
    sqlite3_bind_text(q, 2, glob, -1, SQLITE_TRANSIENT);
    int rc;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        struct group *own = group_of(a, g, text_of(a, q, 0), q);
        const char *type = text_of(a, q, 4);
        own->cases++;
        own->known += sqlite3_column_int(q, 7);
        add_name(a, &own->ops, text_of(a, q, 3));
        if (type && *type)
            add_name(a, &own->types, type);
        keep_larger(&own->ulps, q, 8);
        keep_larger(&own->bounds, q, 9);
    }
    bool good = rc == SQLITE_DONE || report_fail(r, "reading failures", st);
    sqlite3_finalize(q);
    return good;
}

static int by_cases(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    return x->cases != y->cases ? (x->cases < y->cases ? 1 : -1)
                                : strcmp(x->cause, y->cause);
}

/* What the cause means, with its figure where it is a measured one. */
static const char *meaning(struct arena *a, const struct group *g)
{
    if (g->text)
        return g->text;
    if (strcmp(g->cause, "accuracy") == 0)
        return arena_printf(a,
                            "accuracy falls short of the budget: errors up "
                            "to %s ulp in the units listed",
                            format_micro(a, g->ulps));
    if (strcmp(g->cause, "accumulation") == 0)
        return arena_printf(a,
                            "sums are beyond their bounds: up to %s of the "
                            "bound in the units listed",
                            format_micro(a, g->bounds));
    return NULL;
}

static void write_names(FILE *out, const char *what, const struct names *n)
{
    fprintf(out, "%s", what);
    for (int i = 0; i < n->count; i++) {
        fputs(i ? ", " : " ", out);
        format_plain(out, n->list[i]);
    }
}

static void write_group(struct report *r, const struct group *g)
{
    struct arena *a = &r->row;
    const char *text = meaning(a, g);
    fprintf(r->out, "%7s  ", format_count(a, g->cases));
    format_plain(r->out, g->cause);
    if (text) {
        fputs(": ", r->out);
        format_plain(r->out, text);
    }
    if (g->known > 0)
        fprintf(r->out, " (%s known)", format_count(a, g->known));
    write_names(r->out, "\n         operations:", &g->ops);
    if (g->types.count > 0)
        write_names(r->out, "; types:", &g->types);
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

static void write_list(FILE *out, const char *key, const struct names *n)
{
    fprintf(out, ", \"%s\": [", key);
    for (int i = 0; i < n->count; i++) {
        fputs(i ? ", " : "", out);
        format_json(out, n->list[i]);
    }
    fputs("]", out);
}

static void write_group_json(struct report *r, const struct group *g)
{
    fputs("{\"cause\": ", r->out);
    format_json(r->out, g->cause);
    fputs(", \"text\": ", r->out);
    format_json(r->out, meaning(&r->row, g));
    fprintf(r->out, ", \"deviation\": %s, \"cases\": %lld, \"known\": %lld",
            g->text ? "true" : "false", (long long)g->cases,
            (long long)g->known);
    write_list(r->out, "operations", &g->ops);
    write_list(r->out, "types", &g->types);
    fputs(", \"smallest\": ", r->out);
    format_json(r->out, g->name);
    fputs(", \"command\": ", r->out);
    format_json(r->out, g->command);
    fputs("}", r->out);
    arena_reset(&r->row);
}

static void write_run(struct report *r, const struct groups *g, bool json)
{
    int64_t cases = 0, explained = 0;
    for (int i = 0; i < g->count; i++) {
        cases += g->list[i].cases;
        explained += g->list[i].text ? g->list[i].cases : 0;
        if (json)
            fputs(i ? ",\n  " : "\n  ", r->out);
        (json ? write_group_json : write_group)(r, &g->list[i]);
    }
    if (!json)
        fprintf(r->out, "%s%s failed cases, %s explained by a deviation\n",
                g->count ? "\n" : "", format_count(&r->row, cases),
                format_count(&r->row, explained));
}

bool report_explain(struct report *r, const char *glob, bool json,
                    struct status *st)
{
    if (json)
        fputs("{\"format\": \"assay-explain/1\", \"causes\": [", r->out);
    for (int i = 0; i < r->run_count; i++) {
        struct groups g = {0};
        TRY(read_groups(r, r->runs[i].id, glob ? glob : "*", &g, st));
        if (g.count > 1)
            qsort(g.list, (size_t)g.count, sizeof *g.list, by_cases);
        write_run(r, &g, json);
    }
    if (json)
        fputs("\n]}\n", r->out);
    return true;
}
