/* fast_near.c - see fast_near.h; compared with MPFR by test_fast_near.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * y = c + s, where c is a constant, in two parts if it is irrational, or x
 * itself, and s = w^k (a + b z + c z^2 + d z^3) with w = x or 1 / |x| and
 * z = w or w^2.  The four coefficients are those of the power series, rounded.
 * With |w| <= 2^-10 what is left out is below 2^-41 s, and all roundings
 * together below 2^-49 s.
 *
 * Where a function levels off, s is a kernel's value, as tanh a = 1 - 2 / (1 +
 * e^2a): its bound is FAST_ERROR.
 */
#include "interp/fast/fast_near.h"

#include <stddef.h>
#include <string.h>

#include "interp/fast/fast.h"
#include "interp/fast/fast_bits.h"
#include "interp/fast/fast_error.h"
#include "interp/fast/fast_exp.h"

#define HALF_PI      0x1.921fb54442d18p+0
#define HALF_PI_REST 0x1.1a62633145c07p-54

enum {
    TERMS = 4,
};

enum limit {
    LIMIT_CONSTANT,
    LIMIT_X,        /* y is near x */
    LIMIT_INFINITY, /* of x; y has its sign */
    LIMIT_LEVEL,    /* s is a kernel's value */
    LIMIT_LEVELS    /* s is one of |x|; y has the sign of x */
};

typedef double level_function(double x);

struct fast_near {
    const char *op;
    enum limit limit;
    double center, rest; /* the constant */
    int power, step;     /* k, and of z */
    double terms[TERMS];
    level_function *level; /* instead of these */
};

static double one(fast_function *kernel, double x)
{
    double v;
    kernel(&x, &v, 1);
    return v;
}

static double level_erf(double a)
{
    return -one(fast_error_erfc, a);
}

static double level_erfc(double x)
{
    return -one(fast_error_erf, x);
}

static double level_erfc_left(double x)
{
    return -one(fast_error_erfc, -x);
}

static double level_expm1(double x)
{
    return one(fast_exp_exp, x);
}

static double level_logistic(double x)
{
    return -one(fast_exp_logistic, -x);
}

static double level_tanh(double a)
{
    return -2 * one(fast_exp_logistic, -2 * a);
}

/* Two limits of a function are neighbours: the second one is beyond 1. */
static const struct fast_near table[] = {
    {"Acos", LIMIT_CONSTANT, HALF_PI, HALF_PI_REST, 1, 2,
     .terms = {-1, -1.0 / 6, -3.0 / 40, -5.0 / 112}},
    {"Asin", LIMIT_X, 0, 0, 3, 2,
     .terms = {1.0 / 6, 3.0 / 40, 5.0 / 112, 35.0 / 1152}},
    {"Asinh", LIMIT_X, 0, 0, 3, 2,
     .terms = {-1.0 / 6, 3.0 / 40, -5.0 / 112, 35.0 / 1152}},
    {"Atan", LIMIT_X, 0, 0, 3, 2,
     .terms = {-1.0 / 3, 1.0 / 5, -1.0 / 7, 1.0 / 9}},
    {"Atan", LIMIT_INFINITY, HALF_PI, HALF_PI_REST, 1, 2,
     .terms = {-1, 1.0 / 3, -1.0 / 5, 1.0 / 7}},
    {"Atanh", LIMIT_X, 0, 0, 3, 2,
     .terms = {1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9}},
    {"Cos", LIMIT_CONSTANT, 1, 0, 2, 2,
     .terms = {-1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320}},
    {"Cosh", LIMIT_CONSTANT, 1, 0, 2, 2,
     .terms = {1.0 / 2, 1.0 / 24, 1.0 / 720, 1.0 / 40320}},
    {"Erf", LIMIT_LEVELS, 1, .level = level_erf},
    {"Erfc", LIMIT_LEVEL, 1, .level = level_erfc},
    {"Erfc", LIMIT_LEVEL, 2, .level = level_erfc_left},
    {"Exp", LIMIT_CONSTANT, 1, 0, 1, 1,
     .terms = {1, 1.0 / 2, 1.0 / 6, 1.0 / 24}},
    {"Expm1", LIMIT_X, 0, 0, 2, 1,
     .terms = {1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120}},
    {"Expm1", LIMIT_LEVEL, -1, .level = level_expm1},
    {"Log1p", LIMIT_X, 0, 0, 2, 1,
     .terms = {-1.0 / 2, 1.0 / 3, -1.0 / 4, 1.0 / 5}},
    {"Logistic", LIMIT_CONSTANT, 0.5, 0, 1, 2,
     .terms = {1.0 / 4, -1.0 / 48, 1.0 / 480, -17.0 / 80640}},
    {"Logistic", LIMIT_LEVEL, 1, .level = level_logistic},
    {"Sin", LIMIT_X, 0, 0, 3, 2,
     .terms = {-1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880}},
    {"Sinh", LIMIT_X, 0, 0, 3, 2,
     .terms = {1.0 / 6, 1.0 / 120, 1.0 / 5040, 1.0 / 362880}},
    {"Tan", LIMIT_X, 0, 0, 3, 2,
     .terms = {1.0 / 3, 2.0 / 15, 17.0 / 315, 62.0 / 2835}},
    {"Tanh", LIMIT_X, 0, 0, 3, 2,
     .terms = {-1.0 / 3, 2.0 / 15, -17.0 / 315, 62.0 / 2835}},
    {"Tanh", LIMIT_LEVELS, 1, .level = level_tanh},
};

