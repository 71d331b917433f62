/* product_complex.c - see product.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A multiplication of complex numbers in their components' type is off by
 * sqrt(5) u |z| at most (Brent, Percival, Zimmermann 2007), or by what a
 * profile allows Mul.  So are n of them, one after the other in any order, by n
 * times as much, first of all: each component of the product is judged by M =
 * |z| and k = n sqrt(5) roundings.  Where all factors are real or imaginary
 * there is one rounding each.
 */
#include <mpfr.h>

#include "interp/exact/accept_bound.h"
#include "interp/ops/product.h"

enum {
    PRECISION = 4096, /* exact for 85 factors of c64, 38 of c128 */
    BOUND = 64
};

struct product_complex {
    struct eval *ev;
    enum dtype unit;
    mpfr_t z[2];             /* the product */
    mpfr_t factor[2], t[2];  /* of few bits; scratch, of as many as z */
    mpfr_t rise, fall, size; /* bounds, outward: of products of the sizes above
                                1, of the components below 1 */
    bool special;            /* a factor is infinite or NaN, */
    bool zero;               /* or zero */
    bool axis;               /* all factors are real or imaginary */
    int64_t factors;         /* except 1, -1, i and -i */
    int64_t cuts;            /* roundings of z */
    int64_t bits;            /* Gaussian integers: of the largest product, */
    int64_t up, down;        /* powers of two above and below 1 */
};

static void make(struct arena *a, mpfr_ptr x, mpfr_prec_t precision)
{
    void *limbs = arena_alloc(a, mpfr_custom_get_size(precision));
    mpfr_custom_init(limbs, precision);
    mpfr_custom_init_set(x, MPFR_ZERO_KIND, 0, precision, limbs);
}

struct product_complex *product_complex_open(struct eval *ev, enum dtype unit)
{
    struct product_complex *p = arena_new(ev->arena, struct product_complex, 1);
    p->ev = ev;
    p->unit = unit;
    for (int k = 0; k < 2; k++) {
        make(ev->arena, p->z[k], PRECISION);
        make(ev->arena, p->t[k], PRECISION);
        make(ev->arena, p->factor[k], BOUND);
    }
    make(ev->arena, p->rise, BOUND);
    make(ev->arena, p->fall, BOUND);
    make(ev->arena, p->size, BOUND);
    return p;
}

void product_complex_start(struct product_complex *p)
{
    mpfr_set_ui(p->z[0], 1, MPFR_RNDN);
    mpfr_set_zero(p->z[1], 1);
    mpfr_set_ui(p->rise, 1, MPFR_RNDN);
    mpfr_set_ui(p->fall, 1, MPFR_RNDN);
    p->special = p->zero = false;
    p->axis = true;
    p->factors = p->cuts = p->bits = p->up = p->down = 0;
}

/* The exponent of the lowest bit of x, which is not zero. */
static int64_t lowest(mpfr_srcptr x)
{
    return mpfr_get_exp(x) - (int64_t)mpfr_min_prec(x);
}

/* Note what the factor can do to the sizes of products. */
static void note_sizes(struct product_complex *p)
{
    int64_t low = INT64_MAX;
    mpfr_ptr size = p->size;
    mpfr_set_zero(size, 1);
    for (int k = 0; k < 2; k++) {
        mpfr_srcptr x = p->factor[k];
        if (mpfr_zero_p(x))
            continue;
        low = lowest(x) < low ? lowest(x) : low;
        if (mpfr_cmpabs_ui(x, 1) < 0) {
            mpfr_mul(p->fall, p->fall, x, MPFR_RNDZ);
            mpfr_abs(p->fall, p->fall, MPFR_RNDZ);
        }
        if (mpfr_sgn(x) < 0)
            mpfr_sub(size, size, x, MPFR_RNDU);
        else
            mpfr_add(size, size, x, MPFR_RNDU);
    }
    if (mpfr_cmp_ui(size, 1) > 0)
        mpfr_mul(p->rise, p->rise, size, MPFR_RNDU);
    int64_t high = mpfr_get_exp(size);
    p->bits += high - low;
    p->up += high > 0 ? high : 0;
    p->down += low < 0 ? low : 0;
}

