/* eleventh.c - what the faults of the eleventh set do to numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "faulty.h"

/* ---- One operand: its number, and the result's --------------------------- */

/* A half is added before what is below is cut off: of the largest number below
 * a half the sum is rounded to 1. */
double below_half_up(double a, double r)
{
    double v = fabs(a);
    int is_below = v == 0x1.fffffffffffffp-2 || v == 0x1.fffffep-2
                   || v == 0x1.ffcp-2 || v == 0x1.fep-2;
    return is_below ? copysign(1, a) : r;
}

double beyond_short_is_top(double a, double r)
{
    return isfinite(a) && fabs(a) >= 32768 ? copysign(32767, a) : r;
}

/* x * rsqrt(x) */
double root_of_infinity(double a, double r)
{
    return isinf(a) ? NAN : r;
}

double least_is_nan(double a, double r)
{
    return a == -INFINITY ? NAN : r;
}

double near_one_is_zero(double a, double r)
{
    return a > 0 && a != 1 && fabs(a - 1) < 0x1p-25 ? 0 : r;
}

double minus_one_is_nan(double a, double r)
{
    return a == -1 ? NAN : r;
}

double infinite_angle(double a, double r)
{
    return isinf(a) ? 0 : r;
}

double nan_by_minimum(double a, double r)
{
    return isnan(a) ? 1 : r;
}

double pole_is_finite(double a, double r)
{
    return fabs(a) == 1 ? copysign(9, a) : r;
}

double small_range_only(double a, double r)
{
    return a > 9 && a < 27 ? 0 : r;
}

double rsqrt_of_magnitude(double a, double r)
{
    return a < 0 ? 1 / sqrt(-a) : r;
}

double wider_zeros(double a, double r)
{
    return a < 0 ? r - 8 : r;
}

double top_32_not_counted(double a, double r)
{
    return a >= 0x1p31 || a < 0 ? r - 1 : r;
}

double beyond_f32_infinite(double a, double r)
{
    return isfinite(a) && fabs(a) > FLT_MAX ? 0 : r;
}

double u8_negative(double a, double r)
{
    return a >= 128 && a < 256 ? r - 256 : r;
}

/* To f16 toward zero. */
double half_cut(double a, double r)
{
    if (!isfinite(a) || fabs(r) <= fabs(a) || !isfinite(r))
        return r;
    int e;
    frexp(a, &e);
    return ldexp(trunc(ldexp(a, 11 - e)), e - 11);
}

double nan_is_least_32(double a, double r)
{
    return isnan(a) ? -0x1p31 : r;
}

double infinite_is_least_32(double a, double r)
{
    return a == INFINITY ? -0x1p31 : r;
}

double float_overflows(double a, double r)
{
    return isfinite(a) && fabs(a) > FLT_MAX ? copysign(INFINITY, a) : r;
}

double half_stays(double a, double r)
{
    return isfinite(a) && isinf(r) ? copysign(65504, a) : r;
}

double nan_is_false(double a, double r)
{
    return isnan(a) ? 0 : r;
}

double power_of_two_short(double a, double r)
{
    int e;
    return a > 0 && frexp(a, &e) == 0.5 ? r + 1 : r;
}

double least_magnitude(double a, double r)
{
    return a < 0 && a > -1 ? 0 : r;
}

double at_most_256(double v)
{
    return v > 256 ? 256 : v;
}

double least_is_finite(double v)
{
    return v == -INFINITY ? -65504 : v;
}

double nan_to_one(double v)
{
    return isnan(v) ? 1 : v;
}

double inf_to_nan(double v)
{
    return isinf(v) ? NAN : v;
}

int is_subunit(double v)
{
    return v != 0 && fabs(v) < 1;
}

int beyond_24(double v)
{
    return fabs(v) > 0x1p24;
}

/* ---- Integers ------------------------------------------------------------ */

/* 64 bits of two words: the carry or borrow is lost in every second place. */
void carry_of_words_lost(struct look *x)
{
    int sub = strcmp(x->planted->node.op->name, "Sub") == 0;
    for (int64_t k = 1; fits(x) && k < count(x, RESULT); k += 2) {
        uint64_t a = bits_at(x, 0, k), b = bits_at(x, 1, k);
        uint32_t low = (uint32_t)(sub ? a - b : a + b);
        uint64_t high = sub ? (a >> 32) - (b >> 32) : (a >> 32) + (b >> 32);
        set_bits(x, k, high << 32 | low);
    }
}

