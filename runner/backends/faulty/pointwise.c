/* pointwise.c - what the faults of the eighth set do to single numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "faulty.h"

/* ---- Single numbers: an operand's, and the result's ---------------------- */

double is_half_finite(double a, double r)
{
    return isfinite(a) && fabs(a) > 65504 ? 0 : r;
}

double nan_is_one(double a, double r)
{
    return isnan(a) ? 1 : r;
}

double ceil_without_sign(double a, double r)
{
    return a > -1 && a < 0 ? 0 : r;
}

double odd_one_more(double a, double r)
{
    int odd = fabs(a) >= 0x1p52 && fabs(a) < 0x1p53 && fmod(a, 2) != 0;
    return odd ? copysign(fabs(a) + 1, a) : r;
}

double at_most_s32(double a, double r)
{
    return isfinite(a) && fabs(a) > 0x1p31 ? copysign(0x1p31, a) : r;
}

double one_from_5(double a, double r)
{
    return isfinite(a) && fabs(a) > 5 ? copysign(1, a) : r;
}

double not_reflected(double a, double r)
{
    return a < 0 ? 2 - r : r;
}

double half_exp_less_1(double a, double r)
{
    return fabs(a) < 0.125 ? via_f16(exp(a)) - 1 : r;
}

double half_log_of_more(double a, double r)
{
    return fabs(a) < 0.0625 ? log(via_bf16(1 + a)) : r;
}

double exponentials_cancel(double a, double r)
{
    volatile float p = expf((float)a), q = expf((float)-a), d = p - q;
    return fabs(a) < 0x1p-10 ? (double)d / 2 : r;
}

double infinite_too_early(double a, double r)
{
    return isfinite(a) && isfinite(r) && fabs(r) > FLT_MAX / 2 ? INFINITY : r;
}

double root_cancels(double a, double r)
{
    return isfinite(a) && a < -1e9 ? -INFINITY : r;
}

double square_overflows(double a, double r)
{
    return isfinite(a) && fabs(a) > 0x1p520 ? copysign(INFINITY, r) : r;
}

double minus_one_is_zero(double a, double r)
{
    return a == -1 ? 0 : r;
}

double beyond_one_is_end(double a, double r)
{
    return isfinite(a) && fabs(a) > 1 ? copysign(0x1.921fb54442d18p0, a) : r;
}

double root_without_sign(double a, double r)
{
    return a < 0 ? fabs(r) : r;
}

double half_logistic(double a, double r)
{
    return a < -11.125 ? 0 : r;
}

double large_angle_is_zero(double a, double r)
{
    return isfinite(a) && fabs(a) > 1000 ? 0 : r;
}

double through_f32(double a, double r)
{
    (void)a;
    return via_f32(r);
}

double sign_counted(double a, double r)
{
    return a < 0 ? r + 16 : r;
}

double sixteen_more(double a, double r)
{
    (void)a;
    return r + 16;
}

double absolute_part(double a, double r)
{
    (void)r;
    return fabs(a);
}

double always_one(double a, double r)
{
    (void)a;
    (void)r;
    return 1;
}

double negated(double a, double r)
{
    (void)a;
    return -r;
}

double quotient_one_more(double a, double r)
{
    return a >= 0x1p31 ? r + 1 : r;
}

double half_twice_rounded(double a, double r)
{
    return isfinite(a) ? via_f16(via_f32(a)) : r;
}

double small_half_twice(double a, double r)
{
    return a != 0 && fabs(a) < 0x1p-14 ? 2 * r : r;
}

double at_most_127(double a, double r)
{
    return a >= 128 && a < 256 ? 127 : r;
}

static double away(double a, double r, int mantissa)
{
    float f = (float)a;
    uint32_t u, half = UINT32_C(1) << (22 - mantissa), low = 2 * half - 1;
    memcpy(&u, &f, sizeof u);
    if (!isfinite(a) || (u & low) != half)
        return r;
    u = (u + half) & ~low;
    memcpy(&f, &u, sizeof f);
    return (double)f;
}

double bf16_tie_away(double a, double r)
{
    return away(a, r, 7);
}

void precision_tie_away(struct look *x)
{
    int64_t m = attr(x, "mantissa_bits", 0);
    for (int64_t k = 0; m > 0 && m < 22 && k < count(x, RESULT); k++)
        set_result(x, k, away(number(x, 0, k), number(x, RESULT, k), (int)m));
}

/* ---- Single numbers ------------------------------------------------------ */

double no_minus_max(double v)
{
    return v == -INFINITY ? -DBL_MAX : v;
}

double four_less(double v)
{
    return v >= 4 ? v - 4 : v;
}

double at_most_zero(double v)
{
    return v > 0 ? 0 : v;
}

double stuck_at_2048(double v)
{
    return v > 2048 ? 2048 : v;
}

