/* Reshape - the same elements in another shape.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <string.h>

#include "interp/ops/dimnums.h"
#include "interp/ops/move.h"
#include "interp/program/attribute.h"

/* The older form reads the operand's dimensions in another order first. */
static bool read_order(const struct infer *in, int rank, struct status *st)
{
    struct dimnums order = dimnums_get(in->in, "dimensions");
    if (!attribute_find(in->in, "dimensions"))
        return true;
    TRY(dimnums_count(in, &order, rank, st));
    return dimnums_check(in, &order, rank, false, st);
}

/* The dimension of the result that a dimension of the operand becomes: of the
 * same size, with as many elements before it; -1 if there is none. */
static int find_kept(const struct shape *s, int d, const struct shape *result)
{
    int64_t before = 1, other = 1;
    for (int i = 0; i < d; i++)
        before *= s->dims[i];
    for (int k = 0; k < result->rank; k++) {
        if (before == other && result->dims[k] == s->dims[d])
            return k;
        other *= result->dims[k];
    }
    return -1;
}

/* Dynamic dimensions stay what they are. */
static bool infer_dynamic(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0], *result = in->result;
    bool dynamic[SHAPE_RANK_MAX] = {false};
    bool plain = !attribute_find(in->in, "dimensions") && shape_elements(s) > 0;
    for (int i = 0; i < s->rank; i++) {
        int k = s->dynamic[i] && plain ? find_kept(s, i, result) : -1;
        if (k >= 0)
            dynamic[k] = true;
        if (s->dynamic[i] && k < 0)
            return FAIL(st, UNSUPPORTED,
                        "Reshape: dynamic dimension %d of %s is not kept", i,
                        shape_text(in->arena, s));
    }
    in->result =
        shape_dynamic(in->arena, s->dtype, result->rank, result->dims, dynamic);
    return true;
}

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0];
    struct dimnums sizes = dimnums_get(in->in, "new_sizes");
    TRY(read_order(in, s->rank, st));
    for (int i = 0; i < sizes.count; i++)
        if (sizes.at[i] < 0)
            return FAIL(st, ATTRIBUTE,
                        "Reshape: new_sizes has the size %" PRId64,
                        sizes.at[i]);
    TRY(infer_array(in, s->dtype, sizes.count, sizes.at, st));
    if (shape_elements(in->result) != shape_elements(s))
        return FAIL(st, SHAPE,
                    "Reshape: %s has not the %" PRId64 " elements of %s",
                    shape_text(in->arena, in->result), shape_elements(s),
                    shape_text(in->arena, s));
    return !shape_has_dynamic(s) || infer_dynamic(in, st);
}

static bool eval(struct eval *ev, struct status *st)
{
    const struct literal *from = ev->operands[0];
    const struct attribute *order = attribute_find(ev->in, "dimensions");
    struct literal *to = literal_new(ev->arena, ev->in->shape);
    if (order && shape_elements(from->shape) > 0) {
        int64_t own[SHAPE_RANK_MAX], strides[SHAPE_RANK_MAX];
        int64_t dims[SHAPE_RANK_MAX];
        const struct shape *s = from->shape;
        shape_strides(s->rank, s->dims, own);
        for (int i = 0; i < s->rank; i++) {
            strides[i] = own[order->ints[i]];
            dims[i] = s->dims[order->ints[i]];
        }
        from = move_strided(ev->arena,
                            shape_array(ev->arena, s->dtype, s->rank, dims),
                            from, 0, strides);
    }
    memcpy(to->data, from->data, (size_t)shape_bytes(from->shape));
    for (int i = 0; to->sizes && i < to->shape->rank; i++)
        to->sizes[i] = to->shape->dims[i];
    for (int i = 0; to->sizes && i < from->shape->rank; i++)
        if (from->shape->dynamic[i])
            to->sizes[find_kept(from->shape, i, to->shape)] = from->sizes[i];
    eval_return_literal(ev, to, GOAL_MOVED);
    return true;
}

const struct op op_Reshape = {
    .name = "Reshape", .infer = infer, .eval = eval, .monotone = {1}};
