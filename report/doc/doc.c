/* doc.c - a page by its name, and the start page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report/doc/doc.h"

#include <string.h>

#include "interp/base/text.h"

/* ---- The start page ------------------------------------------------------ */

static bool is_of(const struct spec_op *op, const char *family)
{
    return op->family && strncmp(op->family, family, strlen(family)) == 0;
}

static bool is_unary(const struct spec_op *op)
{
    return is_of(op, "elementwise") && op->operand_count == 1;
}

static bool is_binary(const struct spec_op *op)
{
    return is_of(op, "elementwise");
}

static bool is_shared(const struct spec_op *op)
{
    return op->group_mode[SPEC_MODE_NONE] || is_of(op, "channel");
}

static bool is_judged_as(const struct spec_op *op, const char *accuracy)
{
    return op->accuracy && strcmp(op->accuracy, accuracy) == 0;
}

static bool is_sum(const struct spec_op *op)
{
    return is_judged_as(op, "accumulated") || is_judged_as(op, "residual");
}

static bool is_set(const struct spec_op *op)
{
    return is_judged_as(op, "set");
}

static bool has_computation(const struct spec_op *op)
{
    for (int i = 0; i < op->attribute_count; i++)
        if (op->attributes[i].form == SPEC_COMPUTATION
            || op->attributes[i].form == SPEC_COMPUTATIONS)
            return true;
    return false;
}

static bool moves_arrays(const struct spec_op *op)
{
    return op->operand_count > 0 && op->operands[0].types;
}

static bool is_any(const struct spec_op *op)
{
    return op != NULL;
}

/* An operation is in the first group that holds: what is known of it decides,
 * not its name. */
static const struct {
    bool (*holds)(const struct spec_op *op);
    const char *id, *title;
} groups[] = {
    {is_unary, "unary", "Functions of each element"},
    {is_binary, "binary", "Functions of two elements, comparisons"},
    {is_shared, "shared", "Between replicas and between programs"},
    {is_sum, "sums", "Sums, products, reductions, factorizations"},
    {is_set, "sets", "Orders and random numbers"},
    {has_computation, "control", "Computations and control flow"},
    {moves_arrays, "moves", "Shapes, slices and moved data"},
    {is_any, "values", "Constants, tuples, tokens, parameters"},
};

static int group_of(const struct spec_op *op)
{
    int i = 0;
    while (!groups[i].holds(op))
        i++;
    return i;
}

static void add_group(struct page *p, int group)
{
    static const char *const titles[] = {"Operation", "Summary", "In StableHLO",
                                         NULL};
    page_heading(p, 3, groups[group].id, groups[group].title);
    page_table(p, titles);
    for (int i = 0; i < spec_op_count(); i++) {
        const struct spec_op *op = spec_op_at(i);
        if (group_of(op) != group)
            continue;
        page_open(p, PAGE_ROW);
        page_open(p, PAGE_NAME);
        page_link(p, arena_printf(p->arena, "%s.html", op->name), op->name);
        page_cell(p, PAGE_PLAIN, op->summary);
        page_cell(p, PAGE_LITERAL, op->stablehlo ? op->stablehlo : "");
    }
}

static void add_item(struct page *p, const char *file, const char *name,
                     const char *text)
{
    page_open(p, PAGE_ITEM);
    page_link(p, arena_printf(p->arena, "%s.html", file), name);
    page_say(p, PAGE_PLAIN, ": %s", text);
}

/* Adds the documents whose page's name begins so, or the others. */
static void add_documents(const struct doc *d, struct page *p, bool findings)
{
    static const char start[] = "findings";
    const char *name;
    page_open(p, PAGE_LIST);
    for (int i = 0; (name = doc_text_name(d->arena, i)); i++) {
        bool is = strncmp(name, start, sizeof start - 1) == 0;
        struct page *text = is == findings ? doc_text(d, name) : NULL;
        if (text)
            add_item(p, name, name, text->title);
    }
    if (!findings)
        add_item(p, "policies", "policies",
                 "each freedom of the specification");
}

static void add_start(struct page *p)
{
    page_paragraph(p, PAGE_PLAIN,
                   "What each operation of XLA's builder interface must return,"
                   " bit for bit: its operands, rules, errors, freedoms and"
                   " error budgets, with examples. Assay judges a backend by"
                   " exactly this.");
    page_open(p, PAGE_LIST);
    add_item(p, "assay", "Start here",
             "what Assay is, how to run it, and what an exit code means");
    add_item(
        p, "abi", "Test your backend",
        "a shared object of a hundred lines, or a program in any language");
    add_item(p, "python", "Python", "the right answer, and gates for kernels");
    add_item(p, "verdicts", "Verdicts", "when a result is right");
    add_item(p, "findings", "Findings", "what shipping backends get wrong");
}

bool doc_index(const struct doc *d, struct page **page, struct status *st)
{
    struct arena *a = d->arena;
    struct page *p = page_new(a, "index", "Assay: the semantics of XLA",
                              "Every operation, policy, profile and document.");
    add_start(p);
    page_heading(p, 2, "operations",
                 arena_printf(a, "%d operations", spec_op_count()));
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
        add_group(p, (int)i);
    page_heading(p, 2, "profiles", "Profiles");
    page_open(p, PAGE_LIST);
    for (const char *const *n = profile_names(a); *n; n++) {
        const struct json *file =
            spec_file(arena_printf(a, "spec/profiles/%s.json", *n));
        add_item(p, arena_printf(a, "profile-%s", *n), *n,
                 json_member(file, "text")->text);
    }
    page_heading(p, 2, "findings", "Findings");
    add_documents(d, p, true);
    page_heading(p, 2, "documents", "Documents");
    add_documents(d, p, false);
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
