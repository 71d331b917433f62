/* complex_pow.c - complex powers and angles.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * z^c = exp(c log z).  With c = u + iv, L = ln|z| and A the angle of z, it is
 * e^(uL - vA) at the angle vL + uA.  Components are numbers of finitely many
 * bits only where that angle is a multiple of pi/4 or c is rational: those
 * powers are computed separately.
 */
#include "interp/ops/complex.h"

enum {
    POWER_MAX = 64 /* integer exponents that are multiplied out */
};

/* ---- The general case ---------------------------------------------------- */

/* uL - vA or vL + uA, and the exponent of its error bound's scale. */
static int64_t linear(mpfr_ptr r, mpfr_ptr t, mpfr_srcptr a, mpfr_srcptr x,
                      mpfr_srcptr b, mpfr_srcptr y, bool minus)
{
    mpfr_mul(r, a, x, MPFR_RNDN);
    mpfr_mul(t, b, y, MPFR_RNDN);
    int64_t scale = INT32_MIN;
    if (mpfr_regular_p(r))
        scale = mpfr_get_exp(r);
    if (mpfr_regular_p(t) && mpfr_get_exp(t) > scale)
        scale = mpfr_get_exp(t);
    if (minus)
        mpfr_sub(r, r, t, MPFR_RNDN);
    else
        mpfr_add(r, r, t, MPFR_RNDN);
    return scale + 3;
}

static void step_pow(struct complex_work *w, mpfr_prec_t prec)
{
    mpfr_ptr log = w->t[0], angle = w->t[1], p = w->t[2], q = w->t[3];
    mpfr_srcptr u = w->z[1].re, v = w->z[1].im;

    complex_exact_mul(w->t[4], w->z[0].re, w->z[0].re);
    complex_exact_mul(w->t[5], w->z[0].im, w->z[0].im);
    complex_exact_add(w->t[6], w->t[4], w->t[5]);
    mpfr_log(log, w->t[6], MPFR_RNDN);
    mpfr_div_2ui(log, log, 1, MPFR_RNDN);
    mpfr_atan2(angle, w->z[0].im, w->z[0].re, MPFR_RNDN);
    int64_t ep = linear(p, w->t[7], u, log, v, angle, true);
    int64_t eq = linear(q, w->t[7], v, log, u, angle, false);
    /* The error of p and q, relative to the radius. */
    int64_t scale = (ep > eq ? ep : eq) > 1 ? (ep > eq ? ep : eq) : 1;
    complex_clamp(p);
    mpfr_exp(p, p, MPFR_RNDN);
    mpfr_sin_cos(w->t[8], w->t[9], q, MPFR_RNDN);
    mpfr_mul(w->part[0].value, p, w->t[9], MPFR_RNDN);
    mpfr_mul(w->part[1].value, p, w->t[8], MPFR_RNDN);
    for (int i = 0; i < 2; i++)
        w->part[i].good =
            complex_good(w->part[i].value, mpfr_get_exp(p) + scale + 3, prec);
}

/* ---- Exact powers -------------------------------------------------------- */

/* (t[0], t[1]) *= z, exactly. */
static void multiply(struct complex_work *w)
{
    complex_exact_mul(w->t[2], w->t[0], w->z[0].re);
    complex_exact_mul(w->t[3], w->t[1], w->z[0].im);
    complex_exact_mul(w->t[4], w->t[0], w->z[0].im);
    complex_exact_mul(w->t[5], w->t[1], w->z[0].re);
    complex_exact_sub(w->t[0], w->t[2], w->t[3]);
    complex_exact_add(w->t[1], w->t[4], w->t[5]);
}

