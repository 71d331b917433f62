/* Gather - slices of an array at positions given by another.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <string.h>

#include "gen/policy/gather_out_of_bounds.h"
#include "interp/ops/dimnums.h"
#include "interp/ops/dynamic.h"
#include "interp/ops/move.h"
#include "interp/program/attribute.h"
#include "interp/program/eval.h"
#include "interp/program/infer.h"
#include "interp/stablehlo/stablehlo_form.h"

/* The attributes, and what follows from them. */
struct gather {
    struct dimnums offset, collapsed, map, operand_batch, index_batch, sizes;
    int64_t vector; /* index_vector_dim */
};

static struct gather get(const struct instruction *in)
{
    return (struct gather){
        .offset = dimnums_get(in, ATTRIBUTE_OFFSET_DIMS),
        .collapsed = dimnums_get(in, ATTRIBUTE_COLLAPSED_SLICE_DIMS),
        .map = dimnums_get(in, ATTRIBUTE_START_INDEX_MAP),
        .operand_batch = dimnums_get(in, ATTRIBUTE_OPERAND_BATCHING_DIMS),
        .index_batch = dimnums_get(in, ATTRIBUTE_START_INDICES_BATCHING_DIMS),
        .sizes = dimnums_get(in, ATTRIBUTE_SLICE_SIZES),
        .vector = attribute_int(in, ATTRIBUTE_INDEX_VECTOR_DIM, 0),
    };
}

/* Dimensions of the indices except the one of index vectors. */
static int batch_dims(const struct gather *g, const struct shape *indices,
                      int64_t *dims)
{
    int n = 0;
    for (int i = 0; i < indices->rank; i++)
        if (i != g->vector)
            dims[n++] = indices->dims[i];
    return n;
}

static bool check_numbers(const struct infer *in, const struct gather *g,
                          struct status *st)
{
    const struct shape *s = in->operands[0], *indices = in->operands[1];
    int batch = indices->rank - (g->vector < indices->rank);
    TRY(dimnums_check(in, &g->offset, batch + g->offset.count, true, st));
    TRY(dimnums_check(in, &g->collapsed, s->rank, true, st));
    TRY(dimnums_check(in, &g->map, s->rank, false, st));
    return dimnums_check_batch(
        in,
        &(struct dimnums_batch){&g->operand_batch, &g->index_batch,
                                &g->collapsed, &g->map, g->vector},
        s, indices, st);
}

static bool check_sizes(const struct infer *in, const struct gather *g,
                        struct status *st)
{
    const struct shape *s = in->operands[0];
    int ranks = g->offset.count + g->collapsed.count + g->operand_batch.count;
    if (g->sizes.count != s->rank || ranks != s->rank)
        return FAIL(
            st, SHAPE,
            "Gather: %d slice sizes, and %d offset, %d collapsed and %d "
            "batching dimensions; expected %d of both, the operand's rank",
            g->sizes.count, g->offset.count, g->collapsed.count,
            g->operand_batch.count, s->rank);
    for (int i = 0; i < s->rank; i++) {
        bool one = dimnums_find(&g->collapsed, i) >= 0
                   || dimnums_find(&g->operand_batch, i) >= 0;
        int64_t most = one && s->dims[i] > 1 ? 1 : s->dims[i];
        if (g->sizes.at[i] < 0 || g->sizes.at[i] > most)
            return FAIL(st, ATTRIBUTE,
                        "Gather: slice_sizes has %" PRId64
                        " for dimension %d%s; expected 0 to %" PRId64,
                        g->sizes.at[i], i, one ? ", collapsed or batching" : "",
                        most);
    }
    return true;
}

