/* steep.c - see steep.h.  Tests: steep.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/steep.h"

/* ---- Boxes --------------------------------------------------------------- */

/* The least and the greatest magnitude of a part; both are exact. */
static void nearest(mpfr_ptr to, const struct steep *x, int part)
{
    mpfr_srcptr low = x->low[part], high = x->high[part];
    if (mpfr_sgn(low) > 0)
        mpfr_abs(to, low, MPFR_RNDD);
    else if (mpfr_sgn(high) < 0)
        mpfr_abs(to, high, MPFR_RNDD);
    else
        mpfr_set_zero(to, 1);
}

static void farthest(mpfr_ptr to, const struct steep *x, int part)
{
    bool is_low = mpfr_cmpabs(x->low[part], x->high[part]) > 0;
    mpfr_abs(to, is_low ? x->low[part] : x->high[part], MPFR_RNDU);
}

/* The least and the greatest modulus of operand k. */
static void modulus_low(mpfr_ptr to, struct steep *x, int k)
{
    nearest(to, x, 2 * k);
    nearest(x->u, x, 2 * k + 1);
    mpfr_hypot(to, to, x->u, MPFR_RNDD);
}

static void modulus_high(mpfr_ptr to, struct steep *x, int k)
{
    farthest(to, x, 2 * k);
    farthest(x->u, x, 2 * k + 1);
    mpfr_hypot(to, to, x->u, MPFR_RNDU);
}

/* Does operand 0 meet the negative real axis, or zero? */
static bool is_cut(const struct steep *x)
{
    return mpfr_sgn(x->low[0]) <= 0 && mpfr_sgn(x->low[1]) <= 0
           && mpfr_sgn(x->high[1]) >= 0;
}

static void invert(mpfr_ptr x)
{
    mpfr_ui_div(x, 1, x, MPFR_RNDU);
}

/* ---- Exponentials -------------------------------------------------------- */

/* Also of Expm1. */
bool steep_exp(struct steep *x, mpfr_t *d)
{
    mpfr_exp(d[0], x->high[0], MPFR_RNDU);
    return true;
}

/* |sinh z| and |cosh z| are cosh(re z) at most. */
bool steep_cosh(struct steep *x, mpfr_t *d)
{
    farthest(d[0], x, 0);
    mpfr_cosh(d[0], d[0], MPFR_RNDU);
    return true;
}

bool steep_cos(struct steep *x, mpfr_t *d)
{
    farthest(d[0], x, 1);
    mpfr_cosh(d[0], d[0], MPFR_RNDU);
    return true;
}

/* Is the cosine not zero between the ends of a part?  False also if they are
 * too large to tell. */
static bool is_cosine_apart(struct steep *x, int part)
{
    long turns[2];
    for (int end = 0; end < 2; end++) {
        mpfr_srcptr y = end ? x->high[part] : x->low[part];
        if (mpfr_cmpabs(y, x->s) > 0)
            return false;
        mpfr_const_pi(x->u, MPFR_RNDN);
        mpfr_div(x->u, y, x->u, MPFR_RNDN);
        mpfr_set_ui_2exp(x->t, 1, -64, MPFR_RNDN);
        mpfr_add_d(x->u, x->u, 0.5, MPFR_RNDN);
        if (end)
            mpfr_add(x->u, x->u, x->t, MPFR_RNDU);
        else
            mpfr_sub(x->u, x->u, x->t, MPFR_RNDD);
        turns[end] = mpfr_get_si(x->u, MPFR_RNDD);
    }
    return turns[0] == turns[1];
}

/* The square of the least cosine of a part, in t. */
static void least_cosine(struct steep *x, int part)
{
    mpfr_set_ui_2exp(x->s, 1, 20, MPFR_RNDN);
    if (!is_cosine_apart(x, part)) {
        mpfr_set_zero(x->t, 1);
        return;
    }
    mpfr_cos(x->t, x->low[part], MPFR_RNDZ);
    mpfr_cos(x->u, x->high[part], MPFR_RNDZ);
    if (mpfr_cmpabs(x->u, x->t) < 0)
        mpfr_swap(x->u, x->t);
    mpfr_sqr(x->t, x->t, MPFR_RNDD);
}

/* 1 / |cosh z|^2, of which |cosh z|^2 = sinh(re)^2 + cos(im)^2; the two parts
 * change places for 1 / |cos z|^2. */
static bool over_cosine(struct steep *x, mpfr_t *d, int re)
{
    least_cosine(x, 1 - re);
    nearest(x->s, x, re);
    mpfr_sinh(x->s, x->s, MPFR_RNDD);
    mpfr_sqr(x->s, x->s, MPFR_RNDD);
    mpfr_add(d[0], x->s, x->t, MPFR_RNDD);
    if (mpfr_zero_p(d[0]))
        return false;
    invert(d[0]);
    return true;
}

bool steep_tanh(struct steep *x, mpfr_t *d)
{
    return over_cosine(x, d, 0);
}

bool steep_tan(struct steep *x, mpfr_t *d)
{
    return over_cosine(x, d, 1);
}

