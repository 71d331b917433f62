/* slow_float.h - an independent model of the element types, for the tests.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Its formats are written down again from their definitions (IEEE 754-2019;
 * Micikevicius et al., arXiv:2209.05433; Noune et al., arXiv:2206.02915; OCP
 * MX v1.0), not read from dtype.def.  Numbers are GMP integers, and rounding
 * is a search among all values of the type.
 */
#ifndef INTERP_TEST_SLOW_FLOAT_H
#define INTERP_TEST_SLOW_FLOAT_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    SLOW_SCALE = 1080, /* numbers are held as multiples of 2^-SLOW_SCALE */
    SLOW_FLOATS = 15,
};

enum slow_kind {
    SLOW_NUMBER,
    SLOW_INF,
    SLOW_NAN
};

struct slow_format {
    const char *name;
    bool sign;
    int exponent, mantissa, bias; /* widths in bits */
    bool inf;     /* the last exponent is that of infinity and NaN */
    uint64_t nan; /* otherwise: the one NaN, both with and without sign */
    bool nan_is_negative_zero, has_nan, has_zero;
};

extern const struct slow_format slow_formats[SLOW_FLOATS];

int slow_float_bits(const struct slow_format *f);

/* Says what a pattern means; gives the value times 2^SLOW_SCALE if it is a
 * number. */
enum slow_kind slow_float_decode(const struct slow_format *f, uint64_t bits,
                                 mpz_t value, bool *negative);

/* All numbers of a format of at most 16 bits, in order, each once. */
struct slow_table {
    const struct slow_format *format;
    int count;
    mpz_t *value;
    uint64_t *bits;
    mpz_t threshold; /* halfway from the largest to where the next would be */
};
void slow_float_table(struct slow_table *t, const struct slow_format *f);
void slow_float_free(struct slow_table *t);

/* Index of the largest number that is <= x, or -1. */
int slow_float_below(const struct slow_table *t, const mpz_t x);

/* Convert a value (kind, sign, number) as ml_dtypes does: to nearest even. */
uint64_t slow_float_round(const struct slow_table *t, enum slow_kind kind,
                          bool negative, const mpz_t x);

#endif
