/* verdict_layout.c - is a result of the type and size that is expected?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "interp/judge/verdict.h"

static bool same_type(const struct shape *want, const struct verdict_got *got,
                      char *why, size_t size)
{
    const char *due =
        want->kind == SHAPE_TOKEN ? "token" : dtype_table[want->dtype].name;
    int rank = want->kind == SHAPE_TOKEN ? 0 : want->rank;
    if (strcmp(got->dtype, due) != 0) {
        snprintf(why, size, "element type %.24s, expected %s", got->dtype, due);
        return false;
    }
    if (got->rank != rank) {
        snprintf(why, size, "rank %d, expected %d", got->rank, rank);
        return false;
    }
    return true;
}

static bool same_sizes(const struct literal *want,
                       const struct verdict_got *got, char *why, size_t size)
{
    const struct shape *s = want->shape;
    for (int i = 0; i < s->rank; i++) {
        if (got->dims[i] != s->dims[i]) {
            snprintf(why, size,
                     "size %" PRId64 " of dimension %d, expected %" PRId64,
                     got->dims[i], i, s->dims[i]);
            return false;
        }
        int64_t actual = want->sizes ? want->sizes[i] : s->dims[i];
        if (got->sizes[i] != actual) {
            snprintf(why, size,
                     "actual size %" PRId64
                     " of dimension %d, expected %" PRId64,
                     got->sizes[i], i, actual);
            return false;
        }
    }
    return true;
}

/* Can the data be read where they are? */
static bool is_as_read(const struct shape *s, const unsigned char *data)
{
    return s->kind == SHAPE_ARRAY && !s->dynamic && data
           && dtype_table[s->dtype].bits >= 8
           && (uintptr_t)data % sizeof(uint64_t) == 0;
}

bool verdict_layout_is_wrong(const char *text)
{
    return text
           && (strncmp(text, "output ", strlen("output ")) == 0
               || strstr(text, " outputs, expected "));
}

bool verdict_layout(struct arena *a, const struct literal *want,
                    const struct verdict_got *got, struct literal **into,
                    char *why, size_t size)
{
    const struct shape *s = want->shape;
    *into = NULL;
    if (!same_type(s, got, why, size))
        return false;
    int64_t bytes = s->kind == SHAPE_TOKEN ? 0 : shape_bytes(s);
    if (s->kind == SHAPE_ARRAY && !same_sizes(want, got, why, size))
        return false;
    if (got->bytes != (uint64_t)bytes) {
        snprintf(why, size, "%" PRIu64 " bytes, expected %" PRId64, got->bytes,
                 bytes);
        return false;
    }
    if (got->held < got->bytes) {
        snprintf(why, size, "only %" PRIu64 " of %" PRIu64 " bytes are present",
                 got->held, got->bytes);
        return false;
    }
    if (is_as_read(s, got->data)) {
        struct literal *view = arena_new(a, struct literal, 1);
        view->shape = s;
        view->data = (unsigned char *)(uintptr_t)got->data; /* never written */
        *into = view;
        return true;
    }
    struct literal *l = literal_new(a, s);
    *into = l;
    if (bytes == 0)
        return true;
    if (want->sizes)
        memcpy(l->sizes, want->sizes, (size_t)s->rank * sizeof *l->sizes);
    memcpy(l->data, got->data, (size_t)bytes);
    int bits = dtype_table[s->dtype].bits;
    if (bits >= 8)
        return true;
    /* Padding bits don't count, but a pred has none: it is 0 or 1. */
    unsigned char mask = (unsigned char)dtype_mask(s->dtype);
    bool pred = dtype_class(s->dtype) == DTYPE_PRED;
    for (int64_t i = 0; i < bytes; i++) {
        if (pred && !want->sizes && l->data[i] > 1) {
            snprintf(why, size, "pred %" PRId64 " is the byte 0x%02x", i,
                     (unsigned)l->data[i]);
            return false;
        }
        l->data[i] &= mask;
    }
    return true;
}

struct verdict_leaf *verdict_layout_copy(struct arena *a,
                                         const struct verdict_leaf *leaves,
                                         int count)
{
    struct verdict_leaf *copy =
        arena_new(a, struct verdict_leaf, (size_t)count + 1);
    for (int i = 0; i < count; i++) {
        size_t n = (size_t)literal_units(leaves[i].got);
        copy[i] = leaves[i];
        copy[i].state = arena_alloc(a, n + 1);
        memcpy(copy[i].state, leaves[i].state, n);
    }
    return copy;
}
