/* page_plain.c - a page as text for a terminal.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Lines are filled to 80 columns.  A word is never cut, because names are
 * copied from here: a table whose words are too long for that is wider.
 */
#include <string.h>

#include "interp/base/text.h"
#include "report/doc/page.h"

enum {
    COLUMNS = 80,
    CELLS_MAX = 16, /* columns of a table */
    GAP = 2,        /* between them */
};

struct writer {
    FILE *out;
    bool colour;
    int column, indent, width;
    bool blank; /* a blank is expected before the next word */
};

/* Characters of a UTF-8 text; those of the pages take one column each. */
static int count_columns(const char *text, size_t bytes)
{
    int n = 0;
    for (size_t i = 0; i < bytes; i++)
        n += !text_inside(text[i]);
    return n;
}

static const char *tone_escape(enum page_tone tone)
{
    static const char *const escapes[] = {
        [PAGE_PLAIN] = "",         [PAGE_LITERAL] = "\033[36m",
        [PAGE_STRONG] = "\033[1m", [PAGE_SOFT] = "\033[2m",
        [PAGE_LINK] = "",          [PAGE_PICTURE] = "",
        [PAGE_UNSEEN] = "",
    };
    return escapes[tone];
}

static void write_toned(struct writer *w, enum page_tone tone, const char *text,
                        size_t bytes)
{
    const char *escape = w->colour ? tone_escape(tone) : "";
    fprintf(w->out, "%s%.*s%s", escape, (int)bytes, text,
            *escape ? "\033[0m" : "");
}

static void start_line(struct writer *w)
{
    fprintf(w->out, "\n%*s", w->indent, "");
    w->column = w->indent;
    w->blank = false;
}

/* Spans follow each other without a blank between them, so a word may consist
 * of several: where a span ends in the middle of one the line is not broken. */
static void write_span(struct writer *w, enum page_tone tone, const char *text)
{
    while (*text) {
        size_t blanks = strspn(text, " \n");
        w->blank |= blanks > 0 && w->column > w->indent;
        text += blanks;
        size_t bytes = strcspn(text, " \n");
        int n = count_columns(text, bytes);
        if (bytes == 0)
            return;
        if (w->blank && w->column + 1 + n > w->width)
            start_line(w);
        if (w->blank) {
            putc(' ', w->out);
            w->column++;
        }
        w->blank = false;
        write_toned(w, tone, text, bytes);
        w->column += n;
        text += bytes;
    }
}

static void write_spans(struct writer *w, const struct page_node *n)
{
    for (const struct page_span *s = n->spans; s; s = s->next) {
        if (s->tone == PAGE_PICTURE)
            continue;
        write_span(w, s->tone, s->text);
        if (s->tone == PAGE_LINK && page_is_address(s->target)) {
            write_span(w, PAGE_PLAIN, " <");
            write_span(w, PAGE_PLAIN, s->target);
            write_span(w, PAGE_PLAIN, ">");
        }
    }
}

static void write_filled(struct writer *w, const struct page_node *n,
                         const char *lead)
{
    fputs(lead, w->out);
    w->column = w->indent = (int)strlen(lead);
    w->blank = false;
    write_spans(w, n);
    putc('\n', w->out);
}

/* ---- Tables ---- */

/* A cell's text, without its tones. */
static const char *cell_text(struct arena *a, const struct page_node *cell)
{
    const char *text = "";
    for (const struct page_span *s = cell->spans; s; s = s->next)
        if (s->tone != PAGE_PICTURE)
            text = *text ? arena_printf(a, "%s%s", text, s->text) : s->text;
    return text;
}

static int longest_word(const char *text)
{
    int most = 0;
    while (*text) {
        size_t bytes = strcspn(text, " \n");
        int n = count_columns(text, bytes);
        most = n > most ? n : most;
        text += bytes;
        text += strspn(text, " \n");
    }
    return most;
}

struct columns {
    int count, width[CELLS_MAX], least[CELLS_MAX];
};

/* Columns are as wide as their text; while that is too wide, the widest one
 * that can gives way. */
