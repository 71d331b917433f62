/* randomness_moments.c - tails and moments of samples; see
 * randomness_moments.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Moments are sums of orthogonal polynomials (Hermite's, Legendre's), of which
 * each finds what the lower ones do not see: a sum of twelve uniform numbers
 * less 6 has the deviation of normal ones, but a fourth moment of 2.9.
 * Tests: test_randomness.c.
 */
#include "interp/check/randomness_moments.h"

#include <inttypes.h>
#include <stdio.h>

__extension__ typedef unsigned __int128 wide;
__extension__ typedef __int128 signed_wide;

enum {
    SURE = 28,   /* e^-28 is 7e-13 */
    SQUARE = 24, /* e^-24 is 4e-11 */
    MOMENT = 26, /* e^-26 is 5e-12 */
    MOMENTS = 6,
    NEAR = 4 /* deviations within which higher moments are summed */
};

#define ONE (INT64_C(1) << RANDOMNESS_Z_BITS)

static int64_t times(int64_t a, int64_t b)
{
    return (int64_t)((signed_wide)a * b >> RANDOMNESS_Z_BITS);
}

/* ---- Tails --------------------------------------------------------------- */

enum {
    TAILS = 7
};

/* P(|z| >= 2), P(|z| >= 2.5), ..., P(|z| >= 5), in parts of 10^-16. */
static const int64_t tails[TAILS] = {
    455002638963584, 124193306515522, 26997960632602, 4652581580711,
    633424836662,    67953462495,     5733031438};

/* The count of a tail with the mean m is above m + s with a probability below
 * exp(-s^2 / (2 m + 2 s / 3)) (Bernstein), below m - s with one below
 * exp(-s^2 / 2m) (Chernoff), and 0 with one below e^-m. */
static bool tail_is_beyond(int64_t count, int64_t n, int64_t tail)
{
    const wide parts = 10000000000000000;
    int64_t mean = (int64_t)((wide)n * (wide)tail / parts);
    int64_t below = randomness_root((wide)(mean + 1) * 2 * SURE);
    return count > mean + 1 + randomness_sum(mean + 1, 1, SURE)
           || count < mean - below || (count == 0 && mean >= SURE);
}

static bool tails_are_beyond(const int64_t *z, int64_t n, char *why,
                             size_t size)
{
    int64_t count[TAILS] = {0};
    for (int64_t i = 0; i < n; i++) {
        int64_t off = z[i] < 0 ? -z[i] : z[i];
        for (int k = 0; k < TAILS && off >= (k + 4) * (ONE / 2); k++)
            count[k]++;
    }
    for (int k = 0; k < TAILS; k++) {
        if (!tail_is_beyond(count[k], n, tails[k]))
            continue;
        snprintf(why, size,
                 "%" PRId64 " of %" PRId64
                 " elements are %d.%d standard deviations off the mean",
                 count[k], n, (k + 4) / 2, k % 2 * 5);
        return true;
    }
    return false;
}

/* ---- Moments ------------------------------------------------------------- */

static bool name_moment(int k, int64_t n, char *why, size_t size)
{
    static const char *const names[] = {"mean",         "deviation",
                                        "third moment", "fourth moment",
                                        "fifth moment", "sixth moment"};
    snprintf(why, size,
             "the %s of %" PRId64 " elements is not that of a good sample",
             names[k - 1], n);
    return false;
}

/* The sum of n squares of normal numbers exceeds n + 2 sqrt(nt) + 2t, and is
 * below n - 2 sqrt(nt), with a probability below e^-t each (Laurent, Massart
 * 2000); the sum itself exceeds sqrt(2nt) as rarely.  0, or which moment. */
static int first_two(const int64_t *z, int64_t n)
{
    signed_wide sum = 0;
    wide squares = 0;
    int64_t root = randomness_root((wide)n * SQUARE);
    for (int64_t i = 0; i < n; i++) {
        sum += z[i];
        squares += (wide)((signed_wide)z[i] * z[i]);
    }
    wide off = (wide)(sum < 0 ? -sum : sum) >> RANDOMNESS_Z_BITS;
    int64_t norm = (int64_t)(squares >> 2 * RANDOMNESS_Z_BITS);
    if (off * off > (wide)n * 2 * SQUARE)
        return 1;
    bool wrong = norm > n + 2 * root + 2 * SQUARE || norm + 1 < n - 2 * root;
    return wrong ? 2 : 0;
}

/* The terms of a moment have this mean (in parts of 2^-RANDOMNESS_Z_BITS), at
 * most this variance, and lie within most of the mean. */
struct moment {
    int64_t mean;
    int over, variance, most; /* the variance is 1 / over of that */
};

static bool moment_is_beyond(signed_wide sum, int64_t n, const struct moment *m)
{
    sum -= (signed_wide)n * m->mean;
    wide off = (wide)(sum < 0 ? -sum : sum) >> RANDOMNESS_Z_BITS;
    int64_t variance = n * m->variance / m->over + 1;
    return off > (wide)randomness_sum(variance, m->most, MOMENT);
}

/* Hermite's polynomials of degree 3 to 6, where |z| < 4, and 0 elsewhere: by
 * parts, their means are 0, -2 (4^3 - 3 * 4) phi(4), 0, and
 * -2 (4^5 - 10 * 4^3 + 15 * 4) phi(4); the integrals of their squares are
 * 5.74, 20.7, 84.1, 389.9; they are at most 52, 163, 444, 961. */
static const struct moment hermite[] = {{0, 1, 6, 52},
                                        {-15303380495, 1, 21, 164},
                                        {0, 1, 85, 444},
                                        {-130667325766, 1, 390, 962}};

bool randomness_moments_normal(const int64_t *z, int64_t n, char *why,
                               size_t size)
{
    signed_wide sums[MOMENTS + 1] = {0};
    int wrong;
    if (n < RANDOMNESS_LEAST)
        return true;
    if (tails_are_beyond(z, n, why, size))
        return false;
    if ((wrong = first_two(z, n)))
        return name_moment(wrong, n, why, size);
    for (int64_t i = 0; i < n; i++) {
        int64_t before = ONE, now = z[i];
        if (z[i] >= NEAR * ONE || z[i] <= -NEAR * ONE)
            continue;
        for (int k = 1; k < MOMENTS; k++) {
            int64_t next = times(z[i], now) - k * before;
            before = now;
            now = next;
            sums[k + 1] += now;
        }
    }
    for (int k = 3; k <= MOMENTS; k++)
        if (moment_is_beyond(sums[k], n, &hermite[k - 3]))
            return name_moment(k, n, why, size);
    return true;
}

/* Legendre's polynomial of degree k lies within -1 and 1, and has the mean 0
 * and the variance 1 / (2k + 1). */
bool randomness_moments_uniform(const int64_t *x, int64_t n, char *why,
                                size_t size)
{
    signed_wide sums[MOMENTS + 1] = {0};
    if (n < RANDOMNESS_LEAST)
        return true;
    for (int64_t i = 0; i < n; i++) {
        int64_t before = ONE, now = x[i];
        sums[1] += now;
        for (int k = 1; k < MOMENTS; k++) {
            int64_t next =
                ((2 * k + 1) * times(x[i], now) - k * before) / (k + 1);
            before = now;
            now = next;
            sums[k + 1] += now;
        }
    }
    for (int k = 1; k <= MOMENTS; k++) {
        const struct moment m = {0, 2 * k + 1, 1, 1};
        if (moment_is_beyond(sums[k], n, &m))
            return name_moment(k, n, why, size);
    }
    return true;
}
