/* real.h - an exact real number, or as much of it as decides every question.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A struct real holds a real number y, truncated.  Its magnitude |y| is
 *
 *     m = significand * 2^(exponent - 127),   2^127 <= significand < 2^128,
 *
 * if inexact is false, and lies strictly between m and m + 2^(exponent + 1 -
 * width) if it is true.  width (1 to 128) is how many leading bits are known:
 * the bits of the significand after them are 0.  So exponent is always
 * floor(log2 |y|), and as every number of every element type, and every
 * midpoint of two of them, has at most 65 bits, comparing y with one of these
 * is decided whenever width >= 66: there is no double rounding and no need to
 * refine.  A type of precision p needs width >= p + 2.
 *
 * MPFR delivers this form in one call: round toward zero at width bits, and
 * the ternary value says whether it was inexact (real_from_mpfr).
 */
#ifndef INTERP_EXACT_REAL_H
#define INTERP_EXACT_REAL_H

#include <mpfr.h>
#include <stdbool.h>
#include <stdint.h>

#include "interp/base/dtype.h"

__extension__ typedef unsigned __int128 real_u128;

enum real_kind {
    REAL_ZERO,
    REAL_FINITE,
    REAL_INF,
    REAL_NAN
};

struct real {
    real_u128 significand; /* REAL_FINITE: top bit set */
    int64_t exponent;
    uint8_t kind; /* enum real_kind */
    uint8_t width;
    bool negative; /* zeros and infinities too; of a NaN: its sign */
    bool inexact;
};

/* Bits of precision that element-wise operations ask MPFR for, so that both
 * rounding and the error in ulps (to six digits) are decided: p + 24, rounded
 * up to whole limbs. */
int real_width(enum dtype unit);

/* The value of a unit's bit pattern (NaN: kind only; integers and pred too). */
struct real real_from_bits(enum dtype unit, uint64_t bits);
struct real real_from_int(int64_t value);
/* From an MPFR number that was rounded toward zero, with the ternary value of
 * that rounding. */
struct real real_from_mpfr(mpfr_srcptr x, int ternary);
/* Into an MPFR number of enough precision (128); the known bits, truncated. */
void real_to_mpfr(mpfr_ptr x, const struct real *r);
/* A unit's bit pattern into an MPFR number of precision >= 64, exactly.  The
 * fast way from a pattern to MPFR. */
void real_bits_to_mpfr(mpfr_ptr x, enum dtype unit, uint64_t bits);

/* The fate of values that a type has no pattern for (policy convert.overflow):
 */
enum real_overflow {
    REAL_OVERFLOW_TYPE,     /* infinity, else NaN, else saturate (ml_dtypes) */
    REAL_OVERFLOW_SATURATE, /* the largest finite number */
};

/* Round to a float type: to nearest even, once.  Overflow, infinity and NaN as
 * ml_dtypes gives them per type; the type without zero and sign (f8e8m0fnu)
 * gives NaN for zero and negative numbers, the smallest where they saturate.
 * A tie at one digit of precision, where no pattern is even, goes to the larger
 * (IEEE 754-2019, 4.3.1; ml_dtypes does the same).  Saturation keeps infinity
 * where a type has it.  An inexact number needs width > precision. */
uint64_t real_round(const struct real *r, enum dtype unit,
                    enum real_overflow overflow);
/* The neighbours: largest pattern <= y and smallest >= y (as values; outside
 * the finite range: the infinities, or the largest finite numbers). */
uint64_t real_round_down(const struct real *r, enum dtype unit);
uint64_t real_round_up(const struct real *r, enum dtype unit);
/* Truncate toward zero to an integer type.  Returns false, and the nearest
 * bound in *bits (0 for NaN), if it does not fit. */
bool real_to_int(const struct real *r, enum dtype integer, uint64_t *bits);

/* Sign of a - b, for finite and infinite values; *decided is false if they
 * are too close for their widths (then the sign is 0). */
int real_compare(const struct real *a, const struct real *b, bool *decided);

/* Constants that follow from a type's row; patterns are without sign. */
struct real_format {
    uint64_t magnitude; /* the bits of a pattern that are not its sign */
    uint64_t sign;      /* the bit of the sign; 0 if there is none */
    uint64_t max;       /* largest finite number */
    uint64_t quiet;     /* the bit that marks a quiet NaN; 0: none */
};
extern const struct real_format real_formats[DT_COUNT];

/* Special patterns of a float type.  NaN: the canonical quiet one. */
uint64_t real_nan(enum dtype unit, bool negative);
uint64_t real_inf(enum dtype unit, bool negative);  /* if real_has_inf */
uint64_t real_max(enum dtype unit, bool negative);  /* largest finite */
uint64_t real_zero(enum dtype unit, bool negative); /* -0 only where it is */
uint64_t real_min_normal(enum dtype unit);
uint64_t real_one(enum dtype unit);
bool real_has_inf(enum dtype unit);
bool real_has_nan(enum dtype unit);
bool real_has_negative_zero(enum dtype unit);
bool real_is_nan(enum dtype unit, uint64_t bits);
bool real_is_signalling(enum dtype unit, uint64_t bits);
bool real_is_inf(enum dtype unit, uint64_t bits);
bool real_is_finite(enum dtype unit, uint64_t bits);
bool real_is_zero(enum dtype unit, uint64_t bits);
bool real_is_subnormal(enum dtype unit, uint64_t bits);
bool real_is_negative(enum dtype unit, uint64_t bits);

/* Order-preserving integer of a pattern that is not a NaN: consecutive values
 * are neighbours, -0 is just below +0.  For floats; integers by value, u64 less
 * 2^63. */
int64_t real_key(enum dtype unit, uint64_t bits);
/* The same in the total order, for NaNs, too: they lie beyond the infinities,
 * by payload as in IEEE 754-2019 5.10.  The one NaN of FNUZ has the sign bit
 * set: it is -NaN.  That of a type without a sign is +NaN. */
int64_t real_total_key(enum dtype unit, uint64_t bits);
uint64_t real_from_key(enum dtype unit, int64_t key);

/* (got - y) / ulp(y) in millionths, rounded to nearest, saturated at
 * +-REAL_ERROR_MAX; ulp(y) = 2^(max(floor(log2 |y|), emin) - p + 1), that of
 * the smallest subnormal for y = 0.  Both finite. */
#define REAL_ERROR_MAX INT64_C(1000000000000000000)
int64_t real_error(const struct real *y, enum dtype unit, uint64_t got);

#endif
