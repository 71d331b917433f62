/* report_form.c - what is right as it stands, and wrong in a form.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A name joins several forms; each of them counts, as any may be the reason.
 */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/glob.h"
#include "report/format.h"
#include "report/report.h"

struct forms {
    struct arena *arena;
    int count, room;
    struct report_form *list;
};

static struct report_form *form_of(struct forms *f, const char *name, size_t n)
{
    for (int i = 0; i < f->count; i++)
        if (strlen(f->list[i].form) == n
            && strncmp(f->list[i].form, name, n) == 0)
            return &f->list[i];
    ARENA_GROW(f->arena, f->list, f->count, f->room);
    f->list[f->count] = (struct report_form){
        .form = arena_printf(f->arena, "%.*s", (int)n, name)};
    return &f->list[f->count++];
}

static void count(struct forms *f, const char *form, const char *name,
                  bool failed)
{
    while (*form) {
        size_t n = strcspn(form, "+");
        struct report_form *own = form_of(f, form, n);
        own->cases++;
        own->failed += failed;
        if (failed && !own->name)
            own->name = arena_text(f->arena, name);
        form += n + (form[n] != '\0');
    }
}

static int by_failed(const void *a, const void *b)
{
    const struct report_form *x = a, *y = b;
    int order = (x->failed < y->failed) - (x->failed > y->failed);
    return order ? order : strcmp(x->form, y->form);
}

bool report_form_list(struct report *r, int64_t run, const char *glob,
                      struct report_form **list, int *n, struct status *st)
{
    struct forms f = {.arena = r->arena};
    sqlite3_stmt *q = report_query(r, "forms", run, st);
    int rc;
    if (!q)
        return false;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        const char *name = report_column_text(q, 1);
        if (!glob || glob_match(glob, name))
            count(&f, report_column_text(q, 0), name,
                  sqlite3_column_int(q, 2) != 0);
    }
    bool good =
        rc == SQLITE_DONE || store_sql_fail(r->store, "reading forms", st);
    sqlite3_reset(q);
    if (f.count > 0)
        qsort(f.list, (size_t)f.count, sizeof *f.list, by_failed);
    while (f.count > 0 && f.list[f.count - 1].failed == 0)
        f.count--;
    *list = f.list;
    *n = f.count;
    return good;
}

void report_form_write(struct report *r, const struct report_form *list, int n,
                       bool all)
{
    enum {
        SHOWN = 8 /* unless all are asked for */
    };
    struct arena *a = &r->row;
    if (n == 0)
        return;
    fputs("\nright plain, wrong in a form:\n", r->out);
    for (int i = 0; i < n && (all || i < SHOWN); i++) {
        fprintf(r->out, "%7s of %s  ", format_count(a, list[i].failed),
                format_count(a, list[i].cases));
        format_plain(r->out, list[i].form);
        fputs(": ", r->out);
        format_plain(r->out, list[i].name);
        fputs("\n", r->out);
    }
    if (!all && n > SHOWN)
        fprintf(r->out, "        and %d more forms\n", n - SHOWN);
    arena_reset(a);
}

void report_form_json(struct report *r, const struct report_form *list, int n)
{
    for (int i = 0; i < n; i++) {
        fprintf(r->out, "%s\n  {\"form\": ", i ? "," : "");
        format_json(r->out, list[i].form);
        fprintf(r->out, ", \"failed\": %lld, \"cases\": %lld, \"first\": ",
                (long long)list[i].failed, (long long)list[i].cases);
        format_json(r->out, list[i].name);
        fputs("}", r->out);
    }
}
