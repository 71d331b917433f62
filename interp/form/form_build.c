/* form_build.c - see form_apply.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/form/form_apply.h"
#include "interp/program/op.h"
#include "interp/program/op_table.h"

struct program *form_build_program(struct arena *a, const struct program *p)
{
    struct program *q = program_new(a, p->limits);
    for (int i = 0; i < p->computation_count; i++) {
        if (p->computations[i] == p->entry)
            continue;
        ARENA_GROW(a, q->computations, q->computation_count,
                   q->computation_room);
        q->computations[q->computation_count++] = p->computations[i];
    }
    q->replicas = p->replicas;
    q->partitions = p->partitions;
    return q;
}

/* As formulas call theirs; another in each computation. */
static const char *name_of(struct arena *a, const struct computation *c)
{
    return arena_printf(a, "form_%d", c->count);
}

int form_build_add(struct program *p, struct computation *c,
                   const struct op *op, int operand_count, const int *operands,
                   int attribute_count, const struct attribute *attributes)
{
    struct arena *a = p->arena;
    size_t n = (size_t)operand_count, m = (size_t)attribute_count;
    int *own = arena_new(a, int, n + 1);
    struct attribute *at = arena_new(a, struct attribute, m + 1);
    if (n)
        memcpy(own, operands, n * sizeof *own);
    if (m)
        memcpy(at, attributes, m * sizeof *at);
    const struct instruction in = {.name = name_of(a, c),
                                   .op = op,
                                   .operand_count = operand_count,
                                   .operands = own,
                                   .attribute_count = attribute_count,
                                   .attributes = at};
    return program_add(p, c, &in);
}

int form_build_constant(struct program *p, struct computation *c,
                        const struct literal *value)
{
    const struct attribute at = {
        .name = ATTRIBUTE_LITERAL, .form = SPEC_LITERAL, .literal = value};
    return form_build_add(p, c, &op_Constant, 0, NULL, 1, &at);
}

struct attribute form_build_number(struct arena *a, enum attribute_name name,
                                   int64_t value)
{
    int64_t *number = arena_new(a, int64_t, 1);
    *number = value;
    return (struct attribute){
        .name = name, .form = SPEC_INT, .count = 1, .ints = number};
}

int form_build_body(struct program *p, struct computation *to,
                    const struct computation *from, const int *parameters)
{
    struct arena *a = p->arena;
    int *map = arena_new(a, int, (size_t)from->count + 1);
    for (int i = 0; i < from->parameter_count; i++)
        map[from->parameters[i]] = parameters[i];
    for (int i = 0; i < from->count; i++) {
        const struct instruction *in = from->instructions[i];
        if (in->op->role == OP_ROLE_PARAMETER)
            continue;
        struct instruction copy = *in;
        int *operands = arena_new(a, int, (size_t)in->operand_count + 1);
        for (int k = 0; k < in->operand_count; k++)
            operands[k] = map[in->operands[k]];
        copy.operands = operands;
        if (strncmp(copy.name, "form_", 5) == 0)
            copy.name = name_of(a, to);
        copy.shape = NULL;
        map[i] = program_add(p, to, &copy);
    }
    return map[from->root];
}
