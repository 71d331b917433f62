/* fast_near.c - see fast_near.h; compared with MPFR by test_fast_near.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * y = c + s, where c is a constant, in two parts if it is irrational, or x
 * itself, and s = w^k (a + b z + c z^2 + d z^3) with w = x or 1 / |x| and
 * z = w or w^2.  The four coefficients are those of the power series, rounded.
 * With |w| <= 2^-10 what is left out is below 2^-41 s, and all roundings
 * together below 2^-49 s.
 */
#include "interp/fast/fast_near.h"

#include <stddef.h>
#include <string.h>

#include "interp/fast/fast_bits.h"

#define HALF_PI      0x1.921fb54442d18p+0
#define HALF_PI_REST 0x1.1a62633145c07p-54

enum {
    TERMS = 4,
};

enum limit {
    LIMIT_CONSTANT,
    LIMIT_X,       /* y is near x */
    LIMIT_INFINITY /* of x; y has its sign */
};

struct fast_near {
    const char *op;
    enum limit limit;
    double center, rest; /* the constant */
    int power, step;     /* k, and of z */
    double terms[TERMS];
};

static const struct fast_near table[] = {
    {"Acos",
     LIMIT_CONSTANT,
     HALF_PI,
     HALF_PI_REST,
     1,
     2,
     {-1, -1.0 / 6, -3.0 / 40, -5.0 / 112}},
    {"Asin", LIMIT_X, 0, 0, 3, 2, {1.0 / 6, 3.0 / 40, 5.0 / 112, 35.0 / 1152}},
    {"Asinh",
     LIMIT_X,
     0,
     0,
     3,
     2,
     {-1.0 / 6, 3.0 / 40, -5.0 / 112, 35.0 / 1152}},
    {"Atan", LIMIT_X, 0, 0, 3, 2, {-1.0 / 3, 1.0 / 5, -1.0 / 7, 1.0 / 9}},
    {"Atan",
     LIMIT_INFINITY,
     HALF_PI,
     HALF_PI_REST,
     1,
     2,
     {-1, 1.0 / 3, -1.0 / 5, 1.0 / 7}},
    {"Atanh", LIMIT_X, 0, 0, 3, 2, {1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9}},
    {"Cos",
     LIMIT_CONSTANT,
     1,
     0,
     2,
     2,
     {-1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320}},
    {"Cosh",
     LIMIT_CONSTANT,
     1,
     0,
     2,
     2,
     {1.0 / 2, 1.0 / 24, 1.0 / 720, 1.0 / 40320}},
    {"Exp", LIMIT_CONSTANT, 1, 0, 1, 1, {1, 1.0 / 2, 1.0 / 6, 1.0 / 24}},
    {"Expm1", LIMIT_X, 0, 0, 2, 1, {1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120}},
    {"Log1p", LIMIT_X, 0, 0, 2, 1, {-1.0 / 2, 1.0 / 3, -1.0 / 4, 1.0 / 5}},
    {"Logistic",
     LIMIT_CONSTANT,
     0.5,
     0,
     1,
     2,
     {1.0 / 4, -1.0 / 48, 1.0 / 480, -17.0 / 80640}},
    {"Sin",
     LIMIT_X,
     0,
     0,
     3,
     2,
     {-1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880}},
    {"Sinh",
     LIMIT_X,
     0,
     0,
     3,
     2,
     {1.0 / 6, 1.0 / 120, 1.0 / 5040, 1.0 / 362880}},
    {"Tan", LIMIT_X, 0, 0, 3, 2, {1.0 / 3, 2.0 / 15, 17.0 / 315, 62.0 / 2835}},
    {"Tanh",
     LIMIT_X,
     0,
     0,
     3,
     2,
     {-1.0 / 3, 2.0 / 15, -17.0 / 315, 62.0 / 2835}},
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

/* The function's limit on that side of 1; its limits are neighbours. */
static const struct fast_near *limit_for(const struct fast_near *f, bool far)
{
    const struct fast_near *next = f + 1;
    bool more = next < table + fast_near_count();
    return far && more && strcmp(next->op, f->op) == 0 ? next : f;
}

bool fast_near_error(const struct fast_near *of, double x, double got, int p,
                     double *ulps, double *margin)
{
    double size = fast_abs(x);
    const struct fast_near *f = limit_for(of, size > 1);
    double w = f->limit == LIMIT_INFINITY ? 1 / size : x;
    double c = f->limit == LIMIT_X ? x : f->center;
    if (f->limit == LIMIT_INFINITY && x < 0)
        got = -got;
    if (!(fast_abs(w) <= FAST_NEAR_REACH))
        return false;
    double s = series(f, w), near = got - c; /* exact */
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
