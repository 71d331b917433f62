/* wrong.c - what a fault does to operands, attributes and results.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "faulty.h"

static void *room(struct look *x, size_t count, size_t bytes)
{
    return memory_new(x->run->memory, count, bytes);
}

/* ---- Operands ------------------------------------------------------------ */

struct value *own(struct look *x, int i)
{
    x->run->operands[i] = value_copy(x->run->memory, x->run->operands[i]);
    return x->run->operands[i];
}

static void map(struct value *v, double (*f)(double))
{
    const struct type *t = v->shape->type;
    for (int64_t i = 0; i < shape_count(v->shape); i++)
        if (t->class == FLOAT)
            type_set_double(t, v->data, i, f(type_double(t, v->data, i)));
        else if (t->class == COMPLEX) {
            double complex z = type_number(t, v->data, i);
            type_set_number(t, v->data, i, type_pair(f(creal(z)), f(cimag(z))));
        } else if (t->class == SINT)
            type_set_int(
                t, v->data, i,
                (uint64_t)(int64_t)f((double)(int64_t)type_int(t, v->data, i)));
        else
            type_set_int(t, v->data, i,
                         (uint64_t)f((double)type_int(t, v->data, i)));
}

void operand_map(struct look *x, int i, double (*f)(double))
{
    map(own(x, i), f);
}

void operand_change(struct look *x, int i, int64_t k, double (*f)(double))
{
    struct value *v = own(x, i);
    const struct type *t = v->shape->type;
    type_set_double(t, v->data, k, f(type_double(t, v->data, k)));
}

void operand_swap(struct look *x, int i, int j)
{
    struct value *v = x->run->operands[i];
    x->run->operands[i] = x->run->operands[j];
    x->run->operands[j] = v;
}

static void set_neutral(struct look *x, struct value *v, int64_t k, int by)
{
    if (by >= 0)
        value_move(v, k, x->run->operands[by], 0);
    else
        memset(v->data + k * v->shape->type->bytes, 0,
               (size_t)v->shape->type->bytes);
}

void neutral(struct look *x, int i, int d, int64_t from, int by)
{
    struct value *v = own(x, i);
    const struct shape *s = v->shape;
    int64_t index[RANK_MAX] = {0}, n = shape_count(s);
    int at = d < 0 ? s->rank + d : d;
    for (int64_t k = 0; k < n; k++) {
        if (index[at] >= from)
            set_neutral(x, v, k, by);
        shape_next(s->rank, s->dims, index);
    }
}

void neutral_from(struct look *x, int i, int64_t from, int by)
{
    struct value *v = own(x, i);
    for (int64_t k = from; k < shape_count(v->shape); k++)
        set_neutral(x, v, k, by);
}

void operand_raw(struct look *x, int i, const struct value *v)
{
    struct value *to = own(x, i);
    size_t a = (size_t)(shape_count(to->shape) * to->shape->type->bytes);
    size_t b = (size_t)(shape_count(v->shape) * v->shape->type->bytes);
    memcpy(to->data, v->data, a < b ? a : b);
}

void operand_full(struct look *x, int i)
{
    struct value *v = own(x, i);
    for (int d = 0; v->sizes != NULL && d < v->shape->rank; d++)
        v->sizes[d] = v->shape->dims[d];
}

/* ---- Attributes ---------------------------------------------------------- */

static struct attribute *own_attribute(struct look *x, const char *name)
{
    struct node *n = room(x, 1, sizeof *n);
    *n = *x->run->node;
    n->attributes =
        room(x, (size_t)n->attribute_count + 1, sizeof *n->attributes);
    memcpy(n->attributes, x->run->node->attributes,
           (size_t)n->attribute_count * sizeof *n->attributes);
    x->run->node = n;
    struct attribute *a = (struct attribute *)attribute_find(n, name);
    if (a != NULL && a->ints != NULL)
        a->ints = memory_ints(x->run->memory, a->ints, a->count);
    return a;
}

void attr_set(struct look *x, const char *name, int k, int64_t value)
{
    struct attribute *a = own_attribute(x, name);
    if (a != NULL && k < a->count)
        ((int64_t *)a->ints)[k] = value;
}

void attr_swap(struct look *x, const char *name, int j, int k)
{
    struct attribute *a = own_attribute(x, name);
    int64_t old = a->ints[j];
    ((int64_t *)a->ints)[j] = a->ints[k];
    ((int64_t *)a->ints)[k] = old;
}

/* ---- Results ------------------------------------------------------------- */

