/* total.c - see total.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/total.h"

#include <assert.h>
#include <string.h>

#include "gen/policy/accumulate_zero_sign.h"
#include "interp/exact/accept_bound.h"

enum {
    DIGIT = 32,
    CARRY_AFTER = 1 << 28 /* additions that digits of 63 bits have room for */
};

/* ---- Fixed-point numbers ------------------------------------------------- */

static void fixed_start(struct total_fixed *f)
{
    if (f->low <= f->high)
        memset(&f->digits[f->low], 0,
               (size_t)(f->high - f->low + 1) * sizeof f->digits[0]);
    f->low = TOTAL_DIGITS;
    f->high = -1;
    f->pending = 0;
}

/* Make every digit but the highest 0 to 2^32 - 1. */
static void fixed_carry(struct total_fixed *f)
{
    int64_t carry = 0;
    int i = f->low;
    for (; i < TOTAL_DIGITS && (i <= f->high || carry != 0); i++) {
        int64_t d = f->digits[i] + carry;
        if (i == TOTAL_DIGITS - 1)
            f->digits[i] = d;
        else {
            f->digits[i] = d & UINT32_MAX;
            carry = (d - f->digits[i]) / (INT64_C(1) << DIGIT);
            if (i >= f->high && carry == -1) {
                /* A negative number: its sign stays in this digit. */
                f->digits[i] = d;
                carry = 0;
            }
        }
    }
    if (i - 1 > f->high)
        f->high = i - 1;
    f->pending = 0;
}

/* Add m * 2^e. */
static void fixed_add(struct total_fixed *f, real_u128 m, int64_t e,
                      bool negative)
{
    int64_t at = e - TOTAL_LOWEST;
    int i = (int)(at / DIGIT), shift = (int)(at % DIGIT);
    assert(at >= 0 && i + 5 < TOTAL_DIGITS);
    if (i < f->low)
        f->low = i;
    uint64_t left = 0; /* what the shift pushed out of the digit before */
    for (; m != 0 || left != 0; i++, m >>= DIGIT) {
        uint64_t wide = ((uint64_t)(m & UINT32_MAX) << shift) + left;
        int64_t d = (int64_t)(wide & UINT32_MAX);
        left = wide >> DIGIT;
        f->digits[i] += negative ? -d : d;
        if (i > f->high)
            f->high = i;
    }
    if (++f->pending >= CARRY_AFTER)
        fixed_carry(f);
}

/* The number, truncated to 128 bits. */
static struct real fixed_real(struct total_fixed *f)
{
    struct real r = {.kind = REAL_ZERO};
    fixed_carry(f);
    while (f->high >= f->low && f->digits[f->high] == 0)
        f->high--;
    if (f->high < f->low)
        return r;
    if (f->digits[f->high] < 0) {
        r.negative = true;
        for (int i = f->low; i <= f->high; i++)
            f->digits[i] = -f->digits[i];
        fixed_carry(f);
        while (f->digits[f->high] == 0)
            f->high--;
    }
    real_u128 m = 0;
    int room = 128, i = f->high;
    uint64_t top = (uint64_t)f->digits[i];
    int bits = 64 - __builtin_clzll(top);
    r.kind = REAL_FINITE;
    r.width = 128;
    r.exponent = TOTAL_LOWEST + (int64_t)i * DIGIT + bits - 1;
    for (; i >= f->low && room > 0; i--, bits = DIGIT) {
        uint64_t d = (uint64_t)f->digits[i];
        if (bits <= room) {
            m |= (real_u128)d << (room - bits);
            room -= bits;
        } else {
            m |= d >> (bits - room);
            r.inexact = (d & ((UINT64_C(1) << (bits - room)) - 1)) != 0;
            room = 0;
        }
    }
    for (; i >= f->low && !r.inexact; i--)
        r.inexact = f->digits[i] != 0;
    r.significand = m;
    return r;
}

/* Not below the number, and exact. */
static struct real round_up(struct real r)
{
    if (r.kind == REAL_FINITE && r.inexact) {
        r.inexact = false;
        if (++r.significand == 0) {
            r.significand = (real_u128)1 << 127;
            r.exponent++;
        }
    }
    return r;
}

/* ---- Terms --------------------------------------------------------------- */

/* A finite number: m * 2^e. */
struct parts {
    uint64_t m;
    int64_t e;
    bool negative;
};

