/* slow_float.c - an independent model of the element types, for the tests.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/test/slow_float.h"

#include <stdlib.h>

/* clang-format off */
const struct slow_format slow_formats[SLOW_FLOATS] = {
    /* name            sign   exp man bias  inf    nan   nan=-0 has-nan zero */
    {"f4e2m1fn",       true,   2,  1,    1, false, 0,    false, false, true},
    {"f6e2m3fn",       true,   2,  3,    1, false, 0,    false, false, true},
    {"f6e3m2fn",       true,   3,  2,    3, false, 0,    false, false, true},
    {"f8e3m4",         true,   3,  4,    3, true,  0,    false, true,  true},
    {"f8e4m3",         true,   4,  3,    7, true,  0,    false, true,  true},
    {"f8e4m3fn",       true,   4,  3,    7, false, 0x7f, false, true,  true},
    {"f8e4m3fnuz",     true,   4,  3,    8, false, 0x80, true,  true,  true},
    {"f8e4m3b11fnuz",  true,   4,  3,   11, false, 0x80, true,  true,  true},
    {"f8e5m2",         true,   5,  2,   15, true,  0,    false, true,  true},
    {"f8e5m2fnuz",     true,   5,  2,   16, false, 0x80, true,  true,  true},
    {"f8e8m0fnu",      false,  8,  0,  127, false, 0xff, false, true,  false},
    {"f16",            true,   5, 10,   15, true,  0,    false, true,  true},
    {"bf16",           true,   8,  7,  127, true,  0,    false, true,  true},
    {"f32",            true,   8, 23,  127, true,  0,    false, true,  true},
    {"f64",            true,  11, 52, 1023, true,  0,    false, true,  true},
};
/* clang-format on */

int slow_float_bits(const struct slow_format *f)
{
    return f->sign + f->exponent + f->mantissa;
}

enum slow_kind slow_float_decode(const struct slow_format *f, uint64_t bits,
                                 mpz_t value, bool *negative)
{
    int n = f->exponent + f->mantissa;
    uint64_t exponent =
        bits >> f->mantissa & ((UINT64_C(1) << f->exponent) - 1);
    uint64_t mantissa = bits & ((UINT64_C(1) << f->mantissa) - 1);
    *negative = f->sign && (bits >> n & 1);
    mpz_set_ui(value, 0);
    if (f->nan_is_negative_zero && bits == f->nan) {
        *negative = false;
        return SLOW_NAN;
    }
    if (f->has_nan && !f->inf && !f->nan_is_negative_zero
        && (bits & ((UINT64_C(1) << n) - 1)) == f->nan)
        return SLOW_NAN;
    if (f->inf && exponent == (UINT64_C(1) << f->exponent) - 1)
        return mantissa ? SLOW_NAN : SLOW_INF;
    int e = (int)exponent - f->bias;
    if (exponent == 0 && f->has_zero)
        e++;
    else
        mantissa |= UINT64_C(1) << f->mantissa;
    mpz_set_ui(value, mantissa);
    mpz_mul_2exp(value, value, (mp_bitcnt_t)(SLOW_SCALE + e - f->mantissa));
    if (*negative)
        mpz_neg(value, value);
    return SLOW_NUMBER;
}

struct entry {
    mpz_t value;
    uint64_t bits;
};

/* +0 stands before -0, so that it is the one that is kept. */
static int by_value(const void *a, const void *b)
{
    const struct entry *p = a, *q = b;
    int order = mpz_cmp(p->value, q->value);
    return order ? order : (p->bits > q->bits) - (p->bits < q->bits);
}

