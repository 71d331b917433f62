/* accept_few.c - see accept_few.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The results of each set of terms follow from those of its parts: a tree ends
 * with the sum (or product) of a result of one part and one of the other.
 * Numbers are patterns of the accumulator.  Tests: flushed.t (by hand),
 * test_sum_orders.c (every order), orders.t (rational arithmetic).
 */
#include "interp/exact/accept_few.h"

#include "interp/exact/accept_bound.h"

enum {
    SETS = 1 << ACCEPT_FEW,
    RESULTS = 96, /* of one set of terms */
    BITS = 256    /* of a step, truncated: decides its rounding */
};

struct results {
    int count;
    uint64_t bits[RESULTS];
};

struct orders {
    const struct accept_sum *sum;
    const struct accept_rules *rules;
    bool flush, product, full;
    struct results of[SETS];
};

static void include(struct orders *o, struct results *r, uint64_t bits)
{
    for (int i = 0; i < r->count; i++)
        if (r->bits[i] == bits)
            return;
    if (r->count < RESULTS)
        r->bits[r->count++] = bits;
    else
        o->full = true;
}

/* Zero in place of a number; a sum may begin with +0, so that of a negative
 * number may become +0. */
static void include_zero(struct orders *o, struct results *r, bool negative)
{
    enum dtype unit = o->sum->accumulator;
    bool either = o->flush && o->rules->subnormal & ACCEPT_FLUSH_ANY_SIGN;
    if (real_formats[unit].sign == 0)
        return;
    include(o, r, real_zero(unit, negative));
    if (either || (negative && o->sum->plus_zero))
        include(o, r, real_zero(unit, !negative));
}

/* Halfway between two numbers of a type of one digit. */
static bool is_tie(const struct real *y, enum dtype unit)
{
    return y->kind == REAL_FINITE && dtype_table[unit].precision == 1
           && !y->inexact && y->significand == (real_u128)3 << 126;
}

static uint64_t round_in(const struct orders *o, const struct real *y,
                         enum dtype unit)
{
    return real_round(
        y, unit, real_has_inf(unit) ? REAL_OVERFLOW_TYPE : o->rules->overflow);
}

/* A step's exact result, rounded.  Zero of a number that is not zero may be
 * flushed on the way, or be -0 that is added to +0. */
static void include_rounded(struct orders *o, struct results *r,
                            const struct real *y)
{
    enum dtype unit = o->sum->accumulator;
    uint64_t bits = round_in(o, y, unit);
    include(o, r, bits);
    if (o->rules->tie_either && is_tie(y, unit))
        include(o, r, real_round_down(y, unit));
    if (y->kind != REAL_FINITE)
        return;
    if (real_is_zero(unit, bits)
        || (o->flush && o->sum->flushes && real_is_subnormal(unit, bits)))
        include_zero(o, r, y->negative);
}

/* x is truncated, as ternary says. */
static void include_step(struct orders *o, struct results *r, mpfr_srcptr x,
                         int ternary)
{
    struct real y = real_from_mpfr(x, ternary);
    include_rounded(o, r, &y);
}

static void load_term(mpfr_ptr x, const struct accept_term *t)
{
    mpfr_set_ui(x, (unsigned long)(t->m >> 64), MPFR_RNDN);
    mpfr_mul_2ui(x, x, 64, MPFR_RNDN);
    mpfr_add_ui(x, x, (unsigned long)t->m, MPFR_RNDN);
    mpfr_mul_2si(x, x, t->e, MPFR_RNDN);
    if (t->negative)
        mpfr_neg(x, x, MPFR_RNDN);
}

static void find_term(struct orders *o, int i)
{
    const struct accept_term *t = &o->sum->few->term[i];
    struct results *r = &o->of[1u << i];
    MPFR_DECL_INIT(x, BITS);
    load_term(x, t);
    r->count = 0;
    include_step(o, r, x, 0);
    if (o->flush && t->tiny)
        include_zero(o, r, t->negative);
}

/* A step on x and each result of a part. */
static void step(struct orders *o, struct results *to, mpfr_srcptr x,
                 const struct results *part)
{
    MPFR_DECL_INIT(y, 64);
    MPFR_DECL_INIT(z, BITS);
    for (int i = 0; i < part->count && !o->full; i++) {
        real_bits_to_mpfr(y, o->sum->accumulator, part->bits[i]);
        int ternary = o->product ? mpfr_mul(z, x, y, MPFR_RNDZ)
                                 : mpfr_add(z, x, y, MPFR_RNDZ);
        include_step(o, to, z, ternary);
    }
}

/* A product of operands that is added without being rounded. */
static void fuse(struct orders *o, struct results *to, unsigned part,
                 unsigned rest)
{
    const struct accept_term *t = &o->sum->few->term[__builtin_ctz(part)];
    MPFR_DECL_INIT(x, BITS);
    if ((part & (part - 1)) != 0 || !t->rounded)
        return;
    load_term(x, t);
    step(o, to, x, &o->of[rest]);
}

static void find_results(struct orders *o, unsigned set)
{
    struct results *r = &o->of[set];
    MPFR_DECL_INIT(x, 64);
    r->count = 0;
    for (unsigned part = (set - 1) & set; part > 0; part = (part - 1) & set) {
        unsigned rest = set & ~part;
        fuse(o, r, part, rest);
        if (part < rest)
            continue; /* the same two parts, the other way round */
        for (int i = 0; i < o->of[part].count && !o->full; i++) {
            real_bits_to_mpfr(x, o->sum->accumulator, o->of[part].bits[i]);
            step(o, r, x, &o->of[rest]);
        }
    }
}

/* Adds a result of the last step, in the type of the set. */
static void add_result(const struct orders *o, struct accept_set *set,
                       enum dtype unit, uint64_t bits)
{
    enum dtype from = o->sum->accumulator;
    if (from != unit) {
        struct real y = real_from_bits(from, bits);
        bits = round_in(o, &y, unit);
    }
    accept_bound_pattern(set, unit, bits, o->rules);
    if (!o->flush || !(o->rules->subnormal & ACCEPT_FLUSH_RESULTS)
        || !real_is_subnormal(unit, bits))
        return;
    bool negative = real_is_negative(unit, bits);
    accept_add(set, unit, real_zero(unit, negative));
    if (o->rules->subnormal & ACCEPT_FLUSH_ANY_SIGN)
        accept_add(set, unit, real_zero(unit, !negative));
}

bool accept_few_add(struct accept_set *set, enum dtype unit,
                    const struct accept_sum *sum, bool flush,
                    const struct accept_rules *rules)
{
    struct orders o = {.sum = sum, .rules = rules, .flush = flush};
    unsigned all = (1u << sum->few->count) - 1;
    o.product = sum->growth == ACCEPT_GROWTH_PRODUCT;
    for (unsigned part = 1; part <= all && !o.full; part++)
        if ((part & (part - 1)) == 0)
            find_term(&o, __builtin_ctz(part));
        else
            find_results(&o, part);
    for (int i = 0; i < o.of[all].count && !o.full; i++)
        add_result(&o, set, unit, o.of[all].bits[i]);
    return !o.full;
}
