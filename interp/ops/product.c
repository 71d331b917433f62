/* product.c - see product.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The product is kept between two numbers of many bits, one rounded down and
 * one up; they are equal while it is exact.
 */
#include "interp/ops/product.h"

#include <mpfr.h>

#include "interp/exact/accept_bound.h"

enum {
    PRECISION = 2048 /* exact for 38 factors of f64, 85 of f32 */
};

/* The largest or smallest product of some of the factors: of one at least, and
 * of two.  Multiplication commutes, so any of them may be combined. */
struct extreme {
    mpfr_t any, two;
    mpfr_rnd_t outward;
};

struct product {
    struct eval *ev;
    struct product_complex *complex; /* NULL: real */
    mpfr_t low, high;                /* of the magnitude */
    mpfr_t factor, t, u;
    mpfr_t rise, fall; /* of the factors above and below 1, outward */
    struct extreme top, bottom;
    struct accept_few few; /* the first factors */
    enum dtype unit;
    bool negative, nan, zero, infinite;
    int64_t factors;   /* finite, and neither 0 nor 1 */
    int64_t roundings; /* those that are not powers of two */
};

static void make(struct arena *a, mpfr_ptr x, mpfr_prec_t precision)
{
    size_t size = mpfr_custom_get_size(precision);
    void *limbs = arena_alloc(a, size);
    mpfr_custom_init(limbs, precision);
    mpfr_custom_init_set(x, MPFR_ZERO_KIND, 0, precision, limbs);
}

struct product *product_open(struct eval *ev, enum dtype type)
{
    struct product *p = arena_new(ev->arena, struct product, 1);
    p->ev = ev;
    p->unit = dtype_unit(type);
    if (dtype_class(type) == DTYPE_COMPLEX) {
        p->complex = product_complex_open(ev, p->unit);
        return p;
    }
    make(ev->arena, p->low, PRECISION);
    make(ev->arena, p->high, PRECISION);
    mpfr_ptr all[] = {p->factor,  p->t,          p->u,
                      p->rise,    p->fall,       p->top.any,
                      p->top.two, p->bottom.any, p->bottom.two};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        make(ev->arena, all[i], 64);
    p->top.outward = MPFR_RNDU;
    p->bottom.outward = MPFR_RNDD;
    return p;
}

void product_start(struct product *p)
{
    if (p->complex) {
        product_complex_start(p->complex);
        return;
    }
    mpfr_ptr ones[] = {p->low, p->high, p->rise, p->fall};
    for (size_t i = 0; i < sizeof ones / sizeof *ones; i++)
        mpfr_set_ui(ones[i], 1, MPFR_RNDN);
    p->negative = p->nan = p->zero = p->infinite = false;
    p->roundings = p->factors = p->few.count = 0;
}

/* x = y if y is further out. */
static void reach(struct extreme *e, mpfr_ptr x, mpfr_srcptr y)
{
    bool further =
        e->outward == MPFR_RNDU ? mpfr_greater_p(y, x) : mpfr_less_p(y, x);
    if (further)
        mpfr_set(x, y, e->outward);
}

/* p->factor is number p->factors, from 1 on. */
static void take_part(struct product *p, struct extreme *e)
{
    if (p->factors == 1) {
        mpfr_set(e->any, p->factor, e->outward);
        return;
    }
    mpfr_mul(p->t, e->any, p->factor, e->outward);
    if (p->factors == 2)
        mpfr_set(e->two, p->t, e->outward);
    reach(e, e->two, p->t);
    reach(e, e->any, p->t);
    reach(e, e->any, p->factor);
}

bool product_is_one(const struct literal *from, int64_t at)
{
    enum dtype type = from->shape->dtype, unit = dtype_unit(type);
    int units = dtype_units(type);
    return literal_get(from, at * units) == real_one(unit)
           && (units == 1 || real_is_zero(unit, literal_get(from, 2 * at + 1)));
}

