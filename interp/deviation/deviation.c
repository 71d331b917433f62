/* deviation.c - see deviation.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/deviation/deviation.h"

#include <string.h>

#include "interp/base/glob.h"
#include "interp/base/text.h"
#include "interp/deviation/deviation_private.h"
#include "interp/deviation/deviation_target.h"
#include "interp/formula/formula.h"
#include "interp/program/op_table.h"

enum {
    OPERANDS_MAX = 6 /* of one instruction that are tried */
};

/* ---- The table ----------------------------------------------------------- */

static bool read_text(struct arena *a, const struct json *row,
                      const char *member, bool needed, const char **text,
                      struct status *st)
{
    const struct json *n = json_member(row, member);
    if (!n)
        return needed ? json_fail(a, row, st, "member '%s' is missing", member)
                      : true;
    return json_string(a, n, text, st);
}

/* "int", "float", "complex", or a type's own name. */
static bool add_types(struct arena *a, const struct json *n, uint64_t *types,
                      struct status *st)
{
    static const struct {
        const char *name;
        unsigned classes;
    } words[] = {{"int", 1u << DTYPE_SINT | 1u << DTYPE_UINT},
                 {"signed", 1u << DTYPE_SINT},
                 {"float", 1u << DTYPE_FLOAT},
                 {"complex", 1u << DTYPE_COMPLEX}};
    const char *name;
    TRY(json_string(a, n, &name, st));
    uint64_t before = *types;
    for (int t = 0; t < DT_COUNT; t++) {
        if (strcmp(name, dtype_table[t].name) == 0)
            *types |= UINT64_C(1) << t;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (strcmp(name, words[i].name) == 0
                && words[i].classes >> dtype_class((enum dtype)t) & 1)
                *types |= UINT64_C(1) << t;
    }
    return *types != before
           || json_fail(a, n, st, "'%s' is not an element type or class", name);
}

static bool read_types(struct arena *a, const struct json *list,
                       uint64_t *types, struct status *st)
{
    for (const struct json *n = list ? list->child : NULL; n; n = n->next)
        TRY(add_types(a, n, types, st));
    return true;
}

static bool read_environment(struct arena *a, const struct json *row,
                             struct deviation *d, struct status *st)
{
    static const char *const members[] = {"at",    "step",     "where",
                                          "types", "policies", NULL};
    const struct json *n = json_member(row, "environment");
    const char *at = NULL, *step = NULL;
    if (!n)
        return json_fail(a, row, st, "member 'environment' is missing");
    TRY(json_only(a, n, members, st));
    TRY(read_text(a, n, "at", true, &at, st));
    TRY(read_text(a, n, "step", true, &step, st));
    TRY(read_types(a, json_member(n, "types"), &d->types, st));
    d->where = json_member(n, "where");
    d->policies = json_member(n, "policies");
    d->on_results = strcmp(at, "results") == 0;
    if (d->on_results || strcmp(at, "operands") == 0)
        d->step = deviation_step_find(step);
    else if (strcmp(at, "starts") == 0)
        d->start = deviation_start_find(step);
    else if (strcmp(at, "sums") == 0)
        d->running = dtype_parse(step, strlen(step), &d->accumulator);
    else if (strcmp(at, "ties") == 0)
        d->ties_last = strcmp(step, "last") == 0;
    else
        return json_fail(a, json_member(n, "at"), st,
                         "'%s', expected operands, results, starts, sums or "
                         "ties",
                         at);
    return d->step || d->start || d->running || d->ties_last
           || json_fail(a, json_member(n, "step"), st, "unknown step '%s'",
                        step);
}

static bool read_transform(struct arena *a, const struct json *row,
                           struct deviation *d, struct status *st)
{
    static const char *const members[] = {"name", "lanes", NULL};
    const struct json *n = json_member(row, "transform");
    const char *name = NULL;
    if (!n)
        return json_fail(a, row, st, "member 'transform' is missing");
    TRY(json_only(a, n, members, st));
    TRY(read_text(a, n, "name", true, &name, st));
    if (json_member(n, "lanes"))
        TRY(json_int(a, json_member(n, "lanes"), &d->lanes, st));
    d->shuffle = deviation_transform_find(name);
    return d->shuffle || json_fail(a, n, st, "unknown transform '%s'", name);
}

