/* window.c - windows over arrays; ReduceWindow and SelectAndScatter.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "native.h"

/* ---- Windows ------------------------------------------------------------- */

static const int64_t most = (int64_t)1 << 60;

/* (size - 1) * dilation + 1, or -1 where that is too much. */
static int64_t dilate(int64_t size, int64_t dilation)
{
    if (size <= 0)
        return 0;
    if (dilation > (most - 1) / size)
        return -1;
    return (size - 1) * dilation + 1;
}

static int too_large(int64_t x)
{
    return x > most || x < -most;
}

/* Padding and positions; 0 if a number is too large. */
static int measure(struct window_dim *d, const char *padding,
                   const int64_t *pair)
{
    int64_t size = dilate(d->size, d->base_dilation), padded;
    int64_t window = dilate(d->window, d->window_dilation);
    if (size < 0 || window < 0 || d->stride > most)
        return 0;
    d->low = d->high = 0;
    if (pair != NULL) {
        d->low = pair[0];
        d->high = pair[1];
    } else if (padding != NULL && strcmp(padding, "SAME") == 0) {
        int64_t out = (size + d->stride - 1) / d->stride;
        int64_t total = (out - 1) * d->stride + window - size;
        d->low = total > 0 ? total / 2 : 0;
        d->high = total > 0 ? total - total / 2 : 0;
    }
    if (too_large(d->low) || too_large(d->high))
        return 0;
    padded = size + d->low + d->high;
    d->positions =
        padded > 0 && padded >= window ? (padded - window) / d->stride + 1 : 0;
    return 1;
}

static assay_code read_list(struct check *c, const char *name, int rank,
                            const int64_t **list)
{
    const struct attribute *a = attribute_find(c->node, name);
    *list = NULL;
    if (a == NULL)
        return ASSAY_OK;
    if (a->count != rank)
        return program_fail(c, ASSAY_ATTRIBUTE,
                            "%s has %d entries; expected %d", name,
                            (int)a->count, rank);
    for (int i = 0; i < rank; i++)
        if (a->ints[i] <= 0)
            return program_fail(c, ASSAY_ATTRIBUTE, "%s is not positive", name);
    *list = a->ints;
    return ASSAY_OK;
}

static const int64_t *ints_of(const struct node *n, const char *name)
{
    const struct attribute *a = attribute_find(n, name);
    return a != NULL && a->count > 0 ? a->ints : NULL;
}

int window_read(struct window *w, const struct node *n, int rank,
                const int64_t *sizes, const int64_t *windows,
                const char *base_dilations, const char *window_dilations)
{
    const struct attribute *padding = attribute_find(n, "padding");
    const int64_t *strides = ints_of(n, "window_strides");
    const int64_t *base = ints_of(n, base_dilations);
    const int64_t *hole = ints_of(n, window_dilations);
    int pairs = padding != NULL && padding->count == 2 * (int64_t)rank
                && padding->ints != NULL;
    w->rank = rank;
    for (int i = 0; i < rank; i++) {
        struct window_dim *d = &w->dims[i];
        d->size = sizes[i];
        d->window = windows[i];
        d->stride = strides != NULL ? strides[i] : 1;
        d->base_dilation = base != NULL ? base[i] : 1;
        d->window_dilation = hole != NULL ? hole[i] : 1;
        if (!measure(d, padding != NULL ? padding->string : NULL,
                     pairs ? padding->ints + 2 * (size_t)i : NULL))
            return 0;
    }
    return 1;
}

assay_code window_check(struct check *c, struct window *w, int rank,
                        const int64_t *sizes, const int64_t *windows,
                        const char *base_dilations,
                        const char *window_dilations)
{
    const int64_t *unused;
    const struct attribute *padding = attribute_find(c->node, "padding");
    TRY(read_list(c, "window_strides", rank, &unused));
    TRY(read_list(c, base_dilations, rank, &unused));
    TRY(read_list(c, window_dilations, rank, &unused));
    if (padding == NULL)
        return program_fail(c, ASSAY_ATTRIBUTE, "padding is missing");
    if (padding->string == NULL && padding->count != 2 * (int64_t)rank)
        return program_fail(c, ASSAY_ATTRIBUTE, "padding has %d numbers",
                            (int)padding->count);
    if (!window_read(w, c->node, rank, sizes, windows, base_dilations,
                     window_dilations))
        return program_fail(c, ASSAY_SHAPE, "the padded size is too large");
    return ASSAY_OK;
}

