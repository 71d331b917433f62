/* value.c - faults of single values: special ones, and other types.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "faulty.h"

double one(double v)
{
    (void)v;
    return 1;
}

double no_term(double v)
{
    (void)v;
    return 0;
}

double term_twice(double v)
{
    return 2 * v;
}

double same(double v)
{
    return v;
}

double positive(double v)
{
    return fabs(v);
}

double nan_to_low(double v)
{
    return isnan(v) ? -INFINITY : v;
}

double nan_made(double v)
{
    return v == 0 ? v : NAN;
}

double inf_to_max_f16(double v)
{
    return isinf(v) ? copysign(65504, v) : v;
}

double below_zero(double v)
{
    return v == 0 && signbit(v) ? -1 : v;
}

double up_a_bit(double v)
{
    return v * (1 + 0x1p-9);
}

double top_u8(double v)
{
    return v > 200 ? 255 : v;
}

double at_zero(double v)
{
    (void)v;
    return 0;
}

double at_least_zero(double v)
{
    return v < 0 ? 0 : v;
}

double from_the_end(double v)
{
    return v < 0 ? 1 : v;
}

double zero_if_beyond_s8(double v)
{
    return v > 127 ? 0 : v;
}

int is_negative(double v)
{
    return v < 0;
}

int beyond_s32(double v)
{
    return v > 2147483647.0;
}

int beyond_s8(double v)
{
    return v > 127;
}

/* ---- All elements -------------------------------------------------------- */

static void map_parts(struct look *x, struct value *v, double (*f)(double))
{
    if (v->shape->kind == ASSAY_TUPLE) {
        for (int i = 0; i < v->shape->rank; i++)
            map_parts(x, v->elements[i], f);
    } else if (v->shape->kind == ASSAY_ARRAY
               && v->shape->type->class == FLOAT) {
        for (int64_t k = 0; k < shape_count(v->shape); k++)
            type_set_double(v->shape->type, v->data, k,
                            f(type_double(v->shape->type, v->data, k)));
    } else if (v->shape->kind == ASSAY_ARRAY && f == same) {
        for (int64_t k = 0; k < shape_count(v->shape); k++)
            type_set_int(v->shape->type, v->data, k,
                         (uint64_t)(int64_t)(double)(int64_t)type_int(
                             v->shape->type, v->data, k));
    }
}

void result_map_parts(struct look *x, double (*f)(double))
{
    map_parts(x, x->run->result, f);
}

void neutral_result(struct look *x)
{
    struct value *v = x->run->result;
    memset(v->data, 0, (size_t)(shape_count(v->shape) * v->shape->type->bytes));
}

/* The bit above the fraction of a NaN, where there is one. */
static void quiet(struct value *v)
{
    if (v->shape->kind == ASSAY_TUPLE) {
        for (int i = 0; i < v->shape->rank; i++)
            quiet(v->elements[i]);
        return;
    }
    if (v->shape->kind != ASSAY_ARRAY || v->shape->type->class != FLOAT)
        return;
    const struct type *t = v->shape->type;
    for (int64_t k = 0; k < shape_count(v->shape); k++)
        if (isnan(type_double(t, v->data, k))) {
            int bit = t->precision - 2;
            v->data[k * t->bytes + bit / 8] |= (unsigned char)(1 << bit % 8);
        }
}

void quieted(struct look *x)
{
    quiet(x->run->result);
}

void quieted_parts(struct look *x)
{
    quiet(x->run->result);
}

void quieted_operand(struct look *x)
{
    quiet(own(x, 0));
}

void inf_becomes_nan(struct look *x)
{
    struct value *v = x->run->result;
    for (int64_t k = 0; k < shape_count(v->shape); k++)
        if (isinf(number(x, RESULT, k)))
            type_set_double(v->shape->type, v->data, k, NAN);
}

/* ---- Results from operands ----------------------------------------------- */

/* Two operands of the result's shape, or scalars. */
double pick(const struct look *x, int i, int64_t k)
{
    return number(x, i, count(x, i) == 1 ? 0 : k);
}

void set_result(struct look *x, int64_t k, double v)
{
    struct value *to = x->run->result;
    const struct type *t = to->shape->type;
    if (t->class == FLOAT)
        type_set_double(t, to->data, k, v);
    else
        type_set_int(t, to->data, k, (uint64_t)(int64_t)v);
}

void set_bits(struct look *x, int64_t k, uint64_t u)
{
    type_set_int(shape_of(x, RESULT)->type, x->run->result->data, k, u);
}

void set_complex(struct look *x, int64_t k, double re, double im)
{
    struct value *v = x->run->result;
    type_set_number(v->shape->type, v->data, k, type_pair(re, im));
}

int fits(const struct look *x)
{
    for (int i = 0; i < x->planted->node.count; i++)
        if (count(x, i) != 1 && count(x, i) != count(x, RESULT))
            return 0;
    return 1;
}

void zero_power(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 0, k) == 0 && pick(x, 1, k) > 0 && pick(x, 1, k) < 1)
            set_result(x, k, NAN);
}

void under_power(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (number(x, RESULT, k) == 0 && pick(x, 0, k) != 0
            && isfinite(pick(x, 0, k)) && isfinite(pick(x, 1, k)))
            set_result(x, k, NAN);
}

