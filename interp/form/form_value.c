/* form_value.c - see form_apply.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/exact/real.h"
#include "interp/form/form_apply.h"

enum {
    LOOKED_AT = 4096
};

const char *form_value_name(enum form_value v)
{
    static const char *const names[FORM_VALUES] = {
        [FORM_VALUE_ZERO] = "0",
        [FORM_VALUE_NEGATIVE_ZERO] = "-0",
        [FORM_VALUE_SUBNORMAL] = "subnormal",
        [FORM_VALUE_LEAST_NORMAL] = "least-normal",
        [FORM_VALUE_ONE] = "1",
        [FORM_VALUE_NEGATIVE] = "negative",
        [FORM_VALUE_LARGEST] = "largest",
        [FORM_VALUE_LEAST] = "least",
        [FORM_VALUE_INFINITY] = "inf",
        [FORM_VALUE_NEGATIVE_INFINITY] = "-inf",
        [FORM_VALUE_NAN] = "nan",
        [FORM_VALUE_AWKWARD] = "awkward",
        [FORM_VALUE_OTHER] = "other"};
    return names[v];
}

/* Odd integers that the next narrower float cannot hold: above 2^24 with 32
 * bits (binary32), above 2^53 with 64 (binary64). */
static bool is_awkward(enum dtype t, uint64_t bits)
{
    int width = dtype_table[t].bits;
    int64_t value = dtype_sign_extend(t, bits);
    uint64_t size = dtype_class(t) == DTYPE_SINT && value < 0 ? -(uint64_t)value
                                                              : (uint64_t)value;
    return width >= 32 && size & 1
           && size > UINT64_C(1) << (width == 32 ? 24 : 53);
}

static enum form_value of_integer(enum dtype t, uint64_t bits)
{
    bool sint = dtype_class(t) == DTYPE_SINT;
    uint64_t top = UINT64_C(1) << (dtype_table[t].bits - 1);
    uint64_t most = sint ? top - 1 : dtype_mask(t);
    if (bits == 0)
        return FORM_VALUE_ZERO;
    if (bits == most)
        return FORM_VALUE_LARGEST;
    if (sint && bits == top)
        return FORM_VALUE_LEAST;
    if (bits == 1)
        return FORM_VALUE_ONE;
    if (is_awkward(t, bits))
        return FORM_VALUE_AWKWARD;
    return sint && bits & top ? FORM_VALUE_NEGATIVE : FORM_VALUE_OTHER;
}

static enum form_value of_float(enum dtype t, uint64_t bits)
{
    bool negative = real_is_negative(t, bits);
    if (real_is_nan(t, bits))
        return FORM_VALUE_NAN;
    if (real_is_inf(t, bits))
        return negative ? FORM_VALUE_NEGATIVE_INFINITY : FORM_VALUE_INFINITY;
    if (real_is_zero(t, bits))
        return negative ? FORM_VALUE_NEGATIVE_ZERO : FORM_VALUE_ZERO;
    if (real_is_subnormal(t, bits))
        return FORM_VALUE_SUBNORMAL;
    if (bits == real_min_normal(t))
        return FORM_VALUE_LEAST_NORMAL;
    if (bits == real_max(t, false) || bits == real_max(t, true))
        return FORM_VALUE_LARGEST;
    if (bits == real_one(t))
        return FORM_VALUE_ONE;
    return negative ? FORM_VALUE_NEGATIVE : FORM_VALUE_OTHER;
}

enum form_value form_value_of(const struct literal *l, int64_t i)
{
    enum dtype t = l->shape->dtype, unit = dtype_unit(t);
    uint64_t bits = literal_get(l, i * dtype_units(t));
    if (dtype_class(unit) == DTYPE_FLOAT)
        return of_float(unit, bits);
    if (dtype_class(unit) == DTYPE_PRED)
        return bits ? FORM_VALUE_ONE : FORM_VALUE_ZERO;
    return of_integer(unit, bits);
}

unsigned form_value_set(const struct literal *l)
{
    unsigned all = 0;
    int64_t n = shape_elements(l->shape);
    for (int64_t i = 0; i < n && i < LOOKED_AT; i++)
        all |= 1u << form_value_of(l, i);
    return all;
}

unsigned form_value_set_of_type(enum dtype t)
{
    enum dtype unit = dtype_unit(t);
    unsigned all = 1u << FORM_VALUE_ONE;
    switch (dtype_class(unit)) {
    case DTYPE_PRED:
        return all | 1u << FORM_VALUE_ZERO;
    case DTYPE_SINT:
        all |= 1u << FORM_VALUE_LEAST | 1u << FORM_VALUE_NEGATIVE;
        if (dtype_table[unit].bits >= 32)
            all |= 1u << FORM_VALUE_AWKWARD;
        break;
    case DTYPE_UINT:
        if (dtype_table[unit].bits >= 32)
            all |= 1u << FORM_VALUE_AWKWARD;
        break;
    case DTYPE_FLOAT:
    case DTYPE_COMPLEX:
        if (real_has_negative_zero(unit))
            all |= 1u << FORM_VALUE_NEGATIVE_ZERO;
        if (real_has_inf(unit))
            all |=
                1u << FORM_VALUE_INFINITY | 1u << FORM_VALUE_NEGATIVE_INFINITY;
        if (real_has_nan(unit))
            all |= 1u << FORM_VALUE_NAN;
        if (dtype_table[unit].special != DTYPE_EXPONENT)
            all |= 1u << FORM_VALUE_SUBNORMAL | 1u << FORM_VALUE_NEGATIVE
                   | 1u << FORM_VALUE_LEAST_NORMAL;
        break;
    }
    return all | 1u << FORM_VALUE_ZERO | 1u << FORM_VALUE_LARGEST;
}
