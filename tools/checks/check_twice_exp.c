/* check_twice_exp.c - the exponential and its hyperbolic relatives, twice.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * x = k ln 2 + r, |r| <= ln(2) / 2: e^r - 1 is the power series, of which
 * r^23 / 23!, the first that is left out, is below 2^-109; r^6 / 6! if x is
 * small.
 */
#include "tools/checks/check_twice.h"

#define PER_LN2 0x1.71547652b82fep+0

struct parts {
    struct twice q; /* e^r - 1 */
    double scale;   /* 2^k */
};

TWICE_INLINE struct parts split(const struct twice_constants *c, double x,
                                int small)
{
    x = x > TWICE_FLAT ? TWICE_FLAT : x;
    x = x < -TWICE_FLAT ? -TWICE_FLAT : x;
    double k = small ? 0 : rint(x * PER_LN2);
    /* Exact: where k is not 0, both are multiples of 2^-40. */
    double first = x - k * c->ln2[0];
    struct twice more = twice_product(k, c->ln2[1]);
    struct twice r = twice_sum(first, -more.high);
    r = twice_ordered(r.high, r.low - (more.low + k * c->ln2[2]));
    struct twice series = twice_polynomial(c->exp, small ? 3 : 12,
                                           small ? 5 : TWICE_EXP_TERMS, r);
    return (struct parts){twice_multiply(r, series),
                          small ? 1 : twice_power(k)};
}

TWICE_INLINE struct twice exponential(const struct twice_constants *c, double x,
                                      int small)
{
    struct parts p = split(c, x, small);
    return twice_scale(twice_add_less(twice_of(1), p.q), p.scale);
}

/* 2^k - 1 + 2^k q */
TWICE_INLINE struct twice less_one(const struct twice_constants *c, double x,
                                   int small)
{
    struct parts p = split(c, x, small);
    return twice_add(twice_sum(p.scale, -1), twice_scale(p.q, p.scale));
}

/* 1 / (1 + e^-x) */
TWICE_INLINE struct twice logistic(const struct twice_constants *c, double x,
                                   int small)
{
    struct twice e = exponential(c, -x, small);
    return twice_divide(twice_of(1), twice_add(twice_of(1), e));
}

/* With e = e^2|x| - 1: e / (e + 2). */
TWICE_INLINE struct twice tangent(const struct twice_constants *c, double x,
                                  int small)
{
    struct twice e = less_one(c, 2 * twice_magnitude(x), small);
    return twice_odd(twice_divide(e, twice_add(e, twice_of(2))), x);
}

/* With e = e^|x| - 1: (e + e / (e + 1)) / 2. */
TWICE_INLINE struct twice sine(const struct twice_constants *c, double x,
                               int small)
{
    struct twice e = less_one(c, twice_magnitude(x), small);
    struct twice y = twice_divide(e, twice_add(e, twice_of(1)));
    return twice_odd(twice_half(twice_add_less(e, y)), x);
}

/* (e^|x| + e^-|x|) / 2 */
TWICE_INLINE struct twice cosine(const struct twice_constants *c, double x,
                                 int small)
{
    struct twice e = exponential(c, twice_magnitude(x), small);
    return twice_half(twice_add_less(e, twice_divide(twice_of(1), e)));
}

TWICE_KERNEL(twice_exp, exponential)
TWICE_KERNEL(twice_expm1, less_one)
TWICE_KERNEL(twice_logistic, logistic)
TWICE_KERNEL(twice_tanh, tangent)
TWICE_KERNEL(twice_sinh, sine)
TWICE_KERNEL(twice_cosh, cosine)