/* A factor, for every order of few of them; its sign is the product's. */
static void note_factor(struct product *p, uint64_t bits)
{
    struct real r = real_from_bits(p->unit, bits);
    unsigned flags = profile_rules(p->ev->machine->profile, p->unit).subnormal;
    p->few.term[p->few.count++] = (struct accept_term){
        .m = r.significand,
        .e = r.exponent - 127,
        .tiny = flags != 0 && real_is_subnormal(p->unit, bits)};
}

static void multiply_real(struct product *p, uint64_t bits)
{
    enum dtype unit = p->unit;
    if (real_is_nan(unit, bits)) {
        p->nan = true;
        return;
    }
    p->negative = p->negative != real_is_negative(unit, bits);
    p->infinite = p->infinite || real_is_inf(unit, bits);
    p->zero = p->zero || real_is_zero(unit, bits);
    if (!real_is_finite(unit, bits) || real_is_zero(unit, bits))
        return;
    real_bits_to_mpfr(p->factor, unit, bits);
    mpfr_abs(p->factor, p->factor, MPFR_RNDN);
    int order = mpfr_cmp_ui(p->factor, 1);
    if (order == 0)
        return;
    p->factors++;
    p->roundings +=
        mpfr_cmp_ui_2exp(p->factor, 1, mpfr_get_exp(p->factor) - 1) != 0;
    mpfr_mul(p->low, p->low, p->factor, MPFR_RNDD);
    mpfr_mul(p->high, p->high, p->factor, MPFR_RNDU);
    if (!p->ev->want_exact)
        return;
    if (p->factors <= ACCEPT_FEW)
        note_factor(p, bits);
    if (order > 0)
        mpfr_mul(p->rise, p->rise, p->factor, MPFR_RNDU);
    else
        mpfr_mul(p->fall, p->fall, p->factor, MPFR_RNDD);
    take_part(p, &p->top);
    take_part(p, &p->bottom);
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

void product_multiply(struct product *p, const struct literal *from, int64_t at)
{
    if (p->complex)
        product_complex_multiply(p->complex, literal_get(from, 2 * at),
                                 literal_get(from, 2 * at + 1));
    else
        multiply_real(p, literal_get(from, at));
}

/* ---- Partial products ---------------------------------------------------- */

/* x, raised or lowered by what roundings can do to it: (1 + u)^n, which is no
 * more than 1 / (1 - nu), or than 2^(3nu/2); (1 - u)^n is no less than 2^(-2nu)
 * where u is at most 1/2.  Valid until the next call. */
static mpfr_srcptr allow_roundings(struct product *p, mpfr_srcptr x, bool up,
                                   enum dtype accumulator)
{
    int precision = dtype_table[accumulator].precision;
    int64_t n = p->roundings, one = INT64_C(1) << precision;
    if (n < one / 2) {
        /* t = 1 - nu */
        mpfr_set_ui(p->t, (unsigned long)(one - n), MPFR_RNDN);
        mpfr_div_2si(p->t, p->t, precision, MPFR_RNDN);
        if (up)
            mpfr_div(p->u, x, p->t, MPFR_RNDU);
        else
            mpfr_mul(p->u, x, p->t, MPFR_RNDD);
    } else {
        long shift = (long)(3 * n / (2 * one) + 1);
        mpfr_mul_2si(p->u, x, up ? shift : -2 * shift, MPFR_RNDN);
    }
    return p->u;
}

/* The total error of underflows.  One is off by half the smallest number, eta,
 * and then multiplied by at most all factors above 1; if these are large,
 * better: it is off by the whole product, or adds as much again. */
static struct real underflow_of(struct product *p, enum dtype accumulator)
{
    const struct dtype_info *d = &dtype_table[accumulator];
    MPFR_DECL_INIT(twice, 64);
    uint64_t nodes = (uint64_t)p->factors - 1;
    /* A type without zero rounds to its smallest number, however far. */
    bool zeroless = real_formats[accumulator].sign == 0;
    mpfr_set_ui_2exp(p->t, nodes, d->emin - d->precision + zeroless, MPFR_RNDU);
    mpfr_mul(p->t, p->t, p->rise, MPFR_RNDU);
    if (zeroless)
        return real_from_mpfr(p->t, 0);
    mpfr_set(twice, p->high, MPFR_RNDU);
    mpfr_mul_2ui(twice, twice, nodes, MPFR_RNDU);
    mpfr_sub(twice, twice, p->low, MPFR_RNDU);
    if (mpfr_less_p(twice, p->t))
        mpfr_set(p->t, twice, MPFR_RNDU);
    return real_from_mpfr(p->t, 0);
}

/* Record in s what partial products may become; a product has two factors. */
static void note_partial(struct product *p, struct accept_sum *s)
{
    const struct dtype_info *d = &dtype_table[s->accumulator];
    bool special = p->zero || p->infinite;
    if (p->factors == 0)
        return;
    mpfr_srcptr x = allow_roundings(p, p->bottom.any, false, s->accumulator);
    if (mpfr_cmp_ui_2exp(x, 1, d->emin) < 0)
        s->partial |= ACCEPT_PARTIAL_TINY;
    if (p->factors == 1)
        return;
    x = allow_roundings(p, p->top.two, true, s->accumulator);
    if (accept_bound_overflows(x, s->accumulator))
        s->partial |= ACCEPT_PARTIAL_INF;
    x = allow_roundings(p, p->bottom.two, false, s->accumulator);
    if (mpfr_cmp_ui_2exp(x, 1, d->emin) >= 0)
        return;
    /* With two factors there is one product, which is the result. */
    if (p->factors == 2 && s->accumulator == p->unit && !special)
        return;
    if (!special)
        s->underflow = underflow_of(p, s->accumulator);
    /* Each of n roundings took no more than eta from it, which later factors
     * below 1 make less. */
    mpfr_set_ui_2exp(p->t, (unsigned long)p->factors,
                     d->emin - d->precision + 1, MPFR_RNDU);
    if (mpfr_lessequal_p(p->fall, p->t))
        s->partial |= ACCEPT_PARTIAL_ZERO;
}

/* Every order of few factors, where their type has a few bits. */
static void note_few(struct product *p, struct accept_sum *s, struct arena *a)
{
    bool narrow = dtype_table[s->accumulator].bits < 16;
    s->fall = real_from_mpfr(p->fall, 0);
    if (!narrow || p->factors < 2 || p->factors > ACCEPT_FEW || p->zero
        || p->infinite)
        return;
    struct accept_few *few = arena_new(a, struct accept_few, 1);
    *few = p->few;
    few->term[0].negative = p->negative;
    s->few = few;
    s->flushes =
        profile_rules(p->ev->machine->profile, s->accumulator).subnormal != 0;
    s->orders = true;
    int64_t digits = p->factors * dtype_table[p->unit].precision;
    s->wide_roundings =
        digits > dtype_table[DT_f32].precision ? s->roundings : 0;
}

void product_finish(struct product *p, struct goal *g, int64_t i,
                    enum dtype accumulator)
{
    struct accept_sum s = {.accumulator = accumulator,
                           .growth = ACCEPT_GROWTH_PRODUCT};
    if (p->complex) {
        product_complex_finish(p->complex, g, i, accumulator);
        return;
    }
    if (p->nan || (p->zero && p->infinite)) {
        goal_bits(g, i, real_nan(p->unit, false));
        return;
    }
    if (p->zero || p->infinite)
        s.sum.kind = p->zero ? REAL_ZERO : REAL_INF;
    else
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
    s.most_roundings = p->factors > 0 ? p->factors - 1 : 0;
    if (p->ev->want_exact) {
        note_partial(p, &s);
        note_few(p, &s, g->arena);
    }
    goal_sum(g, i, &s);
    if (s.partial & (ACCEPT_PARTIAL_INF | ACCEPT_PARTIAL_ZERO))
        g->note = "order_dependent_overflow";
}
