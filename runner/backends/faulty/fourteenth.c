/* fourteenth.c - what the faults of the fourteenth set do to numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fourteenth.h"

#include <complex.h>
#include <math.h>
#include <string.h>

/* ---- One operand: its number, and the result's --------------------------- */

double minus_zero_lost(double a, double r)
{
    return a == 0 && signbit(a) ? 0 : r;
}

double nan_is_signed_infinity(double a, double r)
{
    return isnan(a) ? copysign(INFINITY, a) : r;
}

double root_of_minus_zero(double a, double r)
{
    return a == 0 && signbit(a) ? INFINITY : r;
}

double at_most_word(double a, double r)
{
    return a >= 0x1p31 ? 0x1p31 - 1 : a <= -0x1p31 ? -0x1p31 : r;
}

/* To bf16 without rounding. */
double bf16_cut(double a, double r)
{
    float f = (float)a;
    uint32_t u;
    if (f > fabs(a))
        f = nextafterf(f, 0);
    memcpy(&u, &f, sizeof u);
    u &= 0xffff0000;
    memcpy(&f, &u, sizeof f);
    return isfinite(a) ? (double)f : r;
}

double ones_only_of_low(double a, double r)
{
    int n = 0;
    if (a < 0 || a > 0xffff)
        return r;
    for (uint32_t u = (uint32_t)a & 0xff; u != 0; u &= u - 1)
        n++;
    return n;
}

double whole_for_half(double a, double r)
{
    return fabs(a) == 0.5 ? copysign(1, a) : r;
}

double next_below_one(double a, double r)
{
    return a > 0 && a < 1 && r == 1 ? 0 : r;
}

double subnormal_negated(double a, double r)
{
    return a != 0 && fabs(a) < 0x1p-14 ? -r : r;
}

double largest_is_nan(double a, double r)
{
    return isfinite(a) && fabs(a) > 0x1p1023 ? NAN : r;
}

double three_is_two(double a, double r)
{
    (void)a;
    return r == 3 ? 2 : r;
}

double infinite_keeps_sign(double a, double r)
{
    return isinf(a) ? a : r;
}

double minus_infinite_nan(double a, double r)
{
    return isinf(a) && a < 0 ? NAN : r;
}

double infinite_sign_lost(double a, double r)
{
    (void)a;
    return isinf(r) ? INFINITY : r;
}

double to_minus_infinity(double v)
{
    return v == 0 ? -INFINITY : v;
}

double infinite_to_nan(double v)
{
    return isinf(v) ? NAN : v;
}

double to_even(double v)
{
    return floor(v / 2) * 2;
}

/* ---- Numbers that an operand was made of --------------------------------- */

/* Is operand i made of n arrays that are scalars or as long as the result? */
int made_fits(const struct look *x, int i, int n)
{
    if (i >= x->planted->node.count || rank(x, RESULT) < 0
        || maker(x, i)->count < n || (count(x, i) != count(x, RESULT)))
        return 0;
    for (int j = 0; j < n; j++) {
        const struct shape *s = made_of(x, i, j)->shape;
        if (s->kind != ASSAY_ARRAY
            || (shape_count(s) != 1 && shape_count(s) != count(x, RESULT)))
            return 0;
    }
    return 1;
}

/* Element k of operand j of what made operand i. */
double made_number(const struct look *x, int i, int j, int64_t k)
{
    const struct value *v = made_of(x, i, j);
    const struct type *t = v->shape->type;
    int64_t at = shape_count(v->shape) == 1 ? 0 : k;
    if (t->class == FLOAT)
        return type_double(t, v->data, at);
    if (t->class == COMPLEX)
        return creal(type_number(t, v->data, at));
    if (t->class == SINT)
        return (double)(int64_t)type_int(t, v->data, at);
    return (double)type_int(t, v->data, at);
}

int made_of_floats(const struct look *x, int i)
{
    return made_fits(x, i, 1) && made_of(x, i, 0)->shape->type->class == FLOAT;
}

