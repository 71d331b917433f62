/* tenth.c - what the faults of the tenth set do to numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "faulty.h"

/* ---- One operand: its number, and the result's --------------------------- */

double one_short_if_negative(double a, double r)
{
    return a < 0 ? r - 1 : r;
}

double zero_kept(double a, double r)
{
    return a == 0 ? a : r;
}

double zero_without_sign(double a, double r)
{
    return a == 0 ? 0 : r;
}

double tiny_is_zero(double a, double r)
{
    return fabs(a) < 0x1p-25 ? 0 : r;
}

double truncated(double a, double r)
{
    return isfinite(a) ? trunc(a) : r;
}

double negative_tie_up(double a, double r)
{
    return a < 0 && a - floor(a) == 0.5 ? r + 1 : r;
}

double tie_to_zero(double a, double r)
{
    return isfinite(a) && fabs(a - trunc(a)) == 0.5 ? trunc(a) : r;
}

double beyond_float_is_zero(double a, double r)
{
    return isfinite(a) && a > FLT_MAX ? 0 : r;
}

double exp_between(double a, double r)
{
    return a > 88.5 ? (double)expf(88.375F) : a < -87.5 ? FLT_MIN : r;
}

double log_from_least(double a, double r)
{
    return a == 0 ? (double)logf(FLT_MIN) : isinf(a) && a > 0 ? 88.72283 : r;
}

double one_from_9(double a, double r)
{
    return isfinite(a) && fabs(a) > 9 && fabs(a) < 17 ? copysign(1, a) : r;
}

double magnitude_if_negative(double a, double r)
{
    return a < 0 ? fabs(r) : r;
}

double reflected_lost(double a, double r)
{
    return a < -0.5 ? 0x1.921fb54442d18p1 - r : r;
}

double quarter_lost(double a, double r)
{
    return isfinite(a) && fabs(a) > 1 ? r - copysign(0x1.921fb54442d18p0, a)
                                      : r;
}

double infinite_is_nan(double a, double r)
{
    return isinf(a) ? NAN : r;
}

double exp_overflows(double a, double r)
{
    return isfinite(a) && fabs(a) > 709.79 ? copysign(INFINITY, r) : r;
}

double acosh_cancels(double a, double r)
{
    return a > 1 && a < 1 + 0x1p-20 ? log(a + sqrt(a * a - 1)) : r;
}

double atanh_cancels(double a, double r)
{
    volatile float q = (1 + (float)a) / (1 - (float)a);
    return a != 0 && fabs(a) < 0x1p-10 ? 0.5 * log((double)q) : r;
}

double one_from_2(double a, double r)
{
    return isfinite(a) && fabs(a) >= 2 && fabs(a) < 2.5 ? copysign(1, a) : r;
}

double exp_less_one(double a, double r)
{
    volatile float e = expf((float)a);
    return a != 0 && fabs(a) < 0x1p-8 ? (double)(e - 1) : r;
}

double log_of_sum(double a, double r)
{
    volatile double s = 1 + a;
    return a != 0 && fabs(a) < 0x1p-20 ? log(s) : r;
}

double low_logistic_lost(double a, double r)
{
    return a < -37 && isfinite(a) ? 0 : r;
}

double zeros_of_float(double a, double r)
{
    int exact, rounded;
    if (a <= 0 || a >= 0x1p63)
        return r;
    frexp(a, &exact);
    frexp((double)(float)a, &rounded);
    return rounded > exact ? r - 1 : r;
}

double sixteen_is_zero(double a, double r)
{
    (void)a;
    return r == 16 ? 0 : r;
}

double nan_is_finite(double a, double r)
{
    return isnan(a) ? 1 : r;
}

double huge_is_nan(double a, double r)
{
    return fabs(a) > 0x1p996 && isfinite(r) ? NAN : r;
}

double minus_infinite_is_zero(double v)
{
    return v == -INFINITY ? 0 : v;
}

double turned_round(double a, double r)
{
    return a < 0 && r < 0 ? r + 0x1.921fb54442d18p2 : r;
}

/* ---- Conversions --------------------------------------------------------- */

double half_subnormal_cut(double a, double r)
{
    return a != 0 && fabs(a) < 0x1p-14 ? trunc(a * 0x1p24) * 0x1p-24 : r;
}

double half_infinite_is_65536(double a, double r)
{
    return isinf(a) ? copysign(65536, a) : r;
}