static struct parts take_apart(enum dtype unit, uint64_t bits)
{
    const struct dtype_info *d = &dtype_table[unit];
    struct parts p = {0};
    if (d->special == DTYPE_EXPONENT)
        return (struct parts){1, (int64_t)bits - d->bias, false};
    int fraction = d->precision - 1;
    uint64_t stored = (bits & (dtype_mask(unit) >> 1)) >> fraction;
    p.m = bits & ((UINT64_C(1) << fraction) - 1);
    p.e = (stored ? (int64_t)stored : 1) - d->bias - fraction;
    if (stored)
        p.m |= UINT64_C(1) << fraction;
    p.negative = bits >> (d->bits - 1) & 1;
    return p;
}

static bool may_read_zero(const struct total *t, enum dtype unit)
{
    return profile_rules(t->profile, unit).subnormal & ACCEPT_FLUSH_OPERANDS;
}

void total_start(struct total *t, const struct eval *ev, enum dtype unit,
                 enum dtype accumulator)
{
    const struct machine_environment *e = ev->machine->environment;
    fixed_start(&t->sum);
    fixed_start(&t->magnitude);
    fixed_start(&t->tiny);
    fixed_start(&t->underflow);
    t->unit = unit;
    t->accumulator = accumulator;
    t->profile = ev->machine->profile;
    t->reads_zero = may_read_zero(t, unit);
    t->flushes = profile_rules(t->profile, accumulator).subnormal != 0;
    t->few.count = 0;
    t->running = e && e->running;
    t->block = total_accumulator_block(ev);
    t->terms = t->infinite = t->nonzero = 0;
    t->lowest = INT64_MAX;
    t->nan = t->plus = t->minus = t->unbounded = false;
    t->positive = t->negative = t->trimmed = t->several = false;
}

static void note_infinity(struct total *t, bool negative)
{
    t->infinite++;
    t->plus = t->plus || !negative;
    t->minus = t->minus || negative;
}

static void note_sign(struct total *t, bool negative)
{
    t->positive = t->positive || !negative;
    t->negative = t->negative || negative;
}

/* Round the sum so far, as a narrow accumulator does. */
static void round_sum(struct total *t)
{
    struct real sum = fixed_real(&t->sum);
    uint64_t bits = real_round(&sum, t->accumulator, REAL_OVERFLOW_TYPE);
    fixed_start(&t->sum);
    if (real_is_nan(t->accumulator, bits)) {
        t->nan = true;
    } else if (real_is_inf(t->accumulator, bits)) {
        note_infinity(t, real_is_negative(t->accumulator, bits));
    } else {
        struct parts p = take_apart(t->accumulator, bits);
        fixed_add(&t->sum, p.m, p.e, p.negative);
    }
}

/* How many of its lowest bits are zero; m is not. */
static int zeros_of(real_u128 m)
{
    uint64_t low = (uint64_t)m;
    return low ? __builtin_ctzll(low)
               : 64 + __builtin_ctzll((uint64_t)(m >> 64));
}

static void add_term(struct total *t, const struct accept_term *term)
{
    note_sign(t, term->negative);
    if (term->m == 0)
        return;
    int64_t lowest = term->e + zeros_of(term->m);
    if (lowest < t->lowest)
        t->lowest = lowest;
    if (t->nonzero < ACCEPT_FEW)
        t->few.term[t->few.count++] = *term;
    t->nonzero++;
    fixed_add(&t->sum, term->m, term->e, term->negative);
    fixed_add(&t->magnitude, term->m, term->e, false);
    if (term->tiny)
        fixed_add(&t->tiny, term->m, term->e, false);
    if (t->running)
        round_sum(t);
}

/* floor(log2(m)), m not zero */
static int log2_of(real_u128 m)
{
    uint64_t high = (uint64_t)(m >> 64);
    return high ? 127 - __builtin_clzll(high)
                : 63 - __builtin_clzll((uint64_t)m);
}

/* Is m * 2^e below the smallest normal number of the type, and not zero? */
static bool is_tiny(enum dtype unit, real_u128 m, int64_t e)
{
    return m != 0 && e + log2_of(m) < dtype_table[unit].emin;
}

/* Is it also not a multiple of the smallest number?  Then rounding it is off by
 * as much as half that number, however small it is itself. */
static bool underflows(enum dtype unit, real_u128 m, int64_t e)
{
    const struct dtype_info *d = &dtype_table[unit];
    int64_t least = d->emin - d->precision + 1;
    if (!is_tiny(unit, m, e) || e >= least)
        return false;
    return least - e >= 128 || (m & (((real_u128)1 << (least - e)) - 1)) != 0;
}

