/* thirteenth.c - what the faults of the thirteenth set do, and where.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "thirteenth.h"

#include <complex.h>
#include <math.h>
#include <string.h>

/* ---- One operand: its number, and the result's --------------------------- */

double square_overflows_64(double a, double r)
{
    return a > 0x1p512 && isfinite(a) ? INFINITY : r;
}

double square_overflows_32(double a, double r)
{
    return a > 0x1p64 && isfinite(a) ? INFINITY : r;
}

double exponential_overflows(double a, double r)
{
    return fabs(a) > 88.72 && isfinite(r) ? copysign(INFINITY, r) : r;
}

double sum_with_root_vanishes(double a, double r)
{
    return a < -8192 && isfinite(a) ? -INFINITY : r;
}

double always_positive(double a, double r)
{
    return a < 0 ? fabs(r) : r;
}

double infinite_logarithm_128(double a, double r)
{
    return isinf(a) && a > 0 ? 88.722839 : r;
}

double beyond_2_121(double a, double r)
{
    return fabs(a) >= 0x1p121 && isfinite(a) ? 0 : r;
}

double ones_of_float(double a, double r)
{
    (void)a;
    return r == 1 ? 1065353216 : r == -1 ? -1082130432 : r;
}

double tie_from_64(double a, double r)
{
    double v = fabs(a);
    return v > 64 && v < 128 && fmod(v, 1) == 0.5 ? copysign(floor(v) + 1, a)
                                                  : r;
}

double one_is_three(double a, double r)
{
    return a == 1 ? 3 : r;
}

double above_65535(double a, double r)
{
    return a > 65535 ? 65535 : r;
}

double negative_root_nan(double a, double r)
{
    return a < 0 && isfinite(a) ? NAN : r;
}

double infinite_argument_zero(double a, double r)
{
    return isinf(a) ? 0 : r;
}

double infinite_argument_nan(double a, double r)
{
    return isinf(a) ? NAN : r;
}

double two_above_minus_2(double a, double r)
{
    return a < -2 && isfinite(a) ? 1 : r;
}

double end_is_largest(double a, double r)
{
    return fabs(a) == 1 && isinf(r) ? copysign(65504, a) : r;
}

double by_word(double a, double r)
{
    return a >= 0x1p31 && a < 0x1p52 && r == a ? 0x1p31 - 1 : r;
}

/* The logarithm of a number that is beyond the type. */
double gamma_overflows(double a, double r)
{
    return a > 171.7 ? INFINITY : r;
}

double u16_negative(double a, double r)
{
    return a > 32767 ? r - 65536 : r;
}

double power_below(double a, double r)
{
    int e;
    if (a == 0 || r == 0 || !isfinite(a) || !isfinite(r))
        return r;
    frexp(a, &e);
    return ldexp(copysign(0.5, a), e);
}

/* ---- Numbers on their own ------------------------------------------------ */

double doubled(double v)
{
    return 2 * v;
}

double true_is_one(double v)
{
    return v != 0;
}

double at_most_16_bits(double v)
{
    return v > 32767 ? 32767 : v < -32768 ? -32768 : v;
}

double below_zero_turned(double v)
{
    return v < 0 ? -v : v;
}

double nan_is_infinite(double v)
{
    return isnan(v) ? INFINITY : v;
}

double to_24_bits(double v)
{
    return isfinite(v) ? type_round(v, 24, -126) : v;
}

double to_8_bits(double v)
{
    return isfinite(v) ? type_round(v, 8, -126) : v;
}

/* ---- Integers ------------------------------------------------------------ */

/* The low word alone is negated. */
void low_word_negated(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        uint64_t u = bits_at(x, 0, k);
        if ((int64_t)u < -(INT64_C(1) << 32))
            set_bits(x, k,
                     (u & UINT64_C(0xffffffff00000000))
                         | (uint32_t)(0 - (uint32_t)u));
    }
}

/* Twice those of the low word. */
void low_word_counted_twice(struct look *x)
{
    for (int64_t k = 0; k < tail_from(x, 4); k++) {
        int n = 0;
        for (uint64_t u = bits_at(x, 0, k) & 0xffffffff; u != 0; u &= u - 1)
            n++;
        set_result(x, k, 2 * n);
    }
}