/* The operation of that name, or those of a list. */
static bool check_ops(struct arena *a, const struct json *n, struct status *st)
{
    for (const struct json *c = n->kind == JSON_STRING ? n : n->child; c;
         c = c == n ? NULL : c->next)
        if (c->kind != JSON_STRING || !op_table_find(c->text))
            return json_fail(a, c, st, "unknown operation '%s'",
                             c->text ? c->text : "");
    return true;
}

static bool read_ops(struct arena *a, const struct json *row,
                     struct deviation *d, struct status *st)
{
    d->ops = json_member(row, "op");
    d->of = json_member(row, "of");
    if (d->ops)
        TRY(check_ops(a, d->ops, st));
    return !d->of || check_ops(a, d->of, st);
}

/* Formulas by name. */
static bool read_with(struct arena *a, const struct json *row,
                      struct deviation *d, struct status *st)
{
    const struct json *given = json_member(row, "with"), **end;
    if (!given)
        return true;
    if (given->kind != JSON_OBJECT)
        return json_fail(a, given, st, "expected an object of formulas");
    struct json *with = arena_new(a, struct json, 1);
    *with = *given;
    end = &with->child;
    for (const struct json *n = given->child; n; n = n->next) {
        TRY(formula_read(a, n, end, st));
        end = &((struct json *)*end)->next;
    }
    d->with = with;
    return true;
}

static bool read_rewrite(struct arena *a, const struct json *row,
                         struct deviation *d, struct status *st)
{
    const char *change = NULL;
    d->swap = json_member(row, "operands") != NULL;
    TRY(formula_read(a, json_member(row, "formula"), &d->formula, st));
    TRY(formula_read(a, json_member(row, "operand"), &d->operand, st));
    TRY(read_with(a, row, d, st));
    TRY(read_types(a, json_member(row, "types"), &d->types, st));
    TRY(read_types(a, json_member(row, "results"), &d->results, st));
    TRY(read_text(a, row, "attribute", false, &change, st));
    if ((d->formula != NULL) + (d->operand != NULL) + d->swap + (change != NULL)
        != 1)
        return json_fail(a, row, st,
                         "expected one of 'formula', 'operand', 'operands' and "
                         "'attribute'");
    TRY(read_ops(a, row, d, st));
    if (change && !(d->change = deviation_attribute_find(change)))
        return json_fail(a, json_member(row, "attribute"), st,
                         "unknown change '%s'", change);
    return true;
}

static bool read_row(struct arena *a, const struct json *row,
                     struct deviation *d, struct status *st)
{
    static const char *const members[] = {
        "id",          "kind",      "text",  "source",  "permitted_by",
        "environment", "transform", "op",    "formula", "operand",
        "operands",    "attribute", "types", "results", "of",
        "with",        NULL};
    static const struct {
        const char *kind;
        bool (*read)(struct arena *a, const struct json *row,
                     struct deviation *d, struct status *st);
    } kinds[] = {[DEVIATION_ENVIRONMENT] = {"environment", read_environment},
                 [DEVIATION_REWRITE] = {"rewrite", read_rewrite},
                 [DEVIATION_TRANSFORM] = {"transform", read_transform}};
    const char *kind = NULL;
    TRY(json_only(a, row, members, st));
    TRY(read_text(a, row, "id", true, &d->id, st));
    TRY(read_text(a, row, "text", true, &d->text, st));
    TRY(read_text(a, row, "kind", true, &kind, st));
    TRY(read_text(a, row, "source", false, &d->source, st));
    TRY(read_text(a, row, "permitted_by", false, &d->permitted_by, st));
    for (int k = 0; k < 3; k++)
        if (strcmp(kind, kinds[k].kind) == 0) {
            d->kind = (enum deviation_kind)k;
            return kinds[k].read(a, row, d, st);
        }
    return json_fail(a, json_member(row, "kind"), st,
                     "'%s', expected environment, rewrite or transform", kind);
}

