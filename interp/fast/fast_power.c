/* fast_power.c - one number to the power of another.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * |x|^y = e^(y log |x|), whose relative error is the absolute one of
 * y log |x|, up to 125.  So the logarithm is the sum of two doubles, right to
 * 2^-56: the first has so few bits that its product with y is exact.
 */
#include "interp/fast/fast_power.h"

#include "interp/fast/fast_bits.h"
#include "interp/fast/fast_polynomial.h"
#include "interp/fast/fast_raise.h"

/* sqrt(2) / 2, about. */
#define HALF_ROOT 0x1.6a09e667f3bcdp-1
#define TWO_52    0x1p52
/* e^125 is above FAST_HUGE, and e^-125 below FAST_TINY. */
#define LIMIT     125.0

enum {
    QUOTIENT_CUT = 27, /* leaves 26 bits */
    LOG_CUT = 25,      /* leaves 28 bits */
};

struct sum {
    double high, low;
};

static inline double cut(double x, int bits)
{
    return fast_double(fast_bits(x) >> bits << bits);
}

static inline double quotient(double f)
{
    return f / (2 + f);
}

/* What that lacks: f and the product of a first part of 26 bits are exact. */
static inline double quotient_rest(double f, double first)
{
    return (f - first * (2 + f)) / (2 + f);
}

/* log((1 + s) / (1 - s)) - 2 s. */
static inline double log_rest(double s)
{
    double z = s * s;
    return s * (z * fast_polynomial_log(z));
}

/* log(x), positive: k ln 2 + 2 first is its larger part. */
static inline struct sum log_of(double x)
{
    uint64_t bias = (uint64_t)FAST_BIAS << FAST_FRACTION;
    uint64_t bits = (fast_bits(x) - fast_bits(HALF_ROOT) + bias);
    uint64_t e = bits >> FAST_FRACTION;
    double k = fast_double(fast_bits(TWO_52) | e) - (TWO_52 + FAST_BIAS);
    double f = fast_double(fast_bits(x) + bias - (e << FAST_FRACTION)) - 1;
    double s = quotient(f), first = cut(s, QUOTIENT_CUT);
    double rest = quotient_rest(f, first);
    double small = (2 * rest + k * LN2_LOW) + log_rest(s);
    double large = k * LN2_HIGH;
    double high = cut((large + 2 * first) + small, LOG_CUT);
    return (struct sum){high, ((large - high) + 2 * first) + small};
}

static inline double power_of(double x, double y)
{
    struct sum log = log_of(x);
    double p = y * log.high, rest = y * log.low;
    bool over = p > LIMIT, under = p < -LIMIT;
    rest = over | under ? 0 : rest;
    p = over ? LIMIT : p;
    p = under ? -LIMIT : p;
    return fast_raise(p, rest);
}

/* IEEE 754-2019 9.2.1, but for infinite operands and signalling NaNs. */
FAST_LOOP void fast_power_pow(const double *x, const double *y, double *v,
                              int n)
{
    for (int i = 0; i < n; i++) {
        double a = fast_abs(x[i]), b = fast_abs(y[i]);
        /* From 2^24 on a number of f32 is even. */
        double least = b < 0x1p25 ? b : 0x1p25;
        double t = least + TWO_52;
        bool integer = t - TWO_52 == least;
        bool negative = fast_bits(x[i]) >> 63 != 0;
        bool odd = integer & ((fast_bits(t) & 1) != 0);
        double r = power_of(a, y[i]);
        double pole = y[i] < 0 ? FAST_INFINITY : 0;
        r = a == 0 ? pole : r;
        r = (x[i] < 0) & !integer ? FAST_NAN : r;
        r = negative & odd ? -r : r;
        r = (a == a) & (b == b) ? r : FAST_NAN;
        v[i] = (x[i] == 1) | (b == 0) ? 1 : r;
    }
}