/* Half the smallest number times m * 2^e. */
static void add_underflow(struct total *t, real_u128 m, int64_t e)
{
    const struct dtype_info *d = &dtype_table[t->accumulator];
    fixed_add(&t->underflow, m, d->emin - d->precision + e, false);
}

void total_add(struct total *t, enum dtype unit, uint64_t bits)
{
    t->terms++;
    if (real_is_nan(unit, bits)) {
        t->nan = true;
    } else if (real_is_inf(unit, bits)) {
        note_infinity(t, real_is_negative(unit, bits));
    } else {
        struct parts p = take_apart(unit, bits);
        struct accept_term term = {.m = p.m, .e = p.e, .negative = p.negative};
        term.tiny = (t->reads_zero && is_tiny(unit, p.m, p.e))
                    || (t->flushes && is_tiny(t->accumulator, p.m, p.e));
        add_term(t, &term);
    }
}

void total_add_product(struct total *t, enum dtype unit, uint64_t a, uint64_t b,
                       bool subtract)
{
    t->terms++;
    if (real_is_nan(unit, a) || real_is_nan(unit, b)) {
        t->nan = true;
        return;
    }
    bool negative =
        (real_is_negative(unit, a) != real_is_negative(unit, b)) != subtract;
    if (real_is_inf(unit, a) || real_is_inf(unit, b)) {
        if (real_is_zero(unit, a) || real_is_zero(unit, b))
            t->nan = true;
        else
            note_infinity(t, negative);
        return;
    }
    struct parts p = take_apart(unit, a), q = take_apart(unit, b);
    struct accept_term term = {.m = (real_u128)p.m * q.m,
                               .e = p.e + q.e,
                               .negative = negative,
                               .rounded = true};
    /* An operand may be subnormal in the accumulator's type alone: 2^-127 of
     * f8e8m0fnu is so in f32. */
    term.tiny = (t->flushes
                 && (is_tiny(t->accumulator, term.m, term.e)
                     || is_tiny(t->accumulator, p.m, p.e)
                     || is_tiny(t->accumulator, q.m, q.e)))
                || (t->reads_zero
                    && (is_tiny(unit, p.m, p.e) || is_tiny(unit, q.m, q.e)));
    if (underflows(t->accumulator, term.m, term.e))
        add_underflow(t, 1, 0);
    add_term(t, &term);
}

/* The product of the factors in a set (bit i: factor i). */
struct partial {
    real_u128 m;
    int64_t e;
};

/* The error that rounding this product may add to the whole: half the smallest
 * number times the other factors.  Zero if it does not underflow. */
static struct partial lost_by(const struct total *t,
                              const struct partial *products, unsigned set,
                              unsigned all)
{
    const struct partial *own = &products[set];
    if (!underflows(t->accumulator, own->m, own->e))
        return (struct partial){0, 0};
    return products[all & ~set];
}

/* May a product round to infinity?  Its factors were rounded twice at most. */
static bool may_overflow(enum dtype unit, const struct partial *p)
{
    struct parts last = take_apart(unit, real_max(unit, false));
    int last_log = log2_of(last.m), drop = p->m ? log2_of(p->m) - last_log : 0;
    int64_t excess = p->e + drop - last.e;
    if (p->m == 0 || excess != 0)
        return p->m != 0 && excess > 0;
    real_u128 top = drop < 0 ? p->m << -drop : p->m >> drop;
    return top + 2 >= last.m;
}

/* Bits of a significand, without zeros at its end. */
static int significant(real_u128 m)
{
    return m ? log2_of(m) + 1 - zeros_of(m) : 0;
}

/* The factors may be multiplied in any order.  What is lost is added up over
 * all partial products, of which one order has only some. */
static void note_orders(struct total *t, const struct partial *products,
                        int count)
{
    unsigned all = (1u << count) - 1;
    for (unsigned set = 1; set <= all; set++) {
        if ((set & (set - 1)) == 0)
            continue;
        struct partial lost = lost_by(t, products, set, all);
        if (lost.m != 0)
            add_underflow(t, lost.m, lost.e);
        if (set == all)
            break;
        if (may_overflow(t->accumulator, &products[set]))
            t->unbounded = true;
        t->several = t->several || lost.m != 0
                     || significant(products[set].m)
                            > dtype_table[t->accumulator].precision;
    }
}

