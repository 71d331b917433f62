/* check_kernel.c - a kernel's values against MPFR, input by input.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *     build/tools/checks/check_kernel OP FIRST COUNT [STRIDE [BY [FAULT]]]
 *
 * Evaluates the kernel of OP and MPFR on COUNT patterns of f32 from FIRST (in
 * hexadecimal) on, each STRIDE from the last, and prints how many were
 * compared, the largest |v - y| / (FAST_ERROR |y|), and its pattern.  Exit
 * status 1 if that is above 1, or a special value is not what fast.h says.
 *
 * BY says with what.  "mpfr" is the default.  With "twice" a second kernel, of
 * twice the precision (check_twice.h), replaces MPFR except at what it leaves
 * open: zeros, poles, results next to FAST_TINY or FAST_HUGE, and a v that is
 * not clearly within the bound.  "itself" compares that second kernel with
 * MPFR, by SECOND_ERROR.
 *
 * At the pattern FAULT (in hexadecimal) what is compared is made wrong by twice
 * what is allowed, to see that this is noticed.
 */
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
#include "tools/checks/check_twice.h"

enum {
    BLOCK = 512,
    PRECISION = 64,       /* of the exact value, cut off */
    MORE_PRECISION = 192, /* the same, for a second kernel */
};

/* The largest relative error of a second kernel. */
#define SECOND_ERROR 0x1p-100

