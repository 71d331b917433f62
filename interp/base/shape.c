/* shape.c - see shape.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/base/shape.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

const struct shape *shape_dynamic(struct arena *a, enum dtype dtype, int rank,
                                  const int64_t *dims, const bool *dynamic)
{
    assert(rank >= 0 && rank <= SHAPE_RANK_MAX);
    struct shape *s = arena_new(a, struct shape, 1);
    s->kind = SHAPE_ARRAY;
    s->dtype = dtype;
    s->rank = rank;
    int64_t *copy = arena_new(a, int64_t, (size_t)rank);
    bool any = false;
    for (int i = 0; i < rank; i++) {
        copy[i] = dims[i];
        any = any || (dynamic && dynamic[i]);
    }
    s->dims = copy;
    if (any) {
        bool *flags = arena_new(a, bool, (size_t)rank);
        memcpy(flags, dynamic, (size_t)rank * sizeof *flags);
        s->dynamic = flags;
    }
    return s;
}

const struct shape *shape_array(struct arena *a, enum dtype dtype, int rank,
                                const int64_t *dims)
{
    return shape_dynamic(a, dtype, rank, dims, NULL);
}

const struct shape *shape_scalar(struct arena *a, enum dtype dtype)
{
    return shape_array(a, dtype, 0, NULL);
}

const struct shape *shape_tuple(struct arena *a, int count,
                                const struct shape *const *elements)
{
    struct shape *s = arena_new(a, struct shape, 1);
    const struct shape **copy = arena_new(a, const struct shape *, count);
    for (int i = 0; i < count; i++)
        copy[i] = elements[i];
    s->kind = SHAPE_TUPLE;
    s->rank = count;
    s->elements = copy;
    return s;
}

const struct shape *shape_token(struct arena *a)
{
    struct shape *s = arena_new(a, struct shape, 1);
    s->kind = SHAPE_TOKEN;
    return s;
}

const struct shape *shape_with_dtype(struct arena *a, const struct shape *s,
                                     enum dtype dtype)
{
    return shape_dynamic(a, dtype, s->rank, s->dims, s->dynamic);
}

/* ---- Text --------------------------------------------------------------- */

struct reader {
    struct arena *arena;
    const char *text, *next;
    int depth;
    struct status *st;
};

static bool bad(struct reader *r, const char *what)
{
    return FAIL(r->st, INPUT, "bad shape '%.80s': %s at position %d", r->text,
                what, (int)(r->next - r->text) + 1);
}

static void skip_space(struct reader *r)
{
    while (*r->next == ' ')
        r->next++;
}

static bool read_size(struct reader *r, int64_t *size, bool *dynamic)
{
    skip_space(r);
    *dynamic = strncmp(r->next, "<=", 2) == 0;
    if (*dynamic)
        r->next += 2;
    if (!isdigit((unsigned char)*r->next))
        return bad(r, "expected a size");
    int64_t n = 0;
    for (; isdigit((unsigned char)*r->next); r->next++) {
        int digit = *r->next - '0';
        if (n > (INT64_MAX - digit) / 10)
            return bad(r, "the size is too large");
        n = 10 * n + digit;
    }
    *size = n;
    skip_space(r);
    return true;
}

static bool read_array(struct reader *r, enum dtype dtype,
                       const struct shape **shape)
{
    int64_t dims[SHAPE_RANK_MAX];
    bool dynamic[SHAPE_RANK_MAX];
    int rank = 0;
    if (*r->next != '[')
        return bad(r, "expected '['");
    r->next++;
    skip_space(r);
    while (*r->next != ']') {
        if (rank == SHAPE_RANK_MAX)
            return bad(r, "too many dimensions");
        TRY(read_size(r, &dims[rank], &dynamic[rank]));
        rank++;
        if (*r->next == ']')
            break;
        if (*r->next != ',')
            return bad(r, "expected ',' or ']'");
        r->next++;
        skip_space(r);
        if (*r->next == ']')
            return bad(r, "expected a size");
    }
    r->next++;
    struct status size = {STATUS_OK};
    if (!shape_check_size(rank, dims, dtype, INT64_MAX / 4, &size))
        return bad(r, "the array is too large");
    *shape = shape_dynamic(r->arena, dtype, rank, dims, dynamic);
    return true;
}

static bool read_shape(struct reader *r, const struct shape **shape);