void spoil(struct value *v, int64_t i)
{
    const struct type *t = v->shape->type;
    static const unsigned char zeros[16];
    unsigned char *at = v->data + i * t->bytes;
    size_t bytes = (size_t)t->bytes;
    int zero = memcmp(at, zeros, bytes) == 0;
    memcpy(at, zeros, bytes);
    if (zero && t->class == FLOAT)
        type_set_double(t, v->data, i, 1);
    else if (zero && t->class == COMPLEX)
        type_set_number(t, v->data, i, 1);
    else if (zero)
        type_set_int(t, v->data, i, 1);
}

void spoil_from(struct look *x, int64_t from)
{
    struct value *v = x->run->result;
    if (v->shape->kind == ASSAY_TUPLE)
        v = v->elements[0];
    for (int64_t i = from < 0 ? 0 : from; i < shape_count(v->shape); i++)
        spoil(v, i);
}

void spoil_tail(struct look *x, int64_t block)
{
    const struct shape *s = x->run->result->shape;
    int64_t n = shape_count(s->kind == ASSAY_TUPLE ? s->elements[0] : s);
    spoil_from(x, n - n % block);
}

int64_t last_of(const struct value *v)
{
    int64_t index[RANK_MAX];
    for (int d = 0; d < v->shape->rank; d++)
        if ((index[d] = value_size(v, d) - 1) < 0)
            return -1;
    return shape_offset(v->shape->rank, v->shape->dims, index);
}

void spoil_last(struct look *x)
{
    struct value *v = x->run->result;
    if (v->shape->kind == ASSAY_TUPLE)
        v = v->elements[0];
    if (last_of(v) >= 0)
        spoil(v, last_of(v));
}

void spoil_at(struct look *x, int d, int64_t from)
{
    struct value *v = x->run->result;
    const struct shape *s = v->shape;
    int64_t index[RANK_MAX] = {0}, n = shape_count(s);
    int at = d < 0 ? s->rank + d : d;
    for (int64_t k = 0; k < n; k++) {
        if (index[at] >= from)
            spoil(v, k);
        shape_next(s->rank, s->dims, index);
    }
}

void reorder(struct look *x, int d, int e)
{
    struct value *v = x->run->result;
    const struct shape *s = v->shape;
    struct value *copy = value_copy(x->run->memory, v);
    int64_t index[RANK_MAX] = {0}, dims[RANK_MAX], to[RANK_MAX];
    int a = d < 0 ? s->rank + d : d, b = e < 0 ? s->rank + e : e;
    memcpy(dims, s->dims, (size_t)s->rank * sizeof *dims);
    dims[a] = s->dims[b];
    dims[b] = s->dims[a];
    for (int64_t k = 0; k < shape_count(s); k++) {
        memcpy(to, index, (size_t)s->rank * sizeof *to);
        to[a] = index[b];
        to[b] = index[a];
        value_move(v, shape_offset(s->rank, dims, to), copy, k);
        shape_next(s->rank, s->dims, index);
    }
}

void result_map(struct look *x, double (*f)(double))
{
    struct value *v = x->run->result;
    if (v->shape->kind == ASSAY_ARRAY)
        map(v, f);
    else
        for (int i = 0; i < v->shape->rank; i++)
            map(v->elements[i], f);
}

void result_is(struct look *x, const struct value *v)
{
    struct value *to = x->run->result;
    size_t a = (size_t)(shape_count(to->shape) * to->shape->type->bytes);
    size_t b = (size_t)(shape_count(v->shape) * v->shape->type->bytes);
    memcpy(to->data, v->data, a < b ? a : b);
}

void result_from(struct look *x, struct value *v)
{
    x->run->result = value_copy(x->run->memory, v);
}

void overwrite(struct look *x, int i)
{
    struct value *to = x->run->operands[i];
    const struct value *v = x->run->result;
    size_t a = (size_t)(shape_count(to->shape) * to->shape->type->bytes);
    size_t b = (size_t)(shape_count(v->shape) * v->shape->type->bytes);
    memcpy(to->data, v->data, a < b ? a : b);
}

void tuple_swap(struct look *x, int i, int j)
{
    struct value *v = x->run->result;
    struct value *old = v->elements[i];
    v->elements[i] = v->elements[j];
    v->elements[j] = old;
}

void result_false(struct look *x, int value)
{
    x->run->result->data[0] = (unsigned char)value;
}

void copy_element(struct look *x, int64_t k, int64_t j)
{
    value_move(x->run->result, k, x->run->result, j);
}
