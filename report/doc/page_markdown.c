/* page_markdown.c - a page as Markdown.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "report/doc/page.h"

/* A code span, with a fence longer than any run of backticks in it. */
static void write_literal(FILE *out, const char *text, bool cell)
{
    int fence = 1, run = 0;
    for (const char *c = text; *c; c++) {
        run = *c == '`' ? run + 1 : 0;
        fence = run >= fence ? run + 1 : fence;
    }
    const char *pad = fence > 1 ? " " : "";
    fprintf(out, "%.*s%s", fence, "``````````", pad);
    for (const char *c = text; *c; c++) {
        if (*c == '|' && cell)
            putc('\\', out);
        putc(*c == '\n' ? ' ' : *c, out);
    }
    fprintf(out, "%s%.*s", pad, fence, "``````````");
}

/* Escapes what Markdown would take for its own marks; an underscore or a hyphen
 * inside a word is none. */
static void write_escaped(FILE *out, const char *text)
{
    for (const char *c = text; *c; c++) {
        if (strchr("\\`*[]<|", *c))
            putc('\\', out);
        putc(*c == '\n' ? ' ' : *c, out);
    }
}

static void write_spans(FILE *out, const struct page_node *n)
{
    for (const struct page_span *s = n->spans; s; s = s->next) {
        bool strong = s->tone == PAGE_STRONG;
        if (s->tone == PAGE_PICTURE)
            continue;
        if (s->tone == PAGE_LITERAL) {
            write_literal(out, s->text,
                          n->kind == PAGE_CELL || n->kind == PAGE_NAME);
        } else if (s->tone == PAGE_LINK && page_is_address(s->target)) {
            putc('[', out);
            write_escaped(out, s->text);
            fprintf(out, "](%s)", s->target);
        } else {
            fputs(strong ? "**" : "", out);
            write_escaped(out, s->text);
            fputs(strong ? "**" : "", out);
        }
    }
}

static void write_table(FILE *out, const struct page_node *n)
{
    for (const struct page_node *row = n->child; row; row = row->next) {
        for (const struct page_node *c = row->child; c; c = c->next) {
            fputs("| ", out);
            write_spans(out, c);
            putc(' ', out);
        }
        fputs("|\n", out);
        if (row != n->child)
            continue;
        for (const struct page_node *c = row->child; c; c = c->next)
            fputs("| --- ", out);
        fputs("|\n", out);
    }
}

static void write_code(FILE *out, const char *text)
{
    size_t n = strlen(text);
    fprintf(out, "```\n%s%s```\n", text,
            n > 0 && text[n - 1] == '\n' ? "" : "\n");
}

static void write_block(FILE *out, const struct page_node *n)
{
    switch (n->kind) {
    case PAGE_SECTION:
    case PAGE_FOLD:
        write_spans(out, n);
        fputs(n->spans ? "\n\n" : "", out);
        for (const struct page_node *c = n->child; c; c = c->next)
            write_block(out, c);
        return;
    case PAGE_HEADING:
        fprintf(out, "%.*s ", n->level, "######");
        write_spans(out, n);
        putc('\n', out);
        break;
    case PAGE_LIST:
    case PAGE_FACTS:
        for (const struct page_node *i = n->child; i; i = i->next) {
            fputs("- ", out);
            write_spans(out, i);
            putc('\n', out);
        }
        break;
    case PAGE_TABLE:
        write_table(out, n);
        break;
    case PAGE_CODE:
        write_code(out, n->spans->text);
        break;
    case PAGE_PARAGRAPH:
    case PAGE_ITEM:
    case PAGE_ROW:
    case PAGE_CELL:
    case PAGE_NAME:
        write_spans(out, n);
        putc('\n', out);
        break;
    case PAGE_FIGURE:
        return;
    }
    putc('\n', out);
}

void page_markdown(FILE *out, const struct page *p)
{
    for (const struct page_node *n = p->nodes; n; n = n->next)
        write_block(out, n);
}
