/* check_twice_error.c - the error function and its complement, twice.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * |x| = c + t, c a multiple of 1/32 and |t| <= 1/64: erf(c + t) - erf(c) is
 * its power series around c.  With g(t) = erf'(c + t), g' = -2 (c + t) g gives
 * g's coefficients, and an integration those of erf.  They fall off as those
 * of e^2ct do, so t^25, the first that is left out, is below 2^-110 of the
 * first.  erfc(12), where both are cut off, is below 2^-211.
 */
#include <mpfr.h>

#include "tools/checks/check_twice.h"

enum {
    PRECISION = 256,
    TERMS = 24,
    STEPS = 32, /* in an interval of length 1 */
    LIMIT = 12,
    ROWS = LIMIT * STEPS + 1,
};

static struct {
    double rate_high[TERMS][ROWS], rate_low[TERMS][ROWS];
    double erf_high[ROWS], erf_low[ROWS], erfc_high[ROWS], erfc_low[ROWS];
} table;

/* Row j of the coefficients of (erf(c + t) - erf(c)) / t. */
static void compute_row(int j, double c, mpfr_t *g)
{
    mpfr_t t;
    mpfr_init2(t, PRECISION);
    mpfr_set_d(t, -c * c, MPFR_RNDN); /* exact */
    mpfr_exp(g[1], t, MPFR_RNDN);
    mpfr_const_pi(t, MPFR_RNDN);
    mpfr_rec_sqrt(t, t, MPFR_RNDN);
    mpfr_mul(g[1], g[1], t, MPFR_RNDN);
    mpfr_mul_ui(g[1], g[1], 2, MPFR_RNDN);
    mpfr_set_zero(g[0], 1);
    for (int k = 0; k < TERMS; k++) {
        /* g[0] and g[1] are coefficients k - 1 and k of g. */
        mpfr_div_ui(t, g[1], (unsigned)k + 1, MPFR_RNDN);
        struct twice rate = twice_split(t);
        table.rate_high[k][j] = rate.high;
        table.rate_low[k][j] = rate.low;
        mpfr_mul_d(t, g[1], c, MPFR_RNDN);
        mpfr_add(t, t, g[0], MPFR_RNDN);
        mpfr_mul_si(t, t, -2, MPFR_RNDN);
        mpfr_set(g[0], g[1], MPFR_RNDN);
        mpfr_div_ui(g[1], t, (unsigned)k + 1, MPFR_RNDN);
    }
    mpfr_clear(t);
}

void twice_prepare_error(void)
{
    mpfr_t t, g[2];
    mpfr_inits2(PRECISION, t, g[0], g[1], (mpfr_ptr)0);
    for (int j = 0; j < ROWS; j++) {
        double c = j / (double)STEPS;
        compute_row(j, c, g);
        mpfr_set_d(t, c, MPFR_RNDN);
        mpfr_erf(t, t, MPFR_RNDN);
        struct twice y = twice_split(t);
        table.erf_high[j] = y.high;
        table.erf_low[j] = y.low;
        mpfr_set_d(t, c, MPFR_RNDN);
        mpfr_erfc(t, t, MPFR_RNDN);
        y = twice_split(t);
        table.erfc_high[j] = y.high;
        table.erfc_low[j] = y.low;
    }
    mpfr_clears(t, g[0], g[1], (mpfr_ptr)0);
}

struct near {
    int64_t row;
    struct twice more; /* erf(|x|) - erf(c) */
};

TWICE_INLINE struct near step(double x, int small)
{
    double a = twice_magnitude(x);
    a = a < LIMIT ? a : LIMIT;
    double j = small ? 0 : rint(a * STEPS);
    int64_t row = (int64_t)j;
    struct twice terms[TERMS];
#pragma GCC unroll 32
    for (int k = 0; k < TERMS; k++)
        terms[k] =
            (struct twice){table.rate_high[k][row], table.rate_low[k][row]};
    struct twice t = twice_of(a - j / STEPS); /* exact */
    struct twice y =
        twice_polynomial(terms, small ? 3 : 12, small ? 5 : TERMS, t);
    return (struct near){row, twice_multiply(t, y)};
}

TWICE_INLINE struct twice error(const struct twice_constants *c, double x,
                                int small)
{
    struct near s = step(x, small);
    struct twice base = {table.erf_high[s.row], table.erf_low[s.row]};
    return twice_odd(twice_add(base, s.more), x);
}

/* For negative x it is 1 + erf(|x|). */
TWICE_INLINE struct twice complement(const struct twice_constants *c, double x,
                                     int small)
{
    struct near s = step(x, small);
    struct twice base = {table.erf_high[s.row], table.erf_low[s.row]};
    struct twice rest = {table.erfc_high[s.row], table.erfc_low[s.row]};
    base = twice_add(twice_of(1), twice_add(base, s.more));
    rest = twice_add(rest, twice_negative(s.more));
    return twice_choose(x < 0, base, rest);
}

TWICE_KERNEL(twice_erf, error)
TWICE_KERNEL(twice_erfc, complement)
