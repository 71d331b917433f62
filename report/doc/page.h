/* page.h - a page of documentation as a small tree, before it has a format.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A page is a list of blocks: headings, paragraphs, lists of items, tables of
 * rows of cells, preformatted text, pictures, and boxes of blocks.  Their text
 * is a list of spans.  doc_*.c build pages, and html_*.c parts of the page of a
 * report; page_plain.c, page_markdown.c and page_html.c write them.  Everything
 * lives in the page's arena.  A page belongs to one thread.
 */
#ifndef REPORT_DOC_PAGE_H
#define REPORT_DOC_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "interp/base/arena.h"

enum page_kind {
    PAGE_HEADING, /* level 1 to 4 */
    PAGE_PARAGRAPH,
    PAGE_LIST, /* of PAGE_ITEM */
    PAGE_ITEM,
    PAGE_TABLE, /* of PAGE_ROW, the first of which is the head */
    PAGE_ROW,   /* of PAGE_CELL */
    PAGE_CELL,
    PAGE_NAME,    /* the cell that names its row */
    PAGE_FACTS,   /* of PAGE_ITEM, whose first span is a label */
    PAGE_CODE,    /* preformatted: one span */
    PAGE_FIGURE,  /* an SVG element and a caption; only HTML shows it */
    PAGE_SECTION, /* of blocks, up to page_close() */
    PAGE_FOLD,    /* the same, shown on demand; its spans are what is seen */
};

enum page_tone {
    PAGE_PLAIN,
    PAGE_LITERAL, /* as it is written in a file or a program */
    PAGE_STRONG,
    PAGE_SOFT, /* less important: sources, readings */
    PAGE_LINK,
    PAGE_PICTURE, /* an SVG element; only HTML shows it */
    PAGE_UNSEEN,  /* for who listens: what a sign or a colour says */
};

struct page_span {
    enum page_tone tone;
    const char *text;
    const char *target; /* PAGE_LINK: "Add.html#Add.value", or an address */
    struct page_span *next;
};

struct page_node {
    enum page_kind kind;
    int level;      /* of a heading */
    const char *id; /* what a link may lead to; or NULL */
    /* For HTML, each or NULL: classes of its style, a hint, what the filter of
     * a report finds it by (op is an operation's name), what a column is sorted
     * by. */
    const char *class, *hint, *op, *words, *sort;
    struct page_span *spans, *last_span;
    struct page_node *child, *last_child, *next, *outer;
};

struct page {
    struct arena *arena;
    const char *file;    /* "Add": Add.html in a site */
    const char *title;   /* of the first heading */
    const char *summary; /* one line, for the list of pages; or "" */
    struct page_node *nodes, *last_node;
    struct page_node *open; /* takes spans */
    struct page_node
        *inner; /* the section or fold that takes blocks, or NULL */
};

struct page *page_new(struct arena *a, const char *file, const char *title,
                      const char *summary);
/* A page without a heading, for page_html_part(). */
struct page *page_part(struct arena *a);
/* Add a block and open it.  An item goes to the latest list, a row to the
 * latest table, a cell to its latest row; what follows a section or fold goes
 * into it. */
struct page_node *page_open(struct page *p, enum page_kind kind);
/* The same, with classes for its style. */
struct page_node *page_open_as(struct page *p, enum page_kind kind,
                               const char *class);
/* End the section or fold that was begun last. */
void page_close(struct page *p);
void page_heading(struct page *p, int level, const char *id, const char *text);
/* Add text to what is open. */
void page_say(struct page *p, enum page_tone tone, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void page_link(struct page *p, const char *target, const char *text);
/* Open a paragraph, or a cell, of one span. */
void page_paragraph(struct page *p, enum page_tone tone, const char *text);
void page_cell(struct page *p, enum page_tone tone, const char *text);
/* A number's cell: aligned right. */
struct page_node *page_number(struct page *p, const char *text);
/* An item of the latest facts; none if there is no text. */
void page_fact(struct page *p, const char *label, const char *text);
/* A table and its head: NULL-terminated titles. */
struct page_node *page_table(struct page *p, const char *const *titles);
/* Is a link's target an address, not another page? */
bool page_is_address(const char *target);

/* Text of at most 80 columns where words allow it. */
void page_plain(FILE *out, const struct page *p, bool colour);
/* Links to other pages are left out. */
void page_markdown(FILE *out, const struct page *p);
/* A standalone page, which includes its style and omits links to other pages;
 * or one of a site, with the site's navigation and search. */
void page_html(FILE *out, const struct page *p, bool site);
/* Its blocks alone, all links included, for a page that the caller begins and
 * ends. */
void page_html_part(FILE *out, const struct page *p);
/* Begin a page of a report, up to its main part, with the style of reports:
 * links to its sections are pairs of id and text, with NULL at the end, or NULL
 * for none. */
void page_html_begin(FILE *out, const char *title, const char *heading,
                     const char *const *sections);
/* End it: what it was made from, as the end of a sentence, and the script, or
 * NULL. */
void page_html_end(FILE *out, const char *from, const char *script);

#endif
