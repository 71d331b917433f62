/* test_fast_compare.c - results against values that are known to a bound.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is told of a result must be so for every exact value that the bound
 * permits: for both of its ends, and for v itself, error, bin and rounding are
 * computed by MPFR.  Errors are drawn next to the ends of bins, and results
 * next to powers of two, from a seed, which is printed: ASSAY_SEED=N repeats
 * them.
 */
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "interp/base/random.h"
#include "interp/fast/fast_compare.h"
#include "interp/judge/verdict.h"
#include "interp/test/tap.h"

enum {
    BLOCK = FAST_COMPARE_BLOCK,
    ROUNDS = 200,
    PRECISION = 200,
    NEAR_POWER = 4 /* last places: such a result is next to a power of two */
};

struct drawn {
    double x[BLOCK], v[BLOCK], got[BLOCK];
};

static double fraction(struct random *r)
{
    return (double)(random_next(r) >> 11) * 0x1p-53;
}

/* In eighths of an ulp: anything up to bin 66, or next to the end of a bin, at
 * k or, as millionths are rounded, 4e-6 after it. */
static double draw_error(struct random *r, double margin)
{
    uint64_t k = random_next(r);
    double end = (double)(k % 66) + (k >> 32 & 1 ? 4e-6 : 0);
    double off = (fraction(r) - 0.5) * 64 * margin;
    double t = k >> 33 & 1 ? end + off : fraction(r) * 66;
    t = k >> 34 & 1 ? fmod(t, 6) : t;
    return t < 0 ? 0 : t;
}

static void draw(struct drawn *d, enum dtype type, double margin,
                 struct random *r)
{
    const struct dtype_info *t = &dtype_table[type];
    int p = t->precision, span = t->emax - t->emin - 8;
    for (int i = 0; i < BLOCK; i++) {
        uint64_t k = random_next(r);
        double places = ldexp(1, p - 1);
        double m = k & 1 ? floor(fraction(r) * places)
                         : (double)(k >> 8 & (NEAR_POWER - 1));
        m = k & 2 ? places - 1 - m : m;
        int e = t->emin + 4 + (int)(k >> 16 & 0xff) % span;
        double got = ldexp(places + m, e - p + 1) * (k & 4 ? -1 : 1);
        double ulp = ldexp(1, e - p + 1) * (k & 8 ? 1 : -1);
        d->x[i] = 1;
        d->got[i] = got;
        d->v[i] = got - draw_error(r, margin) / 8 * ulp;
        /* Or v is so near to a power of two that y may be across it. */
        if ((k >> 24 & 3) == 0)
            d->v[i] = copysign(ldexp(1, e), got)
                      * (1 + ((double)(k >> 32 & 127) - 64) * 0x1p-53);
    }
}

/* The bin of got's error for the exact value v (1 + e), and whether got is that
 * value rounded; eighths is the error. */
static int bin_of(enum dtype type, double v, double e, double got,
                  bool *rounded, double *eighths)
{
    int p = dtype_table[type].precision;
    mpfr_t y, d, near;
    mpfr_inits2(PRECISION, y, d, (mpfr_ptr)0);
    mpfr_init2(near, p);
    mpfr_set_d(d, e, MPFR_RNDN);
    mpfr_add_ui(d, d, 1, MPFR_RNDN);
    mpfr_mul_d(y, d, v, MPFR_RNDN);
    mpfr_set(near, y, MPFR_RNDN);
    *rounded = mpfr_cmp_d(near, got) == 0;
    mpfr_d_sub(d, got, y, MPFR_RNDN);
    bool below = mpfr_sgn(d) < 0;
    mpfr_abs(d, d, MPFR_RNDN);
    mpfr_mul_2si(d, d, p - mpfr_get_exp(y), MPFR_RNDN);
    *eighths = 8 * mpfr_get_d(d, MPFR_RNDN);
    mpfr_mul_ui(d, d, 1000000, MPFR_RNDN);
    mpfr_round(d, d);
    int bin = verdict_bin(mpfr_get_sj(d, MPFR_RNDN));
    mpfr_clears(y, d, near, (mpfr_ptr)0);
    return below ? -bin : bin;
}