int fast_near_count(void)
{
    return (int)(sizeof table / sizeof table[0]);
}

const char *fast_near_op(int i)
{
    return table[i].op;
}

const struct fast_near *fast_near_find(const char *op)
{
    for (int i = 0; i < fast_near_count(); i++)
        if (strcmp(table[i].op, op) == 0)
            return &table[i];
    return NULL;
}

static double series(const struct fast_near *f, double w)
{
    double z = f->step == 2 ? w * w : w;
    double s = f->terms[TERMS - 1];
    for (int i = TERMS - 2; i >= 0; i--)
        s = s * z + f->terms[i];
    for (int i = 0; i < f->power; i++)
        s *= w;
    return s;
}

static int exponent_of(double x)
{
    return (int)(fast_bits(x) >> FAST_FRACTION & 0x7ff);
}

/* The exponent of c + s; -1 if that is too near to a power of two to tell.
 * Where c is that power, the sign of s tells. */
static int exponent_at(double c, double s)
{
    double y = fast_abs(c + s);
    int e = exponent_of(y * (1 - 0x1p-45));
    if (e == exponent_of(y * (1 + 0x1p-45)))
        return e;
    if (fast_bits(c) << (64 - FAST_FRACTION) != 0 || s == 0)
        return -1;
    return exponent_of(c) - ((s < 0) != (c < 0));
}

/* The function's limit on that side of 1. */
static const struct fast_near *limit_for(const struct fast_near *f, bool far)
{
    const struct fast_near *next = f + 1;
    bool more = next < table + fast_near_count();
    return far && more && strcmp(next->op, f->op) == 0 ? next : f;
}

/* False if x is not near the limit. */
static bool find_s(const struct fast_near *f, double x, double *s)
{
    double size = fast_abs(x);
    if (f->level) {
        *s = f->level(f->limit == LIMIT_LEVELS ? size : x);
        return fast_abs(*s) <= FAST_NEAR_REACH && fast_abs(*s) >= FAST_TINY;
    }
    double w = f->limit == LIMIT_INFINITY ? 1 / size : x;
    *s = series(f, w);
    return fast_abs(w) <= FAST_NEAR_REACH;
}

bool fast_near_error(const struct fast_near *of, double x, double got, int p,
                     double *ulps, double *margin)
{
    const struct fast_near *f = limit_for(of, fast_abs(x) > 1);
    double c = f->limit == LIMIT_X ? x : f->center, s;
    if ((f->limit == LIMIT_INFINITY || f->limit == LIMIT_LEVELS) && x < 0)
        got = -got;
    if (!find_s(f, x, &s))
        return false;
    double near = got - c; /* exact */
    if (!(fast_abs(near) <= fast_abs(c) / 2))
        return false;
    int e = exponent_at(c, f->rest + s);
    if (e < 0 || 2 * FAST_BIAS + p - 1 - e >= 0x7ff)
        return false;
    double per_ulp =
        fast_double((uint64_t)(2 * FAST_BIAS + p - 1 - e) << FAST_FRACTION);
    double d = fast_abs(near - (f->rest + s));
    *ulps = d * per_ulp;
    *margin = (fast_abs(s) * FAST_NEAR_ERROR
               + (d + fast_abs(f->rest) + fast_abs(s)) * 0x1p-51)
              * per_ulp;
    return true;
}
