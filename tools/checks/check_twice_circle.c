/* check_twice_circle.c - sine, cosine and tangent, twice.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * |x| = m 2^e with an integer m of 24 bits, 2^23 <= m.  2/pi 2^e modulo 4 is
 * in a table, as six numbers of at most 29 bits, so that m times each is exact,
 * and their sum is the number of quarter turns modulo 4, but for 2^-148.  No
 * number of f32 is nearer than 2^-33 to a whole number of quarter turns, other
 * than 0 (tools/checks/check-kernels), and near 0 the table's numbers are
 * small. What is left, |r| <= pi / 4, goes into the power series, of which r^28
 * / 28!, the first that is left out, is below 2^-107; r^6 / 6! if x is small.
 */
#include "tools/checks/check_twice.h"

struct turned {
    struct twice r;
    int64_t quarters;
};

TWICE_INLINE struct turned reduce(const struct twice_constants *c, double x,
                                  int small)
{
    if (small)
        return (struct turned){twice_of(twice_magnitude(x)), 0};
    uint64_t bits = twice_bits(x), one = twice_bits(1);
    int64_t row = (int64_t)(bits >> 52 & 0x7ff) - 1023 - TWICE_LEAST_EXPONENT;
    row = row < 0 ? 0 : row;
    row = row >= TWICE_EXPONENTS ? TWICE_EXPONENTS - 1 : row;
    double m = twice_double((bits & ((UINT64_C(1) << 52) - 1)) | one) * 0x1p23;
    double whole = m * c->turns[0][row];
    double n = rint(whole + m * c->turns[1][row]);
    struct twice a = twice_sum(m * c->turns[4][row], m * c->turns[5][row]);
    double rest = a.low;
    a = twice_sum(m * c->turns[3][row], a.high);
    rest += a.low;
    a = twice_sum(m * c->turns[2][row], a.high);
    rest += a.low;
    a = twice_sum(m * c->turns[1][row], a.high);
    /* Where the turns are nearly whole, the next sum leaves little of a. */
    struct twice more = twice_sum(a.low, rest);
    a = twice_add(twice_sum(whole - n, a.high), more);
    return (struct turned){twice_multiply(a, c->half_pi), (int64_t)n};
}

/* a where all bits of mask are set, b where none: by bits, because two loads
 * of which one is chosen are not made vectors. */
TWICE_INLINE struct twice blend(uint64_t mask, struct twice a, struct twice b)
{
    return (struct twice){
        twice_double((twice_bits(a.high) & mask)
                     | (twice_bits(b.high) & ~mask)),
        twice_double((twice_bits(a.low) & mask) | (twice_bits(b.low) & ~mask))};
}

/* sin(n pi/2 + r): one series, by the coefficients that are needed. */
TWICE_INLINE struct twice wave(const struct twice_constants *c, struct twice r,
                               int64_t n, int small)
{
    uint64_t odd = -((uint64_t)n & 1);
    struct twice terms[TWICE_WAVE_TERMS];
#pragma GCC unroll 32
    for (int i = 0; i < TWICE_WAVE_TERMS; i++)
        terms[i] = blend(odd, c->cos[i], c->sin[i]);
    struct twice z = twice_multiply(r, r);
    struct twice y =
        twice_polynomial(terms, small ? 2 : 8, small ? 3 : TWICE_WAVE_TERMS, z);
    struct twice by = blend(odd, twice_of(1), r);
    return twice_odd(twice_multiply(y, by), (n & 2) != 0 ? -1.0 : 1.0);
}

TWICE_INLINE struct twice sine(const struct twice_constants *c, double x,
                               int small)
{
    struct turned t = reduce(c, x, small);
    return twice_odd(wave(c, t.r, t.quarters, small), x);
}

TWICE_INLINE struct twice cosine(const struct twice_constants *c, double x,
                                 int small)
{
    struct turned t = reduce(c, x, small);
    return wave(c, t.r, t.quarters + 1, small);
}

TWICE_INLINE struct twice tangent(const struct twice_constants *c, double x,
                                  int small)
{
    struct turned t = reduce(c, x, small);
    struct twice s = wave(c, t.r, t.quarters, small);
    return twice_odd(twice_divide(s, wave(c, t.r, t.quarters + 1, small)), x);
}

TWICE_KERNEL(twice_sin, sine)
TWICE_KERNEL(twice_cos, cosine)
TWICE_KERNEL(twice_tan, tangent)
