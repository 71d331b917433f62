/* form.c - see form.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/form/form.h"

#include <string.h>

#include "interp/base/glob.h"
#include "interp/base/text.h"
#include "interp/formula/formula.h"
#include "interp/program/op_table.h"

enum {
    OPERANDS_NAMED = 8 /* of an operation, in globs */
};

static const char *const families[FORM_FAMILIES] = {
    [FORM_SHAPE] = "shape",       [FORM_OPERAND] = "operand",
    [FORM_PRODUCER] = "producer", [FORM_CONSUMER] = "consumer",
    [FORM_CONTROL] = "control",   [FORM_COMPANY] = "company"};

bool form_is_data(const struct form *f)
{
    return f->spread || f->sizes || f->length || f->same || f->twice;
}

/* ---- The table ----------------------------------------------------------- */

/* One row while it is read. */
struct reading {
    struct arena *arena;
    const struct json *row;
    struct form *form;
    struct status *st;
};

static bool read_text(const struct reading *r, const struct json *row,
                      const char *member, const char **text)
{
    const struct json *n = json_member(row, member);
    *text = NULL;
    return !n || json_string(r->arena, n, text, r->st);
}

static bool read_bool(const struct reading *r, const struct json *row,
                      const char *member, bool *value)
{
    const struct json *n = json_member(row, member);
    return !n || json_bool(r->arena, n, value, r->st);
}

static bool read_int(const struct reading *r, const struct json *row,
                     const char *member, int64_t *value)
{
    const struct json *n = json_member(row, member);
    return !n || json_int(r->arena, n, value, r->st);
}

/* The number of a member's text in a list of words; 0 without the member. */
static bool read_word(const struct reading *r, const char *member,
                      const char *const *words, int count, int *value)
{
    const char *text;
    TRY(read_text(r, r->row, member, &text));
    *value = 0;
    for (int i = 0; text && i < count; i++)
        if (words[i] && strcmp(words[i], text) == 0) {
            *value = i;
            return true;
        }
    return !text
           || json_fail(r->arena, json_member(r->row, member), r->st,
                        "unknown %s '%s'", member, text);
}

static bool read_where(const struct reading *r)
{
    struct form *f = r->form;
    const struct json *types = json_member(r->row, "types");
    const struct json *rank = json_member(r->row, "rank");
    int64_t operands = 0, *ranks;
    int count;
    f->most = SHAPE_RANK_MAX;
    for (const struct json *n = types ? types->child : NULL; n; n = n->next) {
        enum dtype type;
        if (n->kind != JSON_STRING || !dtype_parse(n->text, n->length, &type))
            return json_fail(r->arena, n, r->st, "expected an element type");
        f->types |= UINT64_C(1) << type;
    }
    if (rank) {
        TRY(json_ints(r->arena, rank, &count, &ranks, r->st));
        if (count != 2)
            return json_fail(r->arena, rank, r->st,
                             "expected the least and the largest rank");
        f->least = (int)ranks[0];
        f->most = (int)ranks[1];
    }
    TRY(read_int(r, r->row, "operands", &operands));
    f->operands = (int)operands;
    return read_bool(r, r->row, "nonempty", &f->nonempty)
           && read_bool(r, r->row, "elementwise", &f->elementwise);
}

static bool read_data(const struct reading *r)
{
    static const char *const members[] = {"spread", "splat", "sizes", "length",
                                          "same",   "twice", NULL};
    struct form *f = r->form;
    const struct json *data = json_member(r->row, "data");
    if (!data)
        return true;
    f->sizes = json_member(data, "sizes");
    return json_only(r->arena, data, members, r->st)
           && read_bool(r, data, "spread", &f->spread)
           && read_bool(r, data, "splat", &f->splat)
           && read_int(r, data, "length", &f->length)
           && read_bool(r, data, "same", &f->same)
           && read_bool(r, data, "twice", &f->twice);
}

static bool read_formula(const struct reading *r, const char *key,
                         const struct json **formula)
{
    return formula_read(r->arena, json_member(r->row, key), formula, r->st);
}

