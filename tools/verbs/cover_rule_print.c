/* cover_rule_print.c - see cover.h; tools/test/breaks.t covers it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>

#include "interp/specification/spec.h"
#include "report/doc/page.h"
#include "tools/verbs/cover.h"

enum {
    SHOWN = 3 /* deviations of a rule, in text */
};

static const char *word_of(enum cover_rule_how how)
{
    static const char *const words[COVER_RULE_HOWS] = {
        "no deviation", "untestable", "permitted", "strict",
        "covered",      "specific",   "accepted",  "named"};
    return words[how];
}

/* ---- Text ---------------------------------------------------------------- */

/* Is it known better from another class? */
static bool is_only_here(const struct cover_rule *r,
                         const struct cover_found *least)
{
    for (int c = 0; c < COVER_CLASSES; c++)
        if (cover_rule_counts(r, (enum cover_class)c)
            && r->found[c].how > least->how)
            return true;
    return false;
}

static const char *class_of(const struct cover_rule *r,
                            const struct cover_found *f)
{
    return cover_rule_class_name((enum cover_class)(f - r->found));
}

static void print_rule(const struct cover_rule *r)
{
    const struct cover_found *f = cover_rule_weakest(r);
    if (f->how < COVER_RULE_PERMITTED)
        return;
    printf("%-44s %-9s %5d  ", r->id, word_of(f->how), f->count);
    for (int i = 0; i < f->count && i < SHOWN; i++)
        printf("%s%s", i ? ", " : "", f->deviations[i]);
    printf("%s (%s)%s%s\n", f->count > SHOWN ? ", ..." : "", f->first,
           is_only_here(r, f) ? " of " : "",
           is_only_here(r, f) ? class_of(r, f) : "");
}

static void print_open(const struct cover_rule *r)
{
    const struct cover_found *f = cover_rule_weakest(r);
    bool here = is_only_here(r, f);
    if (f->how == COVER_RULE_NONE)
        printf("%s: no deviation%s%s: %s\n", r->id, here ? " of " : "",
               here ? class_of(r, f) : "", r->text);
    else if (f->how == COVER_RULE_UNTESTABLE)
        printf("%s: not testable: %s\n", r->id, r->untestable);
}

/* Did one of the cases break a rule of this operation? */
static bool is_tried(const struct cover_rule *rules, int count)
{
    bool tried = false;
    for (int k = 0; k < count * COVER_CLASSES && !tried; k++)
        tried = rules[k / COVER_CLASSES].found[k % COVER_CLASSES].how
                >= COVER_RULE_PERMITTED;
    return tried;
}

/* For some cases, only operations that they are about; for the suite, all. */
static void print_text(const struct cover_deviations *o,
                       struct cover_rule *const *rules, const int *counts)
{
    bool all = o->filter_count == 0 && o->path_count == 0;
    printf("%-44s %-9s %5s  %s\n", "requirement", "broken", "by",
           "deviations (first case)");
    for (int i = 0; i < spec_op_count(); i++)
        for (int k = 0; k < counts[i]; k++)
            print_rule(&rules[i][k]);
    putchar('\n');
    for (int i = 0; i < spec_op_count(); i++)
        for (int k = 0; k < counts[i]; k++)
            if (all || is_tried(rules[i], counts[i]))
                print_open(&rules[i][k]);
}

/* ---- JSON ---------------------------------------------------------------- */

static void print_json_found(struct arena *a, const struct cover_found *f)
{
    printf("\"broken\": \"%s\"", word_of(f->how));
    if (f->first)
        printf(", \"first\": %s", json_quote(a, f->first));
    fputs(", \"deviations\": [", stdout);
    for (int i = 0; i < f->count; i++)
        printf("%s%s", i ? ", " : "", json_quote(a, f->deviations[i]));
    putchar(']');
}