int64_t window_base(const struct window_dim *d, int64_t position, int64_t k)
{
    int64_t at = position * d->stride + k * d->window_dilation - d->low;
    if (at < 0 || at % d->base_dilation != 0
        || at / d->base_dilation >= d->size)
        return -1;
    return at / d->base_dilation;
}

/* The window of a reduction over operand 0. */
static assay_code check_window(struct check *c, struct window *w)
{
    const struct shape *s = c->operands[0];
    const int64_t *windows;
    const struct attribute *a;
    TRY(attribute_need(c, "window_dimensions", &a));
    TRY(read_list(c, "window_dimensions", s->rank, &windows));
    return window_check(c, w, s->rank, s->dims, windows, "base_dilations",
                        "window_dilations");
}

static void read_window(const struct run *r, struct window *w)
{
    const struct shape *s = r->operands[0]->shape;
    window_read(w, r->node, s->rank, s->dims,
                ints_of(r->node, "window_dimensions"), "base_dilations",
                "window_dilations");
}

/* The element of the base that entry k of the window at that index is on, or
 * -1. */
static int64_t element_at(const struct window *w, const int64_t *index,
                          const int64_t *k)
{
    int64_t at = 0;
    for (int i = 0; i < w->rank; i++) {
        int64_t x = window_base(&w->dims[i], index[i], k[i]);
        if (x < 0)
            return -1;
        at = at * w->dims[i].size + x;
    }
    return at;
}

static void window_sizes(const struct window *w, int64_t *sizes)
{
    for (int i = 0; i < w->rank; i++)
        sizes[i] = w->dims[i].window;
}

/* ---- ReduceWindow -------------------------------------------------------- */

assay_code window_check_reduce(struct check *c)
{
    int n = c->count / 2;
    struct window w;
    const struct computation *f;
    int64_t dims[RANK_MAX];
    const struct shape **scalars =
        memory_new(c->memory, (size_t)c->count + 1, sizeof *scalars);
    if (c->count % 2 != 0)
        return program_fail(c, ASSAY_STRUCTURE, "%d operands", c->count);
    for (int i = 0; i < n; i++) {
        const struct shape *s = c->operands[i], *init = c->operands[n + i];
        if (s->kind != ASSAY_ARRAY || init->kind != ASSAY_ARRAY
            || !shape_same_dims(s, c->operands[0]))
            return program_fail(c, ASSAY_SHAPE, "operands 0 and %d differ", i);
        if (!shape_is_scalar(init) || init->type != s->type)
            return program_fail(c, ASSAY_TYPE, "init %d has another type", i);
        scalars[i] = scalars[n + i] = init;
    }
    TRY(check_window(c, &w));
    TRY(program_reducer(c, "computation", n, scalars, &f));
    for (int i = 0; i < w.rank; i++)
        dims[i] = w.dims[i].positions;
    for (int i = 0; i < n; i++) {
        scalars[i] = shape_new(c->memory, c->operands[i]->type, w.rank, dims);
        TRY(shape_check(scalars[i], c->error));
    }
    c->result = shape_joined(c->memory, n, scalars);
    return ASSAY_OK;
}

/* One binary operation; accumulators of narrow floats are floats. */
static void reduce_simple(struct run *r, const struct window *w,
                          const struct binary *b)
{
    const struct shape *s = r->node->shape;
    const struct value *x = machine_wide(r, 0), *init = machine_wide(r, 1);
    const struct type *t = x->shape->type;
    struct value *out = value_new(r->memory, shape_retyped(r->memory, s, t));
    int64_t index[RANK_MAX] = {0}, sizes[RANK_MAX];
    window_sizes(w, sizes);
    for (int64_t i = 0, n = shape_count(s); i < n; i++) {
        int64_t k[RANK_MAX] = {0};
        value_move(out, i, init, 0);
        do {
            int64_t at = element_at(w, index, k);
            struct element sum = {out->data, i}, next = {init->data, 0};
            if (at >= 0)
                next = (struct element){x->data, at};
            binary_apply(b, t, out->data, i, sum, next);
        } while (shape_next(w->rank, sizes, k));
        shape_next(s->rank, s->dims, index);
    }
    r->result = value_retyped(r->memory, out, s);
}

