/* convert.c - from one element type to another.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>

#include "native.h"

assay_code convert_check(struct check *c)
{
    const struct type *t = NULL;
    TRY(unary_check_array(c));
    TRY(attribute_type(c, "new_element_type", &t));
    c->result = shape_retyped(c->memory, c->operands[0], t);
    return ASSAY_OK;
}

/* An integer as a double: exact up to 53 bits, else rounded to odd, so that
 * rounding it again to fewer bits gives what rounding once would give. */
static double odd_double(uint64_t x)
{
    int shift = 0;
    uint64_t lost = 0;
    while (x >> 53 != 0) {
        lost |= x & 1;
        x >>= 1;
        shift++;
    }
    return ldexp((double)(x | lost), shift);
}

static double int_to_double(const struct type *to, const struct type *from,
                            uint64_t x)
{
    int negative = from->class == SINT && (int64_t)x < 0;
    if (to->precision == 53)
        return negative ? (double)(int64_t)x : (double)x;
    double y = odd_double(negative ? 0 - x : x);
    return negative ? -y : y;
}

/* Cut off; saturate; NaN gives 0. */
static uint64_t double_to_int(const struct type *to, double x)
{
    int bits = to->class == SINT ? to->bits - 1 : to->bits;
    double limit = ldexp(1.0, bits);
    uint64_t most = UINT64_MAX >> (64 - bits);
    x = trunc(x);
    if (isnan(x))
        return 0;
    if (x >= limit)
        return most;
    if (to->class == UINT)
        return x <= 0 ? 0 : (uint64_t)x;
    return x <= -limit ? ~most : (uint64_t)(int64_t)x;
}

static void convert(const struct type *to, void *out, const struct type *from,
                    const void *in, int64_t i)
{
    const struct type *part = type_part(from);
    int64_t at = from->class == COMPLEX ? 2 * i : i;
    int64_t to_at = to->class == COMPLEX ? 2 * i : i;
    int from_float = from->class == FLOAT || from->class == COMPLEX;
    if (to->class == FLOAT || to->class == COMPLEX) {
        const struct type *p = type_part(to);
        double im = from->class == COMPLEX ? type_double(part, in, at + 1) : 0;
        type_set_double(p, out, to_at,
                        from_float
                            ? type_double(part, in, at)
                            : int_to_double(p, from, type_int(from, in, i)));
        if (to->class == COMPLEX)
            type_set_double(p, out, to_at + 1, im);
    } else if (to->class == PRED) {
        int set = from_float ? type_double(part, in, at) != 0
                             : type_int(from, in, i) != 0;
        type_set_int(to, out, i, (uint64_t)set);
    } else {
        type_set_int(to, out, i,
                     from_float ? double_to_int(to, type_double(part, in, at))
                                : type_int(from, in, i));
    }
}

assay_code convert_run(struct run *r)
{
    const struct value *x = r->operands[0];
    struct value *out = machine_result(r);
    int64_t n = shape_count(out->shape);
    const struct type *to = out->shape->type;
    if (to == x->shape->type) { /* nothing to do: signalling NaNs stay */
        value_fill(out, x);
        return ASSAY_OK;
    }
    for (int64_t i = 0; i < n; i++)
        convert(to, out->data, x->shape->type, x->data, i);
    return ASSAY_OK;
}

/* ---- The same bits as another type --------------------------------------- */

assay_code convert_check_bitcast(struct check *c)
{
    const struct type *to = NULL;
    TRY(unary_check_array(c));
    TRY(attribute_type(c, "new_element_type", &to));
    const struct shape *s = c->operands[0];
    const struct type *from = s->type;
    int64_t dims[RANK_MAX + 1];
    if ((from->class == COMPLEX) != (to->class == COMPLEX))
        return program_fail(c, ASSAY_TYPE, "from %s to %s", from->name,
                            to->name);
    if (from->bits % to->bits != 0 && to->bits % from->bits != 0)
        return program_fail(c, ASSAY_TYPE, "from %s to %s", from->name,
                            to->name);
    for (int i = 0; i < s->rank; i++)
        dims[i] = s->dims[i];
    int rank = s->rank;
    if (from->bits > to->bits) {
        if (rank == RANK_MAX)
            return program_fail(c, ASSAY_UNSUPPORTED, "too many dimensions");
        dims[rank++] = from->bits / to->bits;
    } else if (from->bits < to->bits) {
        int ratio = to->bits / from->bits;
        if (rank == 0 || dims[rank - 1] != ratio)
            return program_fail(c, ASSAY_SHAPE,
                                "the last dimension must have size %d", ratio);
        rank--;
    }
    c->result = shape_new(c->memory, to, rank, dims);
    return ASSAY_OK;
}