void rem_by_infinity(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (isinf(pick(x, 1, k)))
            set_result(x, k, NAN);
}

void rem_of_equals(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 0, k) == pick(x, 1, k) && pick(x, 0, k) != 0)
            set_result(x, k, pick(x, 0, k));
}

void rem_sign_of_divisor(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (number(x, RESULT, k) == 0)
            set_result(x, k, copysign(0, pick(x, 1, k)));
}

void clamp_to_lower(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        value_move(x->run->result, k, x->run->operands[0], 0);
}

void nan_is_great(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (isnan(pick(x, 0, k)))
            x->run->result->data[k] ^= 1;
}

void zeros_differ(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 0, k) == 0 && pick(x, 1, k) == 0
            && signbit(pick(x, 0, k)) != signbit(pick(x, 1, k)))
            x->run->result->data[k] ^= 1;
}

void nan_spreads(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (isnan(pick(x, 1, k)) || isnan(pick(x, 2, k)))
            set_result(x, k, NAN);
}

void result_root(struct look *x)
{
    for (int64_t k = 0; k < count(x, 0) && k < count(x, RESULT); k++)
        set_result(x, k, sqrt(number(x, 0, k)));
}

void not_compare(struct look *x)
{
    const struct value *a = made_of(x, 0, 0), *b = made_of(x, 0, 1);
    if (a->shape->type->class != FLOAT
        || !shape_same_dims(a->shape, shape_of(x, RESULT))
        || !shape_same_dims(b->shape, shape_of(x, RESULT)))
        return;
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (isnan(type_double(a->shape->type, a->data, k))
            || isnan(type_double(b->shape->type, b->data, k)))
            x->run->result->data[k] = 0;
}

/* Element k of operand j of the instruction that made operand i. */
static double grand(const struct look *x, int i, int j, int64_t k)
{
    const struct value *v = made_of(x, i, j);
    int64_t at = shape_count(v->shape) == 1 ? 0 : k;
    const struct type *t = v->shape->type;
    if (t->class == FLOAT)
        return type_double(t, v->data, at);
    return t->class == SINT ? (double)(int64_t)type_int(t, v->data, at)
                            : (double)type_int(t, v->data, at);
}

static int grand_fits(const struct look *x)
{
    for (int j = 0; j < 2; j++) {
        int64_t n = shape_count(made_of(x, 0, j)->shape);
        if (n != 1 && n != count(x, RESULT))
            return 0;
    }
    return 1;
}

void associate(struct look *x)
{
    const struct type *t = shape_of(x, RESULT)->type;
    struct value *v = own(x, 1);
    if (t->class == FLOAT && grand_fits(x) && fits(x))
        for (int64_t k = 0; k < count(x, RESULT); k++) {
            type_set_double(t, v->data, k, grand(x, 0, 1, k) + number(x, 1, k));
            set_result(x, k, grand(x, 0, 0, k) + type_double(t, v->data, k));
        }
}

void excess_floor(struct look *x)
{
    if (grand_fits(x))
        for (int64_t k = 0; k < count(x, RESULT); k++)
            set_result(x, k, floor(grand(x, 0, 0, k) + grand(x, 0, 1, k)));
}

void fused(struct look *x)
{
    if (grand_fits(x) && fits(x))
        for (int64_t k = 0; k < count(x, RESULT); k++)
            set_result(x, k,
                       grand(x, 0, 0, k) * grand(x, 0, 1, k) + pick(x, 1, k));
}

/* ---- Reductions ---------------------------------------------------------- */

void nan_first_lost(struct look *x, double lost)
{
    struct value *v = own(x, 0);
    int64_t n = shape_count(v->shape);
    for (int64_t k = 0; k + 1 < n; k++)
        if (isnan(type_double(v->shape->type, v->data, k)))
            type_set_double(v->shape->type, v->data, k, lost);
}

void the_number(struct look *x)
{
    for (int64_t k = 0; k < count(x, 0); k++)
        if (!isnan(number(x, 0, k)))
            set_result(x, 0, number(x, 0, k));
}

void the_numbers(struct look *x)
{
    int64_t n = size(x, 0, 1);
    for (int64_t r = 0; r < size(x, 0, 0); r++) {
        int64_t numbers = 0, at = 0;
        for (int64_t k = 0; k < n; k++)
            if (!isnan(number(x, 0, r * n + k))) {
                numbers++;
                at = r * n + k;
            }
        if (numbers == 1 && n > 1)
            set_result(x, r, number(x, 0, at));
    }
}

void tie_to_last(struct look *x)
{
    for (int64_t k = 0; k + 1 < count(x, 0); k++)
        if (number(x, 0, k) == number(x, 0, k + 1)
            && number(x, RESULT, k) != number(x, RESULT, k + 1)) {
            double v = number(x, RESULT, k);
            set_result(x, k, number(x, RESULT, k + 1));
            set_result(x, k + 1, v);
            return;
        }
}

void init_neutral(struct look *x)
{
    struct value *v = own(x, 1);
    type_set_double(v->shape->type, v->data, 0,
                    computes(x, "computation", "Max") ? -INFINITY : INFINITY);
}

void any_of_operand(struct look *x)
{
    if (is_scalar(x, RESULT) && how_many(x, 0, is_zero) < count(x, 0))
        x->run->result->data[0] = 1;
}
