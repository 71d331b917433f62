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
#include "interp/fast/fast_range.h"

#define LN2        0x1.62e42fefa39efp-1
/* sqrt(2) / 2, sqrt(2) / 2 - 1 and sqrt(2) - 1, about. */
#define HALF_ROOT  0x1.6a09e667f3bcdp-1
#define NEAR_LOW   -0x1.2bec333018866p-2
#define NEAR_HIGH  0x1.a827999fcef32p-2
#define TWO_52     0x1p52
#define BELOW_ONE  0x1.fffffffffffffp-1
/* Where the branches meet. */
#define ASINH_NEAR 0.35
#define ACOSH_NEAR 1.06
#define ATANH_NEAR 0.17

static inline double log_from(double k, double s)
{
    double z = s * s;
    return k * LN2 + s * (2 + z * fast_polynomial_log(z));
}

static inline double log_by(double k, double f)
{
    return log_from(k, f / (2 + f));
}

/* f / d, where r is near 1 / d: the rest e is small, and 1 / d is r / (1 - e) =
 * r (1 + e) (1 + e^2) + e^4 / d. */
static inline double quotient_by(double f, double d, double r)
{
    double e = 1 - d * r, w = 1 + e;
    return f * r * (w + w * (e * e));
}

/* As log_by does, without the processor's division, which shares its unit with
 * the square root. */
static inline double log_busy(double k, double f)
{
    double d = 2 + f;
    return log_from(k, quotient_by(f, d, fast_polynomial_inverse(d)));
}

/* f and k of positive x. */
static inline double split(double x, double *k)
{
    const uint64_t bias = (uint64_t)FAST_BIAS << FAST_FRACTION;
    const uint64_t fraction = (UINT64_C(1) << FAST_FRACTION) - 1;
    uint64_t t = fast_bits(x) - fast_bits(HALF_ROOT) + bias;
    *k = fast_double(fast_bits(TWO_52) | t >> FAST_FRACTION)
         - (TWO_52 + FAST_BIAS);
    return fast_double((t & fraction) + fast_bits(HALF_ROOT)) - 1;
}

/* The logarithm of a positive x. */
static inline double log_of(double x)
{
    double k, f = split(x, &k);
    return log_by(k, f);
}

/* The same of a sum with a square root. */
static inline double log_of_sum(double x)
{
    double k, f = split(x, &k);
    return log_busy(k, f);
}

/* log(1 + w) where the addition is exact, or w is far from 0. */
static inline double log1p_far(double w)
{
    return log_of(1 + w);
}

static inline double log1p_near(double w)
{
    return log_by(0, w);
}

static inline double log1p_of(double w)
{
    double far = log1p_far(w), near = log1p_near(w);
    return w > NEAR_LOW && w < NEAR_HIGH ? near : far;
}

/* asinh of a number with its sign, except the sign of a zero. */
static inline double asinh_near(double a)
{
    double z = a * a;
    return a + a * (z * fast_polynomial_asinh(z));
}

static inline double asinh_sum(double a)
{
    return a + sqrt(1 + a * a);
}

static inline double asinh_far(double a)
{
    return log_of_sum(asinh_sum(a));
}

/* For y = acosh x, tanh(y/2) is the square root of (x - 1) / (x + 1). */
static inline double acosh_near(double x)
{
    return log_from(0, sqrt((x - 1) / (x + 1)));
}

static inline double acosh_sum(double x)
{
    return x + sqrt(x * x - 1);
}

static inline double acosh_far(double x)
{
    return log_of_sum(acosh_sum(x));
}

/* Here s is a itself. */
static inline double atanh_near(double a)
{
    return 0.5 * log_from(0, a);
}

static inline double atanh_quotient(double a)
{
    return (1 + a) / (1 - a);
}