static bool read_writing(const struct reading *r)
{
    static const char *const controls[] = {NULL,   "call",   "branch",
                                           "loop", "moving", "map"};
    struct form *f = r->form;
    int control;
    TRY(read_formula(r, "operand", &f->operand));
    TRY(read_formula(r, "before", &f->before));
    TRY(read_formula(r, "result", &f->result));
    TRY(read_formula(r, "after", &f->after));
    TRY(read_word(r, "control", controls, 6, &control));
    f->control = (enum form_control)control;
    if ((f->result != NULL) != (f->after != NULL) || (f->before && !f->operand))
        return json_fail(r->arena, r->row, r->st,
                         "expected 'result' with 'after', and 'before' with "
                         "'operand'");
    return read_bool(r, r->row, "constant", &f->constant)
           && read_int(r, r->row, "trips", &f->trips);
}

static bool read_row(const struct reading *r)
{
    static const char *const members[] = {
        "id",       "family", "class",    "text",     "source",
        "place",    "types",  "rank",     "nonempty", "elementwise",
        "operands", "data",   "constant", "operand",  "before",
        "result",   "after",  "control",  "trips",    NULL};
    static const char *const places[] = {"all", "each", "either"};
    struct form *f = r->form;
    int family, place;
    TRY(json_only(r->arena, r->row, members, r->st));
    TRY(read_text(r, r->row, "id", &f->id));
    TRY(read_text(r, r->row, "text", &f->text));
    TRY(read_text(r, r->row, "source", &f->source));
    TRY(read_text(r, r->row, "class", &f->class));
    f->class = f->class ? f->class : f->id;
    if (!f->id || !f->text || !json_member(r->row, "family"))
        return json_fail(r->arena, r->row, r->st,
                         "expected 'id', 'family' and 'text'");
    TRY(read_word(r, "family", families, FORM_FAMILIES, &family));
    TRY(read_word(r, "place", places, 3, &place));
    f->family = (enum form_family)family;
    f->place = (enum form_place)place;
    TRY(read_where(r) && read_data(r) && read_writing(r));
    int kinds = form_is_data(f) + (f->operand != NULL) + (f->result != NULL)
                + (f->control != FORM_CONTROL_NONE)
                + (f->constant && !form_is_data(f));
    return kinds == 1
           || json_fail(r->arena, r->row, r->st,
                        "expected one of 'data', 'constant', 'operand', "
                        "'result' and 'control'");
}

static bool parse(struct arena *a, const struct json *root,
                  struct form_table *t, struct status *st)
{
    const struct json *list = json_member(root, "forms");
    if (!json_is_string(json_member(root, "format"), "assay-forms/1") || !list)
        return json_fail(a, root, st,
                         "expected format assay-forms/1, and forms");
    t->rows = arena_new(a, struct form, (size_t)list->count + 1);
    for (const struct json *n = list->child; n; n = n->next) {
        struct reading r = {a, n, &t->rows[t->count], st};
        TRY(read_row(&r));
        for (int i = 0; i < t->count; i++)
            if (strcmp(t->rows[i].id, r.form->id) == 0)
                return json_fail(a, n, st, "duplicate form '%s'", r.form->id);
        t->count++;
    }
    return true;
}

bool form_read(const struct form_table **table, struct status *st)
{
    static struct arena arena = ARENA_INIT;
    static struct form_table known;
    TRY(spec_load(st));
    if (known.count == 0)
        TRY(parse(&arena, spec_file("spec/forms.json"), &known, st));
    *table = &known;
    return true;
}

/* ---- Names --------------------------------------------------------------- */

const char *form_name(struct arena *a, const struct form_uses *uses,
                      const struct op *op)
{
    const char *all = "";
    for (int i = 0; i < FORM_FAMILIES; i++) {
        const struct form_use *u = &uses->of[i];
        if (!u->what)
            continue;
        all = arena_printf(a, "%s%s%s", all, all[0] ? "+" : "", u->what->id);
        if (u->operand >= 0)
            all = arena_printf(a, "%s(%s)", all,
                               formula_operand(a, op, u->operand));
    }
    return all;
}