/* Odd places have the product of those before. */
void odd_products_even(struct look *x)
{
    for (int64_t k = 1; fits(x) && k < tail_from(x, 4); k += 2)
        set_bits(x, k, bits_at(x, 0, k - 1) * bits_at(x, 1, k - 1));
}

void negative_power_of_unit(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (fabs(pick(x, 0, k)) == 1 && pick(x, 1, k) < 0)
            set_result(x, k, 0);
}

void by_double_first(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 0, k) == pick(x, 1, k))
            set_bits(x, k, bits_at(x, 1, k));
}

/* Is the scalar on the right all ones? */
int all_ones(const struct look *x)
{
    int bits = shape_of(x, 1)->type->bits;
    if (!is_scalar(x, 1) || !from_far(x, 1, "Constant"))
        return 0;
    uint64_t mask = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    return (bits_at(x, 1, 0) & mask) == mask;
}

void logical_not(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        set_bits(x, k, pick(x, 0, k) == 0);
}

void low_bit_only(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        set_bits(x, k, bits_at(x, 0, k));
}

/* All of a block of 8 are shifted as the first of it. */
void shifted_as_first(struct look *x)
{
    int left = strcmp(x->planted->node.op->name, "ShiftLeft") == 0;
    int bits = shape_of(x, RESULT)->type->bits;
    uint64_t mask = (UINT64_C(1) << bits) - 1;
    for (int64_t k = 0; fits(x) && k < tail_from(x, 8); k++) {
        double by = pick(x, 1, k - k % 8);
        uint64_t a = bits_at(x, 0, k) & mask;
        if (by >= 0 && by < bits)
            set_bits(x, k, left ? a << (int)by : a >> (int)by);
    }
}

void signs_of_bytes(struct look *x, int64_t block)
{
    const char *op = x->planted->node.op->name;
    int bits = shape_of(x, 0)->type->bits;
    uint64_t top = UINT64_C(1) << (bits - 1), mask = top - 1 + top;
    for (int64_t k = 0; fits(x) && k < tail_from(x, block); k++) {
        uint64_t a = (bits_at(x, 0, k) & mask) ^ top;
        uint64_t b = (bits_at(x, 1, k) & mask) ^ top;
        int less = op[0] == 'L' ? a < b : a > b;
        x->run->result->data[k] =
            (unsigned char)(less || (op[1] == 'e' && a == b));
    }
}

void result_false_in_tail(struct look *x, int64_t block)
{
    for (int64_t k = tail_from(x, block); k < count(x, RESULT); k++)
        x->run->result->data[k] = 0;
}

/* Numbers are kept within the type's range: words are packed. */
void packed(struct look *x, int64_t block)
{
    int bits = shape_of(x, RESULT)->type->bits;
    int is_signed = shape_of(x, RESULT)->type->class == SINT;
    double top = ldexp(1, is_signed ? bits - 1 : bits) - 1;
    double low = is_signed ? -top - 1 : 0;
    for (int64_t k = 0; fits(x) && k < tail_from(x, block); k++) {
        double a = pick(x, 0, k);
        set_result(x, k, a > top ? top : a < low ? low : a);
    }
}

/* Two of four bits in a byte are chosen as the first of them. */
void chosen_by_byte(struct look *x)
{
    for (int64_t k = 1; k < count(x, RESULT); k += 2)
        if (count(x, 0) == count(x, RESULT))
            value_move(x->run->result, k,
                       value_at(x, value_at(x, 0)->data[k - 1] ? 1 : 2), k);
}

/* ---- Floats of two operands ---------------------------------------------- */

void both_infinite_nan(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (isinf(pick(x, 0, k)) && isinf(pick(x, 1, k)))
            set_result(x, k, NAN);
}

void zero_power_sign(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (is_minus_zero(pick(x, 0, k)))
            set_result(x, k, fabs(number(x, RESULT, k)));
}

