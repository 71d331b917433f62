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

static bool is_by_element(const struct program *p)
{
    if (p->entries || p->computation_count != 1 || p->replicas > 1
        || p->partitions > 1)
        return false;
    const struct computation *c = p->entry;
    const struct shape *result = c->instructions[c->root]->shape;
    if (result->kind != SHAPE_ARRAY)
        return false;
    for (int i = 0; i < c->count; i++) {
        const struct instruction *in = c->instructions[i];
        if (!same_sizes(in->shape, result)
            || (in->op->role != OP_ROLE_PARAMETER
                && (!is_elementwise(in->op) || has_lists(in))))
            return false;
    }
    return true;
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

/* The same instructions, on scalars. */
static struct program *shrink(struct arena *a, const struct program *p)
{
    struct program *q = program_new(a, p->limits);
    const struct computation *old = p->entry;
    struct computation *c = program_computation(q, old->name);
    for (int i = 0; i < old->count; i++) {
        const struct instruction *in = old->instructions[i];
        int k = 0;
        while (k < old->parameter_count && old->parameters[k] != i)
            k++;
        if (k < old->parameter_count)
            program_parameter(q, c, k, shape_scalar(a, in->shape->dtype));
        else
            program_add(q, c, in);
    }
    c->root = old->root;
    q->entry = c;
    return q;
}

struct test_case *deviation_unit(struct arena *a, const struct test_case *c,
                                 int64_t element)
{
    struct status st = {0};
    if (c->replicas > 1 || c->infeed || !is_by_element(c->program)
        || c->input_count != c->program->entry->parameter_count)
        return NULL;
    struct test_case *one = arena_new(a, struct test_case, 1);
    *one = *c;
    one->program = shrink(a, c->program);
    one->inputs = arena_new(a, struct literal **, 1);
    one->inputs[0] = arena_new(a, struct literal *, (size_t)c->input_count + 1);
    for (int i = 0; i < c->input_count; i++)
        one->inputs[0][i] = deviation_unit_of(a, c->inputs[0][i], element);
    return program_infer(one->program, &st) ? one : NULL;
}
