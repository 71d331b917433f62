/* product.c - see product.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The product is kept between two numbers of many bits, one rounded down and
 * one up; they are equal while it is exact.
 */
#include "interp/ops/product.h"

#include <mpfr.h>

enum {
    PRECISION = 2048 /* exact for 38 factors of f64, 85 of f32 */
};

struct product {
    struct eval *ev;
    mpfr_t low, high; /* of the magnitude */
    mpfr_t factor;
    enum dtype unit;
    bool negative, nan, zero, infinite;
    int64_t roundings, rising, falling; /* sums of exponents above, below 0 */
};

static void make(struct arena *a, mpfr_ptr x, mpfr_prec_t precision)
{
    size_t size = mpfr_custom_get_size(precision);
    void *limbs = arena_alloc(a, size);
    mpfr_custom_init(limbs, precision);
    mpfr_custom_init_set(x, MPFR_ZERO_KIND, 0, precision, limbs);
}

struct product *product_open(struct eval *ev)
{
    struct product *p = arena_new(ev->arena, struct product, 1);
    p->ev = ev;
    make(ev->arena, p->low, PRECISION);
    make(ev->arena, p->high, PRECISION);
    make(ev->arena, p->factor, 64);
    return p;
}

void product_start(struct product *p, enum dtype unit)
{
    mpfr_set_ui(p->low, 1, MPFR_RNDN);
    mpfr_set_ui(p->high, 1, MPFR_RNDN);
    p->unit = unit;
    p->negative = p->nan = p->zero = p->infinite = false;
    p->roundings = p->rising = p->falling = 0;
}

void product_multiply(struct product *p, uint64_t bits)
{
    enum dtype unit = p->unit;
    if (real_is_nan(unit, bits)) {
        p->nan = true;
        return;
    }
    p->negative = p->negative != real_is_negative(unit, bits);
    p->infinite = p->infinite || real_is_inf(unit, bits);
    p->zero = p->zero || real_is_zero(unit, bits);
    if (p->zero || p->infinite)
        return;
    real_bits_to_mpfr(p->factor, unit, bits);
    mpfr_abs(p->factor, p->factor, MPFR_RNDN);
    int64_t e = mpfr_get_exp(p->factor);
    bool power = mpfr_cmp_ui_2exp(p->factor, 1, e - 1) == 0;
    if (e > 0 && !(power && e == 1))
        p->rising += e;
    if (e <= 0)
        p->falling += 1 - e;
    p->roundings += !power;
    mpfr_mul(p->low, p->low, p->factor, MPFR_RNDD);
    mpfr_mul(p->high, p->high, p->factor, MPFR_RNDU);
}

/* The magnitude as a truncated real: as many bits as both ends share. */
static struct real as_real(struct product *p)
{
    static const int widths[] = {128, 96, 66};
    struct arena *arena = p->ev->arena;
    mpfr_t a, b;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        make(arena, a, widths[i]);
        make(arena, b, widths[i]);
        int ternary = mpfr_set(a, p->low, MPFR_RNDZ);
        if (mpfr_equal_p(p->low, p->high))
            return real_from_mpfr(a, ternary);
        mpfr_set(b, p->high, MPFR_RNDZ);
        if (mpfr_equal_p(a, b) && ternary != 0)
            break;
    }
    return real_from_mpfr(a, -1);
}

static void finish_special(struct product *p, struct goal *g, int64_t i)
{
    struct real r = {.kind = REAL_ZERO, .negative = p->negative};
    if (p->nan || (p->zero && p->infinite))
        r.kind = REAL_NAN;
    else if (p->infinite)
        r.kind = REAL_INF;
    goal_bits(g, i, real_round(&r, p->unit, REAL_OVERFLOW_TYPE));
}

void product_finish(struct product *p, struct goal *g, int64_t i,
                    enum dtype accumulator)
{
    const struct dtype_info *d = &dtype_table[accumulator];
    bool over = p->rising > d->emax, under = -p->falling < d->emin;
    if (p->nan || p->zero || p->infinite) {
        finish_special(p, g, i);
        /* A partial product may overflow before it meets the zero. */
        if (p->zero && !p->nan && !p->infinite && over && g->want_exact) {
            g->note = "order_dependent_overflow";
            goal_free_unit(g, i);
        }
        return;
    }
    struct accept_sum s = {.accumulator = accumulator};
    s.sum = as_real(p);
    s.magnitude = s.sum;
    if (s.magnitude.inexact) { /* one unit more is above it */
        real_u128 unit = (real_u128)1 << (128 - s.magnitude.width);
        s.magnitude.inexact = false;
        s.magnitude.significand += unit;
        if (s.magnitude.significand < unit) {
            s.magnitude.significand = (real_u128)1 << 127;
            s.magnitude.exponent++;
        }
    }
    s.sum.negative = p->negative;
    s.roundings = p->roundings > 0 ? p->roundings - 1 : 0;
    if (under) { /* each partial product may lose all below a normal number */
        s.flushed = real_from_int(p->roundings + 1);
        s.flushed.exponent += d->emin;
    }
    goal_sum(g, i, &s);
    bool order = (over && p->falling > 0) || (under && p->rising > 0);
    if (order && g->want_exact) {
        g->note = "order_dependent_overflow";
        goal_free_unit(g, i);
    }
}