struct check {
    const struct fast_kernel *kernel;
    const struct twice_kernel *twice; /* NULL: only MPFR */
    bool itself;                      /* compare only the second kernel */
    int64_t fault;                    /* a pattern, or -1 */
    const struct elementwise *what;
    struct elementwise_job job; /* whose x and y hold MPFR's numbers */
    mpfr_t rest;
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

/* Does v agree with y, where y is not an ordinary number?  Else -1. */
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

static void note(struct check *c, uint32_t bits, long double share)
{
    if (!(share <= c->worst)) {
        c->worst = share;
        c->worst_at = bits;
    }
}

/* Is v right where y is NaN, far below FAST_TINY or far above FAST_HUGE? */
static bool is_settled(const struct check *c, double x, double v, double high)
{
    if (twice_is_outside(c->twice, x))
        return isnan(v);
    if ((signbit(v) != 0) != (signbit(high) != 0))
        return false;
    double size = fabs(high);
    return size >= 2 * FAST_HUGE
               ? fabs(v) >= 0x1p129
               : size > 0 && size <= FAST_TINY / 2 && fabs(v) <= FAST_TINY;
}

static void compare_value(struct check *c, uint32_t bits, double v)
{
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

/* The second kernel's own error: within SECOND_ERROR where y is ordinary; and
 * what it says of NaN and of sizes elsewhere (is_settled) must be so. */
static void compare_second(struct check *c, uint32_t bits, double high,
                           double low)
{
    real_bits_to_mpfr(c->job.x, DT_f32, bits);
    int ternary = c->what->real(c->job.y, c->job.x, MPFR_RNDZ);
    double y = mpfr_get_d(c->job.y, MPFR_RNDZ), size = fabs(y);
    bool good = true;
    if (isnan(y) || twice_is_outside(c->twice, number(bits))) {
        good = isnan(y) && twice_is_outside(c->twice, number(bits));
    } else if (size >= FAST_TINY && size <= FAST_HUGE) {
        mpfr_sub_d(c->rest, c->job.y, high, MPFR_RNDN);
        mpfr_sub_d(c->rest, c->rest, low, MPFR_RNDN);
        mpfr_div(c->rest, c->rest, c->job.y, MPFR_RNDN);
        double share = fabs(mpfr_get_d(c->rest, MPFR_RNDN)) / SECOND_ERROR;
        good = share <= 1;
        note(c, bits, share);
    } else if (size > 0 || ternary != 0) {
        good = (signbit(high) != 0) == (mpfr_signbit(c->job.y) != 0)
               && (size > 1 ? fabs(high) >= FAST_HUGE / 2
                            : fabs(high) <= 2 * FAST_TINY);
    }
    if (!good && c->bad++ == 0)
        printf("# %08" PRIx32 ": the second kernel gives %a + %a\n", bits, high,
               low);
}

static bool are_all_outside(const struct check *c, const double *x,
                            const double *v, int n)
{
    for (int i = 0; i < n; i++)
        if (!twice_is_outside(c->twice, x[i]) || !isnan(v[i]))
            return false;
    return true;
}

/* By the second kernel, and by MPFR where that is undecided. */
static void compare_twice(struct check *c, const uint32_t *bits,
                          const double *x, const double *v, int n)
{
    double high[BLOCK], low[BLOCK], share[BLOCK];
    if (!c->itself && are_all_outside(c, x, v, n))
        return;
    twice_evaluate(c->twice, x, high, low, n);
    for (int i = 0; i < n && c->itself; i++) {
        double fault = bits[i] == c->fault ? 2 * SECOND_ERROR : 0;
        compare_second(c, bits[i], high[i], low[i] + fault * high[i]);
    }
    if (c->itself)
        return;
    struct twice_limits limits = {FAST_ERROR, 2 * FAST_TINY, FAST_HUGE / 2};
    struct twice_found found = twice_compare(v, high, low, share, n, &limits);
    if (!found.undecided && found.largest <= c->worst)
        return;
    for (int i = 0; i < n; i++) {
        if (share[i] >= 0)
            note(c, bits[i], share[i]);
        else if (!is_settled(c, x[i], v[i], high[i]))
            compare_value(c, bits[i], v[i]);
    }
}

/* Infinite operands are unspecified: NaN replaces them, and is not counted. */
static void compare_block(struct check *c, uint32_t first, int n,
                          uint32_t stride)
{
    uint32_t bits[BLOCK];
    double x[BLOCK] = {0}, v[BLOCK];
    for (int i = 0; i < n; i++) {
        uint32_t b = first + (uint32_t)i * stride;
        bool infinite = (b & 0x7fffffff) == 0x7f800000;
        bits[i] = infinite ? 0x7fc00000 : b;
        x[i] = number(bits[i]);
        c->count += !infinite;
    }
    c->kernel->function(x, v, n);
    for (int i = 0; i < n && c->fault >= 0; i++)
        v[i] += bits[i] == c->fault ? 2 * FAST_ERROR * v[i] : 0;
    if (c->twice) {
        compare_twice(c, bits, x, v, n);
        return;
    }
    for (int i = 0; i < n; i++)
        compare_value(c, bits[i], v[i]);
}

static void compare_all(struct check *c, uint32_t first, int64_t count,
                        uint32_t stride)
{
    mpfr_inits2(c->itself ? MORE_PRECISION : PRECISION, c->job.x, c->job.x2,
                c->job.y, c->rest, (mpfr_ptr)0);
    mpfr_set_d(c->job.x2, FAST_TINY, MPFR_RNDN);
    for (int64_t done = 0; done < count; done += BLOCK) {
        int n = count - done < BLOCK ? (int)(count - done) : BLOCK;
        compare_block(c, first, n, stride);
        first += (uint32_t)n * stride;
    }
    printf("%" PRId64 " %.6Lf %08" PRIx32 "\n", c->count, c->worst,
           c->worst_at);
    mpfr_clears(c->job.x, c->job.x2, c->job.y, c->rest, (mpfr_ptr)0);
}

int main(int argc, char **argv)
{
    const struct fast_kernel *k = argc > 3 ? fast_find(argv[1]) : NULL;
    const char *by = argc > 5 ? argv[5] : "mpfr";
    struct check c = {.kernel = k, .itself = strcmp(by, "itself") == 0};
    bool second = c.itself || strcmp(by, "twice") == 0;
    if (!k || !k->function || (!second && strcmp(by, "mpfr") != 0)) {
        fputs("usage: check_kernel OP FIRST COUNT [STRIDE [mpfr|twice|itself "
              "[FAULT]]]\n",
              stderr);
        return 2;
    }
    c.twice = second ? twice_find(k->op) : NULL;
    if (!fast_is_ieee() || (second && !c.twice)) {
        fprintf(stderr, "check_kernel: %s\n",
                fast_is_ieee() ? "no second kernel"
                               : "the arithmetic is not IEEE's");
        return 2;
    }
    c.fault = argc > 6 ? strtoll(argv[6], NULL, 16) : -1;
    struct arena a = {0};
    struct status st = {0};
    struct machine machine = {0};
    struct eval ev = {.machine = &machine};
    if (!profile_load(&a, "strict", &machine.profile, &st)) {
        fprintf(stderr, "check_kernel: %s\n", st.text);
        return 2;
    }
    c.what = op_table_find(k->op)->elementwise;
    c.job.ev = &ev;
    c.job.what = c.what;
    c.job.unit = c.job.result = c.job.type = DT_f32;
    compare_all(&c, (uint32_t)strtoul(argv[2], NULL, 16),
                strtoll(argv[3], NULL, 0),
                argc > 4 ? (uint32_t)strtoul(argv[4], NULL, 0) : 1);
    arena_free(&a);
    return c.bad > 0;
}
