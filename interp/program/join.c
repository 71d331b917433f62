/* join.c - see join.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/join.h"

#include "interp/program/op.h"
#include "interp/program/op_table.h"

/* ---- Which programs ------------------------------------------------------ */

static bool is_plain(const struct shape *s)
{
    bool plain = s->kind == SHAPE_TUPLE
                 || (s->kind == SHAPE_ARRAY && !shape_has_dynamic(s));
    for (int i = 0; plain && s->kind == SHAPE_TUPLE && i < s->rank; i++)
        plain = is_plain(s->elements[i]);
    return plain;
}

/* Attributes of instructions that name other processes, or code that is not
 * the program's. */
static bool reaches_out(const struct instruction *in)
{
    const struct spec_op *op = spec_op_find(in->op->name);
    static const enum attribute_name names[] = {
        ATTRIBUTE_CALL_TARGET_NAME, ATTRIBUTE_CHANNEL_ID,
        ATTRIBUTE_REPLICA_GROUPS, ATTRIBUTE_SOURCE_TARGET_PAIRS};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (op && spec_attribute_find(op, names[i]))
            return true;
    return in->op->feed != 0;
}

bool join_allows(const struct program *p)
{
    if (p->entries || p->replicas > 1 || p->partitions > 1)
        return false;
    for (int i = 0; i < p->computation_count; i++) {
        const struct computation *c = p->computations[i];
        for (int k = 0; k < c->count; k++) {
            const struct instruction *in = c->instructions[k];
            if (!in->shape || !is_plain(in->shape) || reaches_out(in)
                || in->op->draws)
                return false;
        }
    }
    return p->entry && p->entry->result;
}

/* ---- Copying ------------------------------------------------------------- */

struct joining {
    struct program *to;
    const struct program *from;
    int number;                  /* of from, among all */
    struct computation **copies; /* by computation of from */
    int parameters;              /* of the entry so far */
};

static const char *name_of(const struct joining *j, const char *name)
{
    return arena_printf(j->to->arena, "m%d_%s", j->number, name);
}

static const struct computation *copy_of(const struct joining *j,
                                         const struct computation *c)
{
    for (int i = 0; i < j->from->computation_count; i++)
        if (j->from->computations[i] == c)
            return j->copies[i];
    return NULL;
}

/* Attributes are shared, except those that name computations. */
static struct attribute *copy_attributes(const struct joining *j,
                                         const struct instruction *in)
{
    size_t n = (size_t)in->attribute_count;
    struct attribute *to = arena_new(j->to->arena, struct attribute, n + 1);
    for (size_t i = 0; i < n; i++) {
        to[i] = in->attributes[i];
        if (to[i].computation_count == 0)
            continue;
        to[i].computations = arena_new(j->to->arena, const struct computation *,
                                       (size_t)to[i].computation_count);
        for (int k = 0; k < to[i].computation_count; k++)
            to[i].computations[k] =
                copy_of(j, in->attributes[i].computations[k]);
    }
    return to;
}

/* Append an instruction, which keeps its shape; its operands are those of the
 * same numbers after the first ones. */
static int copy_instruction(const struct joining *j, struct computation *to,
                            const struct instruction *in, int first)
{
    struct arena *a = j->to->arena;
    int *operands = arena_new(a, int, (size_t)in->operand_count + 1);
    for (int i = 0; i < in->operand_count; i++)
        operands[i] = first + in->operands[i];
    struct instruction copy = *in;
    copy.name = name_of(j, in->name);
    copy.operands = operands;
    copy.attributes = copy_attributes(j, in);
    int n = program_add(j->to, to, &copy);
    to->instructions[n]->shape = in->shape;
    return n;
}

static void copy_computation(const struct joining *j,
                             const struct computation *from,
                             struct computation *to)
{
    for (int i = 0; i < from->count; i++)
        copy_instruction(j, to, from->instructions[i], 0);
    to->root = from->root;
    to->parameter_count = from->parameter_count;
    to->parameters = from->parameters;
    to->associative = from->associative;
    to->builtin = from->builtin;
    to->result = from->result;
}

static void set_parameter_number(struct arena *a, struct instruction *in,
                                 int number)
{
    for (int i = 0; i < in->attribute_count; i++)
        if (in->attributes[i].name == ATTRIBUTE_PARAMETER_NUMBER) {
            int64_t *value = arena_new(a, int64_t, 1);
            *value = number;
            in->attributes[i].ints = value;
        }
}

/* The instructions of an entry, behind those of the programs before; gives the
 * number of its root. */
static int copy_entry(struct joining *j, int *parameters)
{
    struct computation *to = j->to->entry;
    const struct computation *from = j->from->entry;
    int first = to->count;
    for (int i = 0; i < from->count; i++)
        copy_instruction(j, to, from->instructions[i], first);
    for (int i = 0; i < from->parameter_count; i++) {
        int at = first + from->parameters[i];
        set_parameter_number(j->to->arena, to->instructions[at], j->parameters);
        parameters[j->parameters++] = at;
    }
    return first + from->root;
}

static int copy_program(struct joining *j, int *parameters)
{
    const struct program *from = j->from;
    j->copies = arena_new(j->to->arena, struct computation *,
                          (size_t)from->computation_count + 1);
    for (int i = 0; i < from->computation_count; i++)
        if (from->computations[i] != from->entry)
            j->copies[i] = program_computation(
                j->to, name_of(j, from->computations[i]->name));
    for (int i = 0; i < from->computation_count; i++)
        if (j->copies[i])
            copy_computation(j, from->computations[i], j->copies[i]);
    return copy_entry(j, parameters);
}

struct program *join(struct arena *a, const struct limits *limits, int count,
                     const struct program *const *programs)
{
    struct program *to = program_new(a, limits);
    struct joining j = {.to = to};
    int total = 0, *roots = arena_new(a, int, (size_t)count + 1);
    const struct shape **shapes =
        arena_new(a, const struct shape *, (size_t)count + 1);
    for (int i = 0; i < count; i++)
        total += programs[i]->entry->parameter_count;
    int *parameters = arena_new(a, int, (size_t)total + 1);
    to->entry = program_computation(to, "main");
    for (int i = 0; i < count; i++) {
        j.from = programs[i];
        j.number = i;
        roots[i] = copy_program(&j, parameters);
        shapes[i] = programs[i]->entry->result;
    }
    struct computation *entry = to->entry;
    struct instruction in = {.name = "results",
                             .op = &op_Tuple,
                             .operand_count = count,
                             .operands = roots};
    int root = program_add(to, entry, &in);
    entry->result = shape_tuple(a, count, shapes);
    entry->instructions[root]->shape = entry->result;
    entry->parameters = parameters;
    entry->parameter_count = total;
    return to;
}
