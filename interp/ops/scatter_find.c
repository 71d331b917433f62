/* scatter_find.c - see scatter.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Updates are walked in rows, along their last dimension: either a part of one
 * window, which goes to elements a step apart, or a window for each update.
 */
#include <inttypes.h>
#include <string.h>

#include "gen/policy/scatter_partial_window.h"
#include "interp/ops/scatter.h"

/* How to get from an index of updates to one of the operands. */
struct walk {
    struct scatter *s;
    const struct literal *indices;
    const struct shape *operand;
    int64_t look[SHAPE_RANK_MAX];   /* update dimension: step in indices */
    int along[SHAPE_RANK_MAX];      /* operand dimension that it moves, or -1 */
    int64_t extent[SHAPE_RANK_MAX]; /* operand dimension: size of a window */
    int64_t strides[SHAPE_RANK_MAX];
    struct dimnums map;
    int64_t vector_step;
    bool whole, either; /* policy scatter.partial-window */
    /* Where an update at the start of the current row would go if its window
     * began at 0. */
    int64_t row[SHAPE_RANK_MAX];
    int64_t index[SHAPE_RANK_MAX];
    /* The current window, and the last new one. */
    int64_t window, seen;
    int64_t start[SHAPE_RANK_MAX], last[SHAPE_RANK_MAX];
    bool partial;
};

/* ---- The plan ------------------------------------------------------------ */

static void plan_dimensions(struct walk *w, const struct scatter_numbers *n)
{
    const struct shape *indices = w->indices->shape, *u = w->s->updates;
    int64_t steps[SHAPE_RANK_MAX];
    int own = 0, index = 0;
    shape_strides(indices->rank, indices->dims, steps);
    shape_strides(u->rank, u->dims, w->s->step);
    for (int d = 0; d < w->operand->rank; d++)
        w->extent[d] = 1;
    for (int i = 0; i < u->rank; i++) {
        w->along[i] = -1;
        if (dimnums_find(&n->window, i) >= 0) {
            while (!scatter_is_window_dim(n, own))
                own++;
            w->along[i] = own;
            w->extent[own++] = u->dims[i];
            continue;
        }
        index += index == n->vector;
        int batch = dimnums_find(&n->index_batch, index);
        if (batch >= 0)
            w->along[i] = (int)n->batch.at[batch];
        w->look[i] = steps[index++];
    }
    for (int i = u->rank - 1; i >= 0; i--)
        if (dimnums_find(&n->window, i) < 0) {
            w->s->group[i] = w->s->windows;
            w->s->windows *= u->dims[i];
        }
    w->vector_step = n->vector < indices->rank ? steps[n->vector] : 0;
}

static void plan(struct walk *w, struct scatter *s)
{
    struct scatter_numbers n = scatter_get(s->ev->in);
    *w = (struct walk){.s = s,
                       .indices = s->ev->operands[s->n],
                       .operand = s->ev->operands[0]->shape,
                       .map = n.map,
                       .window = -1,
                       .seen = -1};
    switch (profile_scatter_partial_window(s->ev->machine->profile)) {
    case SCATTER_PARTIAL_WINDOW_WINDOW:
        w->whole = true;
        break;
    case SCATTER_PARTIAL_WINDOW_EITHER:
        w->either = true;
        break;
    case SCATTER_PARTIAL_WINDOW_ELEMENT:
        break;
    }
    plan_dimensions(w, &n);
    if (s->elements > 0)
        shape_strides(w->operand->rank, w->operand->dims, w->strides);
}

/* ---- Windows ------------------------------------------------------------- */

/* Starts in rising order, dimension by dimension, batches first? */
static void note_order(struct walk *w, int64_t along)
{
    const struct shape *u = w->s->updates;
    int64_t full[SHAPE_RANK_MAX];
    int d = 0, rank = w->operand->rank;
    memcpy(full, w->start, sizeof full);
    for (int i = 0; i < u->rank; i++)
        if (w->along[i] >= 0 && w->s->group[i] > 0)
            full[w->along[i]] += i == u->rank - 1 ? along : w->index[i];
    while (d < rank && w->seen >= 0 && full[d] == w->last[d])
        d++;
    if (d < rank && w->seen >= 0 && full[d] < w->last[d])
        w->s->sorted = false;
    memcpy(w->last, full, sizeof full);
}

/* Read the index vector there; is all of its window inside?  Batching
 * dimensions start at 0 here: the index of the update adds their part.  along:
 * the index of the update in the last dimension. */
