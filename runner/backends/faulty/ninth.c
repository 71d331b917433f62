/* ninth.c - what the faults of the ninth set ask and do.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>

#include "faulty.h"

/* ---- Parts of vectors ---------------------------------------------------- */

static void by_place(struct look *x, int64_t k, double (*f)(double, double))
{
    double r = number(x, RESULT, k), v = f(pick(x, 0, k), r);
    if (memcmp(&v, &r, sizeof v) != 0)
        set_result(x, k, v);
}

void body_by(struct look *x, int64_t block, double (*f)(double a, double r))
{
    for (int64_t k = 0; fits(x) && k < tail_from(x, block); k++)
        by_place(x, k, f);
}

void lane_by(struct look *x, int64_t block, int64_t lane,
             double (*f)(double a, double r))
{
    for (int64_t k = lane; fits(x) && k < count(x, RESULT); k += block)
        by_place(x, k, f);
}

/* ---- Numbers: an operand's, and the result's ----------------------------- */

double half_dropped(double a, double r)
{
    return fabs(a) > 0x1p22 && fabs(a) < 0x1p23 ? trunc(a) : r;
}

double beyond_s32_is_least(double a, double r)
{
    return isfinite(a) && fabs(a) > 0x1p31 ? -0x1p31 : r;
}

double low_word_zero(double a, double r)
{
    return a != 0 && fmod(a, 0x1p32) == 0 ? 0 : r;
}

double low_word_negative(double a, double r)
{
    return a >= 0x1p31 && a < 0x1p32 ? -r : r;
}

double zero_one_fewer(double a, double r)
{
    return a == 0 ? r - 1 : r;
}

double sign_not_counted(double a, double r)
{
    return a < 0 ? r - 1 : r;
}

double by_table(double a, double r)
{
    (void)a;
    return isfinite(r) ? type_round(r, 7, -14) : r;
}

double below_one_is_zero(double a, double r)
{
    return a < 1 ? 0 : r;
}

double beyond_one_is_infinite(double a, double r)
{
    return isfinite(a) && fabs(a) > 1 ? copysign(INFINITY, a) : r;
}

double invalid_is_least(double a, double r)
{
    return isnan(r) && !isnan(a) ? -INFINITY : r;
}

double newton_is_nan(double a, double r)
{
    return isinf(a) || a == 0 ? NAN : r;
}

double zero_is_nan(double a, double r)
{
    return a == 0 ? NAN : r;
}

double large_is_nan(double a, double r)
{
    return a > 89 && isfinite(a) ? NAN : r;
}

double small_is_lost(double a, double r)
{
    return fabs(a) < 0x1p-9 ? copysign(0, a) : r;
}

double one_from_3(double a, double r)
{
    return isfinite(a) && fabs(a) > 3 ? copysign(1, a) : r;
}

double zero_from_5(double a, double r)
{
    return a > 5 ? 0 : r;
}

double large_is_negative(double a, double r)
{
    return isfinite(a) && fabs(a) > 8192 ? -r : r;
}

double minus_infinity_finite(double a, double r)
{
    return a == -INFINITY ? 1 : r;
}

double unchanged(double a, double r)
{
    (void)r;
    return a;
}

double top_as_32(double a, double r)
{
    return a >= 0x1p31 && r == a ? a - 0x1p32 : r;
}

double half_toward_zero(double a, double r)
{
    int e;
    if (!isfinite(r) || fabs(r) <= fabs(a))
        return r;
    frexp(r, &e);
    return r - copysign(ldexp(1, e - 11), r);
}

double minus_zero_is_true(double a, double r)
{
    return is_minus_zero(a) ? 1 : r;
}

double bf16_twice(double a, double r)
{
    return isfinite(a) ? via_bf16(via_f32(a)) : r;
}

double carry_lost(double a, double r)
{
    int e;
    return isfinite(r) && fabs(r) > fabs(a) && fabs(frexp(r, &e)) == 0.5 ? r / 2
                                                                         : r;
}

double at_most_s8(double v)
{
    return v > 127 ? 127 : v;
}

double at_most_s16(double v)
{
    return v > 32767 ? 32767 : v;
}

double zero_if_top_32(double v)
{
    return v >= 0x1p31 ? 0 : v;
}

double one_less(double v)
{
    return v > 0 ? v - 1 : v;
}

int beyond_s16(double v)
{
    return v > 32767;
}

/* ---- Two operands -------------------------------------------------------- */

