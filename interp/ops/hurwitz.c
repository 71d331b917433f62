/* hurwitz.c - see hurwitz.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * With Z(s, b) = sum of (b / (b + k))^s, which is above 1, the sum for q > 0 is
 * q^-s Z(s, q).  For q < 0 the terms on both sides of zero are two such sums,
 * and those beyond q are taken away again.  Z is a plain sum where s is large,
 * else it comes from Euler's and Maclaurin's formula.  All derivatives of t^-s
 * keep their signs, so what the formula leaves out lies between 0 and the first
 * term left out.
 */
#include "interp/ops/hurwitz.h"

#include "gen/policy/function_pole.h"
#include "gen/policy/zeta_infinite.h"
#include "interp/exact/enclose.h"

enum {
    BASE_BITS = 1280, /* enough for q + 1 of every type */
    /* The sums are multiplied by e^u.  Beyond FAR_UP that is above every type
     * even where two sums next to each other cancel, which takes 50 bits at
     * most; below -FAR_DOWN it is too small even where s is next to 1 and the
     * sum near 2^1077. */
    FAR_UP = 800,
    FAR_DOWN = 1600,
    GUARD = 40,
};

struct sum {
    mpfr_srcptr s;
    mpfr_ptr base[3]; /* of each Z, */
    int sign[3];      /* by which it is multiplied; */
    int count;
    mpfr_srcptr scale; /* and all by scale^-s, */
    bool gamma;        /* and by gamma(s) */
};

/* Numbers of one precision, and of that in which bases and s are handled: to
 * the power of s, the error of a base becomes s times as large. */
struct work {
    mpfr_prec_t bits, wide;
    mpfr_t s, b, a, g, t, u, p;
};

static void work_init(struct work *w, const struct sum *z, mpfr_prec_t bits)
{
    mpfr_exp_t more = mpfr_get_exp(z->s);
    w->bits = bits;
    w->wide = bits + (more > 0 ? more : 0) + GUARD;
    mpfr_inits2(w->wide, w->a, w->u, (mpfr_ptr)0);
    mpfr_inits2(bits, w->g, w->t, w->p, (mpfr_ptr)0);
    mpfr_inits2(BASE_BITS, w->s, w->b, (mpfr_ptr)0);
    mpfr_set(w->s, z->s, MPFR_RNDN);
}

static void work_clear(struct work *w)
{
    mpfr_clears(w->s, w->b, w->a, w->g, w->t, w->u, w->p, (mpfr_ptr)0);
}

/* g = (num / den)^s, with a relative error below 2^(1-bits): the error of the
 * quotient is 2^(2-wide). */
static void power(struct work *w, mpfr_srcptr num, mpfr_srcptr den)
{
    mpfr_div(w->u, num, den, MPFR_RNDN);
    mpfr_pow(w->g, w->u, w->s, MPFR_RNDN);
}

/* Is |t| below 2^-bits of y? */
static bool negligible(const struct work *w, mpfr_srcptr t, mpfr_srcptr y)
{
    return mpfr_zero_p(t) || mpfr_get_exp(t) < mpfr_get_exp(y) - w->bits;
}

/* Z as a sum whose rest, from the term g on, is at most g (1 + a / (s - 1)).
 * Returns the roundings, in units of 2^-bits; 0: too many. */
static unsigned long add_terms(struct work *w, mpfr_ptr y)
{
    mpfr_set_ui(y, 1, MPFR_RNDN);
    for (unsigned long k = 1; k < 64 * (unsigned long)w->bits; k++) {
        mpfr_add_ui(w->a, w->b, k, MPFR_RNDN);
        power(w, w->b, w->a);
        mpfr_sub_ui(w->u, w->s, 1, MPFR_RNDN);
        mpfr_div(w->u, w->a, w->u, MPFR_RNDN);
        mpfr_add_ui(w->u, w->u, 1, MPFR_RNDN);
        mpfr_mul(w->t, w->g, w->u, MPFR_RNDU);
        mpfr_mul_2ui(w->t, w->t, 1, MPFR_RNDN); /* for its own roundings */
        if (negligible(w, w->t, y))
            return 4 * k + 16;
        mpfr_add(y, y, w->g, MPFR_RNDN);
    }
    return 0;
}

