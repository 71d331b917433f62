/* html_failures.c - each failure, with all that explains it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <sqlite3.h>
#include <string.h>

#include "interp/specification/spec.h"
#include "report/format.h"
#include "report/html.h"
#include "report/source.h"

enum {
    TEXT_BYTES = 4000 /* of a program or its inputs */
};

/* A value in decimal, hexadecimal and bits. */
static void add_value(struct page *p, const char *type, uint64_t bits)
{
    struct arena *a = p->arena;
    const char *hex = format_hexfloat(a, type, bits);
    page_say(p, PAGE_STRONG, "%s", format_decimal(a, type, bits));
    if (hex)
        page_say(p, PAGE_SOFT, "%s", hex);
    page_say(p, PAGE_SOFT, "0x%s", format_bits(a, type, bits));
}

static void add_set(struct page *p, const struct store_wrong *w)
{
    struct arena *a = p->arena;
    if (w->accept)
        page_say(p, PAGE_SOFT, "%s", w->accept);
    /* No numbers are in the set of a NaN, nor in an empty one. */
    if (!w->has_low) {
        page_say(p, PAGE_STRONG, "%s", format_decimal(a, w->type, w->want));
        return;
    }
    page_say(p, PAGE_STRONG, "[%s, %s]", format_decimal(a, w->type, w->low),
             format_decimal(a, w->type, w->high));
    page_say(p, PAGE_SOFT, "0x%s to 0x%s", format_bits(a, w->type, w->low),
             format_bits(a, w->type, w->high));
}

static void add_operands(struct page *p, const struct store_wrong *w)
{
    struct arena *a = p->arena;
    for (int k = 0; k < w->operand_count; k++) {
        const struct store_operand *o = &w->operands[k];
        if (!o->has_imaginary) {
            add_value(p, o->type, o->bits);
            continue;
        }
        page_say(p, PAGE_STRONG, "(%s, %s)",
                 format_decimal(a, o->type, o->bits),
                 format_decimal(a, o->type, o->imaginary));
        page_say(p, PAGE_SOFT, "0x%s", format_bits(a, o->type, o->bits));
        page_say(p, PAGE_SOFT, "0x%s", format_bits(a, o->type, o->imaginary));
    }
}

static void add_wrong(struct page *p, const struct store_wrong *w)
{
    page_open(p, PAGE_ROW);
    page_open(p, PAGE_NAME);
    page_say(p, PAGE_LITERAL, "%s", w->place ? w->place : "");
    page_say(p, PAGE_SOFT, " %s", w->type ? w->type : "");
    if (w->output)
        page_say(p, PAGE_SOFT, ", result %lld", (long long)w->output);
    if (w->replica)
        page_say(p, PAGE_SOFT, ", replica %lld", (long long)w->replica);
    page_open_as(p, PAGE_CELL, "value");
    add_operands(p, w);
    page_open_as(p, PAGE_CELL, "value");
    add_value(p, w->type, w->got);
    page_open_as(p, PAGE_CELL, "value");
    add_value(p, w->type, w->want);
    const char *off = report_case_off(p->arena, w);
    page_number(p, off ? off : "\xe2\x80\x93");
    page_open_as(p, PAGE_CELL, "value");
    add_set(p, w);
}

static bool add_wrongs(struct report *r, struct page *p,
                       const struct report_case *c, struct status *st)
{
    static const char *const titles[] = {"Element", "Inputs",   "Got", "Wanted",
                                         "Error",   "Accepted", NULL};
    struct store_wrong *w;
    int count;
    TRY(report_case_wrongs(r, c->plan, r->wrong_limit, &w, &count, st));
    if (count == 0)
        return true;
    struct page_node *table = page_table(p, titles);
    table->class = "wide full";
    table->hint = "Wrong elements";
    for (int i = 0; i < count; i++)
        add_wrong(p, &w[i]);
    if (c->bad > count) {
        page_open(p, PAGE_PARAGRAPH);
        page_say(p, PAGE_SOFT,
                 "%s of %s wrong elements shown; %s were compared.",
                 format_count(&r->row, count), format_count(&r->row, c->bad),
                 format_count(&r->row, c->units));
    }
    return true;
}