/* Is what is told of a unit so? */
static bool is_right(const struct fast_compare *c, enum dtype type,
                     const struct drawn *d, int i, int told, double eighths)
{
    bool right = true;
    for (int end = -1; end <= 1; end++) {
        bool rounded;
        double exact;
        int bin =
            bin_of(type, d->v[i], end * c->error, d->got[i], &rounded, &exact);
        right = right && bin == told && rounded == (abs(bin) <= 4)
                && fabs(eighths - exact) <= 8 * c->margin
                && (rounded || (d->got[i] >= c->low && d->got[i] <= c->high));
    }
    return right;
}

/* Must it be told?  It is far from the ends of bins and powers of two. */
static bool is_clear(const struct fast_compare *c, enum dtype type,
                     const struct drawn *d, int i)
{
    bool rounded;
    double t, m = fabs(frexp(d->v[i], &(int){0}));
    int bin = abs(bin_of(type, d->v[i], 0, d->got[i], &rounded, &t));
    bool allowed =
        bin <= 4
        || (bin <= c->wide && d->got[i] >= c->low && d->got[i] <= c->high);
    double off = fabs(t - floor(t + 0.5));
    return allowed && off > 2e-5 && m > 0.5 + 1e-9 && m < 1 - 1e-9;
}

static void test(enum dtype type, bool wide, struct random *r)
{
    struct fast_compare c = fast_compare_of(type, FAST_ERROR, false);
    struct fast_compare_block b;
    struct drawn d;
    int64_t count[FAST_COMPARE_BINS] = {0}, due[FAST_COMPARE_BINS] = {0};
    int wrong = 0, lost = 0, told = 0, beyond = 0;
    fast_compare_allow(&c, wide ? 100 : 0, -INFINITY, INFINITY);
    for (int round = 0; round < ROUNDS; round++) {
        int n = round % 3 == 0 ? BLOCK - 1 - (int)(random_next(r) % 64) : BLOCK;
        double most = -1;
        draw(&d, type, c.margin * 8, r);
        if (round % 2 == 0)
            c.high = fabs(d.got[0]);
        fast_compare_all(&c, d.x, d.v, d.got, n, &b);
        fast_compare_count(&b, n, count);
        for (int i = 0; i < n; i++) {
            uint8_t place = fast_compare_place(&b, i);
            int bin = fast_compare_bin(place);
            lost += place == FAST_COMPARE_OPEN && is_clear(&c, type, &d, i);
            if (place == FAST_COMPARE_OPEN)
                continue;
            told++;
            beyond += abs(bin) > FAST_COMPARE_BIN;
            due[bin + FAST_COMPARE_MOST]++;
            most = fmax(most, b.eighths[i]);
            wrong += !is_right(&c, type, &d, i, bin, b.eighths[i]);
        }
        wrong += most != b.most;
    }
    const char *name = dtype_table[type].name;
    OK(wrong == 0 && told > 0, "%s: %d results, %d wrong", name, told, wrong);
    OK(lost == 0, "%s: %d clear ones are not told", name, lost);
    OK((beyond > 0) == wide, "%s: %d within a budget", name, beyond);
    OK(memcmp(count, due, sizeof count) == 0, "%s: all are counted", name);
}

int main(void)
{
    const char *given = getenv("ASSAY_SEED");
    struct random r = {given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL)};
    printf("# ASSAY_SEED=%llu\n", (unsigned long long)r.state);
    for (int wide = 0; wide < 2; wide++) {
        test(DT_f32, wide, &r);
        test(DT_f16, wide, &r);
        test(DT_bf16, wide, &r);
    }
    mpfr_free_cache();
    return tap_done();
}
