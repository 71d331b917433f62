/* report_group.c - the failures of a run, grouped by cause.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A cause is the narrowest deviation that explains a case's wrong units, as the
 * judge stored it; the size of the errors of one operation and type where
 * only accuracy is insufficient; the status and the class of message where no
 * value was judged; else "unexplained", by what is seen.
 */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/glob.h"
#include "interp/base/text.h"
#include "interp/exact/real.h"
#include "interp/judge/verdict.h"
#include "report/format.h"
#include "report/report.h"
#include "report/report_seen.h"

enum {
    UNITS = 1 << 10 /* of a case that are looked at */
};
/* A larger error is no matter of accuracy: 2^10 ulp, or bounds. */
#define SIZE_MAX_MICRO (INT64_C(1000000) << 10)

struct groups {
    int count, room;
    struct report_group *list;
};

static void add_name(struct arena *a, struct report_names *n, const char *name)
{
    if (!name || !*name)
        name = "-";
    for (int i = 0; i < n->count; i++)
        if (strcmp(n->list[i], name) == 0)
            return;
    ARENA_GROW(a, n->list, n->count, n->room);
    n->list[n->count++] = name;
}

static enum report_group_kind kind_of(const char *cause, bool deviation,
                                      bool failed)
{
    if (deviation)
        return REPORT_GROUP_DEVIATION;
    if (!failed || strcmp(cause, "form") == 0)
        return REPORT_GROUP_ENDED;
    return strcmp(cause, "unexplained") == 0 ? REPORT_GROUP_OPEN
                                             : REPORT_GROUP_BOUND;
}

static bool is_in(const struct report_group *g, const struct report_group *own)
{
    if (g->kind != own->kind || strcmp(g->cause, own->cause) != 0)
        return false;
    if (g->kind == REPORT_GROUP_ENDED || g->kind == REPORT_GROUP_OPEN)
        return strcmp(g->text, own->text) == 0;
    return g->kind != REPORT_GROUP_BOUND
           || (strcmp(g->ops.list[0], own->ops.list[0]) == 0
               && strcmp(g->types.list[0], own->types.list[0]) == 0);
}

/* The group of a row; cases come with the smallest first. */
static struct report_group *group_of(struct report *r, struct groups *g,
                                     const char *cause, const char *seen,
                                     sqlite3_stmt *q)
{
    struct arena *a = r->arena;
    const char *text = report_column(a, q, 1);
    const char *own = report_column(a, q, 11), *message;
    struct report_group new = {
        .cause = cause,
        .kind = kind_of(cause, text != NULL, own && strcmp(own, "fail") == 0),
        .text = text,
        .name = report_column(a, q, 2),
        .command = report_mask_shown(r, a, report_column(a, q, 10)),
        .units = sqlite3_column_int64(q, 5),
        .bad = sqlite3_column_int64(q, 6),
        .ulps = -1,
        .bounds = -1};
    message = report_mask_shown(r, a, report_column(a, q, 12));
    if (new.kind == REPORT_GROUP_ENDED)
        new.text =
            text_class(arena_alloc(a, TEXT_CLASS + 1), message ? message : "");
    if (new.kind == REPORT_GROUP_OPEN)
        new.text = seen;
    add_name(a, &new.ops, report_column(a, q, 3));
    add_name(a, &new.types, report_column(a, q, 4));
    for (int i = 0; i < g->count; i++)
        if (is_in(&g->list[i], &new))
            return &g->list[i];
    ARENA_GROW(a, g->list, g->count, g->room);
    g->list[g->count] = new;
    return &g->list[g->count++];
}

static void keep_worst(struct arena *a, struct report_group *g, int64_t *most,
                       sqlite3_stmt *q, int column)
{
    int64_t own = sqlite3_column_int64(q, column);
    if (sqlite3_column_type(q, column) == SQLITE_NULL || own <= *most)
        return;
    *most = own;
    g->worst = report_column(a, q, 2);
    g->input = report_column(a, q, 13);
}

/* Is a bit pattern subnormal, or negative, or zero? */
static bool is(bool (*what)(enum dtype, uint64_t), const char *type,
               uint64_t bits)
{
    enum dtype t;
    return type && dtype_parse(type, strlen(type), &t)
           && dtype_class(t) == DTYPE_FLOAT && what(t, bits);
}

static bool has_subnormal(const struct store_wrong *w)
{
    for (int i = 0; i < w->operand_count; i++) {
        const struct store_operand *o = &w->operands[i];
        enum dtype t;
        const char *part = o->type;
        if (o->has_imaginary && dtype_parse(part, strlen(part), &t))
            part = dtype_table[dtype_unit(t)].name;
        if (is(real_is_subnormal, part, o->bits)
            || (o->has_imaginary && is(real_is_subnormal, part, o->imaginary)))
            return true;
    }
    return false;
}

