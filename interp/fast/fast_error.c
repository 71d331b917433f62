/* fast_error.c - the error function and its complement.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Up to 1/2 erf is a polynomial.  Beyond it erfc(a) = e^(-a^2) g(a), where
 * g changes slowly (it is called erfcx) and is a polynomial in each interval
 * of length 1/4; the square of a number of f32 is exact.  The sums 1 - erfc,
 * 1 - erf and 2 - erfc cancel less than two bits.
 */
#include "interp/fast/fast_error.h"

#include "interp/fast/fast_bits.h"
#include "interp/fast/fast_erfcx.h"
#include "interp/fast/fast_polynomial.h"
#include "interp/fast/fast_raise.h"
#include "interp/fast/fast_range.h"

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

static inline double clamped(double a)
{
    a = a > NEAR ? a : NEAR;
    return a < LIMIT ? a : LIMIT;
}

/* The row of a, which is clamped. */
static inline int row_of(double a)
{
    return (int)(FAST_ERFCX_PER_UNIT * a);
}

static inline const double *coefficients_of(int row)
{
    return fast_erfcx[row - FAST_ERFCX_FIRST];
}

/* erfc of a clamped a in the interval of a row. */
static inline double erfc_far(double a, int row, const double *c)
{
    double t = a - (row + 0.5) / FAST_ERFCX_PER_UNIT;
    return fast_raise(-(a * a), 0) * erfcx_by(c, t);
}

static inline double erf_far(double x, int row, const double *c)
{
    double a = fast_abs(x), r = complement(erfc_far(clamped(a), row, c));
    return fast_sign(a == a ? r : FAST_NAN, x);
}

static inline double erf_any(double x)
{
    double a = fast_abs(x);
    int row = row_of(clamped(a));
    double near = erf_near(a), far = erf_far(x, row, coefficients_of(row));
    return fast_sign(a > NEAR ? far : near, x);
}

static inline double erfc_both(double x, int row, const double *c)
{
    double a = fast_abs(x), right = erfc_far(clamped(a), row, c);
    double left = reflection(right);
    double r = x > 0 ? right : left;
    return a == a ? r : FAST_NAN;
}

static inline double erfc_any(double x)
{
    double a = fast_abs(x);
    int row = row_of(clamped(a));
    double near = complement(erf_near(x));
    double far = erfc_both(x, row, coefficients_of(row));
    return a > NEAR ? far : near;
}

/* The row of a block that needs no other, and its coefficients: its loop has no
 * table. */
struct alone {
    bool is;
    int row;
    double c[FAST_ERFCX_COEFFICIENTS];
};

static inline struct alone alone_of(struct fast_range r)
{
    struct alone b = {.row = row_of(clamped(fast_double(r.low)))};
    b.is = fast_range_above(r, NEAR) && fast_range_below(r, FAST_INFINITY)
           && row_of(clamped(fast_double(r.high))) == b.row;
    memcpy(b.c, coefficients_of(b.row), sizeof b.c);
    return b;
}

FAST_LOOP void fast_error_erf(const double *x, double *v, int n)
{
    const struct fast_range r = fast_range_of(x, n);
    const struct alone b = alone_of(r);
    if (fast_range_below(r, NEAR))
        for (int i = 0; i < n; i++)
            v[i] = fast_sign(erf_near(fast_abs(x[i])), x[i]);
    else if (b.is)
        for (int i = 0; i < n; i++)
            v[i] = erf_far(x[i], b.row, b.c);
    else
        for (int i = 0; i < n; i++)
            v[i] = erf_any(x[i]);
}

FAST_LOOP void fast_error_erfc(const double *x, double *v, int n)
{
    const struct fast_range r = fast_range_of(x, n);
    const struct alone b = alone_of(r);
    if (fast_range_below(r, NEAR))
        for (int i = 0; i < n; i++)
            v[i] = complement(erf_near(x[i]));
    else if (b.is)
        for (int i = 0; i < n; i++)
            v[i] = erfc_both(x[i], b.row, b.c);
    else
        for (int i = 0; i < n; i++)
            v[i] = erfc_any(x[i]);
}
