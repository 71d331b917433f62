/* integer.c - faults of integers, and of conversions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>

#include "faulty.h"

/* ---- Integers ------------------------------------------------------------ */

void part_bits_any(struct look *x, int kept)
{
    if (x->run->result->shape->kind == ASSAY_TUPLE)
        part_bits(x, 0, kept, 1);
    else
        result_bits(x, kept, 1);
}

int64_t floor_div(int64_t a, int64_t b)
{
    if (b == 0 || (a == INT64_MIN && b == -1))
        return b == 0 ? -1 : a;
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

int64_t floor_rem(int64_t a, int64_t b)
{
    if (b == 0 || b == -1)
        return b == 0 ? a : 0;
    return a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0);
}

int64_t mask(int64_t a, int64_t b)
{
    return a & (b - 1);
}

int64_t div_256(int64_t a, int64_t b)
{
    return b == 0 ? 255 : a * (256 / b) / 256;
}

int64_t div_65536(int64_t a, int64_t b)
{
    return b == 0 ? 65535 : a * (65536 / b) / 65536;
}

double mul_float(double a, double b)
{
    return (double)((float)a * (float)b);
}

double div_double(double a, double b)
{
    return b == 0 ? -1 : trunc(a / b);
}

double pow_float(double a, double b)
{
    return (double)powf((float)a, (float)b);
}

void least_by_large(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 0, k) == -2147483648.0 && fabs(pick(x, 1, k)) > 65536)
            set_result(x, k, 0);
}

void twice_rounded(struct look *x)
{
    int minus = strcmp(x->planted->node.op->name, "Sub") == 0;
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        volatile long double a = pick(x, 0, k), b = pick(x, 1, k);
        volatile long double sum = minus ? a - b : a + b;
        if (!isnan((double)sum))
            set_result(x, k, (double)sum);
    }
}

static void compare_by(struct look *x, int as_signed)
{
    const char *op = x->planted->node.op->name;
    int lt = strchr("L", op[0]) != NULL, gt = op[0] == 'G',
        eq = op[1] == 'e' || op[0] == 'E', ne = op[0] == 'N';
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        const struct value *u = value_at(x, 0), *v = value_at(x, 1);
        double a = pick(x, 0, k), b = pick(x, 1, k);
        if (as_signed) {
            int bits = u->shape->type->bits;
            a -= a >= ldexp(1, bits - 1) ? ldexp(1, bits) : 0;
            b -= b >= ldexp(1, bits - 1) ? ldexp(1, bits) : 0;
        }
        (void)v;
        x->run->result->data[k] =
            ne ? a != b : (lt && a < b) || (gt && a > b) || (eq && a == b);
    }
}

void compare_double(struct look *x)
{
    compare_by(x, 0);
}

void compare_signed(struct look *x)
{
    compare_by(x, 1);
}

void max_signed(struct look *x)
{
    int max = strcmp(x->planted->node.op->name, "Max") == 0;
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        int32_t a = (int32_t)(uint32_t)pick(x, 0, k),
                b = (int32_t)(uint32_t)pick(x, 1, k);
        set_result(x, k, (double)(uint32_t)((a > b) == max ? a : b));
    }
}

/* u32 and u64 as if they had a sign. */
void divided_signed(struct look *x)
{
    int div = strcmp(x->planted->node.op->name, "Div") == 0;
    const struct type *t = shape_of(x, RESULT)->type;
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        int64_t v[2];
        for (int i = 0; i < 2; i++) {
            uint64_t u =
                type_int(t, value_at(x, i)->data, count(x, i) == 1 ? 0 : k);
            v[i] = t->bits == 32 ? (int32_t)(uint32_t)u : (int64_t)u;
        }
        if (v[1] != 0 && v[1] != -1)
            type_set_int(t, x->run->result->data, k,
                         (uint64_t)(div ? v[0] / v[1] : v[0] % v[1]));
    }
}

void real_parts_only(struct look *x)
{
    int ne = strcmp(x->planted->node.op->name, "Ne") == 0;
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        x->run->result->data[k] = (pick(x, 0, k) == pick(x, 1, k)) != ne;
}

void shifted_by_sign(struct look *x)
{
    const struct type *t = shape_of(x, RESULT)->type;
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double by = pick(x, 1, k);
        if (by >= 0 && by < t->bits)
            set_result(x, k, floor(ldexp(pick(x, 0, k), -(int)by)));
    }
}

void init_least(struct look *x)
{
    struct value *v = own(x, 1);
    type_set_int(v->shape->type, v->data, 0, (uint64_t)(int64_t)INT32_MIN);
}

void shift_modulo(struct look *x)
{
    const char *op = x->planted->node.op->name;
    const struct type *t = shape_of(x, RESULT)->type;
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        uint64_t a =
            type_int(t, value_at(x, 0)->data, count(x, 0) == 1 ? 0 : k);
        double by = pick(x, 1, k);
        if (by < t->bits || t->bits < 8)
            continue;
        int n = (int)fmod(by, t->bits);
        uint64_t u = t->bits == 64 ? a : a & ((UINT64_C(1) << t->bits) - 1);
        type_set_int(t, x->run->result->data, k,
                     strcmp(op, "ShiftLeft") == 0 ? a << n
                     : strcmp(op, "ShiftRightLogical") == 0
                         ? u >> n
                         : (uint64_t)((int64_t)a >> n));
    }
}

void low_half(struct look *x)
{
    int clz = strcmp(x->planted->node.op->name, "Clz") == 0;
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        uint32_t u =
            (uint32_t)type_int(shape_of(x, 0)->type, value_at(x, 0)->data, k);
        int n = 0;
        for (int b = 0; b < 32; b++)
            n += clz ? u >> b == 0 : u >> b & 1;
        set_result(x, k, n);
    }
}

/* ---- Conversions --------------------------------------------------------- */

void saturates(struct look *x, double most)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (number(x, 0, k) > most || number(x, 0, k) < 0)
            set_result(x, k, number(x, 0, k) < 0 ? 0 : most);
}

void negative_where_top(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (number(x, 0, k) >= 0x1p63)
            set_result(x, k, number(x, 0, k) - 0x1p64);
}

void convert_via_f32(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (isfinite(number(x, 0, k)))
            set_result(x, k, via_f32(number(x, 0, k)));
}

void convert_via_double(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        set_result(x, k, number(x, 0, k));
}

void convert_toward_zero(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        double v = number(x, 0, k);
        float f = (float)v;
        if (isfinite(f) && fabs(v) >= 0x1p-126 && fabs((double)f) > fabs(v))
            set_result(x, k, (double)nextafterf(f, 0));
    }
}

double nibble(double v)
{
    return v < 0 ? v + 16 : v;
}

void convert_cut(struct look *x)
{
    struct value *v = x->run->result;
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (isfinite(number(x, 0, k)))
            memcpy(v->data + 2 * k, value_at(x, 0)->data + 4 * k + 2, 2);
}

void small_is_false(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (fabs(number(x, 0, k)) < 1)
            x->run->result->data[k] = 0;
}

void iota_stuck(struct look *x)
{
    if (rank(x, RESULT) == 1)
        for (int64_t k = 257; k < count(x, RESULT); k++)
            set_result(x, k, 256);
}

void conjugated(struct look *x)
{
    struct value *v = own(x, 0);
    const struct type *t = v->shape->type;
    for (int64_t k = 0; k < shape_count(v->shape); k++)
        type_set_number(t, v->data, k, conj(type_number(t, v->data, k)));
}
