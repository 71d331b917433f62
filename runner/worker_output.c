/* worker_output.c - see worker_output.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/worker_output.h"

#include <stdlib.h>
#include <string.h>

#include "interp/base/random.h"

enum {
    GUARD_BYTES = 64,
    GUARD_BYTE = 0xa5
};

/* The i-th of 8 bytes of the fill. */
static void fill(unsigned char *to, uint64_t bytes, uint64_t seed, bool second)
{
    struct random r = {seed};
    uint64_t flip = second ? UINT64_MAX : 0;
    for (; bytes > 0;) {
        uint64_t x = random_next(&r) ^ flip, n = bytes < 8 ? bytes : 8;
        memcpy(to, &x, n);
        to += n;
        bytes -= n;
    }
}

/* Bytes of an array; 0 for a token. */
static uint64_t size_of(const assay_shape *s)
{
    enum dtype type;
    if (s->kind != ASSAY_ARRAY
        || !dtype_parse(s->dtype, strlen(s->dtype), &type))
        return 0;
    uint64_t n = (uint64_t)dtype_bytes(type);
    for (int i = 0; i < s->rank; i++)
        n *= (uint64_t)s->dims[i];
    return n;
}

static uint64_t room_of(uint64_t bytes)
{
    return ((bytes + 63) & ~UINT64_C(63)) + 2 * GUARD_BYTES;
}

bool worker_output_room(struct worker_output *w)
{
    const struct abi_case *c = w->program;
    uint64_t bytes = 0;
    w->sizes = arena_new(w->arena, uint64_t, (size_t)c->output_count + 1);
    for (int i = 0; i < c->output_count; i++) {
        w->sizes[i] = size_of(c->program->outputs[i]);
        bytes += room_of(w->sizes[i]) * (uint64_t)c->replicas;
    }
    w->half = bytes;
    bytes *= 2;
    if (bytes <= w->pool_bytes)
        return true;
    free(w->pool);
    w->pool = malloc(bytes);
    w->pool_bytes = w->pool ? bytes : 0;
    return w->pool != NULL;
}

assay_output *const *worker_output_new(struct worker_output *w, bool second)
{
    const struct abi_case *c = w->program;
    size_t n = (size_t)c->output_count * (size_t)c->replicas;
    uint64_t at = second ? w->half : 0;
    assay_output **out = arena_new(w->arena, assay_output *, n + 1);
    for (size_t i = 0; i < n; i++) {
        assay_output *o = arena_new(w->arena, assay_output, 1);
        o->size = sizeof *o;
        o->capacity = w->sizes[i % (size_t)c->output_count];
        unsigned char *p = w->pool + at;
        memset(p, GUARD_BYTE, room_of(o->capacity));
        o->data = p + GUARD_BYTES;
        fill(o->data, o->capacity, w->seed + i, second);
        o->rank_capacity = SHAPE_RANK_MAX;
        o->rank = -1;
        o->dims = arena_new(w->arena, int64_t, SHAPE_RANK_MAX);
        o->sizes = arena_new(w->arena, int64_t, SHAPE_RANK_MAX);
        at += room_of(o->capacity);
        out[i] = o;
    }
    return out;
}

static bool guards_hold(const assay_output *o, uint64_t capacity,
                        const unsigned char *data)
{
    uint64_t room = room_of(capacity);
    const unsigned char *p = data - GUARD_BYTES;
    for (uint64_t i = 0; i < GUARD_BYTES; i++)
        if (p[i] != GUARD_BYTE)
            return false;
    for (uint64_t i = GUARD_BYTES + capacity; i < room; i++)
        if (p[i] != GUARD_BYTE)
            return false;
    return o->data == data;
}

int worker_output_broken(const struct worker_output *w,
                         assay_output *const *out, bool second)
{
    uint64_t at = second ? w->half : 0;
    const struct abi_case *c = w->program;
    int n = c->output_count * c->replicas;
    for (int i = 0; i < n; i++) {
        uint64_t capacity = w->sizes[i % c->output_count];
        if (!guards_hold(out[i], capacity, w->pool + at + GUARD_BYTES))
            return i;
        at += room_of(capacity);
    }
    return -1;
}

uint64_t worker_output_held(const assay_output *o, uint64_t capacity)
{
    return o->bytes < capacity ? o->bytes : capacity;
}

/* Is there a byte that is the fill of both runs?  The results of a generator
 * of random numbers differ in other bytes as well, and meet both fills by
 * chance: then four such bytes must stand in a row. */
static bool has_fill(const unsigned char *x, const unsigned char *y,
                     uint64_t bytes, uint64_t seed)
{
    struct random r = {seed};
    uint64_t draw = 0, row = 0, longest = 0;
    bool differ = false;
    for (uint64_t k = 0; k < bytes; k++) {
        draw = k % 8 == 0 ? random_next(&r) : draw >> 8;
        unsigned char f = (unsigned char)draw;
        bool fill = x[k] == f && y[k] == (unsigned char)~f;
        row = fill ? row + 1 : 0;
        longest = row > longest ? row : longest;
        differ = differ || (!fill && x[k] != y[k]);
    }
    return longest > (differ ? 3 : 0);
}

int worker_output_unwritten(const struct worker_output *w,
                            assay_output *const *first,
                            assay_output *const *second)
{
    const struct abi_case *c = w->program;
    int n = c->output_count * c->replicas;
    for (int i = 0; i < n; i++) {
        const assay_shape *s = c->program->outputs[i % c->output_count];
        uint64_t capacity = w->sizes[i % c->output_count], bytes;
        const unsigned char *x = first[i]->data, *y = second[i]->data;
        if (s->dynamic)
            continue;
        bytes = worker_output_held(first[i], capacity);
        if (has_fill(x, y, bytes, w->seed + (uint64_t)i))
            return i;
    }
    return -1;
}

bool worker_output_differ(const struct worker_output *w,
                          assay_output *const *first,
                          assay_output *const *second)
{
    const struct abi_case *c = w->program;
    int n = c->output_count * c->replicas;
    for (int i = 0; i < n; i++) {
        const assay_output *x = first[i], *y = second[i];
        uint64_t capacity = w->sizes[i % c->output_count];
        size_t dims = x->rank > 0 && x->rank <= SHAPE_RANK_MAX
                          ? (size_t)x->rank * sizeof *x->dims
                          : 0;
        if (memcmp(x->dtype, y->dtype, sizeof x->dtype) != 0
            || x->rank != y->rank || x->bytes != y->bytes
            || memcmp(x->dims, y->dims, dims) != 0
            || memcmp(x->sizes, y->sizes, dims) != 0
            || memcmp(x->data, y->data, worker_output_held(x, capacity)) != 0)
            return true;
    }
    return false;
}
