/* form_control.c - forms that surround a program: calls, branches, loops, Map.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * What decides (the predicate, the number of trips) is a parameter of the
 * program, so that a compiler cannot know it.
 */
#include "interp/form/form_apply.h"
#include "interp/program/op_table.h"

/* The program while it is surrounded. */
struct wrapping {
    struct arena *arena;
    const struct form_case *from;
    struct program *program;
    struct computation *entry;
    struct form_case to;
    int *parameters; /* of the new entry, for those of the old one */
};

static int add_parameter(struct wrapping *w, struct literal *value, int origin)
{
    int n = w->to.count++;
    ((struct literal **)w->to.inputs)[n] = value;
    ((int *)w->to.origins)[n] = origin;
    return program_parameter(w->program, w->entry, n, value->shape);
}

static struct wrapping begin(struct arena *a, const struct form_case *c)
{
    size_t n = (size_t)c->count;
    struct wrapping w = {.arena = a,
                         .from = c,
                         .program = form_build_program(a, c->program),
                         .parameters = arena_new(a, int, n + 1)};
    w.entry = program_computation(w.program, c->program->entry->name);
    w.program->entry = w.entry;
    w.to = (struct form_case){.program = w.program,
                              .inputs = arena_new(a, struct literal *, n + 2),
                              .origins = arena_new(a, int, n + 2)};
    for (int i = 0; i < c->count; i++)
        w.parameters[i] = add_parameter(&w, c->inputs[i], c->origins[i]);
    return w;
}

static struct attribute calls(struct arena *a, enum attribute_name name,
                              const struct computation *c)
{
    struct attribute at = {
        .name = name, .form = SPEC_COMPUTATION, .computation_count = 1};
    at.computations = arena_new(a, const struct computation *, 1);
    at.builtins = arena_new(a, const char *, 1);
    at.computations[0] = c;
    return at;
}

static struct literal *scalar(struct arena *a, enum dtype type, uint64_t bits)
{
    struct literal *l = literal_new(a, shape_scalar(a, type));
    literal_set(l, 0, bits);
    return l;
}

/* Constants of zero bits, of any shape. */
static int add_zeros(struct wrapping *w, struct computation *c,
                     const struct shape *s)
{
    if (s->kind != SHAPE_TUPLE)
        return form_build_constant(w->program, c, literal_new(w->arena, s));
    int *elements = arena_new(w->arena, int, (size_t)s->rank + 1);
    for (int i = 0; i < s->rank; i++)
        elements[i] = add_zeros(w, c, s->elements[i]);
    return form_build_add(w->program, c, &op_Tuple, s->rank, elements, 0, NULL);
}

static int add_element(struct wrapping *w, struct computation *c, int tuple,
                       int i)
{
    const struct attribute at = form_build_number(w->arena, ATTRIBUTE_INDEX, i);
    return form_build_add(w->program, c, &op_GetTupleElement, 1, &tuple, 1,
                          &at);
}

/* ---- Calls and branches -------------------------------------------------- */

static void call(struct wrapping *w)
{
    const struct form_case *from = w->from;
    struct computation *c = program_computation(w->program, "form_formed");
    int *own = arena_new(w->arena, int, (size_t)from->count + 1);
    for (int i = 0; i < from->count; i++)
        own[i] = program_parameter(w->program, c, i, from->inputs[i]->shape);
    c->root = form_build_body(w->program, c, from->program->entry, own);
    const struct attribute at = calls(w->arena, ATTRIBUTE_COMPUTATION, c);
    w->entry->root = form_build_add(w->program, w->entry, &op_Call, from->count,
                                    w->parameters, 1, &at);
}

/* A computation of one tuple, of which elements first, first + 1, ... are what
 * the old entry takes. */
static int add_from_tuple(struct wrapping *w, struct computation *c, int tuple,
                          int first)
{
    int n = w->from->count;
    int *own = arena_new(w->arena, int, (size_t)n + 1);
    for (int i = 0; i < n; i++)
        own[i] = add_element(w, c, tuple, first + i);
    return form_build_body(w->program, c, w->from->program->entry, own);
}

