/* complex_cbrt.c - the principal cube root of complex numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * |z|^(1/3) at a third of the angle of z.  Off the axes w = p + iq with
 * p (p^2 - 3q^2) = x and q (3p^2 - q^2) = y: if p is rational so is q^2, and
 * with y so is q, and vice versa.  So both parts are numbers of
 * finitely many bits, and then z is tried as the cube of the nearest ones, or
 * neither is, and refining ends.
 */
#include "interp/ops/complex.h"

static void step(struct complex_work *w, mpfr_prec_t prec)
{
    complex_exact_mul(w->t[0], w->z[0].re, w->z[0].re);
    complex_exact_mul(w->t[1], w->z[0].im, w->z[0].im);
    complex_exact_add(w->t[2], w->t[0], w->t[1]);
    mpfr_rootn_ui(w->t[3], w->t[2], 6, MPFR_RNDN);
    mpfr_atan2(w->t[4], w->z[0].im, w->z[0].re, MPFR_RNDN);
    mpfr_div_ui(w->t[4], w->t[4], 3, MPFR_RNDN);
    mpfr_sin_cos(w->t[5], w->t[6], w->t[4], MPFR_RNDN);
    mpfr_mul(w->part[0].value, w->t[3], w->t[6], MPFR_RNDN);
    mpfr_mul(w->part[1].value, w->t[3], w->t[5], MPFR_RNDN);
    w->part[0].good = w->part[1].good = prec - 6;
}

/* On the axes one part is half the real root of |z|, the other that times
 * the root of 3, which is never exact. */
static void step_axis(struct complex_work *w, mpfr_prec_t prec)
{
    int half = mpfr_zero_p(w->z[0].im) ? 0 : 1;
    step(w, prec);
    mpfr_set_zero(w->part[half].value, 1);
    w->part[half].good = COMPLEX_EXACT;
}

/* Is z the cube of the numbers nearest to the root?  p (p^2 - 3q^2), and
 * q (3p^2 - q^2), exactly. */
static bool is_cube(struct complex_work *w, struct real *y)
{
    mpfr_ptr p = w->t[0], q = w->t[1], p2 = w->t[2], q2 = w->t[3];
    mpfr_ptr three = w->t[4], t = w->t[5], u = w->t[6];
    complex_precision(w, w->width + 32);
    step(w, w->width + 32);
    mpfr_set_prec(p, w->width);
    mpfr_set_prec(q, w->width);
    mpfr_set(p, w->part[0].value, MPFR_RNDN);
    mpfr_set(q, w->part[1].value, MPFR_RNDN);
    mpfr_set_prec(three, 2);
    mpfr_set_ui(three, 3, MPFR_RNDZ);
    complex_exact_mul(p2, p, p);
    complex_exact_mul(q2, q, q);
    complex_exact_mul(t, q2, three);
    complex_exact_sub(u, p2, t);
    complex_exact_mul(t, u, p);
    if (!mpfr_equal_p(t, w->z[0].re))
        return false;
    complex_exact_mul(t, p2, three);
    complex_exact_sub(u, t, q2);
    complex_exact_mul(t, u, q);
    if (!mpfr_equal_p(t, w->z[0].im))
        return false;
    y[0] = complex_real(w, p);
    y[1] = complex_real(w, q);
    return true;
}

/* No document says what happens at infinity, nor what sign a zero has. */
static bool special(struct complex_work *w, struct real *y)
{
    struct complex_number *z = &w->z[0];
    if (!complex_is_finite(z)) {
        y[0] = y[1] = complex_nan();
        w->free = !complex_has_nan(z);
        return true;
    }
    if (!mpfr_zero_p(z->im) || mpfr_sgn(z->re) < 0)
        return false;
    y[0] = complex_apply(w, mpfr_cbrt, z->re);
    y[1] = complex_real(w, z->im);
    w->signs = mpfr_zero_p(z->re) ? 3 : 2;
    return true;
}

void complex_cbrt(struct complex_work *w, struct real *y)
{
    mpfr_ptr re = w->z[0].re, im = w->z[0].im;
    if (special(w, y))
        return;
    if (!mpfr_zero_p(re) && !mpfr_zero_p(im)) {
        if (!is_cube(w, y))
            complex_refine(w, step, y);
        return;
    }
    int half = mpfr_zero_p(im) ? 0 : 1;
    mpfr_srcptr x = half == 0 ? re : im;
    complex_refine(w, step_axis, y);
    y[half] = complex_apply(w, mpfr_cbrt, x);
    y[half].exponent -= 1;
    if (half == 0)
        y[0].negative = false;
}