/* p = 2 (s)_(2j-1) a^(1-2j) / (2 pi)^2j, from that of j - 1. */
static void next_factor(struct work *w, unsigned long j)
{
    mpfr_const_pi(w->t, MPFR_RNDN);
    mpfr_mul_2ui(w->t, w->t, 1, MPFR_RNDN);
    if (j == 1) {
        mpfr_sqr(w->t, w->t, MPFR_RNDN);
        mpfr_mul(w->t, w->t, w->a, MPFR_RNDN);
        mpfr_div(w->p, w->s, w->t, MPFR_RNDN);
        mpfr_mul_2ui(w->p, w->p, 1, MPFR_RNDN);
        return;
    }
    mpfr_mul(w->t, w->t, w->a, MPFR_RNDN);
    mpfr_div(w->p, w->p, w->t, MPFR_RNDN);
    mpfr_div(w->p, w->p, w->t, MPFR_RNDN);
    for (unsigned long k = 2 * j - 3; k < 2 * j - 1; k++) {
        mpfr_add_ui(w->t, w->s, k, MPFR_RNDN);
        mpfr_mul(w->p, w->p, w->t, MPFR_RNDN);
    }
}

/* Add the terms B_2j / (2j)! (s)_(2j-1) a^(1-2j) (b/a)^s, as B_2j / (2j)! is
 * (-1)^(j+1) 2 zeta(2j) / (2 pi)^2j.  Returns how many; 0: they do not become
 * small. */
static unsigned long add_corrections(struct work *w, mpfr_ptr y)
{
    mpfr_exp_t before = MPFR_EMAX_DEFAULT;
    for (unsigned long j = 1; j < 4 * (unsigned long)w->bits; j++) {
        next_factor(w, j);
        mpfr_zeta_ui(w->t, 2 * j, MPFR_RNDN);
        mpfr_mul(w->t, w->t, w->p, MPFR_RNDN);
        mpfr_mul(w->t, w->t, w->g, MPFR_RNDN);
        if (negligible(w, w->t, y))
            return j;
        if (mpfr_get_exp(w->t) > before)
            return 0;
        before = mpfr_get_exp(w->t);
        if (j % 2)
            mpfr_add(y, y, w->t, MPFR_RNDN);
        else
            mpfr_sub(y, y, w->t, MPFR_RNDN);
    }
    return 0;
}

/* Z by Euler's and Maclaurin's formula from a = b + n, at least s/2 + bits/4:
 * each correction is less than half of the one before, until they are
 * negligible.  The sum of all is at most twice the result. */
static unsigned long add_formula(struct work *w, mpfr_ptr y)
{
    mpfr_set_ui(y, 0, MPFR_RNDN);
    mpfr_div_2ui(w->a, w->s, 1, MPFR_RNDU);
    mpfr_add_si(w->a, w->a, w->bits / 4 + 1, MPFR_RNDU);
    mpfr_sub(w->a, w->a, w->b, MPFR_RNDU);
    unsigned long n = mpfr_sgn(w->a) > 0 ? mpfr_get_ui(w->a, MPFR_RNDU) : 0;
    for (unsigned long k = 0; k < n; k++) {
        mpfr_add_ui(w->a, w->b, k, MPFR_RNDN);
        power(w, w->b, w->a);
        mpfr_add(y, y, w->g, MPFR_RNDN);
    }
    mpfr_add_ui(w->a, w->b, n, MPFR_RNDN);
    power(w, w->b, w->a);
    mpfr_div_2ui(w->t, w->g, 1, MPFR_RNDN);
    mpfr_add(y, y, w->t, MPFR_RNDN);
    mpfr_sub_ui(w->u, w->s, 1, MPFR_RNDN);
    mpfr_div(w->u, w->a, w->u, MPFR_RNDN);
    mpfr_mul(w->t, w->g, w->u, MPFR_RNDN);
    mpfr_add(y, y, w->t, MPFR_RNDN);
    unsigned long m = add_corrections(w, y);
    return m ? 4 * n + 32 * m + 128 : 0;
}

/* y - e and y + e, where e is so many units of 2^-bits of y. */
static void widen(mpfr_ptr low, mpfr_ptr high, unsigned long units)
{
    mpfr_t e;
    mpfr_prec_t bits = mpfr_get_prec(low);
    mpfr_init2(e, bits);
    mpfr_mul_ui(e, low, units, MPFR_RNDU);
    mpfr_div_2si(e, e, bits, MPFR_RNDU);
    mpfr_add(high, low, e, MPFR_RNDU);
    mpfr_sub(low, low, e, MPFR_RNDD);
    mpfr_clear(e);
}

