/* ReducePrecision.c - each element rounded to a narrower format.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The narrower format is IEEE 754's with that many exponent and mantissa bits;
 * where the type has fewer, its own count.  Beyond its largest number lies
 * infinity (or what the type has in its place).
 */
#include "gen/policy/reduce_precision_nan_mantissa_0.h"
#include "gen/policy/reduce_precision_subnormal.h"
#include "interp/ops/elementwise.h"
#include "interp/program/attribute.h"

static bool infer(struct infer *in, struct status *st)
{
    int64_t exponent = attribute_int(in->in, ATTRIBUTE_EXPONENT_BITS, 0);
    int64_t mantissa = attribute_int(in->in, ATTRIBUTE_MANTISSA_BITS, -1);
    if (exponent < 1)
        return FAIL(
            st, ATTRIBUTE,
            "ReducePrecision: exponent_bits is %lld; expected at least 1",
            (long long)exponent);
    if (mantissa < 0)
        return FAIL(
            st, ATTRIBUTE,
            "ReducePrecision: mantissa_bits is %lld; expected at least 0",
            (long long)mantissa);
    return elementwise_infer(in, st);
}

struct format {
    int mantissa, emin, emax;
    bool narrower; /* fewer exponents than the type */
};

static struct format format_of(const struct elementwise_job *j)
{
    const struct dtype_info *t = &dtype_table[j->unit];
    int sign = t->special == DTYPE_EXPONENT ? 0 : 1;
    int64_t own = t->bits - sign - (t->precision - 1);
    int64_t exponent = attribute_int(j->ev->in, ATTRIBUTE_EXPONENT_BITS, own);
    int64_t mantissa = attribute_int(j->ev->in, ATTRIBUTE_MANTISSA_BITS, 0);
    struct format f = {t->precision - 1, t->emin, t->emax, exponent < own};
    if (mantissa < f.mantissa)
        f.mantissa = (int)mantissa;
    if (f.narrower) {
        f.emax = (1 << (exponent - 1)) - 1;
        f.emin = 1 - f.emax;
    }
    return f;
}

/* x to a multiple of 2^unit; with one digit left no neighbour is even by its
 * digits, and policy tie.precision-1 decides. */
static bool round_to(mpfr_ptr x, int64_t unit, bool one_digit, bool down)
{
    mpfr_div_2si(x, x, unit, MPFR_RNDZ);
    mpfr_mul_2ui(x, x, 1, MPFR_RNDZ);
    bool tie = one_digit && mpfr_cmpabs_ui(x, 3) == 0;
    mpfr_div_2ui(x, x, 1, MPFR_RNDZ);
    if (tie && down)
        mpfr_rint(x, x, MPFR_RNDZ);
    else
        mpfr_roundeven(x, x);
    mpfr_mul_2si(x, x, unit, MPFR_RNDZ);
    return tie;
}

/* j->x, finite and not 0, in the format; *tie as round_to. */
static uint64_t reduce(struct elementwise_job *j, const struct format *f,
                       uint64_t bits, bool flush, bool down, bool *tie)
{
    real_bits_to_mpfr(j->x, j->unit, bits);
    int64_t e = mpfr_get_exp(j->x) - 1, unit = e - f->mantissa;
    bool negative = mpfr_signbit(j->x);
    bool own = !f->narrower && e < f->emin;
    if (own || (!flush && e < f->emin))
        unit = f->emin - f->mantissa;
    *tie = round_to(j->x, unit, f->mantissa == 0 && e >= f->emin, down);
    if (mpfr_regular_p(j->x)) {
        e = mpfr_get_exp(j->x) - 1;
        if (e > f->emax)
            mpfr_set_inf(j->x, negative ? -1 : 1);
        else if (f->narrower && flush && e < f->emin)
            mpfr_set_zero(j->x, negative ? -1 : 1);
    }
    struct real r = real_from_mpfr(j->x, 0);
    return real_round(&r, j->unit, j->goal->overflow);
}

/* Positive, or of the sign of the NaN. */
static void or_infinities(struct elementwise_job *j, uint64_t x)
{
    goal_or(j->goal, j->index, real_inf(j->unit, false));
    goal_or(j->goal, j->index, real_inf(j->unit, real_is_negative(j->unit, x)));
}

/* A NaN, where no bit of the mantissa is left: must it be an infinity?  Others
 * that it may be are added. */
static bool becomes_inf(struct elementwise_job *j, uint64_t x)
{
    const struct profile *p = j->ev->machine->profile;
    switch (profile_reduce_precision_nan_mantissa_0(p)) {
    case REDUCE_PRECISION_NAN_MANTISSA_0_INF:
        goal_or(j->goal, j->index,
                real_inf(j->unit, real_is_negative(j->unit, x)));
        return true;
    case REDUCE_PRECISION_NAN_MANTISSA_0_EITHER:
        or_infinities(j, x);
        break;
    case REDUCE_PRECISION_NAN_MANTISSA_0_NAN:
        break;
    }
    return false;
}

static uint64_t reduce_special(struct elementwise_job *j, uint64_t x)
{
    bool nan = real_is_nan(j->unit, x);
    bool to_inf = nan
                  && attribute_int(j->ev->in, ATTRIBUTE_MANTISSA_BITS, 1) == 0
                  && real_has_inf(j->unit);
    if (to_inf && becomes_inf(j, x))
        return real_inf(j->unit, false);
    struct format f = format_of(j);
    /* To the element's own format it may be a copy (see ConvertElementType). */
    if (real_is_signalling(j->unit, x) && !f.narrower
        && f.mantissa == dtype_table[j->unit].precision - 1)
        goal_or(j->goal, j->index, x);
    return nan ? real_nan(j->unit, real_is_negative(j->unit, x)) : x;
}

static uint64_t reduce_precision(struct elementwise_job *j, const uint64_t *x)
{
    if (!real_is_finite(j->unit, x[0]) || real_is_zero(j->unit, x[0]))
        return reduce_special(j, x[0]);

    const struct profile *p = j->ev->machine->profile;
    struct format f = format_of(j);
    bool flush = true, both = false, tie, other_tie;
    switch (profile_reduce_precision_subnormal(p)) {
    case REDUCE_PRECISION_SUBNORMAL_IEEE:
        flush = false;
        break;
    case REDUCE_PRECISION_SUBNORMAL_EITHER:
        both = true;
        break;
    case REDUCE_PRECISION_SUBNORMAL_FLUSH:
        break;
    }
    uint64_t y = reduce(j, &f, x[0], flush, false, &tie);
    if (both)
        goal_or(j->goal, j->index,
                reduce(j, &f, x[0], false, false, &other_tie));
    if (tie && profile_rules(p, j->unit).tie_either)
        goal_or(j->goal, j->index,
                reduce(j, &f, x[0], flush, true, &other_tie));
    return y;
}

static const struct elementwise row = {
    .arity = 1,
    .exact = reduce_precision,
    .open = true,
};

const struct op op_ReducePrecision = {
    .name = "ReducePrecision",
    .infer = infer,
    .eval = elementwise_eval,
    .elementwise = &row,
    .monotone = {1},
};
