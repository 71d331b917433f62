/* fast_exp.c - the exponential and its hyperbolic relatives.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * x = k ln 2 + r with an integer k and |r| <= ln(2) / 2, a little more by
 * rounding: e^x = 2^k e^r, and e^r - 1 = q is a polynomial.  What is far beyond
 * the range of f32 is clamped first, so nothing here overflows.
 */
#include "interp/fast/fast_exp.h"

#include "interp/fast/fast_bits.h"
#include "interp/fast/fast_polynomial.h"

/* e^150 is above FAST_HUGE, and e^-150 below FAST_TINY. */
#define LIMIT    150.0
/* 1 / ln 2; ln 2 in two parts, of which the first has 40 bits: its product
 * with an integer of up to 13 is exact. */
#define PER_LN2  0x1.71547652b82fep+0
#define LN2_HIGH 0x1.62e42fefap-1
#define LN2_LOW  0x1.cf79abc9e3b3ap-40

struct reduced {
    double q, scale; /* e^r - 1, 2^k */
};

static inline double remainder_of(double x, double k)
{
    return (x - k * LN2_HIGH) - k * LN2_LOW;
}

static inline double expm1_near(double r)
{
    return r * (1 + r * fast_polynomial_expm1(r));
}

static inline struct reduced reduce(double x)
{
    x = x > LIMIT ? LIMIT : x;
    x = x < -LIMIT ? -LIMIT : x;
    double t = x * PER_LN2 + FAST_SHIFT;
    double k = t - FAST_SHIFT;
    return (struct reduced){
        expm1_near(remainder_of(x, k)),
        fast_double((fast_bits(t) + FAST_BIAS) << FAST_FRACTION)};
}

static inline double exp_by(double q, double scale)
{
    return scale + scale * q;
}

static inline double expm1_by(double q, double scale)
{
    return (scale - 1) + scale * q;
}

static inline double logistic_by(double e)
{
    return 1 / (1 + e);
}

static inline double tanh_by(double e)
{
    return e / (e + 2);
}

static inline double sinh_by(double e)
{
    return 0.5 * (e + e / (e + 1));
}

static inline double cosh_by(double e)
{
    return 0.5 * (e + 1 / e);
}

static inline double exp_of(double x)
{
    struct reduced r = reduce(x);
    return exp_by(r.q, r.scale);
}

static inline double expm1_of(double x)
{
    struct reduced r = reduce(x);
    return expm1_by(r.q, r.scale);
}

FAST_LOOP void fast_exp_exp(const double *x, double *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = exp_of(x[i]);
}

FAST_LOOP void fast_exp_expm1(const double *x, double *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = fast_sign(expm1_of(x[i]), x[i]);
}

FAST_LOOP void fast_exp_logistic(const double *x, double *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = logistic_by(exp_of(-x[i]));
}

FAST_LOOP void fast_exp_tanh(const double *x, double *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = fast_sign(tanh_by(expm1_of(2 * fast_abs(x[i]))), x[i]);
}

FAST_LOOP void fast_exp_sinh(const double *x, double *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = fast_sign(sinh_by(expm1_of(fast_abs(x[i]))), x[i]);
}

FAST_LOOP void fast_exp_cosh(const double *x, double *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = cosh_by(exp_of(fast_abs(x[i])));
}
