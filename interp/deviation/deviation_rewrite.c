/* deviation_rewrite.c - see deviation_rewrite.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A formula is JSON: {"Div": [1, "rhs"]} is an operation on operands of the
 * instruction that it replaces, by name, and on numbers.  A number becomes a
 * constant of operand 0's shape, rounded to its type; each intermediate result
 * is rounded to its type, as in any program.
 */
#include "interp/deviation/deviation_rewrite.h"

#include <string.h>

#include "interp/data/number.h"
#include "interp/deviation/deviation_attribute.h"
#include "interp/program/op_table.h"

enum {
    DEPTH_MAX = 32 /* of a formula */
};

/* One instruction being replaced. */
struct rewriting {
    struct arena *arena;
    const struct deviation_use *use;
    const struct program *old;
    struct program *program;
    struct computation *entry;
    const struct instruction *in; /* as it was */
    const int *operands;          /* of in, in the new entry */
    int at;                       /* the operand that becomes another */
    const struct shape *like;     /* of constants */
    int depth;
};

static const struct shape *shape_of(const struct rewriting *w, int operand)
{
    const struct computation *c = w->old->entry;
    return c->instructions[w->in->operands[operand]]->shape;
}

static bool add_constant(struct rewriting *w, const char *text, int *number,
                         struct status *st)
{
    struct arena *a = w->arena;
    const struct shape *s = w->like;
    uint64_t bits = 0;
    bool exact;
    if (s->kind != SHAPE_ARRAY || shape_has_dynamic(s))
        return FAIL(st, UNSUPPORTED, "no constant of this shape");
    enum dtype unit = dtype_unit(s->dtype);
    TRY(number_read(text, unit, &bits, &exact, st));
    struct literal *l = literal_new(a, s);
    int64_t n = literal_units(l);
    for (int64_t i = 0; i < n; i += dtype_units(s->dtype))
        literal_set(l, i, bits);
    struct attribute *at = arena_new(a, struct attribute, 1);
    *at = (struct attribute){
        .name = ATTRIBUTE_LITERAL, .form = SPEC_LITERAL, .literal = l};
    *number = program_add(w->program, w->entry, "deviation", &op_Constant, 0,
                          NULL, 1, at, NULL);
    return true;
}

/* An operand; a scalar that stands for an array of the result's shape becomes
 * that array, as not every operation of a formula takes such scalars. */
static int add_operand(struct rewriting *w, int k)
{
    const struct shape *from = shape_of(w, k), *to = w->in->shape;
    if (!w->use->what->formula || from->kind != SHAPE_ARRAY || from->rank > 0
        || to->kind != SHAPE_ARRAY || to->rank == 0 || shape_has_dynamic(to))
        return w->operands[k];
    int64_t *sizes = arena_new(w->arena, int64_t, (size_t)to->rank);
    memcpy(sizes, to->dims, (size_t)to->rank * sizeof *sizes);
    struct attribute *at = arena_new(w->arena, struct attribute, 1);
    *at = (struct attribute){.name = ATTRIBUTE_BROADCAST_SIZES,
                             .form = SPEC_INTS,
                             .count = to->rank,
                             .ints = sizes};
    return program_add(w->program, w->entry, "deviation", &op_Broadcast, 1,
                       &w->operands[k], 1, at, NULL);
}

static bool add_node(struct rewriting *w, const struct json *node, int *number,
                     struct status *st);

static bool add_call(struct rewriting *w, const struct json *node, int *number,
                     struct status *st)
{
    const struct json *list = node->child;
    const struct op *op = list ? op_table_find(list->key) : NULL;
    if (!op || list->kind != JSON_ARRAY)
        return json_fail(w->arena, node, st, "expected {\"OPERATION\": [...]}");
    int *operands = arena_new(w->arena, int, (size_t)list->count + 1), n = 0;
    for (const struct json *c = list->child; c; c = c->next)
        TRY(add_node(w, c, &operands[n++], st));
    *number = program_add(w->program, w->entry, "deviation", op, n, operands, 0,
                          NULL, NULL);
    return true;
}

static bool add_node(struct rewriting *w, const struct json *node, int *number,
                     struct status *st)
{
    if (++w->depth > DEPTH_MAX)
        return json_fail(w->arena, node, st, "formula too deep");
    if (node->kind == JSON_OBJECT)
        TRY(add_call(w, node, number, st));
    else if (node->kind == JSON_NUMBER)
        TRY(add_constant(w, node->text, number, st));
    else {
        int k = 0;
        bool whole =
            w->use->what->operand && strcmp(node->text, "operand") == 0;
        while (!whole && k < w->in->operand_count
               && strcmp(deviation_operand(w->arena, w->in->op, k), node->text)
                      != 0)
            k++;
        if (whole)
            k = w->at;
        if (k < w->in->operand_count)
            *number = add_operand(w, k);
        else
            TRY(add_constant(w, node->text, number, st));
    }
    w->depth--;
    return true;
}

/* ---- One instruction ----------------------------------------------------- */

static bool has_type(const struct rewriting *w, int operand)
{
    const struct shape *s = shape_of(w, operand);
    uint64_t types = w->use->what->types;
    return s->kind == SHAPE_ARRAY && (types == 0 || types >> s->dtype & 1);
}