/* z^n for a small integer, by multiplication. */
static bool integer_power(struct complex_work *w, struct real *y)
{
    mpfr_srcptr u = w->z[1].re;
    if (!mpfr_zero_p(w->z[1].im) || !mpfr_integer_p(u)
        || mpfr_cmpabs_ui(u, POWER_MAX) > 0)
        return false;
    long n = mpfr_get_si(u, MPFR_RNDZ);
    mpfr_set_prec(w->t[0], 2);
    mpfr_set_ui(w->t[0], 1, MPFR_RNDZ);
    mpfr_set_prec(w->t[1], 2);
    mpfr_set_zero(w->t[1], 1);
    for (long i = 0; i < (n < 0 ? -n : n); i++) {
        multiply(w);
        /* The parts are very different: no component that needs so many bits is
         * exact at fewer. */
        if (mpfr_get_prec(w->t[0]) > w->limit
            || mpfr_get_prec(w->t[1]) > w->limit)
            return false;
    }
    if (n >= 0) {
        y[0] = complex_real(w, w->t[0]);
        y[1] = complex_real(w, w->t[1]);
        return true;
    }
    complex_exact_mul(w->t[2], w->t[0], w->t[0]);
    complex_exact_mul(w->t[3], w->t[1], w->t[1]);
    complex_exact_add(w->t[4], w->t[2], w->t[3]);
    mpfr_neg(w->t[1], w->t[1], MPFR_RNDZ);
    y[0] = complex_apply2(w, mpfr_div, w->t[0], w->t[4]);
    y[1] = complex_apply2(w, mpfr_div, w->t[1], w->t[4]);
    return true;
}

/* Eighths of a turn in the angle of z, -3 to 4; 8 if it is not a multiple. */
static int eighths(const struct complex_number *z)
{
    bool left = mpfr_signbit(z->re), below = mpfr_signbit(z->im);
    if (mpfr_zero_p(z->im))
        return left ? (below ? -4 : 4) : 0;
    if (mpfr_zero_p(z->re))
        return below ? -2 : 2;
    if (mpfr_cmpabs(z->re, z->im) != 0)
        return 8;
    return (left ? 3 : 1) * (below ? -1 : 1);
}

/* Quarter turns of the angle u m pi / 4, 0 to 3; -1 if it is not a multiple. */
static int quarters(struct complex_work *w, int m)
{
    mpfr_t t, four;
    int turns = -1;
    mpfr_inits2(64, t, four, (mpfr_ptr)0);
    mpfr_mul_si(t, w->z[1].re, m, MPFR_RNDZ);
    mpfr_div_2ui(t, t, 1, MPFR_RNDZ);
    if (mpfr_integer_p(t)) {
        mpfr_set_ui(four, 4, MPFR_RNDZ);
        mpfr_fmod(t, t, four, MPFR_RNDZ);
        turns = ((int)mpfr_get_si(t, MPFR_RNDZ) + 4) % 4;
    }
    mpfr_clears(t, four, (mpfr_ptr)0);
    return turns;
}

/* |z| = 1 at an angle of m pi / 4: radius e^(-v m pi / 4). */
static void step_unit(struct complex_work *w, mpfr_prec_t prec)
{
    int m = eighths(&w->z[0]), turns = quarters(w, m);
    mpfr_const_pi(w->t[0], MPFR_RNDN);
    mpfr_mul(w->t[0], w->t[0], w->z[1].im, MPFR_RNDN);
    mpfr_mul_si(w->t[0], w->t[0], -m, MPFR_RNDN);
    mpfr_div_2ui(w->t[0], w->t[0], 2, MPFR_RNDN);
    complex_clamp(w->t[0]);
    int64_t scale = mpfr_get_exp(w->t[0]) > 0 ? mpfr_get_exp(w->t[0]) : 0;
    mpfr_exp(w->part[turns % 2].value, w->t[0], MPFR_RNDN);
    w->part[turns % 2].good = prec - scale - 5;
    mpfr_set_zero(w->part[1 - turns % 2].value, 1);
}

/* A number on an axis or a diagonal whose power is on an axis: for a real
 * exponent the radius is |z|^u. */
static bool on_axis(struct complex_work *w, struct real *y)
{
    struct complex_number *z = &w->z[0];
    int m = eighths(z), turns = m == 8 ? -1 : quarters(w, m);
    bool real = mpfr_zero_p(w->z[1].im);
    bool unit = m % 2 == 0 && mpfr_cmpabs_ui(z->re, 1) <= 0
                && mpfr_cmpabs_ui(z->im, 1) <= 0
                && mpfr_cmpabs_ui(m % 4 ? z->im : z->re, 1) == 0;
    if (turns < 0 || !(real || unit))
        return false;
    int zero = 1 - turns % 2;
    if (real) {
        complex_exact_mul(w->t[3], z->re, z->re);
        complex_exact_mul(w->t[4], z->im, z->im);
        complex_exact_add(w->t[5], w->t[3], w->t[4]);
        mpfr_set_prec(w->t[1], 64);
        mpfr_div_2ui(w->t[1], w->z[1].re, 1, MPFR_RNDZ);
        y[1 - zero] = complex_apply2(w, mpfr_pow, w->t[5], w->t[1]);
    } else if (m == 0) {
        y[1 - zero] = real_from_int(1);
    } else {
        complex_refine(w, step_unit, y);
    }
    y[1 - zero].negative = turns >= 2;
    y[zero] = complex_zero(false);
    w->signs = 1U << zero;
    /* The sine or cosine of a rounded angle is not 0, unless the angle is. */
    if (m != 0 && !mpfr_zero_p(w->z[1].re))
        w->cancelled = 1U << zero;
    return true;
}

