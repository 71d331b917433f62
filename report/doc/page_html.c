/* page_html.c - a page as HTML.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/base/embed.h"
#include "report/doc/page.h"
#include "report/format.h"

struct writer {
    FILE *out;
    const struct page *page;
    bool site;
};

/* A standalone page (assay doc -f html) has no other pages next to it: links to
 * them become plain text.  Within a site a link to the page's own heading loses
 * its file name, so that it works from a copy, too. */
static void write_link(const struct writer *w, const struct page_span *s)
{
    const char *target = s->target, *file = w->page->file;
    size_t own = strlen(file);
    if (own > 0 && strncmp(target, file, own) == 0
        && strncmp(target + own, ".html#", 6) == 0)
        target += own + 5;
    bool leads = w->site || *target == '#' || page_is_address(target);
    if (leads) {
        fputs("<a href=\"", w->out);
        format_xml(w->out, target, 0);
        fputs("\">", w->out);
    }
    format_xml(w->out, s->text, 0);
    fputs(leads ? "</a>" : "", w->out);
}

static void write_span(const struct writer *w, const struct page_span *s)
{
    static const char *const marks[][2] = {
        [PAGE_PLAIN] = {"", ""},
        [PAGE_LITERAL] = {"<code>", "</code>"},
        [PAGE_STRONG] = {"<strong>", "</strong>"},
        [PAGE_SOFT] = {"<span class=\"soft\">", "</span>"},
        [PAGE_LINK] = {"", ""},
        [PAGE_PICTURE] = {"", ""},
        [PAGE_UNSEEN] = {"<span class=\"sr\">", "</span>"},
    };
    fputs(marks[s->tone][0], w->out);
    if (s->tone == PAGE_LINK)
        write_link(w, s);
    else if (s->tone == PAGE_PICTURE)
        fputs(s->text, w->out);
    else
        format_xml(w->out, s->text, 0);
    fputs(marks[s->tone][1], w->out);
}

static void write_spans(const struct writer *w, const struct page_node *n)
{
    for (const struct page_span *s = n->spans; s; s = s->next)
        write_span(w, s);
}

static void write_attribute(const struct writer *w, const char *name,
                            const char *value)
{
    if (!value || !*value)
        return;
    fprintf(w->out, " %s=\"", name);
    format_xml(w->out, value, 0);
    putc('"', w->out);
}

/* "<NAME", and all attributes but the class of a table. */
static void begin(const struct writer *w, const char *name,
                  const struct page_node *n)
{
    fprintf(w->out, "<%s", name);
    write_attribute(w, "id", n->id);
    write_attribute(w, "class", n->class);
    write_attribute(w, "title", n->hint);
    write_attribute(w, "data-op", n->op);
    write_attribute(w, "data-text", n->words);
    write_attribute(w, "data-v", n->sort);
}

static void write_element(const struct writer *w, const char *name,
                          const struct page_node *n)
{
    begin(w, name, n);
    putc('>', w->out);
    write_spans(w, n);
    fprintf(w->out, "</%s>", name);
}

/* Is a column of numbers, whose title is aligned as they are? */
static bool is_number(const struct page_node *cell)
{
    return cell && cell->class && strncmp(cell->class, "num", 3) == 0;
}

static void begin_title(const struct writer *w, const struct page_node *title,
                        const struct page_node *below)
{
    begin(w, "th", title);
    fputs(!title->class && is_number(below) ? " class=\"num\"" : "", w->out);
    fputs(" scope=\"col\">", w->out);
}

/* Where the page is narrow a cell is a line of its own, which its column's
 * title begins. */
static void write_cells(const struct writer *w, const struct page_node *row,
                        const struct page_node *head)
{
    const struct page_node *title = head->child;
    const struct page_node *below = head->next ? head->next->child : NULL;
    for (const struct page_node *c = row->child; c; c = c->next) {
        bool names = row == head || c->kind == PAGE_NAME;
        if (row == head) {
            begin_title(w, c, below);
        } else if (names) {
            begin(w, "th", c);
            fputs(" scope=\"row\">", w->out);
        } else {
            begin(w, "td", c);
            write_attribute(w, "data-label",
                            title && title->spans ? title->spans->text : NULL);
            putc('>', w->out);
        }
        write_spans(w, c);
        fputs(names ? "</th>" : "</td>", w->out);
        title = title ? title->next : NULL;
        below = below ? below->next : NULL;
    }
}

static void write_table(const struct writer *w, const struct page_node *n)
{
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\"", w->out);
    write_attribute(w, "aria-label", n->hint ? n->hint : "Table");
    fputs("><table", w->out);
    write_attribute(w, "class", n->class ? n->class : "full");
    fputs("><thead>\n", w->out);
    for (const struct page_node *row = n->child; row; row = row->next) {
        begin(w, "tr", row);
        putc('>', w->out);
        write_cells(w, row, n->child);
        fputs(row == n->child ? "</tr></thead><tbody>\n" : "</tr>\n", w->out);
    }
    fputs("</tbody></table></div>\n", w->out);
}

static void write_list(const struct writer *w, const struct page_node *n)
{
    begin(w, "ul", n);
    fputs(">\n", w->out);
    for (const struct page_node *i = n->child; i; i = i->next) {
        write_element(w, "li", i);
        putc('\n', w->out);
    }
    fputs("</ul>\n", w->out);
}