/* exp(a) exp(b) is exp(a + b), where that is another number. */
void exponents_added(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        double v = exp(made_number(x, 0, 0, k) + made_number(x, 1, 0, k));
        double r = number(x, RESULT, k);
        if (v > 0x1p-10 && v < 0x1p10 && !(r > v / 2 && r < 2 * v))
            set_result(x, k, v);
    }
}

/* log(a^b) is b log|a|. */
void exponent_before_log(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        double a = made_number(x, 0, 0, k), b = made_number(x, 0, 1, k);
        if (!isfinite(number(x, RESULT, k)) && isfinite(a) && a != 0
            && isfinite(b))
            set_result(x, k, b * log(fabs(a)));
    }
}

/* Is what operand 0 was made of, of one operand, a product with itself? */
int made_of_square(const struct look *x)
{
    if (x->planted->node.count == 0 || maker(x, 0)->count == 0)
        return 0;
    const struct node *n =
        original(&x->planted->in->nodes[maker(x, 0)->operands[0]]);
    return strcmp(n->op->name, "Mul") == 0 && n->operands[0] == n->operands[1];
}

/* Is operand 0 a product of a number with itself? */
int is_square_of(const struct look *x)
{
    return from(x, 0, "Mul")
           && maker(x, 0)->operands[0] == maker(x, 0)->operands[1];
}

/* Compared with 0, operand 0 is not below. */
void never_below_zero(struct look *x)
{
    int less = has_word("Lt", x->planted->node.op->name);
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 1, k) == 0)
            x->run->result->data[k] = !less;
}

/* (m + y) / c, where m is a product by c, is m / c + y / c. */
void divided_apart(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double m = made_number(x, 0, 0, k), y = made_number(x, 0, 1, k);
        double c = pick(x, 1, k);
        if (c > 1)
            set_result(x, k, trunc(m / c) + trunc(y / c));
    }
}

/* (m + y) % c, where m is a product by c, is y % c. */
void product_left_out(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double c = pick(x, 1, k);
        if (c > 1)
            set_result(x, k, fmod(made_number(x, 0, 1, k), c));
    }
}

/* A number that was cut to an integer is rounded down. */
void cut_is_floor(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        double a = made_number(x, 0, 0, k);
        if (a < 0 && a > -0x1p7)
            set_result(x, k, floor(a));
    }
}

static int64_t narrow(const struct type *t, double v)
{
    unsigned char room[16] = {0};
    type_set_int(t, room, 0, (uint64_t)(int64_t)v);
    return (int64_t)type_int(t, room, 0);
}

/* Where a result is not finite, or has another sign than what it was made of,
 * it is that number. */
void inverse_undone(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        double a = made_number(x, 0, 0, k), r = number(x, RESULT, k);
        if (isfinite(a) && (!isfinite(r) || (a < 0 && r > 0)))
            set_result(x, k, a);
    }
}

/* Is this the inverse of the function that made its operand? */
int is_inverse(const struct look *x)
{
    static const char *const pairs[][2] = {
        {"Log1p", "Expm1"}, {"Expm1", "Log1p"}, {"Tanh", "Atanh"},
        {"Atanh", "Tanh"},  {"Asinh", "Sinh"},  {"Sinh", "Asinh"},
        {"Acosh", "Cosh"},  {"Cosh", "Acosh"},  {"Acos", "Cos"},
        {"Asin", "Sin"},    {"Atan", "Tan"},    {"Erf", "ErfInv"},
        {"Cos", "Acos"},    {"Sin", "Asin"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (strcmp(x->planted->node.op->name, pairs[i][0]) == 0)
            if (from(x, 0, pairs[i][1]))
                return 1;
    return 0;
}

/* a / (b / c) is a c / b, where the result is not finite, or 0. */
void divisor_turned(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double r = number(x, RESULT, k);
        double v =
            pick(x, 0, k) * made_number(x, 1, 1, k) / made_number(x, 1, 0, k);
        if ((!isfinite(r) || r == 0) && isfinite(v) && v != 0)
            set_result(x, k, v);
    }
}

/* (a / b) b is a, where the result is not finite. */
void divisor_undone(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (!isfinite(number(x, RESULT, k))
            && isfinite(made_number(x, 0, 0, k)))
            set_result(x, k, made_number(x, 0, 0, k));
}

/* Bounds are converted before a number is kept between them. */
void bounds_cut_first(struct look *x)
{
    const struct type *t = shape_of(x, RESULT)->type;
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        int64_t low = narrow(t, made_number(x, 0, 0, k));
        int64_t v = narrow(t, made_number(x, 0, 1, k));
        int64_t high = narrow(t, made_number(x, 0, 2, k));
        v = v < low ? low : v;
        set_bits(x, k, (uint64_t)(v > high ? high : v));
    }
}

