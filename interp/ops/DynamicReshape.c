/* DynamicReshape - the same elements in a shape with run-time sizes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "interp/ops/dimnums.h"
#include "interp/ops/move.h"
#include "interp/stablehlo/stablehlo_form.h"

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0];
    struct dimnums bounds = dimnums_get(in->in, ATTRIBUTE_NEW_SIZE_BOUNDS);
    struct dimnums flags = dimnums_get(in->in, ATTRIBUTE_DIMS_ARE_DYNAMIC);
    bool dynamic[SHAPE_RANK_MAX];
    TRY(dimnums_count(in, &flags, bounds.count, st));
    if (in->count - 1 != bounds.count)
        return FAIL(st, ATTRIBUTE, "DynamicReshape: %d sizes for %d dimensions",
                    in->count - 1, bounds.count);
    for (int i = 1; i < in->count; i++)
        if (!shape_is_scalar(in->operands[i]))
            return FAIL(st, SHAPE,
                        "DynamicReshape: size %d is %s, not a scalar", i - 1,
                        shape_text(in->arena, in->operands[i]));
    TRY(infer_array(in, s->dtype, bounds.count, bounds.at, st));
    if (shape_elements(in->result) != shape_elements(s))
        return FAIL(st, SHAPE,
                    "DynamicReshape: %s does not have the %" PRId64
                    " elements of %s",
                    shape_text(in->arena, in->result), shape_elements(s),
                    shape_text(in->arena, s));
    for (int i = 0; i < bounds.count; i++)
        dynamic[i] = flags.at[i] != 0;
    return move_infer(in, s->dtype, bounds.count, bounds.at, dynamic, st);
}

/* Elements that count. */
static int64_t count(const struct literal *l)
{
    int64_t n = 1;
    for (int i = 0; i < l->shape->rank; i++)
        n *= move_size(l, i);
    return n;
}

static bool set_sizes(const struct eval *ev, struct literal *to,
                      struct status *st)
{
    const struct shape *s = to->shape;
    for (int i = 0; to->sizes && i < s->rank; i++) {
        int64_t size = literal_int(ev->operands[i + 1], 0);
        to->sizes[i] = s->dynamic[i] ? size : s->dims[i];
        if (to->sizes[i] < 0 || to->sizes[i] > s->dims[i])
            return FAIL(st, UNSUPPORTED,
                        "inadmissible: DynamicReshape to %" PRId64
                        " of dimension %d, whose bound is %" PRId64,
                        size, i, s->dims[i]);
    }
    if (count(to) != count(ev->operands[0]))
        return FAIL(st, UNSUPPORTED,
                    "inadmissible: DynamicReshape of %" PRId64
                    " elements to %" PRId64,
                    count(ev->operands[0]), count(to));
    return true;
}

/* Step to the next index of an element that counts. */
static void next(const struct literal *l, int64_t *index)
{
    const struct shape *s = l->shape;
    for (int d = s->rank - 1; d >= 0; d--) {
        if (++index[d] < move_size(l, d))
            return;
        index[d] = 0;
    }
}

static bool eval(struct eval *ev, struct status *st)
{
    const struct literal *from = ev->operands[0];
    struct literal *to = literal_new(ev->arena, ev->in->shape);
    int64_t i[SHAPE_RANK_MAX] = {0}, k[SHAPE_RANK_MAX] = {0};
    TRY(set_sizes(ev, to, st));
    for (int64_t n = count(from); n > 0; n--) {
        literal_move(to, shape_linear(to->shape->rank, to->shape->dims, k),
                     from,
                     shape_linear(from->shape->rank, from->shape->dims, i));
        next(from, i);
        next(to, k);
    }
    return eval_return_literal(ev, to, GOAL_MOVED);
}

const struct op op_DynamicReshape = {
    .name = "DynamicReshape",
    .infer = infer,
    .eval = eval,
    .monotone = {1, OP_NEITHER},
    .stablehlo = STABLEHLO_FORM(.write = stablehlo_op_dynamic_reshape,
                                .hides = stablehlo_hidden_size,
                                .why = "dynamic_reshape has other sizes")};