/* A dynamic dimension of the operand is taken whole, or one element of it. */
static bool check_dynamic(const struct infer *in, const struct gather *g,
                          struct status *st)
{
    const struct shape *s = in->operands[0], *indices = in->operands[1];
    bool may[SHAPE_RANK_MAX], index_may[SHAPE_RANK_MAX];
    for (int i = 0; i < s->rank; i++)
        may[i] = g->sizes.at[i] == 1 || g->sizes.at[i] == s->dims[i];
    for (int i = 0; i < indices->rank; i++)
        index_may[i] = i != g->vector;
    TRY(dynamic_refuse(in, 0, may,
                       "slices have neither all of it nor one element", st));
    return dynamic_refuse(in, 1, index_may,
                          "index vectors must have one length", st);
}

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0], *indices = in->operands[1];
    struct gather g = get(in->in);
    int64_t dims[SHAPE_RANK_MAX], batch[SHAPE_RANK_MAX];
    bool flags[SHAPE_RANK_MAX];
    if (g.vector < 0 || g.vector > indices->rank)
        return FAIL(st, ATTRIBUTE,
                    "Gather: index_vector_dim is %" PRId64
                    "; expected 0 to %d, the rank of start_indices",
                    g.vector, indices->rank);
    TRY(check_sizes(in, &g, st));
    TRY(check_numbers(in, &g, st));
    int64_t length = g.vector < indices->rank ? indices->dims[g.vector] : 1;
    if (g.map.count != length)
        return FAIL(st, ATTRIBUTE,
                    "Gather: start_index_map has %d entries; expected %" PRId64
                    ", the length of an index vector",
                    g.map.count, length);
    int rank = batch_dims(&g, indices, batch) + g.offset.count;
    if (rank > SHAPE_RANK_MAX)
        return FAIL(st, SHAPE,
                    "Gather: the result has rank %d, at most %d is supported",
                    rank, SHAPE_RANK_MAX);
    TRY(check_dynamic(in, &g, st));
    for (int i = 0, b = 0, o = 0; i < rank; i++) {
        if (dimnums_find(&g.offset, i) < 0) {
            flags[i] = dynamic_is(indices, b + (b >= g.vector));
            dims[i] = batch[b++];
            continue;
        }
        while (dimnums_find(&g.collapsed, o) >= 0
               || dimnums_find(&g.operand_batch, o) >= 0)
            o++;
        flags[i] = dynamic_is(s, o) && g.sizes.at[o] == s->dims[o];
        dims[i] = g.sizes.at[o++];
    }
    TRY(infer_array(in, s->dtype, rank, dims, st));
    dynamic_mark(in, flags);
    return true;
}

/* Strides that evaluation needs: of the operand by dimension of the result, and
 * of the indices. */
struct plan {
    struct gather g;
    const struct literal *operand, *indices;
    int64_t own[SHAPE_RANK_MAX];     /* strides of the operand */
    int64_t offset[SHAPE_RANK_MAX];  /* by dimension of the result */
    int64_t look[SHAPE_RANK_MAX];    /* of the indices, by that of the result */
    int64_t batched[SHAPE_RANK_MAX]; /* of the operand, likewise */
    int64_t step;                    /* along an index vector */
    bool outside;                    /* set: a start index was clamped */
};

static void make_plan(struct plan *p, const struct eval *ev)
{
    const struct shape *s = ev->operands[0]->shape;
    const struct shape *indices = ev->operands[1]->shape;
    int64_t look[SHAPE_RANK_MAX];
    p->g = get(ev->in);
    p->operand = ev->operands[0];
    p->indices = ev->operands[1];
    shape_strides(s->rank, s->dims, p->own);
    shape_strides(indices->rank, indices->dims, look);
    p->step = p->g.vector < indices->rank ? look[p->g.vector] : 0;
    for (int i = 0, d = 0, o = 0; i < ev->in->shape->rank; i++) {
        if (dimnums_find(&p->g.offset, i) < 0) {
            d += d == p->g.vector;
            p->look[i] = look[d];
            int b = dimnums_find(&p->g.index_batch, d++);
            if (b >= 0)
                p->batched[i] = p->own[p->g.operand_batch.at[b]];
            continue;
        }
        while (dimnums_find(&p->g.collapsed, o) >= 0
               || dimnums_find(&p->g.operand_batch, o) >= 0)
            o++;
        p->offset[i] = p->own[o++];
    }
}

/* The element that the slice of an index vector starts at. */
static int64_t start_of(struct plan *p, const struct eval *ev, int64_t at)
{
    int64_t sum = 0;
    for (int k = 0; k < p->g.map.count; k++) {
        int64_t d = p->g.map.at[k];
        int64_t place = at + k * p->step;
        int64_t fit = move_start(ev, p->indices, place,
                                 p->operand->shape->dims[d], p->g.sizes.at[d]);
        p->outside = p->outside || fit != literal_int(p->indices, place);
        sum += fit * p->own[d];
    }
    return sum;
}

/* Are the index vectors in rising order, dimension by dimension of the
 * operand? */
