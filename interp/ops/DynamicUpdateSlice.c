/* DynamicUpdateSlice - an array with a part replaced.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Of a dynamic update the elements that count are written.  One as long as the
 * operand replaces all of a dimension: so it has the update's actual size then.
 */
#include <string.h>

#include "interp/ops/dynamic.h"
#include "interp/ops/move.h"
#include "interp/stablehlo/stablehlo_form.h"

/* Is dimension d of the update dynamic, and as long as the operand's? */
static bool replaces(const struct shape *s, const struct shape *update, int d)
{
    return dynamic_is(update, d) && update->dims[d] == s->dims[d];
}

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0], *update = in->operands[1];
    bool flags[SHAPE_RANK_MAX];
    if (update->dtype != s->dtype)
        return FAIL(st, TYPE,
                    "DynamicUpdateSlice: operand is %s, update %s; expected "
                    "the same type",
                    dtype_table[s->dtype].name,
                    dtype_table[update->dtype].name);
    bool fits = update->rank == s->rank;
    for (int i = 0; fits && i < s->rank; i++)
        fits = update->dims[i] <= s->dims[i];
    if (!fits)
        return FAIL(st, SHAPE, "DynamicUpdateSlice: update %s does not fit %s",
                    shape_text(in->arena, update), shape_text(in->arena, s));
    TRY(move_infer_starts(in, 2, st));
    for (int i = 2; i < in->count; i++)
        TRY(dynamic_refuse(in, i, NULL, "start indices are all there", st));
    for (int i = 0; i < s->rank; i++)
        flags[i] = dynamic_is(s, i) || replaces(s, update, i);
    return move_infer(in, s->dtype, s->rank, s->dims, flags, st);
}

/* Elements that neither the operand nor the update has may be anything. */
static void free_rest(const struct eval *ev, const int64_t *starts,
                      const int64_t *sizes, struct goal *g)
{
    const struct literal *to = g->value;
    const struct shape *s = to->shape;
    int64_t index[SHAPE_RANK_MAX] = {0};
    int units = dtype_units(s->dtype);
    for (int64_t i = 0, n = shape_elements(s); i < n; i++) {
        bool inside = true;
        for (int d = 0; inside && d < s->rank; d++)
            inside = index[d] >= starts[d] && index[d] - starts[d] < sizes[d];
        if (!inside && literal_counts(to, index)
            && !literal_counts(ev->operands[0], index))
            for (int u = 0; u < units; u++)
                goal_free_unit(g, i * units + u);
        shape_next_index(s->rank, s->dims, index);
    }
}

static bool eval_dynamic(struct eval *ev, struct status *st)
{
    const struct literal *from = ev->operands[0], *update = ev->operands[1];
    const struct shape *s = ev->in->shape;
    int64_t strides[SHAPE_RANK_MAX], starts[SHAPE_RANK_MAX], none = 0;
    int64_t sizes[SHAPE_RANK_MAX], index[SHAPE_RANK_MAX] = {0}, base = 0;
    struct literal *to = literal_new(ev->arena, s);
    memcpy(to->data, from->data, (size_t)shape_bytes(s));
    for (int i = 0; i < s->rank; i++) {
        sizes[i] = move_size(update, i);
        if (to->sizes)
            to->sizes[i] =
                replaces(s, update->shape, i) ? sizes[i] : move_size(from, i);
        none += sizes[i] == 0;
    }
    move_starts(ev, 2, s->rank, s->dims, update->shape->dims, starts);
    if (shape_elements(s) > 0)
        shape_strides(s->rank, s->dims, strides);
    for (int i = 0; none == 0 && i < s->rank; i++)
        base += starts[i] * strides[i];
    for (bool more = none == 0; more;
         more = shape_next_index(s->rank, sizes, index)) {
        int64_t at = base;
        for (int i = 0; i < s->rank; i++)
            at += index[i] * strides[i];
        literal_move(to, at, update,
                     shape_linear(s->rank, update->shape->dims, index));
    }
    struct goal *g = goal_of(ev->arena, to, GOAL_MOVED);
    if (ev->want_exact && from->sizes)
        free_rest(ev, starts, sizes, g);
    return eval_return_one(ev, g);
}

static bool eval(struct eval *ev, struct status *st)
{
    TRY(move_empty(ev, ev->operands[1]->shape, STATUS_SHAPE, st));
    if (dynamic_any(ev))
        return eval_dynamic(ev, st);
    const struct shape *s = ev->in->shape, *update = ev->operands[1]->shape;
    int64_t strides[SHAPE_RANK_MAX], starts[SHAPE_RANK_MAX], base = 0;
    struct literal *to = literal_copy(ev->arena, ev->operands[0]);
    if (shape_elements(update) > 0) {
        shape_strides(s->rank, s->dims, strides);
        move_starts(ev, 2, s->rank, s->dims, update->dims, starts);
        for (int i = 0; i < s->rank; i++)
            base += starts[i] * strides[i];
        move_into(to, base, strides, ev->operands[1]);
    }
    return eval_return_literal(ev, to, GOAL_MOVED);
}

const struct op op_DynamicUpdateSlice = {
    .name = "DynamicUpdateSlice",
    .infer = infer,
    .eval = eval,
    .monotone = {1, 1},
    .stablehlo = STABLEHLO_FORM(.write = stablehlo_builder_dynamic)};
