/* report_group.c - the failures of a run, grouped by cause.
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

#include "interp/exact/real.h"
#include "report/format.h"
#include "report/report.h"

struct groups {
    int count, room;
    struct report_group *list;
};

static void add_name(struct arena *a, struct report_names *n, const char *name)
{
    for (int i = 0; i < n->count; i++)
        if (strcmp(n->list[i], name) == 0)
            return;
    ARENA_GROW(a, n->list, n->count, n->room);
    n->list[n->count++] = name;
}

/* Errors beyond what is stored. */
static const char *size_text(struct arena *a, int64_t micro)
{
    return micro >= REAL_ERROR_MAX
               ? "at least 10^12"
               : arena_printf(a, "up to %s", format_micro(a, micro));
}

/* Rows of one cause follow one another, the smallest case first. */
static struct report_group *group_of(struct arena *a, struct groups *g,
                                     const char *cause, sqlite3_stmt *q)
{
    if (g->count > 0 && strcmp(g->list[g->count - 1].cause, cause) == 0)
        return &g->list[g->count - 1];
    ARENA_GROW(a, g->list, g->count, g->room);
    struct report_group *own = &g->list[g->count++];
    *own = (struct report_group){.cause = cause,
                                 .text = report_column(a, q, 1),
                                 .name = report_column(a, q, 2),
                                 .command = report_column(a, q, 10),
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
        struct report_group *own = group_of(a, g, report_column(a, q, 0), q);
        const char *type = report_column(a, q, 4);
        own->cases++;
        own->known += sqlite3_column_int(q, 7);
        add_name(a, &own->ops, report_column(a, q, 3));
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
    const struct report_group *x = a, *y = b;
    return x->cases != y->cases ? (x->cases < y->cases ? 1 : -1)
                                : strcmp(x->cause, y->cause);
}

const char *report_group_text(struct arena *a, const struct report_group *g)
{
    if (g->text)
        return g->text;
    if (strcmp(g->cause, "accuracy") == 0)
        return arena_printf(a,
                            "exceeds the budget, with errors of %s ulp in the "
                            "units listed",
                            size_text(a, g->ulps));
    if (strcmp(g->cause, "accumulation") == 0)
        return arena_printf(a,
                            "exceeds the bounds of sums, with errors of %s of "
                            "the bound in the units listed",
                            size_text(a, g->bounds));
    return NULL;
}

bool report_group_list(struct report *r, int64_t run, const char *glob,
                       struct report_group **list, int *count,
                       struct status *st)
{
    struct groups g = {0};
    TRY(read_groups(r, run, glob ? glob : "*", &g, st));
    if (g.count > 1)
        qsort(g.list, (size_t)g.count, sizeof *g.list, by_cases);
    *list = g.list;
    *count = g.count;
    return true;
}