double at_most_2_51(double a, double r)
{
    return isfinite(a) && fabs(a) > 0x1p51 ? copysign(0x1p51, a) : r;
}

double low_52_bits(double a, double r)
{
    return fabs(a) >= 0x1p52 ? fmod(a, 0x1p52) : r;
}

double without_sign_8(double a, double r)
{
    return a < 0 ? r + 256 : r;
}

double low_word_false(double a, double r)
{
    return a != 0 && fmod(a, 0x1p32) == 0 ? 0 : r;
}

double at_most_32767(double a, double r)
{
    return isfinite(a) && a > 32767 ? 32767 : r;
}

double least_half_if_true(double a, double r)
{
    (void)r;
    return a != 0 ? 0x1p-24 : 0;
}

double fraction_is_one(double a, double r)
{
    return a < 0 && a > -1 ? 1 : r;
}

double to_nearest(double a, double r)
{
    return isfinite(a) && fabs(a) < 0x1p31 && trunc(a) == r ? nearbyint(a) : r;
}

/* What was rounded down is cut off instead. */
void floor_dropped(struct look *x)
{
    const struct value *a = made_of(x, 0, 0);
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        double v = type_double(a->shape->type, a->data, k);
        if (isfinite(v) && fabs(v) < 0x1p31)
            set_result(x, k, trunc(v));
    }
}

void nan_wraps(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        uint32_t u;
        memcpy(&u, value_at(x, 0)->data + 4 * k, sizeof u);
        if ((u & 0x7fffffffU) > 0x7fff8000U)
            set_result(x, k, u >> 31 ? 0 : -0.0);
    }
}

/* A number above the largest of the format, that rounds to it. */
void rounds_to_infinity(struct look *x)
{
    int64_t e = attr(x, "exponent_bits", 0), m = attr(x, "mantissa_bits", 0);
    double top = ldexp(2 - ldexp(1, -(int)m), (1 << (e - 1)) - 1);
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        double a = number(x, 0, k);
        if (isfinite(a) && fabs(a) > top)
            set_result(x, k, copysign(INFINITY, a));
    }
}

/* ---- Integers ------------------------------------------------------------ */

void by_24_bits(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double a = pick(x, 0, k), b = pick(x, 1, k);
        if (fabs(a * b) < 0x1p31 && (fabs(a) >= 0x1p24 || fabs(b) >= 0x1p24))
            set_result(x, k, fmod(a, 0x1p24) * fmod(b, 0x1p24));
    }
}

void cross_term_lost(struct look *x, int64_t block)
{
    for (int64_t k = 0; fits(x) && k < tail_from(x, block); k++)
        if (fabs(pick(x, 0, k) * pick(x, 1, k)) < 0x1p62)
            set_bits(x, k,
                     (bits_at(x, 0, k) & UINT32_MAX)
                         * (bits_at(x, 1, k) & UINT32_MAX));
}

/* A product by a power of two that is added to the exponent. */
void exponent_added(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double r = number(x, RESULT, k);
        if (r == 0)
            set_result(x, k,
                       copysign(is(x, RESULT, "f64") ? DBL_MIN : FLT_MIN, r));
        else if (isinf(r) && isinf(pick(x, 0, k)))
            set_result(x, k, NAN);
    }
}

void by_half_reciprocal(struct look *x)
{
    double b = number(x, 1, 0);
    double q = is(x, 1, "f16") ? via_f16(1 / b) : via_bf16(1 / b);
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (isfinite(number(x, 0, k)) && isfinite(q) && b != 0)
            set_result(x, k, number(x, 0, k) * q);
}

void exact_quotient_less(struct look *x, int64_t block)
{
    for (int64_t k = 0; fits(x) && k < tail_from(x, block); k++) {
        double a = pick(x, 0, k), b = pick(x, 1, k);
        if (b != 0 && fabs(b) > 1 && fabs(a) > 0x1p24 && fmod(a, b) == 0)
            set_result(x, k, a / b - copysign(1, a / b));
    }
}

void far_remainder_zero(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double a = pick(x, 0, k), b = pick(x, 1, k);
        if (isfinite(a) && isfinite(b) && b != 0 && fabs(a / b) > 2048)
            set_result(x, k, 0);
    }
}

void power_by_half_log(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double a = pick(x, 0, k), b = pick(x, 1, k);
        if (a > 0 && isfinite(a) && isfinite(b) && fabs(b * log(a)) > 2)
            set_result(x, k, exp(b * via_bf16(log(a))));
    }
}

