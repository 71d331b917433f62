/* place.c - see place.h; interp/test/test_place.c tests this.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/place/place.h"

#include <string.h>

#include "interp/base/text.h"
#include "interp/form/form_apply.h"
#include "interp/program/op_table.h"

/* Facts about an element. */
struct element {
    const struct place_array *array;
    int64_t i, n;
    unsigned values; /* of the result and the operands of the unit */
};

/* A member of a row that says what the place is. */
struct place_kind {
    const char *member;
    bool (*read)(struct arena *a, const struct json *node, struct place *p,
                 struct status *st);
    /* One of: */
    bool (*holds)(const struct place *p, const struct place_at *at);
    bool (*has)(const struct place *p, const struct element *e);
};

/* ---- Reading ------------------------------------------------------------- */

static bool read_ranks(struct arena *a, const struct json *node,
                       struct place *p, struct status *st)
{
    int count;
    int64_t *ranks;
    TRY(json_ints(a, node, &count, &ranks, st));
    if (count != 2)
        return json_fail(a, node, st, "expected the least and largest rank");
    p->least = ranks[0];
    p->most = ranks[1];
    return true;
}

static bool read_number(struct arena *a, const struct json *node,
                        struct place *p, struct status *st)
{
    TRY(json_int(a, node, &p->least, st));
    return p->least > 0 || json_fail(a, node, st, "expected a positive number");
}

static bool read_word(struct arena *a, const struct json *node, struct place *p,
                      struct status *st, const char *one, const char *other)
{
    TRY(json_string(a, node, &p->word, st));
    return strcmp(p->word, one) == 0 || strcmp(p->word, other) == 0
           || json_fail(a, node, st, "'%s', expected %s or %s", p->word, one,
                        other);
}

static bool read_operand(struct arena *a, const struct json *node,
                         struct place *p, struct status *st)
{
    return read_word(a, node, p, st, "scalar", "constant");
}

static bool read_beside(struct arena *a, const struct json *node,
                        struct place *p, struct status *st)
{
    return read_word(a, node, p, st, "producer", "consumer");
}

static bool read_batch(struct arena *a, const struct json *node,
                       struct place *p, struct status *st)
{
    return read_word(a, node, p, st, "later", "later");
}

static bool read_op(struct arena *a, const struct json *node, struct place *p,
                    struct status *st)
{
    TRY(json_string(a, node, &p->word, st));
    return op_table_find(p->word)
           || json_fail(a, node, st, "unknown operation '%s'", p->word);
}

static bool read_values(struct arena *a, const struct json *node,
                        struct place *p, struct status *st)
{
    for (const struct json *n = node->child; n; n = n->next) {
        const char *name;
        int v = 0;
        TRY(json_string(a, n, &name, st));
        while (v < FORM_VALUES
               && strcmp(form_value_name((enum form_value)v), name) != 0)
            v++;
        if (v == FORM_VALUES)
            return json_fail(a, n, st, "unknown class of values '%s'", name);
        p->values |= 1u << v;
    }
    return true;
}

/* ---- Instructions -------------------------------------------------------- */

static const struct shape *operand_shape(const struct place_at *at, int k)
{
    return at->computation->instructions[at->in->operands[k]]->shape;
}

static bool is_array(const struct shape *s)
{
    return s->kind == SHAPE_ARRAY;
}

static bool has_rank(const struct place *p, const struct place_at *at)
{
    const struct shape *s = shape_first(at->in->shape);
    return is_array(s) && s->rank >= p->least && s->rank <= p->most;
}

static bool has_scalar(const struct place_at *at)
{
    const struct shape *result = shape_first(at->in->shape);
    bool scalar = false, array = is_array(result) && result->rank > 0;
    for (int k = 0; k < at->in->operand_count; k++) {
        const struct shape *s = operand_shape(at, k);
        scalar = scalar || (is_array(s) && s->rank == 0);
        array = array || (is_array(s) && s->rank > 0);
    }
    return scalar && array;
}

static bool has_operand(const struct place *p, const struct place_at *at)
{
    if (strcmp(p->word, "scalar") == 0)
        return has_scalar(at);
    for (int k = 0; k < at->in->operand_count; k++)
        if (at->computation->instructions[at->in->operands[k]]->op->role
            == OP_ROLE_CONSTANT)
            return true;
    return false;
}

static bool is_longer(const struct place *p, const struct shape *s)
{
    bool any = false;
    for (int i = 0; i < s->rank && s->kind == SHAPE_ARRAY; i++)
        any = any || s->dims[i] > p->least;
    for (int i = 0; i < s->rank && s->kind == SHAPE_TUPLE; i++)
        any = any || is_longer(p, s->elements[i]);
    return any;
}