/* Bounds of (scale / b)^s Z(s, b). */
static bool bound_one(struct work *w, const struct sum *z, int i, mpfr_ptr low,
                      mpfr_ptr high)
{
    mpfr_set(w->b, z->base[i], MPFR_RNDN);
    bool large = mpfr_cmp_si(w->s, w->bits) >= 0 && mpfr_less_p(w->b, w->s);
    unsigned long units = large ? add_terms(w, low) : add_formula(w, low);
    if (units == 0)
        return false;
    if (mpfr_equal_p(z->scale, w->b)) {
        widen(low, high, units);
        /* The first term is 1, and the others are positive: with s large this
         * is all that can be told. */
        if (mpfr_cmp_ui(low, 1) < 0)
            mpfr_set_ui(low, 1, MPFR_RNDN);
        return true;
    }
    power(w, z->scale, w->b);
    mpfr_mul(low, low, w->g, MPFR_RNDN);
    widen(low, high, units + 8);
    return true;
}

static bool bound_sum(struct work *w, const struct sum *z, mpfr_ptr low,
                      mpfr_ptr high)
{
    if (z->count == 1)
        return bound_one(w, z, 0, low, high);
    bool good = true;
    mpfr_t one_low, one_high;
    mpfr_inits2(w->bits, one_low, one_high, (mpfr_ptr)0);
    mpfr_set_zero(low, 1);
    mpfr_set_zero(high, 1);
    for (int i = 0; i < z->count && good; i++) {
        good = bound_one(w, z, i, one_low, one_high);
        if (good && z->sign[i] > 0) {
            mpfr_add(low, low, one_low, MPFR_RNDD);
            mpfr_add(high, high, one_high, MPFR_RNDU);
        } else if (good) {
            mpfr_sub(low, low, one_high, MPFR_RNDD);
            mpfr_sub(high, high, one_low, MPFR_RNDU);
        }
    }
    mpfr_clears(one_low, one_high, (mpfr_ptr)0);
    return good;
}

/* u = ln(scale^-s gamma(s)): exactly 0, or with an error below 2^-bits, as its
 * precision has as many bits more as its terms have before the point. */
static void logarithm(const struct sum *z, mpfr_ptr u)
{
    mpfr_t t;
    mpfr_init2(t, mpfr_get_prec(u));
    mpfr_log(u, z->scale, MPFR_RNDN);
    mpfr_mul(u, u, z->s, MPFR_RNDN);
    mpfr_neg(u, u, MPFR_RNDN);
    if (z->gamma) {
        mpfr_lngamma(t, z->s, MPFR_RNDN);
        mpfr_add(u, u, t, MPFR_RNDN);
    }
    mpfr_clear(t);
}

/* Bounds of scale^-s gamma(s), from the logarithm, because a factor may be
 * outside of MPFR's range. */
static void bound_scale(const struct sum *z, mpfr_ptr low, mpfr_ptr high)
{
    mpfr_prec_t bits = mpfr_get_prec(low);
    mpfr_exp_t more = mpfr_get_exp(z->s);
    mpfr_t u;
    /* ln(scale) and ln(s) are below 2^10. */
    mpfr_init2(u, bits + (more > 0 ? more : 0) + GUARD);
    logarithm(z, u);
    mpfr_exp(low, u, MPFR_RNDN);
    if (mpfr_zero_p(u))
        mpfr_set(high, low, MPFR_RNDN);
    else
        widen(low, high, 4);
    mpfr_clear(u);
}

static bool at(const void *what, mpfr_ptr low, mpfr_ptr high)
{
    const struct sum *z = what;
    struct work w;
    work_init(&w, z, mpfr_get_prec(low));
    bool good = bound_sum(&w, z, low, high)
                && (mpfr_sgn(low) > 0 || mpfr_sgn(high) < 0);
    if (good) {
        bool below = mpfr_sgn(low) < 0;
        bound_scale(z, w.g, w.t);
        mpfr_mul(low, low, below ? w.t : w.g, MPFR_RNDD);
        mpfr_mul(high, high, below ? w.g : w.t, MPFR_RNDU);
    }
    work_clear(&w);
    return good;
}