/* Is text one of a list of patterns?  A list that is missing has none. */
static bool matches_one(const struct json *list, const char *text)
{
    for (const struct json *n = list ? list->child : NULL; text && n;
         n = n->next)
        if (glob_match(n->text, text))
            return true;
    return false;
}

/* May an operand of the operation have one of those types?  That of a result
 * without operands is an attribute. */
static bool takes(const struct spec_op *op, uint64_t types)
{
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i].types == 0 || op->operands[i].types & types)
            return true;
    return op->operand_count == 0;
}

/* May no operand have one of the types of that list, which was read before? */
static bool lacks(const struct spec_op *op, const struct json *without)
{
    struct arena a = ARENA_INIT;
    struct status st = {0};
    uint64_t types = 0;
    bool good = read_types(&a, without, &types, &st);
    arena_free(&a);
    return good && (!without || !takes(op, types));
}

bool deviation_names(const struct json *names, const char *op)
{
    if (names->kind == JSON_STRING)
        return strcmp(names->text, op) == 0;
    for (const struct json *n = names->child; n; n = n->next)
        if (n->text && strcmp(n->text, op) == 0)
            return true;
    return false;
}

/* Is the deviation of other operations, so that nothing of this one changes? */
static bool is_unconcerned(const struct deviation_table *table,
                           const struct spec_op *op, const char *name)
{
    size_t n = strcspn(name, "(@");
    const struct op *own = op_table_find(op->name);
    for (int i = 0; own && i < table->count; i++) {
        const struct deviation *d = &table->rows[i];
        if (strlen(d->id) != n || strncmp(d->id, name, n) != 0)
            continue;
        return d->kind == DEVIATION_ENVIRONMENT
                   ? !deviation_environment_concerns(d, own)
                   : d->ops && !deviation_names(d->ops, own->name);
    }
    return false;
}

/* A member that is missing says nothing. */
static bool allows(const struct json *list, const char *text)
{
    return !list || matches_one(list, text);
}

static bool is_about(const struct deviation_table *table,
                     const struct json *rule, const struct spec_op *op,
                     const char *name, const struct place *place)
{
    const struct json *places = json_member(rule, "places");
    return matches_one(json_member(rule, "deviations"), name)
           && allows(json_member(rule, "operations"), op->name)
           && allows(json_member(rule, "accuracy"), op->accuracy)
           && lacks(op, json_member(rule, "without"))
           && (!json_member(rule, "unconcerned")
               || is_unconcerned(table, op, name))
           && (!places || (place && matches_one(places, place->id)));
}

const char *deviation_equivalent(const struct deviation_table *table,
                                 const struct spec_op *op, const char *name,
                                 const struct place *place)
{
    const struct json *list = table->equivalent;
    for (const struct json *n = list ? list->child : NULL; n; n = n->next)
        if (is_about(table, n, op, name, place))
            return json_member(n, "why")->text;
    return NULL;
}

static bool read_equivalent(struct arena *a, const struct json *list,
                            struct status *st)
{
    static const char *const members[] = {
        "deviations",  "operations", "accuracy", "without",
        "unconcerned", "places",     "why",      NULL};
    const struct place_table *places;
    const struct place *place;
    TRY(place_read(&places, st));
    for (const struct json *n = list ? list->child : NULL; n; n = n->next) {
        const char *why;
        uint64_t types = 0;
        const struct json *at = json_member(n, "places");
        TRY(json_only(a, n, members, st)
            && read_text(a, n, "why", true, &why, st)
            && read_types(a, json_member(n, "without"), &types, st));
        for (const struct json *p = at ? at->child : NULL; p; p = p->next)
            if (!p->text || !place_find(places, p->text, &place, st))
                return json_fail(a, p, st, "unknown place '%s'",
                                 p->text ? p->text : "");
    }
    return true;
}

