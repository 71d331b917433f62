/* slow_accept.c - acceptance sets by trying every pattern, for the tests.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/test/slow_accept.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 2^e, e of either sign. */
static void power_of_two(mpq_t x, long e)
{
    mpq_set_ui(x, 1, 1);
    if (e >= 0)
        mpq_mul_2exp(x, x, (mp_bitcnt_t)e);
    else
        mpq_div_2exp(x, x, (mp_bitcnt_t)-e);
}

static int emin(const struct slow_format *f)
{
    return f->has_zero ? 1 - f->bias : -f->bias;
}

/* Units in the last place by trying exponents. */
static void ulp_of(mpq_t ulp, const struct slow_format *f, const mpq_t y)
{
    mpq_t a, p;
    mpq_inits(a, p, NULL);
    mpq_abs(a, y);
    long e = emin(f);
    for (;; e++) {
        power_of_two(p, e + 1 + SLOW_SCALE);
        if (mpq_cmp(a, p) < 0)
            break;
    }
    power_of_two(ulp, e - f->mantissa + SLOW_SCALE);
    mpq_clears(a, p, NULL);
}

static void largest(mpq_t d, const mpq_t x)
{
    if (mpq_cmp(x, d) > 0)
        mpq_set(d, x);
}

static void distance(mpq_t d, const struct slow_format *f, const mpq_t y,
                     const struct slow_rules *rules)
{
    mpq_t x, a;
    mpq_inits(x, a, NULL);
    mpq_abs(a, y);
    mpq_set_ui(d, 0, 1);
    if (rules->kind == SLOW_ULP) {
        ulp_of(x, f, y);
        mpq_mul(x, x, rules->ulps);
        largest(d, x);
        mpq_mul(x, a, rules->rel);
        largest(d, x);
        largest(d, rules->abs);
    } else if (rules->kind == SLOW_XLA) {
        power_of_two(x, -f->mantissa);
        mpq_mul(x, x, rules->ulps);
        mpq_set(d, x);
        largest(d, rules->rel);
        mpq_mul(d, d, a);
        largest(d, rules->abs);
    }
    mpq_clears(x, a, NULL);
}

/* To nearest, an exact rational: as slow_float_round() of it doubled and made
 * odd if it is not an integer, which is between the same neighbours. */
static uint64_t nearest(const struct slow_table *t, const mpq_t y)
{
    mpz_t x;
    mpz_init(x);
    mpz_fdiv_q(x, mpq_numref(y), mpq_denref(y));
    /* Numbers and midpoints are even here: one more unit decides no tie. */
    if (mpz_even_p(x) && mpz_cmp_ui(mpq_denref(y), 1) != 0)
        mpz_add_ui(x, x, 1);
    uint64_t bits = slow_float_round(t, SLOW_NUMBER, mpq_sgn(y) < 0, x);
    mpz_clear(x);
    return bits;
}

static bool overflows(const struct slow_table *t, const mpq_t y)
{
    mpq_t w;
    mpq_init(w);
    mpq_set_z(w, t->threshold);
    bool odd = t->format->mantissa == 0 || (t->bits[t->count - 1] & 1);
    mpq_t a;
    mpq_init(a);
    mpq_abs(a, y);
    int order = mpq_cmp(a, w);
    mpq_clears(w, a, NULL);
    return order > 0 || (order == 0 && odd);
}

/* Is the pattern what overflow on that side gives? */
static bool is_overflow(const struct slow_table *t, uint64_t bits,
                        bool negative, bool saturate)
{
    const struct slow_format *f = t->format;
    mpz_t x, last;
    bool sign;
    mpz_inits(x, last, NULL);
    enum slow_kind kind = slow_float_decode(f, bits, x, &sign);
    mpz_set(last, t->value[t->count - 1]);
    if (negative)
        mpz_neg(last, last);
    bool same = kind == SLOW_NUMBER && mpz_cmp(x, last) == 0;
    mpz_clears(x, last, NULL);
    if (saturate || !f->has_nan)
        return same;
    if (f->inf)
        return kind == SLOW_INF && sign == negative;
    return kind == SLOW_NAN;
}