void total_add_factors(struct total *t, const struct total_factor *factors,
                       int count)
{
    bool nan = false, infinite = false, zero = false, negative = false;
    bool tiny = false;
    struct partial products[1 << TOTAL_FACTORS_MAX] = {{1, 0}};
    t->terms++;
    for (int i = 0; i < count; i++) {
        enum dtype unit = factors[i].unit;
        uint64_t bits = factors[i].bits;
        nan = nan || real_is_nan(unit, bits);
        infinite = infinite || real_is_inf(unit, bits);
        zero = zero || real_is_zero(unit, bits);
        negative = negative != real_is_negative(unit, bits);
        if (!real_is_finite(unit, bits))
            continue;
        struct parts p = take_apart(unit, bits);
        for (unsigned set = 0; set < 1u << i; set++) {
            struct partial *to = &products[set | 1u << i];
            to->m = products[set].m * p.m;
            to->e = products[set].e + p.e;
            tiny =
                tiny || (t->flushes && is_tiny(t->accumulator, to->m, to->e));
        }
        tiny = tiny || (is_tiny(unit, p.m, p.e) && may_read_zero(t, unit));
    }
    const struct partial *whole = &products[(1u << count) - 1];
    if (nan || (infinite && zero))
        t->nan = true;
    else if (infinite)
        note_infinity(t, negative);
    else {
        note_orders(t, products, count);
        struct accept_term term = {.m = whole->m,
                                   .e = whole->e,
                                   .negative = negative,
                                   .rounded = true,
                                   .tiny = tiny};
        add_term(t, &term);
    }
}

/* ---- Results ------------------------------------------------------------- */

/* a <= 2^e? */
static bool at_most_power(const struct real *a, int64_t e)
{
    if (a->kind == REAL_ZERO || a->exponent < e)
        return true;
    return a->exponent == e && a->significand == (real_u128)1 << 127
           && !a->inexact;
}

/* The loss by flushing terms and partial sums to zero: nothing, if all of them
 * are multiples of a normal number.  The last addition gives the result, whose
 * own flushing is handled elsewhere. */
static struct real flush_bound(struct total *t, int64_t roundings)
{
    const struct dtype_info *d = &dtype_table[t->accumulator];
    /* Partial sums of one sign are flushed only if all their terms are tiny. */
    if (t->flushes && t->lowest < d->emin && roundings > 1 && t->positive
        && t->negative)
        fixed_add(&t->tiny, (real_u128)(roundings - 1), d->emin, false);
    return round_up(fixed_real(&t->tiny));
}

/* Are all sums of the terms numbers of the type? */
static bool sums_exactly(const struct total *t, const struct real *magnitude,
                         enum dtype type)
{
    const struct dtype_info *d = &dtype_table[type];
    return t->lowest == INT64_MAX
           || (t->lowest >= d->emin - d->precision + 1
               && at_most_power(magnitude, t->lowest + d->precision));
}

/* Every order of the terms, where only they are right: if an accumulator is
 * narrower than f32 and than the result, or has a few bits. Where all sums are
 * exact and no other error can take part, what flushing may leave of them. */
static void note_few(struct total *t, struct accept_sum *s, struct goal *g,
                     int64_t roundings)
{
    enum dtype unit = dtype_unit(g->value->shape->dtype);
    const struct dtype_info *d = &dtype_table[s->accumulator];
    bool narrow = d->bits < 16 || (s->accumulator != unit && d->bits < 32);
    bool exact = (t->flushes || t->reads_zero) && s->roundings == 0
                 && s->underflow.kind == REAL_ZERO && s->accumulator == unit
                 && t->unit == unit && real_has_negative_zero(unit);
    if (t->nonzero == 0 || t->nonzero > ACCEPT_FEW || t->running || t->unbounded
        || t->trimmed || t->several || !(narrow || exact))
        return;
    struct accept_few *few = arena_new(g->arena, struct accept_few, 1);
    *few = t->few;
    s->few = few;
    s->flushes = t->flushes;
    s->orders = narrow;
    s->wide_roundings = sums_exactly(t, &s->magnitude, DT_f32) ? 0 : roundings;
}

/* With one infinity, some order of the finite terms of the other sign may
 * overflow first. */
static void note_clash(struct total *t, struct goal *g, int64_t i,
                       int64_t roundings, enum dtype accumulator)
{
    bool up, down;
    struct accept_sum s = {.accumulator = accumulator,
                           .roundings = roundings - t->infinite};
    if (s.roundings < 1)
        return; /* a single term does not overflow */
    s.sum = fixed_real(&t->sum);
    s.magnitude = round_up(fixed_real(&t->magnitude));
    accept_accumulation_sides(&s, &up, &down);
    if (t->plus ? down : up)
        g->sum.sums[i].partial |= ACCEPT_PARTIAL_NAN;
}

