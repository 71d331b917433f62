/* shape.c - shapes and values.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "native.h"

/* The most bytes of one value; what is larger is refused. */
static const int64_t bytes_max = INT64_C(1) << 33;

const struct shape *shape_new(struct memory *m, const struct type *type,
                              int32_t rank, const int64_t *dims)
{
    struct shape *s = memory_new(m, 1, sizeof *s);
    s->kind = ASSAY_ARRAY;
    s->rank = rank;
    s->type = type;
    s->dims = memory_ints(m, dims, rank);
    return s;
}

const struct shape *shape_retyped(struct memory *m, const struct shape *s,
                                  const struct type *type)
{
    if (type == s->type)
        return s;
    return shape_flagged(m, shape_new(m, type, s->rank, s->dims), s->dynamic);
}

const struct shape *shape_flagged(struct memory *m, const struct shape *s,
                                  const uint8_t *dynamic)
{
    struct shape *copy = memory_new(m, 1, sizeof *copy);
    *copy = *s;
    copy->dynamic = NULL;
    for (int i = 0; dynamic != NULL && i < s->rank; i++)
        if (dynamic[i])
            copy->dynamic = memory_bytes(m, dynamic, s->rank);
    return copy;
}

int shape_is_dynamic(const struct shape *s)
{
    if (s->kind != ASSAY_TUPLE)
        return s->dynamic != NULL;
    for (int i = 0; i < s->rank; i++)
        if (shape_is_dynamic(s->elements[i]))
            return 1;
    return 0;
}

const struct shape *shape_tuple(struct memory *m, int32_t count,
                                const struct shape *const *elements)
{
    struct shape *s = memory_new(m, 1, sizeof *s);
    const struct shape **copy = memory_new(m, (size_t)count + 1, sizeof *copy);
    for (int32_t i = 0; i < count; i++)
        copy[i] = elements[i];
    s->kind = ASSAY_TUPLE;
    s->rank = count;
    s->elements = copy;
    return s;
}

const struct shape *shape_joined(struct memory *m, int32_t count,
                                 const struct shape *const *shapes)
{
    return count == 1 ? shapes[0] : shape_tuple(m, count, shapes);
}

const struct shape *shape_token(struct memory *m)
{
    struct shape *s = memory_new(m, 1, sizeof *s);
    s->kind = ASSAY_TOKEN;
    return s;
}

assay_code shape_read(struct memory *m, const assay_shape *from,
                      const struct shape **to, assay_error *error)
{
    if (from->kind == ASSAY_TUPLE) {
        const struct shape **elements =
            memory_new(m, (size_t)from->rank + 1, sizeof *elements);
        for (int32_t i = 0; i < from->rank; i++)
            TRY(shape_read(m, from->elements[i], &elements[i], error));
        *to = shape_tuple(m, from->rank, elements);
        return ASSAY_OK;
    }
    if (from->kind == ASSAY_TOKEN) {
        *to = shape_token(m);
        return ASSAY_OK;
    }
    if (from->kind != ASSAY_ARRAY)
        return memory_fail(error, ASSAY_UNSUPPORTED, "shapes of kind %d",
                           (int)from->kind);
    const struct type *type = type_find(from->dtype);
    if (type == NULL)
        return memory_fail(error, ASSAY_UNSUPPORTED, "element type %s",
                           from->dtype);
    if (from->rank > RANK_MAX)
        return memory_fail(error, ASSAY_UNSUPPORTED, "%d dimensions",
                           (int)from->rank);
    *to = shape_flagged(m, shape_new(m, type, from->rank, from->dims),
                        from->dynamic);
    return shape_check(*to, error);
}

assay_code shape_check(const struct shape *s, assay_error *error)
{
    int64_t bytes = 16;
    if (s->kind != ASSAY_ARRAY)
        return ASSAY_OK;
    for (int i = 0; i < s->rank; i++)
        if (s->dims[i] < 0)
            return memory_fail(error, ASSAY_SHAPE, "dimension %d is negative",
                               i);
    for (int i = 0; i < s->rank; i++) {
        if (s->dims[i] > 0 && bytes > bytes_max / s->dims[i])
            return memory_fail(error, ASSAY_UNSUPPORTED,
                               "the array has too many elements");
        bytes *= s->dims[i] > 0 ? s->dims[i] : 1;
    }
    return ASSAY_OK;
}

int64_t shape_count(const struct shape *s)
{
    int64_t n = 1;
    for (int i = 0; i < s->rank; i++)
        n *= s->dims[i];
    return n;
}

int shape_leaves(const struct shape *s)
{
    int n = 0;
    if (s->kind != ASSAY_TUPLE)
        return 1;
    for (int i = 0; i < s->rank; i++)
        n += shape_leaves(s->elements[i]);
    return n;
}

int shape_same_dims(const struct shape *a, const struct shape *b)
{
    if (a->kind != ASSAY_ARRAY || b->kind != ASSAY_ARRAY || a->rank != b->rank)
        return 0;
    for (int i = 0; i < a->rank; i++)
        if (a->dims[i] != b->dims[i])
            return 0;
    return 1;
}

static int same_flags(const struct shape *a, const struct shape *b)
{
    if (a->dynamic == NULL || b->dynamic == NULL)
        return a->dynamic == b->dynamic;
    for (int i = 0; i < a->rank; i++)
        if (!a->dynamic[i] != !b->dynamic[i])
            return 0;
    return 1;
}