/* No other number of the type lies strictly between v and y. */
static bool is_neighbour(const struct slow_table *t, const mpq_t v,
                         const mpq_t y)
{
    mpq_t w;
    bool found = false;
    int side = mpq_cmp(v, y);
    mpq_init(w);
    for (int i = 0; i < t->count && !found; i++) {
        mpq_set_z(w, t->value[i]);
        if (side == 0)
            break;
        /* y itself is not a neighbour if it is a number of the type. */
        found = side < 0 ? mpq_cmp(v, w) < 0 && mpq_cmp(w, y) <= 0
                         : mpq_cmp(y, w) <= 0 && mpq_cmp(w, v) < 0;
    }
    mpq_clear(w);
    return !found;
}

static bool is_near(const struct slow_table *t, const mpq_t y, const mpq_t v,
                    const mpq_t d, const struct slow_rules *rules)
{
    if (rules->kind == SLOW_FAITHFUL)
        return !overflows(t, y) && is_neighbour(t, v, y);
    if (rules->kind < SLOW_FAITHFUL)
        return false;
    mpq_t e;
    mpq_init(e);
    mpq_sub(e, v, y);
    mpq_abs(e, e);
    bool near = mpq_cmp(e, d) <= 0;
    mpq_clear(e);
    return near;
}

/* Does the budget reach overflow? */
static bool reaches_overflow(const struct slow_table *t, const mpq_t y,
                             const mpq_t d, const struct slow_rules *rules)
{
    mpq_t far, last;
    mpq_inits(far, last, NULL);
    mpq_abs(far, y);
    mpq_set_z(last, t->value[t->count - 1]);
    bool beyond = mpq_cmp(far, last) > 0;
    mpq_add(far, far, d);
    bool over = rules->kind == SLOW_FAITHFUL ? beyond : overflows(t, far);
    mpq_clears(far, last, NULL);
    return over;
}

static bool is_clipped(const mpq_t v, const struct slow_rules *rules)
{
    return rules->clip
           && (mpq_cmp(v, rules->low) < 0 || mpq_cmp(v, rules->high) > 0);
}

static bool is_flushed(const struct slow_format *f, const mpq_t y,
                       const mpq_t d)
{
    mpq_t least, normal;
    mpq_inits(least, normal, NULL);
    mpq_abs(least, y);
    mpq_sub(least, least, d);
    power_of_two(normal, emin(f) + SLOW_SCALE);
    bool tiny = mpq_cmp(least, normal) < 0;
    mpq_clears(least, normal, NULL);
    return tiny;
}

/* The part that is the same for all patterns. */
struct point {
    mpq_t y, d;
    uint64_t nearest;
    bool nan;      /* the nearest is */
    bool overflow; /* what overflow gives is right */
    bool flushed;  /* zero is */
};

static void look_at(struct point *p, const struct slow_table *t, const mpq_t y,
                    const struct slow_rules *rules)
{
    mpz_t z;
    bool sign;
    mpz_init(z);
    mpq_inits(p->y, p->d, NULL);
    mpq_set(p->y, y);
    distance(p->d, t->format, y, rules);
    p->nearest = nearest(t, y);
    p->nan = slow_float_decode(t->format, p->nearest, z, &sign) == SLOW_NAN;
    p->overflow =
        overflows(t, y)
        || (rules->kind > SLOW_CR && reaches_overflow(t, y, p->d, rules));
    p->flushed =
        rules->flush && t->format->has_zero && is_flushed(t->format, y, p->d);
    mpz_clear(z);
}

