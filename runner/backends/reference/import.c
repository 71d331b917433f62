/* import.c - see import.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * An attribute of the ABI has a kind; which of the interpreter's forms it is
 * in, the specification of its operation says.
 */
#include "runner/backends/reference/import.h"

#include <string.h>

#include "interp/program/op_table.h"

struct import {
    struct arena *arena;
    struct program *program;
    struct computation **computations;
};

bool import_shape(struct arena *a, const assay_shape *from,
                  const struct shape **shape, struct status *st)
{
    size_t rank = from->rank > 0 ? (size_t)from->rank : 0;
    enum dtype type;
    if (from->kind == ASSAY_TOKEN) {
        *shape = shape_token(a);
        return true;
    }
    if (from->kind == ASSAY_TUPLE) {
        const struct shape **elements =
            arena_new(a, const struct shape *, rank);
        for (size_t i = 0; i < rank; i++)
            TRY(import_shape(a, from->elements[i], &elements[i], st));
        *shape = shape_tuple(a, (int)rank, elements);
        return true;
    }
    if (from->kind != ASSAY_ARRAY || rank > SHAPE_RANK_MAX
        || !dtype_parse(from->dtype, strlen(from->dtype), &type))
        return FAIL(st, UNSUPPORTED, "a shape of another kind");
    bool *dynamic = arena_new(a, bool, rank);
    for (size_t i = 0; from->dynamic && i < rank; i++)
        dynamic[i] = from->dynamic[i] != 0;
    *shape = shape_dynamic(a, type, (int)rank, from->dims,
                           from->dynamic ? dynamic : NULL);
    return true;
}

bool import_literal(struct arena *a, const struct shape *shape,
                    const assay_tensor *const *list, int *next,
                    struct literal **literal, struct status *st)
{
    struct literal *l = literal_new(a, shape);
    *literal = l;
    if (shape->kind == SHAPE_TUPLE) {
        for (int i = 0; i < shape->rank; i++)
            TRY(import_literal(a, shape->elements[i], list, next,
                               &l->elements[i], st));
        return true;
    }
    const assay_tensor *t = list[(*next)++];
    if (shape->kind == SHAPE_TOKEN)
        return true;
    int64_t bytes = shape_bytes(shape);
    if (t->bytes != (uint64_t)bytes)
        return FAIL(st, SYSTEM, "%llu bytes for a shape of %lld",
                    (unsigned long long)t->bytes, (long long)bytes);
    if (bytes > 0)
        memcpy(l->data, t->data, (size_t)bytes);
    for (int i = 0; t->sizes && l->sizes && i < shape->rank; i++)
        l->sizes[i] = t->sizes[i];
    return true;
}

static bool read_computations(struct import *im, const assay_attribute *from,
                              struct attribute *to, struct status *st)
{
    size_t n = (size_t)from->count;
    to->computation_count = (int)n;
    to->computations = arena_new(im->arena, const struct computation *, n);
    to->builtins = arena_new(im->arena, const char *, n);
    for (size_t i = 0; i < n; i++) {
        int64_t k = from->ints[i];
        if (k >= im->program->computation_count)
            return FAIL(st, STRUCTURE, "no computation %lld", (long long)k);
        if (k >= 0)
            to->computations[i] = im->computations[k];
        else if (from->string)
            to->builtins[i] = arena_printf(im->arena, "%s", from->string);
        else
            return FAIL(st, STRUCTURE, "an unknown computation");
    }
    return true;
}

/* The leaves of a literal; a tuple is recognised by its shape, or by the
 * instruction's. */
static bool read_literal(struct import *im, const assay_attribute *from,
                         const assay_shape *fallback, struct attribute *to,
                         struct status *st)
{
    const assay_shape *shape = from->shape;
    const struct shape *s;
    int next = 0;
    if (!shape && from->count == 1)
        shape = from->literals[0]->shape;
    if (!shape)
        shape = fallback;
    if (!shape)
        return FAIL(st, UNSUPPORTED, "a literal without a shape");
    TRY(import_shape(im->arena, shape, &s, st));
    if (shape_leaves(s) != from->count)
        return FAIL(st, SYSTEM, "a literal of %d leaves", from->count);
    struct literal *literal;
    TRY(import_literal(im->arena, s, from->literals, &next, &literal, st));
    to->literal = literal;
    return true;
}

