/* form_apply.c - see form_apply.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Forms are applied in the order of the kinds: data first; then operands become
 * constants or come from a producer, a consumer follows the result, and control
 * surrounds all of it.
 */
#include "interp/form/form_apply.h"

#include "interp/formula/formula.h"
#include "interp/program/evaluate.h"
#include "interp/program/op_table.h"

/* ---- Operands ------------------------------------------------------------ */

/* The program while its operands or its result are rewritten. */
struct writing {
    struct form_case *c;
    struct formula f; /* of the new program */
    int *map;         /* from numbers in the old entry */
};

/* "operand" in a formula is the only operand of this instruction. */
static struct instruction *stand_in(struct arena *a, int number,
                                    const struct shape *shape)
{
    struct instruction *in = arena_new(a, struct instruction, 1);
    int *operands = arena_new(a, int, 1);
    operands[0] = number;
    *in = (struct instruction){.op = &op_Tuple,
                               .operand_count = 1,
                               .operands = operands,
                               .shape = shape};
    return in;
}

static struct writing begin(struct arena *a, struct form_case *c)
{
    struct program *q = form_build_program(a, c->program);
    const struct computation *from = c->program->entry;
    int *map = arena_new(a, int, (size_t)from->count + 1);
    q->entry = program_computation(q, from->name);
    q->entry->associative = from->associative;
    return (struct writing){.c = c,
                            .f = {.arena = a,
                                  .name = "form",
                                  .old = c->program,
                                  .program = q,
                                  .entry = q->entry,
                                  .map = map},
                            .map = map};
}

/* The profile under which data are moved: they are the same under each. */
static bool any_profile(const struct profile **profile, struct status *st)
{
    static struct arena arena = ARENA_INIT;
    static const struct profile *known;
    if (!known)
        TRY(profile_load(&arena, "spec", &known, st));
    *profile = known;
    return true;
}

/* Applies the instructions of `before` to a value. */
static bool make_before(struct arena *a, const struct limits *limits,
                        const struct form *form, struct literal **value,
                        struct status *st)
{
    const struct profile *profile;
    struct program *old = program_new(a, limits), *q = program_new(a, limits);
    int map[1] = {0};
    old->entry = program_computation(old, "main");
    q->entry = program_computation(q, "main");
    program_parameter(old, old->entry, 0, (*value)->shape);
    program_parameter(q, q->entry, 0, (*value)->shape);
    old->entry->instructions[0]->shape = (*value)->shape;
    struct formula f = {.arena = a,
                        .name = "form",
                        .old = old,
                        .program = q,
                        .entry = q->entry,
                        .in = stand_in(a, 0, (*value)->shape),
                        .map = map};
    TRY(formula_add(&f, form->before, &q->entry->root, st));
    TRY(program_infer(q, st) && any_profile(&profile, st));
    struct machine m = {
        .program = q, .profile = profile, .limits = limits, .replicas = 1};
    struct outcome out;
    struct literal *const row[1] = {*value};
    struct literal *const *const rows[1] = {row};
    TRY(evaluate_program(a, &m, rows, &out, st));
    *value = out.value;
    return true;
}

/* Parameter i, or what stands for it: its number in the new entry. */
static bool write_operand(struct writing *w, const struct form_use *use, int i,
                          struct form_case *to, int *number, struct status *st)
{
    struct arena *a = w->f.arena;
    const struct form *form = use->what;
    struct literal *value = w->c->inputs[i];
    int old = w->c->program->entry->parameters[i], n = to->count;
    bool wanted = (use->operand < 0 || w->c->origins[i] == use->operand)
                  && form_suit_fits(form, value->shape);
    if (wanted && form->constant) {
        *number = form_build_constant(w->f.program, w->f.entry, value);
        return true;
    }
    if (wanted && form->before)
        TRY(make_before(a, w->f.program->limits, form, &value, st));
    *number = program_parameter(w->f.program, w->f.entry, n, value->shape);
    ((struct literal **)to->inputs)[n] = value;
    ((int *)to->origins)[n] = w->c->origins[i];
    to->count++;
    if (!wanted)
        return true;
    w->map[old] = *number;
    w->f.in = stand_in(a, old, value->shape);
    return formula_add(&w->f, form->operand, number, st);
}

static bool write_operands(struct arena *a, const struct form_use *use,
                           struct form_case *c, struct status *st)
{
    struct writing w = begin(a, c);
    size_t n = (size_t)c->count + 1;
    struct form_case to = {.program = w.f.program,
                           .inputs = arena_new(a, struct literal *, n),
                           .origins = arena_new(a, int, n)};
    int *parameters = arena_new(a, int, n);
    for (int i = 0; i < c->count; i++)
        TRY(write_operand(&w, use, i, &to, &parameters[i], st));
    w.f.entry->root =
        form_build_body(w.f.program, w.f.entry, c->program->entry, parameters);
    TRY(program_infer(to.program, st));
    *c = to;
    return true;
}

