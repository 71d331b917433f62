/* page_html.c - a page as HTML.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/base/embed.h"
#include "report/doc/page.h"
#include "report/format.h"

/* A standalone page (assay doc -f html) has no other pages next to it: links to
 * them become plain text.  Within a site a link to the page's own heading loses
 * its file name, so that it works from a copy, too. */
static void write_link(FILE *out, const struct page *p,
                       const struct page_span *s, bool site)
{
    const char *target = s->target;
    size_t own = strlen(p->file);
    if (strncmp(target, p->file, own) == 0
        && strncmp(target + own, ".html#", 6) == 0)
        target += own + 5;
    bool leads = site || *target == '#' || page_is_address(target);
    if (leads) {
        fputs("<a href=\"", out);
        format_xml(out, target, 0);
        fputs("\">", out);
    }
    format_xml(out, s->text, 0);
    fputs(leads ? "</a>" : "", out);
}

static void write_spans(FILE *out, const struct page *p,
                        const struct page_node *n, bool site)
{
    static const char *const marks[][2] = {
        [PAGE_PLAIN] = {"", ""},
        [PAGE_LITERAL] = {"<code>", "</code>"},
        [PAGE_STRONG] = {"<strong>", "</strong>"},
        [PAGE_SOFT] = {"<span class=\"soft\">", "</span>"},
        [PAGE_LINK] = {"", ""},
    };
    for (const struct page_span *s = n->spans; s; s = s->next) {
        fputs(marks[s->tone][0], out);
        if (s->tone == PAGE_LINK)
            write_link(out, p, s, site);
        else
            format_xml(out, s->text, 0);
        fputs(marks[s->tone][1], out);
    }
}

static void write_id(FILE *out, const struct page_node *n)
{
    if (!n->id)
        return;
    fputs(" id=\"", out);
    format_xml(out, n->id, 0);
    putc('"', out);
}

static void write_row(FILE *out, const struct page *p,
                      const struct page_node *row, bool head, bool site)
{
    fputs("<tr", out);
    write_id(out, row);
    putc('>', out);
    for (const struct page_node *c = row->child; c; c = c->next) {
        fputs(head ? "<th scope=\"col\">" : "<td>", out);
        write_spans(out, p, c, site);
        fputs(head ? "</th>" : "</td>", out);
    }
    fputs("</tr>\n", out);
}

static void write_table(FILE *out, const struct page *p,
                        const struct page_node *n, bool site)
{
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\""
          " aria-label=\"Table\"><table class=\"full\"><thead>\n",
          out);
    for (const struct page_node *row = n->child; row; row = row->next) {
        write_row(out, p, row, row == n->child, site);
        if (row == n->child)
            fputs("</thead><tbody>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

static void write_block(FILE *out, const struct page *p,
                        const struct page_node *n, bool site)
{
    switch (n->kind) {
    case PAGE_HEADING:
        fprintf(out, "<h%d", n->level);
        write_id(out, n);
        putc('>', out);
        write_spans(out, p, n, site);
        fprintf(out, "</h%d>\n", n->level);
        return;
    case PAGE_LIST:
        fputs("<ul>\n", out);
        for (const struct page_node *i = n->child; i; i = i->next) {
            fputs("<li", out);
            write_id(out, i);
            putc('>', out);
            write_spans(out, p, i, site);
            fputs("</li>\n", out);
        }
        fputs("</ul>\n", out);
        return;
    case PAGE_TABLE:
        write_table(out, p, n, site);
        return;
    case PAGE_CODE:
        fputs("<pre>", out);
        write_spans(out, p, n, site);
        fputs("</pre>\n", out);
        return;
    case PAGE_FIGURE:
        fprintf(out, "<figure>%s<figcaption>", n->spans->text);
        format_xml(out, n->last_span->text, 0);
        fputs("</figcaption></figure>\n", out);
        return;
    case PAGE_PARAGRAPH:
    case PAGE_ITEM:
    case PAGE_ROW:
    case PAGE_CELL:
        fputs("<p", out);
        write_id(out, n);
        putc('>', out);
        write_spans(out, p, n, site);
        fputs("</p>\n", out);
        return;
    }
}

static void write_style(FILE *out, const char *path)
{
    const struct embed_file *css = embed_find(path);
    fputs(css ? css->text : "", out);
}

static void write_head(FILE *out, const struct page *p, bool site)
{
    format_html_head(out);
    format_xml(out, p->title, 0);
    fputs(" \xe2\x80\x93 Assay</title>\n", out);
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
              "<a href=\"index.html\">Operations</a>"
              "<a href=\"policies.html\">Policies</a>"
              "<a href=\"index.html#profiles\">Profiles</a>"
              "<a href=\"index.html#documents\">Documents</a>"
              "<label class=\"search\" hidden>Search <input type=\"search\""
              " id=\"search\" autocomplete=\"off\"></label></nav>\n"
              "<div id=\"hits\" role=\"status\"></div>\n</header>\n",
              out);
    fputs("<main>\n", out);
}

void page_html(FILE *out, const struct page *p, bool site)
{
    write_head(out, p, site);
    for (const struct page_node *n = p->nodes; n; n = n->next)
        write_block(out, p, n, site);
    fputs("</main>\n<footer>Made by assay " ASSAY_VERSION
          " from the specification's tables.</footer>\n</body>\n</html>\n",
          out);
}
