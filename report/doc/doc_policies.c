/* doc_policies.c - the freedoms of the specification, and who chooses what.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "report/doc/doc.h"
#include "report/source.h"

static const struct json *find_named(const struct json *list, const char *name)
{
    for (const struct json *m = list ? list->child : NULL; m; m = m->next)
        if (json_is_string(json_member(m, "name"), name))
            return m;
    return NULL;
}

static bool permits(struct arena *a, const struct profile *p,
                    const char *policy, const char *choice)
{
    const struct profile_permit *list;
    int n = profile_permits(a, p, &list);
    for (int i = 0; i < n; i++)
        if (strcmp(list[i].policy, policy) == 0
            && strcmp(list[i].choice, choice) == 0)
            return true;
    return false;
}

const char *doc_policies_choice(const struct profile *p, const char *policy)
{
    const char *choice = profile_choice(p, policy);
    return choice ? choice : "";
}

/* Two cells: the profiles that choose it, and those that permit it. */
static bool add_profiles(struct page *p, const char *policy, const char *choice,
                         struct status *st)
{
    const char *lists[2] = {"", ""};
    struct arena *a = p->arena;
    for (const char *const *n = profile_names(a); *n; n++) {
        const struct profile *profile;
        TRY(profile_load(a, *n, &profile, st));
        bool chosen = strcmp(doc_policies_choice(profile, policy), choice) == 0;
        if (!chosen && !permits(a, profile, policy, choice))
            continue;
        const char **list = &lists[!chosen];
        *list = arena_printf(a, "%s%s%s", *list, **list ? ", " : "", *n);
    }
    page_cell(p, PAGE_PLAIN, lists[0]);
    page_cell(p, PAGE_PLAIN, lists[1]);
    return true;
}

/* Why a profile chooses as it does, where its own file says so. */
static void add_readings(struct page *p, const char *policy)
{
    bool any = false;
    for (const char *const *n = profile_names(p->arena); *n; n++) {
        const struct json *file =
            spec_file(arena_printf(p->arena, "spec/profiles/%s.json", *n));
        const struct json *reading =
            json_member(json_member(file, "reading"), policy);
        if (!reading)
            continue;
        if (!any)
            page_open(p, PAGE_LIST);
        any = true;
        page_open(p, PAGE_ITEM);
        page_say(p, PAGE_PLAIN, "Reading of %s: ", *n);
        page_say(p, PAGE_SOFT, "%s", source_words(p->arena, reading->text));
    }
}

bool doc_policies_one(struct page *p, const char *name, int level,
                      struct status *st)
{
    static const char *const titles[] = {"Choice", "Result", "Chosen by",
                                         "Also permitted by", NULL};
    const struct json *policy = find_named(
        json_member(spec_file("spec/policies.json"), "policies"), name);
    if (!policy)
        return FAIL(st, INPUT, "no policy '%.80s'", name);
    const struct json *choices = json_member(policy, "choices");
    page_heading(p, level, name, name);
    page_open(p, PAGE_PARAGRAPH);
    page_say(p, PAGE_PLAIN, "%s ", json_member(policy, "text")->text);
    page_say(p, PAGE_SOFT, "Source: %s",
             source_words(p->arena, json_member(policy, "source")->text));
    page_table(p, titles);
    for (const struct json *c = choices->child; c; c = c->next) {
        const char *choice = json_member(c, "name")->text;
        page_open(p, PAGE_ROW);
        page_cell(p, PAGE_LITERAL, choice);
        page_cell(p, PAGE_PLAIN,
                  source_words(p->arena, json_member(c, "text")->text));
        TRY(add_profiles(p, name, choice, st));
    }
    add_readings(p, name);
    return true;
}

/* Links to the operations whose results depend on it. */
static void add_users(struct page *p, const char *policy)
{
    bool any = false;
    for (int i = 0; i < spec_op_count(); i++) {
        const struct spec_op *op = spec_op_at(i);
        for (const char *const *n = op->policies; n && *n; n++) {
            if (strcmp(*n, policy) != 0)
                continue;
            if (!any) {
                page_open(p, PAGE_PARAGRAPH);
                page_say(p, PAGE_PLAIN, "Operations: ");
            } else {
                page_say(p, PAGE_PLAIN, ", ");
            }
            any = true;
            page_link(p, arena_printf(p->arena, "%s.html", op->name), op->name);
        }
    }
}

bool doc_policies(const struct doc *d, struct page **p, struct status *st)
{
    const struct json *list =
        json_member(spec_file("spec/policies.json"), "policies");
    *p = page_new(d->arena, "policies", "Policies",
                  "Each freedom of the specification, with its choices.");
    page_paragraph(*p, PAGE_PLAIN,
                   "A policy is a freedom that the documents leave. A profile"
                   " makes one choice for each.");
    for (const struct json *m = list->child; m; m = m->next) {
        const char *name = json_member(m, "name")->text;
        TRY(doc_policies_one(*p, name, 2, st));
        add_users(*p, name);
    }
    doc_sources(*p, NULL);
    return true;
}
