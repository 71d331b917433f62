/* fast_estimate.c - see fast_estimate.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/fast/fast_estimate.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    FRACTION = 52,
    BIAS = 1023,
    BITS_MIN = 64,
};

/* ---- Functions ----------------------------------------------------------- */

static long double negate(long double x)
{
    return -x;
}

static long double logistic(long double x)
{
    return 1 / (1 + expl(-x));
}

static long double inverse_root(long double x)
{
    return 1 / sqrtl(x);
}

static long double add(long double x, long double y)
{
    return x + y;
}

static long double subtract(long double x, long double y)
{
    return x - y;
}

static long double multiply(long double x, long double y)
{
    return x * y;
}

static long double divide(long double x, long double y)
{
    return x / y;
}

static const struct fast_estimate table[] = {
    {"Abs", fabsl, NULL},          {"Acos", acosl, NULL},
    {"Acosh", acoshl, NULL},       {"Add", NULL, add},
    {"Asin", asinl, NULL},         {"Asinh", asinhl, NULL},
    {"Atan", atanl, NULL},         {"Atan2", NULL, atan2l},
    {"Atanh", atanhl, NULL},       {"Cbrt", cbrtl, NULL},
    {"Ceil", ceill, NULL},         {"Cos", cosl, NULL},
    {"Cosh", coshl, NULL},         {"Div", NULL, divide},
    {"Erf", erfl, NULL},           {"Erfc", erfcl, NULL},
    {"Exp", expl, NULL},           {"Expm1", expm1l, NULL},
    {"Floor", floorl, NULL},       {"Log", logl, NULL},
    {"Log1p", log1pl, NULL},       {"Logistic", logistic, NULL},
    {"Mul", NULL, multiply},       {"Neg", negate, NULL},
    {"Pow", NULL, powl},           {"Rem", NULL, fmodl},
    {"Round", roundl, NULL},       {"RoundNearestEven", rintl, NULL},
    {"Rsqrt", inverse_root, NULL}, {"Sin", sinl, NULL},
    {"Sinh", sinhl, NULL},         {"Sqrt", sqrtl, NULL},
    {"Sub", NULL, subtract},       {"Tan", tanl, NULL},
    {"Tanh", tanhl, NULL},
};

const struct fast_estimate *fast_estimate_find(const char *op)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (LDBL_MANT_DIG >= BITS_MIN && strcmp(table[i].op, op) == 0)
            return &table[i];
    return NULL;
}

int fast_estimate_count(void)
{
    return (int)(sizeof table / sizeof table[0]);
}

const struct fast_estimate *fast_estimate_at(int i)
{
    return &table[i];
}

/* ---- Errors -------------------------------------------------------------- */

static uint64_t bits_of(double x)
{
    uint64_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}

/* 2^e, of a normal number. */
static double power(int e)
{
    uint64_t b = (uint64_t)(e + BIAS) << FRACTION;
    double x;
    memcpy(&x, &b, sizeof x);
    return x;
}

/* The last place of v, a finite value that was rounded to nearest. */
static int place_of(long double v, double nearest)
{
    uint64_t b = bits_of(fabs(nearest));
    int e = (int)(b >> FRACTION);
    bool below = (b & ((UINT64_C(1) << FRACTION) - 1)) == 0
                 && fabsl((long double)nearest) > fabsl(v);
    e = e - (below ? 1 : 0);
    return (e < 1 ? 1 : e) - BIAS - FRACTION;
}

static double error_of(long double v, double got)
{
    double due = (double)v;
    if (isnan(due) || isnan(got))
        return isnan(due) && isnan(got) ? 0 : (double)INFINITY;
    if (isinf(due) || isinf(got) || v == 0)
        return due == got && !signbit(due) == !signbit(got) ? 0
                                                            : (double)INFINITY;
    int e = -place_of(v, due);
    long double off = fabsl((long double)got - v);
    /* 2^e itself may be no double. */
    return (double)(off * power(e / 2) * power(e - e / 2));
}

void fast_estimate_errors(const struct fast_estimate *e, const double *x,
                          const double *y, const double *got, int n,
                          double *ulps)
{
    for (int i = 0; i < n; i++) {
        long double v =
            e->function ? e->function((long double)x[i])
                        : e->function2((long double)x[i], (long double)y[i]);
        ulps[i] = error_of(v, got[i]);
    }
}
