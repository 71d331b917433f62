/* stablehlo_builder.c - operations that the builder has and StableHLO lacks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "interp/program/attribute.h"
#include "interp/program/op.h"
#include "interp/stablehlo/stablehlo_write.h"

static const char *ints_text(struct stablehlo_writer *w, int count,
                             const int64_t *ints)
{
    const char *text = "array<i64";
    for (int i = 0; i < count; i++)
        text = arena_printf(w->arena, "%s%s%" PRId64, text, i ? ", " : ": ",
                            ints[i]);
    return arena_printf(w->arena, "%s>", text);
}

/* New dimensions are first, so the operand's are the last ones. */
bool stablehlo_builder_broadcast(struct stablehlo_writer *w,
                                 const struct stablehlo_item *it)
{
    int64_t map[SHAPE_RANK_MAX];
    const struct shape *from = it->operands[0].shapes[0];
    for (int i = 0; i < from->rank; i++)
        map[i] = it->in->shape->rank - from->rank + i;
    const char *dims = arena_printf(w->arena, " {broadcast_dimensions = %s}",
                                    ints_text(w, from->rank, map));
    it->result->names[0] = stablehlo_op_simple(
        w, "stablehlo.broadcast_in_dim", &it->operands[0], dims, it->in->shape);
    return true;
}

/* With an order of dimensions it is a transposition first. */
bool stablehlo_builder_reshape(struct stablehlo_writer *w,
                               const struct stablehlo_item *it)
{
    const struct attribute *order =
        attribute_find(it->in, ATTRIBUTE_DIMENSIONS);
    const struct shape *from = it->operands[0].shapes[0];
    struct stablehlo_value v = it->operands[0];
    if (order && order->count == from->rank && from->rank > 0) {
        int64_t dims[SHAPE_RANK_MAX];
        bool dynamic[SHAPE_RANK_MAX];
        for (int i = 0; i < from->rank; i++) {
            dims[i] = from->dims[order->ints[i]];
            dynamic[i] = from->dynamic && from->dynamic[order->ints[i]];
        }
        const struct shape *turned =
            shape_dynamic(w->arena, from->dtype, from->rank, dims, dynamic);
        const char *permutation =
            arena_printf(w->arena, " {permutation = %s}",
                         ints_text(w, order->count, order->ints));
        v = stablehlo_op_one(w,
                             stablehlo_op_simple(w, "stablehlo.transpose", &v,
                                                 permutation, turned),
                             turned);
    }
    it->result->names[0] = stablehlo_op_simple(w, "stablehlo.reshape", &v, "",
                                               it->result->shapes[0]);
    return true;
}

/* A vector of start indices is cut into scalars. */
static struct stablehlo_value scalars(struct stablehlo_writer *w,
                                      const struct stablehlo_value *v)
{
    const struct shape *s = v->shapes[0];
    if (v->count != 1 || s->kind != SHAPE_ARRAY || s->rank != 1)
        return *v;
    int64_t single = 1;
    const struct shape *cut = shape_array(w->arena, s->dtype, 1, &single);
    const struct shape *scalar = shape_array(w->arena, s->dtype, 0, NULL);
    struct stablehlo_value *all =
        arena_new(w->arena, struct stablehlo_value, (size_t)s->dims[0] + 1);
    for (int64_t i = 0; i < s->dims[0]; i++) {
        const char *range =
            arena_printf(w->arena,
                         " {start_indices = array<i64: %" PRId64
                         ">, limit_indices = array<i64: %" PRId64
                         ">, strides = array<i64: 1>}",
                         i, i + 1);
        struct stablehlo_value part = stablehlo_op_one(
            w, stablehlo_op_simple(w, "stablehlo.slice", v, range, cut), cut);
        all[i] = stablehlo_op_one(
            w, stablehlo_op_simple(w, "stablehlo.reshape", &part, "", scalar),
            scalar);
    }
    return stablehlo_op_flatten(w, (int)s->dims[0], all);
}

bool stablehlo_builder_dynamic(struct stablehlo_writer *w,
                               const struct stablehlo_item *it)
{
    const struct spec_op *spec = spec_op_find(it->in->op->name);
    int first = spec->operand_count - 1; /* of the indices */
    struct stablehlo_value *all = arena_new(w->arena, struct stablehlo_value,
                                            (size_t)it->in->operand_count);
    for (int i = 0; i < it->in->operand_count; i++)
        all[i] = i >= first ? scalars(w, &it->operands[i]) : it->operands[i];
    struct stablehlo_line line = {
        .spelling = spec->stablehlo,
        .operands = stablehlo_op_flatten(w, it->in->operand_count, all)};
    return stablehlo_op_line(w, it, &line);
}

/* A selection of tuples is one of each element. */
bool stablehlo_builder_select(struct stablehlo_writer *w,
                              const struct stablehlo_item *it)
{
    for (int i = 0; i < it->result->count; i++) {
        struct stablehlo_value three[3] = {it->operands[0], it->operands[1],
                                           it->operands[2]};
        for (int k = 1; it->result->count > 1 && k < 3; k++)
            three[k] = stablehlo_op_one(w, it->operands[k].names[i],
                                        it->operands[k].shapes[i]);
        struct stablehlo_line line = {.spelling = "stablehlo.select",
                                      .operands =
                                          stablehlo_op_flatten(w, 3, three)};
        struct stablehlo_value mine =
            stablehlo_op_one(w, it->result->names[i], it->result->shapes[i]);
        line.result = &mine;
        TRY(stablehlo_op_line(w, it, &line));
    }
    return true;
}
