/* abi_case.c - see abi_case.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Structs of the ABI point to what the case holds, in the arena of the case:
 * data are not copied, and all of it lives as long as the case.  spec/abi.md
 * says which member holds an attribute's value, by its form.
 */
#include "runner/plugin/abi_case.h"

#include "interp/base/hash.h"
#include "interp/library/abi.h"
#include "interp/program/op.h"

/* ---- Hashing ------------------------------------------------------------- */

/* A backend must not change what it reads: a plugin that casts the const away
 * and writes is found by the hash (abi_case_whole).  Lists are hashed where
 * they are, so a pointer that was changed is followed to other data.  No shape
 * differs from every shape. */
static void mix_shape(struct hash *h, const assay_shape *s)
{
    if (!s) {
        hash_int(h, UINT64_MAX);
        return;
    }
    hash_int(h, (uint64_t)s->kind << 32 | (uint32_t)s->rank);
    hash_text(h, s->dtype);
    if (s->dims)
        hash_bytes(h, s->dims, (uint64_t)s->rank * sizeof *s->dims);
    if (s->dynamic)
        hash_bytes(h, s->dynamic, (uint64_t)s->rank);
    for (int i = 0; s->elements && i < s->rank; i++)
        mix_shape(h, s->elements[i]);
}

static void mix_attribute(struct hash *h, const assay_attribute *at)
{
    hash_text(h, at->name);
    hash_int(h, (uint64_t)at->kind);
    if (at->ints)
        hash_bytes(h, at->ints, (uint64_t)at->count * sizeof *at->ints);
    if (at->parts)
        hash_bytes(h, at->parts, (uint64_t)at->part_count * sizeof *at->parts);
    hash_text(h, at->string);
    mix_shape(h, at->shape);
    for (int i = 0; at->literals && i < at->count; i++) {
        const assay_tensor *l = at->literals[i];
        mix_shape(h, l->shape);
        hash_bytes(h, l->data, l->bytes);
        if (l->sizes)
            hash_bytes(h, l->sizes,
                       (uint64_t)l->shape->rank * sizeof *l->sizes);
    }
}

static void mix_program(struct hash *h, const assay_program *p)
{
    hash_int(h, (uint64_t)p->entry);
    if (p->entries)
        hash_bytes(h, p->entries,
                   (uint64_t)p->replicas * (uint64_t)p->partitions
                       * sizeof *p->entries);
    hash_int(h, (uint64_t)p->replicas << 32 | (uint32_t)p->partitions);
    for (int i = 0; i < p->computation_count; i++) {
        const assay_computation *c = p->computations[i];
        hash_text(h, c->name);
        hash_int(h, (uint64_t)c->root << 32 | (uint32_t)c->flags);
        for (int j = 0; j < c->instruction_count; j++) {
            const assay_instruction *in = c->instructions[j];
            hash_text(h, in->name);
            hash_text(h, in->op);
            hash_bytes(h, in->operands,
                       (uint64_t)in->operand_count * sizeof *in->operands);
            for (int k = 0; k < in->attribute_count; k++)
                mix_attribute(h, in->attributes[k]);
            mix_shape(h, in->shape);
        }
    }
    for (int i = 0; i < p->input_count; i++)
        mix_shape(h, p->inputs[i]);
}

/* ---- Programs ------------------------------------------------------------ */

static int number_of(const struct program *p, const struct computation *c)
{
    for (int i = 0; i < p->computation_count; i++)
        if (p->computations[i] == c)
            return i;
    return -1;
}

static void literals_of(struct arena *a, assay_attribute *to,
                        const struct literal *l)
{
    int n = shape_leaves(l->shape);
    const assay_tensor **t = arena_new(a, const assay_tensor *, (size_t)n + 1);
    for (int i = 0; i < n; i++)
        t[i] = abi_tensor(a, literal_leaf(l, i));
    to->literals = t;
    to->count = n;
}

/* A built-in computation has no number; its name is the string. */
static void computations_of(struct arena *a, const struct program *p,
                            assay_attribute *to, const struct attribute *from)
{
    int n = from->computation_count;
    int64_t *numbers = arena_new(a, int64_t, (size_t)n + 1);
    for (int i = 0; i < n; i++) {
        numbers[i] =
            from->computations[i] ? number_of(p, from->computations[i]) : -1;
        if (numbers[i] < 0 && from->builtins)
            to->string = from->builtins[i];
    }
    to->kind = ASSAY_COMPUTATIONS;
    to->ints = numbers;
    to->count = n;
}

