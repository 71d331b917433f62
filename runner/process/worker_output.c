/* worker_output.c - see worker_private.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "interp/base/random.h"
#include "runner/process/worker_private.h"

enum {
    GUARD_BYTES = 1024, /* of each end of an output */
    GUARD_BYTE = 0xa5,
    PAGE = 4096 * 16, /* a multiple of every system's page */
    LARGE_BYTES = 1 << 20,
    FENCE_BYTES = 1 << 20, /* at each end of a large output; of no cost */
    POOL_MAX = 4 << 20,    /* of which there are several */
    SIZES_GUARD = 256,
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

static bool is_large(uint64_t bytes)
{
    return bytes >= LARGE_BYTES;
}

/* Pages around a large output: those of the output and its guards, and an
 * inaccessible page at each end. */
struct worker_mapping {
    void *pages;
    uint64_t bytes;
    struct worker_mapping *next;
};

static unsigned char *map_large(struct worker_output *w, uint64_t bytes)
{
    uint64_t inside = (room_of(bytes) + PAGE - 1) / PAGE * PAGE;
    unsigned char *p = mmap(NULL, inside + 2 * FENCE_BYTES, PROT_NONE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    struct worker_mapping *m = malloc(sizeof *m);
    if (!m || mprotect(p + FENCE_BYTES, inside, PROT_READ | PROT_WRITE) != 0) {
        free(m);
        munmap(p, inside + 2 * FENCE_BYTES);
        return NULL;
    }
    *m = (struct worker_mapping){p, inside + 2 * FENCE_BYTES, w->large};
    w->large = m;
    /* At the end, so that the last guard touches the last page. */
    return p + FENCE_BYTES + inside - room_of(bytes) + GUARD_BYTES;
}

static void unmap_large(struct worker_output *w)
{
    while (w->large) {
        struct worker_mapping *m = w->large;
        w->large = m->next;
        munmap(m->pages, m->bytes);
        free(m);
    }
}

/* An output as a backend sees it: the struct must stay the first member. */
struct place {
    assay_output output;
    int64_t dims[SHAPE_RANK_MAX];
    unsigned char behind_dims[SIZES_GUARD];
    int64_t sizes[SHAPE_RANK_MAX];
    unsigned char behind_sizes[SIZES_GUARD];
};

/* A pool for all small outputs of two executions. */
static bool make_pool(struct worker_output *w, size_t n)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t size = w->sizes[i % (size_t)w->program->output_count];
        bytes += is_large(size) ? 0 : 2 * room_of(size);
    }
    w->pool_used = 0;
    unsigned i = bytes > POOL_MAX ? 0 : w->turn++ % WORKER_OUTPUT_POOLS;
    if (bytes > w->pools[i].bytes) {
        free(w->pools[i].data);
        w->pools[i].data = malloc(bytes);
        w->pools[i].bytes = w->pools[i].data ? bytes : 0;
    }
    w->pool = w->pools[i].data;
    return bytes <= w->pools[i].bytes;
}

uint64_t worker_output_data(const struct abi_case *c)
{
    uint64_t all = 0;
    for (int i = 0; i < c->input_count * c->replicas; i++)
        all += c->inputs[i]->bytes;
    for (int i = 0; c->program->outputs && i < c->output_count; i++)
        all += size_of(c->program->outputs[i]) * (uint64_t)c->replicas;
    return all;
}

bool worker_output_room(struct worker_output *w)
{
    const struct abi_case *c = w->program;
    size_t n = (size_t)c->output_count * (size_t)c->replicas;
    unmap_large(w);
    w->sizes = arena_new(w->arena, uint64_t, (size_t)c->output_count + 1);
    for (int i = 0; i < c->output_count; i++)
        w->sizes[i] = size_of(c->program->outputs[i]);
    if (!make_pool(w, n))
        return false;
    for (int run = 0; run < 2; run++) {
        w->data[run] = arena_new(w->arena, unsigned char *, n + 1);
        for (size_t i = 0; i < n; i++) {
            uint64_t size = w->sizes[i % (size_t)c->output_count];
            unsigned char *small = w->pool + w->pool_used + GUARD_BYTES;
            w->data[run][i] = is_large(size) ? map_large(w, size) : small;
            w->pool_used += is_large(size) ? 0 : room_of(size);
            if (!w->data[run][i])
                return false;
        }
    }
    return true;
}

assay_output *const *worker_output_new(struct worker_output *w, bool second)
{
    const struct abi_case *c = w->program;
    size_t n = (size_t)c->output_count * (size_t)c->replicas;
    assay_output **out = arena_new(w->arena, assay_output *, n + 1);
    for (size_t i = 0; i < n; i++) {
        struct place *place = arena_new(w->arena, struct place, 1);
        assay_output *o = &place->output;
        o->size = sizeof *o;
        o->capacity = w->sizes[i % (size_t)c->output_count];
        o->data = w->data[second][i];
        unsigned char *first = (unsigned char *)o->data - GUARD_BYTES;
        unsigned char *last = first + room_of(o->capacity);
        memset(first, GUARD_BYTE, GUARD_BYTES);
        memset(w->data[second][i] + o->capacity, GUARD_BYTE,
               (size_t)(last - w->data[second][i]) - o->capacity);
        fill(o->data, o->capacity, w->seed + i, second);
        o->rank_capacity = SHAPE_RANK_MAX;
        o->rank = -1;
        o->dims = place->dims;
        o->sizes = place->sizes;
        memset(place->behind_dims, GUARD_BYTE, SIZES_GUARD);
        memset(place->behind_sizes, GUARD_BYTE, SIZES_GUARD);
        out[i] = o;
    }
    return out;
}

static bool all_guard(const unsigned char *p, uint64_t bytes)
{
    return p[0] == GUARD_BYTE && memcmp(p, p + 1, bytes - 1) == 0;
}

/* Its memory was not exchanged, and nothing is written after the sizes. */
static bool is_in_place(const assay_output *o, const unsigned char *data)
{
    const struct place *place = (const struct place *)o;
    return o->data == data && o->dims == place->dims && o->sizes == place->sizes
           && all_guard(place->behind_dims, SIZES_GUARD)
           && all_guard(place->behind_sizes, SIZES_GUARD);
}

int worker_output_broken(const struct worker_output *w,
                         assay_output *const *out, bool second)
{
    const struct abi_case *c = w->program;
    int n = c->output_count * c->replicas;
    for (int i = 0; i < n; i++) {
        uint64_t capacity = w->sizes[i % c->output_count];
        const unsigned char *data = w->data[second][i];
        uint64_t behind = room_of(capacity) - capacity - GUARD_BYTES;
        if (!is_in_place(out[i], data)
            || !all_guard(data - GUARD_BYTES, GUARD_BYTES)
            || !all_guard(data + capacity, behind))
            return i;
    }
    return -1;
}

uint64_t worker_output_held(const assay_output *o, uint64_t capacity)
{
    return o->bytes < capacity ? o->bytes : capacity;
}

/* Is there a byte that is the fill of both runs?  The results of a generator
 * of random numbers differ in other bytes as well, and meet both fills by
 * chance: then four such bytes must be in a row. */
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
