/* shape.h - arrays, tuples and tokens: what a value looks like.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shapes are immutable once made and live in the arena they were made in.
 * Written as HLO writes them: f32[2,3], s32[], f32[<=10,4], (f32[2], s32[]),
 * token[].
 */
#ifndef INTERP_BASE_SHAPE_H
#define INTERP_BASE_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "interp/base/arena.h"
#include "interp/base/dtype.h"
#include "interp/base/status.h"

enum {
    SHAPE_RANK_MAX = 64,    /* dimensions of an array */
    SHAPE_DEPTH_MAX = 32,   /* tuples in tuples */
    SHAPE_LEAVES_MAX = 4096 /* arrays and tokens of a tuple, at any depth */
};

enum shape_kind {
    SHAPE_ARRAY,
    SHAPE_TUPLE,
    SHAPE_TOKEN
};

struct shape {
    enum shape_kind kind;
    enum dtype dtype;    /* array */
    int rank;            /* array: dimensions; tuple: elements */
    const int64_t *dims; /* array: sizes, or upper bounds if dynamic */
    const bool *dynamic; /* array: dims[i] is a bound; NULL: none is */
    const struct shape *const *elements; /* tuple */
};

/* Make shapes.  dims are copied; dynamic may be NULL, and is copied.  The
 * product of the sizes must fit in int64_t (shape_check_size first, if the
 * sizes are not known to be good). */
const struct shape *shape_array(struct arena *a, enum dtype dtype, int rank,
                                const int64_t *dims);
const struct shape *shape_dynamic(struct arena *a, enum dtype dtype, int rank,
                                  const int64_t *dims, const bool *dynamic);
const struct shape *shape_scalar(struct arena *a, enum dtype dtype);
const struct shape *shape_tuple(struct arena *a, int count,
                                const struct shape *const *elements);
const struct shape *shape_token(struct arena *a);
/* The same dimensions with another element type. */
const struct shape *shape_with_dtype(struct arena *a, const struct shape *s,
                                     enum dtype dtype);

/* Parse one shape; all of text must be used.  Fails with INPUT. */
bool shape_parse(struct arena *a, const char *text, const struct shape **shape,
                 struct status *st);
/* As text, in the arena. */
const char *shape_text(struct arena *a, const struct shape *s);

/* Fails with SHAPE if a size is negative or the byte size overflows, with
 * SYSTEM
 * ("limit: ...") if it exceeds limit_bytes. */
bool shape_check_size(int rank, const int64_t *dims, enum dtype dtype,
                      int64_t limit_bytes, struct status *st);

/* UNSUPPORTED failure if such a tuple has too many leaves or is nested too
 * deeply; tuples of one tuple twice, and so on, double with each step. */
bool shape_check_tuple(int count, const struct shape *const *elements,
                       struct status *st);

/* Equal in everything, including bounds and dynamic dimensions. */
bool shape_equal(const struct shape *a, const struct shape *b);
/* Arrays of equal rank and sizes, whatever the element types. */
bool shape_same_dims(const struct shape *a, const struct shape *b);
bool shape_is_scalar(const struct shape *s);
bool shape_has_dynamic(const struct shape *s);

/* Number of elements of an array (1 for a scalar), by its bounds. */
int64_t shape_elements(const struct shape *s);
/* Bytes of an array in a literal (dtype.h). */
int64_t shape_bytes(const struct shape *s);
/* Arrays and tokens in s, depth first. */
int shape_leaves(const struct shape *s);
/* The first of them; a tuple, if there is none. */
const struct shape *shape_first(const struct shape *s);
/* The i-th of them. */
const struct shape *shape_leaf(const struct shape *s, int i);

/* Multi-indices, row-major.  index_next steps to the following one and returns
 * false after the last (index is then all zero again). */
bool shape_next_index(int rank, const int64_t *dims, int64_t *index);
int64_t shape_linear(int rank, const int64_t *dims, const int64_t *index);
/* strides[i]: elements between neighbours along dimension i. */
void shape_strides(int rank, const int64_t *dims, int64_t *strides);

#endif
