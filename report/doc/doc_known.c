/* doc_known.c - what the findings say of an operation on known backends.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * In: report/findings/figures.json (whole runs of the suite) and atlas.json
 * (sweeps of functions of one operand), which the program carries.  They name
 * some causes and errors: a backend without a row may still be wrong.
 * Tests: site.t.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/embed.h"
#include "interp/exact/real.h"
#include "report/doc/doc.h"
#include "report/format.h"

static bool load(struct arena *a, const char *path, const struct json **to,
                 struct status *st)
{
    const struct embed_file *f = embed_find(path);
    if (!f)
        return FAIL(st, SYSTEM, "this build of assay lacks %s", path);
    return json_parse(a, path, f->text, f->length, to, st);
}

bool doc_known_load(struct doc *d, struct status *st)
{
    return load(d->arena, "report/findings/figures.json", &d->figures, st)
           && load(d->arena, "report/findings/atlas.json", &d->atlas, st);
}

static const char *text_of(const struct json *node, const char *member)
{
    const struct json *m = json_member(node, member);
    return m && m->text ? m->text : "";
}

static double number_of(const struct json *node, const char *member)
{
    return strtod(text_of(node, member), NULL);
}

/* ---- Whole runs ---------------------------------------------------------- */

/* Runs of figures.json that are called otherwise than their backend. */
static const char *backend_of(const char *run)
{
    static const char *const plugins[] = {"old", "new"};
    for (size_t i = 0; i < sizeof plugins / sizeof plugins[0]; i++)
        if (strcmp(run, plugins[i]) == 0)
            return "xla-cpu";
    return run;
}

/* "f64: 2.83, f32: 1.98"; what is wrong without an error of ulps, such as the
 * sign of a zero, has none. */
static const char *error_words(struct arena *a, const struct json *types)
{
    const char *text = "";
    for (const struct json *t = types ? types->child : NULL; t; t = t->next) {
        int64_t error = strtoll(t->text, NULL, 10);
        if (error != 0)
            text = arena_printf(a, "%s%s%s: %s", text, *text ? ", " : "",
                                t->key, format_short(a, error));
    }
    return text;
}

/* Causes whose smallest case is one of the operation. */
static const char *cause_words(struct arena *a, const struct json *run,
                               const char *op)
{
    const struct json *list = json_member(run, "causes");
    size_t n = strlen(op);
    const char *text = "";
    for (const struct json *c = list ? list->child : NULL; c; c = c->next) {
        const char *smallest = text_of(c, "smallest");
        if (strncmp(smallest, op, n) == 0 && smallest[n] == '/')
            text = arena_printf(a, "%s%s%s: %s", text, *text ? " " : "", c->key,
                                text_of(c, "text"));
    }
    return text;
}

static void add_runs(const struct doc *d, struct page *p, const char *op,
                     bool *any)
{
    static const char *const titles[] = {
        "Backend", "Verdict", "Largest error beyond its budget (ulp)", "Causes",
        NULL};
    struct arena *a = p->arena;
    const struct json *runs = json_member(d->figures, "runs");
    for (const struct json *r = runs->child; r; r = r->next) {
        const char *errors =
            error_words(a, json_member(json_member(r, "errors"), op));
        const char *causes = cause_words(a, r, op);
        if (!*errors && !*causes)
            continue;
        if (!*any)
            page_table(p, titles);
        *any = true;
        page_open(p, PAGE_ROW);
        page_open(p, PAGE_NAME);
        page_say(p, PAGE_PLAIN, "%s %s", backend_of(r->key),
                 text_of(r, "version"));
        page_open_as(p, PAGE_CELL, "bad");
        page_say(p, PAGE_PLAIN, "wrong");
        page_cell(p, PAGE_PLAIN, errors);
        page_cell(p, PAGE_PLAIN, causes);
    }
}

/* ---- Sweeps -------------------------------------------------------------- */

enum {
    WIDTH = 420, /* of the picture's bars */
    LABEL = 190,
    LINE = 16,
    DECADES = 13 /* 0.1 ulp and less to 10^12 */
};

static bool is_wrong(const struct json *row)
{
    return number_of(row, "bad") > 0;
}

/* The largest error of a row; from 10^12 ulp on none was measured. */
static double most_of(const struct json *row)
{
    return json_member(row, "max_ulp_beyond") ? 1e12
                                              : number_of(row, "max_ulp");
}

