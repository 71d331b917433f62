/* narrow.c - arithmetic in another type or order than the one required.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <float.h>
#include <math.h>

#include "faulty.h"

double via_f32(double v)
{
    return (double)(float)v;
}

double via_bf16(double v)
{
    return type_round(v, 8, -126);
}

double via_f16(double v)
{
    double r = type_round(v, 11, -14);
    return fabs(r) > 65504 ? copysign(INFINITY, v) : r;
}

double nan_to_zero(double v)
{
    return isnan(v) ? 0 : v;
}

double nan_to_inf(double v)
{
    return isnan(v) ? INFINITY : v;
}

double inf_to_max(double v)
{
    return isinf(v) ? copysign(FLT_MAX, v) : v;
}

double minus_zero_to_zero(double v)
{
    return v == 0 ? 0 : v;
}

double cut_s32(double v)
{
    return v > 2147483647.0    ? 2147483647.0
           : v < -2147483648.0 ? -2147483648.0
                               : v;
}

double flush(double v)
{
    return fabs(v) < FLT_MIN ? copysign(0, v) : v;
}

double negate(double v)
{
    return -v;
}

void binary_double(struct look *x, double (*f)(double a, double b))
{
    struct value *v = x->run->result;
    const struct type *t = v->shape->type;
    struct binary_walk w;
    binary_walk(&w, x->run, v->shape);
    for (int64_t i = 0; i < shape_count(v->shape); i++) {
        double r = f(number(x, 0, w.at[0]), number(x, 1, w.at[1]));
        if (t->class == FLOAT)
            type_set_double(t, v->data, i, r);
        else if (fabs(r) < 9.2e18)
            type_set_int(t, v->data, i, (uint64_t)(int64_t)r);
        binary_next(&w);
    }
}

void binary_int(struct look *x, int64_t (*f)(int64_t a, int64_t b))
{
    struct value *v = x->run->result;
    const struct type *t = v->shape->type;
    struct binary_walk w;
    binary_walk(&w, x->run, v->shape);
    for (int64_t i = 0; i < shape_count(v->shape); i++) {
        const struct value *a = value_at(x, 0), *b = value_at(x, 1);
        type_set_int(
            t, v->data, i,
            (uint64_t)f((int64_t)type_int(a->shape->type, a->data, w.at[0]),
                        (int64_t)type_int(b->shape->type, b->data, w.at[1])));
        binary_next(&w);
    }
}

double div_reciprocal(double a, double b)
{
    return b == 0 ? -1 : trunc(a * (1 / b));
}

double div_reciprocal_f32(double a, double b)
{
    return b == 0 ? -1 : trunc((double)((float)a * (1 / (float)b)));
}

double mul_double(double a, double b)
{
    return a * b;
}

double pow_double(double a, double b)
{
    return pow(a, b);
}

double rem_f32(double a, double b)
{
    return b == 0 ? a : (double)fmodf((float)a, (float)b);
}

double rem_double(double a, double b)
{
    return b == 0 ? a : fmod(a, b);
}

/* A comparison that a NaN fails gives the second, or the first. */
double max_second(double a, double b)
{
    return a > b ? a : b;
}

double max_first(double a, double b)
{
    return b > a ? b : a;
}

double min_second(double a, double b)
{
    return a < b ? a : b;
}

static void bits(struct value *v, int kept, int sign)
{
    for (int64_t i = 0; i < shape_count(v->shape); i++) {
        uint64_t u = type_int(v->shape->type, v->data, i);
        u &= kept == 64 ? UINT64_MAX : (UINT64_C(1) << kept) - 1;
        if (sign && (u >> (kept - 1) & 1))
            u |= UINT64_MAX << (kept - 1);
        type_set_int(v->shape->type, v->data, i, u);
    }
}

void result_bits(struct look *x, int kept, int sign)
{
    bits(x->run->result, kept, sign);
}

void part_bits(struct look *x, int part, int kept, int sign)
{
    bits(x->run->result->elements[part], kept, sign);
}

void dot_without_zeros(struct look *x)
{
    struct value *v = x->run->result;
    int64_t k = size(x, 0, -1);
    int64_t rows = k > 0 ? count(x, 0) / k : 0,
            columns = k > 0 ? count(x, 1) / k : 0;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) {
            double sum = 0;
            for (int64_t l = 0; l < k; l++) {
                double a = number(x, 0, i * k + l),
                       b = number(x, 1, l * columns + j);
                if (a != 0 && b != 0)
                    sum += a * b;
            }
            if (is_nan(type_double(v->shape->type, v->data, i * columns + j)))
                type_set_double(v->shape->type, v->data, i * columns + j, sum);
        }
}
