/* check_twice.c - see check_twice.h: the table, and the constants by MPFR.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tools/checks/check_twice.h"

#include <mpfr.h>
#include <stddef.h>

enum {
    PRECISION = 512,
    LN2_BITS = 40,
    WORD_BITS = 29,
};

static const struct twice_kernel kernels[] = {
    {"Acos", twice_acos, -1, 1, false},
    {"Acosh", twice_acosh, 1, INFINITY, false},
    {"Asin", twice_asin, -1, 1, false},
    {"Asinh", twice_asinh, -INFINITY, INFINITY, false},
    {"Atan", twice_atan, -INFINITY, INFINITY, false},
    {"Atanh", twice_atanh, -1, 1, false},
    {"Cbrt", twice_cube_root, -INFINITY, INFINITY, false},
    {"Cos", twice_cos, -INFINITY, INFINITY, false},
    {"Cosh", twice_cosh, -INFINITY, INFINITY, true},
    {"Erf", twice_erf, -INFINITY, INFINITY, true},
    {"Erfc", twice_erfc, -INFINITY, INFINITY, true},
    {"Exp", twice_exp, -INFINITY, INFINITY, true},
    {"Expm1", twice_expm1, -INFINITY, INFINITY, true},
    {"Log", twice_log, 0, INFINITY, false},
    {"Log1p", twice_log1p, -1, INFINITY, false},
    {"Logistic", twice_logistic, -INFINITY, INFINITY, true},
    {"Rsqrt", twice_inverse_root, 0, INFINITY, false},
    {"Sin", twice_sin, -INFINITY, INFINITY, false},
    {"Sinh", twice_sinh, -INFINITY, INFINITY, true},
    {"Sqrt", twice_square_root, 0, INFINITY, false},
    {"Tan", twice_tan, -INFINITY, INFINITY, false},
    {"Tanh", twice_tanh, -INFINITY, INFINITY, true},
};

static struct twice_constants constants;

/* Finds extremes of the bits, which order numbers that are not negative as they
 * are, and negative ones by size, below the others. */
TWICE_LOOP static void find_extremes(const double *x, int n, int64_t *least,
                                     int64_t *most)
{
    int64_t a = INT64_MAX, b = INT64_MIN;
    for (int i = 0; i < n; i++) {
        int64_t bits = (int64_t)twice_bits(x[i]);
        a = bits < a ? bits : a;
        b = bits > b ? bits : b;
    }
    *least = a;
    *most = b;
}

TWICE_LOOP static void find_shares(const double *restrict v,
                                   const double *restrict high,
                                   const double *restrict low,
                                   double *restrict share, int n,
                                   const struct twice_limits *limits)
{
    double scale = 1 / limits->bound;
    double least = limits->least, most = limits->most;
    for (int i = 0; i < n; i++) {
        double far = ((v[i] - high[i]) - low[i]) / high[i];
        double s = twice_magnitude(far) * scale, y = twice_magnitude(high[i]);
        s = s < 1 - 0x1p-20 ? s : -1;
        s = y >= least ? s : -1;
        share[i] = y <= most ? s : -1;
    }
}

struct twice_found twice_compare(const double *restrict v,
                                 const double *restrict high,
                                 const double *restrict low,
                                 double *restrict share, int n,
                                 const struct twice_limits *limits)
{
    int64_t first, last;
    find_shares(v, high, low, share, n, limits);
    find_extremes(share, n, &first, &last);
    return (struct twice_found){first < 0, twice_double((uint64_t)last)};
}

/* The first bits of x, rounded, which x loses. */
static double take_part(mpfr_t x, int bits, mpfr_rnd_t rounding)
{
    mpfr_t part;
    mpfr_init2(part, bits);
    mpfr_set(part, x, rounding);
    double taken = mpfr_get_d(part, MPFR_RNDN);
    mpfr_sub(x, x, part, MPFR_RNDN);
    mpfr_clear(part);
    return taken;
}

struct twice twice_split(mpfr_t x)
{
    double high = take_part(x, 53, MPFR_RNDN);
    return (struct twice){high, take_part(x, 53, MPFR_RNDN)};
}

