/* BitcastConvertType.c - the same bits as elements of another type.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Defined on the packed form: the elements of the last dimension one after the
 * other, lowest bits first, with no padding (a byte holds two s4, the first in
 * its low half).
 */
#include "interp/ops/elementwise.h"
#include "interp/program/attribute.h"

static bool is_complex(enum dtype t)
{
    return dtype_class(t) == DTYPE_COMPLEX;
}

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0];
    enum dtype to = attribute_find(in->in, ATTRIBUTE_NEW_ELEMENT_TYPE)->dtype;
    if (s->kind != SHAPE_ARRAY)
        return FAIL(st, TYPE,
                    "BitcastConvertType: the operand is %s, not an array",
                    shape_text(in->arena, s));
    if (is_complex(s->dtype) != is_complex(to))
        return FAIL(st, TYPE, "BitcastConvertType: no bitcast from %s to %s",
                    dtype_table[s->dtype].name, dtype_table[to].name);

    int from_bits = dtype_table[s->dtype].bits, to_bits = dtype_table[to].bits;
    int rank = s->rank;
    int64_t dims[SHAPE_RANK_MAX + 1];
    bool dynamic[SHAPE_RANK_MAX + 1] = {false};
    for (int i = 0; i < rank; i++) {
        dims[i] = s->dims[i];
        dynamic[i] = s->dynamic && s->dynamic[i];
    }
    if (from_bits > to_bits ? from_bits % to_bits : to_bits % from_bits)
        return FAIL(st, TYPE,
                    "BitcastConvertType: neither of %d and %d bits is a "
                    "multiple of the other",
                    from_bits, to_bits);
    if (from_bits > to_bits) {
        if (rank == SHAPE_RANK_MAX)
            return FAIL(
                st, SHAPE,
                "BitcastConvertType: the result has more than %d dimensions",
                SHAPE_RANK_MAX);
        dims[rank++] = from_bits / to_bits;
    } else if (from_bits < to_bits) {
        if (rank == 0 || dims[rank - 1] != to_bits / from_bits
            || dynamic[rank - 1])
            return FAIL(st, SHAPE,
                        "BitcastConvertType: the operand is %s; expected a "
                        "last dimension of size %d",
                        shape_text(in->arena, s), to_bits / from_bits);
        rank--;
    }
    TRY(infer_array(in, to, rank, dims, st));
    if (shape_has_dynamic(s))
        in->result = shape_dynamic(in->arena, to, rank, dims, dynamic);
    return true;
}

static void cut(const struct literal *from, struct literal *to, int ratio)
{
    int bits = dtype_table[dtype_unit(to->shape->dtype)].bits;
    uint64_t mask = dtype_mask(to->shape->dtype);
    int64_t n = literal_units(from);
    for (int64_t i = 0; i < n; i++) {
        uint64_t wide = literal_get(from, i);
        for (int k = 0; k < ratio; k++)
            literal_set(to, i * ratio + k, (wide >> (k * bits)) & mask);
    }
}

static void join(const struct literal *from, struct literal *to, int ratio)
{
    int bits = dtype_table[dtype_unit(from->shape->dtype)].bits;
    int64_t n = literal_units(to);
    for (int64_t i = 0; i < n; i++) {
        uint64_t wide = 0;
        for (int k = 0; k < ratio; k++)
            wide |= literal_get(from, i * ratio + k) << (k * bits);
        literal_set(to, i, wide);
    }
}

static bool eval(struct eval *ev, struct status *st)
{
    const struct literal *from = ev->operands[0];
    struct literal *to = literal_new(ev->arena, ev->in->shape);
    int a = dtype_table[from->shape->dtype].bits;
    int b = dtype_table[to->shape->dtype].bits;

    if (from->sizes && to->sizes)
        for (int i = 0; i < to->shape->rank; i++)
            to->sizes[i] =
                i < from->shape->rank ? from->sizes[i] : to->shape->dims[i];
    if (a >= b)
        cut(from, to, a / b);
    else
        join(from, to, b / a);
    return eval_return_literal(ev, to, GOAL_MOVED);
}

const struct op op_BitcastConvertType = {
    .name = "BitcastConvertType",
    .infer = infer,
    .eval = eval,
};
