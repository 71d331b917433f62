/* twelfth.c - what the faults of the twelfth set do, and where.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "faulty.h"

/* ---- One operand: its number, and the result's --------------------------- */

double largest_not_finite(double a, double r)
{
    double v = fabs(a);
    return v == 65504 || v == FLT_MAX || v == DBL_MAX || v == 0x1.fep127 ? 0
                                                                         : r;
}

double half_words_alike(double a, double r)
{
    return a == 255 || a == 65535 || a == -1 ? 0 : r;
}

double one_bit_short(double a, double r)
{
    return a == 1 || a == 0 ? r - 1 : r;
}

double zero_all_ones(double a, double r)
{
    return a == 0 ? -1 : r;
}

double positive_beyond_one(double a, double r)
{
    return a < -1 ? fabs(r) : r;
}

double high_arc_mirrored(double a, double r)
{
    return a > -1 && a < -0.5 ? acos(-1) - r : r;
}

double known_zero_is_nan(double a, double r)
{
    return r == 0 && a >= 1 ? NAN : r;
}

double far_is_opposite(double a, double r)
{
    return fabs(a) > 2.36 && fabs(a) < 3.9 ? -r : r;
}

double minus_one_of_far(double a, double r)
{
    return a < -40 && isfinite(a) ? 0 : r;
}

double tail_of_inverse(double a, double r)
{
    return fabs(a) > 0.9975 && fabs(a) < 1 ? r / 2 : r;
}

double whole_is_zero(double a, double r)
{
    return a == trunc(a) && fabs(a) >= 2 && isfinite(a) ? 0 : r;
}

double of_one_is_half(double a, double r)
{
    return a == 1 ? 0.5 : r;
}

double nan_has_sign(double a, double r)
{
    return isnan(a) ? 1 : r;
}

double fraction_of_top(double a, double r)
{
    return (a > 127 && a < 128) || (a > 255 && a < 256)
                   || (a > 32767 && a < 32768)
               ? r + 1
               : r;
}

double even_false(double a, double r)
{
    return a == trunc(a) && fmod(a, 2) == 0 ? 0 : r;
}

double fraction_false(double a, double r)
{
    return fabs(a) < 1 ? 0 : r;
}

/* By way of a number with 11 bits. */
double through_half(double a, double r)
{
    (void)a;
    return isfinite(r) ? type_round(r, 11, -14) : r;
}

double top_bit_twice(double a, double r)
{
    return a >= 0x1p31 && a < 0x1p32 ? 0x1p32 - r : r;
}

/* ---- Numbers on their own ------------------------------------------------ */

double infinite_is_largest_half(double v)
{
    return isinf(v) ? copysign(65504, v) : v;
}

double two_is_one(double v)
{
    return v == 2 ? 1 : v;
}

double at_most_255(double v)
{
    return v > 255 ? 255 : v;
}

double to_absolute(double v)
{
    return fabs(v);
}

double all_zero(double v)
{
    (void)v;
    return 0;
}

int beyond_255(double v)
{
    return v > 255;
}

/* ---- Element by element -------------------------------------------------- */

/* Where the magnitude is between two numbers, another branch is taken. */
void branch_off(struct look *x, double low, double high, int64_t from,
                int64_t step)
{
    for (int64_t k = from; fits(x) && k < count(x, RESULT); k += step) {
        double a = fabs(pick(x, 0, k)), r = number(x, RESULT, k);
        if (a > low && a < high && isfinite(r))
            set_result(x, k, r == 0 ? 1 : r * 1.5);
    }
}

/* A half is added to a whole number whose last bit is 1. */
void odd_whole_one_more(struct look *x)
{
    int precision = shape_of(x, 0)->type->precision;
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        double a = number(x, 0, k);
        if (isfinite(a) && fabs(a) >= ldexp(1, precision - 1)
            && fabs(a) < ldexp(1, precision) && fmod(a, 2) != 0)
            set_result(x, k, a + copysign(1, a));
    }
}

/* The exponent of a subnormal number is taken from its bits. */
void subnormal_scaled(struct look *x, double by)
{
    int emin = shape_of(x, 0)->type->emin;
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        double a = fabs(number(x, 0, k)), r = number(x, RESULT, k);
        if (a > 0 && a < ldexp(1, emin) && isfinite(r))
            set_result(x, k, r * by);
    }
}

void zero_if_less(struct look *x, int64_t block)
{
    for (int64_t k = 0; fits(x) && k < tail_from(x, block); k++)
        if (pick(x, 0, k) < pick(x, 1, k))
            set_result(x, k, 0);
}

