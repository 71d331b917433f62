/* doc_op.c - the page of an operation.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/program/attribute.h"
#include "report/doc/doc.h"

/* "f16, bf16": the types of a class in a set, "all" or "-". */
static const char *class_words(struct arena *a, uint64_t types,
                               enum dtype_class class)
{
    const char *list = "";
    bool all = true;
    for (int t = 0; t < DT_COUNT; t++) {
        if (dtype_class((enum dtype)t) != class)
            continue;
        if (types >> t & 1)
            list = arena_printf(a, "%s%s%s", list, *list ? ", " : "",
                                dtype_table[t].name);
        else
            all = false;
    }
    return all ? "all" : *list ? list : "-";
}

/* "`name` (kind): text": an item of the latest list. */
static void add_item(struct page *p, const char *name, const char *kind,
                     const char *text)
{
    page_open(p, PAGE_ITEM);
    page_say(p, PAGE_LITERAL, "%s", name);
    page_say(p, PAGE_SOFT, " (%s)", kind);
    page_say(p, PAGE_PLAIN, ": %s", text);
}

static const char *number_words(struct arena *a, const struct spec_operand *o)
{
    if (o->variadic)
        return arena_printf(a, "%d or more", o->minimum);
    return o->optional ? "optional" : "1";
}

#define ARRAYS ((UINT64_C(1) << DT_COUNT) - 1)

/* Lists the types that an operand may have, class by class. */
static void add_types(struct page *p, const struct spec_op *op)
{
    static const char *const titles[] = {"Operand", "Number",   "pred",
                                         "signed",  "unsigned", "float",
                                         "complex", "other",    NULL};
    page_table(p, titles);
    for (int i = 0; i < op->operand_count; i++) {
        const struct spec_operand *o = &op->operands[i];
        const char *number = number_words(p->arena, o);
        page_open(p, PAGE_ROW);
        page_open(p, PAGE_NAME);
        page_say(p, PAGE_LITERAL, "%s", o->name);
        page_cell(p, PAGE_PLAIN, number);
        for (int c = DTYPE_PRED; c <= DTYPE_COMPLEX; c++)
            page_cell(p, PAGE_PLAIN,
                      class_words(p->arena, o->types ? o->types : ARRAYS,
                                  (enum dtype_class)c));
        page_cell(p, PAGE_PLAIN, o->types ? "" : "tuples, tokens");
    }
}

static void add_operands(struct page *p, const struct spec_op *op)
{
    page_heading(p, 2, "operands", "Operands");
    if (op->operand_count == 0) {
        page_paragraph(p, PAGE_PLAIN, "None.");
        return;
    }
    page_open(p, PAGE_LIST);
    for (int i = 0; i < op->operand_count; i++) {
        const struct spec_operand *o = &op->operands[i];
        add_item(p, o->name, number_words(p->arena, o), o->text);
    }
    add_types(p, op);
}

/* ---- Attributes ---- */

static const char *default_words(struct arena *a,
                                 const struct spec_attribute *t)
{
    if (t->default_value)
        return arena_printf(a, "; default %s",
                            attribute_json_text(a, t->default_value));
    return t->optional ? "; optional" : "";
}

static void add_attribute(struct page *p, const char *prefix,
                          const struct spec_attribute *t)
{
    const char *values = "";
    for (const char *const *n = t->names; n && *n; n++)
        values = arena_printf(p->arena, "%s%s%s", values,
                              n == t->names ? ": " : ", ", *n);
    add_item(p, arena_printf(p->arena, "%s%s", prefix, t->name),
             arena_printf(p->arena, "%s%s%s", spec_form_name(t->form), values,
                          default_words(p->arena, t)),
             t->text);
    for (int i = 0; i < t->member_count; i++)
        add_attribute(p, arena_printf(p->arena, "%s.", t->name),
                      &t->members[i]);
}

