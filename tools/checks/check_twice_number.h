/* check_twice_number.h - a number as the sum of two doubles.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The second kernels' arithmetic (check_twice.h).  The low part is at most some
 * ulps of the high one, so a number has about 104 bits.  Each operation is
 * wrong by a few units of 2^-104, relatively, except that a sum is so relative
 * to the larger operand.  The exact steps are Dekker's and Knuth's (Muller et
 * al., Handbook of Floating-Point Arithmetic, 2018, chapter 4).
 *
 * A product's rounding error needs a fused multiplication and addition: one
 * instruction in the wider clones of a loop, elsewhere a call of fma(), which
 * is exact, too.
 */
#ifndef TOOLS_CHECK_TWICE_NUMBER_H
#define TOOLS_CHECK_TWICE_NUMBER_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) \
    && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) \
    && !defined(__SANITIZE_THREAD__)
#    define TWICE_LOOP \
        __attribute__(( \
            target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#    define TWICE_LOOP
#endif
/* A loop is made of vectors only if nothing in it is a call. */
#define TWICE_INLINE static inline __attribute__((always_inline))

struct twice {
    double high, low;
};

TWICE_INLINE struct twice twice_of(double x)
{
    return (struct twice){x, 0};
}

TWICE_INLINE struct twice twice_negative(struct twice a)
{
    return (struct twice){-a.high, -a.low};
}

TWICE_INLINE struct twice twice_half(struct twice a)
{
    return (struct twice){0.5 * a.high, 0.5 * a.low};
}

/* high + low, where |high| >= |low| or high is 0. */
TWICE_INLINE struct twice twice_ordered(double high, double low)
{
    double s = high + low;
    return (struct twice){s, low - (s - high)};
}

/* a + b, exactly. */
TWICE_INLINE struct twice twice_sum(double a, double b)
{
    double s = a + b;
    double t = s - a;
    return (struct twice){s, (a - (s - t)) + (b - t)};
}

/* a b, exactly. */
TWICE_INLINE struct twice twice_product(double a, double b)
{
    double p = a * b;
    return (struct twice){p, __builtin_fma(a, b, -p)};
}

TWICE_INLINE struct twice twice_add(struct twice a, struct twice b)
{
    struct twice s = twice_sum(a.high, b.high);
    struct twice t = twice_sum(a.low, b.low);
    s = twice_ordered(s.high, s.low + t.high);
    return twice_ordered(s.high, s.low + t.low);
}

/* Where |a| >= |b|, without cancellation, or a is 0. */
TWICE_INLINE struct twice twice_add_less(struct twice a, struct twice b)
{
    struct twice s = twice_ordered(a.high, b.high);
    return twice_ordered(s.high, s.low + (a.low + b.low));
}

TWICE_INLINE struct twice twice_multiply(struct twice a, struct twice b)
{
    double p = a.high * b.high;
    double e = __builtin_fma(a.high, b.high, -p);
    e = __builtin_fma(a.high, b.low, e);
    return twice_ordered(p, __builtin_fma(a.low, b.high, e));
}

/* By a power of two, or by an integer so small that both products are exact or
 * the error of the second does not count. */
TWICE_INLINE struct twice twice_scale(struct twice a, double by)
{
    struct twice p = twice_product(a.high, by);
    return twice_ordered(p.high, __builtin_fma(a.low, by, p.low));
}

TWICE_INLINE struct twice twice_divide(struct twice a, struct twice b)
{
    double q = a.high / b.high;
    double rest = __builtin_fma(-q, b.high, a.high); /* exact */
    rest = __builtin_fma(-q, b.low, rest + a.low);
    return twice_ordered(q, rest / b.high);
}

/* One step of Newton's from the root of the high part. */
TWICE_INLINE struct twice twice_root(struct twice a)
{
    double s = sqrt(a.high);
    double rest = __builtin_fma(-s, s, a.high) + a.low;
    return twice_ordered(s, rest / (2 * s));
}

/* Where condition holds a, else b. */
TWICE_INLINE struct twice twice_choose(int condition, struct twice a,
                                       struct twice b)
{
    return (struct twice){condition ? a.high : b.high,
                          condition ? a.low : b.low};
}

/* The sum of c[i] z^i for i < n, where each term is smaller than the last by a
 * factor that lets those from `single` on be doubles: their sum is below 2^-43.
 * The low part is left as it comes, up to some ulps of the high one. */
TWICE_INLINE struct twice twice_polynomial(const struct twice *c, int single,
                                           int n, struct twice z)
{
    double tail = c[n - 1].high;
#pragma GCC unroll 32
    for (int i = n - 2; i >= single; i--)
        tail = __builtin_fma(tail, z.high, c[i].high);
    struct twice s = {tail, 0};
#pragma GCC unroll 32
    for (int i = single - 1; i >= 0; i--) {
        double p = s.high * z.high;
        double e = __builtin_fma(s.high, z.high, -p);
        e = __builtin_fma(s.high, z.low, e);
        e = __builtin_fma(s.low, z.high, e);
        double t = c[i].high + p;
        s = (struct twice){t, (p - (t - c[i].high)) + (c[i].low + e)};
    }
    return s;
}

TWICE_INLINE uint64_t twice_bits(double x)
{
    uint64_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}

TWICE_INLINE double twice_double(uint64_t b)
{
    double x;
    memcpy(&x, &b, sizeof x);
    return x;
}

/* 2^k, -1022 <= k <= 1023. */
TWICE_INLINE double twice_power(double k)
{
    return twice_double((uint64_t)((int64_t)k + 1023) << 52);
}

TWICE_INLINE double twice_magnitude(double x)
{
    return twice_double(twice_bits(x) & ~(UINT64_C(1) << 63));
}

/* y where x is positive, -y where it is negative. */
TWICE_INLINE struct twice twice_odd(struct twice y, double x)
{
    uint64_t sign = twice_bits(x) & UINT64_C(1) << 63;
    return (struct twice){twice_double(twice_bits(y.high) ^ sign),
                          twice_double(twice_bits(y.low) ^ sign)};
}

#endif