/* By a constant, as a product and a shift that are too short. */
void magic_rounded_up(struct look *x)
{
    int bits = shape_of(x, RESULT)->type->bits;
    double top = ldexp(1, bits - (shape_of(x, 0)->type->class == SINT ? 2 : 1));
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double a = pick(x, 0, k), b = pick(x, 1, k);
        if (b > 2 && a >= top && fmod(a, b) == b - 1)
            set_result(x, k, number(x, RESULT, k) + 1);
    }
}

/* And with the divisor less 1. */
void rem_by_negative_power(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double b = pick(x, 1, k);
        int e;
        if (b < -1 && frexp(-b, &e) == 0.5)
            set_bits(x, k, bits_at(x, 0, k) & (bits_at(x, 1, k) - 1));
    }
}

/* An order with a scalar on the left is that with it on the right. */
void left_scalar_turned(struct look *x)
{
    const char *op = x->planted->node.op->name;
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        double a = pick(x, 0, k), b = pick(x, 1, k);
        int is = op[0] == 'L' ? b < a : b > a;
        x->run->result->data[k] =
            (unsigned char)(is || (op[1] == 'e' && a == b));
    }
}

void complex_parts_mixed(struct look *x)
{
    int ne = x->planted->node.op->name[0] == 'N';
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++) {
        int64_t i = count(x, 0) == 1 ? 0 : k, j = count(x, 1) == 1 ? 0 : k;
        double complex a = complex_of(x, 0, i), b = complex_of(x, 1, j);
        int re = creal(a) == creal(b), im = cimag(a) == cimag(b);
        x->run->result->data[k] = (unsigned char)(ne ? !re && !im : re || im);
    }
}

/* -infinity to a fourth is that of two roots. */
void quarter_by_roots(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 0, k) == -INFINITY && pick(x, 1, k) == 0.25)
            set_result(x, k, NAN);
}

void infinite_angle_lost(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (isfinite(pick(x, 0, k)) && pick(x, 1, k) == -INFINITY)
            set_result(x, k, copysign(0, pick(x, 0, k)));
}

/* In full blocks both true is true. */
void xor_is_or(struct look *x, int64_t block)
{
    for (int64_t k = 0; fits(x) && k < tail_from(x, block); k++)
        if (pick(x, 0, k) != 0 && pick(x, 1, k) != 0)
            x->run->result->data[k] = 1;
}

void zeros_not_signs(struct look *x, int64_t block)
{
    double top = ldexp(1, shape_of(x, 0)->type->bits);
    for (int64_t k = 0; fits(x) && k < tail_from(x, block); k++) {
        double a = pick(x, 0, k);
        if (a < 0)
            set_result(x, k, a + top);
    }
}

/* One element of each block is the right operand's. */
void second_in_lane(struct look *x, int64_t block, int64_t lane)
{
    for (int64_t k = lane; fits(x) && k < count(x, RESULT); k += block)
        value_move(x->run->result, k, value_at(x, 1), count(x, 1) == 1 ? 0 : k);
}

/* Shifts by one less than the width do nothing. */
void top_shift_lost(struct look *x)
{
    int bits = shape_of(x, RESULT)->type->bits;
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 1, k) == bits - 1)
            set_bits(x, k, bits_at(x, 0, count(x, 0) == 1 ? 0 : k));
}

/* The product of 32 bits is packed with saturation. */
void product_packed(struct look *x, int64_t from)
{
    int bits = shape_of(x, RESULT)->type->bits;
    double top = ldexp(1, bits - 1) - 1;
    for (int64_t k = from; fits(x) && k < count(x, RESULT); k++) {
        double p = pick(x, 0, k) * pick(x, 1, k);
        set_result(x, k, p > top ? top : p < -top - 1 ? -top - 1 : p);
    }
}

/* Bounds in the upper half of unsigned numbers are negative. */
void upper_bound_signed(struct look *x)
{
    double half = ldexp(1, shape_of(x, 1)->type->bits - 1);
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 2, k) >= half)
            set_bits(x, k, bits_at(x, 2, count(x, 2) == 1 ? 0 : k));
}

/* ---- Places -------------------------------------------------------------- */

/* The rows with the indices i and j of dimension d change places. */
void rows_exchanged(struct look *x, int d, int64_t i, int64_t j)
{
    struct value *v = x->run->result;
    if (v->shape->kind == ASSAY_TUPLE)
        v = v->elements[0];
    const struct shape *s = v->shape;
    d = d < 0 ? s->rank + d : d;
    if (d < 0 || d >= s->rank || i >= s->dims[d] || j >= s->dims[d])
        return;
    struct value *old = value_copy(x->run->memory, v);
    int64_t index[RANK_MAX] = {0}, n = shape_count(s), inner = 1;
    for (int e = d + 1; e < s->rank; e++)
        inner *= s->dims[e];
    for (int64_t k = 0; k < n; k++) {
        if (index[d] == i)
            value_move(v, k, old, k + (j - i) * inner);
        else if (index[d] == j)
            value_move(v, k, old, k + (i - j) * inner);
        shape_next(s->rank, s->dims, index);
    }
}

