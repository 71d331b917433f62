/* fast_raise.h - e to the power of a number and a small rest.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * For kernels that need the exponential of more than a double: as fast_exp.c
 * does it, with a rest below 2^-18 that is added to the reduced argument.
 */
#ifndef INTERP_FAST_FAST_RAISE_H
#define INTERP_FAST_FAST_RAISE_H

#include "interp/fast/fast_bits.h"
#include "interp/fast/fast_polynomial.h"

/* 1 / ln 2; ln 2 in two parts, of which the first has 40 bits: its product
 * with an integer of up to 13 is exact. */
#define PER_LN2  0x1.71547652b82fep+0
#define LN2_HIGH 0x1.62e42fefap-1
#define LN2_LOW  0x1.cf79abc9e3b3ap-40

static inline double fast_raise_rest(double p, double rest, double k)
{
    return ((p - k * LN2_HIGH) + rest) - k * LN2_LOW;
}

static inline double fast_raise_near(double r)
{
    return r * (1 + r * fast_polynomial_expm1(r));
}

/* For |p| <= 150. */
static inline double fast_raise(double p, double rest)
{
    double t = p * PER_LN2 + FAST_SHIFT;
    double q = fast_raise_near(fast_raise_rest(p, rest, t - FAST_SHIFT));
    double scale = fast_double((fast_bits(t) + FAST_BIAS) << FAST_FRACTION);
    return scale + scale * q;
}

#endif
