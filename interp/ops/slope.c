/* slope.c - see elementwise.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A derivative that rises or falls with the operand, or with its magnitude, has
 * its ends at ends of the box; MPFR gives them, rounded outwards.
 */
#include <mpfr.h>

#include "interp/ops/elementwise.h"

typedef int real_function(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rnd);

static const struct enclosure none = {0, 0}, one = {1, 1};

/* f(x), outwards. */
static struct enclosure at(real_function *f, double x)
{
    MPFR_DECL_INIT(from, 53);
    MPFR_DECL_INIT(to, 64);
    struct enclosure e;
    mpfr_set_d(from, x, MPFR_RNDN);
    f(to, from, MPFR_RNDD);
    e.low = mpfr_get_d(to, MPFR_RNDD);
    f(to, from, MPFR_RNDU);
    e.high = mpfr_get_d(to, MPFR_RNDU);
    return enclosure_check(e);
}

/* f over x, where it rises or falls. */
static struct enclosure over(real_function *f, struct enclosure x)
{
    return enclosure_hull(at(f, x.low), at(f, x.high));
}

/* f over x, where it depends on the magnitude and rises or falls with it. */
static struct enclosure over_magnitude(real_function *f, struct enclosure x)
{
    return enclosure_hull(at(f, enclosure_least(x)), at(f, enclosure_most(x)));
}

/* f over x, where it changes by at most as much as its operand, and lies
 * between -1 and 1. */
static struct enclosure over_wave(real_function *f, struct enclosure x)
{
    struct enclosure width = enclosure_of(x.low - x.high, x.high - x.low);
    struct enclosure e = enclosure_add(at(f, x.low), enclosure_out(width));
    return enclosure_of(fmax(e.low, -1), fmin(e.high, 1));
}

/* ---- Functions of one operand -------------------------------------------- */

bool slope_identity(const struct enclosure *x, struct enclosure *d)
{
    *d = one;
    return true;
}

bool slope_neg(const struct enclosure *x, struct enclosure *d)
{
    *d = enclosure_neg(one);
    return true;
}

bool slope_abs(const struct enclosure *x, struct enclosure *d)
{
    *d = enclosure_of(x->low >= 0 ? 1 : -1, x->high <= 0 ? -1 : 1);
    return true;
}

bool slope_exp(const struct enclosure *x, struct enclosure *d)
{
    *d = over(mpfr_exp, *x);
    return true;
}

bool slope_log(const struct enclosure *x, struct enclosure *d)
{
    *d = enclosure_inverse(*x);
    return x->low > 0;
}

bool slope_log1p(const struct enclosure *x, struct enclosure *d)
{
    *d = enclosure_inverse(enclosure_add(*x, one));
    return x->low > -1 && enclosure_is_finite(*d);
}

bool slope_sqrt(const struct enclosure *x, struct enclosure *d)
{
    *d = enclosure_inverse(
        enclosure_mul(enclosure_point(2), over(mpfr_sqrt, *x)));
    return x->low > 0;
}

bool slope_rsqrt(const struct enclosure *x, struct enclosure *d)
{
    struct enclosure root = over(mpfr_sqrt, *x);
    struct enclosure twice = enclosure_mul(enclosure_point(-2), *x);
    *d = enclosure_inverse(enclosure_mul(twice, root));
    return x->low > 0;
}

bool slope_cbrt(const struct enclosure *x, struct enclosure *d)
{
    struct enclosure root = over(mpfr_cbrt, *x);
    struct enclosure square = enclosure_mul(root, root);
    *d = enclosure_inverse(enclosure_mul(enclosure_point(3), square));
    return !enclosure_has(*x, 0);
}

/* 1 / cosh(x)^2 */
static int sech_square(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rnd)
{
    mpfr_sech(y, x, rnd);
    return mpfr_sqr(y, y, rnd);
}

bool slope_tanh(const struct enclosure *x, struct enclosure *d)
{
    *d = over_magnitude(sech_square, *x);
    return true;
}

/* s (1 - s) = 1 / (4 cosh(x / 2)^2) */
bool slope_logistic(const struct enclosure *x, struct enclosure *d)
{
    struct enclosure half = enclosure_mul(*x, enclosure_point(0.5));
    struct enclosure e = over_magnitude(sech_square, half);
    *d = enclosure_mul(e, enclosure_point(0.25));
    return true;
}

/* exp(-x^2); of x rounded towards zero where the result is rounded up. */
static int gauss(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rnd)
{
    mpfr_sqr(y, x, rnd == MPFR_RNDU ? MPFR_RNDD : MPFR_RNDU);
    mpfr_neg(y, y, MPFR_RNDN);
    return mpfr_exp(y, y, rnd);
}

bool slope_erf(const struct enclosure *x, struct enclosure *d)
{
    /* 2 / sqrt(pi) */
    struct enclosure factor = {0x1.20dd750429b6dp+0, 0x1.20dd750429b6ep+0};
    *d = enclosure_mul(factor, over_magnitude(gauss, *x));
    return true;
}

bool slope_erfc(const struct enclosure *x, struct enclosure *d)
{
    slope_erf(x, d);
    *d = enclosure_neg(*d);
    return true;
}

bool slope_sin(const struct enclosure *x, struct enclosure *d)
{
    *d = over_wave(mpfr_cos, *x);
    return true;
}

bool slope_cos(const struct enclosure *x, struct enclosure *d)
{
    *d = enclosure_neg(over_wave(mpfr_sin, *x));
    return true;
}

bool slope_sinh(const struct enclosure *x, struct enclosure *d)
{
    *d = over_magnitude(mpfr_cosh, *x);
    return true;
}

bool slope_cosh(const struct enclosure *x, struct enclosure *d)
{
    *d = over(mpfr_sinh, *x);
    return true;
}

