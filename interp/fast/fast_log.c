/* fast_log.c - the logarithm and inverse hyperbolic functions.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * x = 2^k (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2), and log(1 + f) is a
 * polynomial of s = f / (2 + f).  Where k is not 0, |log(1 + f)| is at most
 * half of ln 2, so the sum cancels little.
 */
#include "interp/fast/fast_log.h"

#include <math.h>

#include "interp/fast/fast_bits.h"
#include "interp/fast/fast_polynomial.h"

#define LN2       0x1.62e42fefa39efp-1
/* sqrt(2) / 2, sqrt(2) / 2 - 1 and sqrt(2) - 1, about. */
#define HALF_ROOT 0x1.6a09e667f3bcdp-1
#define NEAR_LOW  -0x1.2bec333018866p-2
#define NEAR_HIGH 0x1.a827999fcef32p-2
#define TWO_52    0x1p52

static inline double log_by(double k, double f)
{
    double s = f / (2 + f);
    double z = s * s;
    return k * LN2 + s * (2 + z * fast_polynomial_log(z));
}

/* Of positive x. */
static inline double log_of(double x)
{
    uint64_t bias = (uint64_t)FAST_BIAS << FAST_FRACTION;
    uint64_t k = (fast_bits(x) - fast_bits(HALF_ROOT) + bias) >> FAST_FRACTION;
    double m = fast_double(fast_bits(x) + bias - (k << FAST_FRACTION));
    double integer = fast_double(fast_bits(TWO_52) | k) - (TWO_52 + FAST_BIAS);
    return log_by(integer, m - 1);
}

/* log(1 + w) where the addition is exact, or w is far from 0. */
static inline double log1p_of(double w)
{
    double far = log_of(1 + w);
    return w > NEAR_LOW && w < NEAR_HIGH ? log_by(0, w) : far;
}

static inline double asinh_argument(double a)
{
    double square = a * a;
    return a + square / (1 + sqrt(1 + square));
}

static inline double acosh_argument(double x)
{
    double less = x - 1;
    return less + sqrt(less * (x + 1));
}

static inline double atanh_argument(double a)
{
    return 2 * a / (1 - a);
}

/* v for positive x, and the rest. */
static inline double with_pole(double x, double v)
{
    double r = x > 0 ? v : FAST_NAN;
    return x == 0 ? -FAST_INFINITY : r;
}

FAST_LOOP void fast_log_log(const double *x, double *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = with_pole(x[i], log_of(x[i]));
}

FAST_LOOP void fast_log_log1p(const double *x, double *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = fast_sign(with_pole(x[i] + 1, log1p_of(x[i])), x[i]);
}

FAST_LOOP void fast_log_asinh(const double *x, double *v, int n)
{
    for (int i = 0; i < n; i++) {
        double r = log1p_of(asinh_argument(fast_abs(x[i])));
        v[i] = fast_sign(x[i] == x[i] ? r : FAST_NAN, x[i]);
    }
}

FAST_LOOP void fast_log_acosh(const double *x, double *v, int n)
{
    for (int i = 0; i < n; i++) {
        double r = log1p_of(acosh_argument(x[i]));
        v[i] = x[i] >= 1 ? r : FAST_NAN;
    }
}

FAST_LOOP void fast_log_atanh(const double *x, double *v, int n)
{
    for (int i = 0; i < n; i++) {
        double a = fast_abs(x[i]);
        double r = 0.5 * log1p_of(atanh_argument(a));
        r = a < 1 ? r : FAST_NAN;
        v[i] = fast_sign(a == 1 ? FAST_INFINITY : r, x[i]);
    }
}
