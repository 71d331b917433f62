/* fast_circle.c - sine, cosine, tangent.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * x = n pi/2 + r with |r| <= pi / 4, a little more by rounding.  x is an
 * integer of 24 bits times a power of two, so x 2/pi is found modulo 4 in
 * integers: the bits of 2/pi that take part are 128 in a row, and cutting off
 * the rest costs less than 2^-102 (Payne and Hanek, Radian reduction for
 * trigonometric functions, SIGNUM Newsletter 18, 1983).
 */
#include "interp/fast/fast_circle.h"

#include "interp/fast/fast_bits.h"
#include "interp/fast/fast_polynomial.h"

__extension__ typedef unsigned __int128 wide;

enum {
    BLOCK = 256,
    KEPT = 126, /* bits after the point of a number of quarter turns */
    WORDS = 4,
    SIGNIFICAND = 24,
};

/* 2/pi, 256 bits after the point, the last ones first. */
static const uint64_t two_over_pi[WORDS + 1] = {
    UINT64_C(0xfe5163abdebbc561),
    UINT64_C(0xdb6295993c439041),
    UINT64_C(0xfc2757d1f534ddc0),
    UINT64_C(0xa2f9836e4e441529),
};
#define QUARTER_PI 0x1.921fb54442d18p-1
/* pi/2 2^-126 */
#define TURN       0x1.921fb54442d18p-126
#define TWO_64     0x1p64

/* floor(2/pi 2^up) modulo 2^128, 64 <= up <= 256. */
static wide window(int up)
{
    int down = 64 * WORDS - up, word = down / 64, shift = down % 64;
    uint64_t part[2];
    for (int i = 0; i < 2; i++)
        part[i] = two_over_pi[word + i] >> shift
                  | two_over_pi[word + i + 1] << 1 << (63 - shift);
    return (wide)part[1] << 64 | part[0];
}

/* The angle of a number of quarter turns 2^KEPT. */
static inline double angle_of(double high, double low)
{
    return (high * TWO_64 + low) * TURN;
}

/* x > 1/2: r, and n modulo 4. */
static double reduce_far(double x, uint64_t *n)
{
    int e = (int)(fast_bits(x) >> FAST_FRACTION) - FAST_BIAS;
    uint64_t integer = (fast_bits(x) & ((UINT64_C(1) << FAST_FRACTION) - 1))
                       | UINT64_C(1) << FAST_FRACTION;
    integer >>= FAST_FRACTION + 1 - SIGNIFICAND;
    wide turns = window(e + 1 - SIGNIFICAND + KEPT) * integer;
    wide nearest = turns + ((wide)1 << (KEPT - 1));
    *n = (uint64_t)(nearest >> KEPT);
    wide rest = turns - ((wide)*n << KEPT);
    bool negative = rest >> 127 != 0;
    rest = negative ? -rest : rest;
    double r = angle_of((double)(uint64_t)(rest >> 64), (double)(uint64_t)rest);
    return negative ? -r : r;
}

/* r, and n modulo 4, of a block of numbers. */
static void reduce(const double *x, double *r, uint64_t *n, int count)
{
    for (int i = 0; i < count; i++) {
        double a = fast_abs(x[i]);
        uint64_t quarter = 0;
        double angle = a;
        if (a > QUARTER_PI)
            angle = a < FAST_HUGE ? reduce_far(a, &quarter) : FAST_NAN;
        bool negative = fast_bits(x[i]) >> 63 != 0;
        r[i] = negative ? -angle : angle;
        n[i] = (negative ? -quarter : quarter) & 3;
    }
}

static inline double sin_near(double r)
{
    double z = r * r;
    return r * (1 + z * fast_polynomial_sin(z));
}

static inline double cos_near(double r)
{
    double z = r * r;
    return 1 + z * fast_polynomial_cos(z);
}

/* sin(n pi/2 + r) */
static inline double turned(double r, uint64_t n)
{
    double s = sin_near(r), c = cos_near(r);
    double v = (n & 1) != 0 ? c : s;
    return fast_double(fast_bits(v) ^ (n & 2) << 62);
}

FAST_LOOP static void sines(const double *r, const uint64_t *n, uint64_t more,
                            double *v, int count)
{
    for (int i = 0; i < count; i++)
        v[i] = turned(r[i], n[i] + more);
}

FAST_LOOP static void tangents(const double *r, const uint64_t *n, double *v,
                               int count)
{
    for (int i = 0; i < count; i++) {
        double s = sin_near(r[i]), c = cos_near(r[i]);
        bool odd = (n[i] & 1) != 0;
        double numerator = odd ? -c : s, denominator = odd ? s : c;
        v[i] = numerator / denominator;
    }
}

void fast_circle_sin(const double *x, double *v, int n)
{
    double r[BLOCK];
    uint64_t quarter[BLOCK];
    for (int i = 0; i < n; i += BLOCK) {
        int count = n - i < BLOCK ? n - i : BLOCK;
        reduce(x + i, r, quarter, count);
        sines(r, quarter, 0, v + i, count);
    }
}

void fast_circle_cos(const double *x, double *v, int n)
{
    double r[BLOCK];
    uint64_t quarter[BLOCK];
    for (int i = 0; i < n; i += BLOCK) {
        int count = n - i < BLOCK ? n - i : BLOCK;
        reduce(x + i, r, quarter, count);
        sines(r, quarter, 1, v + i, count);
    }
}

void fast_circle_tan(const double *x, double *v, int n)
{
    double r[BLOCK];
    uint64_t quarter[BLOCK];
    for (int i = 0; i < n; i += BLOCK) {
        int count = n - i < BLOCK ? n - i : BLOCK;
        reduce(x + i, r, quarter, count);
        tangents(r, quarter, v + i, count);
    }
}
