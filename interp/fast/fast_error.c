/* fast_error.c - the error function and its complement.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Below 1/2 erf is a polynomial.  From there on erfc(a) = e^(-a^2) g(a), where
 * g changes slowly (it is called erfcx) and is a polynomial in each interval
 * of length 1/4; the square of a number of f32 is exact.  The sums 1 - erfc,
 * 1 - erf and 2 - erfc cancel less than two bits.
 */
#include "interp/fast/fast_error.h"

#include "interp/fast/fast_bits.h"
#include "interp/fast/fast_erfcx.h"
#include "interp/fast/fast_polynomial.h"
#include "interp/fast/fast_raise.h"

#define TWO_PER_ROOT_PI 0x1.20dd750429b6dp+0
#define NEAR            0.5
/* erfc of this is below FAST_TINY. */
#define LIMIT           11.2

static inline double erf_near(double x)
{
    double z = x * x;
    return TWO_PER_ROOT_PI * x * (1 + z * fast_polynomial_erf(z));
}

static inline double erfcx_by(const double *c, double t)
{
    double y = c[11];
    y = y * t + c[10];
    y = y * t + c[9];
    y = y * t + c[8];
    y = y * t + c[7];
    y = y * t + c[6];
    y = y * t + c[5];
    y = y * t + c[4];
    y = y * t + c[3];
    y = y * t + c[2];
    y = y * t + c[1];
    y = y * t + c[0];
    return y;
}

static inline double complement(double v)
{
    return 1 - v;
}

static inline double reflection(double v)
{
    return 2 - v;
}

/* erfc of a >= NEAR. */
static inline double erfc_far(double a)
{
    a = a > NEAR ? a : NEAR;
    a = a < LIMIT ? a : LIMIT;
    int i = (int)(FAST_ERFCX_PER_UNIT * a);
    double t = a - (i + 0.5) / FAST_ERFCX_PER_UNIT;
    return fast_raise(-(a * a), 0)
           * erfcx_by(fast_erfcx[i - FAST_ERFCX_FIRST], t);
}

FAST_LOOP void fast_error_erf(const double *x, double *v, int n)
{
    for (int i = 0; i < n; i++) {
        double a = fast_abs(x[i]);
        double near = erf_near(a), far = complement(erfc_far(a));
        double r = a < NEAR ? near : far;
        v[i] = fast_sign(a == a ? r : FAST_NAN, x[i]);
    }
}

FAST_LOOP void fast_error_erfc(const double *x, double *v, int n)
{
    for (int i = 0; i < n; i++) {
        double a = fast_abs(x[i]);
        double near = complement(erf_near(x[i])), right = erfc_far(a);
        double left = reflection(right);
        double far = x[i] > 0 ? right : left;
        double r = a < NEAR ? near : far;
        v[i] = a == a ? r : FAST_NAN;
    }
}