/* No document says what happens at zero and infinity. */
static bool special(struct complex_work *w, struct real *y)
{
    struct complex_number *z = &w->z[0], *c = &w->z[1];
    bool zero =
        complex_is_finite(z) && mpfr_zero_p(z->re) && mpfr_zero_p(z->im);
    if (complex_is_finite(z) && complex_is_finite(c) && !zero)
        return false;
    y[0] = y[1] = complex_nan();
    w->free = true;
    if (!zero || !complex_is_finite(c))
        return true;
    if (mpfr_zero_p(c->re) && mpfr_zero_p(c->im)) {
        y[0] = real_from_int(1); /* xla: hlo_evaluator_typed_visitor.h */
        y[1] = complex_zero(false);
    } else if (mpfr_sgn(c->re) > 0) {
        y[0] = y[1] = complex_zero(false);
        w->free = false;
        w->signs = 3;
    }
    return true;
}

void complex_pow_pow(struct complex_work *w, struct real *y)
{
    if (special(w, y) || on_axis(w, y) || integer_power(w, y))
        return;
    bool real = mpfr_zero_p(w->z[1].im);
    if (real && mpfr_cmp_si_2exp(w->z[1].re, 1, -1) == 0)
        complex_algebra_sqrt(w, y);
    else if (real && mpfr_cmp_si_2exp(w->z[1].re, -1, -1) == 0)
        complex_algebra_rsqrt(w, y);
    else
        complex_refine(w, step_pow, y);
}

/* ---- Atan2 --------------------------------------------------------------- */

/* -i log((x + iy) / sqrt(x^2 + y^2)), with p = x + iy and q = x - iy, is
 * half the angle of p / q, or that and half a turn, and -i ln|p / q| / 2. */
struct ends {
    struct complex_number p, q, ratio; /* ratio = p conj q */
    mpfr_t p2, q2;                     /* |p|^2, |q|^2 */
};

static void product(struct complex_work *w, struct complex_number *r,
                    struct complex_number *a, struct complex_number *b,
                    bool conjugate)
{
    complex_exact_mul(w->t[10], a->re, b->re);
    complex_exact_mul(w->t[11], a->im, b->im);
    complex_exact_mul(w->t[12], a->re, b->im);
    complex_exact_mul(w->t[13], a->im, b->re);
    if (conjugate) {
        complex_exact_add(r->re, w->t[10], w->t[11]);
        complex_exact_sub(r->im, w->t[13], w->t[12]);
    } else {
        complex_exact_sub(r->re, w->t[10], w->t[11]);
        complex_exact_add(r->im, w->t[12], w->t[13]);
    }
}

static void square(struct complex_work *w, mpfr_ptr r, struct complex_number *a)
{
    complex_exact_mul(w->t[10], a->re, a->re);
    complex_exact_mul(w->t[11], a->im, a->im);
    complex_exact_add(r, w->t[10], w->t[11]);
}

/* Is the angle of p / sqrt(p q) half a turn from half the angle of p / q?
 * The two possibilities are far apart. */
static bool is_turned(struct complex_work *w, struct ends *e)
{
    mpfr_ptr angle = w->t[0], other = w->t[1], pi = w->t[2];
    struct complex_number s;
    mpfr_inits2(64, s.re, s.im, (mpfr_ptr)0);
    product(w, &s, &e->p, &e->q, false);
    complex_precision(w, 64);
    mpfr_atan2(angle, s.im, s.re, MPFR_RNDN);
    mpfr_atan2(other, e->ratio.im, e->ratio.re, MPFR_RNDN);
    mpfr_add(other, other, angle, MPFR_RNDN);
    mpfr_div_2ui(other, other, 1, MPFR_RNDN);
    mpfr_atan2(angle, e->p.im, e->p.re, MPFR_RNDN);
    mpfr_sub(angle, angle, other, MPFR_RNDN);
    mpfr_const_pi(pi, MPFR_RNDN);
    mpfr_div(angle, angle, pi, MPFR_RNDN);
    long n = mpfr_get_si(angle, MPFR_RNDN);
    mpfr_clears(s.re, s.im, (mpfr_ptr)0);
    return n % 2 != 0;
}