static void finish_special(struct total *t, struct goal *g, int64_t i,
                           int64_t roundings, enum dtype accumulator)
{
    enum dtype unit = dtype_unit(g->value->shape->dtype);
    struct real r = {.kind = REAL_NAN};
    if (!t->nan && t->plus != t->minus) {
        r.kind = REAL_INF;
        r.negative = t->minus;
    }
    goal_bits(g, i, real_round(&r, unit, g->overflow));
    if (g->rule == GOAL_SUM && g->sum.sums && r.kind == REAL_INF)
        note_clash(t, g, i, roundings, accumulator);
}

/* The error of operands that are cut to 11 significant bits, besides
 * underflow.  Each is off by less than 2^-10 of itself (cut off) or 2^-11
 * (rounded), a product by (1 + 2^-10)^2 - 1 = 2049 * 2^-20.  Rounded ones may
 * be larger, and so may their sum's rounding errors, but they are off by half
 * as much. */
static struct real trim_bound(const struct real *underflow,
                              const struct real *magnitude)
{
    ACCEPT_BOUND(u);
    ACCEPT_BOUND(m);
    accept_bound_above(u, underflow);
    accept_bound_above(m, magnitude);
    mpfr_mul_ui(m, m, 2049, MPFR_RNDU);
    mpfr_div_2ui(m, m, 20, MPFR_RNDU);
    mpfr_add(u, u, m, MPFR_RNDU);
    return round_up(accept_bound_real(u));
}

static struct accept_sum sum_of(struct total *t, struct goal *g,
                                int64_t roundings, enum dtype accumulator)
{
    const struct dtype_info *d = &dtype_table[accumulator];
    enum dtype unit = dtype_unit(g->value->shape->dtype);
    /* Sums begin with +0, in one reading of the documents or another. */
    struct accept_sum s = {.accumulator = accumulator, .plus_zero = true};
    s.sum = fixed_real(&t->sum);
    s.magnitude = round_up(fixed_real(&t->magnitude));
    if (s.sum.kind == REAL_ZERO)
        s.sum.negative = t->negative && !t->positive;
    bool exact = sums_exactly(t, &s.magnitude, accumulator);
    bool overflow =
        s.magnitude.kind == REAL_FINITE && s.magnitude.exponent > d->emax;
    total_accumulator_order(t, &s, roundings);
    s.roundings = exact && !overflow ? 0 : s.most_roundings;
    /* A single term is rounded once, and in the result's own type that is all
     * there is. */
    bool once = t->terms == 1 && roundings <= 1 && accumulator == unit;
    if (g->want_exact && !once)
        s.underflow = round_up(fixed_real(&t->underflow));
    if (g->want_exact && t->trimmed)
        s.underflow = trim_bound(&s.underflow, &s.magnitude);
    if (g->want_exact) {
        s.flushed = flush_bound(t, roundings);
        note_few(t, &s, g, roundings);
    }
    return s;
}

void total_other_zero(const struct eval *ev, struct goal *g, int64_t i,
                      bool negative)
{
    enum dtype unit = dtype_unit(g->value->shape->dtype);
    if (!g->want_exact || !real_has_negative_zero(unit))
        return;
    if (profile_accumulate_zero_sign_is_any(ev->machine->profile))
        goal_or(g, i, real_zero(unit, negative));
}

void total_finish(struct total *t, const struct eval *ev, struct goal *g,
                  int64_t i, int64_t roundings, enum dtype accumulator)
{
    if (t->nan || t->plus || t->minus) {
        finish_special(t, g, i, roundings, accumulator);
        return;
    }
    struct accept_sum s = sum_of(t, g, roundings, accumulator);
    goal_sum(g, i, &s);
    if (s.magnitude.kind == REAL_FINITE && t->positive && t->negative
        && s.magnitude.exponent > dtype_table[accumulator].emax)
        g->note = "order_dependent_overflow";
    if (s.sum.kind == REAL_ZERO)
        total_other_zero(ev, g, i, !s.sum.negative);
}

void total_finish_also(struct total *t, struct goal *g, int64_t i,
                       int64_t roundings, enum dtype accumulator)
{
    if (t->nan || t->unbounded || (t->plus && t->minus))
        return;
    if (t->plus || t->minus) {
        note_clash(t, g, i, roundings, accumulator);
        return;
    }
    struct accept_sum s = sum_of(t, g, roundings, accumulator);
    goal_sum_also(g, i, &s);
}
