/* fast_angle.c - the angle of a point.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * With a = |ordinate| and b = |abscissa|, atan(a / b) = base + atan(w): of 0
 * and a / b, pi/4 and (a - b) / (a + b), pi/2 and -b / a.  Numbers of f32 that
 * are within a factor of 4 have a sum and a difference of at most 27 bits, so
 * w is rounded once.  Left of the ordinate axis the angle is pi less that,
 * which is at least pi/2: nothing cancels.
 */
#include "interp/fast/fast_angle.h"

#include "interp/fast/fast_bits.h"
#include "interp/fast/fast_polynomial.h"

#define PI                0x1.921fb54442d18p+1
#define HALF_PI           0x1.921fb54442d18p+0
#define QUARTER_PI        0x1.921fb54442d18p-1
/* Somewhat below the tangents of pi / 8 and 3 pi / 8, and of so few bits that
 * their products with numbers of f32 are exact. */
#define TAN_EIGHTH        0x1.a8p-2
#define TAN_THREE_EIGHTHS 0x1.35p+1

static inline double angle_by(double base, double w)
{
    double z = w * w;
    return base + w * (1 + z * fast_polynomial_atan(z));
}

static inline double opposite(double angle)
{
    return PI - angle;
}

/* For a >= 0 and b >= 0, not both 0. */
static inline double angle_of(double a, double b)
{
    bool middle = a > TAN_EIGHTH * b, steep = a > TAN_THREE_EIGHTHS * b;
    double numerator = middle ? a - b : a;
    double denominator = middle ? a + b : b;
    double base = middle ? QUARTER_PI : 0;
    numerator = steep ? -b : numerator;
    denominator = steep ? a : denominator;
    base = steep ? HALF_PI : base;
    return angle_by(base, numerator / denominator);
}

FAST_LOOP void fast_angle_atan2(const double *x, const double *y, double *v,
                                int n)
{
    for (int i = 0; i < n; i++) {
        double a = fast_abs(x[i]), b = fast_abs(y[i]);
        double r = angle_of(a, b);
        r = (a == 0) & (b == b) ? 0 : r;
        double left = opposite(r);
        r = fast_bits(y[i]) >> 63 != 0 ? left : r;
        v[i] = fast_sign(r, x[i]);
    }
}