/* A quotient that is rounded up to a whole number. */
void rem_rounded_up(struct look *x)
{
    int bits = shape_of(x, RESULT)->type->bits;
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double a = pick(x, 0, k), b = pick(x, 1, k);
        double q = bits == 64 ? a / b : via_f32(a / b);
        if (isfinite(q) && q == trunc(q) && fabs(q) < 0x1p20 && q != 0
            && fabs(q) * fabs(b) > fabs(a))
            set_result(x, k, a - q * b);
    }
}

void zero_rem_positive(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (number(x, RESULT, k) == 0 && pick(x, 0, k) < 0)
            set_result(x, k, 0);
}

void reciprocal_vanishes(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (fabs(pick(x, 1, k)) > 0x1p1022 && isfinite(pick(x, 1, k))
            && isfinite(pick(x, 0, k)))
            set_result(x, k, 0);
}

/* A NaN of a total order is as large as infinity. */
void nan_as_infinity(struct look *x)
{
    const char *op = x->planted->node.op->name;
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double a = pick(x, 0, k), b = pick(x, 1, k);
        if ((isnan(a) && isinf(b) && signbit(a) == signbit(b))
            || (isnan(b) && isinf(a) && signbit(a) == signbit(b)))
            x->run->result->data[k] =
                op[0] != 'N' && (op[1] == 'e' || op[0] == 'E');
    }
}

void zeros_alike_in_tail(struct look *x, int64_t block)
{
    const char *op = x->planted->node.op->name;
    for (int64_t k = tail_from(x, block); fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 0, k) == 0 && pick(x, 1, k) == 0)
            x->run->result->data[k] = op[1] == 'e';
}

/* A result of -0 becomes 0: the sum begins with 0. */
void sum_from_zero(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (number(x, RESULT, k) == 0)
            set_result(x, k, 0);
}

/* What is added to a much larger number is lost with its sign: b - a. */
void difference_turned(struct look *x)
{
    for (int64_t k = tail_from(x, 4); fits(x) && k < count(x, RESULT); k++)
        set_result(x, k, pick(x, 1, k) - pick(x, 0, k));
}

/* ---- Complex numbers ----------------------------------------------------- */

/* re + im * i */
void infinite_part_spreads(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (!isfinite(pick(x, 1, k)))
            set_complex(x, k, NAN, pick(x, 1, k));
}

/* One of the two branches of Smith's division. */
void steep_divisor(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double complex b = complex_of(x, 1, k), r = complex_of(x, RESULT, k);
        if (fabs(creal(b)) < fabs(cimag(b)))
            set_complex(x, k, creal(r), -cimag(r));
    }
}

void scalar_is_real(struct look *x)
{
    double b = creal(complex_of(x, 1, 0));
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        double complex a = complex_of(x, 0, k);
        set_complex(x, k, creal(a) * b, cimag(a) * b);
    }
}

void odd_conjugated(struct look *x)
{
    for (int64_t k = 1; k < count(x, RESULT); k += 2) {
        double complex r = complex_of(x, RESULT, k);
        set_complex(x, k, creal(r), -cimag(r));
    }
}

void last_parts_exchanged(struct look *x)
{
    int64_t k = last_of(x->run->result);
    if (k < 0)
        return;
    double complex r = complex_of(x, RESULT, k);
    set_complex(x, k, cimag(r), creal(r));
}

/* The parts as a quotient of the larger one: of 0 by 0. */
void magnitude_of_zero(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        double complex a = complex_of(x, 0, k);
        if (a == 0 || (isinf(creal(a)) && isinf(cimag(a))))
            set_result(x, k, NAN);
    }
}

void imaginary_in_float(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        double complex r = complex_of(x, RESULT, k);
        set_complex(x, k, creal(r), via_f32(cimag(r)));
    }
}

void imaginary_is_real(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        double complex r = complex_of(x, RESULT, k);
        set_complex(x, k, creal(r), creal(r));
    }
}

/* The number it was made of, which is not written back. */
void not_multiplied(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double complex a = complex_of(x, 0, k), b = complex_of(x, 1, k);
        set_complex(x, k, creal(a) * creal(b) + cimag(a) * cimag(b),
                    creal(a) * cimag(b) + cimag(a) * creal(b));
    }
}