/* Nothing of the database may make a page of any size. */
static const char *cut(struct arena *a, const char *text, size_t limit)
{
    size_t n = strlen(text);
    if (n <= limit)
        return text;
    for (n = limit; n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80; n--)
        ;
    return arena_printf(a, "%.*s\xe2\x80\xa6", (int)n, text);
}

/* An operation's page, or a rule on it, whose id begins with the operation's
 * name; plain text if there is no site to link to. */
static void add_docs(const struct report *r, struct page *p, const char *id,
                     const char *text)
{
    size_t n = strcspn(id, ".");
    if (r->docs)
        page_link(p,
                  arena_printf(p->arena, "%s/%.*s.html%s%s", r->docs, (int)n,
                               id, id[n] ? "#" : "", id[n] ? id : ""),
                  text);
    else
        page_say(p, PAGE_LITERAL, "%s", text);
}

/* Where a requirement comes from, and the public pages. */
static void add_source(struct page *p, const char *source)
{
    page_say(p, PAGE_SOFT, ", source: %s", source_words(p->arena, source));
    for (int i = 0; i < source_count(); i++) {
        if (!source_address(i) || !source_cites(source, i))
            continue;
        page_say(p, PAGE_PLAIN, " ");
        page_link(p, source_address(i), "public page");
    }
}

/* A rule's sentence, and where it comes from. */
static void add_rule(const struct report *r, struct page *p, const char *what,
                     const char *id, const char *text, const char *source,
                     bool known)
{
    page_open_as(p, PAGE_SECTION, "rule");
    page_paragraph(p, PAGE_PLAIN, text ? text : "");
    page_open(p, PAGE_PARAGRAPH);
    page_say(p, PAGE_SOFT, "%s ", what);
    id = cut(p->arena, id, 200);
    if (known)
        add_docs(r, p, id, id);
    else
        page_say(p, PAGE_LITERAL, "%s", id);
    if (source)
        add_source(p, source);
    if (!known)
        page_say(p, PAGE_SOFT, ", unknown to this version of Assay");
    page_close(p);
}

/* The rules that the result breaks. */
static bool add_violations(struct report *r, struct page *p,
                           const struct report_run *run,
                           const struct report_case *c, struct status *st)
{
    struct violations v;
    TRY(report_violation(r, run, c, &v, st));
    for (int i = 0; i < v.count; i++) {
        const struct violation *own = &v.list[i];
        const char *what = "Violates";
        if (own->policy)
            what = arena_printf(&r->row, "Under the policy %s (%s) violates",
                                own->policy, own->choice ? own->choice : "?");
        add_rule(r, p, what, own->id, own->text, own->source, true);
    }
    return true;
}

static void begin_fold(struct page *p, const char *title)
{
    page_open(p, PAGE_FOLD);
    page_say(p, PAGE_PLAIN, "%s", title);
}

/* Adds what the case is about, right or wrong. */
static void add_covered(const struct report *r, struct page *p,
                        const struct report_case *c)
{
    const char *at = c->requirements ? c->requirements : "";
    at += strspn(at, " ");
    if (!*at)
        return;
    begin_fold(p, "Rules that the case covers");
    for (; *at; at += strspn(at, " ")) {
        size_t n = strcspn(at, " ");
        const char *id = arena_printf(p->arena, "%.*s", (int)n, at);
        const struct spec_requirement *q = spec_requirement_find(id);
        const struct spec_constraint *e = spec_constraint_find(id);
        add_rule(r, p, e ? "Constraint" : "Requirement", id,
                 q   ? q->text
                 : e ? e->text
                     : NULL,
                 q   ? q->source
                 : e ? e->source
                     : NULL,
                 q || e);
        at += n;
    }
    page_close(p);
}