/* The range in which a fast reciprocal vanishes. */
void far_divisor_zero(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double b = fabs(pick(x, 1, k));
        if (b > 0x1p126 && isfinite(b) && isfinite(pick(x, 0, k)))
            set_result(x, k, 0);
    }
}

void far_odd_power_even(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double a = pick(x, 0, k), b = pick(x, 1, k);
        if (a < 0 && fabs(b) >= 0x1p31 && fabs(fmod(b, 2)) == 1)
            set_result(x, k, fabs(number(x, RESULT, k)));
    }
}

void zero_to_zero(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 0, k) == 0 && pick(x, 1, k) == 0)
            set_result(x, k, 0);
}

void nan_of_second_lost(struct look *x, int64_t block)
{
    for (int64_t k = tail_from(x, block); fits(x) && k < count(x, RESULT); k++)
        if (isnan(pick(x, 1, k)))
            set_result(x, k, pick(x, 0, k));
}

/* The sign of a difference that wraps chooses. */
void chosen_by_difference(struct look *x)
{
    int max = strcmp(x->planted->node.op->name, "Max") == 0;
    int bits = shape_of(x, RESULT)->type->bits;
    for (int64_t k = 1; fits(x) && k < count(x, RESULT); k += 4) {
        uint64_t d = bits_at(x, 0, k) - bits_at(x, 1, k);
        int less = d >> (bits - 1) & 1;
        set_bits(x, k, bits_at(x, less == max ? 1 : 0, k));
    }
}

/* Nibbles of a byte are added at once. */
void carry_leaks(struct look *x)
{
    for (int64_t k = 1; fits(x) && k < count(x, RESULT); k += 2)
        if ((bits_at(x, 0, k - 1) & 15) + (bits_at(x, 1, k - 1) & 15) > 15)
            set_bits(x, k, bits_at(x, RESULT, k) + 1);
}

/* An immediate of 32 bits is extended by its sign. */
void mask_extended(struct look *x)
{
    const char *op = x->planted->node.op->name;
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        uint64_t a = bits_at(x, 0, k), b = bits_at(x, 1, k);
        if (b >> 31 != 1)
            continue;
        b |= UINT64_MAX << 32;
        set_bits(x, k, op[0] == 'A' ? a & b : op[0] == 'O' ? a | b : a ^ b);
    }
}

/* Bytes are shifted in pairs. */
void shift_leaks(struct look *x)
{
    int left = strcmp(x->planted->node.op->name, "ShiftLeft") == 0;
    double by = number(x, 1, 0);
    int64_t n = count(x, RESULT);
    for (int64_t k = left; by > 0 && by < 8 && k + !left < n; k += 2) {
        uint64_t other = bits_at(x, 0, left ? k - 1 : k + 1) & 0xff;
        uint64_t leak = left ? other >> (8 - (int)by) : other << (8 - (int)by);
        set_bits(x, k, (bits_at(x, RESULT, k) & 0xff) | (leak & 0xff));
    }
}

void zeros_move_in(struct look *x, int64_t block)
{
    int bits = shape_of(x, RESULT)->type->bits;
    for (int64_t k = 0; fits(x) && k < tail_from(x, block); k++)
        if (pick(x, 1, k) >= 0 && pick(x, 1, k) < bits)
            set_bits(x, k, bits_at(x, 0, k) >> (int)pick(x, 1, k));
}

/* ---- Comparisons --------------------------------------------------------- */

void by_difference(struct look *x, int64_t block)
{
    const char *op = x->planted->node.op->name;
    int bits = shape_of(x, 0)->type->bits;
    for (int64_t k = tail_from(x, block); fits(x) && k < count(x, RESULT);
         k++) {
        uint64_t d = op[0] == 'L' ? bits_at(x, 0, k) - bits_at(x, 1, k)
                                  : bits_at(x, 1, k) - bits_at(x, 0, k);
        int less = d >> (bits - 1) & 1;
        int equal = pick(x, 0, k) == pick(x, 1, k);
        x->run->result->data[k] =
            (unsigned char)(less || (op[1] == 'e' && equal));
    }
}

void equal_by_bits(struct look *x, int64_t block)
{
    int ne = strcmp(x->planted->node.op->name, "Ne") == 0;
    for (int64_t k = tail_from(x, block); fits(x) && k < count(x, RESULT);
         k++) {
        double a = pick(x, 0, k), b = pick(x, 1, k);
        x->run->result->data[k] =
            (unsigned char)((memcmp(&a, &b, sizeof a) == 0) != ne);
    }
}

