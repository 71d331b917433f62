/* literal.c - see literal.h.  Tests: test_shape.c, test_dynamic_ops.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/base/literal.h"

#include <assert.h>

static const union {
    uint16_t word;
    unsigned char bytes[2];
} probe = {1};

struct literal *literal_new(struct arena *a, const struct shape *shape)
{
    assert(probe.bytes[0] == 1); /* data are little-endian, as the host is */
    struct literal *l = arena_new(a, struct literal, 1);
    l->shape = shape;
    if (shape->kind == SHAPE_TUPLE) {
        l->elements = arena_new(a, struct literal *, (size_t)shape->rank);
        for (int i = 0; i < shape->rank; i++)
            l->elements[i] = literal_new(a, shape->elements[i]);
    } else if (shape->kind == SHAPE_ARRAY) {
        l->data = arena_alloc(a, (size_t)shape_bytes(shape));
        if (shape->dynamic) {
            l->sizes = arena_new(a, int64_t, (size_t)shape->rank);
            memcpy(l->sizes, shape->dims,
                   (size_t)shape->rank * sizeof *l->sizes);
        }
    }
    return l;
}

struct literal *literal_copy(struct arena *a, const struct literal *from)
{
    struct literal *l = arena_new(a, struct literal, 1);
    *l = *from;
    if (from->shape->kind == SHAPE_TUPLE) {
        l->elements = arena_new(a, struct literal *, (size_t)from->shape->rank);
        for (int i = 0; i < from->shape->rank; i++)
            l->elements[i] = literal_copy(a, from->elements[i]);
    } else if (from->shape->kind == SHAPE_ARRAY) {
        size_t bytes = (size_t)shape_bytes(from->shape);
        l->data = arena_alloc(a, bytes);
        memcpy(l->data, from->data, bytes);
        if (from->sizes) {
            size_t rank = (size_t)from->shape->rank;
            l->sizes = arena_new(a, int64_t, rank);
            memcpy(l->sizes, from->sizes, rank * sizeof *l->sizes);
        }
    }
    return l;
}

struct literal *literal_tuple(struct arena *a, int count,
                              struct literal *const *elements)
{
    const struct shape **shapes = arena_new(a, const struct shape *, count);
    struct literal *l = arena_new(a, struct literal, 1);
    l->elements = arena_new(a, struct literal *, (size_t)count);
    for (int i = 0; i < count; i++) {
        l->elements[i] = elements[i];
        shapes[i] = elements[i]->shape;
    }
    l->shape = shape_tuple(a, count, shapes);
    return l;
}

struct literal *literal_leaf(const struct literal *l, int i)
{
    while (l->shape->kind == SHAPE_TUPLE) {
        int e = 0;
        for (;; e++) {
            assert(e < l->shape->rank);
            int n = shape_leaves(l->elements[e]->shape);
            if (i < n)
                break;
            i -= n;
        }
        l = l->elements[e];
    }
    return (struct literal *)(uintptr_t)l;
}

static bool equal_dynamic(const struct literal *a, const struct literal *b)
{
    const struct shape *s = a->shape;
    int64_t index[SHAPE_RANK_MAX] = {0};
    for (int i = 0; i < s->rank; i++)
        if (a->sizes[i] != b->sizes[i])
            return false;
    for (int64_t i = 0, n = shape_elements(s); i < n; i++) {
        if (literal_counts(a, index) && !literal_same(a, i, b, i))
            return false;
        shape_next_index(s->rank, s->dims, index);
    }
    return true;
}

bool literal_equal(const struct literal *a, const struct literal *b)
{
    if (!shape_equal(a->shape, b->shape))
        return false;
    if (a->shape->kind == SHAPE_TOKEN)
        return true;
    if (a->shape->kind == SHAPE_ARRAY) {
        if (a->sizes)
            return equal_dynamic(a, b);
        return memcmp(a->data, b->data, (size_t)shape_bytes(a->shape)) == 0;
    }
    for (int i = 0; i < a->shape->rank; i++)
        if (!literal_equal(a->elements[i], b->elements[i]))
            return false;
    return true;
}

bool literal_counts(const struct literal *l, const int64_t *index)
{
    if (!l->sizes)
        return true;
    for (int i = 0; i < l->shape->rank; i++)
        if (index[i] >= l->sizes[i])
            return false;
    return true;
}