static void add_attributes(struct page *p, const struct spec_op *op)
{
    page_heading(p, 2, "attributes", "Attributes");
    if (op->attribute_count == 0)
        page_paragraph(p, PAGE_PLAIN, "None.");
    else
        page_open(p, PAGE_LIST);
    for (int i = 0; i < op->attribute_count; i++)
        add_attribute(p, "", &op->attributes[i]);
}

/* ---- Result ---- */

static const char *accuracy_words(const char *accuracy)
{
    const struct json *list =
        json_member(spec_file("spec/terms.json"), "accuracy");
    for (const struct json *m = list ? list->child : NULL; m; m = m->next)
        if (json_is_string(json_member(m, "name"), accuracy))
            return json_member(m, "text")->text;
    return "";
}

static void add_labelled(struct page *p, const char *label, const char *text)
{
    page_open(p, PAGE_ITEM);
    page_say(p, PAGE_STRONG, "%s: ", label);
    page_say(p, PAGE_LITERAL, "%s", text);
}

static void add_result(struct page *p, const struct spec_op *op)
{
    const char *tuple = op->tuple_result;
    page_heading(p, 2, "result", "Result");
    page_open(p, PAGE_PARAGRAPH);
    page_say(p, PAGE_PLAIN, "%s", op->result.text);
    if (tuple)
        page_say(p, PAGE_PLAIN, "%s",
                 strcmp(tuple, "always") == 0
                     ? " A tuple."
                     : " A tuple if there are several operands.");
    page_open(p, PAGE_LIST);
    add_labelled(p, "Shape", op->result.shape);
    add_labelled(p, "Value", op->result.value);
    if (op->accuracy) {
        page_open(p, PAGE_PARAGRAPH);
        page_say(p, PAGE_PLAIN, "Judged as ");
        page_say(p, PAGE_LITERAL, "%s", op->accuracy);
        page_say(p, PAGE_PLAIN, ": %s ", accuracy_words(op->accuracy));
        page_say(p, PAGE_PLAIN, "Details: ");
        page_link(p, "verdicts.html", "verdicts.md");
        page_say(p, PAGE_PLAIN, ".");
    }
    page_open(p, PAGE_PARAGRAPH);
    page_say(p, PAGE_PLAIN, "In StableHLO: ");
    if (op->stablehlo)
        page_say(p, PAGE_LITERAL, "%s", op->stablehlo);
    else
        page_say(p, PAGE_PLAIN, "none%s%s", op->stablehlo_missing ? ": " : "",
                 op->stablehlo_missing ? op->stablehlo_missing : "");
}

/* ---- Rules and errors ---- */

static void add_requirements(struct page *p, const struct spec_op *op)
{
    page_heading(p, 2, "rules", "Rules");
    page_open(p, PAGE_LIST);
    for (int i = 0; i < op->requirement_count; i++) {
        const struct spec_requirement *r = &op->requirements[i];
        page_open(p, PAGE_ITEM)->id = r->id;
        page_say(p, PAGE_LITERAL, "%s", r->id);
        page_say(p, PAGE_PLAIN, ": %s ", r->text);
        doc_sources_add(p, r->source);
        if (r->untestable)
            page_say(p, PAGE_SOFT, " Not testable: %s", r->untestable);
    }
}

static void add_constraints(struct page *p, const struct spec_op *op)
{
    page_heading(p, 2, "errors", "Errors");
    if (op->constraint_count == 0) {
        page_paragraph(p, PAGE_PLAIN, "None.");
        return;
    }
    page_paragraph(p, PAGE_PLAIN,
                   "A program is invalid unless all of these hold. Those of"
                   " level builder can be expressed or checked only by"
                   " XlaBuilder's interface.");
    page_open(p, PAGE_LIST);
    for (int i = 0; i < op->constraint_count; i++) {
        const struct spec_constraint *c = &op->constraints[i];
        page_open(p, PAGE_ITEM)->id = c->id;
        page_say(p, PAGE_LITERAL, "%s", c->id);
        page_say(p, PAGE_SOFT, " (%s, %s)", status_name(c->class),
                 c->builder ? "builder" : "program");
        page_say(p, PAGE_PLAIN, ": %s ", c->text);
        doc_sources_add(p, c->source);
    }
}