static bool is_within(int64_t micro)
{
    return micro != 0 && micro <= SIZE_MAX_MICRO && micro >= -SIZE_MAX_MICRO;
}

/* May the size of a unit's error say what is wrong with it? */
static bool has_size(const struct store_wrong *w)
{
    if (!w->has_error)
        return is_within(w->share);
    return is_within(w->error)
           && is(real_is_negative, w->type, w->got)
                  == is(real_is_negative, w->type, w->want);
}

/* Is a case only inaccurate?  Not with a wrong sign, an error of zero or of
 * more than 2^10 ulp, or where subnormal operands alone give wrong results. */
static bool is_inaccurate(const struct store_wrong *w, int count, int64_t error)
{
    bool all = true;
    for (int i = 0; i < count; i++) {
        if (!has_size(&w[i]))
            return false;
        all = all && has_subnormal(&w[i]);
    }
    return error <= SIZE_MAX_MICRO && (count == 0 || !all);
}

/* A row's cause, unless it is a size that explains nothing; without one, what
 * is seen. */
static bool read_cause(struct report *r, sqlite3_stmt *q, const char **cause,
                       const char **seen, struct status *st)
{
    static const char open[] = "unexplained";
    struct store_wrong *w;
    int count;
    *cause = report_column(r->arena, q, 0);
    *seen = NULL;
    bool size =
        strcmp(*cause, "accuracy") == 0 || strcmp(*cause, "accumulation") == 0;
    if (!size && strcmp(*cause, open) != 0)
        return true;
    TRY(report_case_wrongs(r, sqlite3_column_int64(q, 14), UNITS, &w, &count,
                           st));
    if (!size || !is_inaccurate(w, count, sqlite3_column_int64(q, 8))) {
        *cause = open;
        *seen = report_seen(w, count);
    }
    arena_reset(&r->row);
    return true;
}

static bool read_groups(struct report *r, int64_t run, const char *glob,
                        struct groups *g, struct status *st)
{
    struct arena *a = r->arena;
    sqlite3_stmt *q = report_query(r, "explain", run, st);
    if (!q)
        return false;
    int rc;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(q, 2);
        if (glob && !glob_match(glob, name))
            continue;
        const char *cause, *seen;
        TRY(read_cause(r, q, &cause, &seen, st));
        struct report_group *own = group_of(r, g, cause, seen, q);
        own->cases++;
        own->known += sqlite3_column_int(q, 7);
        own->ended += (sqlite3_column_int64(q, 15) & VERDICT_SEARCH_ENDED) != 0;
        add_name(a, &own->ops, report_column(a, q, 3));
        add_name(a, &own->types, report_column(a, q, 4));
        keep_worst(a, own, &own->ulps, q, 8);
        keep_worst(a, own, &own->bounds, q, 9);
    }
    bool good =
        rc == SQLITE_DONE || store_sql_fail(r->store, "reading failures", st);
    sqlite3_reset(q);
    return good;
}

/* Those with new failures first: the known ones are known. */
static int by_cases(const void *a, const void *b)
{
    const struct report_group *x = a, *y = b;
    int64_t new_x = x->cases - x->known, new_y = y->cases - y->known;
    if (new_x != new_y)
        return new_x < new_y ? 1 : -1;
    return x->cases != y->cases ? (x->cases < y->cases ? 1 : -1)
                                : strcmp(x->cause, y->cause);
}

const char *report_group_bare(struct arena *a, const struct report_group *g)
{
    if (g->kind != REPORT_GROUP_BOUND)
        return g->text;
    bool sum = strcmp(g->cause, "accumulation") == 0;
    return arena_printf(a, "largest error %s %s%s%s in %s",
                        format_ulps(a, sum ? g->bounds : g->ulps),
                        sum ? "of the bound" : "ulp", g->input ? " at " : "",
                        g->input ? g->input : "", g->worst);
}

const char *report_group_text(struct arena *a, const struct report_group *g)
{
    const char *text = report_group_bare(a, g);
    /* A class of messages ends where it is long enough. */
    if (g->kind == REPORT_GROUP_ENDED && text && strlen(text) >= TEXT_CLASS - 3)
        text = arena_printf(a, "%s...", text);
    if (g->ended == 0)
        return text;
    return arena_printf(a, "%s%s(not all deviations were tried in %s of %s)",
                        text ? text : "", text ? " " : "",
                        format_count(a, g->ended), format_count(a, g->cases));
}

bool report_group_list(struct report *r, int64_t run, const char *glob,
                       struct report_group **list, int *count,
                       struct status *st)
{
    struct groups g = {0};
    TRY(read_groups(r, run, glob, &g, st));
    if (g.count > 1)
        qsort(g.list, (size_t)g.count, sizeof *g.list, by_cases);
    *list = g.list;
    *count = g.count;
    return true;
}
