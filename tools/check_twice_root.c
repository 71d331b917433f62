/* check_twice_root.c - square root, its reciprocal and cube root, twice.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each has an approximation s in double and one step of Newton's with the
 * residual s^2 - x, 1 - x s^2 or s^3 - x as a sum of two doubles.  An error d
 * of s, relatively, becomes d^2 times at most 3/2.
 */
#include "tools/check_twice.h"

TWICE_LOOP void twice_square_root(const struct twice_constants *c,
                                  const double *restrict x,
                                  double *restrict high, double *restrict low,
                                  int n)
{
    for (int i = 0; i < n; i++) {
        struct twice y = twice_root((struct twice){x[i], 0});
        high[i] = y.high;
        low[i] = y.low;
    }
}

TWICE_LOOP void twice_inverse_root(const struct twice_constants *c,
                                   const double *restrict x,
                                   double *restrict high, double *restrict low,
                                   int n)
{
    for (int i = 0; i < n; i++) {
        double s = sqrt(x[i]) / x[i];
        struct twice product = twice_scale(twice_product(s, s), x[i]);
        double rest = (1 - product.high) - product.low;
        struct twice y = twice_ordered(s, 0.5 * s * rest);
        high[i] = y.high;
        low[i] = y.low;
    }
}

/* s^3 - a, of which all but the last bits cancels. */
TWICE_INLINE double cube_rest(double s, double a)
{
    struct twice cube = twice_scale(twice_product(s, s), s);
    return (cube.high - a) + cube.low;
}

/* A third of the exponent and significand, read as one number, is within a
 * twentieth of the root; four steps of Newton's square that error. */
TWICE_LOOP void twice_cube_root(const struct twice_constants *c,
                                const double *restrict x, double *restrict high,
                                double *restrict low, int n)
{
    uint32_t one = (uint32_t)(twice_bits(1) >> 32);
    for (int i = 0; i < n; i++) {
        double a = twice_magnitude(x[i]);
        uint32_t top = (uint32_t)(twice_bits(a) >> 32);
        double s = twice_double((uint64_t)(top / 3 + (one - one / 3)) << 32);
#pragma GCC unroll 8
        for (int step = 0; step < 5; step++)
            s = s - (s - a / (s * s)) / 3;
        struct twice y = twice_ordered(s, -cube_rest(s, a) / (3 * s * s));
        y = twice_odd(y, x[i]);
        high[i] = y.high;
        low[i] = y.low;
    }
}