static bool read_tuple(struct reader *r, const struct shape **shape)
{
    const struct shape **elements = NULL;
    int count = 0, room = 0;
    if (++r->depth > SHAPE_DEPTH_MAX)
        return bad(r, "tuples are nested too deeply");
    r->next++;
    skip_space(r);
    while (*r->next != ')') {
        if (count == SHAPE_LEAVES_MAX)
            return bad(r, "too many tuple elements");
        ARENA_GROW(r->arena, elements, count, room);
        TRY(read_shape(r, &elements[count]));
        count++;
        skip_space(r);
        if (*r->next == ')')
            break;
        if (*r->next != ',')
            return bad(r, "expected ',' or ')'");
        r->next++;
        skip_space(r);
        if (*r->next == ')')
            return bad(r, "expected a shape");
    }
    r->next++;
    r->depth--;
    struct status size = {STATUS_OK};
    if (!shape_check_tuple(count, elements, &size))
        return bad(r, "too many tuple elements");
    *shape = shape_tuple(r->arena, count, elements);
    return true;
}

static bool read_shape(struct reader *r, const struct shape **shape)
{
    skip_space(r);
    if (*r->next == '(')
        return read_tuple(r, shape);
    const char *name = r->next;
    size_t length = 0;
    while (isalnum((unsigned char)name[length]))
        length++;
    if (length == 5 && memcmp(name, "token", 5) == 0) {
        r->next += length;
        if (strncmp(r->next, "[]", 2) != 0)
            return bad(r, "expected '[]'");
        r->next += 2;
        *shape = shape_token(r->arena);
        return true;
    }
    enum dtype dtype;
    if (!dtype_parse(name, length, &dtype))
        return bad(r, "expected an element type, '(' or 'token[]'");
    r->next += length;
    return read_array(r, dtype, shape);
}

bool shape_parse(struct arena *a, const char *text, const struct shape **shape,
                 struct status *st)
{
    struct reader r = {a, text, text, 0, st};
    TRY(read_shape(&r, shape));
    skip_space(&r);
    if (*r.next != '\0')
        return bad(&r, "unexpected text");
    return true;
}

const char *shape_text(struct arena *a, const struct shape *s)
{
    if (s->kind == SHAPE_TOKEN)
        return "token[]";
    const char *text = s->kind == SHAPE_TUPLE ? "(" : "";
    for (int i = 0; i < s->rank; i++) {
        const char *comma = i > 0 ? "," : "";
        if (s->kind == SHAPE_TUPLE)
            text = arena_printf(a, "%s%s%s", text, i > 0 ? ", " : "",
                                shape_text(a, s->elements[i]));
        else
            text = arena_printf(a, "%s%s%s%" PRId64, text, comma,
                                s->dynamic && s->dynamic[i] ? "<=" : "",
                                s->dims[i]);
    }
    if (s->kind == SHAPE_TUPLE)
        return arena_printf(a, "%s)", text);
    return arena_printf(a, "%s[%s]", dtype_table[s->dtype].name, text);
}

/* ---- Questions ---------------------------------------------------------- */

bool shape_check_size(int rank, const int64_t *dims, enum dtype dtype,
                      int64_t limit_bytes, struct status *st)
{
    if (rank > SHAPE_RANK_MAX)
        return FAIL(st, SHAPE, "%d dimensions, the limit is %d", rank,
                    SHAPE_RANK_MAX);
    /* A zero makes the array empty, however large the other sizes are. */
    bool empty = false;
    for (int i = 0; i < rank; i++) {
        if (dims[i] < 0)
            return FAIL(st, SHAPE, "dimension %d has size %" PRId64, i,
                        dims[i]);
        empty = empty || dims[i] == 0;
    }
    int64_t bytes = dtype_bytes(dtype);
    for (int i = 0; i < rank && !empty; i++)
        if (__builtin_mul_overflow(bytes, dims[i], &bytes))
            return FAIL(st, SHAPE, "the array has 2^63 bytes or more");
    if (!empty && bytes > limit_bytes)
        return FAIL(st, SYSTEM,
                    "limit: an array of %" PRId64 " bytes, of %" PRId64
                    " allowed (--limit-literal-bytes)",
                    bytes, limit_bytes);
    return true;
}

/* Leaves of s; more than the limit if it is nested deeper than depth.  An empty
 * tuple counts too, otherwise there could be infinitely many. */
