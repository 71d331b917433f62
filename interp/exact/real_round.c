/* real_round.c - from an exact number to the nearest pattern of a type.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The patterns of a type without their sign count upward with the magnitude,
 * so a magnitude is rounded by cutting its significand at the unit of the last
 * place and adding the result to the exponent's field: a carry propagates into
 * the exponent, and overflow is a pattern beyond the largest finite one.
 */
#include <assert.h>

#include "interp/exact/real.h"

#define TOP ((real_u128)1 << 127)

enum direction {
    TO_NEAREST,
    TO_ZERO,
    FROM_ZERO
};

/* Is the part of the significand below its leading kept bits (0 or more)
 * rounded up? */
static bool rounds_up(const struct real *r, int kept, enum direction direction)
{
    real_u128 rest = kept == 0 ? r->significand : r->significand << kept;
    if (direction == TO_ZERO)
        return false;
    if (direction == FROM_ZERO)
        return rest != 0 || r->inexact;
    if (rest != TOP || r->inexact)
        return rest >= TOP;
    /* A tie goes to the even pattern; with one digit there is no even one,
     * and the larger is taken (IEEE 754-2019, 4.3.1).  kept is 0 where the
     * neighbours are zero and the smallest number, of which zero is even. */
    return kept > 0 && (r->significand >> (128 - kept) & 1) != 0;
}

/* The pattern, without sign, of a finite magnitude, as though the exponent had
 * no upper end; UINT64_MAX far beyond it. */
static uint64_t round_magnitude(const struct real *r, enum dtype unit,
                                enum direction direction)
{
    const struct dtype_info *t = &dtype_table[unit];
    int64_t e = r->exponent;
    if (e > t->emax + 1)
        return UINT64_MAX;
    int kept = t->precision;
    if (e < t->emin) {
        if (t->special == DTYPE_EXPONENT)
            return 0;
        int64_t missing = t->emin - e;
        if (missing > t->precision)
            return direction == FROM_ZERO;
        kept -= (int)missing;
        e = t->emin;
    }
    assert(!r->inexact || r->width > kept);
    uint64_t m = kept ? (uint64_t)(r->significand >> (128 - kept)) : 0;
    m += rounds_up(r, kept, direction);
    return ((uint64_t)(e + t->bias - 1) << (t->precision - 1)) + m;
}

/* The result of a type that has no number that large. */
static uint64_t overflowed(enum dtype unit, bool negative, bool saturate)
{
    if (saturate || dtype_table[unit].special == DTYPE_FINITE)
        return real_max(unit, negative);
    if (real_has_inf(unit))
        return real_inf(unit, negative);
    return real_nan(unit, negative);
}

static uint64_t with_sign(enum dtype unit, uint64_t magnitude, bool negative)
{
    if (!negative || (magnitude == 0 && !real_has_negative_zero(unit)))
        return magnitude;
    return magnitude | real_formats[unit].sign;
}

/* Zero and negative numbers of the type that has neither: NaN, and the
 * smallest number where values saturate (ml_dtypes, float8.h). */
static bool is_unsigned_out(const struct real *r, enum dtype unit)
{
    return dtype_table[unit].special == DTYPE_EXPONENT && r->kind != REAL_NAN
           && (r->negative || r->kind == REAL_ZERO);
}

uint64_t real_round(const struct real *r, enum dtype unit,
                    enum real_overflow overflow)
{
    bool saturate = overflow == REAL_OVERFLOW_SATURATE;
    if (is_unsigned_out(r, unit))
        return saturate ? 0 : real_nan(unit, false);
    switch ((enum real_kind)r->kind) {
    case REAL_ZERO:
        return real_zero(unit, r->negative);
    case REAL_NAN:
        return real_nan(unit, r->negative);
    case REAL_INF:
        return overflowed(unit, r->negative, saturate && !real_has_inf(unit));
    case REAL_FINITE:
        break;
    }
    uint64_t m = round_magnitude(r, unit, TO_NEAREST);
    if (m > real_formats[unit].max)
        return overflowed(unit, r->negative, saturate);
    return with_sign(unit, m, r->negative);
}

static uint64_t round_toward(const struct real *r, enum dtype unit,
                             enum direction direction)
{
    if (is_unsigned_out(r, unit))
        return 0;
    if (r->kind == REAL_ZERO)
        return real_zero(unit, r->negative);
    if (r->kind == REAL_NAN)
        return real_nan(unit, r->negative);
    if (r->kind == REAL_INF)
        return overflowed(unit, r->negative, !real_has_inf(unit));
    uint64_t m = round_magnitude(r, unit, direction);
    if (m > real_formats[unit].max)
        return overflowed(unit, r->negative,
                          direction == TO_ZERO || !real_has_inf(unit));
    return with_sign(unit, m, r->negative);
}

uint64_t real_round_down(const struct real *r, enum dtype unit)
{
    return round_toward(r, unit, r->negative ? FROM_ZERO : TO_ZERO);
}

uint64_t real_round_up(const struct real *r, enum dtype unit)
{
    return round_toward(r, unit, r->negative ? TO_ZERO : FROM_ZERO);
}