static bool is_sorted(const struct eval *ev)
{
    struct gather g = get(ev->in);
    const struct literal *l = ev->operands[1];
    const struct shape *s = l->shape;
    int64_t dims[SHAPE_RANK_MAX], strides[SHAPE_RANK_MAX];
    int64_t index[SHAPE_RANK_MAX] = {0}, last[SHAPE_RANK_MAX];
    int rank = ev->operands[0]->shape->rank;
    bool first = true;
    if (shape_elements(s) == 0)
        return true;
    shape_strides(s->rank, s->dims, strides);
    int64_t step = g.vector < s->rank ? strides[g.vector] : 0;
    for (int i = 0; i < s->rank; i++) {
        dims[i] = i == g.vector ? 1 : l->sizes ? l->sizes[i] : s->dims[i];
        if (dims[i] == 0)
            return true;
    }
    do {
        int64_t full[SHAPE_RANK_MAX] = {0};
        int64_t at = shape_linear(s->rank, s->dims, index);
        int d = 0;
        for (int k = 0; k < g.map.count; k++)
            full[g.map.at[k]] = literal_int(l, at + k * step);
        for (int k = 0; k < g.operand_batch.count; k++)
            full[g.operand_batch.at[k]] = index[g.index_batch.at[k]];
        while (d < rank && !first && full[d] == last[d])
            d++;
        if (d < rank && !first && full[d] < last[d])
            return false;
        memcpy(last, full, sizeof full);
        first = false;
    } while (shape_next_index(s->rank, dims, index));
    return true;
}

/* The actual sizes are those of the index vectors and of whole dimensions. */
static void set_sizes(const struct eval *ev, struct literal *to)
{
    struct gather g = get(ev->in);
    const struct literal *from = ev->operands[0], *indices = ev->operands[1];
    for (int i = 0, b = 0, o = 0; i < to->shape->rank; i++) {
        const struct literal *l = from;
        int64_t d;
        if (dimnums_find(&g.offset, i) < 0) {
            l = indices;
            d = b + (b >= g.vector);
            b++;
        } else {
            while (dimnums_find(&g.collapsed, o) >= 0
                   || dimnums_find(&g.operand_batch, o) >= 0)
                o++;
            d = o++;
        }
        to->sizes[i] =
            dynamic_is(to->shape, i) ? l->sizes[d] : to->shape->dims[i];
    }
}

/* Does an element of the operand count? */
static bool is_there(const struct plan *p, int64_t at)
{
    const struct shape *s = p->operand->shape;
    int64_t index[SHAPE_RANK_MAX];
    for (int d = 0; d < s->rank; d++)
        index[d] = at / p->own[d] % s->dims[d];
    return literal_counts(p->operand, index);
}

/* Shape inference lets a collapsed or batching dimension have slice size 0
 * (xla: shape_inference.cc), and yet the result may have elements: the slice
 * has none. */
static bool slices_are_empty(const struct eval *ev)
{
    struct gather g = get(ev->in);
    for (int i = 0; i < g.sizes.count; i++)
        if (g.sizes.at[i] == 0)
            return true;
    return false;
}

static bool eval(struct eval *ev, struct status *st)
{
    const struct shape *s = ev->in->shape;
    struct goal *g = goal_new(ev->arena, s, GOAL_MOVED, false);
    int64_t n = shape_elements(s), index[SHAPE_RANK_MAX] = {0};
    int units = dtype_units(s->dtype);
    bool any = profile_gather_out_of_bounds_is_any(ev->machine->profile);
    struct plan p = {0};
    if (g->value->sizes)
        set_sizes(ev, g->value);
    if (n > 0 && slices_are_empty(ev)) {
        for (int64_t i = 0; i < n * units; i++)
            goal_free_unit(g, i);
        n = 0;
    }
    if (n > 0)
        make_plan(&p, ev);
    for (int64_t i = 0; i < n; i++) {
        int64_t from = 0, look = 0;
        for (int d = 0; d < s->rank; d++) {
            from += index[d] * (p.offset[d] + p.batched[d]);
            look += index[d] * p.look[d];
        }
        p.outside = false;
        from += start_of(&p, ev, look);
        literal_move(g->value, i, p.operand, from);
        bool unknown =
            (any && p.outside) || (p.operand->sizes && !is_there(&p, from));
        for (int u = 0; unknown && u < units; u++)
            goal_free_unit(g, i * units + u);
        shape_next_index(s->rank, s->dims, index);
    }
    if (attribute_bool(ev->in, ATTRIBUTE_INDICES_ARE_SORTED, false)
        && !is_sorted(ev) && move_promises_bind(ev))
        goal_make_free(g);
    return eval_return_one(ev, g);
}

const struct op op_Gather = {
    .name = "Gather",
    .infer = infer,
    .eval = eval,
    .monotone = {1},
    /* Not what slice_sizes lists: those are of each slice. */
    .stablehlo = STABLEHLO_FORM(.numbers = "stablehlo.gather", .like = 1)};
