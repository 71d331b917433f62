/* check_twice_log.c - the logarithm and inverse hyperbolic functions, twice.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * All are log(1 + w).  1 + w = 2^k (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2),
 * about, and f is w itself where k is 0, so that nothing of a small w is lost.
 * log(1 + f) = 2 atanh(s) with s = f / (2 + f), |s| <= 0.1716: the power
 * series, of which s^40 / 41, the first that is left out, is below 2^-107.
 */
#include "tools/check_twice.h"

enum {
    SINGLE = 9,
};
#define ROOT_2 0x1.6a09e667f3bcdp+0

TWICE_INLINE struct twice log1p_of(const struct twice_constants *c,
                                   struct twice w)
{
    struct twice u = twice_sum(1, w.high);
    u = twice_ordered(u.high, u.low + w.low);
    /* The exponent of sqrt(2) u. */
    int64_t e = (int64_t)(twice_bits(u.high * ROOT_2) >> 52) - 1023;
    double k = (double)e, down = twice_power(-k);
    struct twice f = twice_sum(u.high * down - 1, u.low * down);
    f = twice_choose(e == 0, w, f);
    struct twice s = twice_divide(f, twice_add_less((struct twice){2, 0}, f));
    struct twice z = twice_multiply(s, s);
    struct twice y = twice_polynomial(c->odd, SINGLE, TWICE_ODD_TERMS, z);
    y = twice_scale(twice_multiply(s, y), 2);
    struct twice more = twice_product(k, c->ln2[1]);
    more.low += k * c->ln2[2];
    y = twice_add(y, more);
    return twice_add((struct twice){k * c->ln2[0], 0}, y);
}

TWICE_LOOP void twice_log(const struct twice_constants *c,
                          const double *restrict x, double *restrict high,
                          double *restrict low, int n)
{
    for (int i = 0; i < n; i++) {
        struct twice y = log1p_of(c, twice_sum(x[i], -1));
        high[i] = y.high;
        low[i] = y.low;
    }
}

TWICE_LOOP void twice_log1p(const struct twice_constants *c,
                            const double *restrict x, double *restrict high,
                            double *restrict low, int n)
{
    for (int i = 0; i < n; i++) {
        struct twice y = log1p_of(c, (struct twice){x[i], 0});
        high[i] = y.high;
        low[i] = y.low;
    }
}

/* w = |x| + x^2 / (1 + sqrt(1 + x^2)) */
TWICE_LOOP void twice_asinh(const struct twice_constants *c,
                            const double *restrict x, double *restrict high,
                            double *restrict low, int n)
{
    struct twice one = {1, 0};
    for (int i = 0; i < n; i++) {
        double a = twice_magnitude(x[i]);
        struct twice square = twice_product(a, a);
        struct twice root = twice_root(twice_add(one, square));
        struct twice w = twice_divide(square, twice_add_less(root, one));
        struct twice y = log1p_of(c, twice_add((struct twice){a, 0}, w));
        y = twice_odd(y, x[i]);
        high[i] = y.high;
        low[i] = y.low;
    }
}

/* w = x - 1 + sqrt((x - 1) (x + 1)) */
TWICE_LOOP void twice_acosh(const struct twice_constants *c,
                            const double *restrict x, double *restrict high,
                            double *restrict low, int n)
{
    for (int i = 0; i < n; i++) {
        struct twice less = twice_sum(x[i], -1), more = twice_sum(x[i], 1);
        struct twice root = twice_root(twice_multiply(less, more));
        struct twice y = log1p_of(c, twice_add(less, root));
        high[i] = y.high;
        low[i] = y.low;
    }
}

/* w = 2 |x| / (1 - |x|), and half of the logarithm. */
TWICE_LOOP void twice_atanh(const struct twice_constants *c,
                            const double *restrict x, double *restrict high,
                            double *restrict low, int n)
{
    for (int i = 0; i < n; i++) {
        double a = twice_magnitude(x[i]);
        struct twice w =
            twice_divide((struct twice){2 * a, 0}, twice_sum(1, -a));
        struct twice y = twice_odd(log1p_of(c, w), x[i]);
        high[i] = 0.5 * y.high;
        low[i] = 0.5 * y.low;
    }
}