/* ---- Integers ------------------------------------------------------------ */

/* What 32 bits do not hold becomes 0. */
void beyond_word_vanishes(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (fabs(pick(x, 0, k)) > 0x1p31)
            set_bits(x, k, 0);
}

/* A dividend below zero has no sign, and 32 bits. */
void dividend_unsigned(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double a = pick(x, 0, k), b = pick(x, 1, k);
        if (a < 0 && b > 0)
            set_result(x, k, fmod(a + 0x1p32, b));
    }
}

/* In full blocks, negative amounts shift to the right. */
void shifted_back(struct look *x, int64_t block)
{
    int bits = shape_of(x, RESULT)->type->bits;
    for (int64_t k = 0; fits(x) && k < tail_from(x, block); k++) {
        double s = pick(x, 1, k);
        if (s < 0 && s > -bits)
            set_bits(x, k, (uint64_t)((int64_t)bits_at(x, 0, k) >> (int)-s));
    }
}

/* Of amounts from the width on, what is above it counts. */
void amount_above_width(struct look *x)
{
    int bits = shape_of(x, RESULT)->type->bits;
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double s = pick(x, 1, k);
        if (s >= bits && s < 2 * bits)
            set_bits(x, k,
                     (uint64_t)((int64_t)bits_at(x, 0, k) >> ((int)s - bits)));
    }
}

static int ordered(const char *op, int64_t a, int64_t b)
{
    return has_word("Lt", op)   ? a < b
           : has_word("Le", op) ? a <= b
           : has_word("Gt", op) ? a > b
           : has_word("Ge", op) ? a >= b
           : has_word("Eq", op) ? a == b
                                : a != b;
}

/* The right operand has 32 bits, and their sign. */
void immediate_cut(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        int64_t b = (int32_t)(uint32_t)bits_at(x, 1, k);
        if ((uint64_t)b != bits_at(x, 1, k))
            x->run->result->data[k] = (unsigned char)ordered(
                x->planted->node.op->name, (int64_t)bits_at(x, 0, k), b);
    }
}

/* Unsigned numbers, of which one is in the upper half: as signed ones. */
void upper_halves_turned(struct look *x)
{
    int top = shape_of(x, 0)->type->bits - 1;
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if ((bits_at(x, 0, k) >> top & 1) != (bits_at(x, 1, k) >> top & 1))
            x->run->result->data[k] ^= 1;
}

/* ---- Floats -------------------------------------------------------------- */

/* By a scalar below 2/3, a NaN is a number. */
void nan_times_small(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (isnan(pick(x, 0, k)) && fabs(pick(x, 1, k)) < 0.66)
            set_result(x, k, 0x1.8p127);
}

/* A number below zero to a fraction is infinite, not NaN. */
void fraction_is_infinite(struct look *x, int64_t from)
{
    for (int64_t k = from; fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 0, k) < 0 && isfinite(pick(x, 0, k))
            && isnan(number(x, RESULT, k)) && isfinite(pick(x, 1, k)))
            set_result(x, k, INFINITY);
}

/* In full blocks, a NaN is kept within -1 and 1 first. */
void nan_kept_within(struct look *x, int64_t block)
{
    int is_acos = strcmp(x->planted->node.op->name, "Acos") == 0;
    for (int64_t k = 0; fits(x) && k < tail_from(x, block); k++)
        if (isnan(number(x, 0, k)))
            set_result(x, k, is_acos ? acos(-1) : asin(-1));
}

