/* test_fast_pairs.c - kernels of two operands, against MPFR.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Of fast_angle.c and fast_power.c, which have a bound, and the remainder of
 * fast_pair.c, which is exact.  Pairs are drawn anew from a seed, which is
 * printed: ASSAY_SEED=N repeats them.
 */
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "interp/base/random.h"
#include "interp/exact/real.h"
#include "interp/fast/fast.h"
#include "interp/ops/elementwise.h"
#include "interp/program/op_table.h"
#include "interp/test/fast_f32.h"
#include "interp/test/tap.h"

enum {
    BLOCK = 512,
    BLOCKS = 256, /* 2^17 pairs */
    PRECISION = 64,
};

struct check {
    const struct fast_kernel *kernel;
    struct elementwise_job job; /* whose x, x2 and y hold MPFR's numbers */
    long double worst;
    int compared, special, bad;
};

/* Any number, a small integer or half of one, or next to 1.  No infinity, and
 * no signalling NaN: fast.h says nothing of them. */
static uint32_t draw(struct random *r)
{
    uint64_t k = random_next(r);
    uint32_t bits = (uint32_t)(k >> 32), sign = bits & 0x80000000;
    switch (k & 7) {
    case 0:
        bits = pattern((double)(k >> 16 & 31) / 2) | sign;
        break;
    case 1:
        bits = (0x3f800000 + (bits & 63) - 32) | sign;
        break;
    case 2: /* from 2^-8 to 2^8 */
        bits = (bits & 0x007fffff) | ((119 + (uint32_t)(k >> 8 & 15)) << 23)
               | sign;
        break;
    default:
        break;
    }
    return isinf(number(bits))   ? sign
           : isnan(number(bits)) ? bits | 0x00400000
                                 : bits;
}

/* The other operand: any, or such that the result is an ordinary number:
 * of about the same size, or an exponent of a power of up to 2^140. */
static uint32_t draw_with(struct random *r, uint32_t bits)
{
    uint64_t k = random_next(r);
    double x = fabs(number(bits)), share = (double)(k >> 40) * 0x1p-24;
    double log = log2(x), y = 0;
    switch (k & 3) {
    case 0:
        y = (k & 4 ? -x : x) * (8 * share);
        break;
    case 1:
        y = (k & 4 ? -140 : 140) * share / log;
        break;
    default:
        return draw(r);
    }
    return isfinite((float)y) ? pattern(y) : draw(r);
}

/* Is v right where y is not an ordinary number?  -1: it is one. */
static int agrees_specially(struct check *c, const uint64_t *x, double v,
                            bool inexact)
{
    uint64_t special;
    struct elementwise_job *job = &c->job;
    if (job->what->special && job->what->special(job, x, &special))
        return v == number((uint32_t)special);
    if (mpfr_nan_p(job->y))
        return isnan(v) != 0;
    bool negative = mpfr_signbit(job->y) != 0;
    if ((signbit(v) != 0) != negative)
        return 0;
    if (mpfr_inf_p(job->y))
        return isinf(v) != 0; /* -1 of a negative one */
    if (mpfr_zero_p(job->y) && !inexact)
        return v == 0;
    mpfr_set_d(job->x, FAST_TINY, MPFR_RNDN);
    if (mpfr_cmpabs(job->y, job->x) < 0)
        return fabs(v) <= FAST_TINY;
    return mpfr_get_exp(job->y) > 131 ? fabs(v) >= 0x1p129 : -1;
}

static void check_pair(struct check *c, uint32_t left, uint32_t right, double v)
{
    const uint64_t x[2] = {left, right};
    struct elementwise_job *job = &c->job;
    real_bits_to_mpfr(job->x, DT_f32, left);
    real_bits_to_mpfr(job->x2, DT_f32, right);
    int ternary = job->what->real2(job->y, job->x, job->x2, MPFR_RNDZ);
    int special = agrees_specially(c, x, v, ternary != 0);
    long double share = special >= 0 ? (special ? 0 : INFINITY) : 0;
    if (special < 0) {
        long double y = mpfr_get_ld(job->y, MPFR_RNDZ);
        share = fabsl(((long double)v - y) / y) / FAST_ERROR;
        c->compared++;
    }
    c->special += special >= 0;
    if (!(share <= 1) && c->bad++ == 0)
        printf("# %08x, %08x: the kernel gives %a\n", (unsigned)left,
               (unsigned)right, v);
    c->worst = share > c->worst ? share : c->worst;
}

static long double test(const char *op, struct random *r)
{
    struct check c = {
        .kernel = fast_find(op),
        .job = {.what = op_table_find(op)->elementwise,
                .unit = DT_f32,
                .result = DT_f32,
                .type = DT_f32},
    };
    uint32_t left[BLOCK], right[BLOCK];
    double x[BLOCK], y[BLOCK], v[BLOCK];
    mpfr_inits2(PRECISION, c.job.x, c.job.x2, c.job.y, (mpfr_ptr)0);
    for (int i = 0; i < BLOCKS; i++) {
        for (int k = 0; k < BLOCK; k++) {
            left[k] = draw(r);
            right[k] = draw_with(r, left[k]);
            x[k] = number(left[k]);
            y[k] = number(right[k]);
        }
        c.kernel->function2(x, y, v, BLOCK);
        for (int k = 0; k < BLOCK; k++)
            check_pair(&c, left[k], right[k], v[k]);
    }
    OK(c.compared > BLOCKS * BLOCK / 4 && c.special > BLOCKS,
       "%s: %d ordinary results, %d others", op, c.compared, c.special);
    EQ_INT(c.bad, 0, "%s: within the bound, at most %.3Lf of it", op, c.worst);
    mpfr_clears(c.job.x, c.job.x2, c.job.y, (mpfr_ptr)0);
    return c.worst;
}

int main(void)
{
    const char *given = getenv("ASSAY_SEED");
    struct random r = {given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL)};
    printf("# ASSAY_SEED=%llu\n", (unsigned long long)r.state);
    int tested = 0;
    for (int i = 0; i < fast_count(); i++) {
        const struct fast_kernel *k = fast_at(i);
        if (k->function2 && k->source) {
            test(k->op, &r);
            tested++;
        }
    }
    OK(tested > 0, "there are such kernels");
    OK(test("Rem", &r) == 0, "a remainder is exact");
    return tap_done();
}
