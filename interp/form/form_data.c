/* form_data.c - forms of the data: other shapes, or a choice of elements.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * All but "twice" are for operations of which every element of the result
 * depends on the same element of each operand, whose operands have equal sizes.
 */
#include "interp/form/form_apply.h"
#include "interp/formula/formula.h"
#include "interp/program/op_table.h"

enum {
    SPREAD_MOST = 12 /* elements that become scalars */
};

/* A program that applies the instruction several times. */
struct making {
    struct arena *arena;
    const struct form_case *from;
    const struct instruction *in;
    struct program *program;
    struct computation *entry;
    int count, room; /* inputs */
    struct literal **inputs;
    int *origins;
    int root_count;
    int roots[SPREAD_MOST];
};

static struct making begin(struct arena *a, const struct form_case *from)
{
    struct making m = {.arena = a,
                       .from = from,
                       .in = form_suit_single(from->program),
                       .program = form_build_program(a, from->program)};
    size_t room = (size_t)(from->count + 1) * (SPREAD_MOST + 1);
    m.inputs = arena_new(a, struct literal *, room);
    m.origins = arena_new(a, int, room);
    m.entry = program_computation(m.program, from->program->entry->name);
    m.program->entry = m.entry;
    return m;
}

/* An input, as a parameter: its number. */
static int add_input(struct making *m, struct literal *value, int origin)
{
    m->inputs[m->count] = value;
    m->origins[m->count] = origin;
    return program_parameter(m->program, m->entry, m->count++, value->shape);
}

static void add_root(struct making *m, const int *operands)
{
    m->roots[m->root_count++] =
        form_build_add(m->program, m->entry, m->in->op, m->in->operand_count,
                       operands, m->in->attribute_count, m->in->attributes);
}

static bool end(struct making *m, struct form_case *c, struct status *st)
{
    m->entry->root = m->roots[0];
    if (m->root_count > 1)
        m->entry->root = form_build_add(m->program, m->entry, &op_Tuple,
                                        m->root_count, m->roots, 0, NULL);
    TRY(program_infer(m->program, st));
    *c = (struct form_case){m->program, m->count, m->inputs, m->origins};
    return true;
}

/* ---- Other shapes -------------------------------------------------------- */

/* The elements, over and over, in an array of other sizes. */
static struct literal *refill(struct arena *a, const struct literal *from,
                              int rank, const int64_t *sizes)
{
    const struct shape *s = shape_array(a, from->shape->dtype, rank, sizes);
    struct literal *to = literal_new(a, s);
    int64_t n = shape_elements(s), of = shape_elements(from->shape);
    for (int64_t i = 0; i < n; i++)
        literal_move(to, i, from, i % of);
    return to;
}

static bool find_sizes(struct arena *a, const struct form *form,
                       const struct shape *s, int *rank, int64_t **sizes,
                       struct status *st)
{
    const struct json *list;
    if (form->length > 0) {
        *rank = 1;
        *sizes = arena_new(a, int64_t, 1);
        (*sizes)[0] = form->length;
        return true;
    }
    TRY(formula_attribute_json(a, s, form->sizes, &list, st));
    return json_ints(a, list, rank, sizes, st);
}

static bool reshape(struct making *m, const struct form *form,
                    struct status *st)
{
    int rank;
    int64_t *sizes;
    const struct shape *s = m->from->inputs[0]->shape;
    int *operands = arena_new(m->arena, int, (size_t)m->from->count + 1);
    TRY(find_sizes(m->arena, form, s, &rank, &sizes, st));
    if (form->length > 0 && shape_elements(s) >= form->length)
        return FAIL(st, UNSUPPORTED, "the data are as long already");
    for (int k = 0; k < m->from->count; k++)
        operands[k] =
            add_input(m, refill(m->arena, m->from->inputs[k], rank, sizes), k);
    add_root(m, operands);
    return true;
}

/* ---- Scalars ------------------------------------------------------------- */

/* The classes of element i of one operand, or of all. */
static uint64_t classes(const struct form_case *c, int operand, int64_t i)
{
    uint64_t all = 0;
    for (int k = 0; k < c->count; k++)
        if (operand < 0 || operand == k)
            all = all * 1021 + form_value_of(c->inputs[k], i);
    return all;
}

/* Elements to become scalars: the first of each class. */
static int choose(const struct form_case *c, int operand, int64_t *at)
{
    uint64_t seen[SPREAD_MOST];
    int n = 0;
    int64_t elements = shape_elements(c->inputs[0]->shape);
    for (int64_t i = 0; i < elements && n < SPREAD_MOST; i++) {
        uint64_t class = classes(c, operand, i);
        int k = 0;
        while (k < n && seen[k] != class)
            k++;
        if (k < n)
            continue;
        seen[n] = class;
        at[n++] = i;
    }
    return n;
}

static struct literal *element(const struct making *m, int k, int64_t i,
                               bool splat)
{
    const struct literal *from = m->from->inputs[k];
    const struct shape *s =
        splat ? from->shape : shape_scalar(m->arena, from->shape->dtype);
    struct literal *to = literal_new(m->arena, s);
    int64_t n = shape_elements(s);
    for (int64_t j = 0; j < n; j++)
        literal_move(to, j, from, i);
    return to;
}

static void spread(struct making *m, const struct form_use *use)
{
    int64_t at[SPREAD_MOST];
    const struct form_case *c = m->from;
    int n = choose(c, use->operand, at);
    int *operands = arena_new(m->arena, int, (size_t)c->count + 1);
    for (int k = 0; k < c->count; k++)
        if (use->operand >= 0 && use->operand != k)
            operands[k] = add_input(m, c->inputs[k], k);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < c->count; k++)
            if (use->operand < 0 || use->operand == k)
                operands[k] =
                    add_input(m, element(m, k, at[i], use->what->splat), k);
        add_root(m, operands);
    }
}

/* ---- All ----------------------------------------------------------------- */

/* Operands of equal sizes, and no attribute that is about dimensions. */
static bool is_even(const struct form_case *c, const struct instruction *in)
{
    for (int k = 0; k < c->count; k++)
        if (c->inputs[k]->shape->kind != SHAPE_ARRAY
            || shape_has_dynamic(c->inputs[k]->shape)
            || !shape_same_dims(c->inputs[k]->shape, c->inputs[0]->shape))
            return false;
    for (int i = 0; i < in->attribute_count; i++)
        if (in->attributes[i].form == SPEC_INTS && in->attributes[i].count > 0)
            return false;
    return c->count > 0 && shape_elements(c->inputs[0]->shape) > 0;
}

static void repeat(struct making *m, const struct form_use *use)
{
    const struct form_case *c = m->from;
    int *operands = arena_new(m->arena, int, (size_t)c->count + 1);
    for (int k = 0; k < c->count; k++)
        operands[k] =
            use->what->same && k > 0
                ? operands[0]
                : add_input(m, c->inputs[use->what->same ? use->operand : k],
                            k);
    add_root(m, operands);
    if (use->what->twice)
        add_root(m, operands);
}

bool form_data(struct arena *a, const struct form_use *use, struct form_case *c,
               struct status *st)
{
    const struct form *form = use->what;
    struct making m = begin(a, c);
    if (!m.in || (!form->twice && !is_even(c, m.in)))
        return FAIL(st, UNSUPPORTED, "form %s: operands of other sizes",
                    form->id);
    if (form->spread)
        spread(&m, use);
    else if (form->same || form->twice)
        repeat(&m, use);
    else
        TRY(reshape(&m, form, st));
    return end(&m, c, st);
}