static const assay_attribute *attribute_of(struct arena *a,
                                           const struct program *p,
                                           const struct attribute *from)
{
    assay_attribute *to = arena_new(a, assay_attribute, 1);
    to->size = sizeof *to;
    to->name = attribute_name_text(from->name);
    to->ints = from->ints;
    to->count = from->count;
    switch (from->form) {
    case SPEC_INT:
    case SPEC_INTS:
    case SPEC_PAIRS:
    case SPEC_BOOL:
    case SPEC_BOOLS:
    case SPEC_NAMES:
    case SPEC_PADDING_CONFIG:
    case SPEC_DIMENSION_NUMBERS:
        to->kind = ASSAY_INTS;
        break;
    case SPEC_GROUPS:
        to->kind = ASSAY_GROUPS;
        to->parts = from->parts;
        to->part_count = from->part_count;
        break;
    case SPEC_TYPE:
        to->kind = ASSAY_STRING;
        to->string = dtype_table[from->dtype].name;
        break;
    case SPEC_WINDOW_PADDING:
        to->kind = from->string ? ASSAY_STRING : ASSAY_INTS;
        to->string = from->string;
        break;
    case SPEC_SHAPE:
        to->kind = ASSAY_SHAPE_VALUE;
        to->shape = abi_shape(a, from->shape);
        break;
    case SPEC_NAME:
    case SPEC_STRING:
    case SPEC_OBJECT:
    case SPEC_ACCURACY:
        to->kind = ASSAY_STRING;
        to->string = from->string;
        if (from->literal)
            literals_of(a, to, from->literal);
        break;
    case SPEC_NUMBER:
    case SPEC_LITERAL:
        to->kind = ASSAY_LITERAL;
        if (from->literal)
            literals_of(a, to, from->literal);
        break;
    case SPEC_COMPUTATION:
    case SPEC_COMPUTATIONS:
        computations_of(a, p, to, from);
        break;
    }
    return to;
}

static const assay_instruction *instruction_of(struct arena *a,
                                               const struct program *p,
                                               const struct instruction *from)
{
    assay_instruction *to = arena_new(a, assay_instruction, 1);
    size_t n = (size_t)from->attribute_count;
    const assay_attribute **attributes =
        arena_new(a, const assay_attribute *, n + 1);
    for (size_t i = 0; i < n; i++)
        attributes[i] = attribute_of(a, p, &from->attributes[i]);
    to->size = sizeof *to;
    to->name = from->name;
    to->op = from->op->name;
    to->operand_count = from->operand_count;
    to->operands = from->operands;
    to->attribute_count = from->attribute_count;
    to->attributes = attributes;
    if (from->shape)
        to->shape = abi_shape(a, from->shape);
    return to;
}

static const assay_computation *computation_of(struct arena *a,
                                               const struct program *p,
                                               const struct computation *from)
{
    assay_computation *to = arena_new(a, assay_computation, 1);
    const assay_instruction **in =
        arena_new(a, const assay_instruction *, (size_t)from->count + 1);
    for (int i = 0; i < from->count; i++)
        in[i] = instruction_of(a, p, from->instructions[i]);
    to->size = sizeof *to;
    to->name = from->name;
    to->instruction_count = from->count;
    to->instructions = in;
    to->parameter_count = from->parameter_count;
    to->root = from->root;
    to->flags = from->associative ? ASSAY_FLAG_ASSOCIATIVE : 0;
    return to;
}

/* The leaves of a shape, appended. */
static int leaves_of(struct arena *a, const struct shape *s,
                     const assay_shape **to)
{
    int n = shape_leaves(s);
    for (int i = 0; i < n; i++)
        to[i] = abi_shape(a, shape_leaf(s, i));
    return n;
}

static void parameters_of(struct arena *a, const struct program *p,
                          assay_program *to)
{
    const struct computation *c = p->entry;
    int total = 0, n = 0;
    for (int i = 0; i < c->parameter_count; i++) {
        const struct shape *s = c->instructions[c->parameters[i]]->shape;
        total += s ? shape_leaves(s) : 0;
    }
    const assay_shape **inputs =
        arena_new(a, const assay_shape *, (size_t)total + 1);
    for (int i = 0; i < c->parameter_count; i++) {
        const struct shape *s = c->instructions[c->parameters[i]]->shape;
        n += s ? leaves_of(a, s, inputs + n) : 0;
    }
    to->inputs = inputs;
    to->input_count = total;
}