static void add_code(struct page *p, const char *text, size_t limit)
{
    page_open(p, PAGE_CODE);
    page_say(p, PAGE_PLAIN, "%s", cut(p->arena, text, limit));
}

static void add_json(struct page *p, const char *title, const char *text)
{
    if (!text || !*text)
        return;
    begin_fold(p, title);
    add_code(p, text, TEXT_BYTES);
    if (strlen(text) > TEXT_BYTES)
        page_paragraph(p, PAGE_SOFT,
                       "Truncated; the database has the full text.");
    page_close(p);
}

const char *html_failures_anchor(struct arena *a, const struct report_run *run,
                                 const char *op, const char *type)
{
    return arena_printf(a, "r%lld-%s-%s", (long long)run->id, op, type);
}

/* The target of a cell of the matrix. */
static void add_anchor(struct page *p, const struct report_run *run,
                       const struct report_case *c)
{
    page_open_as(p, PAGE_PARAGRAPH, "anchor")->id =
        html_failures_anchor(p->arena, run, c->op, c->type);
}

/* May the case be of a fate, but not among its first ones?  They come by name.
 */
static bool is_beyond(const struct report_change *change, int fate,
                      const char *name)
{
    return change->fate[fate] > REPORT_CHANGES
           && strcmp(change->first[fate][REPORT_CHANGES - 1].name, name) < 0;
}

/* Was the case judged otherwise in the run that this one is compared with?
 * Where that is not known, its operation decides: nothing new is hidden. */
static bool is_changed(const struct report *r, const struct report_case *c)
{
    if (!r->change)
        return true;
    if (*html_class_same(r, c->op))
        return false;
    for (int f = 0; f < GATE_COUNT; f++) {
        if (is_beyond(r->change, f, c->name))
            return true;
        for (int i = 0; i < r->change->fate[f] && i < REPORT_CHANGES; i++)
            if (strcmp(r->change->first[f][i].name, c->name) == 0)
                return true;
    }
    return false;
}

/* The case, what became of it, and where it stands. */
static void add_head(const struct report *r, struct page *p,
                     const struct report_case *c)
{
    const struct report_status *status = report_status_find(c->status);
    page_open_as(p, PAGE_SECTION, "head");
    page_heading(p, 4, NULL, cut(p->arena, c->name, 500));
    page_open_as(p, PAGE_LIST, "chips");
    page_open_as(p, PAGE_ITEM, "chip bad")->hint = status->meaning;
    page_say(p, PAGE_PLAIN, "\xe2\x9c\x97 %s", status->name);
    if (c->at) {
        page_open_as(p, PAGE_ITEM, "soft");
        page_say(p, PAGE_LITERAL, "%s", cut(p->arena, c->at, 300));
    }
    if (r->docs && spec_op_find(c->op)) {
        page_open(p, PAGE_ITEM);
        add_docs(r, p, c->op,
                 arena_printf(p->arena, "%s in the specification", c->op));
    }
    page_close(p);
}

/* A shortened failure omits what takes up space. */
static bool add_failure(struct report *r, struct page *p,
                        const struct report_run *run,
                        const struct report_case *c, bool whole,
                        struct status *st)
{
    struct page_node *box = page_open_as(
        p, PAGE_SECTION, is_changed(r, c) ? "failure" : "failure same");
    box->id = arena_printf(p->arena, "c%lld", (long long)c->plan);
    box->op = c->op;
    box->words =
        arena_printf(p->arena, "%s %s %s", c->name, c->type, c->status);
    add_head(r, p, c);
    if (c->message)
        page_paragraph(p, PAGE_PLAIN, cut(p->arena, c->message, 1000));
    TRY(add_violations(r, p, run, c, st));
    const char *also = report_power(r, run, c), *cause;
    if (also)
        page_paragraph(p, PAGE_PLAIN,
                       arena_printf(p->arena, "Would also accept: %s", also));
    TRY(report_explain_text(r, c, &cause, st));
    if (cause) {
        page_open_as(p, PAGE_PARAGRAPH, "cause");
        page_say(p, PAGE_PLAIN, "%s",
                 format_sentence(p->arena, cut(p->arena, cause, 500)));
    }
    if (whole) {
        TRY(add_wrongs(r, p, c, st));
        add_covered(r, p, c);
        add_json(p, "Inputs", c->inputs);
        add_json(p, "Program", c->program);
    }
    if (c->command) {
        page_open_as(p, PAGE_SECTION, "again");
        add_code(p, c->command, 2000);
        page_close(p);
    }
    page_close(p);
    return true;
}