/* The sums of which that for q consists, in numbers of BASE_BITS. */
static void split(struct sum *z, mpfr_srcptr q, mpfr_t base[3])
{
    for (int i = 0; i < 3; i++)
        z->base[i] = base[i];
    z->count = 1;
    z->sign[0] = 1;
    z->scale = base[0];
    if (mpfr_sgn(q) > 0) {
        mpfr_set(base[0], q, MPFR_RNDN);
        return;
    }
    /* q = -(n + f): 1 - f, 2 - f, ... and, with the sign of (-1)^s, f, 1 + f,
     * ... as far as n + f. */
    mpfr_div_2ui(base[0], z->s, 1, MPFR_RNDN);
    bool odd = !mpfr_integer_p(base[0]);
    mpfr_frac(base[1], q, MPFR_RNDN);
    mpfr_neg(base[1], base[1], MPFR_RNDN);
    mpfr_ui_sub(base[0], 1, base[1], MPFR_RNDN);
    mpfr_ui_sub(base[2], 1, q, MPFR_RNDN);
    if (odd && mpfr_equal_p(base[0], base[1])) {
        /* The first two cancel. */
        z->base[0] = base[2];
        z->scale = base[2];
        return;
    }
    z->count = 3;
    z->sign[1] = odd ? -1 : 1;
    z->sign[2] = -z->sign[1];
    z->scale = base[mpfr_less_p(base[1], base[0])];
}

/* True if the result is beyond every type, on the side that y tells. */
static bool is_far(const struct sum *z, mpfr_ptr y)
{
    mpfr_t u;
    mpfr_init2(u, BASE_BITS);
    logarithm(z, u);
    bool up = mpfr_cmp_si(u, FAR_UP) > 0, down = mpfr_cmp_si(u, -FAR_DOWN) < 0;
    if (up)
        mpfr_set_inf(y, 1);
    if (down)
        mpfr_set_zero(y, 1);
    mpfr_clear(u);
    return up || down;
}

static int evaluate(mpfr_ptr y, struct sum *z, mpfr_srcptr q, bool negative)
{
    mpfr_t base[3];
    for (int i = 0; i < 3; i++)
        mpfr_init2(base[i], BASE_BITS);
    split(z, q, base);
    /* Odd, and more on the side where the terms are negative. */
    bool below = z->count == 3 && z->sign[1] < 0 && z->scale == base[1];
    int ternary = -1;
    if (!is_far(z, y))
        ternary = enclose(y, at, z);
    else if (below)
        negative = !negative;
    for (int i = 0; i < 3; i++)
        mpfr_clear(base[i]);
    if (!negative || ternary == ENCLOSE_UNDECIDED)
        return ternary;
    mpfr_neg(y, y, MPFR_RNDN);
    return -ternary;
}

int hurwitz_zeta(mpfr_ptr y, mpfr_srcptr s, mpfr_srcptr q, mpfr_rnd_t rnd)
{
    return evaluate(y, &(struct sum){.s = s}, q, false);
}

int hurwitz_polygamma(mpfr_ptr y, mpfr_srcptr n, mpfr_srcptr x, mpfr_rnd_t rnd)
{
    mpfr_t s;
    mpfr_init2(s, BASE_BITS);
    mpfr_add_ui(s, n, 1, MPFR_RNDN);
    mpfr_div_2ui(y, n, 1, MPFR_RNDN); /* y has n's digits */
    bool even = mpfr_integer_p(y) != 0;
    int ternary = evaluate(y, &(struct sum){.s = s, .gamma = true}, x, even);
    mpfr_clear(s);
    return ternary;
}

bool hurwitz_is_pole(enum dtype unit, uint64_t q)
{
    mpfr_t x;
    mpfr_init2(x, 64);
    real_bits_to_mpfr(x, unit, q);
    bool pole = mpfr_sgn(x) <= 0 && mpfr_integer_p(x);
    mpfr_clear(x);
    return pole;
}

static uint64_t infinity(const struct elementwise_job *j, bool negative)
{
    struct real top = {.kind = REAL_INF, .width = 128, .negative = negative};
    return real_round(&top, j->result, j->goal->overflow);
}

void hurwitz_pole(struct elementwise_job *j, bool infinite, uint64_t *bits)
{
    *bits = real_nan(j->result, false);
    switch (profile_function_pole(j->ev->machine->profile)) {
    case FUNCTION_POLE_XLA:
        if (infinite)
            *bits = infinity(j, false);
        break;
    case FUNCTION_POLE_EITHER:
        goal_or(j->goal, j->index, infinity(j, false));
        goal_or(j->goal, j->index, infinity(j, true));
        break;
    }
}

void hurwitz_infinite(struct elementwise_job *j, uint64_t *bits)
{
    *bits = real_nan(j->result, false);
    if (profile_zeta_infinite_is_any(j->ev->machine->profile))
        j->free = true;
}