static void write_facts(const struct writer *w, const struct page_node *n)
{
    fputs("<dl class=\"facts\">\n", w->out);
    for (const struct page_node *i = n->child; i; i = i->next) {
        fputs("<dt>", w->out);
        format_xml(w->out, i->spans->text, 200);
        fputs("</dt><dd>", w->out);
        for (const struct page_span *s = i->spans->next; s; s = s->next)
            write_span(w, s);
        fputs("</dd>\n", w->out);
    }
    fputs("</dl>\n", w->out);
}

static void write_figure(const struct writer *w, const struct page_node *n)
{
    begin(w, "figure", n);
    fprintf(w->out, ">%s<figcaption>", n->spans->text);
    format_xml(w->out, n->last_span->text, 0);
    fputs("</figcaption></figure>\n", w->out);
}

static void write_block(const struct writer *w, const struct page_node *n);

static void write_box(const struct writer *w, const struct page_node *n)
{
    bool fold = n->kind == PAGE_FOLD;
    begin(w, fold ? "details" : "section", n);
    putc('>', w->out);
    if (fold) {
        fputs("<summary>", w->out);
        write_spans(w, n);
        fputs("</summary>", w->out);
    }
    putc('\n', w->out);
    for (const struct page_node *c = n->child; c; c = c->next)
        write_block(w, c);
    fputs(fold ? "</details>\n" : "</section>\n", w->out);
}

static void write_heading(const struct writer *w, const struct page_node *n)
{
    static const char *const names[] = {"h1", "h1", "h2", "h3", "h4"};
    write_element(w, names[n->level], n);
    putc('\n', w->out);
}

static void write_block(const struct writer *w, const struct page_node *n)
{
    switch (n->kind) {
    case PAGE_HEADING:
        write_heading(w, n);
        return;
    case PAGE_LIST:
        write_list(w, n);
        return;
    case PAGE_FACTS:
        write_facts(w, n);
        return;
    case PAGE_TABLE:
        write_table(w, n);
        return;
    case PAGE_CODE:
        write_element(w, "pre", n);
        putc('\n', w->out);
        return;
    case PAGE_FIGURE:
        write_figure(w, n);
        return;
    case PAGE_SECTION:
    case PAGE_FOLD:
        write_box(w, n);
        return;
    case PAGE_PARAGRAPH:
    case PAGE_ITEM:
    case PAGE_ROW:
    case PAGE_CELL:
    case PAGE_NAME:
        write_element(w, "p", n);
        putc('\n', w->out);
        return;
    }
}

void page_html_part(FILE *out, const struct page *p)
{
    const struct writer w = {out, p, true};
    for (const struct page_node *n = p->nodes; n; n = n->next)
        write_block(&w, n);
}

static void write_style(FILE *out, const char *path)
{
    const struct embed_file *css = embed_find(path);
    fputs(css ? css->text : "", out);
}

static void write_title(FILE *out, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
          "<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width,"
          " initial-scale=1\">\n"
          "<meta name=\"generator\" content=\"assay " ASSAY_VERSION "\">\n"
          "<title>",
          out);
    format_xml(out, title, 0);
    fputs(" \xe2\x80\x93 Assay</title>\n", out);
}

void page_html_begin(FILE *out, const char *title, const char *heading,
                     const char *const *sections)
{
    write_title(out, title);
    fputs("<style>\n", out);
    write_style(out, "report/report.css");
    fprintf(out, "</style>\n</head>\n<body>\n<header>\n<h1>%s</h1>\n%s",
            heading, sections ? "<nav aria-label=\"Sections\">" : "");
    for (const char *const *s = sections; s && *s; s += 2)
        fprintf(out, "<a href=\"#%s\">%s</a>", s[0], s[1]);
    fprintf(out, "%s</header>\n<main>\n", sections ? "</nav>\n" : "");
}

void page_html_end(FILE *out, const char *from, const char *script)
{
    fprintf(out,
            "</main>\n<footer>Made by assay " ASSAY_VERSION " %s</footer>\n",
            from);
    if (script)
        fprintf(out, "<script>\n%s</script>\n", script);
    fputs("</body>\n</html>\n", out);
}

static void write_head(FILE *out, const struct page *p, bool site)
{
    write_title(out, p->title);
    if (site) {
        fputs("<link rel=\"stylesheet\" href=\"style.css\">\n"
              "<script defer src=\"search-index.js\"></script>\n"
              "<script defer src=\"search.js\"></script>\n",
              out);
    } else {
        fputs("<style>\n", out);
        write_style(out, "report/report.css");
        write_style(out, "report/doc/doc.css");
        fputs("</style>\n", out);
    }
    fputs("</head>\n<body class=\"doc\">\n", out);
    if (site)
        fputs("<header>\n<nav aria-label=\"Pages\">"
              "<a href=\"index.html\">Start</a>"
              "<a href=\"index.html#operations\">Operations</a>"
              "<a href=\"policies.html\">Policies</a>"
              "<a href=\"index.html#profiles\">Profiles</a>"
              "<a href=\"index.html#findings\">Findings</a>"
              "<a href=\"index.html#documents\">Documents</a>"
              "<label class=\"search\" hidden>Search <input type=\"search\""
              " id=\"search\" autocomplete=\"off\"></label></nav>\n"
              "<div id=\"hits\" role=\"status\"></div>\n</header>\n",
              out);
    fputs("<main>\n", out);
}

void page_html(FILE *out, const struct page *p, bool site)
{
    const struct writer w = {out, p, site};
    write_head(out, p, site);
    for (const struct page_node *n = p->nodes; n; n = n->next)
        write_block(&w, n);
    page_html_end(out, "from the specification's tables.", NULL);
}
