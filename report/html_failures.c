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

static bool write_wrongs(struct report *r, const struct report_case *c,
                         struct status *st)
{
    static const char *const titles[] = {"Element", "Inputs",   "Got", "Wanted",
                                         "Error",   "Accepted", NULL};
    struct store_wrong *w;
    int count;
    TRY(report_case_wrongs(r, c->plan, r->wrong_limit, &w, &count, st));
    if (count == 0)
        return true;
    struct page *p = page_part(&r->row);
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
    page_html_part(r->out, p);
    return true;
}

/* Open a link to an operation's page, or to a rule on it, whose id begins with
 * the operation's name; true if there is a site to link to. */
static bool open_docs(struct report *r, const char *id)
{
    size_t n = strcspn(id, ".");
    if (!r->docs)
        return false;
    fputs("<a href=\"", r->out);
    format_xml(r->out, r->docs, 0);
    putc('/', r->out);
    format_xml(r->out, arena_printf(&r->row, "%.*s.html", (int)n, id), 0);
    fputs(id[n] ? "#" : "", r->out);
    format_xml(r->out, id[n] ? id : "", 0);
    fputs("\">", r->out);
    return true;
}

/* Where a requirement comes from, and the public pages. */
static void write_source(struct report *r, const char *source)
{
    fputs(", source: ", r->out);
    format_xml(r->out, source_words(&r->row, source), 0);
    for (int i = 0; i < source_count(); i++) {
        if (!source_address(i) || !source_cites(source, i))
            continue;
        fputs(" <a href=\"", r->out);
        format_xml(r->out, source_address(i), 0);
        fputs("\">public page</a>", r->out);
    }
}

/* A rule's sentence, and where it comes from. */
static void write_rule(struct report *r, const char *what, const char *id,
                       const char *text, const char *source, bool known)
{
    fputs("<blockquote><p>", r->out);
    format_xml(r->out, text ? text : "", 0);
    fprintf(r->out, "</p><cite>%s <code>", what);
    bool linked = known && open_docs(r, id);
    format_xml(r->out, id, 200);
    fputs(linked ? "</a></code>" : "</code>", r->out);
    if (source)
        write_source(r, source);
    if (!known)
        fputs(", unknown to this version of Assay", r->out);
    fputs("</cite></blockquote>\n", r->out);
}

/* The rules that the result breaks. */
static bool write_violations(struct report *r, const struct report_run *run,
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
        write_rule(r, what, own->id, own->text, own->source, true);
    }
    return true;
}

/* What the verdict does not see. */
static void write_power(struct report *r, const struct report_run *run,
                        const struct report_case *c)
{
    const char *also = report_power(r, run, c);
    if (also)
        fprintf(r->out, "<p>Would also accept: %s</p>\n", also);
}

/* What the case is about, right or wrong. */
static void write_covered(struct report *r, const struct report_case *c)
{
    const char *p = c->requirements ? c->requirements : "";
    p += strspn(p, " ");
    if (!*p)
        return;
    fputs("<details><summary>Rules that the case covers</summary>", r->out);
    for (; *p; p += strspn(p, " ")) {
        size_t n = strcspn(p, " ");
        const char *id = arena_printf(&r->row, "%.*s", (int)n, p);
        const struct spec_requirement *q = spec_requirement_find(id);
        const struct spec_constraint *e = spec_constraint_find(id);
        write_rule(r, e ? "Constraint" : "Requirement", id,
                   q   ? q->text
                   : e ? e->text
                       : NULL,
                   q   ? q->source
                   : e ? e->source
                       : NULL,
                   q || e);
        p += n;
    }
    fputs("</details>\n", r->out);
}

static void write_json(struct report *r, const char *what, const char *text)
{
    if (!text || !*text)
        return;
    fprintf(r->out, "<details><summary>%s</summary><pre>", what);
    format_xml(r->out, text, TEXT_BYTES);
    fputs("</pre>", r->out);
    if (strlen(text) > TEXT_BYTES)
        fputs(
            "<p class=\"soft\">Truncated; the database has the full text.</p>",
            r->out);
    fputs("</details>\n", r->out);
}

static void write_data(struct report *r, const struct report_case *c)
{
    fputs(" data-op=\"", r->out);
    format_xml(r->out, c->op, 0);
    fputs("\" data-text=\"", r->out);
    format_xml(r->out, c->name, 0);
    putc(' ', r->out);
    format_xml(r->out, c->type, 0);
    fprintf(r->out, " %s\"", c->status);
}

const char *html_failures_anchor(struct arena *a, const struct report_run *run,
                                 const char *op, const char *type)
{
    return arena_printf(a, "r%lld-%s-%s", (long long)run->id, op, type);
}

/* The target of a cell of the matrix. */
static void write_anchor(struct report *r, const struct report_run *run,
                         const struct report_case *c)
{
    fputs("<a class=\"anchor\" id=\"", r->out);
    format_xml(r->out, html_failures_anchor(&r->row, run, c->op, c->type), 0);
    fputs("\"></a>", r->out);
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

/* A shortened failure omits what takes up space. */
static bool write_failure(struct report *r, const struct report_run *run,
                          const struct report_case *c, bool first, bool whole,
                          struct status *st)
{
    const struct report_status *status = report_status_find(c->status);
    if (first)
        write_anchor(r, run, c);
    fprintf(r->out, "<article class=\"failure%s\" id=\"c%lld\"",
            is_changed(r, c) ? "" : " same", (long long)c->plan);
    write_data(r, c);
    fputs(">\n<header><h4>", r->out);
    format_xml(r->out, c->name, 500);
    fprintf(r->out,
            "</h4><span class=\"chip bad\" title=\"%s\">\xe2\x9c\x97 %s</span>",
            status->meaning, status->name);
    if (c->at) {
        fputs(" <code class=\"soft\">", r->out);
        format_xml(r->out, c->at, 300);
        fputs("</code>", r->out);
    }
    if (spec_op_find(c->op) && open_docs(r, c->op)) {
        format_xml(r->out, c->op, 0);
        fputs(" in the specification</a>", r->out);
    }
    fputs("</header>\n", r->out);
    if (c->message) {
        fputs("<p>", r->out);
        format_xml(r->out, c->message, 1000);
        fputs("</p>\n", r->out);
    }
    TRY(write_violations(r, run, c, st));
    write_power(r, run, c);
    const char *cause;
    TRY(report_explain_text(r, c, &cause, st));
    if (cause) {
        fputs("<p class=\"cause\">", r->out);
        format_xml(r->out, cause, 500);
        fputs("</p>\n", r->out);
    }
    if (whole) {
        TRY(write_wrongs(r, c, st));
        write_covered(r, c);
        write_json(r, "Inputs", c->inputs);
        write_json(r, "Program", c->program);
    }
    if (c->command) {
        fputs("<div class=\"again\"><pre>", r->out);
        format_xml(r->out, c->command, 2000);
        fputs("</pre></div>\n", r->out);
    }
    fputs("</article>\n", r->out);
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
        fputs(g->missing ? "</ul></details>\n" : "</section>\n", r->out);
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
              "</summary><ul class=\"names\">\n",
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
    if (!missing)
        return write_failure(r, run, c, first, whole, st);
    fputs("<li>", r->out);
    if (first)
        write_anchor(r, run, c);
    fputs("<code>", r->out);
    format_xml(r->out, c->name, 500);
    fputs("</code></li>\n", r->out);
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
