/* deviation_unit.c - see deviation_private.h.  Tests: test_deviation.c,
 * explain.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/deviation/deviation_private.h"
#include "interp/ops/elementwise.h"
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
 * empty one is right for both, and without broadcast_dimensions scalars are. */
static bool has_lists(const struct instruction *in)
{
    const unsigned alone = 1U << SPEC_INT | 1U << SPEC_BOOL | 1U << SPEC_TYPE
                           | 1U << SPEC_NAME | 1U << SPEC_STRING
                           | 1U << SPEC_NUMBER | 1U << SPEC_ACCURACY;
    for (int i = 0; i < in->attribute_count; i++)
        if (!(alone >> in->attributes[i].form & 1)
            && (in->attributes[i].form != SPEC_INTS
                || in->attributes[i].count > 0)
            && in->attributes[i].name != ATTRIBUTE_BROADCAST_DIMENSIONS)
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

/* The only instruction that uses a parameter, and only once; NULL if there are
 * more uses. */
static const struct instruction *user_of(const struct computation *c,
                                         const bool *needed, int parameter)
{
    const struct instruction *user = NULL;
    for (int i = 0; i < c->count; i++)
        for (int k = 0; needed[i] && k < c->instructions[i]->operand_count;
             k++) {
            if (c->instructions[i]->operands[k] != parameter)
                continue;
            if (user)
                return NULL;
            user = c->instructions[i];
        }
    return user;
}

/* Is a parameter spread to the sizes of the result by its only user? */
static bool is_spread(const struct computation *c, const bool *needed,
                      int parameter)
{
    const struct shape *s = c->instructions[parameter]->shape;
    const struct instruction *user = user_of(c, needed, parameter);
    const struct spec_op *spec = user ? spec_op_find(user->op->name) : NULL;
    return s->kind == SHAPE_ARRAY && !shape_has_dynamic(s) && spec
           && spec_attribute_find(spec, ATTRIBUTE_BROADCAST_DIMENSIONS);
}

static bool is_by_element(const struct program *p, const bool *needed,
                          int source)
{
    const struct computation *c = p->entry;
    const struct shape *result = c->instructions[source]->shape;
    for (int i = 0; i < c->count; i++) {
        const struct instruction *in = c->instructions[i];
        bool parameter = in->op->role == OP_ROLE_PARAMETER;
        if (needed[i]
            && ((!same_sizes(in->shape, result)
                 && !(parameter && is_spread(c, needed, i)))
                || (!parameter && (!is_elementwise(in->op) || has_lists(in)))))
            return false;
    }
    return is_apart(c, needed, source);
}

/* Which element of a parameter goes into that element of the result? */
static int64_t element_of(const struct computation *c, const bool *needed,
                          int parameter, const struct shape *result,
                          int64_t element)
{
    const struct shape *s = c->instructions[parameter]->shape;
    if (same_sizes(s, result))
        return element;
    int64_t strides[SHAPE_RANK_MAX], at = 0;
    broadcast_strides(user_of(c, needed, parameter), s, result, strides);
    for (int d = result->rank - 1; d >= 0; d--) {
        at += element % result->dims[d] * strides[d];
        element /= result->dims[d];
    }
    return at;
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

static void drop_spreading(struct arena *a, struct instruction *in)
{
    const struct attribute *old = in->attributes;
    int n = in->attribute_count;
    in->attributes = arena_new(a, struct attribute, (size_t)n + 1);
    in->attribute_count = 0;
    for (int i = 0; i < n; i++)
        if (old[i].name != ATTRIBUTE_BROADCAST_DIMENSIONS)
            in->attributes[in->attribute_count++] = old[i];
}

/* The same instructions, on scalars if asked for; in inputs which parameters
 * are left. */
static struct program *shrink(struct arena *a, const struct program *p,
                              const bool *needed, int source, bool scalars,
                              int *inputs, int *count)
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
            now[i] = program_parameter(
                q, c, (*count)++,
                scalars ? shape_scalar(a, in.shape->dtype) : in.shape);
            continue;
        }
        int *operands = arena_new(a, int, (size_t)in.operand_count + 1);
        for (int k = 0; k < in.operand_count; k++)
            operands[k] = now[in.operands[k]];
        in.operands = operands;
        if (scalars)
            drop_spreading(a, &in);
        now[i] = program_add(q, c, &in);
    }
    c->root = now[source];
    q->entry = c;
    return q;
}

/* What an array of the result follows from, if it is known; NULL otherwise. */
static const bool *find_needed(struct arena *a, const struct test_case *c,
                               int leaf, int *source)
{
    const struct program *p = c->program;
    if (c->replicas > 1 || c->infeed || p->entries || p->computation_count != 1
        || p->replicas > 1 || p->partitions > 1
        || c->input_count != p->entry->parameter_count)
        return NULL;
    *source = source_of(p->entry, leaf);
    return *source < 0 ? NULL : follow(a, p->entry, *source);
}

/* The case of what is needed alone; inputs are put by the caller. */
static struct test_case *reduce(struct arena *a, const struct test_case *c,
                                const bool *needed, int source, bool scalars,
                                int **from)
{
    struct test_case *one = arena_new(a, struct test_case, 1);
    size_t room = (size_t)c->input_count + 1;
    *from = arena_new(a, int, room);
    *one = *c;
    one->program = shrink(a, c->program, needed, source, scalars, *from,
                          &one->input_count);
    one->inputs = arena_new(a, struct literal **, 1);
    one->inputs[0] = arena_new(a, struct literal *, room);
    return one;
}

struct test_case *deviation_unit(struct arena *a, const struct test_case *c,
                                 int leaf, int64_t element, bool *spread)
{
    struct status st = {0};
    const struct computation *entry = c->program->entry;
    int source, *from;
    const bool *needed = find_needed(a, c, leaf, &source);
    if (!needed || !is_by_element(c->program, needed, source))
        return NULL;
    struct test_case *one = reduce(a, c, needed, source, true, &from);
    const struct shape *result = entry->instructions[source]->shape;
    *spread = false;
    for (int i = 0; i < one->input_count; i++) {
        const struct literal *l = c->inputs[0][from[i]];
        *spread = *spread || !same_sizes(l->shape, result);
        one->inputs[0][i] = deviation_unit_of(
            a, l,
            element_of(entry, needed, entry->parameters[from[i]], result,
                       element));
    }
    return program_infer(one->program, &st) ? one : NULL;
}

struct test_case *deviation_unit_leaf(struct arena *a,
                                      const struct test_case *c, int leaf)
{
    struct status st = {0};
    const struct computation *entry = c->program->entry;
    int source, *from;
    const bool *needed = find_needed(a, c, leaf, &source);
    if (!needed || source == entry->root || !is_apart(entry, needed, source))
        return NULL;
    struct test_case *one = reduce(a, c, needed, source, false, &from);
    for (int i = 0; i < one->input_count; i++)
        one->inputs[0][i] = c->inputs[0][from[i]];
    return program_infer(one->program, &st) ? one : NULL;
}