static bool has_length(const struct place *p, const struct place_at *at)
{
    bool any = is_longer(p, at->in->shape);
    for (int k = 0; k < at->in->operand_count; k++)
        any = any || is_longer(p, operand_shape(at, k));
    return any;
}

static bool runs(const struct instruction *in, const struct computation *c)
{
    for (int i = 0; i < in->attribute_count; i++)
        for (int k = 0; k < in->attributes[i].computation_count; k++)
            if (in->attributes[i].computations[k] == c)
                return true;
    return false;
}

/* How an instruction that runs a computation affects a search outwards. */
enum caller {
    CALLER_IGNORED,
    CALLER_FOLLOWED, /* go on from its own computation */
    CALLER_FOUND
};
typedef enum caller caller_look(const void *context,
                                const struct computation *outer,
                                const struct instruction *in);

/* From a computation to the instructions that run it, and on from theirs: is
 * one found?  Each computation is entered once, however many chains lead to it.
 */
static bool search_callers(const struct program *p, const struct computation *c,
                           caller_look *look, const void *context)
{
    struct arena a = ARENA_INIT;
    size_t n = (size_t)p->computation_count + 1, tail = 1;
    const struct computation **next =
        arena_new(&a, const struct computation *, n);
    bool *entered = arena_new(&a, bool, n), found = false;
    next[0] = c;
    for (size_t head = 0; head < tail && !found; head++)
        for (int i = 0; i < p->computation_count && !found; i++) {
            const struct computation *outer = p->computations[i];
            for (int k = 0; k < outer->count && !found; k++) {
                if (!runs(outer->instructions[k], next[head]))
                    continue;
                enum caller is = look(context, outer, outer->instructions[k]);
                found = is == CALLER_FOUND;
                if (is == CALLER_FOLLOWED && !entered[i]) {
                    entered[i] = true;
                    next[tail++] = outer;
                }
            }
        }
    arena_free(&a);
    return found;
}

/* Any, until it is of that operation. */
static enum caller is_outside(const void *context,
                              const struct computation *outer,
                              const struct instruction *in)
{
    const struct place *p = context;
    return strcmp(in->op->name, p->word) == 0 ? CALLER_FOUND : CALLER_FOLLOWED;
}

static bool has_outside(const struct place *p, const struct place_at *at)
{
    return search_callers(at->program, at->computation, is_outside, p);
}

/* Does it compute anything? */
static bool is_work(const struct instruction *in)
{
    return in->op->role != OP_ROLE_PARAMETER && in->op->role != OP_ROLE_CONSTANT
           && !in->op->passes;
}

static bool has_neighbour(const struct place *p, const struct place_at *at)
{
    const struct computation *c = at->computation;
    if (strcmp(p->word, "producer") == 0) {
        for (int k = 0; k < at->in->operand_count; k++)
            if (is_work(c->instructions[at->in->operands[k]]))
                return true;
        return false;
    }
    for (int i = 0; i < c->count; i++)
        for (int k = 0; k < c->instructions[i]->operand_count; k++)
            if (c->instructions[c->instructions[i]->operands[k]] == at->in
                && is_work(c->instructions[i]))
                return true;
    return false;
}

static bool has_execution(const struct place *p, const struct place_at *at)
{
    return at->execution >= p->least;
}

/* ---- Elements ------------------------------------------------------------ */

static bool has_remainder(const struct place *p, const struct element *e)
{
    return e->n >= p->least && e->i >= e->n - e->n % p->least;
}

static bool has_batch(const struct place *p, const struct element *e)
{
    const struct shape *s = e->array->right->shape;
    return s->rank >= 2 && e->i >= e->n / s->dims[0];
}

static bool has_value(const struct place *p, const struct element *e)
{
    return (p->values & e->values) != 0;
}

bool place_by_element(const struct op *op)
{
    return form_suit_elementwise(op);
}

static unsigned values_of(const struct place_array *array, int64_t i)
{
    const struct shape *s = array->right->shape;
    unsigned all = 1u << form_value_of(array->right, i);
    for (int k = 0; array->by_element && k < array->count; k++) {
        const struct literal *l = array->operands[k];
        if (l && l->shape->kind == SHAPE_ARRAY
            && (l->shape->rank == 0 || shape_same_dims(l->shape, s)))
            all |= 1u << form_value_of(l, l->shape->rank == 0 ? 0 : i);
    }
    return all;
}

uint64_t place_of_element(const struct place_table *table,
                          const struct place_array *array, int64_t i)
{
    const struct element e = {.array = array,
                              .i = i,
                              .n = shape_elements(array->right->shape),
                              .values = values_of(array, i)};
    uint64_t all = 0;
    for (int p = 0; p < table->count; p++)
        if (table->of_elements >> p & 1
            && table->rows[p].kind->has(&table->rows[p], &e))
            all |= UINT64_C(1) << p;
    return all;
}

/* ---- The table ----------------------------------------------------------- */

