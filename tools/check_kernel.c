/* check_kernel.c - a kernel's values against MPFR, input by input.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *     build/tools/check_kernel OP FIRST COUNT [STRIDE [long]]
 *
 * Evaluates the kernel of OP and MPFR on COUNT patterns of f32 from FIRST (in
 * hexadecimal) on, each STRIDE from the last, and prints how many were
 * compared, the largest |v - y| / (FAST_ERROR |y|), and its pattern.  Exit
 * status 1 if that is above 1, or a special value is not what fast.h says.
 *
 * With "long" the C library's long double function replaces MPFR where it has
 * 64 bits, its value is an ordinary number, and v is within half of the bound
 * of it: it is another implementation, and should be wrong by less than 2^-58,
 * which the samples of tools/test/kernels.t check without it.
 */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/exact/real.h"
#include "interp/fast/fast.h"
#include "interp/ops/elementwise.h"
#include "interp/program/op_table.h"

enum {
    BLOCK = 512,
    PRECISION = 64, /* of the exact value, cut off */
};

typedef long double long_function(long double x);

static long double rsqrtl(long double x)
{
    return 1 / sqrtl(x);
}

static long double logisticl(long double x)
{
    return 1 / (1 + expl(-x));
}

static const struct {
    const char *op;
    long_function *function;
} long_functions[] = {
    {"Acos", acosl},   {"Acosh", acoshl}, {"Asin", asinl},
    {"Asinh", asinhl}, {"Atan", atanl},   {"Atanh", atanhl},
    {"Cbrt", cbrtl},   {"Cos", cosl},     {"Cosh", coshl},
    {"Exp", expl},     {"Expm1", expm1l}, {"Log", logl},
    {"Log1p", log1pl}, {"Rsqrt", rsqrtl}, {"Logistic", logisticl},
    {"Sin", sinl},     {"Sinh", sinhl},   {"Sqrt", sqrtl},
    {"Tan", tanl},     {"Tanh", tanhl},
};

static long_function *find_long(const char *op)
{
    for (size_t i = 0; i < sizeof long_functions / sizeof long_functions[0];
         i++)
        if (strcmp(long_functions[i].op, op) == 0 && LDBL_MANT_DIG >= 64)
            return long_functions[i].function;
    return NULL;
}

struct check {
    long_function *by; /* NULL: only MPFR */
    const struct elementwise *what;
    struct elementwise_job job; /* whose x and y hold MPFR's numbers */
    long double worst;
    uint32_t worst_at;
    int64_t count, bad;
};

static double number(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return (double)f;
}

/* What y is, where it is not an ordinary number; else -1. */
static int agrees_specially(struct check *c, uint32_t bits, double v,
                            bool inexact)
{
    uint64_t x = bits, special;
    if (c->what->special && c->what->special(&c->job, &x, &special)) {
        double y = number((uint32_t)special);
        return memcmp(&y, &v, sizeof y) == 0;
    }
    if (mpfr_nan_p(c->job.y))
        return isnan(v);
    bool negative = mpfr_signbit(c->job.y) != 0;
    if (mpfr_inf_p(c->job.y))
        return isinf(v) && (v < 0) == negative;
    if (mpfr_zero_p(c->job.y) && !inexact)
        return v == 0 && (signbit(v) != 0) == negative;
    if (mpfr_cmpabs(c->job.y, c->job.x2) < 0) /* x2: FAST_TINY */
        return fabs(v) <= FAST_TINY && (signbit(v) != 0) == negative;
    if (mpfr_get_exp(c->job.y) > 131)
        return fabs(v) >= 0x1p129 && (v < 0) == negative;
    return -1;
}

/* Where a look at x is enough.  e^x is above FAST_HUGE or below FAST_TINY for
 * |x| >= 150, and within |x| + x^2 of 1 for |x| < 1. */
static bool is_settled(const struct check *c, double x, double v)
{
    if (c->what->real != mpfr_exp)
        return false;
    if (fabs(x) >= 150)
        return x > 0 ? v >= 0x1p129 : v > 0 && v <= FAST_TINY;
    return fabs(x) < 0x1p-51 && fabs(v - 1) <= 0x1p-50;
}

static void note(struct check *c, uint32_t bits, long double share)
{
    if (!(share <= c->worst)) {
        c->worst = share;
        c->worst_at = bits;
    }
}

static bool is_near_long(struct check *c, uint32_t bits, double v)
{
    if (!c->by)
        return false;
    long double y = c->by((long double)number(bits)), size = fabsl(y);
    if (!(size >= FAST_TINY) || !(size <= FAST_HUGE))
        return false;
    long double share = fabsl(((long double)v - y) / y) / FAST_ERROR;
    if (!(share <= 0.5L))
        return false;
    note(c, bits, share);
    return true;
}

static void compare(struct check *c, uint32_t bits, double v)
{
    if (real_is_inf(DT_f32, bits))
        return;
    c->count++;
    if (is_settled(c, number(bits), v) || is_near_long(c, bits, v))
        return;
    real_bits_to_mpfr(c->job.x, DT_f32, bits);
    int ternary = c->what->real(c->job.y, c->job.x, MPFR_RNDZ);
    int special = agrees_specially(c, bits, v, ternary != 0);
    if (special >= 0) {
        if (special == 0 && c->bad++ == 0)
            printf("# %08" PRIx32 ": the kernel gives %a\n", bits, v);
        return;
    }
    long double y = mpfr_get_ld(c->job.y, MPFR_RNDZ);
    long double share = fabsl(((long double)v - y) / y) / FAST_ERROR;
    if (!(share <= 1))
        c->bad++;
    note(c, bits, share);
}

static void compare_all(struct check *c, const struct fast_kernel *k,
                        uint32_t first, int64_t count, uint32_t stride)
{
    double x[BLOCK], v[BLOCK];
    for (int64_t done = 0; done < count; done += BLOCK) {
        int n = count - done < BLOCK ? (int)(count - done) : BLOCK;
        for (int i = 0; i < n; i++)
            x[i] = number(first + (uint32_t)i * stride);
        k->function(x, v, n);
        for (int i = 0; i < n; i++)
            compare(c, first + (uint32_t)i * stride, v[i]);
        first += (uint32_t)n * stride;
    }
}

int main(int argc, char **argv)
{
    const struct fast_kernel *k = argc > 3 ? fast_find(argv[1]) : NULL;
    if (!k || !k->function || !fast_is_ieee()) {
        fprintf(stderr,
                k ? "check_kernel: the arithmetic is not IEEE's\n"
                  : "usage: check_kernel OP FIRST COUNT [STRIDE [long]]\n");
        return 2;
    }
    struct check c = {.what = op_table_find(k->op)->elementwise,
                      .by = argc > 5 ? find_long(k->op) : NULL};
    c.job.what = c.what;
    c.job.unit = c.job.result = c.job.type = DT_f32;
    mpfr_inits2(PRECISION, c.job.x, c.job.x2, c.job.y, (mpfr_ptr)0);
    mpfr_set_d(c.job.x2, FAST_TINY, MPFR_RNDN);
    compare_all(&c, k, (uint32_t)strtoul(argv[2], NULL, 16),
                strtoll(argv[3], NULL, 0),
                argc > 4 ? (uint32_t)strtoul(argv[4], NULL, 0) : 1);
    printf("%" PRId64 " %.6Lf %08" PRIx32 "\n", c.count, c.worst, c.worst_at);
    mpfr_clears(c.job.x, c.job.x2, c.job.y, (mpfr_ptr)0);
    return c.bad > 0;
}
