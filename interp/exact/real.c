/* real.c - exact real numbers: from and to bit patterns, integers and MPFR.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Everything here follows from a type's row in dtype.def.
 */
#include "interp/exact/real.h"

#include <assert.h>

static_assert(sizeof(mp_limb_t) == 8 && GMP_NAIL_BITS == 0,
              "MPFR's limbs are read as 64-bit words");

/* Exponents are clamped, so that no difference of two overflows. */
#define EXPONENT_MAX (INT64_C(1) << 60)
#define TOP          ((real_u128)1 << 127)

#define ONES(n) (UINT64_MAX >> (64 - (n)))
#define SIGNED(class, special) \
    ((DTYPE_##class == DTYPE_FLOAT && DTYPE_##special != DTYPE_EXPONENT) \
     || DTYPE_##class == DTYPE_SINT)
#define MANTISSA(p)     ((p) > 1 ? (p)-1 : 1)
/* Unsigned bits of a pattern: n of an unsigned type, else n - 1. */
#define MAGNITUDE(n, s) ((s) ? ONES(n) >> 1 : ONES(n))
#define MAX_IEEE(n, p)  ((ONES(n) >> 1 >> MANTISSA(p) << MANTISSA(p)) - 1)
#define MAX_FINITE(n, p, special) \
    (DTYPE_##special == DTYPE_IEEE       ? MAX_IEEE(n, p) \
     : DTYPE_##special == DTYPE_FN       ? (ONES(n) >> 1) - 1 \
     : DTYPE_##special == DTYPE_EXPONENT ? ONES(n) - 1 \
     : DTYPE_##special == DTYPE_NONE     ? ONES(n) \
                                         : ONES(n) >> 1)
#define WORD(n) ((n) > 64 ? 64 : (n))

const struct real_format real_formats[DT_COUNT] = {
#define DTYPE(name, class, bits, p, emin, emax, bias, special, unit, mlir, \
              pjrt) \
    [DT_##name] = { \
        .magnitude = MAGNITUDE(WORD(bits), SIGNED(class, special)), \
        .sign = SIGNED(class, special) ? UINT64_C(1) << (WORD(bits) - 1) : 0, \
        .max = MAX_FINITE(WORD(bits), p, special), \
        .quiet = DTYPE_##special == DTYPE_IEEE \
                     ? UINT64_C(1) << ((p) > 2 ? (p)-2 : 0) \
                     : 0, \
    },
#include "interp/base/dtype.def"
#undef DTYPE
};

#define DTYPE(name, class, bits, p, emin, emax, bias, special, unit, mlir, \
              pjrt) \
    static_assert((p) <= 53, #name " is wider than significands here"); \
    static_assert((p) < 2 || (emin) == 1 - (bias), \
                  #name ": subnormals follow from the bias");
#include "interp/base/dtype.def"
#undef DTYPE

static const struct dtype_info *row(enum dtype t)
{
    return &dtype_table[t];
}

static bool is_float(enum dtype t)
{
    return dtype_class(t) == DTYPE_FLOAT;
}

/* ---- Special patterns ---------------------------------------------------- */

bool real_has_inf(enum dtype unit)
{
    return row(unit)->special == DTYPE_IEEE;
}

bool real_has_nan(enum dtype unit)
{
    return is_float(unit) && row(unit)->special != DTYPE_FINITE;
}

bool real_has_negative_zero(enum dtype unit)
{
    return is_float(unit) && row(unit)->special != DTYPE_FNUZ
           && row(unit)->special != DTYPE_EXPONENT;
}

/* A type of finite numbers only gives what ml_dtypes gives: the pattern 10..0
 * of its quiet NaN is -0, and its negation +0. */
uint64_t real_nan(enum dtype unit, bool negative)
{
    const struct real_format *f = &real_formats[unit];
    uint64_t sign = negative ? f->sign : 0;
    switch (row(unit)->special) {
    case DTYPE_IEEE:
        return sign | (f->max + 1) | f->quiet;
    case DTYPE_FN:
        return sign | f->magnitude;
    case DTYPE_FNUZ:
        return f->sign;
    case DTYPE_FINITE:
        return f->sign ^ sign;
    case DTYPE_EXPONENT:
        return f->magnitude;
    case DTYPE_NONE:
        break;
    }
    return 0;
}

uint64_t real_inf(enum dtype unit, bool negative)
{
    assert(real_has_inf(unit));
    return (real_formats[unit].max + 1)
           | (negative ? real_formats[unit].sign : 0);
}

uint64_t real_max(enum dtype unit, bool negative)
{
    return real_formats[unit].max | (negative ? real_formats[unit].sign : 0);
}

/* Zero is NaN in a type that has none. */
uint64_t real_zero(enum dtype unit, bool negative)
{
    if (row(unit)->special == DTYPE_EXPONENT)
        return real_nan(unit, false);
    return negative && real_has_negative_zero(unit) ? real_formats[unit].sign
                                                    : 0;
}

uint64_t real_min_normal(enum dtype unit)
{
    const struct dtype_info *t = row(unit);
    return (uint64_t)(t->emin + t->bias) << (t->precision - 1);
}

uint64_t real_one(enum dtype unit)
{
    const struct dtype_info *t = row(unit);
    if (!is_float(unit))
        return 1;
    return (uint64_t)t->bias << (t->precision - 1);
}

bool real_is_finite(enum dtype unit, uint64_t bits)
{
    const struct real_format *f = &real_formats[unit];
    if (!is_float(unit))
        return true;
    if (row(unit)->special == DTYPE_FNUZ)
        return bits != f->sign;
    return (bits & f->magnitude) <= f->max;
}

bool real_is_inf(enum dtype unit, uint64_t bits)
{
    const struct real_format *f = &real_formats[unit];
    return real_has_inf(unit) && (bits & f->magnitude) == f->max + 1;
}

bool real_is_nan(enum dtype unit, uint64_t bits)
{
    return !real_is_finite(unit, bits) && !real_is_inf(unit, bits);
}

bool real_is_signalling(enum dtype unit, uint64_t bits)
{
    return real_has_inf(unit) && real_is_nan(unit, bits)
           && !(bits & real_formats[unit].quiet);
}

bool real_is_zero(enum dtype unit, uint64_t bits)
{
    if (row(unit)->special == DTYPE_EXPONENT)
        return false;
    if (real_has_negative_zero(unit))
        return (bits & real_formats[unit].magnitude) == 0;
    return bits == 0;
}

bool real_is_subnormal(enum dtype unit, uint64_t bits)
{
    uint64_t m = bits & real_formats[unit].magnitude;
    return is_float(unit) && row(unit)->special != DTYPE_EXPONENT && m != 0
           && m < real_min_normal(unit);
}

bool real_is_negative(enum dtype unit, uint64_t bits)
{
    if (row(unit)->special == DTYPE_FNUZ && bits == real_formats[unit].sign)
        return false;
    return (bits & real_formats[unit].sign) != 0;
}

/* ---- Keys ---------------------------------------------------------------- */

int64_t real_key(enum dtype unit, uint64_t bits)
{
    const struct real_format *f = &real_formats[unit];
    if (!is_float(unit)) {
        if (row(unit)->class == DTYPE_UINT && row(unit)->bits == 64)
            bits ^= UINT64_C(1) << 63;
        return dtype_sign_extend(unit, bits);
    }
    int64_t m = (int64_t)(bits & f->magnitude);
    if (!(bits & f->sign))
        return m;
    return real_has_negative_zero(unit) ? -1 - m : -m;
}

int64_t real_total_key(enum dtype unit, uint64_t bits)
{
    if (row(unit)->special == DTYPE_FNUZ && real_is_nan(unit, bits))
        return INT64_MIN;
    return real_key(unit, bits);
}

uint64_t real_from_key(enum dtype unit, int64_t key)
{
    const struct real_format *f = &real_formats[unit];
    if (!is_float(unit)) {
        if (row(unit)->class == DTYPE_UINT && row(unit)->bits == 64)
            return (uint64_t)key ^ UINT64_C(1) << 63;
        return (uint64_t)key & dtype_mask(unit);
    }
    if (key >= 0)
        return (uint64_t)key;
    key = real_has_negative_zero(unit) ? -1 - key : -key;
    return f->sign | (uint64_t)key;
}

/* ---- From patterns and numbers ------------------------------------------- */

static struct real special(enum real_kind kind, bool negative)
{
    return (struct real){.kind = kind, .width = 128, .negative = negative};
}

/* m * 2^e, exactly. */
static struct real scaled(uint64_t m, int64_t e, bool negative)
{
    if (m == 0)
        return special(REAL_ZERO, negative);
    int shift = __builtin_clzll(m);
    return (struct real){
        .significand = (real_u128)(m << shift) << 64,
        .exponent = e + 63 - shift,
        .kind = REAL_FINITE,
        .width = 128,
        .negative = negative,
    };
}

/* The integer significand and the exponent of its last bit of a finite
 * pattern. */
static uint64_t decode(enum dtype unit, uint64_t bits, int *exponent)
{
    const struct dtype_info *t = row(unit);
    uint64_t m = bits & real_formats[unit].magnitude;
    int field = (int)(m >> (t->precision - 1));
    uint64_t one = UINT64_C(1) << (t->precision - 1);
    uint64_t fraction = m & (one - 1);
    if (field == 0 && t->special != DTYPE_EXPONENT) {
        *exponent = t->emin - t->precision + 1;
        return fraction;
    }
    *exponent = field - t->bias - t->precision + 1;
    return fraction | one;
}

static struct real from_integer(enum dtype unit, uint64_t bits)
{
    int64_t value = dtype_sign_extend(unit, bits);
    if (dtype_class(unit) == DTYPE_SINT)
        return real_from_int(value);
    return scaled(bits, 0, false);
}

struct real real_from_bits(enum dtype unit, uint64_t bits)
{
    if (!is_float(unit))
        return from_integer(unit, bits);
    bool negative = (bits & real_formats[unit].sign) != 0;
    if (!real_is_finite(unit, bits)) {
        if (real_is_inf(unit, bits))
            return special(REAL_INF, negative);
        return special(REAL_NAN, real_is_negative(unit, bits));
    }
    int e;
    uint64_t m = decode(unit, bits, &e);
    return scaled(m, e, negative);
}

struct real real_from_int(int64_t value)
{
    uint64_t m = value < 0 ? -(uint64_t)value : (uint64_t)value;
    return scaled(m, 0, value < 0);
}

/* ---- MPFR ---------------------------------------------------------------- */

int real_width(enum dtype unit)
{
    int width = row(unit)->precision + 24;
    return (width + 63) / 64 * 64;
}

static int64_t clamp_exponent(int64_t e)
{
    return e > EXPONENT_MAX    ? EXPONENT_MAX
           : e < -EXPONENT_MAX ? -EXPONENT_MAX
                               : e;
}

/* A number beyond MPFR's exponents, and so beyond every type's. */
static struct real out_of_reach(mpfr_srcptr x, int64_t exponent, int width)
{
    return (struct real){
        .significand = TOP,
        .exponent = exponent,
        .kind = REAL_FINITE,
        .width = (uint8_t)width,
        .negative = mpfr_signbit(x) != 0,
        .inexact = true,
    };
}

static struct real from_singular(mpfr_srcptr x, int ternary, int width)
{
    bool negative = mpfr_signbit(x) != 0;
    if (mpfr_nan_p(x))
        return special(REAL_NAN, negative);
    if (mpfr_inf_p(x))
        return ternary ? out_of_reach(x, EXPONENT_MAX, width)
                       : special(REAL_INF, negative);
    return ternary ? out_of_reach(x, -EXPONENT_MAX, width)
                   : special(REAL_ZERO, negative);
}

struct real real_from_mpfr(mpfr_srcptr x, int ternary)
{
    mpfr_prec_t precision = mpfr_get_prec(x);
    int width = precision > 128 ? 128 : (int)precision;
    if (!mpfr_regular_p(x))
        return from_singular(x, ternary, width);
    const mp_limb_t *limbs = mpfr_custom_get_significand(x);
    ptrdiff_t n = (ptrdiff_t)((precision + 63) / 64);
    real_u128 significand = (real_u128)limbs[n - 1] << 64;
    bool inexact = ternary != 0;
    if (n > 1)
        significand |= limbs[n - 2];
    for (ptrdiff_t i = 0; i < n - 2 && !inexact; i++)
        inexact = limbs[i] != 0;
    return (struct real){
        .significand = significand,
        .exponent = clamp_exponent((int64_t)mpfr_custom_get_exp(x) - 1),
        .kind = REAL_FINITE,
        .width = inexact ? (uint8_t)width : 128,
        .negative = mpfr_signbit(x) != 0,
        .inexact = inexact,
    };
}

static void set_singular(mpfr_ptr x, enum real_kind kind, bool negative)
{
    if (kind == REAL_ZERO)
        mpfr_set_zero(x, negative ? -1 : 1);
    else if (kind == REAL_INF)
        mpfr_set_inf(x, negative ? -1 : 1);
    else
        mpfr_set_nan(x);
}

void real_to_mpfr(mpfr_ptr x, const struct real *r)
{
    if (r->kind != REAL_FINITE) {
        set_singular(x, (enum real_kind)r->kind, r->negative);
        return;
    }
    mp_limb_t limbs[2] = {(mp_limb_t)r->significand,
                          (mp_limb_t)(r->significand >> 64)};
    mpfr_t t;
    mpfr_custom_init_set(t,
                         r->negative ? -MPFR_REGULAR_KIND : MPFR_REGULAR_KIND,
                         (mpfr_exp_t)r->exponent + 1, 128, limbs);
    mpfr_set(x, t, MPFR_RNDZ);
}

/* Fills x's own limbs: this runs for every element. */
static void set_scaled(mpfr_ptr x, uint64_t m, int64_t e, bool negative)
{
    int shift = __builtin_clzll(m);
    mpfr_prec_t precision = mpfr_get_prec(x);
    mp_limb_t *limbs = mpfr_custom_get_significand(x);
    ptrdiff_t n = (ptrdiff_t)((precision + 63) / 64);
    assert(precision >= 64);
    limbs[n - 1] = m << shift;
    for (ptrdiff_t i = 0; i < n - 1; i++)
        limbs[i] = 0;
    mpfr_custom_init_set(x, negative ? -MPFR_REGULAR_KIND : MPFR_REGULAR_KIND,
                         e + 64 - shift, precision, limbs);
}

void real_bits_to_mpfr(mpfr_ptr x, enum dtype unit, uint64_t bits)
{
    if (!is_float(unit) || !real_is_finite(unit, bits)) {
        struct real r = real_from_bits(unit, bits);
        real_to_mpfr(x, &r);
        return;
    }
    bool negative = (bits & real_formats[unit].sign) != 0;
    int e;
    uint64_t m = decode(unit, bits, &e);
    if (m == 0)
        mpfr_set_zero(x, negative ? -1 : 1);
    else
        set_scaled(x, m, e, negative);
}

/* ---- To integers, comparing ---------------------------------------------- */

bool real_to_int(const struct real *r, enum dtype integer, uint64_t *bits)
{
    const struct real_format *f = &real_formats[integer];
    uint64_t limit = r->negative ? f->sign : f->magnitude;
    uint64_t m = 0;
    bool fits = true;
    if (r->kind == REAL_NAN) {
        *bits = 0;
        return false;
    }
    if (r->kind == REAL_INF || (r->kind == REAL_FINITE && r->exponent > 63)) {
        m = limit;
        fits = false;
    } else if (r->kind == REAL_FINITE && r->exponent >= 0) {
        assert(!r->inexact || r->width > r->exponent);
        m = (uint64_t)(r->significand >> (127 - r->exponent));
    }
    if (m > limit) {
        m = limit;
        fits = false;
    }
    *bits = (r->negative ? -m : m) & dtype_mask(integer);
    return fits;
}

static int compare_magnitudes(const struct real *a, const struct real *b,
                              bool *decided)
{
    if (a->exponent != b->exponent)
        return a->exponent < b->exponent ? -1 : 1;
    if (a->significand == b->significand) {
        *decided = !(a->inexact && b->inexact);
        return *decided ? (int)a->inexact - (int)b->inexact : 0;
    }
    bool less = a->significand < b->significand;
    const struct real *low = less ? a : b, *high = less ? b : a;
    real_u128 reach = low->inexact ? (real_u128)1 << (128 - low->width) : 0;
    *decided = reach <= high->significand - low->significand;
    return !*decided ? 0 : less ? -1 : 1;
}

int real_compare(const struct real *a, const struct real *b, bool *decided)
{
    int sa = a->kind == REAL_ZERO ? 0 : a->negative ? -1 : 1;
    int sb = b->kind == REAL_ZERO ? 0 : b->negative ? -1 : 1;
    assert(a->kind != REAL_NAN && b->kind != REAL_NAN);
    *decided = true;
    if (sa != sb)
        return sa < sb ? -1 : 1;
    if (sa == 0)
        return 0;
    bool ia = a->kind == REAL_INF, ib = b->kind == REAL_INF;
    if (ia || ib)
        return sa * ((int)ia - (int)ib);
    return sa * compare_magnitudes(a, b, decided);
}

/* |r| / 2^(unit - 64), truncated; below 2^120. */
static __int128_t fixed(const struct real *r, int64_t unit)
{
    if (r->kind == REAL_ZERO)
        return 0;
    int64_t shift = unit - r->exponent + 63;
    assert(shift >= 0);
    __int128_t m = shift > 127 ? 0 : (__int128_t)(r->significand >> shift);
    return r->negative ? -m : m;
}

int64_t real_error(const struct real *y, enum dtype unit, uint64_t got)
{
    const struct dtype_info *t = row(unit);
    struct real g = real_from_bits(unit, got);
    int64_t e =
        y->kind == REAL_ZERO || y->exponent < t->emin ? t->emin : y->exponent;
    int64_t ulp = e - t->precision + 1;
    if (g.kind == REAL_FINITE && g.exponent - ulp > 55)
        return g.negative ? -REAL_ERROR_MAX : REAL_ERROR_MAX;
    __int128_t d = fixed(&g, ulp) - fixed(y, ulp);
    real_u128 m = (real_u128)(d < 0 ? -d : d);
    uint64_t whole = (uint64_t)(m >> 64);
    uint64_t part =
        (uint64_t)((((real_u128)(uint64_t)m * 1000000) + ((real_u128)1 << 63))
                   >> 64);
    if (whole >= UINT64_C(1000000000000))
        return d < 0 ? -REAL_ERROR_MAX : REAL_ERROR_MAX;
    int64_t error = (int64_t)(whole * 1000000 + part);
    return d < 0 ? -error : error;
}