void slow_float_table(struct slow_table *t, const struct slow_format *f)
{
    uint64_t patterns = UINT64_C(1) << slow_float_bits(f);
    struct entry *all = calloc(patterns, sizeof *all);
    size_t n = 0;
    for (uint64_t b = 0; b < patterns; b++) {
        bool negative;
        mpz_init(all[n].value);
        all[n].bits = b;
        if (slow_float_decode(f, b, all[n].value, &negative) == SLOW_NUMBER)
            n++;
        else
            mpz_clear(all[n].value);
    }
    qsort(all, n, sizeof *all, by_value);
    *t = (struct slow_table){.format = f};
    t->value = calloc(n, sizeof *t->value);
    t->bits = calloc(n, sizeof *t->bits);
    for (size_t i = 0; i < n; i++) {
        if (t->count && mpz_cmp(t->value[t->count - 1], all[i].value) == 0) {
            mpz_clear(all[i].value);
            continue;
        }
        t->value[t->count][0] = all[i].value[0];
        t->bits[t->count++] = all[i].bits;
    }
    free(all);
    /* The numbers next to the largest are evenly spaced, but for those of one
     * digit, which double. */
    mpz_init(t->threshold);
    if (f->mantissa == 0)
        mpz_mul_ui(t->threshold, t->value[t->count - 1], 2);
    else {
        mpz_mul_2exp(t->threshold, t->value[t->count - 1], 1);
        mpz_sub(t->threshold, t->threshold, t->value[t->count - 2]);
    }
    mpz_add(t->threshold, t->threshold, t->value[t->count - 1]);
    mpz_fdiv_q_2exp(t->threshold, t->threshold, 1);
}

void slow_float_free(struct slow_table *t)
{
    for (int i = 0; i < t->count; i++)
        mpz_clear(t->value[i]);
    mpz_clear(t->threshold);
    free(t->value);
    free(t->bits);
}

int slow_float_below(const struct slow_table *t, const mpz_t x)
{
    int low = -1, high = t->count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (mpz_cmp(t->value[middle], x) <= 0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static uint64_t sign_bit(const struct slow_format *f, bool negative)
{
    return f->sign && negative ? UINT64_C(1) << (f->exponent + f->mantissa) : 0;
}

static uint64_t nan_of(const struct slow_format *f, bool negative)
{
    if (!f->has_nan)
        return sign_bit(f, !negative);
    if (f->inf)
        return sign_bit(f, negative)
               | (((UINT64_C(1) << f->exponent) - 1) << f->mantissa)
               | UINT64_C(1) << (f->mantissa - 1);
    return f->nan_is_negative_zero ? f->nan : f->nan | sign_bit(f, negative);
}

static uint64_t beyond(const struct slow_table *t, bool negative)
{
    const struct slow_format *f = t->format;
    if (f->inf)
        return sign_bit(f, negative)
               | (((UINT64_C(1) << f->exponent) - 1) << f->mantissa);
    if (!f->has_nan)
        return t->bits[t->count - 1] | sign_bit(f, negative);
    return nan_of(f, negative);
}

uint64_t slow_float_round(const struct slow_table *t, enum slow_kind kind,
                          bool negative, const mpz_t x)
{
    const struct slow_format *f = t->format;
    if (kind == SLOW_NAN)
        return nan_of(f, negative);
    if (!f->sign && (negative || (kind == SLOW_NUMBER && mpz_sgn(x) == 0)))
        return nan_of(f, false);
    if (kind == SLOW_INF)
        return beyond(t, negative);
    int tie = mpz_cmpabs(x, t->threshold);
    bool last_odd = (t->bits[t->count - 1] & 1) || f->mantissa == 0;
    if (tie > 0 || (tie == 0 && last_odd))
        return beyond(t, negative);
    int i = slow_float_below(t, x);
    if (i < 0)
        return t->bits[0];
    if (i + 1 < t->count && mpz_cmp(t->value[i], x) != 0) {
        mpz_t low, high;
        mpz_inits(low, high, NULL);
        mpz_sub(low, x, t->value[i]);
        mpz_sub(high, t->value[i + 1], x);
        int order = mpz_cmp(low, high);
        mpz_clears(low, high, NULL);
        if (order > 0)
            i++;
        else if (order == 0)
            i += f->mantissa == 0 || (t->bits[i] & 1);
    }
    bool zero = mpz_sgn(t->value[i]) == 0;
    return zero && !f->nan_is_negative_zero ? sign_bit(f, negative)
                                            : t->bits[i];
}
