/* look.c - what the condition of a fault may ask about an instruction.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>

#include "faulty.h"

const struct shape *shape_of(const struct look *x, int i)
{
    static const struct shape none = {.kind = ASSAY_TOKEN};
    if (i == RESULT)
        return x->planted->node.shape;
    return i < x->planted->node.count ? x->run->operands[i]->shape : &none;
}

struct value *value_at(const struct look *x, int i)
{
    return i == RESULT ? x->run->result : x->run->operands[i];
}

int rank(const struct look *x, int i)
{
    const struct shape *s = shape_of(x, i);
    return s->kind == ASSAY_ARRAY ? s->rank : -1;
}

int64_t size(const struct look *x, int i, int d)
{
    const struct shape *s = shape_of(x, i);
    int at = d < 0 ? s->rank + d : d;
    return s->kind == ASSAY_ARRAY && at >= 0 && at < s->rank ? s->dims[at] : 0;
}

int64_t count(const struct look *x, int i)
{
    const struct shape *s = shape_of(x, i);
    return s->kind == ASSAY_ARRAY ? shape_count(s) : 0;
}

int has_word(const char *words, const char *word)
{
    size_t n = strlen(word);
    for (const char *s = words; (s = strstr(s, word)) != NULL; s += n)
        if ((s == words || s[-1] == ' ') && (s[n] == ' ' || s[n] == '\0'))
            return 1;
    return 0;
}

int is(const struct look *x, int i, const char *types)
{
    const struct shape *s = shape_of(x, i);
    return s->kind == ASSAY_ARRAY && has_word(types, s->type->name);
}

int is_float(const struct look *x, int i)
{
    const struct shape *s = shape_of(x, i);
    return s->kind == ASSAY_ARRAY && s->type->class == FLOAT;
}

int is_integer(const struct look *x, int i)
{
    const struct shape *s = shape_of(x, i);
    return s->kind == ASSAY_ARRAY
           && (s->type->class == SINT || s->type->class == UINT);
}

int is_scalar(const struct look *x, int i)
{
    return rank(x, i) == 0;
}

int same_shape(const struct look *x, int i, int j)
{
    return shape_equal(shape_of(x, i), shape_of(x, j));
}

int is_dynamic(const struct look *x, int i)
{
    return shape_is_dynamic(shape_of(x, i));
}

const struct node *original(const struct node *n)
{
    return n->op->least == -1 ? &((struct planted *)(void *)n->op)->node : n;
}

const struct node *maker(const struct look *x, int i)
{
    return original(&x->planted->in->nodes[x->planted->node.operands[i]]);
}

int from(const struct look *x, int i, const char *ops)
{
    return i < x->planted->node.count && has_word(ops, maker(x, i)->op->name);
}

int from_far(const struct look *x, int i, const char *ops)
{
    if (i >= x->planted->node.count)
        return 0;
    const struct node *n = maker(x, i);
    while (!has_word(ops, n->op->name)
           && has_word("Reshape Transpose Tuple GetTupleElement BroadcastInDim "
                       "OptimizationBarrier Slice Rev",
                       n->op->name))
        n = original(&x->planted->in->nodes[n->operands[0]]);
    return has_word(ops, n->op->name);
}

struct value *made_of(const struct look *x, int i, int j)
{
    return x->extra[x->planted->made[i] + j];
}

int made_of_same(const struct look *x, int i, int j, int k)
{
    const struct node *n = maker(x, i);
    return j < n->count && n->operands[j] == x->planted->node.operands[k];
}

/* Does an instruction from one number on use operand i, before another one? */
static int used(const struct look *x, int i, int from_number, int end)
{
    const struct computation *c = x->planted->in;
    for (int k = from_number; k < end; k++) {
        const struct node *n = original(&c->nodes[k]);
        for (int j = 0; j < n->count; j++)
            if (n->operands[j] == x->planted->node.operands[i])
                return 1;
    }
    return 0;
}

int used_again(const struct look *x, int i)
{
    return used(x, i, x->planted->at + 1, x->planted->in->count);
}

int used_before(const struct look *x, int i)
{
    return i < x->planted->node.count && !from(x, i, "Parameter")
           && used(x, i, 0, x->planted->at);
}

int tuple_has(const struct look *x, const char *types)
{
    const struct shape *s = shape_of(x, RESULT);
    for (int i = 0; s->kind == ASSAY_TUPLE && i < s->rank; i++)
        if (s->elements[i]->kind == ASSAY_ARRAY
            && has_word(types, s->elements[i]->type->name))
            return 1;
    return 0;
}

int in_entry(const struct look *x)
{
    const struct program *p = x->run->machine->program;
    return x->planted->in == &p->computations[p->entry];
}

