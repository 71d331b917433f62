/* bisect_print.c - the versions in which cases changed, as a table and as JSON;
 * see bisect.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/base/text.h"
#include "report/bisect.h"
#include "report/format.h"

enum {
    NAME_WIDTH = 60 /* at most */
};

static const char *const verdict_words[COMPARE_VERDICTS] = {
    [COMPARE_NONE] = "not judged",
    [COMPARE_RIGHT] = "right",
    [COMPARE_WRONG] = "wrong",
};

/* ---- What is counted ----------------------------------------------------- */

struct counts {
    int64_t changed, repeatedly, unseen;
    int64_t same[COMPARE_VERDICTS]; /* never changed */
};

/* Is there a version between known ones in which it was not run? */
static bool has_gap(const struct bisect *b, const struct bisect_case *c)
{
    for (int v = 0; v < b->version_count; v++)
        if (!c->cells[v].status)
            return true;
    return false;
}

static const struct bisect_cell *any_cell(const struct bisect *b,
                                          const struct bisect_case *c)
{
    for (int v = 0; v < b->version_count; v++)
        if (c->cells[v].status)
            return &c->cells[v];
    return NULL;
}

static struct counts count_all(const struct bisect *b)
{
    struct counts n = {0};
    for (int i = 0; i < b->case_count; i++) {
        const struct bisect_case *c = &b->cases[i];
        const struct bisect_cell *any = any_cell(b, c);
        int changes = bisect_changes(b, c, NULL);
        n.changed += changes > 0;
        n.repeatedly += changes > 1;
        n.unseen += has_gap(b, c);
        if (changes == 0 && any)
            n.same[any->verdict]++;
    }
    return n;
}

/* How many cases are `to` for the first time since another verdict in each
 * version. */
static int64_t count_first(const struct bisect *b, int version,
                           enum compare_verdict to)
{
    struct arena a = ARENA_INIT;
    int64_t count = 0;
    struct bisect_change *list =
        arena_new(&a, struct bisect_change, (size_t)b->version_count);
    for (int i = 0; i < b->case_count; i++) {
        int n = bisect_changes(b, &b->cases[i], list);
        for (int k = 0; k < n; k++)
            count += list[k].first == version
                     && b->cases[i].cells[version].verdict == to;
    }
    arena_free(&a);
    return count;
}

/* ---- The table ----------------------------------------------------------- */

/* "right", "wrong (fail, 3.2 ulp)" */
static const char *cell_text(struct arena *a, const struct bisect_cell *x)
{
    const char *word = verdict_words[x->verdict];
    if (x->verdict == COMPARE_RIGHT)
        return word;
    return arena_printf(a, "%s (%s%s%s%s)", word, x->status,
                        x->has_error ? ", " : "",
                        x->has_error ? format_short(a, x->error) : "",
                        x->has_error ? " ulp" : "");
}

/* "last right in 0.0.1" */
static const char *side_text(struct arena *a, const struct bisect *b,
                             const struct bisect_case *c, const char *which,
                             int version)
{
    return arena_printf(a, "%s %s in %s", which,
                        cell_text(a, &c->cells[version]),
                        b->versions[version].name);
}

struct widths {
    int name, last;
};

static void widen(int *width, const char *text, int most)
{
    int n = (int)strlen(text);
    *width = n > *width ? n < most ? n : most : *width;
}

static struct widths measure(const struct bisect *b, struct arena *a,
                             struct bisect_change *list)
{
    struct widths w = {0};
    for (int i = 0; i < b->case_count; i++) {
        const struct bisect_case *c = &b->cases[i];
        int n = bisect_changes(b, c, list);
        if (n > 0)
            widen(&w.name, c->name, NAME_WIDTH);
        for (int k = 0; k < n; k++)
            widen(&w.last, side_text(a, b, c, "last", list[k].last),
                  NAME_WIDTH);
        arena_reset(a);
    }
    return w;
}

static void write_changed(const struct bisect *b, const struct bisect_case *c,
                          const struct widths *w,
                          const struct bisect_change *list, int count,
                          FILE *out)
{
    struct arena a = ARENA_INIT;
    for (int k = 0; k < count; k++) {
        fprintf(out, "%-*s  %-*s  %s", w->name, k ? "" : c->name, w->last,
                side_text(&a, b, c, "last", list[k].last),
                side_text(&a, b, c, "first", list[k].first));
        if (k == 0 && count > 1)
            fprintf(out, "  (changed %d times)", count);
        putc('\n', out);
    }
    arena_free(&a);
}

static void write_changes(const struct bisect *b, int64_t limit,
                          int64_t changed, FILE *out)
{
    struct arena a = ARENA_INIT, row = ARENA_INIT;
    struct bisect_change *list =
        arena_new(&a, struct bisect_change, (size_t)b->version_count);
    struct widths w = measure(b, &row, list);
    int64_t listed = 0;
    for (int i = 0; i < b->case_count && listed < limit; i++) {
        int n = bisect_changes(b, &b->cases[i], list);
        if (n == 0)
            continue;
        write_changed(b, &b->cases[i], &w, list, n, out);
        listed++;
    }
    if (listed < changed)
        fprintf(out, "... and %s more\n", format_count(&a, changed - listed));
    if (changed > 0)
        putc('\n', out);
    arena_free(&row);
    arena_free(&a);
}

