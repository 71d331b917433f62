/* BroadcastInDim - an array repeated along chosen dimensions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "gen/policy/broadcast_in_dim_order.h"
#include "interp/ops/dimnums.h"
#include "interp/ops/move.h"

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0];
    struct dimnums sizes = dimnums_get(in->in, ATTRIBUTE_OUT_DIM_SIZE);
    struct dimnums map = dimnums_get(in->in, ATTRIBUTE_BROADCAST_DIMENSIONS);
    bool dynamic[SHAPE_RANK_MAX] = {false};
    TRY(dimnums_count(in, &map, s->rank, st));
    TRY(dimnums_check(in, &map, sizes.count, false, st));
    TRY(infer_array(in, s->dtype, sizes.count, sizes.at, st));
    for (int i = 0; i < s->rank; i++)
        if (s->dims[i] != 1 && s->dims[i] != sizes.at[map.at[i]])
            return FAIL(st, SHAPE,
                        "BroadcastInDim: dimension %d of size %" PRId64
                        " cannot become dimension %" PRId64 " of size %" PRId64,
                        i, s->dims[i], map.at[i], sizes.at[map.at[i]]);
    for (int i = 0; i < s->rank; i++) {
        dynamic[map.at[i]] = s->dynamic && s->dynamic[i];
        if (dynamic[map.at[i]] && s->dims[i] != sizes.at[map.at[i]])
            return FAIL(st, UNSUPPORTED,
                        "BroadcastInDim: dimension %d is dynamic and would be "
                        "repeated",
                        i);
    }
    return move_infer(in, s->dtype, sizes.count, sizes.at, dynamic, st);
}

/* An order that transposes, by policy broadcast-in-dim.order. */
static bool check_order(const struct eval *ev, const struct dimnums *map,
                        struct status *st)
{
    bool rising = true;
    for (int i = 1; i < map->count; i++)
        rising = rising && map->at[i - 1] < map->at[i];
    if (rising)
        return true;
    if (profile_broadcast_in_dim_order_is_any(ev->machine->profile))
        return true;
    return FAIL(st, ATTRIBUTE, "BroadcastInDim: %s is not in increasing order",
                map->name);
}

static bool eval(struct eval *ev, struct status *st)
{
    const struct shape *s = ev->in->shape, *from = ev->operands[0]->shape;
    struct dimnums map = dimnums_get(ev->in, ATTRIBUTE_BROADCAST_DIMENSIONS);
    TRY(check_order(ev, &map, st));
    int64_t own[SHAPE_RANK_MAX] = {0}, strides[SHAPE_RANK_MAX] = {0};
    if (shape_elements(s) > 0)
        shape_strides(from->rank, from->dims, own);
    for (int i = 0; i < from->rank; i++)
        if (from->dims[i] != 1)
            strides[map.at[i]] = own[i];
    struct literal *to =
        move_strided(ev->arena, s, ev->operands[0], 0, strides);
    for (int i = 0; to->sizes && i < s->rank; i++)
        to->sizes[i] = s->dims[i];
    for (int i = 0; to->sizes && i < from->rank; i++)
        if (from->dynamic && from->dynamic[i])
            to->sizes[map.at[i]] = ev->operands[0]->sizes[i];
    return eval_return_literal(ev, to, GOAL_MOVED);
}

const struct op op_BroadcastInDim = {.name = "BroadcastInDim",
                                     .spreads = true,
                                     .infer = infer,
                                     .eval = eval,
                                     .monotone = {1}};
