/* elementwise_ranges.c - complex functions of inexact operands.  Tests:
 * steep.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A result is no farther from the exact one of the values at hand than its
 * derivative lets it go (steep.h), and what its budget allows there.
 */
#include "interp/exact/accept_bound.h"
#include "interp/goal/rule.h"
#include "interp/ops/elementwise.h"
#include "interp/program/interval.h"
#include "interp/program/uses.h"

struct ranges {
    struct eval *ev;
    const struct goal *own; /* of the values at hand */
    struct goal *hull, *to;
    struct steep box;
    mpfr_t d[STEEP_OPERANDS], off, size, far, y, z;
    const char *why; /* NULL: no failure yet */
};

/* The ends of one part of operand k.  Where operands are flushed, with zero. */
static void load(struct ranges *r, int k, int part, int64_t at)
{
    enum dtype unit = dtype_unit(r->own->value->shape->dtype);
    uint64_t low = literal_get(r->ev->low[k], 2 * at + part);
    uint64_t high = literal_get(r->ev->high[k], 2 * at + part);
    mpfr_ptr to[2] = {r->box.low[2 * k + part], r->box.high[2 * k + part]};
    if (!real_is_finite(unit, low) || !real_is_finite(unit, high)) {
        r->why = "may not be finite";
        return;
    }
    real_bits_to_mpfr(to[0], unit, low);
    real_bits_to_mpfr(to[1], unit, high);
    if (!uses_any(r->ev->machine))
        return;
    if (real_is_subnormal(unit, low) && mpfr_sgn(to[0]) > 0)
        mpfr_set_zero(to[0], 1);
    if (real_is_subnormal(unit, high) && mpfr_sgn(to[1]) < 0)
        mpfr_set_zero(to[1], 1);
}

/* How far operand k may be from the value at hand, in z: no farther than from
 * one corner to the other. */
static void find_way(struct ranges *r, int k)
{
    for (int part = 0; part < 2; part++)
        mpfr_sub(part ? r->y : r->z, r->box.high[2 * k + part],
                 r->box.low[2 * k + part], MPFR_RNDU);
    mpfr_hypot(r->z, r->z, r->y, MPFR_RNDU);
}

/* How far the result may be from the exact one, into off. */
static bool find_off(struct ranges *r)
{
    mpfr_t way[STEEP_OPERANDS];
    int n = r->ev->count;
    for (int k = 0; k < n; k++) {
        mpfr_init2(way[k], STEEP_BITS);
        find_way(r, k);
        mpfr_set(way[k], r->z, MPFR_RNDU);
    }
    bool known = r->ev->in->op->elementwise->steep(&r->box, r->d);
    mpfr_set_zero(r->off, 1);
    for (int k = 0; k < n; k++) {
        mpfr_mul(way[k], way[k], r->d[k], MPFR_RNDU);
        mpfr_add(r->off, r->off, way[k], MPFR_RNDU);
        mpfr_clear(way[k]);
    }
    return known && mpfr_number_p(r->off);
}

/* The farthest that a budget of the class lets a number of that size be, and
 * one ulp for its rounding, into far. */
static bool find_far(struct ranges *r, enum dtype unit)
{
    const struct profile *p = r->ev->machine->profile;
    const struct dtype_info *t = &dtype_table[unit];
    const struct accept_budget *budget;
    mpfr_set_ui_2exp(r->far, 1, t->emin, MPFR_RNDU);
    mpfr_max(r->far, r->far, r->size, MPFR_RNDU);
    mpfr_mul_2si(r->far, r->far, 1 - t->precision, MPFR_RNDU);
    for (int n = 0;
         (budget = profile_budget_nth(p, r->own->real.accuracy, unit, n, NULL));
         n++) {
        rule_real_norm(r->z, budget, unit, r->size);
        mpfr_max(r->far, r->far, r->z, MPFR_RNDU);
        if (budget->kind == ACCEPT_ANY)
            return false;
    }
    return true;
}

/* |y| of a part and how far it may be from it, rounded up, into to. */
static void find_size(struct ranges *r, int64_t unit, mpfr_ptr to)
{
    accept_bound_above(to, &r->own->real.y[unit]);
    mpfr_add(to, to, r->off, MPFR_RNDU);
}