/* ---- Results ------------------------------------------------------------- */

/* The consumer of one array, and its inverse behind a barrier, so that the two
 * are not folded into nothing. */
static bool write_array(struct writing *w, const struct form *form, int old,
                        int *number, struct status *st)
{
    const struct shape *s = w->f.old->entry->instructions[old]->shape;
    w->f.in = stand_in(w->f.arena, old, s);
    TRY(formula_add(&w->f, form->result, number, st));
    w->map[old] = form_build_add(w->f.program, w->f.entry,
                                 &op_OptimizationBarrier, 1, number, 0, NULL);
    return formula_add(&w->f, form->after, number, st);
}

/* The root's elements, as instructions of an old entry that has them. */
static bool write_result(struct arena *a, const struct form_use *use,
                         struct form_case *c, struct status *st)
{
    struct writing w = begin(a, c);
    struct program *q = w.f.program, *old = form_build_program(a, c->program);
    const struct computation *from = c->program->entry;
    const struct shape *result = from->result;
    bool tuple = result->kind == SHAPE_TUPLE;
    int n = tuple ? result->rank : 1, root;
    int *parameters = arena_new(a, int, (size_t)c->count + 1);
    int *leaves = arena_new(a, int, (size_t)n + 1);
    for (int i = 0; i < c->count; i++)
        parameters[i] = program_parameter(q, q->entry, i, c->inputs[i]->shape);
    root = form_build_body(q, q->entry, from, parameters);
    /* The formulas' "old" program is one whose values are the leaves. */
    old->entry = program_computation(old, "leaves");
    w.f.old = old;
    w.map = arena_new(a, int, (size_t)n + 1);
    w.f.map = w.map;
    for (int i = 0; i < n; i++) {
        const struct shape *s = tuple ? result->elements[i] : result;
        const struct attribute index = form_build_number(a, ATTRIBUTE_INDEX, i);
        leaves[i] = !tuple ? root
                           : form_build_add(q, q->entry, &op_GetTupleElement, 1,
                                            &root, 1, &index);
        program_parameter(old, old->entry, i, s);
        old->entry->instructions[i]->shape = s;
        w.map[i] = leaves[i];
        if (form_suit_fits(use->what, s))
            TRY(write_array(&w, use->what, i, &leaves[i], st));
    }
    q->entry->root =
        tuple ? form_build_add(q, q->entry, &op_Tuple, n, leaves, 0, NULL)
              : leaves[0];
    TRY(program_infer(q, st));
    c->program = q;
    return true;
}

/* ---- All ----------------------------------------------------------------- */

static bool write_one(struct arena *a, const struct form_use *use,
                      struct form_case *c, struct status *st)
{
    const struct form *form = use->what;
    if (!form)
        return true;
    if (form->operand || form->constant)
        return write_operands(a, use, c, st);
    if (form->result)
        return write_result(a, use, c, st);
    return form->control == FORM_CONTROL_NONE || form_control(a, form, c, st);
}

bool form_apply(struct arena *a, const struct limits *limits,
                const struct form_uses *uses, const struct form_case *plain,
                struct form_case *data, struct form_case *written,
                struct status *st)
{
    /* Control surrounds what the others wrote. */
    static const enum form_family order[] = {FORM_SHAPE,    FORM_OPERAND,
                                             FORM_PRODUCER, FORM_CONSUMER,
                                             FORM_COMPANY,  FORM_CONTROL};
    *data = *plain;
    for (size_t i = 0; i < FORM_FAMILIES; i++) {
        const struct form_use *use = &uses->of[order[i]];
        if (use->what && !form_suit(use, i == 0 ? plain : data))
            return FAIL(st, UNSUPPORTED, "form %s does not apply",
                        use->what->id);
        if (use->what && form_is_data(use->what))
            TRY(form_data(a, use, data, st));
    }
    *written = *data;
    /* But Map takes the place of the operation, before there are more. */
    const struct form *control = uses->of[FORM_CONTROL].what;
    bool mapped = control && control->control == FORM_CONTROL_MAP;
    if (mapped)
        TRY(form_control(a, control, written, st));
    for (size_t i = 0; i < FORM_FAMILIES; i++)
        if (order[i] != FORM_CONTROL || !mapped)
            TRY(write_one(a, &uses->of[order[i]], written, st));
    /* Exact by construction, so at least the shape must be the same. */
    if (!shape_equal(written->program->entry->result,
                     data->program->entry->result))
        return FAIL(st, UNSUPPORTED, "the form gives another shape");
    return true;
}
