/* fast_arc.c - inverse trigonometric functions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/fast/fast_arc.h"

#include <math.h>

#include "interp/fast/fast_bits.h"
#include "interp/fast/fast_polynomial.h"
#include "interp/fast/fast_range.h"

#define PI                0x1.921fb54442d18p+1
#define HALF_PI           0x1.921fb54442d18p+0
#define QUARTER_PI        0x1.921fb54442d18p-1
/* Somewhat below the tangents of pi / 8 and 3 pi / 8, and of few bits. */
#define TAN_EIGHTH        0x1.a8p-2
#define TAN_THREE_EIGHTHS 0x1.35p+1

static inline double atan_near(double w)
{
    double z = w * w;
    return w * (1 + z * fast_polynomial_atan(z));
}

/* atan(a) = base + atan(w): of 0 and a, pi/4 and (a - 1) / (a + 1), pi/2 and
 * -1 / a. */
static inline double atan_of(double a)
{
    double numerator = a, denominator = 1, base = 0;
    numerator = a > TAN_EIGHTH ? a - 1 : numerator;
    denominator = a > TAN_EIGHTH ? a + 1 : denominator;
    base = a > TAN_EIGHTH ? QUARTER_PI : base;
    numerator = a > TAN_THREE_EIGHTHS ? -1 : numerator;
    denominator = a > TAN_THREE_EIGHTHS ? a : denominator;
    base = a > TAN_THREE_EIGHTHS ? HALF_PI : base;
    return base + atan_near(numerator / denominator);
}

FAST_LOOP void fast_arc_atan(const double *x, double *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = fast_sign(atan_of(fast_abs(x[i])), x[i]);
}

static inline double asin_near(double w, double z)
{
    return w * (1 + z * fast_polynomial_asin(z));
}

/* asin(a) = pi/2 - 2 asin(sqrt((1 - a) / 2)) where a is above 1/2. */
static inline double halved(double a)
{
    double z = 0.5 * (1 - a);
    return 2 * asin_near(sqrt(z), z);
}

static inline double asin_far(double a)
{
    return HALF_PI - halved(a);
}

static inline double acos_near(double x)
{
    return HALF_PI - asin_near(x, x * x);
}

static inline double acos_far_negative(double a)
{
    return PI - halved(a);
}

static inline double acos_far(double x)
{
    double a = fast_abs(x), far = halved(a), opposite = acos_far_negative(a);
    return x > 0 ? far : opposite;
}

FAST_LOOP void fast_arc_asin(const double *x, double *v, int n)
{
    const struct fast_range r = fast_range_of(x, n);
    if (fast_range_below(r, 0.5)) {
        for (int i = 0; i < n; i++) {
            double a = fast_abs(x[i]);
            v[i] = fast_sign(asin_near(a, a * a), x[i]);
        }
    } else if (fast_range_above(r, 0.5)) {
        for (int i = 0; i < n; i++)
            v[i] = fast_sign(asin_far(fast_abs(x[i])), x[i]);
    } else {
        for (int i = 0; i < n; i++) {
            double a = fast_abs(x[i]);
            double far = asin_far(a), near = asin_near(a, a * a);
            v[i] = fast_sign(a > 0.5 ? far : near, x[i]);
        }
    }
}

FAST_LOOP void fast_arc_acos(const double *x, double *v, int n)
{
    const struct fast_range r = fast_range_of(x, n);
    if (fast_range_below(r, 0.5)) {
        for (int i = 0; i < n; i++)
            v[i] = acos_near(x[i]);
    } else if (fast_range_above(r, 0.5)) {
        for (int i = 0; i < n; i++)
            v[i] = acos_far(x[i]);
    } else {
        for (int i = 0; i < n; i++) {
            double far = acos_far(x[i]), near = acos_near(x[i]);
            v[i] = fast_abs(x[i]) > 0.5 ? far : near;
        }
    }
}