/* A NaN is equal to itself. */
void nan_not_unequal(struct look *x)
{
    memset(x->run->result->data, 0, (size_t)count(x, RESULT));
}

/* Where x is equal to y, x is chosen, not y. */
void chosen_as_compared(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (value_at(x, 0)->data[k] != 0)
            set_result(x, k, made_number(x, 0, 0, k));
}

/* Infinity and NaN are in no order. */
void infinite_without_order(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double a = pick(x, 0, k), b = pick(x, 1, k);
        if ((isinf(a) && a > 0 && isnan(b)) || (isnan(a) && isinf(b) && b > 0))
            x->run->result->data[k] ^= 1;
    }
}

static double largest_finite(const struct type *t)
{
    return ldexp(2 - ldexp(1, 1 - t->precision), 1 - t->emin);
}

/* An infinite bound is the largest number. */
void bound_is_finite(struct look *x)
{
    double most = largest_finite(shape_of(x, RESULT)->type);
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (isinf(number(x, RESULT, k)))
            set_result(x, k, copysign(most, number(x, RESULT, k)));
}

/* A maximum with the lowest number is the other operand. */
void lowest_is_neutral(struct look *x)
{
    int max = x->planted->node.op->name[1] == 'a';
    double most = largest_finite(shape_of(x, RESULT)->type);
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        for (int i = 0; i < 2; i++)
            if (pick(x, i, k) == (max ? -most : most)
                && pick(x, 1 - i, k) == (max ? -INFINITY : INFINITY))
                set_result(x, k, pick(x, 1 - i, k));
}

/* Numbers that are too small for the exponent stay as they are. */
void small_stays(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (number(x, RESULT, k) == 0 && number(x, 0, k) != 0)
            set_result(x, k, number(x, 0, k));
}

/* What is too large is the largest number of so many bits. */
void large_is_largest(struct look *x)
{
    int64_t m = attr(x, "mantissa_bits", 0), e = attr(x, "exponent_bits", 0);
    if (e < 2 || e > 10 || m < 1 || m > 40)
        return;
    double most = ldexp(2 - ldexp(1, (int)-m), (1 << (e - 1)) - 1);
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (isinf(number(x, RESULT, k)) && isfinite(number(x, 0, k)))
            set_result(x, k, copysign(most, number(x, RESULT, k)));
}

/* Half a turn is added on the wrong side of a negative zero. */
void axis_from_above(struct look *x, int64_t block)
{
    for (int64_t k = tail_from(x, block); fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 0, k) == 0 && signbit(pick(x, 0, k)) && pick(x, 1, k) < 0)
            set_result(x, k, -number(x, RESULT, k));
}

/* ---- Complex numbers ----------------------------------------------------- */

/* Parts in odd places have 24 bits. */
void odd_parts_float(struct look *x)
{
    for (int64_t k = 1; k < count(x, RESULT); k += 2) {
        double complex z = complex_of(x, RESULT, k);
        set_complex(x, k, via_f32(creal(z)), via_f32(cimag(z)));
    }
}

/* A quotient by a real number is divided by it once more in part 2. */
void imaginary_not_divided(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (cimag(complex_of(x, 1, k)) == 0)
            set_complex(x, k, creal(complex_of(x, RESULT, k)),
                        cimag(complex_of(x, 0, k)));
}

/* Of purely imaginary numbers the real part is left out. */
void imaginary_axis_lost(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (creal(complex_of(x, 0, k)) == 0 && cimag(complex_of(x, 0, k)) != 0)
            set_complex(x, k, 0, cimag(complex_of(x, RESULT, k)));
}

/* Equal if the real parts are equal and the imaginary ones are both below zero.
 */
void lower_half_alike(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double complex a = complex_of(x, 0, k), b = complex_of(x, 1, k);
        if (creal(a) == creal(b) && cimag(a) < 0 && cimag(b) < 0)
            x->run->result->data[k] = x->planted->node.op->name[0] == 'E';
    }
}
