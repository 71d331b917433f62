/* test_fast_near.c - errors next to a function's limit, against MPFR.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Inputs are drawn anew from a seed, which is printed: ASSAY_SEED=N repeats
 * them.
 */
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "interp/base/random.h"
#include "interp/exact/real.h"
#include "interp/fast/fast_near.h"
#include "interp/ops/elementwise.h"
#include "interp/program/op_table.h"
#include "interp/test/fast_f32.h"
#include "interp/test/tap.h"

enum {
    TRIALS = 20000,
    PRECISION = 300,
    BITS = 24,
};

/* Is that error right, by MPFR? */
static bool is_right(struct elementwise_job *job, double got, double ulps,
                     double margin)
{
    mpfr_t d;
    mpfr_init2(d, PRECISION);
    mpfr_set_d(d, got, MPFR_RNDN);
    mpfr_sub(d, d, job->y, MPFR_RNDN);
    mpfr_abs(d, d, MPFR_RNDN);
    mpfr_mul_2si(d, d, BITS - mpfr_get_exp(job->y), MPFR_RNDN);
    mpfr_sub_d(d, d, ulps, MPFR_RNDN);
    bool right = mpfr_cmpabs_ui(d, 1) < 0 && mpfr_get_d(d, MPFR_RNDA) <= margin
                 && mpfr_get_d(d, MPFR_RNDA) >= -margin;
    mpfr_clear(d);
    return right;
}

static void test(const char *op, struct random *r)
{
    const struct fast_near *f = fast_near_find(op);
    struct elementwise_job job = {.what = op_table_find(op)->elementwise,
                                  .unit = DT_f32,
                                  .result = DT_f32,
                                  .type = DT_f32};
    int decided = 0, wrong = 0, near_zero = 0;
    double widest = 0;
    mpfr_inits2(PRECISION, job.x, job.x2, job.y, (mpfr_ptr)0);
    for (int i = 0; i < TRIALS; i++) {
        uint64_t k = random_next(r);
        /* Draws from 2^-60 to 2^100, or from 1/2 to 128, where functions level
         * off; or next to a power of two. */
        uint32_t binade = k >> 62 & 1 ? 67 + (uint32_t)(k >> 40) % 160
                                      : 126 + (uint32_t)(k >> 40) % 8;
        uint32_t bits =
            (uint32_t)(k >> 63) << 31 | binade << 23
            | (k & 1 ? (uint32_t)(k >> 8) & 0x7fffff : (uint32_t)(k >> 8) & 3);
        bits -= k & 2 && !(k & 1) ? 2 : 0;
        double x = number(bits), ulps, margin;
        real_bits_to_mpfr(job.x, DT_f32, bits);
        job.what->real(job.y, job.x, MPFR_RNDZ);
        if (mpfr_nan_p(job.y) || mpfr_inf_p(job.y))
            continue;
        uint32_t nearest = pattern((double)mpfr_get_flt(job.y, MPFR_RNDN));
        double got = number(nearest + (uint32_t)(k >> 4 & 3) - 1);
        if (!fast_near_error(f, x, got, BITS, &ulps, &margin))
            continue;
        decided++;
        near_zero += (k >> 4 & 3) == 1;
        wrong += !is_right(&job, got, ulps, margin);
        widest = ulps < 8 && margin > widest ? margin : widest;
    }
    OK(decided > TRIALS / 16 && near_zero > 0,
       "%s: %d of %d are near its limit", op, decided, TRIALS);
    EQ_INT(wrong, 0, "%s: errors are within their margin", op);
    OK(widest < 0x1p-24, "%s: which is at most %.3g ulp", op, widest);
    mpfr_clears(job.x, job.x2, job.y, (mpfr_ptr)0);
}

int main(void)
{
    const char *given = getenv("ASSAY_SEED");
    struct random r = {given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL)};
    printf("# ASSAY_SEED=%llu\n", (unsigned long long)r.state);
    for (int i = 0; i < fast_near_count(); i++)
        if (i == 0 || strcmp(fast_near_op(i), fast_near_op(i - 1)) != 0)
            test(fast_near_op(i), &r);
    OK(!fast_near_find("Sqrt"), "a square root has no limit");
    return tap_done();
}
