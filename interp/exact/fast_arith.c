/* fast_arith.c - see fast_arith.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/exact/fast_arith.h"

#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/slow.h"
#include "interp/exact/real.h"

enum {
    FRACTION = 52,
    BIAS = 1023,
    EXPONENTS = 0x7ff,
    UNIT = 64, /* as real_error's */
    MILLION = 1000000
};

/* Smaller f64 products may have an error that is not an f64 number. */
#define TINY 0x1p-900

struct pair {
    double value, rest; /* the exact result is value + rest */
};

static struct pair apply(enum fast_arith_op op, double a, double b)
{
    struct pair r;
    if (op == FAST_ARITH_MUL) {
        r.value = a * b;
        r.rest = fma(a, b, -r.value);
        return r;
    }
    if (op == FAST_ARITH_SUB)
        b = -b;
    /* Fast2Sum (Dekker, 1971): unlike 2Sum, it overflows only where the sum
     * does (Boldo, Graillat, Muller, ACM TOMS 44, 2017). */
    bool ordered = fabs(a) >= fabs(b);
    r.value = a + b;
    r.rest = ordered ? b - (r.value - a) : a - (r.value - b);
    return r;
}

/* floor(log2 |value + rest|), at least emin: below the power of two that value
 * is if rest takes it there. */
static int exponent_of(struct pair r, const struct dtype_info *t)
{
    uint64_t bits;
    memcpy(&bits, &r.value, sizeof bits);
    int e = (int)(bits >> FRACTION & EXPONENTS) - BIAS;
    bool power = (bits & ((UINT64_C(1) << FRACTION) - 1)) == 0;
    if (power && (r.value > 0 ? r.rest < 0 : r.rest > 0))
        e--;
    return e < t->emin ? t->emin : e;
}

/* 2^n of a normal number. */
static double power(int n)
{
    uint64_t bits = (uint64_t)(n + BIAS) << FRACTION;
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

/* |error| in 2^-UNIT ulps of value + rest, as real_error counts: the exact
 * value is truncated, so what is larger than the result by a part of a unit is
 * not, and what is smaller is by a whole one more.  The factor, from 2^-907 to
 * 2^1138, is two: neither overflows, and what underflows is no unit. */
static uint64_t units_of(double error, struct pair r,
                         const struct dtype_info *t)
{
    int n = t->precision - 1 - exponent_of(r, t) + UNIT;
    double units = fabs(error) * power(n / 2) * power(n - n / 2);
    uint64_t whole = (uint64_t)units;
    bool smaller = (error > 0) == (r.value > 0);
    return whole + (smaller && (double)whole < units);
}

struct measure {
    uint64_t units; /* the worst error */
    int64_t worst;  /* in millionths of an ulp, signed */
    int64_t unit;
};

static void note(struct measure *m, double result, struct pair r,
                 const struct dtype_info *t, int64_t i)
{
    double error = (result - r.value) - r.rest;
    /* Most errors are zero, or no larger than the largest so far. */
    if (error == 0 || !isfinite(result) || !isfinite(error))
        return;
    uint64_t units = units_of(error, r, t);
    if (units <= m->units)
        return;
    int64_t millionths =
        (int64_t)(((real_u128)units * MILLION + (UINT64_C(1) << (UNIT - 1)))
                  >> UNIT);
    m->units = units;
    if (millionths > llabs(m->worst)) {
        m->worst = error < 0 ? -millionths : millionths;
        m->unit = i;
    }
}

static bool narrow(enum fast_arith_op op, const unsigned char *x,
                   const unsigned char *y, int64_t n, unsigned char *to,
                   struct measure *m)
{
    uint32_t nan = (uint32_t)real_nan(DT_f32, false);
    for (int64_t i = 0; i < n; i++) {
        float a, b;
        memcpy(&a, x + 4 * i, sizeof a);
        memcpy(&b, y + 4 * i, sizeof b);
        float f = op == FAST_ARITH_MUL   ? a * b
                  : op == FAST_ARITH_SUB ? a - b
                                         : a + b;
        if (isnan(f)) {
            memcpy(to + 4 * i, &nan, sizeof nan);
            continue;
        }
        memcpy(to + 4 * i, &f, sizeof f);
        note(m, (double)f, apply(op, (double)a, (double)b),
             &dtype_table[DT_f32], i);
    }
    return true;
}

static bool wide(enum fast_arith_op op, const unsigned char *x,
                 const unsigned char *y, int64_t n, unsigned char *to,
                 struct measure *m)
{
    uint64_t nan = real_nan(DT_f64, false);
    for (int64_t i = 0; i < n; i++) {
        double a, b;
        memcpy(&a, x + 8 * i, sizeof a);
        memcpy(&b, y + 8 * i, sizeof b);
        struct pair r = apply(op, a, b);
        if (op == FAST_ARITH_MUL && fabs(r.value) < TINY && a != 0 && b != 0)
            return false;
        if (isnan(r.value)) {
            memcpy(to + 8 * i, &nan, sizeof nan);
            continue;
        }
        memcpy(to + 8 * i, &r.value, sizeof r.value);
        note(m, r.value, r, &dtype_table[DT_f64], i);
    }
    return true;
}

/* Rounds to nearest, and neither operands nor results are flushed? */
static bool is_ieee(void)
{
    volatile float small = 0x1p-149F, half = 0.5F, least = 0x1p-126F;
    return fegetround() == FE_TONEAREST && small + small == 0x1p-148F
           && least * half == 0x1p-127F;
}

bool fast_arith(enum fast_arith_op op, enum dtype unit,
                const unsigned char *const x[2], int64_t n, unsigned char *to,
                int64_t *worst, int64_t *worst_unit)
{
    struct measure m = {0};
    bool done = false;
    if (op == FAST_ARITH_NONE || slow() || !is_ieee())
        return false;
    if (unit == DT_f32)
        done = narrow(op, x[0], x[1], n, to, &m);
    else if (unit == DT_f64)
        done = wide(op, x[0], x[1], n, to, &m);
    if (!done || m.worst == 0)
        return done;
    *worst = m.worst;
    *worst_unit = m.unit;
    return true;
}