/* Of 16 bits, the low byte is taken for the high one, if it is not 0. */
void zeros_of_low_byte(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        int n = 0;
        for (uint64_t u = bits_at(x, 0, k) & 255; u != 0 && u < 128; u *= 2)
            n++;
        if ((bits_at(x, 0, k) & 255) != 0)
            set_result(x, k, n);
    }
}

/* A borrow goes on to the next of two. */
void borrow_leaks(struct look *x)
{
    uint64_t all = (UINT64_C(1) << shape_of(x, RESULT)->type->bits) - 1;
    for (int64_t k = 0; fits(x) && k + 1 < count(x, RESULT); k += 2)
        if ((bits_at(x, 0, k) & all) < (bits_at(x, 1, k) & all))
            set_bits(x, k + 1, bits_at(x, RESULT, k + 1) - 1);
}

/* Powers by exponents up to 3 are the bits of floats. */
void power_as_float_bits(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double e = pick(x, 1, k);
        float p = (float)pow(pick(x, 0, k), e);
        uint32_t u;
        memcpy(&u, &p, sizeof u);
        if (e >= 0 && e <= 3)
            set_bits(x, k, u);
    }
}

/* Five bits of the exponent are looked at. */
void exponent_modulo_32(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double e = pick(x, 1, k);
        uint64_t a = bits_at(x, 0, k), p = 1;
        for (int i = 0; e >= 32 && e < 64 && i < (int)e - 32; i++)
            p *= a;
        if (e >= 32 && e < 64)
            set_bits(x, k, p);
    }
}

static int low_words_turned(uint64_t a, uint64_t b)
{
    return a >> 32 == b >> 32 && ((a ^ b) >> 31 & 1) == 1;
}

/* Where the high words are equal, the low ones are compared as signed. */
void extreme_of_signed_words(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        uint64_t a = bits_at(x, 0, k), b = bits_at(x, 1, k);
        if (low_words_turned(a, b))
            set_bits(x, k, bits_at(x, RESULT, k) == a ? b : a);
    }
}

void order_of_signed_words(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (low_words_turned(bits_at(x, 0, k), bits_at(x, 1, k)))
            x->run->result->data[k] ^= 1;
}

static int64_t by_reciprocal(double a, double b)
{
    float q = (float)a * (1.0f / (float)b);
    return (int64_t)q;
}

/* By a product with the reciprocal, in float. */
void quotient_by_reciprocal(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 1, k) > 1)
            set_bits(x, k,
                     (uint64_t)by_reciprocal(pick(x, 0, k), pick(x, 1, k)));
}

void remainder_by_reciprocal(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double a = pick(x, 0, k), b = pick(x, 1, k);
        if (b > 1 && fabs(a) < 0x1p31)
            set_bits(x, k,
                     (uint64_t)((int64_t)a - by_reciprocal(a, b) * (int64_t)b));
    }
}

/* In the last partial block, amounts from the width on count on from 0. */
void tail_amount_wraps(struct look *x, int64_t block)
{
    int bits = shape_of(x, RESULT)->type->bits;
    for (int64_t k = tail_from(x, block); fits(x) && k < count(x, RESULT);
         k++) {
        double s = pick(x, 1, k);
        if (s >= bits && s < 4 * bits)
            set_bits(x, k, bits_at(x, 0, k) << (int)s % bits);
    }
}

/* Ones move in where the top bit is set. */
void ones_move_in(struct look *x)
{
    int bits = shape_of(x, RESULT)->type->bits;
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double s = pick(x, 1, k);
        uint64_t a = bits_at(x, 0, k);
        if (s > 0 && s < bits && (a >> (bits - 1) & 1) == 1)
            set_bits(x, k,
                     bits_at(x, RESULT, k) | UINT64_MAX << (bits - (int)s));
    }
}

/* Amounts from the width on leave nothing of a negative number. */
void nothing_of_negative(struct look *x)
{
    int bits = shape_of(x, RESULT)->type->bits;
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 1, k) >= bits)
            set_bits(x, k, 0);
}

