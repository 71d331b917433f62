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

struct page *page_new(struct arena *a, const char *file, const char *title,
                      const char *summary)
{
    struct page *p = arena_new(a, struct page, 1);
    p->arena = a;
    p->file = file;
    p->title = title;
    p->summary = summary;
    page_heading(p, 1, NULL, title);
    return p;
}

static void append_block(struct page *p, struct page_node *n)
{
    if (p->last_node)
        p->last_node->next = n;
    else
        p->nodes = n;
    p->last_node = n;
}

static void append_child(struct page_node *parent, struct page_node *n)
{
    if (parent->last_child)
        parent->last_child->next = n;
    else
        parent->child = n;
    parent->last_child = n;
}

struct page_node *page_open(struct page *p, enum page_kind kind)
{
    struct page_node *n = arena_new(p->arena, struct page_node, 1);
    n->kind = kind;
    if (kind == PAGE_ITEM || kind == PAGE_ROW) {
        assert(p->last_node
               && p->last_node->kind
                      == (kind == PAGE_ITEM ? PAGE_LIST : PAGE_TABLE));
        append_child(p->last_node, n);
    } else if (kind == PAGE_CELL) {
        assert(p->last_node && p->last_node->kind == PAGE_TABLE);
        append_child(p->last_node->last_child, n);
    } else {
        append_block(p, n);
    }
    p->open = n;
    return n;
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

void page_table(struct page *p, const char *const *titles)
{
    page_open(p, PAGE_TABLE);
    page_open(p, PAGE_ROW);
    for (; *titles; titles++)
        page_cell(p, PAGE_PLAIN, *titles);
}

bool page_is_address(const char *target)
{
    return strstr(target, "://") != NULL;
}