int shape_equal(const struct shape *a, const struct shape *b)
{
    if (a->kind != b->kind || a->rank != b->rank)
        return 0;
    if (a->kind == ASSAY_ARRAY)
        return a->type == b->type && shape_same_dims(a, b) && same_flags(a, b);
    for (int i = 0; i < a->rank; i++)
        if (!shape_equal(a->elements[i], b->elements[i]))
            return 0;
    return 1;
}

int shape_is_scalar(const struct shape *s)
{
    return s->kind == ASSAY_ARRAY && s->rank == 0;
}

int shape_next(int rank, const int64_t *dims, int64_t *index)
{
    for (int i = rank - 1; i >= 0; i--) {
        if (++index[i] < dims[i])
            return 1;
        index[i] = 0;
    }
    return 0;
}

int64_t shape_offset(int rank, const int64_t *dims, const int64_t *index)
{
    int64_t offset = 0;
    for (int i = 0; i < rank; i++)
        offset = offset * dims[i] + index[i];
    return offset;
}

void shape_steps(const struct shape *s, int64_t *steps)
{
    int64_t step = 1;
    for (int i = s->rank - 1; i >= 0; i--) {
        steps[i] = step;
        step *= s->dims[i];
    }
}

struct value *value_new(struct memory *m, const struct shape *shape)
{
    struct value *v = memory_new(m, 1, sizeof *v);
    v->shape = shape;
    if (shape->kind == ASSAY_ARRAY) {
        v->data = memory_new(m, (size_t)shape_count(shape),
                             (size_t)shape->type->bytes);
        if (shape->dynamic != NULL)
            v->sizes = memory_ints(m, shape->dims, shape->rank);
    } else {
        v->elements =
            memory_new(m, (size_t)shape->rank + 1, sizeof *v->elements);
        for (int i = 0; i < shape->rank; i++)
            v->elements[i] = value_new(m, shape->elements[i]);
    }
    return v;
}

struct value *value_copy(struct memory *m, const struct value *v)
{
    struct value *copy = value_new(m, v->shape);
    if (v->shape->kind == ASSAY_ARRAY) {
        value_fill(copy, v);
        for (int i = 0; v->sizes != NULL && i < v->shape->rank; i++)
            copy->sizes[i] = v->sizes[i];
    } else {
        for (int i = 0; i < v->shape->rank; i++)
            copy->elements[i] = value_copy(m, v->elements[i]);
    }
    return copy;
}

struct value *value_retyped(struct memory *m, struct value *v,
                            const struct shape *shape)
{
    const struct type *from = v->shape->type;
    int64_t n = shape_count(shape);
    if (shape->type == from)
        return v;
    struct value *to = value_new(m, shape);
    for (int64_t i = 0; i < n; i++)
        type_set_double(shape->type, to->data, i,
                        type_double(from, v->data, i));
    return to;
}

int64_t value_size(const struct value *v, int d)
{
    return v->sizes != NULL ? v->sizes[d] : v->shape->dims[d];
}

void value_move(struct value *to, int64_t i, const struct value *from,
                int64_t j)
{
    size_t size = (size_t)to->shape->type->bytes;
    memcpy(to->data + (size_t)i * size, from->data + (size_t)j * size, size);
}

void value_fill(struct value *to, const struct value *from)
{
    int64_t bytes = shape_count(to->shape) * to->shape->type->bytes;
    if (bytes > 0)
        memcpy(to->data, from->data, (size_t)bytes);
}

void value_take(struct value *to, const struct shape *s,
                const struct value *from, int64_t first, const int64_t *steps)
{
    int64_t index[RANK_MAX] = {0}, n = shape_count(s);
    for (int64_t i = 0; i < n; i++) {
        int64_t at = first;
        for (int k = 0; k < s->rank; k++)
            at += index[k] * steps[k];
        value_move(to, i, from, at);
        shape_next(s->rank, s->dims, index);
    }
}

struct value **value_parts(struct value **v, int n)
{
    return n == 1 ? v : (*v)->elements;
}

void value_copy_box(struct value *to, const int64_t *to_at,
                    const struct value *from, const int64_t *from_at,
                    const int64_t *box)
{
    int rank = to->shape->rank;
    size_t size = (size_t)to->shape->type->bytes;
    int64_t index[RANK_MAX] = {0}, a[RANK_MAX], b[RANK_MAX];
    for (int k = 0; k < rank; k++)
        if (box[k] == 0)
            return;
    do {
        for (int k = 0; k < rank; k++) {
            a[k] = index[k] + to_at[k];
            b[k] = index[k] + from_at[k];
        }
        memcpy(to->data + (size_t)shape_offset(rank, to->shape->dims, a) * size,
               from->data
                   + (size_t)shape_offset(rank, from->shape->dims, b) * size,
               size);
    } while (shape_next(rank, box, index));
}

void value_leaves(struct value *v, struct value **list, int *count)
{
    if (v->shape->kind != ASSAY_TUPLE) {
        list[(*count)++] = v;
        return;
    }
    for (int i = 0; i < v->shape->rank; i++)
        value_leaves(v->elements[i], list, count);
}

struct value *value_of(struct memory *m, const struct shape *shape,
                       struct value *const *list, int *next)
{
    if (shape->kind != ASSAY_TUPLE)
        return list[(*next)++];
    struct value *v = memory_new(m, 1, sizeof *v);
    v->shape = shape;
    v->elements = memory_new(m, (size_t)shape->rank + 1, sizeof *v->elements);
    for (int i = 0; i < shape->rank; i++)
        v->elements[i] = value_of(m, shape->elements[i], list, next);
    return v;
}
