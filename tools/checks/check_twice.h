/* check_twice.h - second kernels, of twice the precision.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * They stand in for MPFR where a kernel of interp/fast is compared on every
 * input, and share nothing with it: sums of two doubles (check_twice_number.h)
 * and power series whose coefficients MPFR computes at the start, in each
 * check_twice_*.c the derivation.  They are compared with MPFR themselves, on a
 * sample (tools/test/kernels.t); no bound of theirs is proved.
 */
#ifndef TOOLS_CHECK_TWICE_H
#define TOOLS_CHECK_TWICE_H

#include <mpfr.h>
#include <stdbool.h>

#include "tools/checks/check_twice_number.h"

enum {
    TWICE_EXP_TERMS = 22,
    TWICE_ODD_TERMS = 20,
    TWICE_WAVE_TERMS = 14,
    TWICE_ARCS = 17,
    TWICE_WORDS = 6,
    TWICE_LEAST_EXPONENT = -149,
    TWICE_EXPONENTS = 277, /* of numbers of f32 */
};

struct twice_constants {
    double ln2[3]; /* the first has 40 bits */
    struct twice half_pi, pi;
    struct twice exp[TWICE_EXP_TERMS];   /* 1 / (n + 1)! */
    struct twice odd[TWICE_ODD_TERMS];   /* 1 / (2 n + 1) */
    struct twice minus[TWICE_ODD_TERMS]; /* (-1)^n / (2 n + 1) */
    struct twice sin[TWICE_WAVE_TERMS];  /* (-1)^n / (2 n + 1)! */
    struct twice cos[TWICE_WAVE_TERMS];  /* (-1)^n / (2 n)! */
    /* atan(j / 16) */
    double arc_high[TWICE_ARCS], arc_low[TWICE_ARCS];
    /* 2/pi 2^(e - 23) modulo 4, as a sum of numbers of 29 bits */
    double turns[TWICE_WORDS][TWICE_EXPONENTS];
};

/* y is high + low; the three arrays must not overlap.  small: |x| is below
 * TWICE_SMALL for each, so that series need few terms. */
typedef void twice_function(const struct twice_constants *c,
                            const double *restrict x, double *restrict high,
                            double *restrict low, int n, bool small);

#define TWICE_SMALL 0x1p-20

/* Defines a twice_function from a function of one x. */
#define TWICE_KERNEL(name, of) \
    TWICE_LOOP void name(const struct twice_constants *c, \
                         const double *restrict x, double *restrict high, \
                         double *restrict low, int n, bool small) \
    { \
        for (int i = 0; i < (small ? 0 : n); i++) { \
            struct twice y = of(c, x[i], 0); \
            high[i] = y.high; \
            low[i] = y.low; \
        } \
        for (int i = 0; i < (small ? n : 0); i++) { \
            struct twice y = of(c, x[i], 1); \
            high[i] = y.high; \
            low[i] = y.low; \
        } \
    }

twice_function twice_exp, twice_expm1, twice_logistic, twice_tanh, twice_sinh,
    twice_cosh;
twice_function twice_log, twice_log1p, twice_asinh, twice_acosh, twice_atanh;
twice_function twice_sin, twice_cos, twice_tan;
twice_function twice_atan, twice_asin, twice_acos;
twice_function twice_erf, twice_erfc;
twice_function twice_square_root, twice_inverse_root, twice_cube_root;

struct twice_kernel {
    const char *op;
    twice_function *function;
    double low, high; /* the function's domain; of other numbers it is NaN */
    bool is_flat;     /* constant beyond TWICE_FLAT, and beyond -TWICE_FLAT */
};

/* Far beyond what is compared, and far from overflow. */
#define TWICE_FLAT 200.0

/* The two parts of a number, which is left as what they lack. */
struct twice twice_split(mpfr_t x);
/* Computes what only twice_erf and twice_erfc use: half of a second. */
void twice_prepare_error(void);

/* n >= 1 */
void twice_evaluate(const struct twice_kernel *k, const double *restrict x,
                    double *restrict high, double *restrict low, int n);

/* NULL if there is none.  Computes its constants. */
const struct twice_kernel *twice_find(const char *op);

struct twice_limits {
    double bound, least, most;
};

/* How far v is from y = high + low, as a share of the relative error `bound`,
 * where |y| is within least and most, and not nearly 1 or more; elsewhere -1.
 * Says whether there is any of those, and the largest of the others. */
struct twice_found {
    bool undecided;
    double largest; /* -1 if there is none */
};
struct twice_found twice_compare(const double *restrict v,
                                 const double *restrict high,
                                 const double *restrict low,
                                 double *restrict share, int n,
                                 const struct twice_limits *limits);

static inline bool twice_is_outside(const struct twice_kernel *k, double x)
{
    return !(x >= k->low && x <= k->high);
}

#endif