bool deviation_parse(struct arena *a, const struct json *root,
                     const struct deviation_table **table, struct status *st)
{
    const struct json *list = json_member(root, "deviations");
    struct deviation_table *t = arena_new(a, struct deviation_table, 1);
    if (!json_is_string(json_member(root, "format"), "assay-deviations/1")
        || !list)
        return json_fail(a, root, st,
                         "expected format assay-deviations/1, and deviations");
    t->equivalent = json_member(root, "equivalent");
    TRY(read_equivalent(a, t->equivalent, st));
    t->rows = arena_new(a, struct deviation, (size_t)list->count);
    for (const struct json *n = list->child; n; n = n->next) {
        struct deviation *d = &t->rows[t->count];
        TRY(read_row(a, n, d, st));
        for (int i = 0; i < t->count; i++)
            if (strcmp(t->rows[i].id, d->id) == 0)
                return json_fail(a, n, st, "duplicate deviation '%s'", d->id);
        t->count++;
    }
    *table = t;
    return true;
}

bool deviation_read(struct arena *a, const struct deviation_table **table,
                    struct status *st)
{
    TRY(spec_load(st));
    return deviation_parse(a, spec_file("spec/deviations.json"), table, st);
}

/* ---- Uses ---------------------------------------------------------------- */

/* The uses that are found, once each. */
struct finding {
    struct arena *arena;
    int count, room;
    struct deviation_use *list;
};

static void add_use(struct finding *f, const struct deviation_use *use)
{
    for (int i = 0; i < f->count; i++)
        if (strcmp(f->list[i].name, use->name) == 0)
            return;
    ARENA_GROW(f->arena, f->list, f->count, f->room);
    f->list[f->count++] = *use;
}

static bool has_type(uint64_t types, const struct shape *s)
{
    return s->kind == SHAPE_ARRAY && (types == 0 || types >> s->dtype & 1);
}

static const struct shape *operand_shape(const struct computation *c,
                                         const struct instruction *in, int k)
{
    return c->instructions[in->operands[k]]->shape;
}

/* of: {"lhs": "Mul"} */
static bool follows(const struct deviation *d, const struct computation *c,
                    const struct instruction *in)
{
    struct arena a = ARENA_INIT;
    const struct json *of = d->of->child;
    bool found = false;
    for (int k = 0; k < in->operand_count; k++)
        found = found
                || (strcmp(formula_operand(&a, in->op, k), of->key) == 0
                    && deviation_names(
                        of, c->instructions[in->operands[k]]->op->name));
    arena_free(&a);
    return found;
}

bool deviation_replaces(const struct deviation *d, const struct computation *c,
                        const struct instruction *in)
{
    if (in->operand_count == 0 || !has_type(d->types, operand_shape(c, in, 0))
        || (d->results && !has_type(d->results, in->shape))
        || (d->of && !follows(d, c, in)))
        return false;
    /* Without a name it is about results of another type. */
    return d->ops ? deviation_names(d->ops, in->op->name)
                  : in->shape->kind == SHAPE_ARRAY
                        && in->shape->dtype != operand_shape(c, in, 0)->dtype;
}

static void find_operands(struct finding *f, const struct deviation *d,
                          const struct computation *c,
                          const struct instruction *in)
{
    struct arena *a = f->arena;
    for (int k = 0; k < in->operand_count && k < OPERANDS_MAX; k++) {
        const struct shape *s = operand_shape(c, in, k);
        struct deviation_use use = {
            .what = d, .operand = k, .op = in->op->name};
        const char *first = formula_operand(a, in->op, k);
        if (!has_type(d->types, s))
            continue;
        use.name = arena_printf(a, "%s(%s)", d->id, first);
        if (d->operand)
            add_use(f, &use);
        if (!d->swap || k + 1 == in->operand_count
            || in->operands[k] == in->operands[k + 1]
            || !shape_equal(s, operand_shape(c, in, k + 1)))
            continue;
        use.name = arena_printf(a, "%s(%s,%s)", d->id, first,
                                formula_operand(a, in->op, k + 1));
        add_use(f, &use);
    }
}