/* The operand that the use names in this instruction, or -1. */
static int find_operand(const struct rewriting *w)
{
    const struct deviation_use *use = w->use;
    if (use->operand >= 0)
        return use->operand < w->in->operand_count ? use->operand : -1;
    const char *place = use->attribute;
    size_t n = strcspn(place, ",");
    for (int k = 0; k < w->in->operand_count; k++) {
        const char *name = deviation_operand(w->arena, w->in->op, k);
        if (strlen(name) == n && strncmp(name, place, n) == 0)
            return k;
    }
    return -1;
}

/* A computation that a change made belongs to the program, too. */
static void adopt(struct rewriting *w, const struct attribute *at)
{
    for (int i = 0; i < at->computation_count; i++) {
        if (!at->computations[i] || at->computations[i]->result)
            continue;
        struct program *p = w->program;
        struct computation *own = program_computation(p, "deviation");
        *own = *at->computations[i];
        at->computations[i] = own;
    }
}

static bool change_attribute(struct rewriting *w, struct instruction *copy)
{
    const struct spec_op *spec = spec_op_find(w->in->op->name);
    size_t n = (size_t)w->in->attribute_count;
    copy->attributes = arena_new(w->arena, struct attribute, n + 1);
    copy->attribute_count = 0;
    bool changed = false;
    for (size_t i = 0; i < n; i++) {
        struct attribute to = w->in->attributes[i];
        if (strcmp(attribute_name_text(to.name), w->use->attribute) == 0)
            changed = deviation_attribute(w->arena, w->use->what->change, spec,
                                          &w->in->attributes[i], &to);
        if (to.name)
            copy->attributes[copy->attribute_count++] = to;
        adopt(w, &to);
    }
    return changed;
}

/* Put what stands for an instruction into the new entry, and its number in
 * *number; *changed is left alone where it stays as it is. */
static bool replace(struct rewriting *w, int *number, bool *changed,
                    struct status *st)
{
    const struct deviation *d = w->use->what;
    struct instruction copy = *w->in;
    int k = -1;
    if (d->formula && w->in->op == d->op && w->in->operand_count > 0
        && has_type(w, 0)) {
        w->like = shape_of(w, 0);
        *changed = true;
        return add_node(w, d->formula, number, st);
    }
    int *operands = arena_new(w->arena, int, (size_t)copy.operand_count + 1);
    if (copy.operand_count)
        memcpy(operands, w->operands,
               (size_t)copy.operand_count * sizeof *operands);
    if (d->operand || d->swap)
        k = find_operand(w);
    if (d->operand && k >= 0 && has_type(w, k)) {
        w->at = k;
        w->like = shape_of(w, k);
        TRY(add_node(w, d->operand, &operands[k], st));
        *changed = true;
    }
    if (d->swap && k >= 0 && k + 1 < copy.operand_count
        && shape_equal(shape_of(w, k), shape_of(w, k + 1))) {
        operands[k] = w->operands[k + 1];
        operands[k + 1] = w->operands[k];
        *changed = true;
    }
    if (d->change && change_attribute(w, &copy))
        *changed = true;
    *number = program_add(w->program, w->entry, copy.name, copy.op,
                          copy.operand_count, operands, copy.attribute_count,
                          copy.attributes, copy.source);
    return true;
}

/* ---- The program --------------------------------------------------------- */

static bool is_target(const struct deviation_use *use,
                      const struct instruction *in, const char *op)
{
    return use->what->formula || !op || strcmp(in->op->name, op) == 0;
}

static bool rewrite_entry(struct rewriting *w, const char *op,
                          struct status *st)
{
    const struct computation *c = w->old->entry;
    int *map = arena_new(w->arena, int, (size_t)c->count);
    bool changed = false;
    for (int i = 0; i < c->count; i++) {
        w->in = c->instructions[i];
        int n = w->in->operand_count;
        int *operands = arena_new(w->arena, int, (size_t)n + 1);
        for (int k = 0; k < n; k++)
            operands[k] = map[w->in->operands[k]];
        w->operands = operands;
        w->depth = 0;
        if (n > 0 && is_target(w->use, w->in, op))
            TRY(replace(w, &map[i], &changed, st));
        else
            map[i] = program_add(w->program, w->entry, w->in->name, w->in->op,
                                 n, operands, w->in->attribute_count,
                                 w->in->attributes, w->in->source);
    }
    w->entry->root = map[c->root];
    return changed
           || FAIL(st, UNSUPPORTED, "%s does not apply to this program",
                   w->use->name);
}

bool deviation_rewrite(struct arena *a, const struct deviation_use *use,
                       const struct program *p, const struct program **made,
                       struct status *st)
{
    struct program *q = arena_new(a, struct program, 1);
    if (p->entries)
        return FAIL(st, UNSUPPORTED, "programs differ between processes");
    *q = *p;
    q->arena = a;
    q->computation_room = p->computation_count + 1;
    q->computations =
        arena_new(a, struct computation *, (size_t)q->computation_room);
    struct rewriting w = {.arena = a, .use = use, .old = p, .program = q};
    w.entry = arena_new(a, struct computation, 1);
    w.entry->name = p->entry->name;
    w.entry->associative = p->entry->associative;
    for (int i = 0; i < p->computation_count; i++)
        q->computations[i] =
            p->computations[i] == p->entry ? w.entry : p->computations[i];
    q->entry = w.entry;
    TRY(rewrite_entry(&w, use->op, st));
    TRY(program_infer(q, st));
    if (!shape_equal(q->entry->result, p->entry->result))
        return FAIL(st, UNSUPPORTED, "%s: the result has another shape",
                    use->name);
    *made = q;
    return true;
}