assay_code convert_refuse_bitcast(struct check *c)
{
    const struct shape *s = c->operands[0];
    if (c->result->rank < s->rank && s->dynamic[s->rank - 1])
        return program_fail(c, ASSAY_SHAPE, "the last dimension is dynamic");
    return ASSAY_OK;
}

/* Elements narrower than a byte take one each here, but lie next to one another
 * in a wider one, the first in its lowest bits. */
static void repack(const struct type *to, unsigned char *out,
                   const struct type *from, const unsigned char *in, int64_t n)
{
    int bits = to->bits < from->bits ? to->bits : from->bits;
    for (int64_t i = 0; i < n; i++) { /* bits by bits */
        int64_t a = i * bits / from->bits, b = i * bits / to->bits;
        uint64_t x = 0, y = 0;
        memcpy(&x, in + a * from->bytes, (size_t)from->bytes);
        memcpy(&y, out + b * to->bytes, (size_t)to->bytes);
        x = x >> (i * bits % from->bits) & ((UINT64_C(1) << bits) - 1);
        y |= x << (i * bits % to->bits);
        memcpy(out + b * to->bytes, &y, (size_t)to->bytes);
    }
}

assay_code convert_run_bitcast(struct run *r)
{
    const struct value *x = r->operands[0];
    struct value *out = machine_result(r);
    const struct type *to = out->shape->type, *from = x->shape->type;
    int64_t n = shape_count(out->shape), m = shape_count(x->shape);
    if (to->bits != from->bits && (to->bits < 8 || from->bits < 8))
        repack(to, out->data, from, x->data, n > m ? n : m);
    else
        value_fill(out, x);
    return ASSAY_OK;
}

/* ---- ReducePrecision ----------------------------------------------------- */

assay_code convert_check_reduce_precision(struct check *c)
{
    const struct attribute *a;
    TRY(unary_check_array(c));
    if (c->operands[0]->type->class != FLOAT)
        return program_fail(c, ASSAY_TYPE, "not defined for %s",
                            c->operands[0]->type->name);
    TRY(attribute_need(c, "exponent_bits", &a));
    TRY(attribute_need(c, "mantissa_bits", &a));
    if (attribute_int(c->node, "exponent_bits", 0) < 1)
        return program_fail(c, ASSAY_ATTRIBUTE, "exponent_bits is below 1");
    if (attribute_int(c->node, "mantissa_bits", 0) < 0)
        return program_fail(c, ASSAY_ATTRIBUTE, "mantissa_bits is below 0");
    c->result = c->operands[0];
    return ASSAY_OK;
}

/* Round the significand; what is then too large is infinite, and what lies
 * below the smallest normal number is a zero. */
static double reduce(const struct type *t, double x, int e, int m)
{
    if (!isfinite(x) || x == 0)
        return x;
    double y = m + 1 < t->precision ? type_round(x, m + 1, t->emin) : x;
    int bias = (1 << (e - 1)) - 1;
    if (y != 0 && ilogb(y) > bias)
        return copysign((double)INFINITY, x);
    if (1 - bias > t->emin && (y == 0 || ilogb(y) < 1 - bias))
        return copysign(0.0, x);
    return y;
}

assay_code convert_run_reduce_precision(struct run *r)
{
    const struct value *x = r->operands[0];
    const struct type *t = x->shape->type;
    struct value *out = machine_result(r);
    int64_t e = attribute_int(r->node, "exponent_bits", 0);
    int64_t m = attribute_int(r->node, "mantissa_bits", 0);
    e = e > 11 ? 11 : e;
    m = m > 52 ? 52 : m;
    for (int64_t i = 0; i < shape_count(out->shape); i++)
        type_set_double(t, out->data, i,
                        reduce(t, type_double(t, x->data, i), (int)e, (int)m));
    return ASSAY_OK;
}
