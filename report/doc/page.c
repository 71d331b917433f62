/* page.c - see page.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * tools/test/doc.t tests it, through every page in every format.
 */
#include "report/doc/page.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

struct page *page_part(struct arena *a)
{
    struct page *p = arena_new(a, struct page, 1);
    p->arena = a;
    p->file = "";
    return p;
}

struct page *page_new(struct arena *a, const char *file, const char *title,
                      const char *summary)
{
    struct page *p = page_part(a);
    p->file = file;
    p->title = title;
    p->summary = summary;
    page_heading(p, 1, NULL, title);
    return p;
}

static void append_child(struct page_node *parent, struct page_node *n)
{
    if (parent->last_child)
        parent->last_child->next = n;
    else
        parent->child = n;
    parent->last_child = n;
}

static void append_block(struct page *p, struct page_node *n)
{
    n->outer = p->inner;
    if (p->inner)
        append_child(p->inner, n);
    else if (p->last_node)
        p->last_node->next = n;
    else
        p->nodes = n;
    if (!p->inner)
        p->last_node = n;
    if (n->kind == PAGE_SECTION || n->kind == PAGE_FOLD)
        p->inner = n;
}

static struct page_node *last_block(const struct page *p)
{
    return p->inner ? p->inner->last_child : p->last_node;
}

struct page_node *page_open(struct page *p, enum page_kind kind)
{
    struct page_node *n = arena_new(p->arena, struct page_node, 1);
    struct page_node *last = last_block(p);
    n->kind = kind;
    if (kind == PAGE_ITEM) {
        assert(last && (last->kind == PAGE_LIST || last->kind == PAGE_FACTS));
        append_child(last, n);
    } else if (kind == PAGE_ROW) {
        assert(last && last->kind == PAGE_TABLE);
        append_child(last, n);
    } else if (kind == PAGE_CELL || kind == PAGE_NAME) {
        assert(last && last->kind == PAGE_TABLE && last->last_child);
        append_child(last->last_child, n);
    } else {
        append_block(p, n);
    }
    p->open = n;
    return n;
}

struct page_node *page_open_as(struct page *p, enum page_kind kind,
                               const char *class)
{
    struct page_node *n = page_open(p, kind);
    n->class = class;
    return n;
}

void page_close(struct page *p)
{
    assert(p->inner);
    p->inner = p->inner->outer;
}

static void append_span(struct page *p, enum page_tone tone, const char *text,
                        const char *target)
{
    struct page_span *s = arena_new(p->arena, struct page_span, 1);
    struct page_node *n = p->open;
    *s = (struct page_span){.tone = tone, .text = text, .target = target};
    if (n->last_span)
        n->last_span->next = s;
    else
        n->spans = s;
    n->last_span = s;
}

void page_say(struct page *p, enum page_tone tone, const char *format, ...)
{
    char few[512];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(few, sizeof few, format, list);
    va_end(list);
    size_t n = length > 0 ? (size_t)length : 0;
    char *text = arena_alloc(p->arena, n + 1);
    if (n < sizeof few) {
        memcpy(text, few, n + 1);
    } else {
        va_start(list, format);
        vsnprintf(text, n + 1, format, list);
        va_end(list);
    }
    append_span(p, tone, text, NULL);
}

void page_link(struct page *p, const char *target, const char *text)
{
    append_span(p, PAGE_LINK, text, target);
}

void page_heading(struct page *p, int level, const char *id, const char *text)
{
    struct page_node *n = page_open(p, PAGE_HEADING);
    n->level = level;
    n->id = id;
    append_span(p, PAGE_PLAIN, text, NULL);
}

void page_paragraph(struct page *p, enum page_tone tone, const char *text)
{
    page_open(p, PAGE_PARAGRAPH);
    append_span(p, tone, text, NULL);
}

void page_cell(struct page *p, enum page_tone tone, const char *text)
{
    page_open(p, PAGE_CELL);
    append_span(p, tone, text, NULL);
}

struct page_node *page_number(struct page *p, const char *text)
{
    struct page_node *n = page_open_as(p, PAGE_CELL, "num");
    append_span(p, PAGE_PLAIN, text, NULL);
    return n;
}

void page_fact(struct page *p, const char *label, const char *text)
{
    if (!text || !*text)
        return;
    page_open(p, PAGE_ITEM);
    append_span(p, PAGE_SOFT, label, NULL);
    append_span(p, PAGE_PLAIN, text, NULL);
}

struct page_node *page_table(struct page *p, const char *const *titles)
{
    struct page_node *table = page_open(p, PAGE_TABLE);
    page_open(p, PAGE_ROW);
    for (; *titles; titles++)
        page_cell(p, PAGE_PLAIN, *titles);
    return table;
}

bool page_is_address(const char *target)
{
    return strstr(target, "://") != NULL;
}
