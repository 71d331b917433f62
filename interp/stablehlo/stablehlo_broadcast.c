/* stablehlo_broadcast.c - the builder's implicit broadcasting, written out.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Element-wise operations of StableHLO take operands of one shape.  Where the
 * result has a dynamic dimension that an operand lacks, the operand is repeated
 * up to the bound and then given the size of the one that has it: that is what
 * XlaBuilder writes too, and needs nothing of StableHLO but bounded dimensions.
 */
#include <inttypes.h>

#include "interp/program/attribute.h"
#include "interp/stablehlo/stablehlo_write.h"

/* The dimension of the result that each of an operand's goes with. */
static void place(const struct instruction *in, const struct shape *from,
                  int64_t *map)
{
    const struct attribute *dims =
        attribute_find(in, ATTRIBUTE_BROADCAST_DIMENSIONS);
    int rank = in->shape->rank;
    bool listed = dims && dims->count == from->rank && from->rank < rank;
    for (int i = 0; i < from->rank; i++)
        map[i] = listed ? dims->ints[i] : rank - from->rank + i;
}

static bool is_dynamic(const struct shape *s, int64_t d)
{
    return s->dynamic && s->dynamic[d];
}

static struct stablehlo_value repeat(struct stablehlo_writer *w,
                                     const struct stablehlo_value *v,
                                     const int64_t *map,
                                     const struct shape *shape)
{
    const char *dims = "";
    for (int i = 0; i < v->shapes[0]->rank; i++)
        dims = arena_printf(w->arena, "%s%s%" PRId64, dims, i ? ", " : ": ",
                            map[i]);
    const char *attribute =
        arena_printf(w->arena, " {broadcast_dimensions = array<i64%s>}", dims);
    return stablehlo_op_one(w,
                            stablehlo_op_simple(w, "stablehlo.broadcast_in_dim",
                                                v, attribute, shape),
                            shape);
}

/* The run-time size of the result's dimension d, from an operand that has it;
 * NULL if there is none. */
static const char *size_of(struct stablehlo_writer *w,
                           const struct stablehlo_item *it, int64_t d)
{
    for (int k = 0; k < it->in->operand_count; k++) {
        const struct shape *s = it->operands[k].shapes[0];
        int64_t map[SHAPE_RANK_MAX];
        place(it->in, s, map);
        for (int i = 0; i < s->rank; i++)
            if (map[i] == d && is_dynamic(s, i))
                return stablehlo_op_simple(
                    w, "stablehlo.get_dimension_size", &it->operands[k],
                    arena_printf(w->arena, " {dimension = %d : i64}", i),
                    shape_scalar(w->arena, DT_s32));
    }
    return NULL;
}

static struct stablehlo_value cut(struct stablehlo_writer *w,
                                  const struct stablehlo_item *it,
                                  struct stablehlo_value v)
{
    const struct shape *to = it->in->shape, *have = v.shapes[0];
    bool dynamic[SHAPE_RANK_MAX];
    for (int d = 0; d < to->rank; d++)
        dynamic[d] = is_dynamic(have, d);
    for (int d = 0; d < to->rank; d++) {
        if (dynamic[d] || !is_dynamic(to, d))
            continue;
        const char *size = size_of(w, it, d);
        if (!size)
            continue;
        dynamic[d] = true;
        const struct shape *shape =
            shape_dynamic(w->arena, have->dtype, to->rank, to->dims, dynamic);
        struct stablehlo_value both[2] = {
            v, stablehlo_op_one(w, size, shape_scalar(w->arena, DT_s32))};
        struct stablehlo_value all = stablehlo_op_flatten(w, 2, both);
        v = stablehlo_op_one(
            w,
            stablehlo_op_simple(
                w, "stablehlo.set_dimension_size", &all,
                arena_printf(w->arena, " {dimension = %d : i64}", d), shape),
            shape);
    }
    return v;
}

struct stablehlo_value stablehlo_broadcast(struct stablehlo_writer *w,
                                           const struct stablehlo_item *it,
                                           int which)
{
    const struct stablehlo_value *v = &it->operands[which];
    const struct shape *from = v->shapes[0], *to = it->in->shape;
    int64_t map[SHAPE_RANK_MAX];
    bool dynamic[SHAPE_RANK_MAX] = {false};
    /* A static operand of the bound's size may be combined with a dynamic one.
     * */
    if (v->count != 1 || shape_same_dims(from, to) || from->rank > to->rank)
        return *v;
    place(it->in, from, map);
    for (int i = 0; i < from->rank; i++)
        dynamic[map[i]] = is_dynamic(from, i);
    const struct shape *shape =
        to->dynamic
            ? shape_dynamic(w->arena, from->dtype, to->rank, to->dims, dynamic)
            : shape_array(w->arena, from->dtype, to->rank, to->dims);
    return cut(w, it, repeat(w, v, map, shape));
}
