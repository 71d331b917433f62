/* complex.c - see complex.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/complex.h"

struct complex_work *complex_new(struct arena *a, int width, int64_t limit)
{
    struct complex_work *w = arena_new(a, struct complex_work, 1);
    w->width = width;
    w->limit = limit;
    for (int i = 0; i < 2; i++) {
        mpfr_inits2(64, w->z[i].re, w->z[i].im, (mpfr_ptr)0);
        mpfr_init2(w->part[i].value, width);
    }
    for (int i = 0; i < COMPLEX_SCRATCH; i++)
        mpfr_init2(w->t[i], width);
    mpfr_init2(w->out, width);
    return w;
}

void complex_free(struct complex_work *w)
{
    for (int i = 0; i < 2; i++)
        mpfr_clears(w->z[i].re, w->z[i].im, w->part[i].value, (mpfr_ptr)0);
    for (int i = 0; i < COMPLEX_SCRATCH; i++)
        mpfr_clear(w->t[i]);
    mpfr_clear(w->out);
}

void complex_precision(struct complex_work *w, mpfr_prec_t prec)
{
    for (int i = 0; i < 2; i++)
        mpfr_set_prec(w->part[i].value, prec);
    for (int i = 0; i < COMPLEX_SCRATCH; i++)
        mpfr_set_prec(w->t[i], prec);
}

/* ---- Results ------------------------------------------------------------- */

struct real complex_zero(bool negative)
{
    return (struct real){.kind = REAL_ZERO, .width = 128, .negative = negative};
}

struct real complex_inf(bool negative)
{
    return (struct real){.kind = REAL_INF, .width = 128, .negative = negative};
}

struct real complex_nan(void)
{
    return (struct real){.kind = REAL_NAN, .width = 128};
}

struct real complex_near_one(const struct complex_work *w, bool above,
                             bool negative)
{
    real_u128 ones = ~(real_u128)0 << (128 - w->width);
    return (struct real){
        .significand = above ? (real_u128)1 << 127 : ones,
        .exponent = above ? 0 : -1,
        .kind = REAL_FINITE,
        .width = (uint8_t)w->width,
        .negative = negative,
        .inexact = true,
    };
}

struct real complex_times(struct real factor, mpfr_srcptr x)
{
    if (mpfr_nan_p(x) || (factor.kind == REAL_INF && mpfr_zero_p(x)))
        return complex_nan();
    factor.negative ^= mpfr_signbit(x) != 0;
    return factor;
}

void complex_quotient_zeros(struct complex_work *w, const struct real *y)
{
    for (int i = 0; i < 2; i++)
        if (y[i].kind == REAL_ZERO)
            w->signs |= 1U << i;
}

void complex_clamp(mpfr_ptr x)
{
    if (mpfr_regular_p(x) && mpfr_get_exp(x) > 16)
        mpfr_set_si(x, mpfr_signbit(x) ? -65536 : 65536, MPFR_RNDZ);
}

void complex_turn(struct complex_work *w)
{
    mpfr_neg(w->z[0].im, w->z[0].im, MPFR_RNDZ);
    mpfr_swap(w->z[0].re, w->z[0].im);
}

void complex_turn_back(struct complex_work *w, struct real *y)
{
    struct real re = y[0];
    y[0] = y[1];
    y[1] = re;
    y[1].negative = !y[1].negative && y[1].kind != REAL_NAN;
    w->signs = (w->signs >> 1 & 1) | (w->signs & 1) << 1;
}

static struct real from_out(struct complex_work *w, int ternary)
{
    return mpfr_nan_p(w->out) ? complex_nan() : real_from_mpfr(w->out, ternary);
}

struct real complex_real(struct complex_work *w, mpfr_srcptr x)
{
    return from_out(w, mpfr_set(w->out, x, MPFR_RNDZ));
}

struct real complex_apply(struct complex_work *w, complex_call1 *f,
                          mpfr_srcptr x)
{
    return from_out(w, f(w->out, x, MPFR_RNDZ));
}

struct real complex_apply2(struct complex_work *w, complex_call2 *f,
                           mpfr_srcptr a, mpfr_srcptr b)
{
    return from_out(w, f(w->out, a, b, MPFR_RNDZ));
}

bool complex_settle(struct complex_work *w, const struct complex_part *part,
                    struct real *y)
{
    if (part->good == COMPLEX_EXACT || !mpfr_regular_p(part->value)) {
        *y = complex_real(w, part->value);
        return true;
    }
    /* Where this holds no number of width bits lies within the error, so the
     * value itself is not one: it is inexact. */
    if (part->good <= w->width
        || !mpfr_can_round(part->value, part->good, MPFR_RNDN, MPFR_RNDZ,
                           w->width))
        return false;
    mpfr_set(w->out, part->value, MPFR_RNDZ);
    *y = real_from_mpfr(w->out, 1);
    return true;
}

int64_t complex_good(mpfr_ptr value, int64_t scale, mpfr_prec_t prec)
{
    if (mpfr_zero_p(value)) { /* all cancelled: nothing is known */
        mpfr_set_ui(value, 1, MPFR_RNDZ);
        return 0;
    }
    return mpfr_get_exp(value) - (scale - prec);
}

void complex_refine(struct complex_work *w, complex_step *step, struct real *y)
{
    mpfr_prec_t prec = w->width + 32;
    for (;;) {
        complex_precision(w, prec);
        step(w, prec);
        bool re = complex_settle(w, &w->part[0], &y[0]);
        bool im = complex_settle(w, &w->part[1], &y[1]);
        if (re && im)
            return;
        if (2 * prec > w->limit) {
            w->undecided = true;
            for (int i = 0; i < 2; i++)
                if (i == 0 ? !re : !im) {
                    y[i] = complex_real(w, w->part[i].value);
                    y[i].inexact = true;
                    y[i].width = (uint8_t)w->width;
                }
            return;
        }
        prec *= 2;
    }
}

/* ---- Exact arithmetic ---------------------------------------------------- */

static mpfr_exp_t last_bit(mpfr_srcptr x)
{
    return mpfr_get_exp(x) - (mpfr_exp_t)mpfr_min_prec(x);
}

/* Bits that hold the sum of two numbers. */
static mpfr_prec_t sum_precision(mpfr_srcptr a, mpfr_srcptr b)
{
    if (!mpfr_regular_p(a) || !mpfr_regular_p(b)) {
        mpfr_prec_t p = mpfr_regular_p(a)   ? mpfr_min_prec(a)
                        : mpfr_regular_p(b) ? mpfr_min_prec(b)
                                            : 2;
        return p < 2 ? 2 : p;
    }
    mpfr_exp_t ea = mpfr_get_exp(a), eb = mpfr_get_exp(b);
    mpfr_exp_t la = last_bit(a), lb = last_bit(b);
    return (ea > eb ? ea : eb) + 1 - (la < lb ? la : lb);
}

void complex_exact_add(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b)
{
    mpfr_set_prec(r, sum_precision(a, b));
    mpfr_add(r, a, b, MPFR_RNDZ);
}

void complex_exact_sub(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b)
{
    mpfr_set_prec(r, sum_precision(a, b));
    mpfr_sub(r, a, b, MPFR_RNDZ);
}

void complex_exact_mul(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b)
{
    bool regular = mpfr_regular_p(a) && mpfr_regular_p(b);
    mpfr_set_prec(r, regular ? mpfr_min_prec(a) + mpfr_min_prec(b) : 2);
    mpfr_mul(r, a, b, MPFR_RNDZ);
}