static void enter_window(struct walk *w, int64_t window, int64_t look,
                         int64_t along)
{
    struct scatter *s = w->s;
    w->partial = false;
    w->window = window;
    for (int k = 0; k < w->map.count; k++) {
        int d = (int)w->map.at[k];
        int64_t at = literal_int(w->indices, look + k * w->vector_step);
        int64_t size = w->operand->dims[d], far = size + w->extent[d];
        at = at > far ? far : at < -far ? -far : at;
        w->start[d] = at;
        w->partial = w->partial || at < 0 || at + w->extent[d] > size;
    }
    if (window <= w->seen)
        return;
    if (s->sorted)
        note_order(w, along);
    w->seen = window;
    if (!w->either || !w->partial)
        return;
    if (!s->optional)
        s->optional =
            arena_new(s->ev->arena, unsigned char, (size_t)s->windows);
    s->optional[window] = 1;
}

/* ---- Rows ---------------------------------------------------------------- */

/* Updates first, ... of a row lie along dimension d of the operands (-1: they
 * are one update). */
static void add_part(struct walk *w, int64_t first, int64_t n, int d)
{
    int64_t base = 0, low = 0, high = n;
    if (w->whole && w->partial)
        return;
    for (int k = 0; k < w->operand->rank; k++) {
        int64_t at = w->start[k] + w->row[k], size = w->operand->dims[k];
        base += at * w->strides[k];
        if (k == d) {
            low = at < 0 ? -at : 0;
            high = size - at < n ? size - at : n;
        } else if (at < 0 || at >= size) {
            return;
        }
    }
    int64_t step = d >= 0 ? w->strides[d] : 0;
    struct pair *to = w->s->hits + w->s->count;
    for (int64_t i = low; i < high; i++)
        *to++ = (struct pair){base + i * step, first + i};
    w->s->count = to - w->s->hits;
}

/* A window for each update. */
static void add_windows(struct walk *w, int64_t first, int64_t n,
                        int64_t window, int64_t look)
{
    int last = w->s->updates->rank - 1, d = w->along[last];
    for (int64_t i = 0; i < n; i++) {
        enter_window(w, window + i * w->s->group[last],
                     look + i * w->look[last], i);
        add_part(w, first + i, 1, -1);
        if (d >= 0)
            w->row[d]++;
    }
}

static void add_row(struct walk *w, int64_t first, int64_t n)
{
    int64_t window = 0, look = 0;
    int last = w->s->updates->rank - 1;
    memset(w->row, 0, sizeof w->row);
    for (int i = 0; i < last; i++) {
        window += w->index[i] * w->s->group[i];
        look += w->index[i] * w->look[i];
        if (w->along[i] >= 0)
            w->row[w->along[i]] += w->index[i];
    }
    if (last >= 0 && w->s->group[last] > 0) {
        add_windows(w, first, n, window, look);
        return;
    }
    if (window != w->window)
        enter_window(w, window, look, 0);
    add_part(w, first, n, last >= 0 ? w->along[last] : -1);
}

bool scatter_find(struct scatter *s, struct status *st)
{
    const struct shape *updates = s->ev->operands[s->n + 1]->shape;
    int64_t total = shape_elements(updates);
    struct walk w;
    s->updates = updates;
    s->elements = shape_elements(s->ev->operands[0]->shape);
    s->sorted = s->unique = true;
    s->windows = 1;
    if (total == 0)
        return true;
    int64_t room = s->ev->machine->limits->evaluate_bytes;
    if (total > room / (2 * (int64_t)sizeof *s->hits))
        return FAIL(st, SYSTEM,
                    "limit: %" PRId64
                    " updates of Scatter (--limit-evaluate-bytes)",
                    total);
    plan(&w, s);
    size_t sorting = s->as_found ? 1 : 2;
    s->hits = arena_new(s->ev->arena, struct pair, sorting * (size_t)total);
    int outer = updates->rank > 0 ? updates->rank - 1 : 0;
    int64_t row = updates->rank > 0 ? updates->dims[outer] : 1;
    for (int64_t u = 0; u < total; u += row) {
        add_row(&w, u, row);
        shape_next_index(outer, updates->dims, w.index);
    }
    if (s->as_found)
        return true;
    pairs_sort(s->hits, s->count, s->hits + s->count);
    for (int64_t i = 1; i < s->count && s->unique; i++)
        s->unique = s->hits[i - 1].key != s->hits[i].key;
    return true;
}