/* For z[0] = (|p|^2 - |q|^2, the smaller of the two) and z[1] = p conj q. */
static void step_log_ratio(struct complex_work *w, mpfr_prec_t prec)
{
    mpfr_ptr q = w->part[1].value;
    mpfr_div(q, w->z[0].re, w->z[0].im, MPFR_RNDN);
    bool negative = mpfr_signbit(q);
    mpfr_abs(q, q, MPFR_RNDN);
    mpfr_log1p(q, q, MPFR_RNDN);
    mpfr_div_2ui(q, q, 2, MPFR_RNDN);
    mpfr_setsign(q, q, !negative, MPFR_RNDN);
    w->part[1].good = prec - 5;
    /* The angle plus or minus half a turn, of (z1.re, z1.im). */
    mpfr_atan2(w->t[0], w->z[1].im, w->z[1].re, MPFR_RNDN);
    mpfr_div_2ui(w->t[0], w->t[0], 1, MPFR_RNDN);
    mpfr_const_pi(w->t[1], MPFR_RNDN);
    if (mpfr_sgn(w->t[0]) > 0)
        mpfr_neg(w->t[1], w->t[1], MPFR_RNDN);
    mpfr_add(w->part[0].value, w->t[0], w->t[1], MPFR_RNDN);
    w->part[0].good = prec - 5;
}

static void ends_init(struct complex_work *w, struct ends *e)
{
    struct complex_number *y = &w->z[0], *x = &w->z[1];
    mpfr_inits2(64, e->p.re, e->p.im, e->q.re, e->q.im, e->ratio.re,
                e->ratio.im, e->p2, e->q2, (mpfr_ptr)0);
    complex_exact_sub(e->p.re, x->re, y->im);
    complex_exact_add(e->p.im, x->im, y->re);
    complex_exact_add(e->q.re, x->re, y->im);
    complex_exact_sub(e->q.im, x->im, y->re);
    product(w, &e->ratio, &e->p, &e->q, true);
    square(w, e->p2, &e->p);
    square(w, e->q2, &e->q);
}

void complex_pow_atan2(struct complex_work *w, struct real *y)
{
    struct ends e;
    y[0] = y[1] = complex_nan();
    w->free = true;
    if (!complex_is_finite(&w->z[0]) || !complex_is_finite(&w->z[1]))
        return;
    ends_init(w, &e);
    if (!mpfr_zero_p(e.p2) && !mpfr_zero_p(e.q2)) {
        w->free = false;
        /* ln|p / q| is 0 only where a rounded modulus divides its like; the
         * angle also where x is real and positive and y is 0. */
        bool straight = mpfr_zero_p(w->z[0].re) && mpfr_zero_p(w->z[0].im)
                        && mpfr_zero_p(w->z[1].im);
        unsigned cancelled = straight ? 2 : 3;
        bool turned = is_turned(w, &e);
        bool less = mpfr_less_p(e.p2, e.q2);
        /* The step reads the operands' places. */
        complex_exact_sub(w->z[0].re, e.p2, e.q2);
        mpfr_swap(w->z[0].im, less ? e.p2 : e.q2);
        mpfr_swap(w->z[1].re, e.ratio.re);
        mpfr_swap(w->z[1].im, e.ratio.im);
        complex_refine(w, step_log_ratio, y);
        if (!turned) {
            y[0] = complex_apply2(w, mpfr_atan2, w->z[1].im, w->z[1].re);
            if (y[0].kind == REAL_FINITE)
                y[0].exponent -= 1;
        }
        complex_quotient_zeros(w, y);
        w->cancelled = cancelled;
        for (int i = 0; i < 2; i++) {
            mpfr_set_prec(w->z[i].re, 64);
            mpfr_set_prec(w->z[i].im, 64);
        }
    }
    mpfr_clears(e.p.re, e.p.im, e.q.re, e.q.im, e.ratio.re, e.ratio.im, e.p2,
                e.q2, (mpfr_ptr)0);
}