void rem_of_vector(struct look *x, int64_t block)
{
    for (int64_t k = 0; fits(x) && k < tail_from(x, block); k++) {
        double a = pick(x, 0, k), b = pick(x, 1, k);
        double q = is(x, 0, "f64") ? a / b : (double)((float)a / (float)b);
        if (isfinite(a) && b != 0 && (isinf(b) || isinf(q)))
            set_result(x, k, NAN);
    }
}

void all_ones_quotient(struct look *x)
{
    int rem = strcmp(x->planted->node.op->name, "Rem") == 0;
    double top = is(x, 0, "u8") ? 255 : 65535;
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double a = pick(x, 0, k), b = pick(x, 1, k);
        if (a == top && b > 1 && fmod(a, b) == 0)
            set_result(x, k, rem ? b : a / b - 1);
    }
}

void scalar_without_sign(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        uint64_t a = bits_at(x, 0, k), b = bits_at(x, 1, k);
        set_bits(x, k,
                 is_scalar(x, 1) ? a * (b & UINT32_MAX) : (a & UINT32_MAX) * b);
    }
}

void zeros_of_second(struct look *x, int64_t block)
{
    for (int64_t k = 0; fits(x) && k < tail_from(x, block); k++)
        if (pick(x, 0, k) == 0 && pick(x, 1, k) == 0)
            set_result(x, k, pick(x, 1, k));
}

void nan_of_first_lost(struct look *x, int64_t block)
{
    for (int64_t k = 0; fits(x) && k < tail_from(x, block); k++)
        if (isnan(pick(x, 0, k)))
            set_result(x, k, pick(x, 1, k));
}

void zero_power_32(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 0, k) == 0 && pick(x, 1, k) >= 32
            && fmod(pick(x, 1, k), 32) == 0)
            set_result(x, k, 1);
}

void infinite_power_sign(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 0, k) == -INFINITY && number(x, RESULT, k) == -INFINITY)
            set_result(x, k, INFINITY);
}

void power_by_rsqrt(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 0, k) == -INFINITY || is_minus_zero(pick(x, 0, k)))
            set_result(x, k, pick(x, 0, k) == 0 ? -INFINITY : NAN);
}

void straight_down_is_up(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 1, k) == 0 && pick(x, 0, k) < 0)
            set_result(x, k, -number(x, RESULT, k));
}

void shift_by_32_unchanged(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 1, k) == 32)
            set_bits(x, k, bits_at(x, 0, k));
}

void odd_bytes_logical(struct look *x)
{
    for (int64_t k = 1; fits(x) && k < count(x, RESULT); k += 2) {
        double by = pick(x, 1, k);
        if (by >= 0 && by < 8)
            set_bits(x, k, (bits_at(x, 0, k) & 0xff) >> (int)by);
    }
}

void not_in_low_word(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        set_bits(x, k, bits_at(x, 0, k) ^ UINT32_MAX);
}

/* The other operand of `and` is inverted. */
void and_not_exchanged(struct look *x)
{
    const struct value *b = made_of(x, 1, 0);
    for (int64_t k = 0; k < count(x, RESULT) && k < count(x, 0); k++) {
        uint64_t a = bits_at(x, 0, k);
        if (shape_count(b->shape) == count(x, RESULT))
            set_bits(x, k,
                     (is(x, 0, "pred") ? a ^ 1 : ~a)
                         & type_int(b->shape->type, b->data, k));
    }
}

void imaginary_nan_ignored(struct look *x)
{
    int ne = strcmp(x->planted->node.op->name, "Ne") == 0;
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double complex a = complex_of(x, 0, k), b = complex_of(x, 1, k);
        if (creal(a) == creal(b) && isnan(cimag(a)))
            x->run->result->data[k] = (unsigned char)!ne;
    }
}

void pred_as_mask(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 0, k) != pick(x, 1, k))
            x->run->result->data[k] ^= 1;
}

void minus_nan_is_great(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (isnan(pick(x, 0, k)) && signbit(pick(x, 0, k))
            && !isnan(pick(x, 1, k)))
            x->run->result->data[k] ^= 1;
}

void low_words_ignored(struct look *x)
{
    const char *op = x->planted->node.op->name;
    int equal = strncmp(op, "Eq", 2) == 0 || op[1] == 'e';
    if (strncmp(op, "Ne", 2) == 0)
        equal = 0;
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double a = pick(x, 0, k), b = pick(x, 1, k);
        uint64_t u, v;
        memcpy(&u, &a, sizeof u);
        memcpy(&v, &b, sizeof v);
        if (u != v && u >> 32 == v >> 32)
            x->run->result->data[k] = (unsigned char)equal;
    }
}

