/* gamma.c - functions about the gamma function that the C library lacks, in
 * long double.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>

#include "native.h"

static const long double pi = 3.14159265358979323846L;

/* The Bernoulli numbers B2, B4, ... */
static const long double bernoulli[] = {
    1.0L / 6,       -1.0L / 30,       1.0L / 42, -1.0L / 30,
    5.0L / 66,      -691.0L / 2730,   7.0L / 6,  -3617.0L / 510,
    43867.0L / 798, -174611.0L / 330,
};

enum {
    BERNOULLI = sizeof bernoulli / sizeof *bernoulli,
    FAR = 20, /* where the expansions are exact to 2^-64 */
};

/* What is from a on of the sum of (a + k)^-s, by a^-s: by Euler and Maclaurin
 * (DLMF 25.11.28), for a of at least 2 s + FAR. */
static long double zeta_tail(long double s, long double a)
{
    long double sum = a / (s - 1) + 0.5L, term = s / a;
    for (int j = 0; j < BERNOULLI; j++) {
        int n = 2 * j + 2;
        term /= (n - 1) * n;
        sum += bernoulli[j] * term;
        term *= (s + n - 1) * (s + n) / (a * a);
    }
    return sum;
}

/* By q^-s, for s > 1 and q > 0: the sum of (q / (q + k))^s. */
static long double zeta_by_first(long double s, long double q)
{
    long double sum = 0, term = 1, k = 0;
    for (; q + k < 2 * s + FAR && term > sum * 0x1p-70L; k++) {
        term = expl(-s * log1pl(k / q));
        sum += term;
    }
    if (q + k < 2 * s + FAR)
        return sum;
    return sum + expl(-s * log1pl(k / q)) * zeta_tail(s, q + k);
}

static long double zeta_positive(long double s, long double q)
{
    return powl(q, -s) * zeta_by_first(s, q);
}

static int is_odd(long double x)
{
    return fmodl(x, 2) != 0;
}

/* For q < 0 and an integer s, which is odd or even: the sum over all integers,
 * of which the terms are those of d from 0 on and of 1 - d from 0 on, without
 * those below q. */
static long double zeta_negative(long double s, long double q, int odd)
{
    long double d = q - rintl(q), low = d > 0 ? d : 1 + d;
    long double high = d > 0 ? 1 - d : -d;
    long double left = zeta_positive(s, low);
    long double right = zeta_positive(s, high);
    if (odd && isinf(left) && isinf(right) && low != high)
        return low < high ? left : -right;
    if (odd && low == high)
        return zeta_positive(s, 1 - q);
    right -= zeta_positive(s, 1 - q);
    return odd ? left - right : left + right;
}

static int is_pole(long double q)
{
    return q <= 0 && q == floorl(q);
}

long double gamma_zeta(long double s, long double q)
{
    int whole = s == floorl(s);
    if (isnan(s) || isnan(q))
        return s + q;
    if (isinf(s) || isinf(q) || s < 1)
        return (long double)NAN;
    if (is_pole(q))
        return whole && !is_odd(s) ? (long double)INFINITY : (long double)NAN;
    if (s == 1)
        return (long double)INFINITY;
    if (q > 0)
        return zeta_positive(s, q);
    return whole ? zeta_negative(s, q, is_odd(s)) : (long double)NAN;
}

/* Near its only positive zero, as a series of the distance (DLMF 5.15.1). */
static long double digamma_near(long double zero, long double d)
{
    long double sum = 0, power = d;
    for (int k = 2; fabsl(power) > fabsl(d) * 0x1p-70L; k++) {
        sum += power * zeta_positive(k, zero);
        power *= -d;
    }
    return sum;
}

/* For x > 0 (DLMF 5.5.2, 5.11.2). */
static long double digamma_positive(long double x)
{
    /* The zero is the sum of a double and a small rest. */
    const long double zero = 0x1.762d86356be3fp+0L;
    const long double rest = 9.549995429965697715e-17L;
    if (fabsl(x - zero) < 0.25L)
        return digamma_near(zero, x - zero - rest);
    long double sum = 0;
    for (; x < FAR; x++)
        sum -= 1 / x;
    sum += logl(x) - 0.5L / x;
    long double power = 1 / (x * x);
    for (int n = 1; n <= BERNOULLI; n++, power /= x * x)
        sum -= bernoulli[n - 1] / (2 * n) * power;
    return sum;
}

long double gamma_digamma(long double x)
{
    if (isnan(x) || x > 0)
        return isinf(x) ? x : digamma_positive(x);
    if (isinf(x) || is_pole(x))
        return (long double)NAN;
    return digamma_positive(1 - x) - pi / tanl(pi * (x - rintl(x)));
}

long double gamma_polygamma(long double n, long double x)
{
    if (isnan(n) || isnan(x))
        return n + x;
    if (n == 0)
        return gamma_digamma(x);
    if (n < 0 || n != floorl(n) || isinf(n) || isinf(x))
        return (long double)NAN;
    long double factor = tgammal(n + 1), sign = is_odd(n) ? 1 : -1;
    if (is_pole(x))
        return gamma_zeta(n + 1, x);
    if (x < 0) {
        long double sum = zeta_negative(n + 1, x, !is_odd(n));
        return isinf(factor) ? copysignl(factor, sign * sum)
                             : sign * factor * sum;
    }
    if (isinf(factor) || powl(x, -n - 1) == 0)
        factor = expl(lgammal(n + 1) - (n + 1) * logl(x));
    else
        factor *= powl(x, -n - 1);
    return sign * factor * zeta_by_first(n + 1, x);
}
