/* interval_bilinear.c - see interval.h.  Tests: intervals.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Which end of an element makes a sum large depends on the sign of what it is
 * multiplied by, which differs from sum to sum.  So each operand is split, x =
 * p - n with p, n >= 0: a sum of products of parts that are not negative rises
 * with each of them, and
 *
 *     a b = (pa pb + na nb) - (pa nb + na pb)
 *
 * has its ends where the first two are largest and the others smallest, and the
 * reverse.  The bound is attained unless an element of both operands changes
 * its sign.  The instruction itself is evaluated for each part, so that
 * contracted dimensions, strides and paddings are known in one place only.
 *
 * The error bound is that of the largest magnitudes |a| |b|.  What an
 * evaluation makes of their values alone (that all sums are exact, or no
 * product underflows) is not used: every product is rounded and underflows, and
 * every sum is flushed.
 */
#include "interp/exact/accept_bound.h"
#include "interp/program/eval.h"
#include "interp/program/interval.h"
#include "interp/program/op_way.h"

static bool is_float(const struct shape *s)
{
    return s->kind == SHAPE_ARRAY && dtype_class(s->dtype) == DTYPE_FLOAT
           && real_formats[s->dtype].sign != 0;
}

bool interval_bilinear_knows(const struct instruction *in)
{
    return in->op->monotone[0] == OP_WAY_SUM && in->operand_count == 2
           && is_float(in->shape);
}

/* ---- Parts of operands --------------------------------------------------- */

enum part {
    OWN,       /* as it is */
    PLUS,      /* p */
    MINUS,     /* n */
    MAGNITUDE, /* |x|, with a significand that is as long as possible */
    ONE
};

/* Zero may have one sign only. */
static uint64_t negate(enum dtype unit, uint64_t bits)
{
    bool keep = real_is_zero(unit, bits) && !real_has_negative_zero(unit);
    return keep ? bits : bits ^ real_formats[unit].sign;
}

static bool is_subnormal(enum dtype unit, uint64_t bits)
{
    struct real r = real_from_bits(unit, bits);
    return r.kind == REAL_FINITE && r.exponent < dtype_table[unit].emin;
}

/* The part of an element between low and high that is nearest to zero or
 * farthest from it.  What may be flushed may be zero. */
static uint64_t part_of(enum dtype unit, enum part part, bool far, uint64_t low,
                        uint64_t high)
{
    uint64_t zero = real_zero(unit, false);
    uint64_t x = (part == PLUS) == far ? high : low;
    if (part == MINUS)
        x = negate(unit, x);
    if (real_is_negative(unit, x))
        return zero;
    return !far && is_subnormal(unit, x) ? zero : x;
}

static uint64_t magnitude_of(enum dtype unit, uint64_t low, uint64_t high)
{
    uint64_t mask = real_formats[unit].sign - 1;
    low &= mask;
    high &= mask;
    uint64_t most = (low > high ? low : high) | 1;
    return real_is_finite(unit, most) ? most : most - 1;
}

static struct literal *make_part(struct arena *a, enum part part, bool far,
                                 const struct literal *low,
                                 const struct literal *high)
{
    struct literal *to = literal_copy(a, low);
    enum dtype unit = dtype_unit(low->shape->dtype);
    struct real one = real_from_int(1);
    uint64_t ones = real_round(&one, unit, REAL_OVERFLOW_TYPE);
    for (int64_t i = 0, n = literal_units(low); i < n; i++) {
        uint64_t x = literal_get(low, i), y = literal_get(high, i);
        literal_set(to, i,
                    part == ONE         ? ones
                    : part == MAGNITUDE ? magnitude_of(unit, x, y)
                                        : part_of(unit, part, far, x, y));
    }
    return to;
}

static bool all_finite(const struct literal *l)
{
    enum dtype unit = dtype_unit(l->shape->dtype);
    for (int64_t i = 0, n = literal_units(l); i < n; i++)
        if (!real_is_finite(unit, literal_get(l, i)))
            return false;
    return true;
}

/* ---- Sums ---------------------------------------------------------------- */