static bool unknown(struct arena *a, const struct form_table *table,
                    const char *name, struct status *st)
{
    const char **ids = arena_new(a, const char *, (size_t)table->count + 1);
    for (int i = 0; i < table->count; i++)
        ids[i] = table->rows[i].id;
    return FAIL(st, INPUT, "unknown form '%.60s'%s", name,
                text_hint((char[TEXT_HINT]){0}, name, ids, table->count));
}

/* Does the glob match the form of one operand, of any operation? */
static bool matches_operand(struct arena *a, const struct form *form,
                            const char *glob)
{
    for (int i = 0; i < OP_COUNT; i++)
        for (int k = 0; k < OPERANDS_NAMED; k++)
            if (glob_match(glob,
                           arena_printf(a, "%s(%s)", form->id,
                                        formula_operand(a, op_table[i], k))))
                return true;
    return false;
}

bool form_known(const char *glob, struct status *st)
{
    const struct form_table *table;
    struct arena a = ARENA_INIT;
    bool known = strcmp(glob, FORM_NONE) == 0;
    TRY(form_read(&table, st));
    for (int i = 0; i < table->count && !known; i++)
        known = glob_match(glob, table->rows[i].id);
    for (int i = 0; i < table->count && !known; i++)
        known = table->rows[i].place != FORM_ALL
                && matches_operand(&a, &table->rows[i], glob);
    if (!known)
        unknown(&a, table, glob, st);
    arena_free(&a);
    return known;
}

/* The operand of that name, or that number. */
static int find_operand(struct arena *a, const struct op *op, const char *name)
{
    enum {
        OPERANDS_MAX = 64
    };
    for (int k = 0; k < OPERANDS_MAX; k++)
        if (strcmp(formula_operand(a, op, k), name) == 0)
            return k;
    return -1;
}

/* "scalar(rhs)" */
static bool find_one(struct arena *a, const struct form_table *table,
                     const char *name, const struct op *op,
                     struct form_uses *uses, struct status *st)
{
    size_t n = strcspn(name, "("), end = strlen(name);
    struct form_use use = {NULL, -1};
    for (int i = 0; i < table->count && !use.what; i++)
        if (strlen(table->rows[i].id) == n
            && strncmp(table->rows[i].id, name, n) == 0)
            use.what = &table->rows[i];
    if (!use.what)
        return unknown(a, table, name, st);
    if (name[n] && name[end - 1] == ')')
        use.operand = find_operand(
            a, op, arena_printf(a, "%.*s", (int)(end - n - 2), name + n + 1));
    enum form_place place = use.what->place;
    if ((name[n] && use.operand < 0) || (use.operand < 0 && place == FORM_EACH)
        || (use.operand >= 0 && place == FORM_ALL))
        return FAIL(st, INPUT, "form '%.60s': expected %s%s%s%s", name,
                    use.what->id, place == FORM_ALL ? "" : "(OPERAND)",
                    op ? ", with an operand of " : "", op ? op->name : "");
    struct form_use *at = &uses->of[use.what->family];
    if (at->what)
        return FAIL(st, INPUT, "forms '%s' and '%s' are both of the family %s",
                    at->what->id, use.what->id, families[use.what->family]);
    *at = use;
    return true;
}

bool form_find(struct arena *a, const char *name, const struct op *op,
               struct form_uses *uses, struct status *st)
{
    const struct form_table *table;
    *uses = (struct form_uses){0};
    for (int i = 0; i < FORM_FAMILIES; i++)
        uses->of[i].operand = -1;
    TRY(form_read(&table, st));
    for (const char *at = name;; at++) {
        size_t n = strcspn(at, "+");
        TRY(find_one(a, table, arena_printf(a, "%.*s", (int)n, at), op, uses,
                     st));
        at += n;
        if (!*at)
            return true;
    }
}
