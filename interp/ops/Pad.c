/* Pad - padding around and between elements.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/move.h"
#include "interp/program/attribute.h"
#include "interp/stablehlo/stablehlo_form.h"

enum {
    LOW,
    HIGH,
    INTERIOR,
    PARTS
};

/* size + (size - 1) * interior + low + high; false if it does not fit. */
static bool padded(int64_t size, const int64_t *p, int64_t *result)
{
    int64_t holes = size > 0 ? size - 1 : 0;
    return !__builtin_mul_overflow(holes, p[INTERIOR], &holes)
           && !__builtin_add_overflow(size, holes, &size)
           && !__builtin_add_overflow(size, p[LOW], &size)
           && !__builtin_add_overflow(size, p[HIGH], result);
}

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0], *value = in->operands[1];
    const struct attribute *config =
        attribute_find(in->in, ATTRIBUTE_PADDING_CONFIG);
    int64_t dims[SHAPE_RANK_MAX];
    if (!shape_is_scalar(value) || value->dtype != s->dtype)
        return FAIL(st, TYPE,
                    "Pad: padding_value is %s, not a scalar of type %s",
                    shape_text(in->arena, value), dtype_table[s->dtype].name);
    if (config->count != PARTS * s->rank)
        return FAIL(st, ATTRIBUTE,
                    "Pad: padding_config has %d entries; expected %d",
                    config->count / PARTS, s->rank);
    for (int i = 0; i < s->rank; i++) {
        const int64_t *p = config->ints + PARTS * i;
        if (p[INTERIOR] < 0)
            return FAIL(st, ATTRIBUTE,
                        "Pad: interior_padding of dimension %d is negative", i);
        if (!padded(s->dims[i], p, &dims[i]) || dims[i] < 0)
            return FAIL(st, SHAPE,
                        "Pad: the size of dimension %d of the result is "
                        "negative or too large",
                        i);
    }
    return move_infer(in, s->dtype, s->rank, dims, s->dynamic, st);
}

/* Which elements of the operand are in the result, and where: counted from
 * first, they are count, the first of them at place, interior + 1 apart. */
static void visible(int64_t size, int64_t result, const int64_t *p,
                    int64_t *first, int64_t *count, int64_t *place)
{
    int64_t step = size > 1 ? p[INTERIOR] + 1 : 1;
    /* Elements cut off at the front: ceil(-low / step), or all. */
    int64_t cut = p[LOW] < 0 ? -(p[LOW] + 1) / step : -1;
    *first = cut < size ? cut + 1 : size;
    *count = 0;
    *place = *first < size ? p[LOW] + *first * step : 0;
    if (*first < size && *place < result)
        *count = (result - 1 - *place) / step + 1;
    if (*count > size - *first)
        *count = *first < size ? size - *first : 0;
}

/* Padding lies around the elements that count. */
static bool set_sizes(const struct eval *ev, struct literal *to,
                      struct status *st)
{
    const int64_t *p = attribute_find(ev->in, ATTRIBUTE_PADDING_CONFIG)->ints;
    for (int i = 0; to->sizes && i < to->shape->rank; i++, p += PARTS)
        if (!padded(move_size(ev->operands[0], i), p, &to->sizes[i])
            || to->sizes[i] < 0)
            return FAIL(st, UNSUPPORTED,
                        "inadmissible: the actual size of dimension %d is "
                        "negative after Pad",
                        i);
    return true;
}

static bool eval(struct eval *ev, struct status *st)
{
    const struct shape *s = ev->in->shape, *from = ev->operands[0]->shape;
    const int64_t *p = attribute_find(ev->in, ATTRIBUTE_PADDING_CONFIG)->ints;
    int64_t none[SHAPE_RANK_MAX] = {0}, to_strides[SHAPE_RANK_MAX];
    int64_t strides[SHAPE_RANK_MAX], dims[SHAPE_RANK_MAX];
    struct literal *to = move_strided(ev->arena, s, ev->operands[1], 0, none);
    if (shape_elements(s) > 0 && shape_elements(from) > 0) {
        int64_t base = 0, put = 0;
        shape_strides(from->rank, from->dims, strides);
        shape_strides(s->rank, s->dims, to_strides);
        for (int i = 0; i < s->rank; i++, p += PARTS) {
            int64_t first, place;
            visible(move_size(ev->operands[0], i), s->dims[i], p, &first,
                    &dims[i], &place);
            base += first * strides[i];
            put += place * to_strides[i];
            to_strides[i] = dims[i] > 1 ? to_strides[i] * (p[INTERIOR] + 1) : 0;
        }
        const struct shape *part =
            shape_array(ev->arena, s->dtype, s->rank, dims);
        if (shape_elements(part) > 0)
            move_into(
                to, put, to_strides,
                move_strided(ev->arena, part, ev->operands[0], base, strides));
    }
    TRY(set_sizes(ev, to, st));
    return eval_return_literal(ev, to, GOAL_MOVED);
}

const struct op op_Pad = {
    .name = "Pad",
    .infer = infer,
    .eval = eval,
    .monotone = {1, 1},
    .stablehlo = STABLEHLO_FORM(.attributes = stablehlo_attribute_pad)};