static bool add_policies(struct page *p, const struct spec_op *op,
                         struct status *st)
{
    if (!op->policies || !*op->policies)
        return true;
    page_heading(p, 2, "policies", "Policies");
    page_paragraph(p, PAGE_PLAIN,
                   "Freedoms that the documents leave, with their choices and"
                   " the profiles that make each of them.");
    for (const char *const *n = op->policies; *n; n++)
        TRY(doc_policies_one(p, *n, 3, st));
    return true;
}

/* ---- Budgets ---- */

enum {
    PROFILES_MAX = 16
};

struct budget_row {
    const char *types;
    const char *cells[PROFILES_MAX];
};

static bool same_row(const struct budget_row *x, const struct budget_row *y,
                     int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(x->cells[i], y->cells[i]) != 0)
            return false;
    return true;
}

/* Types with the same budgets share a row. */
static int make_rows(struct arena *a, const struct spec_op *op, uint64_t types,
                     const struct profile *const *profiles, int count,
                     struct budget_row *rows)
{
    int n = 0;
    for (int t = 0; t < DT_COUNT; t++) {
        struct budget_row row = {.types = dtype_table[t].name};
        enum dtype_class class = dtype_class((enum dtype)t);
        if (!(types >> t & 1)
            || (class != DTYPE_FLOAT && class != DTYPE_COMPLEX))
            continue;
        for (int i = 0; i < count; i++)
            row.cells[i] = report_budget_of(a, profiles[i], op, (enum dtype)t);
        int k = 0;
        while (k < n && !same_row(&rows[k], &row, count))
            k++;
        if (k == n)
            rows[n++] = row;
        else
            rows[k].types = arena_printf(a, "%s, %s", rows[k].types, row.types);
    }
    return n;
}

static bool add_budgets(struct page *p, const struct spec_op *op,
                        struct status *st)
{
    const struct profile *profiles[PROFILES_MAX];
    const char *titles[PROFILES_MAX + 2] = {"Types"};
    struct budget_row rows[DT_COUNT];
    int count = 0;
    uint64_t types = 0;
    for (int i = 0; i < op->operand_count; i++)
        types |= op->operands[i].types;
    for (const char *const *n = profile_names(p->arena);
         *n && count < PROFILES_MAX; n++) {
        TRY(profile_load(p->arena, *n, &profiles[count], st));
        titles[++count] = *n;
    }
    int n = make_rows(p->arena, op, types, profiles, count, rows);
    if (n == 0 || !*rows[0].cells[0])
        return true;
    page_heading(p, 2, "budgets", "Budgets");
    page_paragraph(p, PAGE_PLAIN,
                   "How far from the exact value a result may be under each"
                   " profile, in ulps; 0.5 is correctly rounded.");
    page_table(p, titles);
    for (int i = 0; i < n; i++) {
        page_open(p, PAGE_ROW);
        page_cell(p, PAGE_PLAIN, rows[i].types);
        for (int k = 0; k < count; k++)
            page_cell(p, PAGE_PLAIN, rows[i].cells[k]);
    }
    return true;
}

bool doc_op(const struct doc *d, const struct spec_op *op, struct page **page,
            struct status *st)
{
    struct page *p = page_new(d->arena, op->name, op->name, op->summary);
    page_paragraph(p, PAGE_PLAIN, op->summary);
    add_operands(p, op);
    add_attributes(p, op);
    add_result(p, op);
    add_requirements(p, op);
    add_constraints(p, op);
    TRY(add_policies(p, op, st));
    TRY(add_budgets(p, op, st));
    TRY(doc_example(d, p, op, st));
    TRY(doc_known(d, p, op, st));
    TRY(doc_backend(d, p, op, st));
    doc_sources(p, op);
    *page = p;
    return true;
}