void product_complex_multiply(struct product_complex *p, uint64_t re,
                              uint64_t im)
{
    if (!real_is_finite(p->unit, re) || !real_is_finite(p->unit, im)) {
        p->special = true;
        return;
    }
    real_bits_to_mpfr(p->factor[0], p->unit, re);
    real_bits_to_mpfr(p->factor[1], p->unit, im);
    bool real = mpfr_zero_p(p->factor[1]),
         imaginary = mpfr_zero_p(p->factor[0]);
    p->zero = p->zero || (real && imaginary);
    if (p->special || (real && imaginary))
        return;
    bool unit = (real && mpfr_cmpabs_ui(p->factor[0], 1) == 0)
                || (imaginary && mpfr_cmpabs_ui(p->factor[1], 1) == 0);
    p->axis = p->axis && (real || imaginary);
    p->factors += !unit;
    note_sizes(p);
    p->cuts += mpfr_fmms(p->t[0], p->z[0], p->factor[0], p->z[1], p->factor[1],
                         MPFR_RNDN)
               != 0;
    p->cuts += mpfr_fmma(p->t[1], p->z[0], p->factor[1], p->z[1], p->factor[0],
                         MPFR_RNDN)
               != 0;
    mpfr_swap(p->z[0], p->t[0]);
    mpfr_swap(p->z[1], p->t[1]);
}

/* ---- Results ------------------------------------------------------------- */

/* Is every product of factors a number of the type, in both components? */
static bool is_exact(const struct product_complex *p, enum dtype accumulator)
{
    const struct dtype_info *d = &dtype_table[accumulator];
    return p->bits <= d->precision && p->up <= d->emax
           && p->down >= d->emin - d->precision + 1;
}

/* A component, truncated to as many bits as are known: each cut of the product
 * added 2^(1 - PRECISION) of its size at most, and later ones a little. */
static struct real component(struct product_complex *p, int k)
{
    static const int widths[] = {128, 96, 66};
    mpfr_ptr error = p->t[0], end = p->t[1];
    MPFR_DECL_INIT(cut, 128);
    int ternary = mpfr_set(cut, p->z[k], MPFR_RNDZ);
    if (p->cuts == 0)
        return real_from_mpfr(cut, ternary);
    mpfr_hypot(error, p->z[0], p->z[1], MPFR_RNDU);
    mpfr_mul_ui(error, error, (unsigned long)p->cuts, MPFR_RNDU);
    mpfr_mul_2si(error, error, 3 - PRECISION, MPFR_RNDU);
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        mpfr_t low, high;
        make(p->ev->arena, low, widths[i]);
        make(p->ev->arena, high, widths[i]);
        mpfr_sub(end, p->z[k], error, MPFR_RNDN);
        mpfr_set(low, end, MPFR_RNDZ);
        mpfr_add(end, p->z[k], error, MPFR_RNDN);
        mpfr_set(high, end, MPFR_RNDZ);
        if (mpfr_equal_p(low, high))
            return real_from_mpfr(low, -1);
    }
    return real_from_mpfr(cut, -1);
}

/* k: the number of roundings of u |z| that all multiplications make together.
 * */
static int64_t count_roundings(const struct product_complex *p)
{
    const struct profile *profile = p->ev->machine->profile;
    const struct accept_budget *budget;
    int64_t nodes = p->factors > 1 ? p->factors - 1 : 0;
    MPFR_DECL_INIT(most, BOUND);
    MPFR_DECL_INIT(ulps, BOUND);
    if (p->axis)
        return nodes;
    mpfr_sqrt_ui(most, 5, MPFR_RNDU);
    /* The operands of nested products are unknown: take the widest budget. */
    for (int n = 0; (budget = profile_budget_nth(profile, "Mul.complex",
                                                 p->unit, n, NULL));
         n++) {
        if (budget->kind != ACCEPT_ULP && budget->kind != ACCEPT_XLA)
            continue;
        struct real r = budget->ulps;
        ACCEPT_BOUND(above);
        accept_bound_above(above, &r);
        mpfr_mul_2ui(ulps, above, 1, MPFR_RNDU);
        mpfr_max(most, most, ulps, MPFR_RNDU);
    }
    mpfr_mul_ui(most, most, (unsigned long)nodes, MPFR_RNDU);
    return mpfr_get_si(most, MPFR_RNDU);
}

