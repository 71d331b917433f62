/* Slice - part of an array, with strides.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "interp/ops/dimnums.h"
#include "interp/ops/move.h"
#include "interp/program/attribute.h"
#include "interp/stablehlo/stablehlo_form.h"

/* Without strides every element is taken (004:1718). */
static int64_t stride_of(const struct instruction *in, int i)
{
    const struct attribute *a = attribute_find(in, ATTRIBUTE_STRIDES);
    return a ? a->ints[i] : 1;
}

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0];
    struct dimnums start = dimnums_get(in->in, ATTRIBUTE_START_INDICES);
    struct dimnums limit = dimnums_get(in->in, ATTRIBUTE_LIMIT_INDICES);
    struct dimnums stride = dimnums_get(in->in, ATTRIBUTE_STRIDES);
    int64_t dims[SHAPE_RANK_MAX];
    bool dynamic[SHAPE_RANK_MAX];
    TRY(dimnums_count(in, &start, s->rank, st));
    TRY(dimnums_count(in, &limit, s->rank, st));
    if (attribute_find(in->in, ATTRIBUTE_STRIDES))
        TRY(dimnums_count(in, &stride, s->rank, st));
    for (int i = 0; i < s->rank; i++) {
        int64_t from = start.at[i], to = limit.at[i], by = stride_of(in->in, i);
        if (from < 0 || from > to || to > s->dims[i])
            return FAIL(
                st, ATTRIBUTE,
                "Slice: start %" PRId64 ", limit %" PRId64
                " in dimension %d; expected 0 <= start <= limit <= %" PRId64,
                from, to, i, s->dims[i]);
        if (by <= 0)
            return FAIL(st, ATTRIBUTE,
                        "Slice: stride %" PRId64
                        " in dimension %d; expected at least 1",
                        by, i);
        dims[i] = (to - from) / by + ((to - from) % by != 0);
        /* One element is taken, whether or not it exists. */
        dynamic[i] = s->dynamic && s->dynamic[i] && dims[i] != 1;
    }
    return move_infer(in, s->dtype, s->rank, dims, dynamic, st);
}

/* How many elements of a dynamic dimension does the slice have? */
static void set_sizes(const struct eval *ev, struct literal *to)
{
    const struct literal *from = ev->operands[0];
    struct dimnums start = dimnums_get(ev->in, ATTRIBUTE_START_INDICES);
    for (int i = 0; to->sizes && i < to->shape->rank; i++) {
        int64_t span = move_size(from, i) - start.at[i];
        int64_t size = span > 0 ? (span - 1) / stride_of(ev->in, i) + 1 : 0;
        to->sizes[i] = size < to->shape->dims[i] ? size : to->shape->dims[i];
    }
}

/* Elements beyond a size of the operand may be anything. */
static void free_padding(const struct eval *ev, struct goal *g)
{
    const struct shape *s = g->value->shape;
    struct dimnums start = dimnums_get(ev->in, ATTRIBUTE_START_INDICES);
    int units = dtype_units(s->dtype);
    for (int i = 0; i < s->rank; i++)
        if (!(s->dynamic && s->dynamic[i]) && s->dims[i] == 1
            && start.at[i] >= move_size(ev->operands[0], i))
            for (int64_t k = 0, n = shape_elements(s) * units; k < n; k++)
                goal_free_unit(g, k);
}

static bool eval(struct eval *ev, struct status *st)
{
    const struct shape *s = ev->in->shape, *from = ev->operands[0]->shape;
    struct dimnums start = dimnums_get(ev->in, ATTRIBUTE_START_INDICES);
    int64_t strides[SHAPE_RANK_MAX] = {0}, base = 0;
    if (shape_elements(s) > 0)
        shape_strides(from->rank, from->dims, strides);
    for (int i = 0; i < s->rank; i++) {
        base += strides[i] * start.at[i];
        /* A stride beyond the one element that it starts at never counts. */
        strides[i] = s->dims[i] > 1 ? strides[i] * stride_of(ev->in, i) : 0;
    }
    struct goal *g = goal_of(
        ev->arena, move_strided(ev->arena, s, ev->operands[0], base, strides),
        GOAL_MOVED);
    set_sizes(ev, g->value);
    if (ev->want_exact && ev->operands[0]->sizes)
        free_padding(ev, g);
    return eval_return_one(ev, g);
}

const struct op op_Slice = {
    .name = "Slice",
    .spreads = true,
    .infer = infer,
    .eval = eval,
    .monotone = {1},
    .stablehlo = STABLEHLO_FORM(.attributes = stablehlo_attribute_slice)};