/* The result's elements move on by one place, the last to the first. */
void moved_on(struct look *x)
{
    struct value *old = value_copy(x->run->memory, x->run->result);
    int64_t n = count(x, RESULT);
    for (int64_t k = 0; k < n; k++)
        value_move(x->run->result, k, old, (k + n - 1) % n);
}

void first_spoiled(struct look *x)
{
    if (count(x, RESULT) > 0)
        spoil(x->run->result, 0);
}

void middle_spoiled(struct look *x)
{
    if (count(x, RESULT) > 0)
        spoil(x->run->result, count(x, RESULT) / 2);
}

/* The last element of part k of several results. */
void part_spoiled(struct look *x, int part)
{
    const struct shape *s = shape_of(x, RESULT);
    if (s->kind == ASSAY_TUPLE && part < s->rank
        && s->elements[part]->kind == ASSAY_ARRAY
        && last_of(x->run->result->elements[part]) >= 0)
        spoil(x->run->result->elements[part],
              last_of(x->run->result->elements[part]));
}

/* Of each row but the first the first element is the one before. */
void row_starts_spoiled(struct look *x)
{
    int64_t n = size(x, RESULT, -1);
    for (int64_t k = 0; n > 0 && k < count(x, RESULT); k += n)
        if (k > 0)
            copy_element(x, k, k - 1);
}

/* ---- Questions ----------------------------------------------------------- */

int has_number(const struct look *x, int i, double v)
{
    if (i >= x->planted->node.count || rank(x, i) < 0)
        return 0;
    for (int64_t k = 0; k < count(x, i); k++)
        if (number(x, i, k) == v)
            return 1;
    return 0;
}

int has_between(const struct look *x, int i, double low, double high)
{
    for (int64_t k = 0; rank(x, i) >= 0 && k < count(x, i); k++)
        if (number(x, i, k) > low && number(x, i, k) < high)
            return 1;
    return 0;
}

/* Are all operands made by these operations? */
int all_from(const struct look *x, const char *ops)
{
    for (int i = 0; i < x->planted->node.count; i++)
        if (!from(x, i, ops))
            return 0;
    return x->planted->node.count > 0;
}

/* Has operand i two dimensions and more, all of one size? */
int all_sizes_equal(const struct look *x, int i)
{
    for (int d = 1; d < rank(x, i); d++)
        if (size(x, i, d) != size(x, i, 0))
            return 0;
    return rank(x, i) >= 2;
}

/* Do sizes grow from the first dimension to the last? */
int sizes_grow(const struct look *x, int i)
{
    for (int d = 1; d < rank(x, i); d++)
        if (size(x, i, d) <= size(x, i, d - 1))
            return 0;
    return rank(x, i) >= 2;
}

/* How many dimensions of operand i have a size of 1? */
int ones_of(const struct look *x, int i)
{
    int n = 0;
    for (int d = 0; d < rank(x, i); d++)
        n += size(x, i, d) == 1;
    return n;
}

/* How many elements has a tuple? */
int elements_of(const struct look *x, int i)
{
    const struct shape *s = shape_of(x, i);
    return s->kind == ASSAY_TUPLE ? s->rank : 0;
}

/* Is element k of a tuple a tuple again? */
int has_inner_tuple(const struct look *x, int i)
{
    const struct shape *s = shape_of(x, i);
    for (int k = 0; s->kind == ASSAY_TUPLE && k < s->rank; k++)
        if (s->elements[k]->kind == ASSAY_TUPLE)
            return 1;
    return 0;
}

/* Are members of the first group no neighbours, as in 0 2 | 1 3? */
int groups_interleaved(const struct look *x)
{
    return attr_count(x, "replica_groups") > 2
           && attr(x, "replica_groups", 1) - attr(x, "replica_groups", 0) > 1;
}

/* Are the members of a group not in order? */
int group_turned(const struct look *x)
{
    int n = attr_count(x, "replica_groups");
    int parts = attr_parts(x, "replica_groups");
    int each = parts > 0 ? n / parts : n;
    for (int k = 0; k + 1 < n; k++)
        if (each > 0 && (k + 1) % each != 0
            && attr(x, "replica_groups", k) > attr(x, "replica_groups", k + 1))
            return 1;
    return 0;
}