static bool read_attribute(struct import *im, const struct spec_op *op,
                           const assay_instruction *in,
                           const assay_attribute *from, struct attribute *to,
                           struct status *st)
{
    const struct spec_attribute *s =
        op ? spec_attribute_or_member(op, attribute_name_find(from->name))
           : NULL;
    if (!s)
        return FAIL(st, UNSUPPORTED, "attribute '%s'", from->name);
    to->name = s->id;
    to->form = s->form;
    size_t n = from->count > 0 ? (size_t)from->count : 0;
    if (from->string)
        to->string = arena_printf(im->arena, "%s", from->string);
    switch (from->kind) {
    case ASSAY_COMPUTATIONS:
        return read_computations(im, from, to, st);
    case ASSAY_SHAPE_VALUE:
        return import_shape(im->arena, from->shape, &to->shape, st);
    case ASSAY_LITERAL:
        return read_literal(im, from, in->shape, to, st);
    case ASSAY_STRING:
        if (s->form == SPEC_TYPE
            && !dtype_parse(to->string, strlen(to->string), &to->dtype))
            return FAIL(st, UNSUPPORTED, "type %s", to->string);
        return true;
    default:
        break;
    }
    int64_t *ints = arena_new(im->arena, int64_t, n + 1);
    int64_t *parts = arena_new(im->arena, int64_t, (size_t)from->part_count);
    if (n > 0)
        memcpy(ints, from->ints, n * sizeof *ints);
    if (from->part_count > 0)
        memcpy(parts, from->parts, (size_t)from->part_count * sizeof *parts);
    to->ints = ints;
    to->count = (int)n;
    to->parts = parts;
    to->part_count = (int)from->part_count;
    return true;
}

static bool read_instruction(struct import *im, struct computation *c,
                             const assay_instruction *from, struct status *st)
{
    const struct op *op = op_table_find(from->op);
    size_t n = (size_t)from->attribute_count;
    size_t count = (size_t)from->operand_count;
    struct attribute *attributes = arena_new(im->arena, struct attribute, n);
    int *operands = arena_new(im->arena, int, count);
    if (!op)
        return FAIL(st, UNSUPPORTED, "operation %s", from->op);
    for (size_t i = 0; i < count; i++)
        operands[i] = from->operands[i];
    for (size_t i = 0; i < n; i++)
        TRY(read_attribute(im, spec_op_find(from->op), from,
                           from->attributes[i], &attributes[i], st));
    struct instruction in = {.name = arena_printf(im->arena, "%s", from->name),
                             .op = op,
                             .operand_count = (int)count,
                             .operands = operands,
                             .attribute_count = (int)n,
                             .attributes = attributes};
    program_add(im->program, c, &in);
    return true;
}

/* The entry of each process, where programs differ. */
static bool import_entries(struct import *im, const assay_program *from,
                           size_t n, struct status *st)
{
    if (!ASSAY_HAS(assay_program, from, entries) || !from->entries)
        return true;
    size_t rows = (size_t)from->replicas * (size_t)from->partitions;
    im->program->entries =
        arena_new(im->arena, const struct computation *, rows);
    for (size_t i = 0; i < rows; i++) {
        if (from->entries[i] < 0 || (size_t)from->entries[i] >= n)
            return FAIL(st, STRUCTURE, "a program has no entry");
        im->program->entries[i] = im->computations[from->entries[i]];
    }
    return true;
}

bool import_program(struct arena *a, const assay_program *from,
                    const struct limits *limits, struct program **program,
                    struct status *st)
{
    struct import im = {.arena = a, .program = program_new(a, limits)};
    size_t n = (size_t)from->computation_count;
    im.computations = arena_new(a, struct computation *, n);
    im.program->replicas = from->replicas;
    im.program->partitions = from->partitions;
    for (size_t i = 0; i < n; i++)
        im.computations[i] = program_computation(
            im.program, arena_printf(a, "%s", from->computations[i]->name));
    for (size_t i = 0; i < n; i++) {
        const assay_computation *c = from->computations[i];
        for (int k = 0; k < c->instruction_count; k++)
            TRY(read_instruction(&im, im.computations[i], c->instructions[k],
                                 st));
        im.computations[i]->root = c->root;
        im.computations[i]->associative = c->flags & ASSAY_FLAG_ASSOCIATIVE;
    }
    if (from->entry < 0 || (size_t)from->entry >= n)
        return FAIL(st, STRUCTURE, "the program has no entry");
    im.program->entry = im.computations[from->entry];
    TRY(import_entries(&im, from, n, st));
    *program = im.program;
    return true;
}
