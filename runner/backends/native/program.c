/* program.c - the table of operations; a program is copied and checked.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The host's program is gone when compile returns, so it is copied.  Then
 * every instruction is checked, operands first: its check finds the shape of
 * the result, or the first thing that is wrong, with its class.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "native.h"

static const struct op ops[] = {
#define OP(NAME, LEAST, MOST, CHECK, RUN) \
    {#NAME, LEAST, MOST, CHECK, RUN, NULL, 0},
#define GROUP(NAME, LEAST, MOST, CHECK, RUN) \
    {#NAME, LEAST, MOST, CHECK, NULL, RUN, 0},
#define OP_SIZED(NAME, LEAST, MOST, CHECK, RUN) \
    {#NAME, LEAST, MOST, CHECK, RUN, NULL, 1},
#define GROUP_SIZED(NAME, LEAST, MOST, CHECK, RUN) \
    {#NAME, LEAST, MOST, CHECK, NULL, RUN, 1},
#include "ops.def"
#undef OP
#undef GROUP
#undef OP_SIZED
#undef GROUP_SIZED
};

static const char op_names[] =
#define OP(NAME, LEAST, MOST, CHECK, RUN) #NAME " "
#define GROUP                             OP
#define OP_SIZED                          OP
#define GROUP_SIZED                       OP
#include "ops.def"
#undef OP
#undef GROUP
#undef OP_SIZED
#undef GROUP_SIZED
    ;

const struct op *program_op(const char *name)
{
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (strcmp(ops[i].name, name) == 0)
            return &ops[i];
    return NULL;
}

const char *program_op_names(void)
{
    return op_names;
}

/* "Add 'sum': lhs has ..." */
assay_code program_fail(struct check *c, assay_code code, const char *format,
                        ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return memory_fail(c->error, code, "%s '%s': %s", c->node->op->name,
                       c->node->name, text);
}

assay_code program_arrays(struct check *c)
{
    for (int i = 0; i < c->count; i++)
        if (c->operands[i]->kind != ASSAY_ARRAY)
            return program_fail(c, ASSAY_TYPE, "operand %d is not an array", i);
    return ASSAY_OK;
}

/* ---- Copying ------------------------------------------------------------- */

/* A tuple's shape is the attribute's or else the instruction's. */
static assay_code read_literal(struct memory *m, const assay_instruction *in,
                               const assay_attribute *from,
                               struct attribute *to, assay_error *error)
{
    struct value **leaves =
        memory_new(m, (size_t)from->count + 1, sizeof *leaves);
    for (int32_t i = 0; i < from->count; i++) {
        const assay_tensor *t = from->literals[i];
        const struct shape *shape;
        TRY(shape_read(m, t->shape, &shape, error));
        leaves[i] = value_new(m, shape);
        if (t->bytes != (uint64_t)(shape_count(shape) * shape->type->bytes))
            return memory_fail(
                error, ASSAY_FAILED,
                "a literal's size in bytes does not match its shape");
        if (t->bytes > 0)
            memcpy(leaves[i]->data, t->data, t->bytes);
        for (int k = 0;
             leaves[i]->sizes != NULL && t->sizes != NULL && k < shape->rank;
             k++)
            leaves[i]->sizes[k] = t->sizes[k];
    }
    const assay_shape *shape = from->shape;
    int next = 0;
    if (shape == NULL && from->count == 1)
        shape = from->literals[0]->shape;
    if (shape == NULL)
        shape = in->shape;
    if (shape == NULL)
        return memory_fail(error, ASSAY_UNSUPPORTED,
                           "a tuple literal without a shape");
    TRY(shape_read(m, shape, &to->shape, error));
    if (shape_leaves(to->shape) == from->count)
        to->literal = value_of(m, to->shape, leaves, &next);
    return ASSAY_OK;
}

static assay_code read_attribute(struct memory *m, const assay_instruction *in,
                                 const assay_attribute *from,
                                 struct attribute *to, assay_error *error)
{
    to->name = memory_text(m, from->name);
    to->kind = from->kind;
    switch (from->kind) {
    case ASSAY_GROUPS:
        to->part_count = from->part_count;
        to->parts = memory_ints(m, from->parts, from->part_count);
        /* fall through */
    case ASSAY_INTS:
    case ASSAY_COMPUTATIONS:
        to->count = from->count;
        to->ints = memory_ints(m, from->ints, from->count);
        if (from->string != NULL) /* a built-in computation's name */
            to->string = memory_text(m, from->string);
        return ASSAY_OK;
    case ASSAY_STRING:
        to->string = memory_text(m, from->string);
        return ASSAY_OK;
    case ASSAY_SHAPE_VALUE:
        return shape_read(m, from->shape, &to->shape, error);
    case ASSAY_LITERAL:
        return read_literal(m, in, from, to, error);
    default:
        return memory_fail(error, ASSAY_UNSUPPORTED,
                           "attribute %s has an unknown kind", from->name);
    }
}