static void find_attributes(struct finding *f, const struct deviation *d,
                            const struct instruction *in)
{
    const struct spec_op *spec = spec_op_find(in->op->name);
    for (int i = 0; spec && i < in->attribute_count; i++) {
        const struct attribute *at = &in->attributes[i];
        struct deviation_use use = {.what = d,
                                    .attribute = attribute_name_text(at->name),
                                    .op = in->op->name};
        struct attribute changed;
        if (!deviation_attribute(f->arena, d->change, spec, at, &changed))
            continue;
        use.name = arena_printf(f->arena, "%s(%s)", d->id,
                                attribute_name_text(at->name));
        add_use(f, &use);
    }
}

static void find_in(struct finding *f, const struct deviation *d,
                    const struct computation *c, const struct instruction *in,
                    const char *op)
{
    /* A formula of certain operations applies wherever they are. */
    const struct deviation_use use = {
        .what = d, .name = d->id, .op = d->ops ? NULL : op};
    if (d->formula && deviation_replaces(d, c, in)
        && (d->ops || !op || strcmp(in->op->name, op) == 0))
        add_use(f, &use);
    if (d->formula || in->op->role == OP_ROLE_PARAMETER
        || (op && strcmp(in->op->name, op) != 0))
        return;
    if (d->change)
        find_attributes(f, d, in);
    else
        find_operands(f, d, c, in);
}

/* Elsewhere an environment changes nothing. */
static bool concerns(const struct deviation *d, const struct program *p)
{
    for (int i = 0; i < p->computation_count; i++)
        for (int k = 0; k < p->computations[i]->count; k++)
            if (deviation_environment_concerns(
                    d, p->computations[i]->instructions[k]->op))
                return true;
    return false;
}

int deviation_uses(struct arena *a, const struct deviation_table *table,
                   const struct program *p, const char *op,
                   struct deviation_use **list)
{
    struct finding f = {.arena = a};
    for (int i = 0; i < table->count; i++) {
        const struct deviation *d = &table->rows[i];
        const struct deviation_use use = {.what = d, .name = d->id};
        if (d->kind == DEVIATION_TRANSFORM
            || (d->kind == DEVIATION_ENVIRONMENT && concerns(d, p)))
            add_use(&f, &use);
        else if (d->kind == DEVIATION_ENVIRONMENT)
            continue;
        else if (!p->entries)
            for (int k = 0; k < p->entry->count; k++)
                find_in(&f, d, p->entry, p->entry->instructions[k], op);
    }
    *list = f.list;
    return f.count;
}

bool deviation_find(struct arena *a, const struct deviation_table *table,
                    const char *name, struct deviation_use *use,
                    struct status *st)
{
    const char **names = arena_new(a, const char *, (size_t)table->count + 1);
    const struct place_table *places;
    size_t n = strcspn(name, "(@"), end = strcspn(name, "@");
    const char *id = arena_printf(a, "%.*s", (int)n, name);
    for (int i = 0; i < table->count; i++) {
        const struct deviation *d = &table->rows[i];
        names[i] = d->id;
        if (strcmp(d->id, id) != 0)
            continue;
        bool targeted = d->operand || d->swap || d->change;
        if (targeted != (name[n] == '(') || (targeted && name[end - 1] != ')'))
            return FAIL(st, INPUT, "deviation '%s': %s", name,
                        !targeted   ? "has no target"
                        : d->change ? "expected NAME(ATTRIBUTE)"
                                    : "expected NAME(OPERAND)");
        *use = (struct deviation_use){.what = d, .name = name, .operand = -1};
        if (targeted)
            use->attribute =
                arena_printf(a, "%.*s", (int)(end - n - 2), name + n + 1);
        TRY(!targeted || deviation_target_check(d, use->attribute, st));
        return !name[end]
               || (place_read(&places, st)
                   && place_find(places, name + end + 1, &use->place, st));
    }
    char hint[TEXT_HINT];
    return FAIL(st, INPUT, "unknown deviation '%s'%s", id,
                text_hint(hint, id, names, table->count));
}
