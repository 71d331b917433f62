/* fast_root.c - square root, its reciprocal, cube root.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/fast/fast_root.h"

#include <math.h>

#include "interp/fast/fast_bits.h"
#include "interp/fast/fast_polynomial.h"

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

/* One step of Halley's for the cube root of m: an error d becomes 2/3 d^3. */
static inline double step(double t, double m)
{
    double c = t * t * t;
    return t * ((c + 2 * m) / (2 * c + m));
}

static inline double root(double m)
{
    return step(step(fast_polynomial_cbrt(m), m), m);
}

FAST_LOOP void fast_root_cbrt(const double *x, double *v, int n)
{
    for (int i = 0; i < n; i++) {
        double a = fast_abs(x[i]);
        /* |x| = m 2^3j, 1 <= m < 8; FAST_BIAS is a multiple of 3, and the
         * quotient of an exponent field by 3 this product, cut off. */
        uint64_t third = (fast_bits(a) >> FAST_FRACTION) * 21846 >> 16;
        double m = fast_double(fast_bits(a)
                               - ((3 * third - FAST_BIAS) << FAST_FRACTION));
        double scale =
            fast_double((third + FAST_BIAS - FAST_BIAS / 3) << FAST_FRACTION);
        double r = a > 0 ? root(m) * scale : a;
        v[i] = fast_sign(r, x[i]);
    }
}