static const struct shape *tuple_of(struct wrapping *w, int count,
                                    const struct shape *const *shapes)
{
    return shape_tuple(w->arena, count, shapes);
}

static void branch(struct wrapping *w)
{
    int n = w->from->count;
    const struct shape **shapes =
        arena_new(w->arena, const struct shape *, (size_t)n + 1);
    int *elements = arena_new(w->arena, int, (size_t)n + 1);
    elements[0] = add_parameter(w, scalar(w->arena, DT_pred, 1), -1);
    shapes[0] = shape_scalar(w->arena, DT_pred);
    for (int i = 0; i < n; i++) {
        elements[i + 1] = w->parameters[i];
        shapes[i + 1] = w->from->inputs[i]->shape;
    }
    const struct shape *s = tuple_of(w, n + 1, shapes);
    struct computation *taken = program_computation(w->program, "form_taken");
    struct computation *other = program_computation(w->program, "form_other");
    taken->root =
        add_from_tuple(w, taken, program_parameter(w->program, taken, 0, s), 1);
    program_parameter(w->program, other, 0, s);
    other->root = add_zeros(w, other, w->from->program->entry->result);
    int all = form_build_add(w->program, w->entry, &op_Tuple, n + 1, elements,
                             0, NULL);
    const int operands[] = {elements[0], all, all};
    const struct attribute at[] = {
        calls(w->arena, ATTRIBUTE_TRUE_COMPUTATION, taken),
        calls(w->arena, ATTRIBUTE_FALSE_COMPUTATION, other)};
    w->entry->root = form_build_add(w->program, w->entry, &op_Conditional, 3,
                                    operands, 2, at);
}

/* ---- Loops --------------------------------------------------------------- */

/* The state of a loop: the trip, how many, the result, the operands, and, if it
 * moves, zeros that the operands change places with in each trip; there is an
 * odd number of trips, so the last one has the operands again. */
enum {
    AT_TRIP,
    AT_TRIPS,
    AT_RESULT,
    AT_OPERANDS
};

static int copies(const struct form *form)
{
    return form->control == FORM_CONTROL_MOVING ? 2 : 1;
}

static const struct shape *state_shape(struct wrapping *w,
                                       const struct form *form)
{
    int n = w->from->count, all = AT_OPERANDS + copies(form) * n;
    const struct shape **shapes =
        arena_new(w->arena, const struct shape *, (size_t)all);
    shapes[AT_TRIP] = shapes[AT_TRIPS] = shape_scalar(w->arena, DT_s32);
    shapes[AT_RESULT] = w->from->program->entry->result;
    for (int i = AT_OPERANDS; i < all; i++)
        shapes[i] = w->from->inputs[(i - AT_OPERANDS) % n]->shape;
    return tuple_of(w, all, shapes);
}

static struct computation *make_condition(struct wrapping *w,
                                          const struct shape *state)
{
    struct computation *c = program_computation(w->program, "form_more");
    int s = program_parameter(w->program, c, 0, state);
    const int operands[] = {add_element(w, c, s, AT_TRIP),
                            add_element(w, c, s, AT_TRIPS)};
    c->root = form_build_add(w->program, c, &op_Lt, 2, operands, 0, NULL);
    return c;
}

static struct computation *make_body(struct wrapping *w,
                                     const struct form *form,
                                     const struct shape *state)
{
    int n = w->from->count, all = state->rank;
    struct computation *c = program_computation(w->program, "form_trip");
    int s = program_parameter(w->program, c, 0, state);
    int *next = arena_new(w->arena, int, (size_t)all);
    const int add[] = {
        add_element(w, c, s, AT_TRIP),
        form_build_constant(w->program, c, scalar(w->arena, DT_s32, 1))};
    next[AT_TRIP] = form_build_add(w->program, c, &op_Add, 2, add, 0, NULL);
    next[AT_TRIPS] = add_element(w, c, s, AT_TRIPS);
    next[AT_RESULT] = add_from_tuple(w, c, s, AT_OPERANDS);
    for (int i = AT_OPERANDS; i < all; i++) {
        int from = copies(form) == 1 ? i : i < AT_OPERANDS + n ? i + n : i - n;
        next[i] = add_element(w, c, s, from);
    }
    c->root = form_build_add(w->program, c, &op_Tuple, all, next, 0, NULL);
    return c;
}

