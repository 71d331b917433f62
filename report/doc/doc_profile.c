/* doc_profile.c - one profile: its choices, what it permits, its budgets.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/program/attribute.h"
#include "report/doc/doc.h"
#include "report/source.h"

static void add_choices(struct page *p, const struct profile *profile)
{
    static const char *const titles[] = {"Policy", "Choice", "Also permitted",
                                         NULL};
    struct arena *a = p->arena;
    const struct profile_permit *permits;
    int count = profile_permits(a, profile, &permits);
    page_heading(p, 2, "choices", "Choices");
    page_table(p, titles);
    const struct json *list =
        json_member(spec_file("spec/policies.json"), "policies");
    for (const struct json *m = list->child; m; m = m->next) {
        const char *name = json_member(m, "name")->text, *also = "";
        for (int i = 0; i < count; i++)
            if (strcmp(permits[i].policy, name) == 0)
                also = permits[i].choice;
        page_open(p, PAGE_ROW);
        page_open(p, PAGE_CELL);
        page_link(p, arena_printf(a, "policies.html#%s", name), name);
        page_cell(p, PAGE_LITERAL, doc_policies_choice(profile, name));
        page_cell(p, PAGE_LITERAL, also);
    }
}

/* "ulp ulps 3.5": the members of a budget as its file has them. */
static const char *budget_words(struct arena *a, const struct json *budget)
{
    const char *text = "";
    for (const struct json *m = budget->child; m; m = m->next) {
        bool kind = strcmp(m->key, "kind") == 0;
        text = arena_printf(a, "%s%s%s%s%s", text, *text ? ", " : "",
                            kind ? "" : m->key, kind ? "" : " ", m->text);
    }
    return text;
}

static void add_budgets(struct page *p, const struct json *budgets)
{
    static const char *const titles[] = {"Class", "Types", "Budget", "Source",
                                         NULL};
    struct arena *a = p->arena;
    page_heading(p, 2, "budgets", "Budgets");
    page_paragraph(p, PAGE_PLAIN,
                   "The first matching row applies; * matches any text.");
    page_table(p, titles);
    for (const struct json *b = budgets->child; b; b = b->next) {
        const struct json *source = json_member(b, "source");
        const struct json *types = json_member(b, "types");
        const char *list = "";
        for (const struct json *t = types ? types->child : NULL; t; t = t->next)
            list = arena_printf(a, "%s%s%s", list, *list ? ", " : "", t->text);
        page_open(p, PAGE_ROW);
        page_cell(p, PAGE_LITERAL, json_member(b, "class")->text);
        page_cell(p, PAGE_PLAIN, list);
        page_cell(p, PAGE_PLAIN, budget_words(a, json_member(b, "budget")));
        page_cell(p, PAGE_SOFT, source ? source_words(a, source->text) : "");
    }
}

bool doc_profile(const struct doc *d, const char *name, struct page **page,
                 struct status *st)
{
    struct arena *a = d->arena;
    const struct profile *profile;
    const struct json *file =
        spec_file(arena_printf(a, "spec/profiles/%s.json", name));
    if (!file)
        return FAIL(st, INPUT, "unknown profile '%.80s'%s", name,
                    profile_hint(a, name));
    TRY(profile_load(a, name, &profile, st));
    const char *text = json_member(file, "text")->text;
    struct page *p = page_new(a, arena_printf(a, "profile-%s", name),
                              arena_printf(a, "Profile %s", name), text);
    page_paragraph(p, PAGE_PLAIN, text);
    const struct json *extends = json_member(file, "extends");
    if (extends) {
        page_open(p, PAGE_PARAGRAPH);
        page_say(p, PAGE_PLAIN, "Extends ");
        page_link(p, arena_printf(a, "profile-%s.html", extends->text),
                  extends->text);
        page_say(p, PAGE_PLAIN,
                 ", which decides what this profile does not mention.");
    }
    add_choices(p, profile);
    const struct json *types = json_member(file, "types");
    page_heading(p, 2, "types", "Subnormals and NaN");
    page_open(p, PAGE_LIST);
    for (const struct json *t = types ? types->child : NULL; t; t = t->next) {
        page_open(p, PAGE_ITEM);
        page_say(p, PAGE_LITERAL, "%s", t->key);
        page_say(p, PAGE_PLAIN, ": %s", attribute_json_text(a, t));
    }
    const struct json *budgets = json_member(file, "budgets");
    if (budgets && budgets->count > 0)
        add_budgets(p, budgets);
    doc_sources(p, NULL);
    *page = p;
    return true;
}