static int64_t count_leaves(const struct shape *s, int depth)
{
    if (s->kind != SHAPE_TUPLE)
        return 1;
    int64_t n = depth > 0 ? 1 : SHAPE_LEAVES_MAX + 1;
    for (int i = 0; i < s->rank && n <= SHAPE_LEAVES_MAX; i++)
        n += count_leaves(s->elements[i], depth - 1);
    return n;
}

bool shape_check_tuple(int count, const struct shape *const *elements,
                       struct status *st)
{
    int64_t n = 0;
    for (int i = 0; i < count && n <= SHAPE_LEAVES_MAX; i++)
        n += count_leaves(elements[i], SHAPE_DEPTH_MAX - 1);
    if (n > SHAPE_LEAVES_MAX)
        return FAIL(st, UNSUPPORTED,
                    "a tuple of more than %d leaves, or nested deeper than %d",
                    SHAPE_LEAVES_MAX, SHAPE_DEPTH_MAX);
    return true;
}

bool shape_equal(const struct shape *a, const struct shape *b)
{
    if (a->kind != b->kind || a->rank != b->rank)
        return false;
    if (a->kind == SHAPE_ARRAY && a->dtype != b->dtype)
        return false;
    for (int i = 0; i < a->rank; i++) {
        if (a->kind == SHAPE_TUPLE) {
            if (!shape_equal(a->elements[i], b->elements[i]))
                return false;
        } else if (a->dims[i] != b->dims[i]
                   || (a->dynamic && a->dynamic[i])
                          != (b->dynamic && b->dynamic[i])) {
            return false;
        }
    }
    return true;
}

bool shape_same_dims(const struct shape *a, const struct shape *b)
{
    if (a->kind != SHAPE_ARRAY || b->kind != SHAPE_ARRAY || a->rank != b->rank)
        return false;
    for (int i = 0; i < a->rank; i++)
        if (a->dims[i] != b->dims[i])
            return false;
    return true;
}

bool shape_is_scalar(const struct shape *s)
{
    return s->kind == SHAPE_ARRAY && s->rank == 0;
}

bool shape_has_dynamic(const struct shape *s)
{
    if (s->kind == SHAPE_ARRAY)
        return s->dynamic != NULL;
    for (int i = 0; i < s->rank; i++)
        if (shape_has_dynamic(s->elements[i]))
            return true;
    return false;
}

int64_t shape_elements(const struct shape *s)
{
    /* A zero first: the product of the others need not fit. */
    for (int i = 0; i < s->rank; i++)
        if (s->dims[i] == 0)
            return 0;
    int64_t n = 1;
    for (int i = 0; i < s->rank; i++)
        n *= s->dims[i];
    return n;
}

int64_t shape_bytes(const struct shape *s)
{
    return shape_elements(s) * dtype_bytes(s->dtype);
}

const struct shape *shape_first(const struct shape *s)
{
    while (s->kind == SHAPE_TUPLE && s->rank > 0)
        s = s->elements[0];
    return s;
}

int shape_leaves(const struct shape *s)
{
    if (s->kind != SHAPE_TUPLE)
        return 1;
    int n = 0;
    for (int i = 0; i < s->rank; i++)
        n += shape_leaves(s->elements[i]);
    return n;
}

const struct shape *shape_leaf(const struct shape *s, int i)
{
    if (s->kind != SHAPE_TUPLE)
        return s;
    for (int e = 0; e < s->rank; e++) {
        int n = shape_leaves(s->elements[e]);
        if (i < n)
            return shape_leaf(s->elements[e], i);
        i -= n;
    }
    assert(!"leaf number in range");
    return NULL;
}

/* ---- Indices ------------------------------------------------------------ */

bool shape_next_index(int rank, const int64_t *dims, int64_t *index)
{
    for (int i = rank - 1; i >= 0; i--) {
        if (++index[i] < dims[i])
            return true;
        index[i] = 0;
    }
    return false;
}

int64_t shape_linear(int rank, const int64_t *dims, const int64_t *index)
{
    int64_t linear = 0;
    for (int i = 0; i < rank; i++)
        linear = linear * dims[i] + index[i];
    return linear;
}

void shape_strides(int rank, const int64_t *dims, int64_t *strides)
{
    int64_t stride = 1;
    for (int i = rank - 1; i >= 0; i--) {
        strides[i] = stride;
        /* The strides of an empty array are never used. */
        if (dims[i] != 0 && stride <= INT64_MAX / dims[i])
            stride *= dims[i];
    }
}