static assay_code reduce_called(struct run *r, const struct window *w,
                                const struct computation *f)
{
    int n = r->node->count / 2;
    struct value *out = machine_result(r), **parts = value_parts(&out, n);
    const struct shape *s = parts[0]->shape;
    int64_t index[RANK_MAX] = {0}, sizes[RANK_MAX], count = shape_count(s);
    struct value **arguments = machine_arguments(r, f);
    window_sizes(w, sizes);
    for (int64_t i = 0; i < count; i++) {
        int64_t k[RANK_MAX] = {0};
        for (int p = 0; p < n; p++)
            value_move(arguments[p], 0, r->operands[n + p], 0);
        do {
            int64_t at = element_at(w, index, k);
            for (int p = 0; p < n; p++)
                value_move(arguments[n + p], 0, r->operands[at < 0 ? n + p : p],
                           at < 0 ? 0 : at);
            TRY(machine_apply(r, f, arguments, arguments, n, 0));
        } while (shape_next(w->rank, sizes, k));
        for (int p = 0; p < n; p++)
            value_move(parts[p], i, arguments[p], 0);
        shape_next(s->rank, s->dims, index);
    }
    return ASSAY_OK;
}

assay_code window_run_reduce(struct run *r)
{
    struct window w;
    const struct computation *f =
        machine_called(r->machine, r->node, "computation", 0);
    read_window(r, &w);
    if (f->simple == NULL)
        return reduce_called(r, &w, f);
    reduce_simple(r, &w, binary_find(f->simple->name));
    return ASSAY_OK;
}

/* ---- SelectAndScatter ---------------------------------------------------- */

assay_code window_check_select(struct check *c)
{
    const struct shape *s = c->operands[0], *source = c->operands[1];
    const struct shape *init = c->operands[2], *two[2];
    const struct computation *f;
    struct window w;
    TRY(program_arrays(c));
    if (s->type != source->type || s->type != init->type)
        return program_fail(c, ASSAY_TYPE, "types differ");
    if (!shape_is_scalar(init))
        return program_fail(c, ASSAY_SHAPE, "init_value is not a scalar");
    TRY(check_window(c, &w));
    if (source->rank != s->rank)
        return program_fail(c, ASSAY_SHAPE, "source has rank %d", source->rank);
    for (int i = 0; i < w.rank; i++)
        if (source->dims[i] != w.dims[i].positions)
            return program_fail(c, ASSAY_SHAPE, "dimension %d of source", i);
    two[0] = two[1] = init;
    TRY(program_called(c, "select", 0, 2, two, &f));
    if (!shape_equal(f->nodes[f->root].shape,
                     shape_retyped(c->memory, init, type_find("pred"))))
        return program_fail(c, ASSAY_COMPUTATION, "select gives no pred");
    TRY(program_called(c, "scatter", 0, 2, two, &f));
    if (!shape_equal(f->nodes[f->root].shape, init))
        return program_fail(c, ASSAY_COMPUTATION, "scatter gives another type");
    c->result = s;
    return ASSAY_OK;
}

/* The element that the window at an index selects, or -1. */
static assay_code select_one(struct run *r, const struct window *w,
                             const struct computation *f, const int64_t *index,
                             struct value **pair, struct value *keep,
                             int64_t *chosen)
{
    int64_t k[RANK_MAX] = {0}, sizes[RANK_MAX];
    window_sizes(w, sizes);
    *chosen = -1;
    do {
        int64_t at = element_at(w, index, k);
        if (at < 0)
            continue;
        if (*chosen >= 0) {
            value_move(pair[0], 0, r->operands[0], *chosen);
            value_move(pair[1], 0, r->operands[0], at);
            TRY(machine_apply(r, f, pair, &keep, 1, 0));
        }
        if (*chosen < 0 || !keep->data[0])
            *chosen = at;
    } while (shape_next(w->rank, sizes, k));
    return ASSAY_OK;
}

assay_code window_run_select(struct run *r)
{
    const struct computation *select =
        machine_called(r->machine, r->node, "select", 0);
    const struct computation *scatter =
        machine_called(r->machine, r->node, "scatter", 0);
    const struct value *source = r->operands[1], *init = r->operands[2];
    struct value *out = machine_result(r);
    struct value **pair = machine_arguments(r, select);
    struct value *keep =
        value_new(r->memory, select->nodes[select->root].shape);
    int64_t index[RANK_MAX] = {0};
    struct window w;
    read_window(r, &w);
    for (int64_t i = 0, n = shape_count(out->shape); i < n; i++)
        value_move(out, i, init, 0);
    for (int64_t i = 0, n = shape_count(source->shape); i < n; i++) {
        int64_t at;
        TRY(select_one(r, &w, select, index, pair, keep, &at));
        if (at >= 0) {
            value_move(pair[0], 0, out, at);
            value_move(pair[1], 0, source, i);
            TRY(machine_apply(r, scatter, pair, &out, 1, at));
        }
        shape_next(source->shape->rank, source->shape->dims, index);
    }
    return ASSAY_OK;
}
