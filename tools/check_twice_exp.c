/* check_twice_exp.c - the exponential and its hyperbolic relatives, twice.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * x = k ln 2 + r, |r| <= ln(2) / 2: e^r - 1 is the power series, of which
 * r^23 / 23!, the first that is left out, is below 2^-109.
 */
#include "tools/check_twice.h"

/* Far beyond what is compared, and far from overflow. */
#define LIMIT   200.0
#define PER_LN2 0x1.71547652b82fep+0

struct parts {
    struct twice q; /* e^r - 1 */
    double scale;   /* 2^k */
};

TWICE_INLINE struct parts split(const struct twice_constants *c, double x)
{
    x = x > LIMIT ? LIMIT : x;
    x = x < -LIMIT ? -LIMIT : x;
    double k = rint(x * PER_LN2);
    /* Exact: where k is not 0, both are multiples of 2^-40. */
    double first = x - k * c->ln2[0];
    struct twice more = twice_product(k, c->ln2[1]);
    struct twice r = twice_sum(first, -more.high);
    r = twice_ordered(r.high, r.low - (more.low + k * c->ln2[2]));
    struct twice series =
        twice_polynomial(c->exp, TWICE_EXP_SINGLE, TWICE_EXP_TERMS, r);
    return (struct parts){twice_multiply(r, series), twice_power(k)};
}

TWICE_INLINE struct twice exponential(const struct twice_constants *c, double x)
{
    struct parts p = split(c, x);
    return twice_scale(twice_add_less((struct twice){1, 0}, p.q), p.scale);
}

/* 2^k - 1 + 2^k q */
TWICE_INLINE struct twice less_one(const struct twice_constants *c, double x)
{
    struct parts p = split(c, x);
    return twice_add(twice_sum(p.scale, -1), twice_scale(p.q, p.scale));
}

TWICE_LOOP void twice_exp(const struct twice_constants *c,
                          const double *restrict x, double *restrict high,
                          double *restrict low, int n)
{
    for (int i = 0; i < n; i++) {
        struct twice y = exponential(c, x[i]);
        high[i] = y.high;
        low[i] = y.low;
    }
}

TWICE_LOOP void twice_expm1(const struct twice_constants *c,
                            const double *restrict x, double *restrict high,
                            double *restrict low, int n)
{
    for (int i = 0; i < n; i++) {
        struct twice y = less_one(c, x[i]);
        high[i] = y.high;
        low[i] = y.low;
    }
}

/* 1 / (1 + e^-x) */
TWICE_LOOP void twice_logistic(const struct twice_constants *c,
                               const double *restrict x, double *restrict high,
                               double *restrict low, int n)
{
    struct twice one = {1, 0};
    for (int i = 0; i < n; i++) {
        struct twice e = exponential(c, -x[i]);
        struct twice y = twice_divide(one, twice_add(one, e));
        high[i] = y.high;
        low[i] = y.low;
    }
}

/* With e = e^2|x| - 1: e / (e + 2). */
TWICE_LOOP void twice_tanh(const struct twice_constants *c,
                           const double *restrict x, double *restrict high,
                           double *restrict low, int n)
{
    for (int i = 0; i < n; i++) {
        struct twice e = less_one(c, 2 * twice_magnitude(x[i]));
        struct twice y = twice_divide(e, twice_add(e, (struct twice){2, 0}));
        y = twice_odd(y, x[i]);
        high[i] = y.high;
        low[i] = y.low;
    }
}

/* With e = e^|x| - 1: (e + e / (e + 1)) / 2. */
TWICE_LOOP void twice_sinh(const struct twice_constants *c,
                           const double *restrict x, double *restrict high,
                           double *restrict low, int n)
{
    for (int i = 0; i < n; i++) {
        struct twice e = less_one(c, twice_magnitude(x[i]));
        struct twice y = twice_divide(e, twice_add(e, (struct twice){1, 0}));
        y = twice_odd(twice_add_less(e, y), x[i]);
        high[i] = 0.5 * y.high;
        low[i] = 0.5 * y.low;
    }
}

/* (e^|x| + e^-|x|) / 2 */
TWICE_LOOP void twice_cosh(const struct twice_constants *c,
                           const double *restrict x, double *restrict high,
                           double *restrict low, int n)
{
    for (int i = 0; i < n; i++) {
        struct twice e = exponential(c, twice_magnitude(x[i]));
        struct twice y = twice_divide((struct twice){1, 0}, e);
        y = twice_add_less(e, y);
        high[i] = 0.5 * y.high;
        low[i] = 0.5 * y.low;
    }
}