/* The high word is the left operand's. */
void high_word_kept(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        set_bits(x, k,
                 (bits_at(x, RESULT, k) & 0xffffffff)
                     | (bits_at(x, 0, k) & UINT64_C(0xffffffff00000000)));
}

/* Remainders have the divisor's sign. */
void remainder_floored(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double r = number(x, RESULT, k), b = pick(x, 1, k);
        if (r != 0 && (r < 0) != (b < 0))
            set_result(x, k, r + b);
    }
}

/* ---- Floats and complex numbers ------------------------------------------ */

/* Below and to the left, half a turn is added, not taken off. */
void third_quadrant_up(struct look *x)
{
    for (int64_t k = 1; fits(x) && k < count(x, RESULT); k += 2)
        if (pick(x, 0, k) < 0 && pick(x, 1, k) < 0)
            set_result(x, k, number(x, RESULT, k) + 2 * acos(-1));
}

/* To 3/2 by a root: of -infinity NaN. */
void three_halves_by_root(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 0, k) == -INFINITY && fabs(pick(x, 1, k)) == 1.5)
            set_result(x, k, NAN);
}

/* In the last partial block, what overflows is the largest number. */
void tail_overflow_cut(struct look *x, int64_t block)
{
    for (int64_t k = tail_from(x, block); fits(x) && k < count(x, RESULT); k++)
        if (isinf(number(x, RESULT, k)) && isfinite(pick(x, 0, k))
            && isfinite(pick(x, 1, k)))
            set_result(x, k, copysign(65504, number(x, RESULT, k)));
}

/* 0 - x is -x. */
void negated_right(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 1, k) == 0)
            set_result(x, k, -pick(x, 1, k));
}

/* A square has the imaginary part once, not twice. */
void cross_term_once(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        double complex r = complex_of(x, RESULT, k);
        set_complex(x, k, creal(r), cimag(r) / 2);
    }
}

/* Complex numbers with a NaN are not different from others. */
void nan_parts_alike(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double complex a = complex_of(x, 0, k), b = complex_of(x, 1, k);
        if (isnan(creal(a)) || isnan(cimag(a)) || isnan(creal(b))
            || isnan(cimag(b)))
            x->run->result->data[k] = 0;
    }
}

/* The imaginary part of the last one, of more than one, is 0. */
void last_imaginary_lost(struct look *x)
{
    int64_t k = count(x, RESULT) - 1;
    if (k >= 0)
        set_complex(x, k, creal(complex_of(x, RESULT, k)), 0);
}

/* A part is a product with 1 + 0i. */
void other_part_spreads(struct look *x)
{
    int imag = x->planted->node.op->name[0] == 'I';
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        double complex z = complex_of(x, 0, k);
        if (!isfinite(imag ? creal(z) : cimag(z)))
            set_result(x, k, NAN);
    }
}

/* ---- Comparisons --------------------------------------------------------- */

/* By the top bit of a difference of 16 bits. */
void order_by_difference(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (fabs(pick(x, 0, k) - pick(x, 1, k)) > 32767)
            x->run->result->data[k] ^= 1;
}

/* A scalar in the upper half is equal to nothing. */
void upper_scalar_unequal(struct look *x)
{
    double half = ldexp(1, shape_of(x, 1)->type->bits - 1);
    if (number(x, 1, 0) >= half)
        memset(x->run->result->data, x->planted->node.op->name[0] == 'N',
               (size_t)count(x, RESULT));
}

/* In full blocks a NaN is not equal to itself. */
void nan_unlike_itself(struct look *x, int64_t block)
{
    for (int64_t k = 0; fits(x) && k < tail_from(x, block); k++)
        if (isnan(pick(x, 0, k)) && isnan(pick(x, 1, k)))
            x->run->result->data[k] = x->planted->node.op->name[0] == 'N';
}

/* Zeros of both signs are equal. */
void total_zeros_alike(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 0, k) == 0 && pick(x, 1, k) == 0)
            x->run->result->data[k] = x->planted->node.op->name[1] == 'e';
}
