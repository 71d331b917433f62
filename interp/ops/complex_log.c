/* complex_log.c - logarithms.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * ln|z| = ln(x^2 + y^2) / 2, of a sum that is exact: one rounding, and nothing
 * cancels near |z| = 1.
 */
#include "interp/ops/complex.h"

static struct real half(struct real y)
{
    if (y.kind == REAL_FINITE)
        y.exponent -= 1;
    return y;
}

/* C11 G.6.3.2: infinity wins over NaN in the real part; atan2 has the angles.
 */
static bool special(struct complex_work *w, struct real *y)
{
    struct complex_number *z = &w->z[0];
    if (complex_is_finite(z))
        return false;
    bool inf = mpfr_inf_p(z->re) || mpfr_inf_p(z->im);
    y[0] = inf ? complex_inf(false) : complex_nan();
    y[1] = complex_has_nan(z) ? complex_nan()
                              : complex_apply2(w, mpfr_atan2, z->im, z->re);
    return true;
}

/* t[2] = |z|^2, exactly. */
static void square(struct complex_work *w)
{
    const struct complex_number *z = &w->z[0];
    complex_exact_mul(w->t[0], z->re, z->re);
    complex_exact_mul(w->t[1], z->im, z->im);
    complex_exact_add(w->t[2], w->t[0], w->t[1]);
}

void complex_log_log(struct complex_work *w, struct real *y)
{
    struct complex_number *z = &w->z[0];
    if (special(w, y))
        return;
    square(w);
    y[0] = half(complex_apply(w, mpfr_log, w->t[2]));
    y[1] = complex_apply2(w, mpfr_atan2, z->im, z->re);
}

/* |1 + z|^2 - 1 = 2x + x^2 + y^2 */
void complex_log_log1p(struct complex_work *w, struct real *y)
{
    struct complex_number *z = &w->z[0];
    if (special(w, y))
        return;
    square(w);
    mpfr_set_prec(w->t[0], mpfr_get_prec(z->re));
    mpfr_mul_2ui(w->t[0], z->re, 1, MPFR_RNDZ);
    complex_exact_add(w->t[1], w->t[2], w->t[0]);
    mpfr_set_prec(w->t[3], 2);
    mpfr_set_ui(w->t[3], 1, MPFR_RNDZ);
    complex_exact_add(w->t[4], z->re, w->t[3]);
    if (mpfr_zero_p(z->re) && mpfr_zero_p(z->im)) {
        /* -0 stays, as in the real function, or is log(1 + z). */
        y[0] = complex_real(w, z->re);
        w->signs = mpfr_signbit(z->re) ? 1 : 0;
    } else {
        y[0] = half(complex_apply(w, mpfr_log1p, w->t[1]));
    }
    y[1] = complex_apply2(w, mpfr_atan2, z->im, w->t[4]);
}