static void loop(struct wrapping *w, const struct form *form)
{
    int n = w->from->count;
    const struct shape *state = state_shape(w, form);
    int *init = arena_new(w->arena, int, (size_t)state->rank);
    struct literal *trips = scalar(w->arena, DT_s32, (uint64_t)form->trips);
    init[AT_TRIPS] = add_parameter(w, trips, -1);
    init[AT_TRIP] = add_zeros(w, w->entry, trips->shape);
    init[AT_RESULT] = add_zeros(w, w->entry, state->elements[AT_RESULT]);
    for (int i = AT_OPERANDS; i < state->rank; i++)
        init[i] = i < AT_OPERANDS + n
                      ? w->parameters[i - AT_OPERANDS]
                      : add_zeros(w, w->entry, state->elements[i]);
    int first = form_build_add(w->program, w->entry, &op_Tuple, state->rank,
                               init, 0, NULL);
    const struct attribute at[] = {
        calls(w->arena, ATTRIBUTE_CONDITION, make_condition(w, state)),
        calls(w->arena, ATTRIBUTE_BODY, make_body(w, form, state))};
    int last =
        form_build_add(w->program, w->entry, &op_While, 1, &first, 2, at);
    w->entry->root = add_element(w, w->entry, last, AT_RESULT);
}

/* ---- Map ----------------------------------------------------------------- */

static bool map(struct wrapping *w, struct status *st)
{
    const struct form_case *from = w->from;
    const struct instruction *in = form_suit_single(from->program);
    if (!in || from->count == 0)
        return FAIL(st, UNSUPPORTED, "Map takes one operation");
    const struct shape *s = from->inputs[0]->shape;
    struct computation *c = program_computation(w->program, "form_each");
    int *own = arena_new(w->arena, int, (size_t)from->count + 1);
    for (int i = 0; i < from->count; i++) {
        const struct shape *own_shape = from->inputs[i]->shape;
        if (own_shape->kind != SHAPE_ARRAY || !shape_same_dims(own_shape, s))
            return FAIL(st, UNSUPPORTED, "Map takes operands of equal sizes");
        own[i] = program_parameter(w->program, c, i,
                                   shape_scalar(w->arena, own_shape->dtype));
    }
    c->root = form_build_add(w->program, c, in->op, from->count, own,
                             in->attribute_count, in->attributes);
    int64_t *dimensions = arena_new(w->arena, int64_t, (size_t)s->rank + 1);
    for (int d = 0; d < s->rank; d++)
        dimensions[d] = d;
    const struct attribute at[] = {calls(w->arena, ATTRIBUTE_COMPUTATION, c),
                                   {.name = ATTRIBUTE_DIMENSIONS,
                                    .form = SPEC_INTS,
                                    .count = s->rank,
                                    .ints = dimensions}};
    w->entry->root = form_build_add(w->program, w->entry, &op_Map, from->count,
                                    w->parameters, 2, at);
    return true;
}

bool form_control(struct arena *a, const struct form *form, struct form_case *c,
                  struct status *st)
{
    struct wrapping w = begin(a, c);
    switch (form->control) {
    case FORM_CONTROL_NONE:
        return true;
    case FORM_CONTROL_CALL:
        call(&w);
        break;
    case FORM_CONTROL_BRANCH:
        branch(&w);
        break;
    case FORM_CONTROL_LOOP:
    case FORM_CONTROL_MOVING:
        loop(&w, form);
        break;
    case FORM_CONTROL_MAP:
        TRY(map(&w, st));
        break;
    }
    TRY(program_infer(w.program, st));
    *c = w.to;
    return true;
}
