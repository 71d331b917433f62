/* show.c - see show.h.  Tests: test_data.c, test_stablehlo.c, eval.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/data/show.h"

#include <inttypes.h>
#include <mpfr.h>
#include <string.h>

#include "interp/data/number.h"
#include "interp/exact/real.h"

enum {
    EXACT_BITS = 128, /* every value of every type fits */
    NARROW = 8,       /* types of at most so many bits are shown exactly */
    DIGITS_MAX = 20,  /* 17 are enough for f64 */
    PLAIN_MAX = 17,   /* exponents up to here are written out */
    PLAIN_MIN = -5,
};

const char *show_bits(struct arena *a, enum dtype type, uint64_t bits)
{
    int digits = (dtype_table[dtype_unit(type)].bits + 3) / 4;
    return arena_printf(a, "%0*" PRIx64, digits, bits);
}

/* Digits d1 d2 ... and an exponent: the value is 0.d1d2... * 10^exponent. */
static const char *place_point(struct arena *a, bool negative,
                               const char *digits, long exponent)
{
    int n = (int)strlen(digits);
    while (n > 1 && digits[n - 1] == '0')
        n--;
    const char *sign = negative ? "-" : "";
    if (exponent > 0 && exponent <= PLAIN_MAX) {
        if (n <= exponent)
            return arena_printf(a, "%s%.*s%.*s", sign, n, digits,
                                (int)exponent - n, "00000000000000000");
        return arena_printf(a, "%s%.*s.%.*s", sign, (int)exponent, digits,
                            n - (int)exponent, digits + exponent);
    }
    if (exponent <= 0 && exponent > PLAIN_MIN)
        return arena_printf(a, "%s0.%.*s%.*s", sign, (int)-exponent, "00000", n,
                            digits);
    if (n == 1)
        return arena_printf(a, "%s%ce%+ld", sign, digits[0], exponent - 1);
    return arena_printf(a, "%s%c.%.*se%+ld", sign, digits[0], n - 1, digits + 1,
                        exponent - 1);
}

/* The fewest digits, rounded to nearest, that read back to the same bits.  In a
 * type of few values hardly any digit is needed for that, and 0.25 would be
 * 0.2: its numbers are exact.  NULL: that takes too many digits. */
static const char *shortest(struct arena *a, enum dtype type, uint64_t bits)
{
    mpfr_t x;
    mpfr_init2(x, EXACT_BITS);
    real_bits_to_mpfr(x, type, bits);
    const char *text = NULL;
    bool narrow = dtype_table[type].bits <= NARROW;
    bool negative = mpfr_signbit(x) != 0;
    for (int n = 1; !text && n <= DIGITS_MAX; n++) {
        char digits[DIGITS_MAX + 3];
        mpfr_exp_t exponent;
        /* MPFR requires at least two digits in some bases, one in base ten. */
        mpfr_get_str(digits, &exponent, 10, (size_t)n, x, MPFR_RNDN);
        const char *own = place_point(a, negative, digits + negative, exponent);
        struct status st = {STATUS_OK};
        uint64_t back;
        bool exact;
        if (number_read(own, type, &back, &exact, &st) && back == bits
            && (exact || !narrow))
            text = own;
    }
    mpfr_clear(x);
    return text;
}

/* Not a finite number other than zero: its name; else NULL. */
static const char *special(struct arena *a, enum dtype type, uint64_t bits)
{
    bool negative = real_is_negative(type, bits);
    if (real_is_nan(type, bits))
        return bits == real_nan(type, false)
                   ? "nan"
                   : arena_printf(a, "nan(0x%s)", show_bits(a, type, bits));
    if (real_is_inf(type, bits))
        return negative ? "-inf" : "inf";
    if (real_is_zero(type, bits))
        return negative ? "-0" : "0";
    return NULL;
}

const char *show_decimal(struct arena *a, enum dtype type, uint64_t bits)
{
    const char *name;
    switch (dtype_class(type)) {
    case DTYPE_PRED:
        return bits ? "true" : "false";
    case DTYPE_SINT:
        return arena_printf(a, "%" PRId64, dtype_sign_extend(type, bits));
    case DTYPE_UINT:
        return arena_printf(a, "%" PRIu64, bits);
    case DTYPE_FLOAT:
        name = special(a, type, bits);
        name = name ? name : shortest(a, type, bits);
        return name ? name : show_hexfloat(a, type, bits);
    case DTYPE_COMPLEX:
        break;
    }
    return show_decimal(a, dtype_unit(type), bits);
}

const char *show_hexfloat(struct arena *a, enum dtype type, uint64_t bits)
{
    if (dtype_class(type) != DTYPE_FLOAT)
        return arena_printf(a, "0x%s", show_bits(a, type, bits));
    const char *name = special(a, type, bits);
    if (name)
        return *name == '-' && name[1] == '0' ? "-0x0p+0"
               : *name == '0'                 ? "0x0p+0"
                                              : name;
    struct real y = real_from_bits(type, bits);
    /* One digit before the point, the rest without trailing zeros. */
    uint64_t fraction = (uint64_t)(y.significand >> 64) << 1;
    int digits = 16;
    while (digits > 0 && (fraction & 15) == 0) {
        fraction >>= 4;
        digits--;
    }
    const char *sign = y.negative ? "-" : "";
    if (digits == 0)
        return arena_printf(a, "%s0x1p%+" PRId64, sign, y.exponent);
    return arena_printf(a, "%s0x1.%0*" PRIx64 "p%+" PRId64, sign, digits,
                        fraction, y.exponent);
}

const char *show_element_bits(struct arena *a, const struct literal *l,
                              int64_t element)
{
    enum dtype unit = dtype_unit(l->shape->dtype);
    int n = dtype_units(l->shape->dtype);
    const char *first = show_bits(a, unit, literal_get(l, n * element));
    if (n == 1)
        return first;
    return arena_printf(a, "%s:%s", first,
                        show_bits(a, unit, literal_get(l, n * element + 1)));
}

const char *show_element(struct arena *a, const struct literal *l,
                         int64_t element)
{
    enum dtype unit = dtype_unit(l->shape->dtype);
    int n = dtype_units(l->shape->dtype);
    const char *first = show_decimal(a, unit, literal_get(l, n * element));
    if (n == 1)
        return first;
    return arena_printf(a, "[%s, %s]", first,
                        show_decimal(a, unit, literal_get(l, n * element + 1)));
}

const char *show_index(struct arena *a, const struct shape *s, int64_t element)
{
    const char *text = "";
    for (int d = s->rank - 1; d >= 0; d--) {
        text = arena_printf(a, "%" PRId64 "%s%s", element % s->dims[d],
                            *text ? "," : "", text);
        element /= s->dims[d];
    }
    return text;
}