int role(const struct look *x, const char *op, const char *attribute)
{
    const struct program *p = x->run->machine->program;
    int number = (int)(x->planted->in - p->computations);
    if (x->planted->at != x->planted->in->root)
        return 0;
    for (int i = 0; i < p->count; i++)
        for (int k = 0; k < p->computations[i].count; k++) {
            const struct node *n = original(&p->computations[i].nodes[k]);
            const struct attribute *a = attribute_find(n, attribute);
            if (strcmp(n->op->name, op) == 0 && a != NULL
                && attribute_has(a, number))
                return 1;
        }
    return 0;
}

static const struct attribute *find_attribute(const struct look *x,
                                              const char *name)
{
    return attribute_find(&x->planted->node, name);
}

int64_t attr(const struct look *x, const char *name, int k)
{
    const struct attribute *a = find_attribute(x, name);
    return a != NULL && a->ints != NULL && k < a->count ? a->ints[k] : -999;
}

int attr_count(const struct look *x, const char *name)
{
    const struct attribute *a = find_attribute(x, name);
    return a != NULL ? (int)a->count : 0;
}

int attr_has(const struct look *x, const char *name, int64_t value)
{
    const struct attribute *a = find_attribute(x, name);
    return a != NULL && a->ints != NULL && attribute_has(a, value);
}

int attr_is(const struct look *x, const char *name, const char *text)
{
    return strcmp(attribute_string(&x->planted->node, name), text) == 0;
}

int64_t attr_most(const struct look *x, const char *name)
{
    int64_t most = -999;
    for (int k = 0; k < attr_count(x, name); k++)
        most = attr(x, name, k) > most ? attr(x, name, k) : most;
    return most;
}

int attr_negative(const struct look *x, const char *name)
{
    const struct attribute *a = find_attribute(x, name);
    for (int k = 0; a != NULL && a->ints != NULL && k < a->count; k++)
        if (a->ints[k] < 0)
            return 1;
    return 0;
}

const struct computation *called(const struct look *x, const char *attribute)
{
    const struct attribute *a = find_attribute(x, attribute);
    if (a == NULL || a->ints == NULL || a->count < 1 || a->ints[0] < 0)
        return NULL;
    return &x->run->machine->program->computations[a->ints[0]];
}

int computes(const struct look *x, const char *attribute, const char *ops)
{
    const struct computation *c = called(x, attribute);
    return c != NULL && c->simple != NULL && has_word(ops, c->simple->name);
}

int called_is(const struct look *x, const char *attribute, const char *ops)
{
    const struct computation *c = called(x, attribute);
    return c != NULL && has_word(ops, original(&c->nodes[c->root])->op->name);
}

double number(const struct look *x, int i, int64_t k)
{
    const struct value *v = value_at(x, i);
    const struct type *t = v->shape->type;
    if (t->class == FLOAT)
        return type_double(t, v->data, k);
    if (t->class == COMPLEX)
        return creal(type_number(t, v->data, k));
    if (t->class == SINT)
        return (double)(int64_t)type_int(t, v->data, k);
    return (double)type_int(t, v->data, k);
}

uint64_t bits_at(const struct look *x, int i, int64_t k)
{
    const struct value *v = value_at(x, i);
    return type_int(v->shape->type, v->data, count(x, i) == 1 ? 0 : k);
}

double complex complex_of(const struct look *x, int i, int64_t k)
{
    const struct value *v = value_at(x, i);
    return type_number(v->shape->type, v->data, count(x, i) == 1 ? 0 : k);
}

int64_t tail_from(const struct look *x, int64_t block)
{
    return count(x, RESULT) - count(x, RESULT) % block;
}

int64_t how_many(const struct look *x, int i, int (*test)(double))
{
    int64_t n = 0;
    for (int64_t k = 0; k < count(x, i); k++)
        n += test(number(x, i, k)) != 0;
    return n;
}

int64_t below_on_diagonal(const struct look *x, int i, double most)
{
    int64_t n = size(x, i, -1), found = 0;
    for (int64_t k = 0; n > 0 && k < count(x, i); k++)
        found += k % n == k / n % n && number(x, i, k) <= most;
    return found;
}

int is_nan(double v)
{
    return isnan(v);
}

int is_inf(double v)
{
    return isinf(v);
}

int is_zero(double v)
{
    return v == 0;
}

int is_minus_zero(double v)
{
    return v == 0 && signbit(v);
}

enum {
    LONG_SUM = 4096,
    GROUP_SUM = 64
}; /* elements of an operand */

int is_long_sum(const struct look *x)
{
    return is(x, 0, "f32") && count(x, 0) >= (x->all ? GROUP_SUM : LONG_SUM);
}

int constant(const struct look *x, int i, double v)
{
    return i < x->planted->node.count && from_far(x, i, "Constant")
           && count(x, i) > 0 && number(x, i, 0) == v
           && !signbit(number(x, i, 0)) == !signbit(v);
}
