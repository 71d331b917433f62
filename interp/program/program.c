/* program.c - see program.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/program.h"

#include <inttypes.h>
#include <string.h>

#include "interp/base/text.h"
#include "interp/program/attribute.h"
#include "interp/program/complete.h"
#include "interp/program/op_table.h"
#include "interp/program/sequence.h"

enum {
    DEPTH_MAX = 200 /* evaluation allows a little more (evaluate.c) */
};

struct program *program_new(struct arena *a, const struct limits *limits)
{
    struct program *p = arena_new(a, struct program, 1);
    p->arena = a;
    p->limits = limits;
    p->replicas = p->partitions = 1;
    return p;
}

struct computation *program_computation(struct program *p, const char *name)
{
    struct computation *c = arena_new(p->arena, struct computation, 1);
    c->name = name;
    ARENA_GROW(p->arena, p->computations, p->computation_count,
               p->computation_room);
    p->computations[p->computation_count++] = c;
    return c;
}

const struct computation *program_home(const struct program *p,
                                       const struct instruction *in)
{
    for (int i = 0; i < p->computation_count; i++)
        for (int k = 0; k < p->computations[i]->count; k++)
            if (p->computations[i]->instructions[k] == in)
                return p->computations[i];
    return NULL;
}

int program_add(struct program *p, struct computation *c,
                const struct instruction *like)
{
    struct instruction *in = arena_new(p->arena, struct instruction, 1);
    *in = *like;
    in->shape = NULL;
    ARENA_GROW(p->arena, c->instructions, c->count, c->room);
    c->instructions[c->count] = in;
    c->root = c->count;
    return c->count++;
}

int program_parameter(struct program *p, struct computation *c, int number,
                      const struct shape *shape)
{
    struct attribute *as = arena_new(p->arena, struct attribute, 2);
    int64_t *value = arena_new(p->arena, int64_t, 1);
    *value = number;
    as[0] = (struct attribute){.name = ATTRIBUTE_PARAMETER_NUMBER,
                               .form = SPEC_INT,
                               .count = 1,
                               .ints = value};
    as[1] = (struct attribute){
        .name = ATTRIBUTE_SHAPE, .form = SPEC_SHAPE, .shape = shape};
    struct instruction in = {.name = arena_printf(p->arena, "p%d", number),
                             .op = &op_Parameter,
                             .attribute_count = 2,
                             .attributes = as};
    return program_add(p, c, &in);
}

/* ---- Inference ---------------------------------------------------------- */

/* The place of an instruction in the input, for the message. */
static bool place(const struct program *p, const struct instruction *in,
                  struct status *st)
{
    if (in->source && !st->path)
        json_place(p->arena, in->source, st);
    return false;
}

static bool check_type(const struct infer *in, const struct spec_operand *o,
                       int i, struct status *st)
{
    const struct shape *s = in->operands[i];
    if (o->types == 0)
        return true;
    if (s->kind != SHAPE_ARRAY)
        return FAIL(st, TYPE, "%s: operand %d (%s) is %s, not an array",
                    in->op->name, i, o->name, shape_text(in->arena, s));
    if (!(o->types >> s->dtype & 1))
        return FAIL(st, TYPE, "%s: operand %d (%s) cannot be %s", in->op->name,
                    i, o->name, dtype_table[s->dtype].name);
    return true;
}

/* Each operand's element type.  Several variadic operands share what the others
 * leave evenly; where they cannot, the operation itself says more. */
static bool check_types(const struct infer *in, const struct spec_op *spec,
                        struct status *st)
{
    int variadic = 0, fixed = 0;
    for (int i = 0; i < spec->operand_count; i++) {
        const struct spec_operand *o = &spec->operands[i];
        fixed += !o->variadic && !o->optional;
        variadic += o->variadic;
    }
    int spare = in->count - fixed;
    if (variadic && spare % variadic != 0)
        return true;
    int next = 0;
    for (int i = 0; i < spec->operand_count; i++) {
        const struct spec_operand *o = &spec->operands[i];
        int n = o->variadic ? spare / variadic : 1;
        for (int k = 0; k < n && next < in->count; k++)
            TRY(check_type(in, o, next++, st));
    }
    return true;
}

