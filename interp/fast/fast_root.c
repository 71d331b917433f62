/* fast_root.c - square root, its reciprocal, cube root.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/fast/fast_root.h"

#include <math.h>

#include "interp/fast/fast_bits.h"
#include "interp/fast/fast_polynomial.h"

#define THIRD    0x1.5555555555555p-2
/* 2/9, 14/81, 35/243 */
#define SERIES_2 0x1.c71c71c71c71cp-3
#define SERIES_3 0x1.61f9add3c0ca4p-3
#define SERIES_4 0x1.26fabb85cb534p-3

FAST_LOOP void fast_root_sqrt(const double *x, double *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = sqrt(x[i]);
}

static inline double inverse_root(double x)
{
    return 1 / sqrt(x);
}

FAST_LOOP void fast_root_rsqrt(const double *x, double *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = inverse_root(x[i]);
}

/* m^(-1/3), where y is near it: with h = 1 - m y^3 that is y (1 - h)^(-1/3), of
 * whose series five terms are taken. */
static inline double inverse_by(double y, double m)
{
    double h = 1 - m * (y * y * y);
    double s = (SERIES_4 * h + SERIES_3) * h + SERIES_2;
    return y + y * (h * (s * h + THIRD));
}

/* One step of Newton's for the cube root of m, where c is near it and q near
 * m^(-2/3). */
static inline double step(double c, double q, double m)
{
    return c - (c * c * c - m) * (q * THIRD);
}

static inline double root(double m)
{
    double y = inverse_by(fast_polynomial_inverse_cbrt(m), m);
    double q = y * y;
    return step(m * q, q, m);
}

FAST_LOOP void fast_root_cbrt(const double *x, double *v, int n)
{
    for (int i = 0; i < n; i++) {
        double a = fast_abs(x[i]);
        /* |x| = m 2^3j, 1 <= m < 8; FAST_BIAS is a multiple of 3, and the
         * quotient of an exponent field by 3 this product, cut off. */
        uint32_t field = (uint32_t)(fast_bits(a) >> FAST_FRACTION);
        uint64_t third = (uint64_t)field * 21846 >> 16;
        double m = fast_double(fast_bits(a)
                               - ((3 * third - FAST_BIAS) << FAST_FRACTION));
        double scale =
            fast_double((third + FAST_BIAS - FAST_BIAS / 3) << FAST_FRACTION);
        double r = a > 0 ? root(m) * scale : a;
        v[i] = fast_sign(r, x[i]);
    }
}
