/* fast_dot.c - see fast_dot.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/exact/fast_dot.h"

#include <fenv.h>
#include <math.h>
#include <string.h>
#ifdef __x86_64__
#    include <immintrin.h>
#endif

#include "interp/base/slow.h"
#include "interp/exact/real.h"

enum {
    TERMS_MAX = 1 << 20, /* n*u is below 2^-33: required by the bound */
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

/* The sum, and what its rounding lost, exactly (Knuth). */
static inline double two_sum(double a, double b, double *lost)
{
    double sum = a + b;
    double z = sum - a;
    *lost = (a - (sum - z)) + (b - z);
    return sum;
}

/* Two-sum and the fused product give every error exactly; their sum is
 * rounded, which is what the bound is about (Ogita, Rump, Oishi, Accurate sum
 * and dot product, 2005). */
static inline void add_doubled(struct doubled *d, const unsigned char *lhs,
                               const unsigned char *rhs)
{
    double a, b, error;
    memcpy(&a, lhs, sizeof a);
    memcpy(&b, rhs, sizeof b);
    double product = a * b;
    double lost = fma(a, b, -product);
    d->sum = two_sum(d->sum, product, &error);
    d->rest += lost + error;
    d->magnitude += fabs(product);
    d->tiny |= (fabs(product) < TINY) & (a != 0) & (b != 0);
}

/* Several lanes, because each sum waits for the one before it. */
static void add_lanes(struct doubled *lane, const unsigned char *lhs, int64_t l,
                      const unsigned char *rhs, int64_t r, int64_t n)
{
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int k = 0; k < LANES; k++)
            add_doubled(&lane[k], lhs + (i + k) * l, rhs + (i + k) * r);
    for (; i < n; i++)
        add_doubled(&lane[0], lhs + i * l, rhs + i * r);
}

#ifdef __x86_64__
typedef double vector __attribute__((vector_size(LANES * sizeof(double))));
typedef int64_t mask __attribute__((vector_size(LANES * sizeof(int64_t))));

static inline double wide(const unsigned char *at)
{
    double d;
    memcpy(&d, at, sizeof d);
    return d;
}

static inline __attribute__((target("avx2,fma"))) vector
strided(const unsigned char *at, int64_t step)
{
    return (vector){wide(at), wide(at + step), wide(at + 2 * step),
                    wide(at + 3 * step)};
}

/* The same, step by step, with the processor's own fused product for four
 * lanes at once: the C library's is a call, of the same exact result. */
__attribute__((target("avx2,fma"))) static int64_t
add_fused(struct doubled *lane, const unsigned char *lhs, int64_t l,
          const unsigned char *rhs, int64_t r, int64_t n)
{
    vector sum = {0}, rest = {0}, magnitude = {0};
    mask tiny = {0};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        vector a = strided(lhs + i * l, l), b = strided(rhs + i * r, r);
        vector product = a * b;
        vector lost =
            (vector)_mm256_fmsub_pd((__m256d)a, (__m256d)b, (__m256d)product);
        vector next = sum + product, z = next - sum;
        vector error = (sum - (next - z)) + (product - z);
        vector size = (vector)((mask)product & INT64_MAX);
        sum = next;
        rest += lost + error;
        magnitude += size;
        tiny |= (mask)(size < TINY) & (mask)(a != 0) & (mask)(b != 0);
    }
    for (int k = 0; k < LANES; k++)
        lane[k] = (struct doubled){sum[k], rest[k], magnitude[k], tiny[k] != 0};
    return i;
}

static bool has_fused(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#else
static int64_t add_fused(struct doubled *lane, const unsigned char *lhs,
                         int64_t l, const unsigned char *rhs, int64_t r,
                         int64_t n)
{
    return 0;
}

static bool has_fused(void)
{
    return false;
}
#endif

/* All lanes as one: their sums are added with their errors, exactly. */
static struct doubled join_lanes(const struct doubled *lane)
{
    struct doubled d = lane[0];
    for (int k = 1; k < LANES; k++) {
        double error;
        d.sum = two_sum(d.sum, lane[k].sum, &error);
        d.rest += lane[k].rest + error;
        d.magnitude += lane[k].magnitude;
        d.tiny |= lane[k].tiny;
    }
    return d;
}

/* For a lane of k products with magnitudes of sum M_k, |rest - true rest| <=
 * gamma_2k * (u + k*u*(1 + gamma_k)) * M_k, below twice (k + 1)^2 u^2 M_k.
 * Joining rounds six sums, each of at most (n + 4) u M, where n is the number
 * of all products and M the sum of all magnitudes.  Both together are below
 *
 *     (2 (n + 1)^2 + 6 (n + 4)) u^2 M < 2 (n + 4)^2 u^2 M;
 *
 * the last factor covers all that is of higher order. */
static bool dot_wide(const unsigned char *lhs, int64_t lhs_step,
                     const unsigned char *rhs, int64_t rhs_step, int64_t n,
                     uint64_t *bits)
{
    struct doubled lane[LANES] = {{0, 0, 0, false}};
    int64_t done =
        has_fused() ? add_fused(lane, lhs, lhs_step, rhs, rhs_step, n) : 0;
    add_lanes(lane, lhs + done * lhs_step, lhs_step, rhs + done * rhs_step,
              rhs_step, n - done);
    struct doubled d = join_lanes(lane);
    double m = (double)(n + LANES);
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
