/* slow_program.c - see slow_program.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/test/slow_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/random.h"
#include "interp/program/op_table.h"
#include "interp/test/tap.h"

static const struct limits limits = LIMITS_DEFAULT;

/* Ends a test that is wrong itself. */
static _Noreturn void bail_out(const char *what, const char *why)
{
    printf("Bail out! %s: %s\n", what, why);
    exit(1);
}

struct slow_program *slow_program_new(struct arena *a, const char *op)
{
    struct slow_program *p = arena_new(a, struct slow_program, 1);
    struct status st = {0};
    if (!spec_load(&st))
        bail_out(op, st.text);
    p->arena = a;
    p->op = op_table_find(op);
    p->program = program_new(a, &limits);
    p->replicas = 1;
    p->profile = "strict";
    return p;
}

void slow_program_operand(struct slow_program *p, struct literal *l)
{
    if (p->operand_count == SLOW_OPERANDS)
        bail_out(p->op->name, "too many operands");
    for (int r = 0; r < 8; r++)
        p->operands[r][p->operand_count] = l;
    p->operand_count++;
}

struct literal *slow_program_values(struct slow_program *p, const char *shape,
                                    int count, const int64_t *values)
{
    struct literal *l = slow_program_literal(p->arena, shape, count, values);
    slow_program_operand(p, l);
    return l;
}

static struct attribute *add(struct slow_program *p, enum attribute_name name,
                             enum spec_form form)
{
    if (p->attribute_count == SLOW_ATTRIBUTES)
        bail_out(p->op->name, "too many attributes");
    struct attribute *a = &p->attributes[p->attribute_count++];
    a->name = name;
    a->form = form;
    return a;
}

void slow_program_ints(struct slow_program *p, enum attribute_name name,
                       int count, const int64_t *ints)
{
    const struct spec_attribute *spec =
        spec_attribute_or_member(spec_op_find(p->op->name), name);
    if (!spec)
        bail_out(p->op->name, attribute_name_text(name));
    struct attribute *a = add(p, name, spec->form);
    int64_t *own = arena_new(p->arena, int64_t, (size_t)count + 1);
    if (count > 0)
        memcpy(own, ints, (size_t)count * sizeof *own);
    a->count = count;
    a->ints = own;
}

void slow_program_int(struct slow_program *p, enum attribute_name name,
                      int64_t value)
{
    slow_program_ints(p, name, 1, &value);
}

void slow_program_name(struct slow_program *p, enum attribute_name name,
                       const char *value)
{
    add(p, name, SPEC_NAME)->string = value;
}

void slow_program_type(struct slow_program *p, enum attribute_name name,
                       enum dtype type)
{
    add(p, name, SPEC_TYPE)->dtype = type;
}

void slow_program_shape(struct slow_program *p, enum attribute_name name,
                        const char *text)
{
    struct status st = {0};
    shape_parse(p->arena, text, &add(p, name, SPEC_SHAPE)->shape, &st);
}

void slow_program_builtin(struct slow_program *p, enum attribute_name name,
                          const char *builtin)
{
    struct attribute *a = add(p, name, SPEC_COMPUTATION);
    a->computation_count = 1;
    a->computations = arena_new(p->arena, const struct computation *, 1);
    a->builtins = arena_new(p->arena, const char *, 1);
    a->builtins[0] = builtin;
}

void slow_program_computation(struct slow_program *p, enum attribute_name name,
                              const struct computation *c)
{
    struct attribute *a = add(p, name, SPEC_COMPUTATION);
    a->computation_count = 1;
    a->computations = arena_new(p->arena, const struct computation *, 1);
    a->computations[0] = c;
}

int slow_program_add(struct slow_program *p, struct computation *c,
                     const char *op, int count, const int *operands)
{
    int *own = arena_new(p->arena, int, (size_t)count);
    if (count)
        memcpy(own, operands, (size_t)count * sizeof *own);
    struct instruction in = {.name = op,
                             .op = op_table_find(op),
                             .operand_count = count,
                             .operands = own};
    return program_add(p->program, c, &in);
}

bool slow_program_run(struct slow_program *p)
{
    struct computation *c = program_computation(p->program, "main");
    int operands[SLOW_OPERANDS];
    p->status = (struct status){0};
    for (int i = 0; i < p->operand_count; i++)
        operands[i] =
            program_parameter(p->program, c, i, p->operands[0][i]->shape);
    struct instruction in = {.name = "op",
                             .op = p->op,
                             .operand_count = p->operand_count,
                             .operands = operands,
                             .attribute_count = p->attribute_count,
                             .attributes = p->attributes};
    program_add(p->program, c, &in);
    p->program->entry = c;
    p->program->replicas = p->replicas;
    if (!program_infer(p->program, &p->status))
        return false;
    struct machine m = {.program = p->program,
                        .limits = &limits,
                        .want_exact = p->want_exact,
                        .replicas = p->replicas};
    if (!profile_load(p->arena, p->profile, &m.profile, &p->status))
        return false;
    struct literal *const *inputs[8];
    for (int r = 0; r < 8; r++)
        inputs[r] = p->operands[r];
    return evaluate_program(p->arena, &m, inputs, p->outcomes, &p->status);
}

const struct literal *slow_program_value(const struct slow_program *p)
{
    return p->outcomes[0].value;
}

/* An integer as a unit's pattern. */
static uint64_t pattern(enum dtype unit, int64_t value)
{
    struct real r = real_from_int(value);
    if (dtype_class(unit) == DTYPE_FLOAT)
        return real_round(&r, unit, REAL_OVERFLOW_TYPE);
    return (uint64_t)value & dtype_mask(unit);
}

struct literal *slow_program_literal(struct arena *a, const char *text,
                                     int count, const int64_t *values)
{
    const struct shape *s;
    struct status st = {0};
    if (!shape_parse(a, text, &s, &st)) {
        printf("Bail out! %s: %s\n", text, st.text);
        return NULL;
    }
    struct literal *l = literal_new(a, s);
    for (int64_t i = 0, n = literal_units(l); i < n && count > 0; i++)
        literal_set(l, i, pattern(dtype_unit(s->dtype), values[i % count]));
    return l;
}

struct literal *slow_program_random(struct arena *a, const char *text,
                                    uint64_t seed, int64_t low, int64_t high)
{
    struct literal *l = slow_program_literal(a, text, 0, NULL);
    struct random r = {tap_seed(seed)};
    for (int64_t i = 0, n = literal_units(l); i < n; i++)
        literal_set(l, i,
                    pattern(dtype_unit(l->shape->dtype),
                            random_between(&r, low, high)));
    return l;
}

int64_t slow_program_int_at(const struct literal *l, int64_t i)
{
    enum dtype unit = dtype_unit(l->shape->dtype);
    uint64_t bits = literal_get(l, i);
    if (dtype_class(unit) != DTYPE_FLOAT)
        return dtype_sign_extend(unit, bits);
    struct real r = real_from_bits(unit, bits);
    return real_to_int(&r, DT_s64, &bits) ? (int64_t)bits : INT64_MIN;
}