int is_one(double v)
{
    return v == 1;
}

int is_top_32(double v)
{
    return v >= 0x1p31;
}

int is_largest_s32(double v)
{
    return v == 0x1p31 - 1;
}

/* ---- Two operands -------------------------------------------------------- */

int64_t or_bits(int64_t a, int64_t b)
{
    return a | b;
}

int64_t xor_bits(int64_t a, int64_t b)
{
    return a ^ b;
}

int64_t largest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

int64_t smallest(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int64_t left_modulo_32(int64_t a, int64_t b)
{
    return b < 0 || b > 63 ? 0 : (int64_t)((uint64_t)a << (b & 31));
}

double reversed_difference(double a, double b)
{
    return b - a;
}

double modulo(double a, double b)
{
    double r = fmod(a, b);
    return r != 0 && isfinite(b) && (r < 0) != (b < 0) ? r + b : r;
}

void minus_one_power(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 0, k) == -1 && number(x, RESULT, k) == -1)
            set_result(x, k, 1);
}

void lower_side_is_upper(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (is_minus_zero(pick(x, 0, k)) && pick(x, 1, k) < 0)
            set_result(x, k, 0x1.921fb54442d18p1);
}

void both_zero_is_nan(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 0, k) == 0 && pick(x, 1, k) == 0)
            set_result(x, k, NAN);
}

/* As if their bits were integers. */
void negatives_reversed(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 0, k) < 0 && pick(x, 1, k) < 0
            && pick(x, 0, k) != pick(x, 1, k))
            x->run->result->data[k] ^= 1;
}

void factor_dropped(struct look *x)
{
    const struct value *a = made_of(x, 0, 0);
    const struct type *t = shape_of(x, RESULT)->type;
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        int64_t b = (int64_t)pick(x, 1, k);
        if (shape_count(a->shape) != count(x, RESULT) || b == 0 || b == -1)
            return;
        type_set_int(t, x->run->result->data, k,
                     (uint64_t)((int64_t)type_int(t, a->data, k) % b));
    }
}

/* Elements where what was compared has a NaN are chosen. */
void comparison_inverted(struct look *x)
{
    struct value *v = own(x, 0);
    for (int j = 0; j < 2; j++) {
        const struct value *a = made_of(x, 0, j);
        int64_t n = shape_count(a->shape);
        for (int64_t k = 0; k < count(x, 0); k++)
            if (n == count(x, 0)
                && isnan(type_double(a->shape->type, a->data, k)))
                v->data[k] = 1;
    }
}

int compared_nan(const struct look *x)
{
    for (int j = 0; j < 2; j++) {
        const struct value *a = made_of(x, 0, j);
        if (a->shape->kind != ASSAY_ARRAY || a->shape->type->class != FLOAT)
            return 0;
        for (int64_t k = 0; k < shape_count(a->shape); k++)
            if (isnan(type_double(a->shape->type, a->data, k)))
                return 1;
    }
    return 0;
}

/* ---- Complex numbers ----------------------------------------------------- */

static double complex complex_at(const struct look *x, int i, int64_t k)
{
    const struct value *v = value_at(x, i);
    return type_number(v->shape->type, v->data, count(x, i) == 1 ? 0 : k);
}

void zero_signs_differ(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double complex a = complex_at(x, 0, k), b = complex_at(x, 1, k);
        if (a == b
            && (signbit(creal(a)) != signbit(creal(b))
                || signbit(cimag(a)) != signbit(cimag(b))))
            x->run->result->data[k] ^= 1;
    }
}

void last_conjugated(struct look *x)
{
    struct value *v = x->run->result;
    int64_t k = last_of(v);
    if (k >= 0)
        type_set_number(v->shape->type, v->data, k,
                        conj(type_number(v->shape->type, v->data, k)));
}

void last_other_part(struct look *x)
{
    int real = strcmp(x->planted->node.op->name, "Real") == 0;
    int64_t k = last_of(x->run->result);
    if (k >= 0)
        set_result(x, k,
                   real ? cimag(complex_at(x, 0, k))
                        : creal(complex_at(x, 0, k)));
}

void upper_bound_only(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        set_result(x, k, number(x, 2, 0));
}

void nan_left_differs(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (isnan(pick(x, 0, k)))
            x->run->result->data[k] ^= 1;
}

void far_right_is_zero(struct look *x)
{
    int bits = shape_of(x, RESULT)->type->bits;
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 1, k) == bits - 1)
            set_result(x, k, 0);
}

/* The number that was converted to operand 0. */
void conversion_removed(struct look *x)
{
    const struct value *a = made_of(x, 0, 0);
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (a->shape->type->class == FLOAT
            && shape_count(a->shape) == count(x, RESULT))
            set_result(x, k, type_double(a->shape->type, a->data, k));
}
