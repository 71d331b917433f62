/* doc.c - a page by its name, and the list of operations.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report/doc/doc.h"

#include <string.h>

#include "interp/base/text.h"

static void add_pages(struct page *p, const char *title, const char *id)
{
    page_heading(p, 2, id, title);
    page_open(p, PAGE_LIST);
}

bool doc_index(const struct doc *d, struct page **page, struct status *st)
{
    static const char *const titles[] = {"Operation", "Summary", NULL};
    struct arena *a = d->arena;
    struct page *p = page_new(a, "index", "Operations",
                              "Every operation, policy, profile and document.");
    page_table(p, titles);
    for (int i = 0; i < spec_op_count(); i++) {
        const struct spec_op *op = spec_op_at(i);
        page_open(p, PAGE_ROW);
        page_open(p, PAGE_CELL);
        page_link(p, arena_printf(a, "%s.html", op->name), op->name);
        page_cell(p, PAGE_PLAIN, op->summary);
    }
    add_pages(p, "Profiles", "profiles");
    for (const char *const *n = profile_names(a); *n; n++) {
        const struct json *file =
            spec_file(arena_printf(a, "spec/profiles/%s.json", *n));
        page_open(p, PAGE_ITEM);
        page_link(p, arena_printf(a, "profile-%s.html", *n), *n);
        page_say(p, PAGE_PLAIN, ": %s", json_member(file, "text")->text);
    }
    add_pages(p, "Documents", "documents");
    page_open(p, PAGE_ITEM);
    page_link(p, "policies.html", "policies");
    page_say(p, PAGE_PLAIN, ": each freedom of the specification");
    const char *name;
    for (int i = 0; (name = doc_text_name(a, i)); i++) {
        struct page *text = doc_text(d, name);
        page_open(p, PAGE_ITEM);
        page_link(p, arena_printf(a, "%s.html", name), name);
        page_say(p, PAGE_PLAIN, ": %s", text ? text->title : "");
    }
    *page = p;
    return true;
}

/* The nearest of all names that a page may have. */
static const char *hint(struct arena *a, const char *name)
{
    enum {
        NAMES_MAX = 512
    };
    const char **names = arena_new(a, const char *, NAMES_MAX);
    const char *text;
    int n = 0;
    for (int i = 0; i < spec_op_count() && n < NAMES_MAX - 1; i++)
        names[n++] = spec_op_at(i)->name;
    for (int i = 0; (text = doc_text_name(a, i)) && n < NAMES_MAX - 1; i++)
        names[n++] = text;
    names[n++] = "policies";
    return text_hint(arena_alloc(a, TEXT_HINT), name, names, n);
}

bool doc_page(const struct doc *d, const char *name, struct page **p,
              struct status *st)
{
    static const char profile[] = "profile";
    size_t n = sizeof profile - 1;
    const struct spec_op *op = spec_op_find(name);
    if (op)
        return doc_op(d, op, p, st);
    if (!*name)
        return doc_index(d, p, st);
    if (strcmp(name, "policies") == 0)
        return doc_policies(d, p, st);
    if (strncmp(name, profile, n) == 0 && (name[n] == ' ' || name[n] == '-'))
        return doc_profile(d, name + n + 1, p, st);
    if ((*p = doc_text(d, name)))
        return true;
    return FAIL(st, INPUT, "no page '%.80s'%s", name, hint(d->arena, name));
}