/* Programs that are built by hand may leave out what has a default. */
static bool fill_defaults(struct infer *in, const struct spec_op *spec,
                          struct status *st)
{
    struct spec_attribute *lack = arena_new(in->arena, struct spec_attribute,
                                            (size_t)spec->attribute_count);
    struct spec_op part = *spec;
    part.attributes = lack;
    part.attribute_count = 0;
    for (int i = 0; i < spec->attribute_count; i++) {
        const struct spec_attribute *s = &spec->attributes[i];
        if (s->form == SPEC_DIMENSION_NUMBERS || attribute_find(in->in, s->id)
            || (s->optional && !s->default_value))
            continue;
        if (!s->default_value)
            return FAIL(st, ATTRIBUTE, "%s: attribute '%s' is missing",
                        in->op->name, s->name);
        lack[part.attribute_count++] = *s;
    }
    if (part.attribute_count == 0)
        return true;
    int count;
    struct attribute *made;
    TRY(attribute_read(in->arena, &part, NULL, in->program->limits, NULL, NULL,
                       &count, &made, st));
    int had = in->in->attribute_count;
    struct attribute *all =
        arena_new(in->arena, struct attribute, (size_t)(had + count));
    if (had)
        memcpy(all, in->in->attributes, (size_t)had * sizeof *all);
    if (count)
        memcpy(all + had, made, (size_t)count * sizeof *all);
    in->in->attributes = all;
    in->in->attribute_count = had + count;
    return true;
}

static bool infer_instruction(struct program *p, struct computation *c,
                              int number, struct status *st)
{
    struct instruction *in = c->instructions[number];
    const struct shape **operands =
        arena_new(p->arena, const struct shape *, (size_t)in->operand_count);
    if (!in->op)
        return FAIL(st, UNSUPPORTED, "'%s': unknown operation",
                    in->name ? in->name : "?");
    for (int i = 0; i < in->operand_count; i++) {
        int o = in->operands[i];
        if (o < 0 || o >= number)
            return FAIL(st, STRUCTURE,
                        "'%s': operand %d is not an earlier instruction",
                        in->name ? in->name : in->op->name, i);
        operands[i] = c->instructions[o]->shape;
    }
    struct infer infer = {.arena = p->arena,
                          .program = p,
                          .op = in->op,
                          .in = in,
                          .count = in->operand_count,
                          .operands = operands};
    const struct spec_op *spec = spec_op_find(in->op->name);
    if (spec) {
        TRY(complete_operands(in, spec, st));
        TRY(check_types(&infer, spec, st));
        TRY(fill_defaults(&infer, spec, st));
        TRY(complete_attributes(in, spec, st));
    }
    TRY(in->op->infer(&infer, st));
    if (infer.result->kind == SHAPE_TUPLE)
        TRY(shape_check_tuple(infer.result->rank, infer.result->elements, st));
    in->shape = infer.result;
    return true;
}

/* Parameters are the Parameter instructions, numbered 0, 1, ... once each. */
static bool number_parameters(struct program *p, struct computation *c,
                              struct status *st)
{
    int n = 0;
    for (int i = 0; i < c->count; i++) {
        const struct op *op = c->instructions[i]->op;
        n += op && op->role == OP_ROLE_PARAMETER;
    }
    int *numbers = arena_new(p->arena, int, (size_t)n);
    for (int i = 0; i < n; i++)
        numbers[i] = -1;
    for (int i = 0; i < c->count; i++) {
        const struct instruction *in = c->instructions[i];
        if (!in->op || in->op->role != OP_ROLE_PARAMETER)
            continue;
        int64_t k = attribute_int(in, ATTRIBUTE_PARAMETER_NUMBER, -1);
        if (k < 0 || k >= n)
            return FAIL(st, STRUCTURE,
                        "computation '%s': parameter number %" PRId64
                        " among %d parameters",
                        c->name, k, n)
                   || place(p, in, st);
        if (numbers[k] >= 0)
            return FAIL(st, STRUCTURE,
                        "computation '%s': duplicate parameter %" PRId64,
                        c->name, k)
                   || place(p, in, st);
        numbers[k] = i;
    }
    c->parameters = numbers;
    c->parameter_count = n;
    return true;
}

