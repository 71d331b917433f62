/* literal.h - values: the data of an array, a tuple of values, a token.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Data are bit patterns in row-major order, one unit after the other
 * (dtype.h).  A literal and its data live in the arena they were made in.
 * A bounded dynamic array keeps room for its bounds: elements are at their
 * row-major place among the *bounds*, and sizes tells how many count.
 */
#ifndef INTERP_BASE_LITERAL_H
#define INTERP_BASE_LITERAL_H

#include <stdint.h>
#include <string.h>

#include "interp/base/arena.h"
#include "interp/base/json.h"
#include "interp/base/shape.h"

struct literal {
    const struct shape *shape;
    unsigned char *data;       /* array; NULL for a tuple or token */
    int64_t *sizes;            /* actual sizes if a dimension is dynamic */
    struct literal **elements; /* tuple: shape->rank of them */
};

/* A literal of that shape, all bits zero (tuples: recursively). */
struct literal *literal_new(struct arena *a, const struct shape *shape);
/* A deep copy. */
struct literal *literal_copy(struct arena *a, const struct literal *l);
struct literal *literal_tuple(struct arena *a, int count,
                              struct literal *const *elements);
/* The i-th array or token, depth first. */
struct literal *literal_leaf(const struct literal *l, int i);
/* Are shape, sizes and every counting bit the same? */
bool literal_equal(const struct literal *a, const struct literal *b);

/* Units of an array: elements, twice that if complex. */
static inline int64_t literal_units(const struct literal *l)
{
    return shape_elements(l->shape) * dtype_units(l->shape->dtype);
}

/* The bit pattern of the i-th unit, zero extended. */
static inline uint64_t literal_get(const struct literal *l, int64_t i)
{
    uint16_t b2;
    uint32_t b4;
    uint64_t b8;
    switch (dtype_unit_bytes(l->shape->dtype)) {
    case 1:
        return l->data[i];
    case 2:
        memcpy(&b2, l->data + 2 * i, 2);
        return b2;
    case 4:
        memcpy(&b4, l->data + 4 * i, 4);
        return b4;
    default:
        memcpy(&b8, l->data + 8 * i, 8);
        return b8;
    }
}

/* Store a bit pattern, which must have no bit outside dtype_mask. */
static inline void literal_set(struct literal *l, int64_t i, uint64_t bits)
{
    uint16_t b2 = (uint16_t)bits;
    uint32_t b4 = (uint32_t)bits;
    switch (dtype_unit_bytes(l->shape->dtype)) {
    case 1:
        l->data[i] = (unsigned char)bits;
        break;
    case 2:
        memcpy(l->data + 2 * i, &b2, 2);
        break;
    case 4:
        memcpy(l->data + 4 * i, &b4, 4);
        break;
    default:
        memcpy(l->data + 8 * i, &bits, 8);
        break;
    }
}

/* Copy one element (all its units) between arrays of one element type. */
static inline void literal_move(struct literal *to, int64_t i,
                                const struct literal *from, int64_t j)
{
    int n = dtype_bytes(to->shape->dtype);
    /* A size that is known compiles to a move of a register. */
    switch (n) {
    case 1:
        to->data[i] = from->data[j];
        break;
    case 4:
        memcpy(to->data + 4 * i, from->data + 4 * j, 4);
        break;
    case 8:
        memcpy(to->data + 8 * i, from->data + 8 * j, 8);
        break;
    default:
        memcpy(to->data + i * n, from->data + j * n, (size_t)n);
        break;
    }
}

/* Are two elements of arrays of one element type the same bits? */
static inline bool literal_same(const struct literal *a, int64_t i,
                                const struct literal *b, int64_t j)
{
    int n = dtype_bytes(a->shape->dtype);
    return memcmp(a->data + i * n, b->data + j * n, (size_t)n) == 0;
}

/* An integer element as a signed number (u64 beyond 2^63-1: INT64_MAX); for
 * start indices, sizes, branch indices. */
static inline int64_t literal_int(const struct literal *l, int64_t i)
{
    enum dtype t = l->shape->dtype;
    uint64_t bits = literal_get(l, i);
    if (dtype_class(t) == DTYPE_SINT)
        return dtype_sign_extend(t, bits);
    return bits > INT64_MAX ? INT64_MAX : (int64_t)bits;
}

/* Is element index within the actual sizes?  Always, if not dynamic. */
bool literal_counts(const struct literal *l, const int64_t *index);

#endif
