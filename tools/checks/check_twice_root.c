/* check_twice_root.c - square root, its reciprocal and cube root, twice.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each has an approximation s in double and one step of Newton's with the
 * residual s^2 - x, 1 - x s^2 or s^3 - x as a sum of two doubles.  An error d
 * of s, relatively, becomes d^2 times at most 3/2.
 */
#include "tools/checks/check_twice.h"

TWICE_INLINE struct twice square_root(const struct twice_constants *c, double x,
                                      int small)
{
    return twice_root(twice_of(x));
}

TWICE_INLINE struct twice inverse_root(const struct twice_constants *c,
                                       double x, int small)
{
    double s = sqrt(x) / x;
    struct twice product = twice_scale(twice_product(s, s), x);
    double rest = (1 - product.high) - product.low;
    return twice_ordered(s, 0.5 * s * rest);
}

/* s^3 - a, of which all but the last bits cancels. */
TWICE_INLINE double cube_rest(double s, double a)
{
    struct twice cube = twice_scale(twice_product(s, s), s);
    return (cube.high - a) + cube.low;
}

/* A third of the exponent and significand, read as one number, is within a
 * twentieth of the root; five steps of Newton's square that error. */
TWICE_INLINE struct twice cube_root(const struct twice_constants *c, double x,
                                    int small)
{
    uint32_t one = (uint32_t)(twice_bits(1) >> 32);
    double a = twice_magnitude(x);
    uint32_t top = (uint32_t)(twice_bits(a) >> 32);
    double s = twice_double((uint64_t)(top / 3 + (one - one / 3)) << 32);
#pragma GCC unroll 8
    for (int step = 0; step < 5; step++)
        s = s - (s - a / (s * s)) / 3;
    return twice_odd(twice_ordered(s, -cube_rest(s, a) / (3 * s * s)), x);
}

TWICE_KERNEL(twice_square_root, square_root)
TWICE_KERNEL(twice_inverse_root, inverse_root)
TWICE_KERNEL(twice_cube_root, cube_root)