static void print_json_rule(struct arena *a, const struct cover_rule *r,
                            bool first)
{
    const char *comma = "";
    printf("%s\n  {\"op\": \"%s\", \"id\": \"%s\", ", first ? "" : ",", r->op,
           r->id);
    print_json_found(a, cover_rule_weakest(r));
    if (r->untestable)
        printf(", \"why\": %s", json_quote(a, r->untestable));
    fputs(", \"classes\": {", stdout);
    for (int c = 0; c < COVER_CLASSES; c++) {
        if (!cover_rule_counts(r, (enum cover_class)c))
            continue;
        printf("%s\"%s\": {", comma,
               cover_rule_class_name((enum cover_class)c));
        print_json_found(a, &r->found[c]);
        putchar('}');
        comma = ", ";
    }
    fputs("}}", stdout);
}

static void print_json(struct cover_rule *const *rules, const int *counts)
{
    struct arena a = ARENA_INIT;
    bool first = true;
    fputs("{\"format\": \"assay-cover-requirements/1\", \"requirements\": [",
          stdout);
    for (int i = 0; i < spec_op_count(); i++)
        for (int k = 0; k < counts[i]; k++, first = false)
            print_json_rule(&a, &rules[i][k], first);
    fputs("\n]", stdout);
    arena_free(&a);
}

/* ---- A page -------------------------------------------------------------- */

static void add_rule(struct page *p, const struct cover_rule *r)
{
    const struct cover_found *f = cover_rule_weakest(r);
    page_open_as(p, PAGE_ROW,
                 f->how == COVER_RULE_NONE         ? "bad"
                 : f->how == COVER_RULE_UNTESTABLE ? "soft"
                                                   : NULL);
    page_open(p, PAGE_CELL)->hint = r->text;
    page_say(p, PAGE_PLAIN, "%s", r->id);
    page_cell(p, PAGE_PLAIN, word_of(f->how));
    page_cell(p, PAGE_PLAIN, is_only_here(r, f) ? class_of(r, f) : "");
    page_open(p, PAGE_CELL);
    for (int i = 0; i < f->count; i++)
        page_say(p, PAGE_PLAIN, "%s%s", i ? ", " : "", f->deviations[i]);
    page_cell(p, PAGE_PLAIN,
              f->how == COVER_RULE_UNTESTABLE ? r->untestable
              : f->first                      ? f->first
                                              : "");
}

static void print_html(struct cover_rule *const *rules, const int *counts)
{
    static const char *const titles[] = {"requirement", "broken",
                                         "weakest in",  "deviations",
                                         "first case",  NULL};
    struct arena a = ARENA_INIT;
    struct page *p = page_part(&a);
    page_table(p, titles)->hint = "Requirements";
    for (int i = 0; i < spec_op_count(); i++)
        for (int k = 0; k < counts[i]; k++)
            add_rule(p, &rules[i][k]);
    page_html_begin(stdout, "Requirements", "What breaks each requirement?",
                    NULL);
    page_html_part(stdout, p);
    arena_free(&a);
}

/* ---- Counts -------------------------------------------------------------- */

static void print_counts(const struct cover_deviations *o,
                         const int64_t counts[COVER_RULE_HOWS])
{
    for (int how = COVER_RULE_HOWS - 1; how >= 0; how--) {
        const char *word = word_of((enum cover_rule_how)how);
        if (o->json)
            printf(", \"%s\": %" PRId64, word, counts[how]);
        else
            printf("%s%s: %" PRId64,
                   how < COVER_RULE_HOWS - 1 ? "; "
                   : o->html                 ? "<p>"
                                             : "\n",
                   word, counts[how]);
    }
    puts(o->json ? "}" : o->html ? "</p>" : "");
    if (o->html)
        page_html_end(stdout, "from the cases and the deviations.", NULL);
}

int64_t cover_rule_print(const struct cover_deviations *o,
                         struct cover_rule *const *rules, const int *counts)
{
    int64_t by[COVER_RULE_HOWS] = {0};
    int64_t all = 0;
    for (int i = 0; i < spec_op_count(); i++)
        for (int k = 0; k < counts[i]; k++, all++)
            by[cover_rule_weakest(&rules[i][k])->how]++;
    if (o->json)
        print_json(rules, counts);
    else if (o->html)
        print_html(rules, counts);
    else
        print_text(o, rules, counts);
    print_counts(o, by);
    int64_t can = all - by[COVER_RULE_UNTESTABLE];
    return can > 0
               ? 100 * (can - by[COVER_RULE_NONE] - by[COVER_RULE_PERMITTED])
                     / can
               : 100;
}
