/* function.c - functions at single numbers, and of complex ones.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>

#include "faulty.h"

/* ---- Functions ----------------------------------------------------------- */

double negative_is_zero(double a, double r)
{
    return a < 0 ? 0 : r;
}

double negative_is_nan(double a, double r)
{
    return a < 0 ? NAN : r;
}

double large_is_zero(double a, double r)
{
    return isfinite(a) && fabs(a) > 1e5 ? 0 : r;
}

double small_is_zero(double a, double r)
{
    return fabs(a) < 0x1p-14 ? copysign(0, a) : r;
}

static int is_tie(double a)
{
    return fabs(a - trunc(a)) == 0.5;
}

double tie_away(double a, double r)
{
    return is_tie(a) ? copysign(ceil(fabs(a)), a) : r;
}

double tie_even(double a, double r)
{
    return is_tie(a) ? rint(a) : r;
}

double floor_of_half_more(double a, double r)
{
    volatile float more = (float)fabs(a) + 0.5F;
    return isfinite(a) ? copysign(floor((double)more), a) : r;
}

double low_is_zero(double a, double r)
{
    return a < -80 ? 0 : r;
}

double zero_one_less(double a, double r)
{
    return a == 0 ? r - 1 : r;
}

double no_minus_infinity(double v)
{
    return isinf(v) ? INFINITY : v;
}

double flush_f64(double v)
{
    return fabs(v) < 0x1p-1022 ? copysign(0, v) : v;
}

double flush_low(double v)
{
    return fabs(v) < 0x1p-120 ? copysign(0, v) : v;
}

double not_finite_is_zero(double v)
{
    return isfinite(v) ? v : 0;
}

double one_more_if_large(double a, double r)
{
    return fabs(a) > 0x1p22 && fabs(a) < 0x1p24 ? r + 1 : r;
}

double low_is_minus_infinity(double a, double r)
{
    return a > 0 && a < 0x1p-120 ? -INFINITY : r;
}

double infinity_is_nan(double a, double r)
{
    return isinf(a) ? NAN : r;
}

double zero_above_5(double a, double r)
{
    return a > 5 ? 0 : r;
}

double minus_zero_is_minus_one(double a, double r)
{
    return is_minus_zero(a) ? -1 : r;
}

void rem_of_large(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (isfinite(pick(x, 0, k))
            && fabs(pick(x, 0, k)) > 0x1p24 * fabs(pick(x, 1, k)))
            set_result(x, k, 0);
}

void pow_without_sign(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (pick(x, 0, k) < 0 && number(x, RESULT, k) < 0)
            set_result(x, k, -number(x, RESULT, k));
}

void zeros_order_lost(struct look *x)
{
    const char *op = x->planted->node.op->name;
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (pick(x, 0, k) == 0 && pick(x, 1, k) == 0)
            x->run->result->data[k] = op[0] != 'L' && op[0] != 'N';
}

void pow_keeps_nan(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if ((pick(x, 0, k) == 1 && isnan(pick(x, 1, k)))
            || (isnan(pick(x, 0, k)) && pick(x, 1, k) == 0))
            set_result(x, k, NAN);
}

void pow_of_minus_one(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (pick(x, 0, k) == -1 && isinf(pick(x, 1, k)))
            set_result(x, k, NAN);
}

void atan2_first_quadrant(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (isinf(pick(x, 0, k)) && isinf(pick(x, 1, k)))
            set_result(x, k, 0x1.921fb54442d18p-1);
}

/* ---- Complex numbers ----------------------------------------------------- */

static double complex z_at(const struct look *x, int i, int64_t k)
{
    const struct value *v = value_at(x, i);
    return type_number(v->shape->type, v->data, count(x, i) == 1 ? 0 : k);
}

void cut_from_above(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        double complex z = z_at(x, 0, k), r = z_at(x, RESULT, k);
        if (creal(z) < 0 && is_minus_zero(cimag(z)))
            set_complex(x, k, creal(r), -cimag(r));
    }
}

void complex_abs_squares(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        double complex z = z_at(x, 0, k);
        volatile float a = (float)creal(z), b = (float)cimag(z);
        volatile float c = a * a, d = b * b, sum = c + d;
        if (isfinite(a) && isfinite(b))
            set_result(x, k, sqrt((double)sum));
    }
}

void complex_div_squares(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        double complex y = z_at(x, 0, k), z = z_at(x, 1, k);
        volatile float c = (float)creal(z), d = (float)cimag(z);
        volatile float cc = c * c, dd = d * d, norm = cc + dd;
        if ((norm == 0 || isinf(norm)) && isfinite(c) && isfinite(d)
            && (c != 0 || d != 0))
            set_complex(x, k, creal(y) / (double)norm, cimag(y) / (double)norm);
    }
}

void complex_inf_is_nan(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        double complex r = z_at(x, RESULT, k);
        if (isinf(creal(r)) || isinf(cimag(r)))
            set_complex(x, k, NAN, NAN);
    }
}

void complex_parts_finite(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        double complex r = z_at(x, RESULT, k);
        set_complex(x, k, isfinite(creal(r)) ? creal(r) : 0,
                    isfinite(cimag(r)) ? cimag(r) : 0);
    }
}

void complex_zero_power(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (creal(z_at(x, 0, k)) == 0 && cimag(z_at(x, 0, k)) == 0)
            set_complex(x, k, NAN, NAN);
}