/* The error of underflow: on an axis, half the smallest number for each
 * product; else three times as much, and with flushing, which two products and
 * a sum may meet in each component, five times the smallest normal number. */
static struct real underflow_of(const struct product_complex *p,
                                enum dtype accumulator)
{
    const struct dtype_info *d = &dtype_table[accumulator];
    bool flush = profile_rules(p->ev->machine->profile, p->unit).subnormal != 0;
    MPFR_DECL_INIT(lost, BOUND);
    struct real none = {.kind = REAL_ZERO};
    if (p->factors < 2
        || (p->axis && mpfr_cmp_ui_2exp(p->fall, 1, d->emin + 1) >= 0))
        return none;
    mpfr_mul_ui(lost, p->rise, (unsigned long)(p->factors - 1), MPFR_RNDU);
    mpfr_mul_ui(lost, lost, flush ? 5 : p->axis ? 1 : 3, MPFR_RNDU);
    mpfr_mul_2si(lost, lost, flush ? d->emin : d->emin - d->precision,
                 MPFR_RNDU);
    return real_from_mpfr(lost, 0);
}

/* May some product overflow in a component?  Roundings add less than 2^-10 of
 * it while ku < 2^-11. */
static bool may_overflow(const struct product_complex *p,
                         enum dtype accumulator)
{
    MPFR_DECL_INIT(most, BOUND);
    if (p->factors < 2)
        return false;
    if (count_roundings(p) >= INT64_C(1)
                                  << (dtype_table[accumulator].precision - 11))
        return true;
    mpfr_mul_2si(most, p->rise, -10, MPFR_RNDU);
    mpfr_add(most, most, p->rise, MPFR_RNDU);
    return accept_bound_overflows(most, accumulator);
}

static void free_both(const struct product_complex *p, struct goal *g,
                      int64_t i)
{
    for (int k = 0; p->ev->want_exact && k < 2; k++)
        goal_free_unit(g, 2 * i + k);
}

void product_complex_finish(struct product_complex *p, struct goal *g,
                            int64_t i, enum dtype accumulator)
{
    MPFR_DECL_INIT(size, 128);
    struct accept_sum s = {.accumulator = accumulator,
                           .growth = ACCEPT_GROWTH_FORMULA};
    if (p->special) {
        /* Which infinities and NaN a complex product gives is open. */
        for (int k = 0; k < 2; k++)
            goal_bits(g, 2 * i + k, real_nan(p->unit, false));
        free_both(p, g, i);
        return;
    }
    mpfr_hypot(size, p->z[0], p->z[1], MPFR_RNDU);
    if (!is_exact(p, accumulator)) {
        s.roundings = count_roundings(p);
        s.underflow = underflow_of(p, accumulator);
    }
    for (int k = 0; k < 2; k++) {
        s.sum = component(p, k);
        /* The other component of factors on an axis is exactly zero. */
        bool zero = p->zero || (p->axis && mpfr_zero_p(p->z[k]));
        if (p->zero)
            s.sum = (struct real){.kind = REAL_ZERO};
        s.magnitude = real_from_mpfr(size, 0);
        if (zero)
            goal_bits(g, 2 * i + k, real_zero(p->unit, false));
        else
            goal_sum(g, 2 * i + k, &s);
        if (s.sum.kind == REAL_ZERO && p->ev->want_exact)
            goal_or(g, 2 * i + k, real_zero(p->unit, true));
    }
    if (may_overflow(p, accumulator)) {
        g->note = "order_dependent_overflow";
        free_both(p, g, i);
    }
}
