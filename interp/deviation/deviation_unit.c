/* deviation_unit.c - see deviation_private.h.  Tests: test_deviation.c,
 * explain.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/deviation/deviation_private.h"
#include "interp/program/op.h"

static bool same_sizes(const struct shape *a, const struct shape *b)
{
    if (a->kind != SHAPE_ARRAY || a->rank != b->rank || shape_has_dynamic(a))
        return false;
    for (int i = 0; i < a->rank; i++)
        if (a->dims[i] != b->dims[i])
            return false;
    return true;
}

/* Lists of sizes or dimensions are of these arrays, and not of scalars; an
 * empty one, such as the default broadcast_dimensions, is right for both. */
static bool has_lists(const struct instruction *in)
{
    const unsigned alone = 1U << SPEC_INT | 1U << SPEC_BOOL | 1U << SPEC_TYPE
                           | 1U << SPEC_NAME | 1U << SPEC_STRING
                           | 1U << SPEC_NUMBER | 1U << SPEC_ACCURACY;
    for (int i = 0; i < in->attribute_count; i++)
        if (!(alone >> in->attributes[i].form & 1)
            && (in->attributes[i].form != SPEC_INTS
                || in->attributes[i].count > 0))
            return true;
    return false;
}

/* Does an element of its result follow from those of its place? */
static bool is_elementwise(const struct op *op)
{
    static const char family[] = "elementwise";
    const struct spec_op *spec = spec_op_find(op->name);
    return op->elementwise
           || (spec && spec->family
               && strncmp(spec->family, family, sizeof family - 1) == 0);
}

/* The instruction that gives an array of the result; -1 if it is not known. */
static int source_of(const struct computation *c, int leaf)
{
    const struct instruction *root = c->instructions[c->root];
    if (root->op->role != OP_ROLE_TUPLE)
        return root->shape->kind == SHAPE_ARRAY ? c->root : -1;
    for (int i = 0; i < root->operand_count; i++)
        if (c->instructions[root->operands[i]]->shape->kind != SHAPE_ARRAY)
            return -1;
    return root->operands[leaf];
}

/* What an instruction follows from, and itself. */
static bool *follow(struct arena *a, const struct computation *c, int source)
{
    bool *needed = arena_new(a, bool, (size_t)c->count + 1);
    needed[source] = true;
    for (int i = source; i >= 0; i--)
        for (int k = 0; needed[i] && k < c->instructions[i]->operand_count; k++)
            needed[c->instructions[i]->operands[k]] = true;
    return needed;
}

/* Does anything else use what is needed?  Without it, a deviation that looks
 * at uses might rewrite another program.  The root may use the source once. */
static bool is_apart(const struct computation *c, const bool *needed,
                     int source)
{
    int uses = 0;
    for (int i = 0; i < c->count; i++)
        for (int k = 0; !needed[i] && k < c->instructions[i]->operand_count;
             k++) {
            int from = c->instructions[i]->operands[k];
            if (!needed[from]
                || c->instructions[from]->op->role == OP_ROLE_PARAMETER)
                continue;
            if (i != c->root || from != source || uses++ > 0)
                return false;
        }
    return true;
}

static bool is_by_element(const struct program *p, const bool *needed,
                          int source)
{
    const struct computation *c = p->entry;
    const struct shape *result = c->instructions[source]->shape;
    for (int i = 0; i < c->count; i++) {
        const struct instruction *in = c->instructions[i];
        if (needed[i]
            && (!same_sizes(in->shape, result)
                || (in->op->role != OP_ROLE_PARAMETER
                    && (!is_elementwise(in->op) || has_lists(in)))))
            return false;
    }
    return is_apart(c, needed, source);
}

struct literal *deviation_unit_of(struct arena *a, const struct literal *l,
                                  int64_t element)
{
    enum dtype type = l->shape->dtype;
    struct literal *one = literal_new(a, shape_scalar(a, type));
    int units = dtype_units(type);
    for (int u = 0; u < units; u++)
        literal_set(one, u, literal_get(l, units * element + u));
    return one;
}

static int parameter_number(const struct computation *c, int i)
{
    int k = 0;
    while (k < c->parameter_count && c->parameters[k] != i)
        k++;
    return k;
}

/* The same instructions, on scalars; in inputs which parameters are left. */
static struct program *shrink(struct arena *a, const struct program *p,
                              const bool *needed, int source, int *inputs,
                              int *count)
{
    const struct computation *old = p->entry;
    struct program *q = program_new(a, p->limits);
    struct computation *c = program_computation(q, old->name);
    int *now = arena_new(a, int, (size_t)old->count + 1);
    *count = 0;
    for (int i = 0; i < old->count; i++) {
        struct instruction in = *old->instructions[i];
        if (!needed[i])
            continue;
        if (in.op->role == OP_ROLE_PARAMETER) {
            inputs[*count] = parameter_number(old, i);
            now[i] = program_parameter(q, c, (*count)++,
                                       shape_scalar(a, in.shape->dtype));
            continue;
        }
        int *operands = arena_new(a, int, (size_t)in.operand_count + 1);
        for (int k = 0; k < in.operand_count; k++)
            operands[k] = now[in.operands[k]];
        in.operands = operands;
        now[i] = program_add(q, c, &in);
    }
    c->root = now[source];
    q->entry = c;
    return q;
}

struct test_case *deviation_unit(struct arena *a, const struct test_case *c,
                                 int leaf, int64_t element)
{
    struct status st = {0};
    const struct program *p = c->program;
    if (c->replicas > 1 || c->infeed || p->entries || p->computation_count != 1
        || p->replicas > 1 || p->partitions > 1
        || c->input_count != p->entry->parameter_count)
        return NULL;
    int source = source_of(p->entry, leaf);
    const bool *needed = source < 0 ? NULL : follow(a, p->entry, source);
    if (!needed || !is_by_element(p, needed, source))
        return NULL;
    struct test_case *one = arena_new(a, struct test_case, 1);
    int *from = arena_new(a, int, (size_t)c->input_count + 1);
    *one = *c;
    one->program = shrink(a, p, needed, source, from, &one->input_count);
    one->inputs = arena_new(a, struct literal **, 1);
    one->inputs[0] = arena_new(a, struct literal *, (size_t)c->input_count + 1);
    for (int i = 0; i < one->input_count; i++)
        one->inputs[0][i] =
            deviation_unit_of(a, c->inputs[0][from[i]], element);
    return program_infer(one->program, &st) ? one : NULL;
}
