/* DynamicSlice - part of an array from run-time start indices.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "interp/ops/dimnums.h"
#include "interp/ops/dynamic.h"
#include "interp/ops/move.h"
#include "interp/stablehlo/stablehlo_form.h"

/* A dynamic dimension is taken as a whole, and stays dynamic, or one element of
 * it is taken.
 */
static bool check_dynamic(const struct infer *in, const struct dimnums *sizes,
                          bool *flags, struct status *st)
{
    const struct shape *s = in->operands[0];
    bool may[SHAPE_RANK_MAX];
    for (int i = 0; i < s->rank; i++) {
        may[i] = sizes->at[i] == 1 || sizes->at[i] == s->dims[i];
        flags[i] = dynamic_is(s, i) && sizes->at[i] != 1;
    }
    for (int i = 1; i < in->count; i++)
        TRY(dynamic_refuse(in, i, NULL, "start indices are all there", st));
    return dynamic_refuse(
        in, 0, may, "the slice has neither all of it nor one element", st);
}

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0];
    struct dimnums sizes = dimnums_get(in->in, ATTRIBUTE_SLICE_SIZES);
    bool flags[SHAPE_RANK_MAX];
    TRY(move_infer_starts(in, 1, st));
    TRY(dimnums_count(in, &sizes, s->rank, st));
    for (int i = 0; i < s->rank; i++)
        if (sizes.at[i] < 0 || sizes.at[i] > s->dims[i])
            return FAIL(st, ATTRIBUTE,
                        "DynamicSlice: slice_sizes has %" PRId64
                        " for dimension %d; expected 0 to %" PRId64,
                        sizes.at[i], i, s->dims[i]);
    TRY(check_dynamic(in, &sizes, flags, st));
    return move_infer(in, s->dtype, s->rank, sizes.at, flags, st);
}

/* The one element of a dimension may be beyond the size: it may be anything
 * then. */
static void set_dynamic(const struct eval *ev, const int64_t *starts,
                        struct goal *g)
{
    const struct literal *from = ev->operands[0];
    struct literal *to = g->value;
    int64_t units = literal_units(to);
    for (int i = 0; i < to->shape->rank; i++) {
        if (to->sizes)
            to->sizes[i] =
                dynamic_is(to->shape, i) ? from->sizes[i] : to->shape->dims[i];
        bool one = dynamic_is(from->shape, i) && !dynamic_is(to->shape, i);
        if (ev->want_exact && one && starts[i] >= from->sizes[i])
            for (int64_t u = 0; u < units; u++)
                goal_free_unit(g, u);
    }
}

static bool eval(struct eval *ev, struct status *st)
{
    const struct shape *s = ev->in->shape, *from = ev->operands[0]->shape;
    int64_t strides[SHAPE_RANK_MAX] = {0}, starts[SHAPE_RANK_MAX], base = 0;
    TRY(move_empty(ev, s, STATUS_ATTRIBUTE, st));
    if (shape_elements(s) > 0)
        shape_strides(from->rank, from->dims, strides);
    move_starts(ev, 1, s->rank, from->dims, s->dims, starts);
    for (int i = 0; i < s->rank; i++)
        base += starts[i] * strides[i];
    struct goal *g = goal_of(
        ev->arena, move_strided(ev->arena, s, ev->operands[0], base, strides),
        GOAL_MOVED);
    if (ev->operands[0]->sizes)
        set_dynamic(ev, starts, g);
    return eval_return_one(ev, g);
}

const struct op op_DynamicSlice = {
    .name = "DynamicSlice",
    .infer = infer,
    .eval = eval,
    .monotone = {1},
    .stablehlo = STABLEHLO_FORM(.write = stablehlo_builder_dynamic)};