static int has_dynamic(const assay_shape *s)
{
    if (s->kind == ASSAY_TUPLE)
        for (int32_t i = 0; i < s->rank; i++)
            if (has_dynamic(s->elements[i]))
                return 1;
    return s->kind == ASSAY_ARRAY && s->dynamic != NULL;
}

static assay_code read_node(struct memory *m, const assay_instruction *from,
                            int number, struct node *to, assay_error *error)
{
    to->op = program_op(from->op);
    to->name = memory_text(m, from->name);
    to->count = from->operand_count;
    int32_t *operands = memory_new(m, (size_t)to->count + 1, sizeof *operands);
    for (int i = 0; i < to->count; i++) {
        operands[i] = from->operands[i];
        if (operands[i] < 0 || operands[i] >= number)
            return memory_fail(error, ASSAY_STRUCTURE,
                               "'%s' uses an instruction after it", to->name);
    }
    to->operands = operands;
    if (from->shape != NULL && has_dynamic(from->shape)
        && shape_read(m, from->shape, &to->given, error) != ASSAY_OK)
        return ASSAY_UNSUPPORTED;
    if (to->count < to->op->least
        || (to->op->most >= 0 && to->count > to->op->most))
        return memory_fail(error, ASSAY_STRUCTURE, "%s '%s' has %d operands",
                           to->op->name, to->name, to->count);
    to->attribute_count = from->attribute_count;
    to->attributes =
        memory_new(m, (size_t)to->attribute_count + 1, sizeof *to->attributes);
    for (int i = 0; i < to->attribute_count; i++)
        TRY(read_attribute(m, from, from->attributes[i], &to->attributes[i],
                           error));
    return ASSAY_OK;
}

static assay_code read_computation(struct memory *m,
                                   const assay_computation *from,
                                   struct computation *to, assay_error *error)
{
    to->name = memory_text(m, from->name);
    to->count = from->instruction_count;
    to->root = from->root;
    to->nodes = memory_new(m, (size_t)to->count + 1, sizeof *to->nodes);
    if (to->root < 0 || to->root >= to->count)
        return memory_fail(error, ASSAY_STRUCTURE, "%s has no root", to->name);
    for (int i = 0; i < to->count; i++)
        TRY(read_node(m, from->instructions[i], i, &to->nodes[i], error));
    return ASSAY_OK;
}

/* ---- Checking ------------------------------------------------------------ */

static int is_parameter(const struct computation *c, int node, int64_t number)
{
    return strcmp(c->nodes[node].op->name, "Parameter") == 0
           && attribute_int(&c->nodes[node], "parameter_number", -1) == number;
}

/* Is c one binary operation on its parameters, so that Reduce need not run
 * it as a program? */
static const struct op *simple(const struct computation *c)
{
    const struct node *root = &c->nodes[c->root];
    if (c->parameter_count != 2 || root->count != 2
        || binary_find(root->op->name) == NULL)
        return NULL;
    for (int i = 0; i < 2; i++)
        if (!shape_is_scalar(c->parameters[i]))
            return NULL;
    if (is_parameter(c, root->operands[0], 0)
        && is_parameter(c, root->operands[1], 1))
        return root->op;
    if (is_parameter(c, root->operands[0], 1)
        && is_parameter(c, root->operands[1], 0)
        && strstr(" Add Mul Max Min And Or Xor ", root->op->name) != NULL)
        return root->op;
    return NULL;
}

/* The parameters must be numbered 0, 1, ... */
static assay_code find_parameters(struct memory *m, struct computation *c,
                                  assay_error *error)
{
    c->parameters = memory_new(m, (size_t)c->count + 1, sizeof *c->parameters);
    for (int i = 0; i < c->count; i++) {
        const struct node *n = &c->nodes[i];
        if (strcmp(n->op->name, "Parameter") != 0)
            continue;
        int64_t number = attribute_int(n, "parameter_number", -1);
        const struct attribute *shape = attribute_find(n, "shape");
        if (number < 0 || number >= c->count || shape == NULL
            || shape->shape == NULL)
            return memory_fail(error, ASSAY_STRUCTURE, "%s: bad parameter '%s'",
                               c->name, n->name);
        if (c->parameters[number] != NULL)
            return memory_fail(error, ASSAY_STRUCTURE,
                               "%s: duplicate parameter %d", c->name,
                               (int)number);
        c->parameters[number] = shape->shape;
        c->parameter_count++;
    }
    for (int i = 0; i < c->parameter_count; i++)
        if (c->parameters[i] == NULL)
            return memory_fail(error, ASSAY_STRUCTURE,
                               "%s: parameter %d is missing", c->name, i);
    return ASSAY_OK;
}