static inline double atanh_far(double a)
{
    return 0.5 * log_of(atanh_quotient(a));
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

static inline double log1p_end(double x, double v)
{
    return fast_sign(with_pole(x + 1, v), x);
}

/* NaN stays near. */
static inline double asinh_end(double x, double v)
{
    return fast_sign(v, x);
}

static inline double asinh_root(double x)
{
    return asinh_sum(fast_abs(x));
}

static inline double acosh_end(double x, double v)
{
    (void)x;
    return v;
}

static inline double atanh_end(double x, double v)
{
    double a = fast_abs(x), r = a < 1 ? v : FAST_NAN;
    return fast_sign(a == 1 ? FAST_INFINITY : r, x);
}

/* Whether one of the two branches serves all operands of a block. */
enum side {
    SIDE_NEAR,
    SIDE_FAR,
    SIDE_BOTH
};

/* Magnitudes up to near, and above far. */
static inline enum side side_of(const double *x, int n, double near, double far)
{
    struct fast_range r = fast_range_of(x, n);
    enum side side = fast_range_above(r, far) ? SIDE_FAR : SIDE_BOTH;
    return fast_range_below(r, near) ? SIDE_NEAR : side;
}

/* The least and the greatest pattern; of a number with a sign it is below 0. */
struct patterns {
    int64_t low, high;
};

static inline struct patterns patterns_of(const double *x, int n)
{
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (int i = 0; i < n; i++) {
        int64_t a = (int64_t)fast_bits(x[i]);
        low = a < low ? a : low;
        high = a > high ? a : high;
    }
    return (struct patterns){low, high};
}

/* Are all of them above one limit, and at most the other one? */
static inline bool is_between(struct patterns p, double above, double most)
{
    return p.low > (int64_t)fast_bits(above)
           && p.high <= (int64_t)fast_bits(most);
}

/* The end of the logarithm of each sum.  A square root takes about as long as
 * all the rest, and a processor looks only so far ahead.  So each sum is
 * computed beside the logarithm of an earlier one, and waits in v. */
static inline void log_sums(double sum(double x),
                            double end(double x, double v),
                            const double *restrict x, double *restrict v, int n)
{
    enum {
        AHEAD = 16
    };
    int first = n < AHEAD ? n : AHEAD;
    for (int i = 0; i < first; i++)
        v[i] = sum(x[i]);
    for (int i = 0; i < n - first; i++) {
        v[i + AHEAD] = sum(x[i + AHEAD]);
        v[i] = end(x[i], log_of_sum(v[i]));
    }
    for (int i = n - first; i < n; i++)
        v[i] = end(x[i], log_of_sum(v[i]));
}

/* Inside of NEAR_LOW to NEAR_HIGH, and outside. */
FAST_LOOP void fast_log_log1p(const double *x, double *v, int n)
{
    switch (side_of(x, n, 0.29, 0.42)) {
    case SIDE_NEAR:
        for (int i = 0; i < n; i++)
            v[i] = log1p_end(x[i], log1p_near(x[i]));
        break;
    case SIDE_FAR:
        for (int i = 0; i < n; i++)
            v[i] = log1p_end(x[i], log1p_far(x[i]));
        break;
    case SIDE_BOTH:
        for (int i = 0; i < n; i++)
            v[i] = log1p_end(x[i], log1p_of(x[i]));
    }
}

FAST_LOOP void fast_log_asinh(const double *x, double *v, int n)
{
    const struct fast_range r = fast_range_of(x, n);
    if (fast_range_below(r, ASINH_NEAR))
        for (int i = 0; i < n; i++)
            v[i] = asinh_end(x[i], asinh_near(x[i]));
    else if (fast_range_above(r, ASINH_NEAR)
             && fast_range_below(r, FAST_INFINITY))
        log_sums(asinh_root, asinh_end, x, v, n);
    else
        for (int i = 0; i < n; i++) {
            double a = fast_abs(x[i]), near = asinh_near(x[i]);
            double far = asinh_far(a);
            v[i] = asinh_end(x[i], a > ASINH_NEAR ? far : near);
        }
}

FAST_LOOP void fast_log_acosh(const double *x, double *v, int n)
{
    const struct patterns p = patterns_of(x, n);
    if (is_between(p, ACOSH_NEAR, FAST_INFINITY))
        log_sums(acosh_sum, acosh_end, x, v, n);
    else if (is_between(p, BELOW_ONE, ACOSH_NEAR))
        for (int i = 0; i < n; i++)
            v[i] = acosh_near(x[i]);
    else if (p.high <= (int64_t)fast_bits(BELOW_ONE))
        for (int i = 0; i < n; i++)
            v[i] = FAST_NAN;
    else
        for (int i = 0; i < n; i++) {
            double near = acosh_near(x[i]), far = acosh_far(x[i]);
            double r = x[i] > ACOSH_NEAR ? far : near;
            v[i] = x[i] >= 1 ? r : FAST_NAN;
        }
}

FAST_LOOP void fast_log_atanh(const double *x, double *v, int n)
{
    switch (side_of(x, n, ATANH_NEAR, ATANH_NEAR)) {
    case SIDE_NEAR:
        for (int i = 0; i < n; i++)
            v[i] = atanh_end(x[i], atanh_near(fast_abs(x[i])));
        break;
    case SIDE_FAR:
        for (int i = 0; i < n; i++)
            v[i] = atanh_end(x[i], atanh_far(fast_abs(x[i])));
        break;
    case SIDE_BOTH:
        for (int i = 0; i < n; i++) {
            double a = fast_abs(x[i]), near = atanh_near(a), far = atanh_far(a);
            v[i] = atanh_end(x[i], a > ATANH_NEAR ? far : near);
        }
    }
}