static bool put_part(struct ranges *r, int64_t i, const struct rule_basis *b)
{
    enum dtype unit = dtype_unit(r->own->value->shape->dtype);
    if (b->norm) {
        find_size(r, i & ~INT64_C(1), r->size);
        find_size(r, i | 1, r->y);
        mpfr_hypot(r->size, r->size, r->y, MPFR_RNDU);
    } else {
        find_size(r, i, r->size);
    }
    if (!find_far(r, unit))
        return false;
    mpfr_add(r->far, r->far, r->off, MPFR_RNDU);
    ACCEPT_BRACKET(own);
    accept_bound_magnitude(&own, &r->own->real.y[i]);
    if (r->own->real.y[i].negative) {
        mpfr_neg(own.low, own.low, MPFR_RNDN);
        mpfr_neg(own.high, own.high, MPFR_RNDN);
        mpfr_swap(own.low, own.high);
    }
    for (int end = 0; end < 2; end++) {
        if (end)
            mpfr_add(r->y, own.high, r->far, MPFR_RNDU);
        else
            mpfr_sub(r->y, own.low, r->far, MPFR_RNDD);
        struct real x = real_from_mpfr(r->y, 0);
        uint64_t bits =
            end ? real_round_up(&x, unit) : real_round_down(&x, unit);
        if (!real_is_finite(unit, bits))
            return false;
        literal_set(end ? r->hull->range.high : r->hull->range.low, i, bits);
    }
    return true;
}

static bool moves(const struct ranges *r, const int64_t *at)
{
    for (int k = 0; k < r->ev->count; k++)
        for (int part = 0; part < 2; part++)
            if (literal_get(r->ev->low[k], 2 * at[k] + part)
                != literal_get(r->ev->high[k], 2 * at[k] + part))
                return true;
    return false;
}

static void do_element(void *context, int64_t i, const int64_t *at)
{
    struct ranges *r = context;
    const struct goal *own = r->own;
    struct rule_basis b = rule_basis(r->ev->machine->profile, own);
    bool moving = moves(r, at);
    for (int k = 0; moving && k < r->ev->count; k++)
        for (int part = 0; part < 2; part++)
            load(r, k, part, at[k]);
    if (moving && !r->why && !find_off(r))
        r->why = "is inexact where the function may have no derivative";
    for (int part = 0; part < 2; part++) {
        int64_t unit = 2 * i + part;
        bool known = own->real.y[unit].kind <= REAL_FINITE
                     && !(own->free_units && own->free_units[unit]);
        if (moving && !r->why && (!known || !put_part(r, unit, &b)))
            r->why = "is inexact, and the result may overflow or be anything";
        goal_take(r->to, unit, moving ? r->hull : own, unit);
    }
}

bool elementwise_ranges(struct eval *ev, struct status *st)
{
    struct ranges r = {.ev = ev};
    const struct elementwise *e = ev->in->op->elementwise;
    TRY(ev->in->op->eval(ev, st));
    struct goal *own = ev->out.goals[0];
    bool complex = dtype_class(own->value->shape->dtype) == DTYPE_COMPLEX;
    if (!complex || !e->steep || own->rule != GOAL_REAL || !own->real.y
        || own->real.has_budget)
        return FAIL(st, UNSUPPORTED,
                    "inadmissible: an operand of %s is inexact",
                    ev->in->op->name);
    r.own = own;
    r.hull = goal_of(ev->arena, own->value, GOAL_BITS);
    goal_make_range(r.hull);
    r.to = goal_of(ev->arena, own->value, GOAL_MOVED);
    for (int i = 0; i < STEEP_PARTS; i++)
        mpfr_inits2(STEEP_BITS, r.box.low[i], r.box.high[i], (mpfr_ptr)0);
    mpfr_inits2(STEEP_BITS, r.box.s, r.box.t, r.box.u, r.d[0], r.d[1], r.off,
                r.size, r.far, r.y, r.z, (mpfr_ptr)0);
    elementwise_each(ev, ev->in->shape, do_element, &r);
    for (int i = 0; i < STEEP_PARTS; i++)
        mpfr_clears(r.box.low[i], r.box.high[i], (mpfr_ptr)0);
    mpfr_clears(r.box.s, r.box.t, r.box.u, r.d[0], r.d[1], r.off, r.size, r.far,
                r.y, r.z, (mpfr_ptr)0);
    if (r.why)
        return FAIL(st, UNSUPPORTED, "inadmissible: an operand of %s %s",
                    ev->in->op->name, r.why);
    ev->out.goals[0] = r.to;
    return true;
}