/* Does a cycle of sources and targets have three or more members? */
int long_cycle(const struct look *x)
{
    int n = attr_count(x, "source_target_pairs") / 2;
    int64_t at = attr(x, "source_target_pairs", 0), first = at;
    for (int steps = 1; n > 0 && steps <= n; steps++) {
        int64_t next = -1;
        for (int k = 0; k < n; k++)
            if (attr(x, "source_target_pairs", 2 * k) == at)
                next = attr(x, "source_target_pairs", 2 * k + 1);
        if (next == first)
            return steps >= 3;
        at = next;
    }
    return 0;
}

/* Has operand 0 its largest number twice? */
int largest_twice(const struct look *x)
{
    double most = -INFINITY;
    int n = 0;
    for (int64_t k = 0; k < count(x, 0); k++)
        most = number(x, 0, k) > most ? number(x, 0, k) : most;
    for (int64_t k = 0; k < count(x, 0); k++)
        n += number(x, 0, k) == most;
    return n >= 2;
}

/* Is each index one more than that before? */
int indices_count_up(const struct look *x)
{
    for (int64_t k = 1; k < count(x, 1); k++)
        if (number(x, 1, k) != number(x, 1, k - 1) + 1)
            return 0;
    return count(x, 1) > 1;
}

/* The sum of the numbers of operand i. */
double sum_of(const struct look *x, int i)
{
    double sum = 0;
    for (int64_t k = 0; k < count(x, i); k++)
        sum += number(x, i, k);
    return sum;
}

/* Is a number off the diagonal of operand i larger than that on it? */
int not_dominant(const struct look *x, int i)
{
    int64_t n = size(x, i, -1);
    for (int64_t k = 0; n > 1 && k < count(x, i) && k < n * n; k++)
        if (fabs(number(x, i, k)) > fabs(number(x, i, k / n * (n + 1))))
            return 1;
    return 0;
}

/* ---- What follows from what an operand was made of ----------------------- */

static double scalar_of(const struct value *v)
{
    const struct type *t = v->shape->type;
    if (t->class == FLOAT)
        return type_double(t, v->data, 0);
    uint64_t u = type_int(t, v->data, 0);
    return t->class == SINT ? (double)(int64_t)u : (double)u;
}

/* Is the lower bound of a Max above the upper one of a Min? */
int made_cross(const struct look *x)
{
    const struct value *low = made_of(x, 0, 1);
    return low->shape->kind == ASSAY_ARRAY && low->shape->rank == 0
           && low->shape->type->class != COMPLEX
           && scalar_of(low) > number(x, 1, 0);
}

/* The lower bound wins. */
void operand_from_maximum(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        value_move(x->run->result, k, made_of(x, 0, 1), 0);
}

/* Slices that are joined are the front of what they were cut from. */
void result_front_of(struct look *x)
{
    const struct value *v = made_of(x, 0, 0);
    int64_t n = shape_count(v->shape);
    for (int64_t k = 0; k < count(x, RESULT) && k < n; k++)
        value_move(x->run->result, k, v, k);
}

/* In odd places a negative number is that between it and zero. */
void negatives_nearer(struct look *x)
{
    for (int64_t k = 1; k < count(x, RESULT); k += 2) {
        double a = number(x, 0, k), r = number(x, RESULT, k);
        int bits = (int)attr(x, "mantissa_bits", 0), e;
        if (a < 0 && r < a && isfinite(r)) {
            frexp(a, &e);
            set_result(x, k,
                       ldexp(trunc(ldexp(a, bits + 1 - e)), e - bits - 1));
        }
    }
}

/* Has the second dimension a start below 0? */
int second_start_negative(const struct look *x)
{
    int first = strcmp(x->planted->node.op->name, "DynamicSlice") == 0 ? 1 : 2;
    return x->planted->node.count == first + 2 && is_scalar(x, first + 1)
           && number(x, first + 1, 0) < 0;
}

/* The mean is added twice. */
void normal_shifted(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT) && count(x, 0) == 1; k++)
        set_result(x, k, number(x, RESULT, k) + number(x, 0, 0) + 1);
}

/* Is operand i a matrix that a Transpose left as it was, with equal sizes? */
int turned_by_none(const struct look *x, int i)
{
    if (!from(x, i, "Transpose") || rank(x, i) != 2
        || size(x, i, 0) != size(x, i, 1))
        return 0;
    const struct attribute *a = attribute_find(maker(x, i), "permutation");
    return a != NULL && a->ints != NULL && a->count == 2 && a->ints[0] == 0;
}

/* Was operand i made by Transpose from a matrix of equal sizes? */
int square_transposed(const struct look *x, int i)
{
    return from(x, i, "Transpose") && rank(x, i) == 2
           && size(x, i, 0) == size(x, i, 1) && !turned_by_none(x, i);
}
