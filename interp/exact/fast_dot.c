/* fast_dot.c - see fast_dot.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/exact/fast_dot.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

#include "interp/base/slow.h"
#include "interp/exact/real.h"

enum {
    TERMS_MAX = 1 << 20, /* n*u is below 2^-33: what the bound relies on */
    LANES = 4            /* sums at once; any order is within the bound */
};

static double load(const unsigned char *at)
{
    float f;
    memcpy(&f, at, sizeof f);
    return (double)f;
}

struct parts {
    double sum[LANES], magnitude[LANES];
};

static void add_terms(struct parts *p, const unsigned char *lhs, int64_t l,
                      const unsigned char *rhs, int64_t r, int64_t n)
{
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int k = 0; k < LANES; k++) {
            double product = load(lhs + (i + k) * l) * load(rhs + (i + k) * r);
            p->sum[k] += product;
            p->magnitude[k] += fabs(product);
        }
    for (; i < n; i++) {
        double product = load(lhs + i * l) * load(rhs + i * r);
        p->sum[0] += product;
        p->magnitude[0] += fabs(product);
    }
}

static uint64_t round_double(double x, enum dtype result)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    struct real y = real_from_bits(DT_f64, bits);
    return real_round(&y, result, REAL_OVERFLOW_TYPE);
}

/* ---- f32: products are exact --------------------------------------------- */

static bool dot_narrow(const unsigned char *lhs, int64_t lhs_step,
                       const unsigned char *rhs, int64_t rhs_step, int64_t n,
                       enum dtype result, uint64_t *bits)
{
    struct parts p = {{0}, {0}};
    add_terms(&p, lhs, lhs_step, rhs, rhs_step, n);
    double sum = (p.sum[0] + p.sum[1]) + (p.sum[2] + p.sum[3]);
    double magnitude =
        (p.magnitude[0] + p.magnitude[1]) + (p.magnitude[2] + p.magnitude[3]);
    /* The magnitudes' own sum is rounded, too: |true| <= magnitude / (1 -
     * gamma).  With n*u < 2^-33, gamma / (1 - gamma) < n*u * (1 + 2^-30); the
     * factor below also covers the roundings of this line.  The four lanes
     * begin at 0, which adds three exact additions at most. */
    double bound = (double)(n + LANES) * 0x1p-53 * magnitude * (1 + 0x1p-20);
    double low = nextafter(sum - bound, -INFINITY);
    double high = nextafter(sum + bound, INFINITY);
    if (!(low > 0 || high < 0) || !isfinite(low) || !isfinite(high))
        return false;
    *bits = round_double(low, result);
    return *bits == round_double(high, result);
}

/* ---- f64: products and sums with their errors ---------------------------- */

/* Smaller products may lose their error, or the bound its precision. */
#define TINY 0x1p-800

struct doubled {
    double sum, rest, magnitude;
    bool tiny;
};

/* Knuth's two-sum and the fused product give every error exactly; their sum
 * is rounded, which is what the bound is about (Ogita, Rump, Oishi, Accurate
 * sum and dot product, 2005). */
static void add_doubled(struct doubled *d, double a, double b)
{
    double product = a * b;
    double lost = fma(a, b, -product);
    double sum = d->sum + product;
    double z = sum - d->sum;
    double error = (d->sum - (sum - z)) + (product - z);
    d->sum = sum;
    d->rest += lost + error;
    d->magnitude += fabs(product);
    d->tiny |= fabs(product) < TINY && a != 0 && b != 0;
}

/* |rest - true rest| <= gamma_2n * (u + n*u*(1 + gamma_n)) * M, below twice
 * (n + 1)^2 u^2 M; the last factor covers all that is of higher order. */
static bool dot_wide(const unsigned char *lhs, int64_t lhs_step,
                     const unsigned char *rhs, int64_t rhs_step, int64_t n,
                     uint64_t *bits)
{
    struct doubled d = {0, 0, 0, false};
    for (int64_t i = 0; i < n; i++) {
        double a, b;
        memcpy(&a, lhs + i * lhs_step, sizeof a);
        memcpy(&b, rhs + i * rhs_step, sizeof b);
        add_doubled(&d, a, b);
    }
    double m = (double)(n + 1);
    double bound = 2 * m * m * 0x1p-106 * d.magnitude * (1 + 0x1p-10);
    double high = d.sum + d.rest;
    double z = high - d.sum;
    double low = (d.sum - (high - z)) + (d.rest - z);
    if (d.tiny || !isfinite(high) || !isfinite(d.magnitude)
        || fabs(high) < TINY)
        return false;
    /* The exact sum is high + low, give or take bound: do both ends round to
     * high?  One step outward covers the rounding of low -+ bound. */
    double below = nextafter(low - bound, -INFINITY);
    double above = nextafter(low + bound, INFINITY);
    if (high + below != high || high + above != high)
        return false;
    memcpy(bits, &high, sizeof high);
    return true;
}

bool fast_dot(enum dtype unit, struct fast_dot_side lhs,
              struct fast_dot_side rhs, int64_t n, enum dtype result,
              uint64_t *bits)
{
    if (n < 1 || n > TERMS_MAX || slow() || fegetround() != FE_TONEAREST)
        return false;
    if (unit == DT_f32)
        return dot_narrow(lhs.data, 4 * lhs.stride, rhs.data, 4 * rhs.stride, n,
                          result, bits);
    if (unit == DT_f64 && result == DT_f64)
        return dot_wide(lhs.data, 8 * lhs.stride, rhs.data, 8 * rhs.stride, n,
                        bits);
    return false;
}