/* A group holds the failures of one operation; missing ones are a list. */
struct group {
    const char *op; /* NULL: none open */
    bool missing;
};

static void end_group(struct report *r, struct group *g)
{
    if (g->op || g->missing)
        fputs(g->missing ? "</div></details>\n" : "</section>\n", r->out);
    *g = (struct group){NULL, false};
}

static void begin_group(struct report *r, const struct report_case *c,
                        struct group *g)
{
    if (strcmp(c->status, "missing") == 0) {
        if (g->missing)
            return;
        end_group(r, g);
        g->missing = true;
        fputs("<details class=\"failure\"><summary>Planned, but never run"
              "</summary><div class=\"names\">\n",
              r->out);
        return;
    }
    if (g->op && strcmp(g->op, c->op) == 0)
        return;
    end_group(r, g);
    g->op = arena_text(r->arena, c->op);
    fputs("<section class=\"group\"><h3>", r->out);
    format_xml(r->out, c->op, 0);
    fputs("</h3>\n", r->out);
}

static bool write_case(struct report *r, const struct report_run *run,
                       const struct report_case *c, sqlite3_stmt *q,
                       bool missing, struct status *st)
{
    bool first = sqlite3_column_int(q, 18), whole = sqlite3_column_int(q, 19);
    struct page *p = page_part(&r->row);
    if (first)
        add_anchor(p, run, c);
    if (missing)
        page_paragraph(p, PAGE_LITERAL, cut(p->arena, c->name, 500));
    else
        TRY(add_failure(r, p, run, c, whole, st));
    page_html_part(r->out, p);
    return true;
}

static bool write_run(struct report *r, const struct report_run *run,
                      struct status *st)
{
    sqlite3_stmt *q =
        report_case_failures(r, run->id, r->failure_limit, true, st);
    if (!q)
        return false;
    struct report_case c;
    struct group g = {NULL, false};
    int more = 1;
    bool good = true;
    int64_t n = 0;
    for (; good; n++) {
        if ((more = report_case_next(r, q, &c, st)) != 1)
            break;
        begin_group(r, &c, &g);
        good = write_case(r, run, &c, q, g.missing, st);
    }
    sqlite3_reset(q);
    end_group(r, &g);
    if (n < run->failures)
        fprintf(r->out,
                "<p><span class=\"chip warn\">cut</span> %s of %s failures are"
                " listed, some of each operation and type. The database holds"
                " all of them: <code>assay report --limit %lld</code>.</p>\n",
                format_count(&r->row, n), format_count(&r->row, run->failures),
                (long long)run->failures);
    return good && more >= 0;
}

bool html_failures(struct report *r, const struct html_cells *all,
                   struct status *st)
{
    TRY(spec_load(st));
    fputs("<h2 id=\"failures\">Failures</h2>\n", r->out);
    for (int i = 0; i < r->run_count; i++) {
        const struct report_run *run = &r->runs[i];
        if (r->run_count > 1) {
            fputs("<h3>", r->out);
            format_xml(r->out, all->labels[i], 0);
            fputs("</h3>\n", r->out);
        }
        if (run->failures == 0)
            fputs("<p>None.</p>\n", r->out);
        TRY(write_run(r, run, st));
    }
    return true;
}
