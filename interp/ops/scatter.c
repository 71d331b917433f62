/* scatter.c - see scatter.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/scatter.h"

#include <inttypes.h>
#include <string.h>

#include "interp/program/attribute.h"

struct scatter_numbers scatter_get(const struct instruction *in)
{
    return (struct scatter_numbers){
        .window = dimnums_get(in, "dimension_numbers.update_window_dims"),
        .inserted = dimnums_get(in, "dimension_numbers.inserted_window_dims"),
        .map =
            dimnums_get(in, "dimension_numbers.scatter_dims_to_operand_dims"),
        .batch = dimnums_get(in, "dimension_numbers.input_batching_dims"),
        .index_batch =
            dimnums_get(in, "dimension_numbers.scatter_indices_batching_dims"),
        .vector = attribute_int(in, "dimension_numbers.index_vector_dim", 0),
    };
}

static bool is_window_dim(const struct scatter_numbers *n, int d)
{
    return dimnums_find(&n->inserted, d) < 0 && dimnums_find(&n->batch, d) < 0;
}

/* ---- Inference ------------------------------------------------------------
 */

static bool check_batch(const struct infer *in, const struct scatter_numbers *n,
                        const struct shape *s, const struct shape *indices,
                        struct status *st)
{
    TRY(dimnums_check(in, &n->batch, s->rank, true, st));
    TRY(dimnums_check(in, &n->index_batch, indices->rank, false, st));
    TRY(dimnums_count(in, &n->index_batch, n->batch.count, st));
    for (int i = 0; i < n->batch.count; i++) {
        int64_t d = n->batch.at[i], e = n->index_batch.at[i];
        if (dimnums_find(&n->inserted, d) >= 0 || dimnums_find(&n->map, d) >= 0)
            return FAIL(st, ATTRIBUTE,
                        "Scatter: batching dimension %" PRId64
                        " is inserted or indexed too",
                        d);
        if (e == n->vector)
            return FAIL(st, ATTRIBUTE,
                        "Scatter: index_vector_dim %" PRId64
                        " is a batching dimension too",
                        e);
        if (s->dims[d] != indices->dims[e])
            return FAIL(st, SHAPE,
                        "Scatter: batching dimensions have the sizes %" PRId64
                        " and %" PRId64,
                        s->dims[d], indices->dims[e]);
    }
    return true;
}

static bool check_bounds(const struct infer *in,
                         const struct scatter_numbers *n, const struct shape *s,
                         const struct shape *indices,
                         const struct shape *updates, struct status *st)
{
    int own = 0, index = 0;
    for (int i = 0; i < updates->rank; i++) {
        bool window = dimnums_find(&n->window, i) >= 0;
        if (window) {
            while (!is_window_dim(n, own))
                own++;
            if (updates->dims[i] > s->dims[own])
                return FAIL(st, SHAPE,
                            "Scatter: window dimension %d of updates has the "
                            "size %" PRId64 ", the operand %" PRId64,
                            i, updates->dims[i], s->dims[own]);
            own++;
            continue;
        }
        index += index == n->vector;
        if (updates->dims[i] != indices->dims[index])
            return FAIL(st, SHAPE,
                        "Scatter: dimension %d of updates has the size %" PRId64
                        ", scatter_indices %" PRId64,
                        i, updates->dims[i], indices->dims[index]);
        index++;
    }
    return true;
}

bool scatter_infer(struct infer *in, const struct scatter_numbers *n,
                   struct status *st)
{
    const struct shape *s = in->operands[0];
    const struct shape *indices = in->operands[in->count / 2];
    const struct shape *updates = in->operands[in->count / 2 + 1];
    if (n->vector < 0 || n->vector > indices->rank)
        return FAIL(st, ATTRIBUTE,
                    "Scatter: index_vector_dim %" PRId64
                    " for indices of rank %d",
                    n->vector, indices->rank);
    int scatter = indices->rank - (n->vector < indices->rank);
    int ranks = n->window.count + n->inserted.count + n->batch.count;
    if (ranks != s->rank || updates->rank != scatter + n->window.count)
        return FAIL(st, SHAPE,
                    "Scatter: %d window, %d inserted and %d batching "
                    "dimensions for an operand of rank %d, %d scatter "
                    "dimensions for updates of rank %d",
                    n->window.count, n->inserted.count, n->batch.count, s->rank,
                    scatter, updates->rank);
    TRY(dimnums_check(in, &n->window, updates->rank, true, st));
    TRY(dimnums_check(in, &n->inserted, s->rank, true, st));
    TRY(dimnums_check(in, &n->map, s->rank, false, st));
    TRY(check_batch(in, n, s, indices, st));
    int64_t length = n->vector < indices->rank ? indices->dims[n->vector] : 1;
    if (n->map.count != length)
        return FAIL(st, ATTRIBUTE,
                    "Scatter: scatter_dims_to_operand_dims has %d entries; "
                    "index vectors have %" PRId64,
                    n->map.count, length);
    return check_bounds(in, n, s, indices, updates, st);
}