bool slope_atan(const struct enclosure *x, struct enclosure *d)
{
    struct enclosure far = enclosure_abs(*x);
    *d = enclosure_inverse(enclosure_add(one, enclosure_mul(far, far)));
    return true;
}

/* ---- Of several ---------------------------------------------------------- */

bool slope_add(const struct enclosure *x, struct enclosure *d)
{
    d[0] = d[1] = one;
    return true;
}

bool slope_sub(const struct enclosure *x, struct enclosure *d)
{
    d[0] = one;
    d[1] = enclosure_neg(one);
    return true;
}

bool slope_mul(const struct enclosure *x, struct enclosure *d)
{
    d[0] = x[1];
    d[1] = x[0];
    return true;
}

bool slope_div(const struct enclosure *x, struct enclosure *d)
{
    d[0] = enclosure_inverse(x[1]);
    d[1] = enclosure_neg(enclosure_mul(x[0], enclosure_mul(d[0], d[0])));
    return !enclosure_has(x[1], 0);
}

/* The slope of an operand that is chosen surely, never, or by its value. */
static struct enclosure chosen(bool surely, bool never)
{
    return enclosure_of(surely ? 1 : 0, never ? 0 : 1);
}

bool slope_max(const struct enclosure *x, struct enclosure *d)
{
    bool first = x[0].low > x[1].high, second = x[1].low > x[0].high;
    d[0] = chosen(first, second);
    d[1] = chosen(second, first);
    return true;
}

bool slope_min(const struct enclosure *x, struct enclosure *d)
{
    bool first = x[0].high < x[1].low, second = x[1].high < x[0].low;
    d[0] = chosen(first, second);
    d[1] = chosen(second, first);
    return true;
}

/* min(max(low, x), high) of operands low, x, high */
bool slope_clamp(const struct enclosure *x, struct enclosure *d)
{
    bool inside = x[0].high < x[1].low && x[1].high < x[2].low;
    d[1] = chosen(inside, x[1].high < x[0].low || x[2].high < x[1].low);
    d[0] = d[2] = chosen(false, inside);
    return true;
}

/* x^e with an e that is known: e x^(e - 1). */
bool slope_pow(const struct enclosure *x, struct enclosure *d)
{
    if (x[0].low <= 0 || !enclosure_is_point(x[1]))
        return false;
    MPFR_DECL_INIT(base, 53);
    MPFR_DECL_INIT(exponent, 128);
    MPFR_DECL_INIT(y, 64);
    struct enclosure e = {HUGE_VAL, -HUGE_VAL};
    mpfr_set_d(exponent, x[1].low, MPFR_RNDN);
    if (mpfr_sub_ui(exponent, exponent, 1, MPFR_RNDN) != 0)
        return false;
    for (int side = 0; side < 2; side++) {
        mpfr_set_d(base, side ? x[0].high : x[0].low, MPFR_RNDN);
        mpfr_pow(y, base, exponent, MPFR_RNDD);
        e.low = fmin(e.low, mpfr_get_d(y, MPFR_RNDD));
        mpfr_pow(y, base, exponent, MPFR_RNDU);
        e.high = fmax(e.high, mpfr_get_d(y, MPFR_RNDU));
    }
    d[0] = enclosure_mul(x[1], e);
    d[1] = enclosure_point(0); /* an exponent that is known does not change */
    return true;
}

/* ---- Of complex numbers -------------------------------------------------- */

bool slope_parts_add(const struct enclosure *x, struct enclosure *d, int part)
{
    for (int k = 0; k < 4; k++)
        d[k] = k % 2 == part ? one : none;
    return true;
}

bool slope_parts_sub(const struct enclosure *x, struct enclosure *d, int part)
{
    slope_parts_add(x, d, part);
    d[2 + part] = enclosure_neg(one);
    return true;
}

bool slope_parts_neg(const struct enclosure *x, struct enclosure *d, int part)
{
    d[part] = enclosure_neg(one);
    d[1 - part] = none;
    return true;
}

/* (a + b i) (c + d i) = a c - b d + (a d + b c) i */
bool slope_parts_mul(const struct enclosure *x, struct enclosure *d, int part)
{
    d[0] = x[2 + part];
    d[1] = part ? x[2] : enclosure_neg(x[3]);
    d[2] = x[part];
    d[3] = part ? x[0] : enclosure_neg(x[1]);
    return true;
}

static struct enclosure modulus(const struct enclosure *x)
{
    MPFR_DECL_INIT(a, 53);
    MPFR_DECL_INIT(b, 53);
    struct enclosure e;
    mpfr_set_d(a, enclosure_least(x[0]), MPFR_RNDN);
    mpfr_set_d(b, enclosure_least(x[1]), MPFR_RNDN);
    mpfr_hypot(a, a, b, MPFR_RNDD);
    e.low = mpfr_get_d(a, MPFR_RNDD);
    mpfr_set_d(a, enclosure_most(x[0]), MPFR_RNDN);
    mpfr_set_d(b, enclosure_most(x[1]), MPFR_RNDN);
    mpfr_hypot(a, a, b, MPFR_RNDU);
    e.high = mpfr_get_d(a, MPFR_RNDU);
    return enclosure_check(e);
}

/* x / |z|, which is at most 1, also at 0, where |z| has no derivative. */
bool slope_parts_abs(const struct enclosure *x, struct enclosure *d, int part)
{
    struct enclosure by = enclosure_inverse(modulus(x));
    for (int k = 0; k < 2; k++) {
        struct enclosure e = enclosure_mul(x[k], by);
        d[k] = enclosure_of(fmax(e.low, -1), fmin(e.high, 1));
    }
    return true;
}
