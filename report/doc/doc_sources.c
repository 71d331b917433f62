/* doc_sources.c - the end of a page: where its sources can be read.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "report/doc/doc.h"
#include "report/source.h"

/* An operation's policies count: the page has their sources, too. */
static bool op_cites(const struct spec_op *op, int place)
{
    for (int i = 0; i < op->requirement_count; i++)
        if (source_cites(op->requirements[i].source, place))
            return true;
    for (int i = 0; i < op->constraint_count; i++)
        if (source_cites(op->constraints[i].source, place))
            return true;
    const struct json *list =
        json_member(spec_file("spec/policies.json"), "policies");
    for (const char *const *n = op->policies; n && *n; n++)
        for (const struct json *p = list->child; p; p = p->next)
            if (json_is_string(json_member(p, "name"), *n)
                && source_cites(json_member(p, "source")->text, place))
                return true;
    return false;
}

/* The document's name leads to the end of the page, where its address is. */
void doc_sources_add(struct page *p, const char *source)
{
    const char *words = source_words(p->arena, source);
    page_say(p, PAGE_SOFT, "Source: ");
    for (int i = 0; i < source_count(); i++) {
        const char *title = source_title(i);
        size_t n = strlen(title);
        if (!source_address(i) || strncmp(words, title, n) != 0)
            continue;
        page_link(p, "#sources", title);
        page_say(p, PAGE_SOFT, "%s", words + n);
        return;
    }
    page_say(p, PAGE_SOFT, "%s", words);
}

void doc_sources(struct page *p, const struct spec_op *op)
{
    bool any = false;
    for (int i = 0; i < source_count(); i++) {
        const char *address = source_address(i);
        if (!address || !source_is_first(i) || (op && !op_cites(op, i)))
            continue;
        if (!any) {
            page_heading(p, 2, "sources", "Sources");
            page_open(p, PAGE_LIST);
        }
        any = true;
        page_open(p, PAGE_ITEM);
        page_link(p, address, source_title(i));
        if (source_language(i))
            page_say(p, PAGE_SOFT,
                     " (numbers after a heading are line numbers of a"
                     " translation, which is checked for changes)");
    }
}
