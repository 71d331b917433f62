/* Broadcast - an array repeated along new major dimensions.
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
    struct dimnums sizes = dimnums_get(in->in, ATTRIBUTE_BROADCAST_SIZES);
    int64_t dims[SHAPE_RANK_MAX];
    bool dynamic[SHAPE_RANK_MAX] = {false};
    if (sizes.count + s->rank > SHAPE_RANK_MAX)
        return FAIL(
            st, SHAPE,
            "Broadcast: the result has rank %d, at most %d is supported",
            sizes.count + s->rank, SHAPE_RANK_MAX);
    for (int i = 0; i < sizes.count; i++) {
        if (sizes.at[i] < 0)
            return FAIL(st, ATTRIBUTE,
                        "Broadcast: broadcast_sizes has %" PRId64
                        "; expected 0 or more",
                        sizes.at[i]);
        dims[i] = sizes.at[i];
    }
    for (int i = 0; i < s->rank; i++) {
        dims[sizes.count + i] = s->dims[i];
        dynamic[sizes.count + i] = s->dynamic && s->dynamic[i];
    }
    return move_infer(in, s->dtype, sizes.count + s->rank, dims, dynamic, st);
}

static bool eval(struct eval *ev, struct status *st)
{
    const struct shape *s = ev->in->shape, *from = ev->operands[0]->shape;
    int64_t strides[SHAPE_RANK_MAX] = {0};
    if (shape_elements(s) > 0)
        shape_strides(from->rank, from->dims, strides + s->rank - from->rank);
    struct literal *to =
        move_strided(ev->arena, s, ev->operands[0], 0, strides);
    int more = s->rank - from->rank;
    for (int i = 0; to->sizes && i < s->rank; i++)
        to->sizes[i] =
            i < more ? s->dims[i] : move_size(ev->operands[0], i - more);
    return eval_return_literal(ev, to, GOAL_MOVED);
}

const struct op op_Broadcast = {
    .name = "Broadcast",
    .spreads = true,
    .infer = infer,
    .eval = eval,
    .monotone = {1},
    .stablehlo =
        STABLEHLO_FORM(.write = stablehlo_builder_broadcast,
                       .why =
                           "it is a broadcast_in_dim, which states its sizes")};