/* An unordered instruction has no shape, like any that is rejected. */
static bool check_sequence(struct program *p, struct computation *c,
                           struct status *st)
{
    int before, i = sequence_find(p->arena, c, &before);
    c->feeds = sequence_all(c);
    if (i < 0)
        return true;
    struct instruction *in = c->instructions[i];
    in->shape = NULL;
    return FAIL(st, STRUCTURE,
                "%s '%s' and %s '%s' use the same feed, and neither depends "
                "on the other",
                c->instructions[before]->op->name,
                c->instructions[before]->name, in->op->name, in->name)
           || place(p, in, st);
}

/* Does no instruction of it round?  Of what it calls that is known, as
 * inference went there before: a walk would take time that doubles with each
 * level of calls. */
static bool is_exact(const struct computation *c)
{
    for (int i = 0; i < c->count; i++) {
        const struct instruction *in = c->instructions[i];
        const struct spec_op *spec = spec_op_find(in->op->name);
        bool whole = in->shape->kind == SHAPE_ARRAY
                     && dtype_class(in->shape->dtype) < DTYPE_FLOAT;
        if (!whole
            && (!spec
                || (spec->accuracy && strcmp(spec->accuracy, "exact") != 0)))
            return false;
        for (int k = 0; k < in->attribute_count; k++) {
            const struct attribute *a = &in->attributes[k];
            for (int j = 0; j < a->computation_count; j++)
                if (!a->computations[j] || !a->computations[j]->exact)
                    return false;
        }
    }
    return true;
}

static bool infer_body(struct program *p, struct computation *c,
                       struct status *st)
{
    if (c->count == 0 || c->root < 0 || c->root >= c->count)
        return FAIL(st, STRUCTURE, "computation '%s' has no result", c->name);
    TRY(number_parameters(p, c, st));
    for (int i = 0; i < c->count; i++)
        if (!infer_instruction(p, c, i, st))
            return place(p, c->instructions[i], st);
    TRY(check_sequence(p, c, st));
    c->exact = is_exact(c);
    c->result = c->instructions[c->root]->shape;
    return true;
}

bool program_infer_computation(struct program *p, const struct computation *c,
                               struct status *st)
{
    if (c->result)
        return true;
    for (int i = 0; i < p->computation_count; i++) {
        struct computation *own = p->computations[i];
        if (own != c)
            continue;
        if (own->visiting)
            return FAIL(st, STRUCTURE, "computation '%s' calls itself",
                        c->name);
        if (p->depth >= DEPTH_MAX)
            return FAIL(st, UNSUPPORTED,
                        "computations call one another more than %d deep",
                        DEPTH_MAX);
        own->visiting = true;
        p->depth++;
        bool ok = infer_body(p, own, st);
        p->depth--;
        own->visiting = false;
        return ok;
    }
    return FAIL(st, STRUCTURE, "computation '%s' belongs to another program",
                c->name);
}

bool program_infer(struct program *p, struct status *st)
{
    if (!p->entry)
        return FAIL(st, STRUCTURE, "the program has no entry computation");
    TRY(spec_load(st));
    bool good = program_infer_computation(p, p->entry, st);
    for (int i = 0; i < p->computation_count; i++) {
        /* Texts of an invalid program show as much of it as possible. */
        struct status other = {STATUS_OK};
        good =
            program_infer_computation(p, p->computations[i], good ? st : &other)
            && good;
    }
    if (!good)
        return false;
    for (int i = 0; p->entries && i < p->replicas * p->partitions; i++)
        if (!shape_equal(p->entries[i]->result, p->entry->result))
            return FAIL(st, UNSUPPORTED,
                        "the programs of devices 0 and %d give values of "
                        "different shapes",
                        i);
    return true;
}

