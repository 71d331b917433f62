/* Reshape - the same elements in another shape.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <string.h>

#include "interp/ops/dimnums.h"
#include "interp/ops/dynamic.h"
#include "interp/ops/move.h"
#include "interp/program/attribute.h"
#include "interp/stablehlo/stablehlo_form.h"

/* The older form reads the operand's dimensions in another order first. */
static bool read_order(const struct infer *in, int rank, struct status *st)
{
    struct dimnums order = dimnums_get(in->in, ATTRIBUTE_DIMENSIONS);
    if (!attribute_find(in->in, ATTRIBUTE_DIMENSIONS))
        return true;
    TRY(dimnums_count(in, &order, rank, st));
    return dimnums_check(in, &order, rank, false, st);
}

/* The operand's dimensions, in the order that they are read in. */
static int64_t *read_dims(struct arena *a, const struct instruction *in,
                          const struct shape *s, const int64_t *sizes)
{
    struct dimnums order = dimnums_get(in, ATTRIBUTE_DIMENSIONS);
    int64_t *dims = arena_new(a, int64_t, (size_t)s->rank + 1);
    for (int i = 0; i < s->rank; i++)
        dims[i] = sizes[order.count ? order.at[i] : i];
    return dims;
}

/* The dimension of the result that dimension d of the operand becomes, alone or
 * with its neighbours; -1: there is none, -2: it becomes several. Those
 * dimensions belong together before and after which there are as many elements;
 * of a result, those that are 1 do not matter. */
static int find_target(int rank, const int64_t *dims, int d,
                       const struct shape *result)
{
    int64_t before = 1, product = 1, other = 1;
    int found = -1, k = 0;
    for (int i = 0; i <= d; i++) {
        while (other < product)
            other *= result->dims[k++];
        if (other == product)
            before = product;
        product *= dims[i];
    }
    int64_t end = product;
    for (int i = d + 1; i <= rank; i++) {
        while (other < end)
            other *= result->dims[k++];
        if (other == end || i == rank)
            break;
        end *= dims[i];
    }
    other = 1;
    for (k = 0; k < result->rank && other < end; k++) {
        if (other >= before && result->dims[k] != 1) {
            if (found != -1)
                return -2;
            found = k;
        }
        other *= result->dims[k];
    }
    return found;
}

/* One of size 1 stays where it has as many elements before it. */
static int find_one(const int64_t *dims, int d, const struct shape *result)
{
    int64_t before = 1, other = 1;
    for (int i = 0; i < d; i++)
        before *= dims[i];
    for (int k = 0; k < result->rank; k++) {
        if (before == other && result->dims[k] == 1)
            return k;
        other *= result->dims[k];
    }
    return -1;
}

static int target(int rank, const int64_t *dims, int d,
                  const struct shape *result)
{
    return dims[d] == 1 ? find_one(dims, d, result)
                        : find_target(rank, dims, d, result);
}

/* Dynamic dimensions stay, or become part of one. */
static bool infer_dynamic(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0];
    struct dimnums order = dimnums_get(in->in, ATTRIBUTE_DIMENSIONS);
    int64_t *dims = read_dims(in->arena, in->in, s, s->dims);
    bool flags[SHAPE_RANK_MAX] = {false};
    for (int i = 0; i < s->rank; i++) {
        int64_t d = order.count ? order.at[i] : i;
        if (!dynamic_is(s, d))
            continue;
        int k =
            shape_elements(s) > 0 ? target(s->rank, dims, i, in->result) : -1;
        if (k == -2)
            return FAIL(st, SHAPE,
                        "Reshape: dynamic dimension %" PRId64
                        " of %s could become any of several",
                        d, shape_text(in->arena, s));
        if (k < 0)
            return FAIL(st, UNSUPPORTED,
                        "Reshape: dynamic dimension %" PRId64
                        " of %s, which is empty or has bound 1 there, has no "
                        "counterpart in the result",
                        d, shape_text(in->arena, s));
        flags[k] = true;
    }
    dynamic_mark(in, flags);
    return true;
}

/* Takes as many of the elements that count as the sizes of what becomes one
 * give. */
static bool eval_dynamic(struct eval *ev, struct status *st)
{
    const struct shape *s = ev->operands[0]->shape, *result = ev->in->shape;
    struct dynamic p = dynamic_open(ev);
    int64_t *dims = read_dims(ev->arena, ev->in, s, s->dims);
    int64_t *actual = read_dims(ev->arena, ev->in, s, p.sizes[0]);
    int64_t *sizes = arena_new(ev->arena, int64_t, (size_t)result->rank + 1);
    for (int k = 0; k < result->rank; k++)
        sizes[k] = dynamic_is(result, k) ? 1 : result->dims[k];
    for (int i = 0; i < s->rank; i++) {
        int k = target(s->rank, dims, i, result);
        if (k >= 0 && dynamic_is(result, k))
            sizes[k] *= actual[i];
    }
    dynamic_set_ints(&p, ATTRIBUTE_NEW_SIZES, sizes);
    return dynamic_eval(&p, st);
}

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0];
    struct dimnums sizes = dimnums_get(in->in, ATTRIBUTE_NEW_SIZES);
    TRY(read_order(in, s->rank, st));
    for (int i = 0; i < sizes.count; i++)
        if (sizes.at[i] < 0)
            return FAIL(st, ATTRIBUTE,
                        "Reshape: new_sizes has the size %" PRId64,
                        sizes.at[i]);
    TRY(infer_array(in, s->dtype, sizes.count, sizes.at, st));
    if (shape_elements(in->result) != shape_elements(s))
        return FAIL(st, SHAPE,
                    "Reshape: %s does not have the %" PRId64 " elements of %s",
                    shape_text(in->arena, in->result), shape_elements(s),
                    shape_text(in->arena, s));
    return !shape_has_dynamic(s) || infer_dynamic(in, st);
}

static bool eval(struct eval *ev, struct status *st)
{
    if (dynamic_any(ev))
        return eval_dynamic(ev, st);
    const struct literal *from = ev->operands[0];
    const struct attribute *order =
        attribute_find(ev->in, ATTRIBUTE_DIMENSIONS);
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
    return eval_return_literal(ev, to, GOAL_MOVED);
}

const struct op op_Reshape = {
    .name = "Reshape",
    .spreads = true,
    .infer = infer,
    .eval = eval,
    .monotone = {1},
    .stablehlo =
        STABLEHLO_FORM(.write = stablehlo_builder_reshape,
                       .hides = stablehlo_hidden_sizes,
                       .why = "reshape has neither sizes nor an order")};