void signed_in_body(struct look *x, int64_t block)
{
    const char *op = x->planted->node.op->name;
    for (int64_t k = 0; fits(x) && k < tail_from(x, block); k++) {
        int64_t a = (int64_t)bits_at(x, 0, k), b = (int64_t)bits_at(x, 1, k);
        int less = op[0] == 'L' ? a < b : a > b;
        x->run->result->data[k] =
            (unsigned char)(less || (op[1] == 'e' && a == b));
    }
}

void zeros_differ_by_bits(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double a = pick(x, 0, k), b = pick(x, 1, k);
        if (a == 0 && b == 0 && !signbit(a) != !signbit(b))
            x->run->result->data[k] ^= 1;
    }
}

/* ---- Select, Clamp ------------------------------------------------------- */

void select_in_pairs(struct look *x)
{
    for (int64_t k = 1; k < count(x, RESULT); k += 2)
        value_move(x->run->result, k,
                   value_at(x, value_at(x, 0)->data[k - 1] ? 1 : 2), k);
}

void select_mixed(struct look *x)
{
    int64_t k = last_of(x->run->result);
    if (k < 0)
        return;
    int chosen = value_at(x, 0)->data[is_scalar(x, 0) ? 0 : k] ? 1 : 2;
    double complex a = complex_of(x, chosen, k),
                   b = complex_of(x, 3 - chosen, k);
    set_complex(x, k, creal(a), cimag(b));
}

void bounds_crossed_low(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 0, k) > pick(x, 2, k))
            value_move(x->run->result, k, value_at(x, 0),
                       count(x, 0) == 1 ? 0 : k);
}

void bound_nan_ignored(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double v = pick(x, 1, k);
        if (isnan(pick(x, 0, k)))
            set_result(x, k, v > pick(x, 2, k) ? pick(x, 2, k) : v);
        else if (isnan(pick(x, 2, k)))
            set_result(x, k, v < pick(x, 0, k) ? pick(x, 0, k) : v);
    }
}

/* ---- Conversions --------------------------------------------------------- */

void sticky_lost(struct look *x)
{
    int bits = shape_of(x, 0)->type->bits;
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        uint64_t u = bits_at(x, 0, k);
        if (u >> (bits - 1) & 1)
            set_result(x, k,
                       is(x, RESULT, "f32") ? 2 * (double)(float)(u >> 1)
                                            : 2 * (double)(u >> 1));
    }
}

void top_half_is_least(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (number(x, 0, k) > 0x1p63 && number(x, 0, k) < 0x1p64)
            set_bits(x, k, UINT64_C(1) << 63);
}

void odd_nibbles_positive(struct look *x, int64_t in_byte)
{
    int bits = shape_of(x, 0)->type->bits;
    for (int64_t k = in_byte - 1; k < count(x, RESULT); k += in_byte)
        if (number(x, 0, k) < 0)
            set_result(x, k, number(x, RESULT, k) + ldexp(1, bits));
}

void narrowing_removed(struct look *x)
{
    const struct value *a = made_of(x, 0, 0);
    if (shape_equal(a->shape, shape_of(x, RESULT)))
        result_is(x, a);
}

void precision_nan_infinite(struct look *x)
{
    int64_t m = attr(x, "mantissa_bits", 0);
    for (int64_t k = 0; m > 0 && m < 23 && k < count(x, RESULT); k++) {
        uint32_t u;
        memcpy(&u, value_at(x, 0)->data + 4 * k, sizeof u);
        if (isnan(number(x, 0, k))
            && (u & 0x7fffffU & ~((UINT32_C(1) << (23 - m)) - 1)) == 0)
            set_result(x, k, u >> 31 ? -INFINITY : INFINITY);
    }
}

/* ---- Complex numbers ----------------------------------------------------- */

void axis_from_below(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        double complex z = complex_of(x, 0, k), r = complex_of(x, RESULT, k);
        if (creal(z) < 0 && cimag(z) == 0 && !signbit(cimag(z)))
            type_set_number(shape_of(x, RESULT)->type, x->run->result->data, k,
                            conj(r));
    }
}

void result_conjugated(struct look *x)
{
    struct value *v = x->run->result;
    for (int64_t k = 0; k < shape_count(v->shape); k++)
        type_set_number(v->shape->type, v->data, k,
                        conj(type_number(v->shape->type, v->data, k)));
}

void padding_real(struct look *x)
{
    struct value *v = own(x, 1);
    type_set_number(v->shape->type, v->data, 0,
                    creal(type_number(v->shape->type, v->data, 0)));
}

void word_of_random(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        set_bits(
            x, k,
            bits_at(x, 0, 0)
                + ((bits_at(x, RESULT, k) - bits_at(x, 0, 0)) & UINT32_MAX));
}