static assay_code check_computation(struct memory *m, struct program *p,
                                    struct computation *c, assay_error *error)
{
    if (c->state == 2)
        return ASSAY_OK;
    if (c->state == 1)
        return memory_fail(error, ASSAY_STRUCTURE, "%s calls itself", c->name);
    c->state = 1;
    for (int i = 0; i < c->count; i++) {
        struct node *n = &c->nodes[i];
        const struct shape **operands =
            memory_new(m, (size_t)n->count + 1, sizeof *operands);
        for (int j = 0; j < n->count; j++) {
            operands[j] = c->nodes[n->operands[j]].shape;
            if (!n->op->sized && shape_is_dynamic(operands[j]))
                n->dynamic = 1;
        }
        struct check check = {m, error, p, n, n->count, operands, NULL};
        TRY(n->dynamic ? dynamic_check(&check) : n->op->check(&check));
        TRY(shape_check(check.result, error));
        n->shape = check.result;
    }
    c->simple = simple(c);
    c->state = 2;
    return feed_check_order(m, p, c, error);
}

assay_code program_called(struct check *c, const char *attribute, int which,
                          int count, const struct shape *const *parameters,
                          const struct computation **called)
{
    const struct attribute *a;
    TRY(attribute_need(c, attribute, &a));
    if (which < a->count && a->ints[which] < 0 && a->string != NULL)
        return program_fail(c, ASSAY_COMPUTATION,
                            "'%s' is not defined for these types", a->string);
    if (which >= a->count || a->ints[which] < 0
        || a->ints[which] >= c->program->count)
        return program_fail(c, ASSAY_STRUCTURE, "%s names no computation",
                            attribute);
    struct computation *f = &c->program->computations[a->ints[which]];
    TRY(check_computation(c->memory, c->program, f, c->error));
    if (f->parameter_count != count)
        return program_fail(c, ASSAY_COMPUTATION,
                            "%s has %d parameters; expected %d", f->name,
                            f->parameter_count, count);
    for (int i = 0; i < count; i++)
        if (!shape_equal(f->parameters[i], parameters[i]))
            return program_fail(c, ASSAY_COMPUTATION,
                                "parameter %d of %s has another shape", i,
                                f->name);
    *called = f;
    return ASSAY_OK;
}

assay_code program_reducer(struct check *c, const char *attribute, int n,
                           const struct shape *const *shapes,
                           const struct computation **called)
{
    TRY(program_called(c, attribute, 0, 2 * n, shapes, called));
    const struct computation *f = *called;
    if (!shape_equal(f->nodes[f->root].shape,
                     shape_joined(c->memory, n, shapes)))
        return program_fail(c, ASSAY_COMPUTATION,
                            "the result of %s has another shape", f->name);
    return ASSAY_OK;
}

/* Unsupported features are reported first: whatever else is wrong with a
 * program, this backend cannot judge it. */
static assay_code find_ops(const assay_program *from, assay_error *error)
{
    for (int i = 0; i < from->computation_count; i++) {
        const assay_computation *c = from->computations[i];
        for (int j = 0; j < c->instruction_count; j++)
            if (program_op(c->instructions[j]->op) == NULL)
                return memory_fail(error, ASSAY_UNSUPPORTED, "operation %s",
                                   c->instructions[j]->op);
    }
    return ASSAY_OK;
}

static assay_code read_entries(struct memory *m, const assay_program *from,
                               struct program *p, assay_error *error)
{
    int n = p->replicas * p->partitions;
    int valid = p->entry >= 0 && p->entry < p->count;
    int differ =
        ASSAY_HAS(assay_program, from, entries) && from->entries != NULL;
    p->entries = memory_new(m, (size_t)n, sizeof *p->entries);
    for (int i = 0; i < n; i++) {
        p->entries[i] = differ ? from->entries[i] : p->entry;
        valid = valid && p->entries[i] >= 0 && p->entries[i] < p->count;
    }
    if (!valid)
        return memory_fail(error, ASSAY_STRUCTURE, "no entry computation");
    return ASSAY_OK;
}

assay_code program_read(struct memory *m, const assay_program *from,
                        struct program **program, assay_error *error)
{
    struct program *p = memory_new(m, 1, sizeof *p);
    p->count = from->computation_count;
    p->entry = from->entry;
    p->replicas = from->replicas < 1 ? 1 : from->replicas;
    p->partitions = from->partitions < 1 ? 1 : from->partitions;
    p->computations =
        memory_new(m, (size_t)p->count + 1, sizeof *p->computations);
    *program = p;
    TRY(find_ops(from, error));
    for (int i = 0; i < p->count; i++)
        TRY(read_computation(m, from->computations[i], &p->computations[i],
                             error));
    for (int i = 0; i < p->count; i++)
        TRY(find_parameters(m, &p->computations[i], error));
    TRY(read_entries(m, from, p, error));
    TRY(check_computation(m, p, &p->computations[p->entry], error));
    for (int i = 0; i < p->count; i++)
        TRY(check_computation(m, p, &p->computations[i], error));
    return ASSAY_OK;
}