/* The instruction of one part of each operand. */
struct term {
    enum part part[2];
    bool far;
};

static bool evaluate(const struct eval *ev, const struct term *t,
                     struct literal *const low[2],
                     struct literal *const high[2],
                     const struct accept_sum **sums, struct status *st)
{
    struct literal *values[2];
    struct eval again;
    for (int k = 0; k < 2; k++)
        values[k] = t->part[k] == OWN ? NULL
                                      : make_part(ev->arena, t->part[k], t->far,
                                                  low[k], high[k]);
    TRY(interval_nan_again(ev, 1, values, &again, st));
    const struct goal *g = again.out.goals[0];
    if (g->rule != GOAL_SUM || !g->sum.sums || g->free_units || g->nan_units)
        return FAIL(st, UNSUPPORTED,
                    "inadmissible: an operand of %s is inexact",
                    ev->in->op->name);
    *sums = g->sum.sums;
    return true;
}

/* Terms of a sum that may be zero, and one that is its end. */
struct addends {
    const struct accept_sum *plus[2], *minus[2];
};

static void end_of(struct real *end, const struct addends *t, int64_t i,
                   bool up)
{
    mpfr_rnd_t outward = up ? MPFR_RNDU : MPFR_RNDD;
    ACCEPT_BOUND(x);
    ACCEPT_BRACKET(b);
    mpfr_set_zero(x, 1);
    for (int k = 0; k < 2; k++) {
        accept_bound_magnitude(&b, &t->plus[k][i].sum);
        mpfr_add(x, x, up ? b.high : b.low, outward);
        accept_bound_magnitude(&b, &t->minus[k][i].sum);
        mpfr_sub(x, x, up ? b.low : b.high, outward);
    }
    bool negative = mpfr_sgn(x) < 0;
    mpfr_abs(x, x, MPFR_RNDN);
    *end = accept_bound_real(x);
    end->negative = negative;
}

/* count * 2^exponent more, rounded up; count is a real number. */
static void add_units(struct real *to, const struct real *count,
                      int64_t exponent)
{
    ACCEPT_BOUND(x);
    ACCEPT_BOUND(y);
    accept_bound_above(x, to);
    accept_bound_above(y, count);
    mpfr_mul_2si(y, y, exponent, MPFR_RNDU);
    mpfr_add(x, x, y, MPFR_RNDU);
    *to = accept_bound_real(x);
}

/* The bound that both ends of a sum share: magnitude is that of the largest
 * magnitudes, and count the number of terms. */
static struct accept_sum bound_of(const struct accept_sum *magnitude,
                                  const struct real *count)
{
    const struct dtype_info *d = &dtype_table[magnitude->accumulator];
    struct accept_sum s = *magnitude;
    s.few = NULL;
    s.also = NULL;
    s.roundings = s.most_roundings;
    /* The first accumulator has the largest errors, but not the narrowest
     * range. */
    for (const struct accept_sum *o = magnitude->also; o; o = o->also) {
        const struct dtype_info *other = &dtype_table[o->accumulator];
        add_units(&s.underflow, count, other->emin - other->precision + 1);
    }
    add_units(&s.underflow, count, d->emin - d->precision + 1);
    add_units(&s.flushed, count, d->emin + 2);
    return s;
}

static bool may_overflow(const struct accept_sum *s)
{
    for (; s; s = s->also)
        if (s->magnitude.kind > REAL_FINITE
            || (s->magnitude.kind == REAL_FINITE
                && s->magnitude.exponent >= dtype_table[s->accumulator].emax))
            return true;
    return false;
}