static void write_same(const struct bisect *b, int64_t limit, FILE *out)
{
    struct arena a = ARENA_INIT;
    int64_t listed = 0;
    for (int i = 0; i < b->case_count && listed < limit; i++) {
        const struct bisect_cell *any = any_cell(b, &b->cases[i]);
        if (!any || bisect_changes(b, &b->cases[i], NULL) > 0)
            continue;
        format_plain(out, b->cases[i].name);
        fprintf(out, "  never changed: %s\n", cell_text(&a, any));
        listed++;
    }
    if (listed > 0)
        putc('\n', out);
    arena_free(&a);
}

static void write_versions(const struct bisect *b, FILE *out)
{
    struct arena a = ARENA_INIT;
    int width = (int)strlen("version");
    for (int v = 0; v < b->version_count; v++)
        widen(&width, b->versions[v].name, NAME_WIDTH);
    fprintf(out, "%-*s %12s %12s  %s\n", width, "version", "became wrong",
            "became right", "runs");
    for (int v = 0; v < b->version_count; v++)
        fprintf(out, "%-*s %12s %12s  %s\n", width, b->versions[v].name,
                v ? format_count(&a, count_first(b, v, COMPARE_WRONG)) : "",
                v ? format_count(&a, count_first(b, v, COMPARE_RIGHT)) : "",
                *b->versions[v].runs ? b->versions[v].runs : "not needed");
    putc('\n', out);
    arena_free(&a);
}

static void write_summary(const struct bisect *b, const struct counts *n,
                          FILE *out)
{
    struct arena a = ARENA_INIT;
    fprintf(out, "%s of %s cases changed", format_count(&a, n->changed),
            format_count(&a, b->case_count));
    if (n->repeatedly)
        fprintf(out, ", %s of them more than once",
                format_count(&a, n->repeatedly));
    fprintf(out, "; never changed: %s right, %s wrong, %s not judged\n",
            format_count(&a, n->same[COMPARE_RIGHT]),
            format_count(&a, n->same[COMPARE_WRONG]),
            format_count(&a, n->same[COMPARE_NONE]));
    if (n->unseen)
        fprintf(out,
                "%s %s not run in every version: a change that a later "
                "version reverts may be missed (--every)\n",
                format_count(&a, n->unseen),
                text_plural(n->unseen, "case was", "cases were"));
    arena_free(&a);
}

void bisect_print_text(const struct bisect *b, int64_t limit, bool all,
                       FILE *out)
{
    struct counts n = count_all(b);
    write_changes(b, limit, n.changed, out);
    if (all)
        write_same(b, limit, out);
    write_versions(b, out);
    write_summary(b, &n, out);
}

/* ---- JSON ---------------------------------------------------------------- */

static void json_cell(const struct bisect_cell *x, FILE *out)
{
    struct arena a = ARENA_INIT;
    format_json_member(out, "", "status", x->status);
    fprintf(out, ", \"verdict\": \"%s\", ", verdict_words[x->verdict]);
    format_json_ulps(out, &a, "error_ulps", x->has_error, x->error);
    arena_free(&a);
}

static void json_side(const struct bisect *b, const struct bisect_case *c,
                      const char *which, int version, FILE *out)
{
    fprintf(out, "\"%s\": {\"version\": ", which);
    format_json(out, b->versions[version].name);
    fprintf(out, ", ");
    json_cell(&c->cells[version], out);
    putc('}', out);
}

static void json_case(const struct bisect *b, const struct bisect_case *c,
                      FILE *out)
{
    struct arena a = ARENA_INIT;
    struct bisect_change *list =
        arena_new(&a, struct bisect_change, (size_t)b->version_count);
    int n = bisect_changes(b, c, list);
    format_json_member(out, "{", "name", c->name);
    fprintf(out, ", \"changes\": [");
    for (int k = 0; k < n; k++) {
        fprintf(out, "%s{", k ? ", " : "");
        json_side(b, c, "last", list[k].last, out);
        fprintf(out, ", ");
        json_side(b, c, "first", list[k].first, out);
        putc('}', out);
    }
    fprintf(out, "], \"statuses\": [");
    for (int v = 0; v < b->version_count; v++) {
        fprintf(out, "%s", v ? ", " : "");
        format_json(out, c->cells[v].status);
    }
    fprintf(out, "]}");
    arena_free(&a);
}

void bisect_print_json(const struct bisect *b, FILE *out)
{
    struct counts n = count_all(b);
    fprintf(out,
            "{\"format\": \"assay-bisect/1\", \"changed\": %lld,"
            " \"changed_repeatedly\": %lld, \"not_run_in_every_version\": %lld,"
            "\n \"versions\": [",
            (long long)n.changed, (long long)n.repeatedly, (long long)n.unseen);
    for (int v = 0; v < b->version_count; v++) {
        fprintf(out, "%s{\"version\": ", v ? ", " : "");
        format_json(out, b->versions[v].name);
        format_json_member(out, ", ", "runs", b->versions[v].runs);
        fprintf(out, ", \"became_wrong\": %lld, \"became_right\": %lld}",
                (long long)count_first(b, v, COMPARE_WRONG),
                (long long)count_first(b, v, COMPARE_RIGHT));
    }
    fprintf(out, "],\n \"cases\": [");
    for (int i = 0; i < b->case_count; i++) {
        fprintf(out, "%s\n  ", i ? "," : "");
        json_case(b, &b->cases[i], out);
    }
    fprintf(out, "]}\n");
}