static const struct place_kind kinds[] = {
    {"rank", read_ranks, has_rank, NULL},
    {"operand", read_operand, has_operand, NULL},
    {"longer", read_number, has_length, NULL},
    {"inside", read_op, has_outside, NULL},
    {"beside", read_beside, has_neighbour, NULL},
    {"execution", read_number, has_execution, NULL},
    {"remainder", read_number, NULL, has_remainder},
    {"batch", read_batch, NULL, has_batch},
    {"values", read_values, NULL, has_value}};

enum {
    KINDS = sizeof kinds / sizeof *kinds
};

static bool is_entered(const struct place_table *table, const struct op *op)
{
    for (int i = 0; i < table->count; i++)
        if (table->rows[i].kind->holds == has_outside
            && strcmp(table->rows[i].word, op->name) == 0)
            return true;
    return op->passes;
}

struct stepping {
    const struct place_table *table;
    const struct program *program;
};

/* Those that are entered step by step, until the entry. */
static enum caller is_stepped(const void *context,
                              const struct computation *outer,
                              const struct instruction *in)
{
    const struct stepping *s = context;
    if (!is_entered(s->table, in->op))
        return CALLER_IGNORED;
    return outer == s->program->entry ? CALLER_FOUND : CALLER_FOLLOWED;
}

bool place_is_step(const struct place_table *table, const struct program *p,
                   const struct computation *c)
{
    const struct stepping s = {table, p};
    return c == p->entry || search_callers(p, c, is_stepped, &s);
}

uint64_t place_of_instruction(const struct place_table *table,
                              const struct place_at *at)
{
    uint64_t all = 0;
    for (int i = 0; i < table->count; i++) {
        const struct place *p = &table->rows[i];
        if (p->kind->holds && p->kind->holds(p, at))
            all |= UINT64_C(1) << i;
    }
    return all;
}

static bool read_text(struct arena *a, const struct json *row,
                      const char *member, const char **text, struct status *st)
{
    const struct json *n = json_member(row, member);
    return n ? json_string(a, n, text, st)
             : json_fail(a, row, st, "member '%s' is missing", member);
}

static bool read_row(struct arena *a, const struct json *row, struct place *p,
                     struct status *st)
{
    const char *members[KINDS + 5] = {"id", "text", "phrase", "source"};
    int found = 0;
    for (int i = 0; i < KINDS; i++) {
        members[4 + i] = kinds[i].member;
        found += json_member(row, kinds[i].member) != NULL;
    }
    TRY(json_only(a, row, members, st));
    TRY(read_text(a, row, "id", &p->id, st)
        && read_text(a, row, "text", &p->text, st)
        && read_text(a, row, "phrase", &p->phrase, st));
    if (json_member(row, "source"))
        TRY(read_text(a, row, "source", &p->source, st));
    if (found != 1)
        return json_fail(a, row, st, "expected one member that says where");
    for (int i = 0; i < KINDS; i++) {
        const struct json *n = json_member(row, kinds[i].member);
        if (n)
            p->kind = &kinds[i];
        if (n)
            TRY(kinds[i].read(a, n, p, st));
    }
    return true;
}

bool place_parse(struct arena *a, const struct json *root,
                 struct place_table *t, struct status *st)
{
    const struct json *list = json_member(root, "places");
    if (!json_is_string(json_member(root, "format"), "assay-places/1") || !list
        || list->count > PLACES_MAX)
        return json_fail(a, root, st,
                         "expected format assay-places/1, and at most %d "
                         "places",
                         PLACES_MAX);
    for (const struct json *n = list->child; n; n = n->next) {
        struct place *p = &t->rows[t->count];
        p->number = t->count;
        TRY(read_row(a, n, p, st));
        for (int i = 0; i < t->count; i++)
            if (strcmp(t->rows[i].id, p->id) == 0)
                return json_fail(a, n, st, "duplicate place '%s'", p->id);
        if (p->kind->has)
            t->of_elements |= UINT64_C(1) << t->count;
        t->count++;
    }
    return true;
}

bool place_read(const struct place_table **table, struct status *st)
{
    static struct arena arena = ARENA_INIT;
    static struct place_table known;
    TRY(spec_load(st));
    if (known.count == 0)
        TRY(place_parse(&arena, spec_file("spec/places.json"), &known, st));
    *table = &known;
    return true;
}

bool place_find(const struct place_table *table, const char *name,
                const struct place **place, struct status *st)
{
    const char *ids[PLACES_MAX];
    for (int i = 0; i < table->count; i++) {
        ids[i] = table->rows[i].id;
        if (strcmp(ids[i], name) == 0) {
            *place = &table->rows[i];
            return true;
        }
    }
    return FAIL(st, INPUT, "unknown place '%.60s'%s", name,
                text_hint((char[TEXT_HINT]){0}, name, ids, table->count));
}