static void results_of(struct arena *a, const struct program *p,
                       assay_program *to)
{
    const struct shape *s = p->entry->result;
    if (!s)
        return;
    int n = shape_leaves(s);
    const assay_shape **outputs =
        arena_new(a, const assay_shape *, (size_t)n + 1);
    leaves_of(a, s, outputs);
    to->outputs = outputs;
    to->output_count = n;
}

static assay_program *program_of(struct arena *a, const struct test_case *c)
{
    const struct program *p = c->program;
    assay_program *to = arena_new(a, assay_program, 1);
    size_t n = (size_t)p->computation_count;
    const assay_computation **computations =
        arena_new(a, const assay_computation *, n + 1);
    for (size_t i = 0; i < n; i++)
        computations[i] = computation_of(a, p, p->computations[i]);
    to->size = sizeof *to;
    to->name = c->name;
    to->computation_count = p->computation_count;
    to->computations = computations;
    to->entry = number_of(p, p->entry);
    to->replicas = p->replicas;
    to->partitions = p->partitions;
    parameters_of(a, p, to);
    if (p->entries) {
        int rows = to->replicas * to->partitions;
        int32_t *entries = arena_new(a, int32_t, (size_t)rows);
        for (int i = 0; i < rows; i++)
            entries[i] = number_of(p, p->entries[i]);
        to->entries = entries;
    }
    /* An invalid program is to be rejected: it has nothing to return. */
    if (!c->rejected)
        results_of(a, p, to);
    return to;
}

/* ---- Data ---------------------------------------------------------------- */

static void inputs_of(struct arena *a, const struct test_case *c,
                      struct abi_case *to)
{
    int parameters = c->program->entry->parameter_count;
    /* With constant operands the program has the inputs, and takes none. */
    int given = parameters < c->input_count ? parameters : c->input_count;
    size_t total = 0, n = 0;
    for (int r = 0; r < to->replicas; r++)
        for (int i = 0; i < given; i++)
            total += (size_t)shape_leaves(c->inputs[r][i]->shape);
    const assay_tensor **t = arena_new(a, const assay_tensor *, total + 1);
    for (int r = 0; r < to->replicas; r++)
        for (int i = 0; i < given; i++) {
            int leaves = shape_leaves(c->inputs[r][i]->shape);
            for (int k = 0; k < leaves; k++)
                t[n++] = abi_tensor(a, literal_leaf(c->inputs[r][i], k));
        }
    to->inputs = t;
    to->input_count = to->replicas > 0 ? (int)total / to->replicas : 0;
}

static void infeed_of(struct arena *a, const struct test_case *c,
                      struct abi_case *to)
{
    if (!c->infeed_count)
        return;
    /* One list for all replicas; start says where each one's part begins, and
     * has an end after the last. */
    int64_t total = 0, n = 0;
    int64_t *start = arena_new(a, int64_t, (size_t)to->replicas + 1);
    for (int r = 0; r < to->replicas; r++)
        for (int i = 0; i < c->infeed_count[r]; i++)
            total += shape_leaves(c->infeed[r][i]->shape);
    const assay_tensor **t =
        arena_new(a, const assay_tensor *, (size_t)total + 1);
    for (int r = 0; r < to->replicas; r++) {
        start[r] = n;
        for (int i = 0; i < c->infeed_count[r]; i++) {
            int leaves = shape_leaves(c->infeed[r][i]->shape);
            for (int k = 0; k < leaves; k++)
                t[n++] = abi_tensor(a, literal_leaf(c->infeed[r][i], k));
        }
    }
    start[to->replicas] = n;
    to->infeed = t;
    to->infeed_start = start;
}

struct abi_case *abi_case(struct arena *a, const struct test_case *c)
{
    struct abi_case *to = arena_new(a, struct abi_case, 1);
    to->program = program_of(a, c);
    to->replicas = c->replicas > 0 ? c->replicas : to->program->replicas;
    to->output_count = to->program->output_count;
    mix_program(&to->hash, to->program);
    to->has_outputs = to->program->outputs != NULL;
    inputs_of(a, c, to);
    infeed_of(a, c, to);
    return to;
}

bool abi_case_whole(const struct abi_case *c)
{
    struct hash now = {{0}};
    mix_program(&now, c->program);
    return c->output_count == c->program->output_count
           && !c->program->outputs == !c->has_outputs
           && memcmp(&now, &c->hash, sizeof now) == 0;
}