/* ---- Hits -----------------------------------------------------------------
 */

/* How to get from an index of updates to one of the operands. */
struct plan {
    const struct literal *indices;
    int rank; /* of the operands */
    const struct shape *operand, *updates;
    int64_t look[SHAPE_RANK_MAX];   /* update dimension: step in indices */
    int64_t group[SHAPE_RANK_MAX];  /* update dimension: step in windows */
    int along[SHAPE_RANK_MAX];      /* operand dimension that it moves, or -1 */
    int64_t extent[SHAPE_RANK_MAX]; /* operand dimension: size of a window */
    int64_t strides[SHAPE_RANK_MAX];
    int vector_count;
    const int64_t *map;
    int64_t vector_step;
    /* Of the window at hand: */
    int64_t start[SHAPE_RANK_MAX], last[SHAPE_RANK_MAX];
    bool partial, none_yet;
};

static void plan_dimensions(struct plan *p, const struct scatter_numbers *n)
{
    const struct shape *indices = p->indices->shape, *u = p->updates;
    int64_t steps[SHAPE_RANK_MAX], group = 1;
    int own = 0, index = 0;
    shape_strides(indices->rank, indices->dims, steps);
    for (int d = 0; d < p->rank; d++)
        p->extent[d] = 1;
    for (int i = 0; i < u->rank; i++) {
        p->along[i] = -1;
        if (dimnums_find(&n->window, i) >= 0) {
            while (!is_window_dim(n, own))
                own++;
            p->along[i] = own;
            p->extent[own++] = u->dims[i];
            continue;
        }
        index += index == n->vector;
        int batch = dimnums_find(&n->index_batch, index);
        if (batch >= 0)
            p->along[i] = (int)n->batch.at[batch];
        p->look[i] = steps[index++];
    }
    for (int i = u->rank - 1; i >= 0; i--)
        if (dimnums_find(&n->window, i) < 0) {
            p->group[i] = group;
            group *= u->dims[i];
        }
    p->vector_step = n->vector < indices->rank ? steps[n->vector] : 0;
}

static void make_plan(struct plan *p, const struct scatter *s,
                      const struct scatter_numbers *n)
{
    p->indices = s->ev->operands[s->n];
    p->operand = s->ev->operands[0]->shape;
    p->updates = s->ev->operands[s->n + 1]->shape;
    p->rank = p->operand->rank;
    p->vector_count = n->map.count;
    p->map = n->map.at;
    p->none_yet = true;
    plan_dimensions(p, n);
    if (s->elements > 0)
        shape_strides(p->rank, p->operand->dims, p->strides);
}

/* Read the index vector there; is all of its window inside?  Batching
 * dimensions start at 0 here: the index of the update adds their part. */
static void read_window(struct plan *p, int64_t look)
{
    memset(p->start, 0, (size_t)p->rank * sizeof *p->start);
    p->partial = false;
    for (int k = 0; k < p->vector_count; k++) {
        int d = (int)p->map[k];
        int64_t at = literal_int(p->indices, look + k * p->vector_step);
        int64_t size = p->operand->dims[d], far = size + p->extent[d];
        at = at > far ? far : at < -far ? -far : at;
        p->start[d] = at;
        p->partial = p->partial || at < 0 || at + p->extent[d] > size;
    }
}

/* Starts in rising order, dimension by dimension, batches first? */
static void note_order(struct scatter *s, struct plan *p, const int64_t *index)
{
    int64_t full[SHAPE_RANK_MAX];
    memcpy(full, p->start, sizeof full);
    for (int i = 0; i < p->updates->rank; i++)
        if (p->along[i] >= 0 && p->group[i] > 0)
            full[p->along[i]] += index[i];
    int d = 0;
    while (d < p->rank && !p->none_yet && full[d] == p->last[d])
        d++;
    if (d < p->rank && !p->none_yet && full[d] < p->last[d])
        s->sorted = false;
    memcpy(p->last, full, sizeof full);
    p->none_yet = false;
}