/* 1 / |2 cosh(z / 2)|^2 */
bool steep_logistic(struct steep *x, mpfr_t *d)
{
    for (int part = 0; part < 2; part++) {
        mpfr_div_2ui(x->low[part], x->low[part], 1, MPFR_RNDD);
        mpfr_div_2ui(x->high[part], x->high[part], 1, MPFR_RNDU);
    }
    if (!over_cosine(x, d, 0))
        return false;
    mpfr_div_2ui(d[0], d[0], 2, MPFR_RNDU);
    return true;
}

/* ---- Logarithms and powers ----------------------------------------------- */

bool steep_log(struct steep *x, mpfr_t *d)
{
    modulus_low(d[0], x, 0);
    invert(d[0]);
    return !is_cut(x);
}

bool steep_log1p(struct steep *x, mpfr_t *d)
{
    mpfr_add_ui(x->low[0], x->low[0], 1, MPFR_RNDD);
    mpfr_add_ui(x->high[0], x->high[0], 1, MPFR_RNDU);
    return steep_log(x, d);
}

/* 1 / (2 |z|^(1/2)) */
bool steep_sqrt(struct steep *x, mpfr_t *d)
{
    modulus_low(d[0], x, 0);
    mpfr_sqrt(d[0], d[0], MPFR_RNDD);
    mpfr_mul_2ui(d[0], d[0], 1, MPFR_RNDD);
    invert(d[0]);
    return !is_cut(x);
}

/* 1 / (2 |z|^(3/2)) */
bool steep_rsqrt(struct steep *x, mpfr_t *d)
{
    modulus_low(x->t, x, 0);
    mpfr_sqrt(d[0], x->t, MPFR_RNDD);
    mpfr_mul(d[0], d[0], x->t, MPFR_RNDD);
    mpfr_mul_2ui(d[0], d[0], 1, MPFR_RNDD);
    invert(d[0]);
    return !is_cut(x);
}

/* 1 / |w| and |z| / |w|^2 */
bool steep_div(struct steep *x, mpfr_t *d)
{
    modulus_low(d[0], x, 1);
    if (mpfr_zero_p(d[0]))
        return false;
    modulus_high(d[1], x, 0);
    invert(d[0]);
    mpfr_mul(d[1], d[1], d[0], MPFR_RNDU);
    mpfr_mul(d[1], d[1], d[0], MPFR_RNDU);
    return true;
}

/* The ends of re(log z) and of -arg z for operand 0, which no cut meets: the
 * argument has its ends at corners. */
static void find_log(struct steep *x, mpfr_t *size, mpfr_t *turn)
{
    modulus_low(size[0], x, 0);
    modulus_high(size[1], x, 0);
    mpfr_log(size[0], size[0], MPFR_RNDD);
    mpfr_log(size[1], size[1], MPFR_RNDU);
    mpfr_set_inf(turn[0], 1);
    mpfr_set_inf(turn[1], -1);
    for (int corner = 0; corner < 4; corner++) {
        mpfr_neg(x->t, corner & 1 ? x->high[1] : x->low[1], MPFR_RNDN);
        mpfr_srcptr re = corner & 2 ? x->high[0] : x->low[0];
        mpfr_atan2(x->u, x->t, re, MPFR_RNDD);
        mpfr_min(turn[0], turn[0], x->u, MPFR_RNDD);
        mpfr_atan2(x->u, x->t, re, MPFR_RNDU);
        mpfr_max(turn[1], turn[1], x->u, MPFR_RNDU);
    }
}

/* Add to s the greatest product of a number between the ends of a and that part
 * of operand 1. */
static void add_product(struct steep *x, mpfr_t *a, int part)
{
    mpfr_set_inf(x->t, -1);
    for (int corner = 0; corner < 4; corner++) {
        mpfr_mul(x->u, a[corner & 1],
                 corner & 2 ? x->high[2 + part] : x->low[2 + part], MPFR_RNDU);
        mpfr_max(x->t, x->t, x->u, MPFR_RNDU);
    }
    mpfr_add(x->s, x->s, x->t, MPFR_RNDU);
}

/* z^w = exp(w log z): |w| |z^w| / |z| and |z^w| |log z|, where |z^w| is
 * exp(re w re(log z) - im w arg z). */
bool steep_pow(struct steep *x, mpfr_t *d)
{
    if (is_cut(x))
        return false;
    mpfr_t size[2], turn[2];
    mpfr_inits2(STEEP_BITS, size[0], size[1], turn[0], turn[1], (mpfr_ptr)0);
    find_log(x, size, turn);
    mpfr_set_zero(x->s, 1);
    add_product(x, size, 0);
    add_product(x, turn, 1);
    mpfr_exp(x->s, x->s, MPFR_RNDU);
    modulus_low(x->t, x, 0);
    modulus_high(d[0], x, 1);
    mpfr_div(d[0], d[0], x->t, MPFR_RNDU);
    mpfr_mul(d[0], d[0], x->s, MPFR_RNDU);
    bool first = mpfr_cmpabs(size[0], size[1]) > 0;
    bool least = mpfr_cmpabs(turn[0], turn[1]) > 0;
    mpfr_hypot(d[1], size[!first], turn[!least], MPFR_RNDU);
    mpfr_mul(d[1], d[1], x->s, MPFR_RNDU);
    mpfr_clears(size[0], size[1], turn[0], turn[1], (mpfr_ptr)0);
    return true;
}
