/* move.c - see move.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/move.h"

#include "gen/policy/dynamic_padding.h"
#include "gen/policy/indices_broken_promise.h"
#include "gen/policy/slice_empty.h"

/* A walk over all indices of a shape, and the place that goes with each. */
struct walk {
    int rank;
    const int64_t *dims, *strides;
    int64_t index[SHAPE_RANK_MAX], at;
};

static void step(struct walk *w)
{
    for (int d = w->rank - 1; d >= 0; d--) {
        w->at += w->strides[d];
        if (++w->index[d] < w->dims[d])
            return;
        w->at -= w->strides[d] * w->dims[d];
        w->index[d] = 0;
    }
}

struct literal *move_strided(struct arena *a, const struct shape *shape,
                             const struct literal *from, int64_t base,
                             const int64_t *strides)
{
    struct literal *to = literal_new(a, shape);
    struct walk w = {shape->rank, shape->dims, strides, {0}, base};
    for (int64_t i = 0, n = shape_elements(shape); i < n; i++, step(&w))
        literal_move(to, i, from, w.at);
    return to;
}

void move_into(struct literal *to, int64_t base, const int64_t *strides,
               const struct literal *from)
{
    const struct shape *s = from->shape;
    struct walk w = {s->rank, s->dims, strides, {0}, base};
    for (int64_t i = 0, n = shape_elements(s); i < n; i++, step(&w))
        literal_move(to, w.at, from, i);
}

bool move_infer(struct infer *in, enum dtype dtype, int rank,
                const int64_t *dims, const bool *dynamic, struct status *st)
{
    TRY(infer_array(in, dtype, rank, dims, st));
    in->result = shape_dynamic(in->arena, dtype, rank, dims, dynamic);
    return true;
}

int64_t move_size(const struct literal *l, int d)
{
    return l->sizes ? l->sizes[d] : l->shape->dims[d];
}

bool move_infer_starts(struct infer *in, int first, struct status *st)
{
    int rank = in->operands[0]->rank, n = in->count - first;
    if (n == 1 && in->operands[first]->kind == SHAPE_ARRAY
        && in->operands[first]->rank == 1) {
        const struct shape *s = in->operands[first];
        if (s->dims[0] != rank)
            return FAIL(st, SHAPE,
                        "%s: the vector of start indices is %s; expected %d, "
                        "one a dimension",
                        in->op->name, shape_text(in->arena, s), rank);
        if (!dtype_is_integer(s->dtype))
            return FAIL(st, TYPE, "%s: start indices are not integers",
                        in->op->name);
        return true;
    }
    if (n != rank)
        return FAIL(st, SHAPE,
                    "%s: %d start indices; expected %d, the rank of operand 0",
                    in->op->name, n, rank);
    for (int i = first; i < in->count; i++) {
        const struct shape *s = in->operands[i];
        if (!shape_is_scalar(s))
            return FAIL(st, SHAPE, "%s: start index %d is %s, not a scalar",
                        in->op->name, i - first, shape_text(in->arena, s));
        if (!dtype_is_integer(s->dtype)
            || s->dtype != in->operands[first]->dtype)
            return FAIL(st, TYPE,
                        "%s: start indices are not of one integer type",
                        in->op->name);
    }
    return true;
}

int64_t move_start(const struct eval *ev, const struct literal *from,
                   int64_t at, int64_t size, int64_t window)
{
    const struct machine_environment *e = ev->machine->environment;
    int64_t s = literal_int(from, at), most = size - window;
    enum dtype type = from->shape->dtype;
    /* By its bits: literal_int would not tell large ones of u64 apart. */
    if (e && e->start)
        s = e->start(e->context, type,
                     dtype_sign_extend(type, literal_get(from, at)), most,
                     size);
    return s < 0 ? 0 : s > most ? most : s;
}

void move_starts(const struct eval *ev, int first, int rank,
                 const int64_t *dims, const int64_t *sizes, int64_t *starts)
{
    bool array = ev->count > first && ev->operands[first]->shape->rank == 1;
    for (int d = 0; d < rank; d++) {
        const struct literal *from = ev->operands[array ? first : first + d];
        starts[d] = move_start(ev, from, array ? d : 0, dims[d], sizes[d]);
    }
}

bool move_empty(const struct eval *ev, const struct shape *slice,
                enum code class, struct status *st)
{
    if (shape_elements(slice) > 0)
        return true;
    if (profile_slice_empty_is_accept(ev->machine->profile))
        return true;
    FAIL(st, SHAPE, "%s: %s has a size of 0; expected at least 1",
         ev->in->op->name, shape_text(ev->arena, slice));
    st->code = class;
    return false;
}

void move_free_padding(const struct eval *ev, const struct literal *from,
                       struct goal *g)
{
    switch (profile_dynamic_padding(ev->machine->profile)) {
    case DYNAMIC_PADDING_ANY: /* the only choice so far */
        break;
    }
    const struct shape *s = from->shape;
    int64_t index[SHAPE_RANK_MAX] = {0};
    int units = dtype_units(s->dtype);
    for (int64_t i = 0, n = shape_elements(s); i < n; i++) {
        if (literal_counts(g->value, index) && !literal_counts(from, index))
            for (int u = 0; u < units; u++)
                goal_free_unit(g, i * units + u);
        shape_next_index(s->rank, s->dims, index);
    }
}

bool move_promises_bind(const struct eval *ev)
{
    return profile_indices_broken_promise_is_any(ev->machine->profile);
}