static void fit_columns(struct arena *a, const struct page_node *table,
                        struct columns *c)
{
    for (const struct page_node *r = table->child; r; r = r->next) {
        int i = 0;
        for (const struct page_node *n = r->child; n && i < CELLS_MAX;
             n = n->next, i++) {
            const char *text = cell_text(a, n);
            int width = count_columns(text, strlen(text));
            int word = longest_word(text);
            c->width[i] = width > c->width[i] ? width : c->width[i];
            c->least[i] = word > c->least[i] ? word : c->least[i];
        }
        c->count = i > c->count ? i : c->count;
    }
    for (;;) {
        int sum = 0, widest = -1;
        for (int i = 0; i < c->count; i++) {
            sum += c->width[i] + GAP;
            if (c->width[i] > c->least[i]
                && (widest < 0 || c->width[i] > c->width[widest]))
                widest = i;
        }
        if (sum - GAP <= COLUMNS || widest < 0)
            return;
        c->width[widest]--;
    }
}

/* How much of text stands on one line of that width. */
static size_t take_line(const char *text, int width)
{
    size_t taken = 0;
    while (text[taken]) {
        size_t blanks = strspn(text + taken, " \n");
        size_t end = taken + blanks + strcspn(text + taken + blanks, " \n");
        if (taken > 0 && count_columns(text, end) > width)
            break;
        taken = end;
    }
    return taken;
}

static bool write_row_line(struct writer *w, const struct columns *c,
                           const char **rest, enum page_tone *tones)
{
    bool more = false;
    int due = 0; /* blanks */
    for (int i = 0; i < c->count; i++) {
        size_t n = take_line(rest[i], c->width[i]);
        if (n > 0) {
            fprintf(w->out, "%*s", due, "");
            write_toned(w, tones[i], rest[i], n);
            due = 0;
        }
        due += c->width[i] + GAP - count_columns(rest[i], n);
        rest[i] += n;
        rest[i] += strspn(rest[i], " \n");
        more |= *rest[i] != '\0';
    }
    putc('\n', w->out);
    return more;
}

static void write_table(struct writer *w, const struct page_node *table)
{
    struct arena a = ARENA_INIT;
    struct columns c = {0};
    fit_columns(&a, table, &c);
    for (const struct page_node *r = table->child; r; r = r->next) {
        const char *rest[CELLS_MAX];
        enum page_tone tones[CELLS_MAX];
        const struct page_node *n = r->child;
        for (int i = 0; i < c.count; i++, n = n ? n->next : NULL) {
            rest[i] = n ? cell_text(&a, n) : "";
            tones[i] = n && n->spans ? n->spans->tone : PAGE_PLAIN;
            if (r == table->child)
                tones[i] = PAGE_STRONG;
        }
        while (write_row_line(w, &c, rest, tones)) {
        }
    }
    arena_free(&a);
}

/* ---- Blocks ---- */

static void write_code(struct writer *w, const char *text)
{
    while (*text) {
        size_t n = strcspn(text, "\n");
        fputs("    ", w->out);
        write_toned(w, PAGE_LITERAL, text, n);
        putc('\n', w->out);
        text += n + (text[n] == '\n');
    }
}

static void write_heading(struct writer *w, const struct page_node *n)
{
    const char *text = n->spans->text;
    size_t bytes = strlen(text);
    write_toned(w, PAGE_STRONG, text, bytes);
    putc('\n', w->out);
    if (n->level > 2)
        return;
    for (int i = count_columns(text, bytes); i > 0; i--)
        putc(n->level == 1 ? '=' : '-', w->out);
    putc('\n', w->out);
}

static void write_block(struct writer *w, const struct page_node *n)
{
    switch (n->kind) {
    case PAGE_HEADING:
        write_heading(w, n);
        return;
    case PAGE_SECTION:
    case PAGE_FOLD:
        if (n->spans)
            write_filled(w, n, "");
        for (const struct page_node *c = n->child; c; c = c->next) {
            putc('\n', w->out);
            write_block(w, c);
        }
        return;
    case PAGE_LIST:
    case PAGE_FACTS:
        for (const struct page_node *i = n->child; i; i = i->next)
            write_filled(w, i, "- ");
        return;
    case PAGE_TABLE:
        write_table(w, n);
        return;
    case PAGE_CODE:
        write_code(w, n->spans ? n->spans->text : "");
        return;
    case PAGE_FIGURE:
        return;
    case PAGE_PARAGRAPH:
    case PAGE_ITEM:
    case PAGE_ROW:
    case PAGE_CELL:
    case PAGE_NAME:
        write_filled(w, n, "");
        return;
    }
}

void page_plain(FILE *out, const struct page *p, bool colour)
{
    struct writer w = {.out = out, .colour = colour, .width = COLUMNS};
    for (const struct page_node *n = p->nodes; n; n = n->next) {
        if (n->kind == PAGE_FIGURE)
            continue;
        fputs(n == p->nodes ? "" : "\n", out);
        write_block(&w, n);
    }
}