/* The element that the update at that index goes to; -1: none. */
static int64_t target(const struct plan *p, const int64_t *index)
{
    int64_t at[SHAPE_RANK_MAX], sum = 0;
    memcpy(at, p->start, (size_t)p->rank * sizeof *at);
    for (int i = 0; i < p->updates->rank; i++)
        if (p->along[i] >= 0)
            at[p->along[i]] += index[i];
    for (int d = 0; d < p->rank; d++) {
        if (at[d] < 0 || at[d] >= p->operand->dims[d])
            return -1;
        sum += at[d] * p->strides[d];
    }
    return sum;
}

/* A stable merge of neighbouring runs of that length. */
static void merge(const struct scatter_hit *from, struct scatter_hit *to,
                  int64_t count, int64_t run)
{
    for (int64_t low = 0; low < count; low += 2 * run) {
        int64_t middle = low + run < count ? low + run : count;
        int64_t high = middle + run < count ? middle + run : count;
        int64_t i = low, k = middle;
        for (int64_t j = low; j < high; j++)
            to[j] =
                k == high || (i < middle && from[i].element <= from[k].element)
                    ? from[i++]
                    : from[k++];
    }
}

static void sort_hits(struct scatter *s)
{
    bool ready = true;
    for (int64_t i = 1; i < s->count && ready; i++)
        ready = s->hits[i - 1].element <= s->hits[i].element;
    if (ready)
        return;
    struct scatter_hit *other =
        arena_new(s->ev->arena, struct scatter_hit, (size_t)s->count);
    for (int64_t run = 1; run < s->count; run *= 2) {
        struct scatter_hit *swap = s->hits;
        merge(s->hits, other, s->count, run);
        s->hits = other;
        other = swap;
    }
}

bool scatter_find(struct scatter *s, struct status *st)
{
    struct scatter_numbers n = scatter_get(s->ev->in);
    const struct shape *updates = s->ev->operands[s->n + 1]->shape;
    const char *policy = eval_policy(s->ev, "scatter.partial-window");
    bool whole = strcmp(policy, "window") == 0;
    bool either = strcmp(policy, "either") == 0;
    int64_t total = shape_elements(updates), index[SHAPE_RANK_MAX] = {0};
    struct plan p = {0};
    s->elements = shape_elements(s->ev->operands[0]->shape);
    s->sorted = s->unique = true;
    s->windows = 1;
    if (total == 0)
        return true;
    int64_t room = s->ev->machine->limits->evaluate_bytes;
    if (total > room / (2 * (int64_t)sizeof *s->hits))
        return FAIL(st, SYSTEM, "limit: %" PRId64 " updates of Scatter", total);
    make_plan(&p, s, &n);
    for (int i = 0; i < updates->rank; i++)
        s->windows *= p.group[i] > 0 ? updates->dims[i] : 1;
    s->hits = arena_new(s->ev->arena, struct scatter_hit, (size_t)total);
    int64_t last = -1, seen = -1;
    for (int64_t u = 0; u < total; u++) {
        int64_t window = 0, look = 0;
        for (int i = 0; i < updates->rank; i++) {
            window += index[i] * p.group[i];
            look += index[i] * p.look[i];
        }
        if (window != last) {
            read_window(&p, look);
            if (window > seen)
                note_order(s, &p, index);
            seen = window > seen ? window : seen;
            last = window;
        }
        int64_t e = whole && p.partial ? -1 : target(&p, index);
        bool optional = either && p.partial;
        if (e >= 0) {
            s->hits[s->count++] = (struct scatter_hit){e, u, window, optional};
            s->choice = s->choice || optional;
        }
        shape_next_index(updates->rank, updates->dims, index);
    }
    sort_hits(s);
    for (int64_t i = 1; i < s->count && s->unique; i++)
        s->unique = s->hits[i - 1].element != s->hits[i].element;
    return true;
}

int64_t scatter_run(const struct scatter *s, int64_t i)
{
    int64_t k = i + 1;
    while (k < s->count && s->hits[k].element == s->hits[i].element)
        k++;
    return k - i;
}