void equal_low_words(struct look *x, int64_t block)
{
    int ne = strcmp(x->planted->node.op->name, "Ne") == 0;
    for (int64_t k = 0; fits(x) && k < tail_from(x, block); k++)
        if ((uint32_t)bits_at(x, 0, k) == (uint32_t)bits_at(x, 1, k))
            x->run->result->data[k] = (unsigned char)!ne;
}

void nan_is_true(struct look *x, int64_t block)
{
    for (int64_t k = tail_from(x, block); fits(x) && k < count(x, RESULT); k++)
        if (isnan(pick(x, 0, k)) || isnan(pick(x, 1, k)))
            x->run->result->data[k] = 1;
}

void right_nan_is_less(struct look *x, int64_t block)
{
    for (int64_t k = 0; fits(x) && k < tail_from(x, block); k++)
        if (isnan(pick(x, 1, k)) && !isnan(pick(x, 0, k)))
            x->run->result->data[k] = 1;
}

void negatives_in_body(struct look *x, int64_t block)
{
    for (int64_t k = 0; fits(x) && k < tail_from(x, block); k++)
        if (pick(x, 0, k) < 0 && pick(x, 1, k) < 0
            && pick(x, 0, k) != pick(x, 1, k))
            x->run->result->data[k] ^= 1;
}

/* The order of negative numbers is reversed by a complement, not a negation. */
void equal_negatives_less(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 0, k) < 0 && pick(x, 0, k) == pick(x, 1, k))
            x->run->result->data[k] = 1;
}

void zeros_not_told(struct look *x, int64_t block)
{
    int ne = strncmp(x->planted->node.op->name, "Ne", 2) == 0;
    for (int64_t k = tail_from(x, block); fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 0, k) == 0 && pick(x, 1, k) == 0)
            x->run->result->data[k] = (unsigned char)!ne;
}

/* ---- Choices ------------------------------------------------------------- */

/* The last block is chosen by the mask of the block before it. */
void mask_is_stale(struct look *x, int64_t block)
{
    for (int64_t k = tail_from(x, block); k < count(x, RESULT); k++)
        if (k >= block && count(x, 0) == count(x, RESULT))
            value_move(x->run->result, k,
                       value_at(x, value_at(x, 0)->data[k - block] ? 1 : 2), k);
}

void nan_is_lower_bound(struct look *x, int64_t block)
{
    for (int64_t k = 0; fits(x) && k < tail_from(x, block); k++)
        if (isnan(pick(x, 1, k)))
            set_result(x, k, pick(x, 0, k));
}

/* ---- Complex numbers ----------------------------------------------------- */

void squares_vanish(struct look *x)
{
    double least = is(x, 0, "c64") ? 0x1p-76 : 0x1p-540;
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (cabs(complex_of(x, 0, k)) < least)
            set_result(x, k, 0);
}

/* Re(a b) and Im(a b) without the products that cimag(a) is part of. */
void part_of_product(struct look *x)
{
    int imag = strcmp(x->planted->node.op->name, "Imag") == 0;
    const struct value *a = made_of(x, 0, 0), *b = made_of(x, 0, 1);
    int64_t n = count(x, RESULT);
    if (shape_count(a->shape) != n || shape_count(b->shape) != n)
        return;
    for (int64_t k = 0; k < n; k++) {
        double complex z = type_number(b->shape->type, b->data, k);
        set_result(x, k,
                   creal(type_number(a->shape->type, a->data, k))
                       * (imag ? cimag(z) : creal(z)));
    }
}

/* Each imaginary part of a last block is that of the one before. */
void imaginary_late(struct look *x, int64_t block)
{
    for (int64_t k = count(x, RESULT) - 1; k >= tail_from(x, block); k--)
        if (k > 0)
            set_complex(x, k, creal(complex_of(x, RESULT, k)),
                        cimag(complex_of(x, RESULT, k - 1)));
}

void real_twice(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        set_complex(x, k, creal(complex_of(x, RESULT, k)),
                    creal(complex_of(x, RESULT, k)));
}

/* The last number of each row of operand i is taken as a real one. */
void last_is_real(struct look *x, int i)
{
    struct value *v = own(x, i);
    int64_t n = size(x, i, -1);
    for (int64_t k = n - 1; n > 0 && k < count(x, i); k += n)
        type_set_number(v->shape->type, v->data, k,
                        creal(type_number(v->shape->type, v->data, k)));
}
