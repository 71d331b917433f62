/* fast_pair.c - arithmetic of two operands (fast.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/fast/fast_pair.h"

#include <math.h>

#include "interp/fast/fast_bits.h"

FAST_LOOP void fast_pair_add(const double *x, const double *y, double *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = x[i] + y[i];
}

FAST_LOOP void fast_pair_sub(const double *x, const double *y, double *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = x[i] - y[i];
}

FAST_LOOP void fast_pair_mul(const double *x, const double *y, double *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = x[i] * y[i];
}

FAST_LOOP void fast_pair_div(const double *x, const double *y, double *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = x[i] / y[i];
}

static double power(int64_t e)
{
    return fast_double((uint64_t)(e + FAST_BIAS) << FAST_FRACTION);
}

static int64_t exponent_of(double x)
{
    return (int64_t)(fast_bits(x) >> FAST_FRACTION & 0x7ff);
}

/* a modulo b, both finite, positive and of at most 24 bits.  fmod finds one bit
 * of the quotient after another; here it is 28 bits at a time.  The quotient by
 * c, which is b or b 2^k, is below 2^28 and cut off, perhaps 1 too large by
 * rounding: its product with the 24 bits of c is exact.  What is left is at
 * most c in size and a multiple of c's unit, or of a's where that is smaller,
 * which is only if a is below 2^24 c: so it is exact, too, and has 24 bits. */
static double remainder_of(double a, double b)
{
    while (a >= b) {
        int64_t k = exponent_of(a) - exponent_of(b) - 27;
        double c = k > 0 ? b * power(k) : b;
        a -= (double)(int64_t)(a / c) * c;
        a = a < 0 ? a + c : a;
    }
    return a;
}

void fast_pair_rem(const double *x, const double *y, double *v, int n)
{
    for (int i = 0; i < n; i++) {
        double a = fast_abs(x[i]), b = fast_abs(y[i]);
        bool plain = a < FAST_INFINITY && b > 0 && b < FAST_INFINITY;
        v[i] = plain ? fast_sign(remainder_of(a, b), x[i]) : fmod(x[i], y[i]);
    }
}