/* sign / by! or sign / by */
static struct twice inverse(unsigned by, bool factorial, int sign, mpfr_t t)
{
    if (factorial)
        mpfr_fac_ui(t, by, MPFR_RNDN);
    else
        mpfr_set_ui(t, by, MPFR_RNDN);
    mpfr_si_div(t, sign, t, MPFR_RNDN);
    return twice_split(t);
}

static void compute_series(struct twice_constants *c, mpfr_t t)
{
    for (unsigned n = 0; n < TWICE_EXP_TERMS; n++)
        c->exp[n] = inverse(n + 1, true, 1, t);
    for (unsigned n = 0; n < TWICE_ODD_TERMS; n++) {
        c->odd[n] = inverse(2 * n + 1, false, 1, t);
        c->minus[n] = inverse(2 * n + 1, false, n % 2 ? -1 : 1, t);
    }
    for (unsigned n = 0; n < TWICE_WAVE_TERMS; n++) {
        c->sin[n] = inverse(2 * n + 1, true, n % 2 ? -1 : 1, t);
        c->cos[n] = inverse(2 * n, true, n % 2 ? -1 : 1, t);
    }
}

static void compute_turns(struct twice_constants *c, mpfr_t t, mpfr_t four)
{
    mpfr_set_ui(four, 4, MPFR_RNDN);
    for (int i = 0; i < TWICE_EXPONENTS; i++) {
        mpfr_const_pi(t, MPFR_RNDN);
        mpfr_ui_div(t, 2, t, MPFR_RNDN);
        mpfr_mul_2si(t, t, i + TWICE_LEAST_EXPONENT - 23, MPFR_RNDN);
        mpfr_fmod(t, t, four, MPFR_RNDN);
        for (int word = 0; word < TWICE_WORDS; word++)
            c->turns[word][i] = take_part(t, WORD_BITS, MPFR_RNDZ);
    }
}

static void compute(struct twice_constants *c)
{
    mpfr_t t, four;
    mpfr_inits2(PRECISION, t, four, (mpfr_ptr)0);
    mpfr_const_log2(t, MPFR_RNDN);
    c->ln2[0] = take_part(t, LN2_BITS, MPFR_RNDN);
    c->ln2[1] = take_part(t, 53, MPFR_RNDN);
    c->ln2[2] = take_part(t, 53, MPFR_RNDN);
    mpfr_const_pi(t, MPFR_RNDN);
    c->pi = twice_split(t);
    c->half_pi = (struct twice){c->pi.high / 2, c->pi.low / 2};
    compute_series(c, t);
    for (int j = 0; j < TWICE_ARCS; j++) {
        mpfr_set_d(t, j / (TWICE_ARCS - 1.0), MPFR_RNDN);
        mpfr_atan(t, t, MPFR_RNDN);
        struct twice arc = twice_split(t);
        c->arc_high[j] = arc.high;
        c->arc_low[j] = arc.low;
    }
    compute_turns(c, t, four);
    mpfr_clears(t, four, (mpfr_ptr)0);
}

void twice_evaluate(const struct twice_kernel *k, const double *restrict x,
                    double *restrict high, double *restrict low, int n)
{
    int64_t first, last;
    find_extremes(x, n, &first, &last);
    bool one_sign = (first < 0) == (last < 0);
    double least = twice_magnitude(twice_double((uint64_t)first));
    double most = twice_magnitude(twice_double((uint64_t)last));
    bool small = one_sign && most < TWICE_SMALL;
    bool flat = one_sign && k->is_flat && least >= TWICE_FLAT && !isnan(most);
    k->function(&constants, x, high, low, flat ? 1 : n, small);
    for (int i = 1; i < n && flat; i++) {
        high[i] = high[0];
        low[i] = low[0];
    }
}

const struct twice_kernel *twice_find(const char *op)
{
    const struct twice_kernel *found = NULL;
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (strcmp(kernels[i].op, op) == 0)
            found = &kernels[i];
    if (!found)
        return NULL;
    compute(&constants);
    if (found->function == twice_erf || found->function == twice_erfc)
        twice_prepare_error();
    return found;
}