/* ---- Built-in computations ----------------------------------------------- */

static struct computation *make_builtin(struct program *p, const char *name,
                                        const struct op *op, int parameter,
                                        enum dtype type)
{
    struct computation *c = program_computation(
        p, arena_printf(p->arena, "%s.%s", name, dtype_table[type].name));
    const struct shape *scalar = shape_scalar(p->arena, type);
    int *operands = arena_new(p->arena, int, 2);
    operands[0] = program_parameter(p, c, 0, scalar);
    operands[1] = program_parameter(p, c, 1, scalar);
    struct instruction in = {
        .name = "result", .op = op, .operand_count = 2, .operands = operands};
    if (op)
        program_add(p, c, &in);
    else
        c->root = parameter;
    c->builtin = name;
    return c;
}

struct computation *program_builtin_made(const struct program *p,
                                         const char *name, enum dtype type)
{
    for (int k = 0; k < p->computation_count; k++) {
        struct computation *c = p->computations[k];
        if (c->builtin && strcmp(c->builtin, name) == 0
            && c->instructions[0]->attributes[1].shape->dtype == type)
            return c;
    }
    return NULL;
}

/* Those that are not an operation: one of their parameters. */
static const char *const parameters[] = {"first", "second"};
enum {
    PARAMETERS = 2
};

/* The i-th name, NULL if that operation has none. */
static const char *builtin_at(int i)
{
    return i < PARAMETERS ? parameters[i] : op_table[i - PARAMETERS]->builtin;
}

static int find_builtin(const char *name)
{
    for (int i = 0; i < PARAMETERS + OP_COUNT; i++)
        if (builtin_at(i) && strcmp(builtin_at(i), name) == 0)
            return i;
    return -1;
}

bool program_is_builtin(const char *name)
{
    return find_builtin(name) >= 0;
}

const char *program_builtin_hint(char *to, const char *name)
{
    const char *names[PARAMETERS + OP_COUNT];
    int n = 0;
    for (int i = 0; i < PARAMETERS + OP_COUNT; i++)
        if (builtin_at(i))
            names[n++] = builtin_at(i);
    return text_hint(to, name, names, n);
}

struct computation *program_builtin(struct program *p, const char *name,
                                    enum dtype type)
{
    struct computation *c = program_builtin_made(p, name, type);
    int i = find_builtin(name);
    if (c || i < 0)
        return c;
    const struct op *op = i < PARAMETERS ? NULL : op_table[i - PARAMETERS];
    return make_builtin(p, builtin_at(i), op, i, type);
}

const struct instruction *program_pair(const struct computation *c, int n,
                                       int k)
{
    const struct instruction *root = c->instructions[c->root];
    if (c->parameter_count != 2 * n || c->count != (n > 1 ? 3 * n + 1 : 3)
        || (n > 1 && (!root->op || root->op->role != OP_ROLE_TUPLE)))
        return NULL;
    const struct instruction *in =
        n > 1 ? c->instructions[root->operands[k]] : root;
    if (!in->op || in->operand_count != 2)
        return NULL;
    int a = in->operands[0], b = in->operands[1];
    int p = c->parameters[k], q = c->parameters[n + k];
    if (!(a == p && b == q) && !(a == q && b == p))
        return NULL;
    const struct shape *s = c->instructions[p]->shape;
    const struct shape *t = c->instructions[q]->shape;
    bool same = shape_is_scalar(s) && shape_equal(s, t);
    return same && shape_equal(s, in->shape) ? in : NULL;
}

const struct op *program_monoid(const struct computation *c)
{
    const struct instruction *in = program_pair(c, 1, 0);
    return in && in->op->monoid ? in->op : NULL;
}
