/* check_twice_log.c - the logarithm and inverse hyperbolic functions, twice.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * All are log(1 + w).  1 + w = 2^k (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2),
 * about, and f is w itself where k is 0, so that nothing of a small w is lost.
 * log(1 + f) = 2 atanh(s) with s = f / (2 + f), |s| <= 0.1716: the power
 * series, of which s^40 / 41, the first that is left out, is below 2^-107; s^6
 * / 7 if x is small.
 */
#include "tools/checks/check_twice.h"

#define ROOT_2 0x1.6a09e667f3bcdp+0

/* log(1 + f) */
TWICE_INLINE struct twice series(const struct twice_constants *c,
                                 struct twice f, int small)
{
    struct twice s = twice_divide(f, twice_add_less(twice_of(2), f));
    struct twice y =
        twice_polynomial(c->odd, small ? 2 : 9, small ? 3 : TWICE_ODD_TERMS,
                         twice_multiply(s, s));
    return twice_scale(twice_multiply(s, y), 2);
}

/* log(1 + w); small: |w| is below 2^-18. */
TWICE_INLINE struct twice log1p_of(const struct twice_constants *c,
                                   struct twice w, int small)
{
    if (small)
        return series(c, w, 1);
    struct twice u = twice_sum(1, w.high);
    u = twice_ordered(u.high, u.low + w.low);
    /* The exponent of sqrt(2) u. */
    int64_t e = (int64_t)(twice_bits(u.high * ROOT_2) >> 52) - 1023;
    double k = (double)e, down = twice_power(-k);
    struct twice f = twice_sum(u.high * down - 1, u.low * down);
    struct twice y = series(c, twice_choose(e == 0, w, f), 0);
    struct twice more = twice_product(k, c->ln2[1]);
    more.low += k * c->ln2[2];
    return twice_add(twice_of(k * c->ln2[0]), twice_add(y, more));
}

TWICE_INLINE struct twice logarithm(const struct twice_constants *c, double x,
                                    int small)
{
    return log1p_of(c, twice_sum(x, -1), 0);
}

TWICE_INLINE struct twice logarithm1p(const struct twice_constants *c, double x,
                                      int small)
{
    return log1p_of(c, twice_of(x), small);
}

/* w = |x| + x^2 / (1 + sqrt(1 + x^2)) */
TWICE_INLINE struct twice area_sine(const struct twice_constants *c, double x,
                                    int small)
{
    double a = twice_magnitude(x);
    struct twice square = twice_product(a, a);
    struct twice root = twice_root(twice_add(twice_of(1), square));
    struct twice w = twice_divide(square, twice_add_less(root, twice_of(1)));
    return twice_odd(log1p_of(c, twice_add(twice_of(a), w), small), x);
}

/* w = x - 1 + sqrt((x - 1) (x + 1)) */
TWICE_INLINE struct twice area_cosine(const struct twice_constants *c, double x,
                                      int small)
{
    struct twice less = twice_sum(x, -1), more = twice_sum(x, 1);
    struct twice root = twice_root(twice_multiply(less, more));
    return log1p_of(c, twice_add(less, root), 0);
}

/* w = 2 |x| / (1 - |x|), and half of the logarithm. */
TWICE_INLINE struct twice area_tangent(const struct twice_constants *c,
                                       double x, int small)
{
    double a = twice_magnitude(x);
    struct twice w = twice_divide(twice_of(2 * a), twice_sum(1, -a));
    return twice_odd(twice_half(log1p_of(c, w, small)), x);
}

TWICE_KERNEL(twice_log, logarithm)
TWICE_KERNEL(twice_log1p, logarithm1p)
TWICE_KERNEL(twice_asinh, area_sine)
TWICE_KERNEL(twice_acosh, area_cosine)
TWICE_KERNEL(twice_atanh, area_tangent)