/* The same, as reports write it. */
static const char *most_words(struct arena *a, const struct json *row)
{
    double most = most_of(row);
    return format_short(a, most < 1e12 ? (int64_t)llround(most * 1e6)
                                       : REAL_ERROR_MAX);
}

/* A bar for each backend and type: a logarithm from a tenth of an ulp on. */
static const char *draw(struct page *p, const struct json *list, const char *op)
{
    struct arena *a = p->arena;
    const char *bars = "";
    int n = 0;
    for (const struct json *r = list->child; r; r = r->next) {
        double most = most_of(r);
        if (strcmp(text_of(r, "op"), op) != 0)
            continue;
        double size = most > 0.1 ? (log10(most) + 1) / DECADES : 0;
        bars = arena_printf(
            a,
            "%s<text x=\"0\" y=\"%d\">%s %s</text><rect class=\"%s\""
            " x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"10\"><title>%s ulp"
            "</title></rect>",
            bars, n * LINE + 11, text_of(r, "backend"), text_of(r, "type"),
            is_wrong(r) ? "bad" : "ok", LABEL, n * LINE + 2,
            2 + WIDTH * (size < 1 ? size : 1), most_words(a, r));
        n++;
    }
    return n ? arena_printf(a,
                            "<svg class=\"bars\" viewBox=\"0 0 %d %d\""
                            " role=\"img\" aria-label=\"Largest errors of %s,"
                            " by backend and type\">%s</svg>",
                            LABEL + WIDTH + 4, n * LINE, op, bars)
             : NULL;
}

static void add_sweep(struct page *p, const struct json *r)
{
    struct arena *a = p->arena;
    bool wrong = is_wrong(r);
    page_open(p, PAGE_ROW);
    page_open(p, PAGE_NAME);
    page_say(p, PAGE_PLAIN, "%s %s", text_of(r, "backend"),
             text_of(r, "version"));
    page_cell(p, PAGE_LITERAL, text_of(r, "type"));
    page_open_as(p, PAGE_CELL, wrong ? "bad" : "ok");
    page_say(p, PAGE_PLAIN, "%s",
             wrong ? arena_printf(a, "%s wrong",
                                  format_count(a, (int64_t)number_of(r, "bad")))
                   : "right");
    page_number(p, most_words(a, r));
    page_number(
        p, arena_printf(a, "%.2f\xc2\xa0%%",
                        floor(number_of(r, "correctly_rounded") * 1e4) / 100));
    page_number(p, format_count(a, (int64_t)number_of(r, "inputs")));
    page_cell(p, PAGE_PLAIN, text_of(r, "evidence"));
}

static void add_sweeps(const struct doc *d, struct page *p, const char *op,
                       bool *any)
{
    static const char *const titles[] = {
        "Backend",           "Type",   "Verdict",  "Largest error (ulp)",
        "Correctly rounded", "Inputs", "Evidence", NULL};
    const struct json *list = json_member(d->atlas, "functions");
    const char *picture = draw(p, list, op);
    if (!picture)
        return;
    page_paragraph(p, PAGE_PLAIN,
                   "Swept over every input (certified), or over a sample:");
    page_table(p, titles);
    for (const struct json *r = list->child; r; r = r->next)
        if (strcmp(text_of(r, "op"), op) == 0)
            add_sweep(p, r);
    page_open(p, PAGE_FIGURE);
    page_say(p, PAGE_PICTURE, "%s", picture);
    page_say(p, PAGE_PLAIN,
             "Largest errors of the sweeps: a bar ends at 10^12 ulp or more,"
             " begins at 0.1, and is logarithmic; red where a result is"
             " outside its acceptance set.");
    *any = true;
}

bool doc_known(const struct doc *d, struct page *p, const struct spec_op *op,
               struct status *st)
{
    bool any = false;
    if (!d->figures)
        return true;
    page_heading(p, 2, "known", "Known backends");
    page_open(p, PAGE_PARAGRAPH);
    page_say(p, PAGE_PLAIN, "What the ");
    page_link(p, "findings.html", "findings");
    page_say(p, PAGE_PLAIN,
             " recorded. This lists only the causes and errors that the"
             " findings name; a backend without a row may still be wrong.");
    add_runs(d, p, op->name, &any);
    add_sweeps(d, p, op->name, &any);
    if (!any)
        page_paragraph(p, PAGE_PLAIN, "Nothing is recorded.");
    return true;
}