static bool is_right(const struct slow_table *t, const struct point *p,
                     uint64_t bits, enum slow_kind kind, bool sign,
                     const mpq_t v, const struct slow_rules *rules)
{
    const struct slow_format *f = t->format;
    bool negative = mpq_sgn(p->y) < 0, number = kind == SLOW_NUMBER;
    bool signed_zero = !f->nan_is_negative_zero;
    if (kind == SLOW_NAN && p->nan)
        return true;
    if (!f->sign && negative)
        return false;
    if (bits == p->nearest)
        return true;
    if (number ? is_clipped(v, rules) : kind == SLOW_INF && rules->clip)
        return false;
    if (p->overflow && is_overflow(t, bits, negative, rules->saturate))
        return true;
    if (!number)
        return false;
    bool same_side = sign == negative;
    if (mpq_sgn(v) == 0) {
        same_side |= !signed_zero;
        if (p->flushed && (same_side || rules->any_sign))
            return true;
    }
    return same_side && is_near(t, p->y, v, p->d, rules);
}

void slow_accept_value(const struct slow_table *t, const mpq_t y,
                       const struct slow_rules *rules, bool *right)
{
    struct point p;
    mpq_t v;
    mpz_t z;
    mpq_init(v);
    mpz_init(z);
    look_at(&p, t, y, rules);
    for (uint64_t bits = 0; bits >> slow_float_bits(t->format) == 0; bits++) {
        bool sign;
        enum slow_kind kind = slow_float_decode(t->format, bits, z, &sign);
        mpq_set_z(v, z);
        right[bits] = is_right(t, &p, bits, kind, sign, v, rules);
    }
    mpq_clears(v, p.y, p.d, NULL);
    mpz_clear(z);
}

bool slow_accept_interval(const struct slow_table *t, const mpq_t low,
                          const mpq_t high, uint64_t bits, bool flush)
{
    mpz_t z, a, b;
    bool sign, s;
    mpz_inits(z, a, b, NULL);
    enum slow_kind kind = slow_float_decode(t->format, bits, z, &sign);
    enum slow_kind first = slow_float_decode(t->format, nearest(t, low), a, &s);
    enum slow_kind last = slow_float_decode(t->format, nearest(t, high), b, &s);
    bool under = overflows(t, low) && mpq_sgn(low) < 0;
    bool over = overflows(t, high) && mpq_sgn(high) > 0;
    bool right = (under && is_overflow(t, bits, true, false))
                 || (over && is_overflow(t, bits, false, false));
    if (kind == SLOW_NUMBER) {
        bool above = under || (first == SLOW_NUMBER && mpz_cmp(a, z) <= 0);
        bool below = over || (last == SLOW_NUMBER && mpz_cmp(z, b) <= 0);
        if (overflows(t, low) && !under)
            above = false;
        if (overflows(t, high) && !over)
            below = false;
        bool zero = mpz_sgn(z) == 0 && !t->format->nan_is_negative_zero;
        bool inside = above && below;
        /* Zeros of both signs are one number: a zero is right if a number of
         * its sign is rounded to it. */
        if (zero && inside)
            inside = sign ? mpq_sgn(low) < 0 : mpq_sgn(high) >= 0;
        right |= inside;
        mpq_t normal;
        mpq_init(normal);
        power_of_two(normal, emin(t->format) + SLOW_SCALE);
        if (flush && mpz_sgn(z) == 0) {
            bool plus = mpq_sgn(high) > 0 && mpq_cmp(low, normal) < 0;
            mpq_neg(normal, normal);
            bool minus = mpq_sgn(low) < 0 && mpq_cmp(high, normal) > 0;
            right |= zero ? (sign ? minus : plus) : plus || minus;
        }
        mpq_clear(normal);
    }
    mpz_clears(z, a, b, NULL);
    return right;
}

bool slow_accept_has(const struct accept_set *set, enum dtype type,
                     const char *patterns)
{
    for (const char *p = patterns; *p; p += strspn(p, " ")) {
        bool want = *p != '!';
        char *end;
        uint64_t bits = strtoull(p + !want, &end, 16);
        if (end == p + !want || (*end && *end != ' ')) {
            printf("# no pattern: %s\n", p);
            return false;
        }
        if (accept_has(set, type, bits) != want) {
            printf("# %llx is %s\n", (unsigned long long)bits,
                   want ? "refused" : "accepted");
            return false;
        }
        p = end;
    }
    return true;
}