const struct accept_sum *interval_bilinear_bound(const struct eval *ev,
                                                 struct literal *const low[2],
                                                 struct literal *const high[2])
{
    const struct accept_sum *most, *count;
    struct status st = {0};
    for (int k = 0; k < 2; k++)
        if (!is_float(low[k]->shape) || !all_finite(low[k])
            || !all_finite(high[k]))
            return NULL;
    bool products = interval_bilinear_knows(ev->in);
    const struct term magnitudes = {{MAGNITUDE, products ? MAGNITUDE : OWN},
                                    true};
    const struct term ones = {{ONE, products ? ONE : OWN}, true};
    if (!evaluate(ev, &magnitudes, low, high, &most, &st)
        || !evaluate(ev, &ones, low, high, &count, &st))
        return NULL;
    int64_t n = shape_elements(ev->in->shape);
    struct accept_sum *bounds =
        arena_new(ev->arena, struct accept_sum, (size_t)n + 1);
    for (int64_t i = 0; i < n; i++) {
        if (may_overflow(&most[i]))
            return NULL;
        bounds[i] = bound_of(&most[i], &count[i].sum);
    }
    return bounds;
}

/* Zero in the place of elements that are NaN at both ends; false if another one
 * is not finite. */
static bool without_nans(struct arena *a, struct literal **low,
                         struct literal **high)
{
    enum dtype unit = dtype_unit((*low)->shape->dtype);
    struct literal *l = literal_copy(a, *low), *h = literal_copy(a, *high);
    for (int64_t i = 0, n = literal_units(l); i < n; i++)
        if (real_is_nan(unit, literal_get(l, i))
            && real_is_nan(unit, literal_get(h, i))) {
            literal_set(l, i, real_zero(unit, false));
            literal_set(h, i, real_zero(unit, false));
        }
    *low = l;
    *high = h;
    return all_finite(l) && all_finite(h);
}

/* A sum with a NaN among its terms is NaN, whatever the others are: as it is
 * for the values of the operands, own. */
static bool is_nan(const struct goal *own, int64_t i)
{
    return own->rule == GOAL_SUM && own->sum.sums
           && own->sum.sums[i].sum.kind == REAL_NAN;
}

enum {
    PP,
    MM,
    PM,
    MP
};

bool interval_bilinear(const struct eval *ev, struct literal *const low[2],
                       struct literal *const high[2], struct goal *ends[2],
                       struct status *st)
{
    static const enum part parts[4][2] = {
        {PLUS, PLUS}, {MINUS, MINUS}, {PLUS, MINUS}, {MINUS, PLUS}};
    const struct accept_sum *sums[2][4], *most, *count;
    const struct goal *own = ev->out.goals[0];
    struct literal *lows[2], *highs[2];
    for (int k = 0; k < 2; k++) {
        lows[k] = low[k];
        highs[k] = high[k];
        if (!is_float(low[k]->shape)
            || !without_nans(ev->arena, &lows[k], &highs[k]))
            return FAIL(st, UNSUPPORTED,
                        "inadmissible: an operand of %s is inexact, and not "
                        "every element is finite or NaN",
                        ev->in->op->name);
    }
    for (int far = 0; far < 2; far++)
        for (int k = 0; k < 4; k++) {
            const struct term t = {{parts[k][0], parts[k][1]}, far};
            TRY(evaluate(ev, &t, lows, highs, &sums[far][k], st));
        }
    TRY(evaluate(ev, &(struct term){{MAGNITUDE, MAGNITUDE}, true}, lows, highs,
                 &most, st));
    TRY(evaluate(ev, &(struct term){{ONE, ONE}, true}, lows, highs, &count,
                 st));
    for (int up = 0; up < 2; up++) {
        const struct addends t = {.plus = {sums[up][PP], sums[up][MM]},
                                  .minus = {sums[!up][PM], sums[!up][MP]}};
        ends[up] = eval_goal(ev, ev->in->shape, GOAL_SUM, true);
        for (int64_t i = 0, n = literal_units(ends[up]->value); i < n; i++) {
            if (is_nan(own, i)) {
                goal_sum(ends[up], i, &own->sum.sums[i]);
                continue;
            }
            if (may_overflow(&most[i]))
                return FAIL(st, UNSUPPORTED,
                            "inadmissible: a sum of %s may overflow",
                            ev->in->op->name);
            struct accept_sum s = bound_of(&most[i], &count[i].sum);
            end_of(&s.sum, &t, i, up);
            goal_sum(ends[up], i, &s);
        }
    }
    return true;
}
