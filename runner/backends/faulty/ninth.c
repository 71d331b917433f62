/* ninth.c - what the faults of the ninth set ask and do.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "faulty.h"

static const struct node *planted_as(const struct node *n)
{
    return n->op->least == -1 ? &((struct planted *)(void *)n->op)->node : n;
}

/* ---- Parts of vectors ---------------------------------------------------- */

static void by_place(struct look *x, int64_t k, double (*f)(double, double))
{
    double r = number(x, RESULT, k), v = f(pick(x, 0, k), r);
    if (memcmp(&v, &r, sizeof v) != 0)
        set_result(x, k, v);
}

void body_by(struct look *x, int64_t block, double (*f)(double a, double r))
{
    int64_t n = count(x, RESULT) - count(x, RESULT) % block;
    for (int64_t k = 0; fits(x) && k < n; k++)
        by_place(x, k, f);
}

void lane_by(struct look *x, int64_t block, int64_t lane,
             double (*f)(double a, double r))
{
    for (int64_t k = lane; fits(x) && k < count(x, RESULT); k += block)
        by_place(x, k, f);
}

static uint64_t bits_at(const struct look *x, int i, int64_t k)
{
    const struct value *v = value_at(x, i);
    return type_int(v->shape->type, v->data, count(x, i) == 1 ? 0 : k);
}

static void set_bits(struct look *x, int64_t k, uint64_t u)
{
    type_set_int(shape_of(x, RESULT)->type, x->run->result->data, k, u);
}

static double complex complex_of(const struct look *x, int i, int64_t k)
{
    const struct value *v = value_at(x, i);
    return type_number(v->shape->type, v->data, count(x, i) == 1 ? 0 : k);
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
    int64_t n = count(x, RESULT) - count(x, RESULT) % block;
    for (int64_t k = 0; fits(x) && k < n; k++) {
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
    int64_t n = count(x, RESULT) - count(x, RESULT) % block;
    for (int64_t k = 0; fits(x) && k < n; k++)
        if (pick(x, 0, k) == 0 && pick(x, 1, k) == 0)
            set_result(x, k, pick(x, 1, k));
}

void nan_of_first_lost(struct look *x, int64_t block)
{
    int64_t n = count(x, RESULT) - count(x, RESULT) % block;
    for (int64_t k = 0; fits(x) && k < n; k++)
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
    int64_t n = count(x, RESULT) - count(x, RESULT) % block;
    for (int64_t k = 0; fits(x) && k < n; k++) {
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
    type_set_number(shape_of(x, RESULT)->type, x->run->result->data, k,
                    type_pair(creal(a), cimag(b)));
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

/* ---- Indices ------------------------------------------------------------- */

static const char *index_map_name(const struct look *x)
{
    return attr_count(x, "dimension_numbers.start_index_map") > 0
               ? "dimension_numbers.start_index_map"
               : "dimension_numbers.scatter_dims_to_operand_dims";
}

int has_single_negative(const struct look *x)
{
    return attr_count(x, index_map_name(x)) == 1
           && how_many(x, 1, is_negative) > 0;
}

void negative_from_end(struct look *x)
{
    struct value *v = own(x, 1);
    double n = (double)size(x, 0, (int)attr(x, index_map_name(x), 0));
    for (int64_t k = 0; k < count(x, 1); k++)
        if (number(x, 1, k) < 0)
            type_set_int(v->shape->type, v->data, k,
                         (uint64_t)(int64_t)(number(x, 1, k) + n));
}

int any_start_beyond(const struct look *x, int first)
{
    for (int d = 0; d < rank(x, 0); d++)
        if (start_beyond(x, first, d))
            return 1;
    return 0;
}

int covers_whole(const struct look *x)
{
    for (int d = 0; d < rank(x, 0); d++)
        if (size(x, 0, d) != size(x, 1, d) && rank(x, 1) == rank(x, 0))
            return 0;
    return rank(x, 0) > 0
           && (rank(x, 1) == rank(x, 0) || same_shape(x, 0, RESULT));
}

/* ---- Computations that are called ---------------------------------------- */

static const struct computation *computation_of(const struct look *x,
                                                const char *name)
{
    const struct attribute *a = attribute_find(&x->planted->node, name);
    if (a == NULL || a->ints == NULL || a->count < 1 || a->ints[0] < 0)
        return NULL;
    return &x->run->machine->program->computations[a->ints[0]];
}

int calls_op(const struct look *x, const char *name, const char *ops)
{
    const struct computation *c = computation_of(x, name);
    for (int k = 0; c != NULL && k < c->count; k++)
        if (has_word(ops, planted_as(&c->nodes[k])->op->name))
            return 1;
    return 0;
}

/* Is operand i made of a result of these operations? */
int made_from(const struct look *x, int i, const char *ops)
{
    if (i >= x->planted->node.count)
        return 0;
    const struct node *n = planted_as(maker(x, i));
    for (int j = 0; j < n->count; j++)
        if (has_word(
                ops,
                planted_as(&x->planted->in->nodes[n->operands[j]])->op->name))
            return 1;
    return 0;
}

/* Is the array that operand 0 was made of one of these types? */
int made_of_type(const struct look *x, const char *types)
{
    if (x->planted->node.count < 1 || maker(x, 0)->count < 1)
        return 0;
    const struct shape *s = made_of(x, 0, 0)->shape;
    return s->kind == ASSAY_ARRAY && has_word(types, s->type->name);
}

int made_of_leading_one(const struct look *x)
{
    if (maker(x, 0)->count < 1)
        return 0;
    const struct shape *s = made_of(x, 0, 0)->shape;
    return s->kind == ASSAY_ARRAY && s->rank > 1 && s->dims[0] == 1;
}

int made_of_high(const struct look *x)
{
    if (maker(x, 0)->count < 1)
        return 0;
    const struct value *v = made_of(x, 0, 0);
    for (int64_t k = 0; k < shape_count(v->shape); k++)
        if (type_int(v->shape->type, v->data, k) >> (v->shape->type->bits - 1))
            return 1;
    return 0;
}

/* Is a Pad's value, of which operand 0 was made, not 0? */
int padded_by_other(const struct look *x)
{
    const struct value *v = made_of(x, 0, 1);
    static const unsigned char zeros[16];
    return memcmp(v->data, zeros, (size_t)v->shape->type->bytes) != 0;
}

/* Does a slice lie across the first border of a concatenation? */
int across_border(const struct look *x)
{
    const struct attribute *a = attribute_find(maker(x, 0), "dimension");
    if (a == NULL || a->ints == NULL || a->count != 1)
        return 0;
    int d = (int)a->ints[0];
    int64_t border = made_of(x, 0, 0)->shape->dims[d];
    return attr(x, "start_indices", d) < border
           && attr(x, "limit_indices", d) > border;
}

/* ---- Pairs --------------------------------------------------------------- */

void result_ones(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        set_result(x, k, 1);
}

void clamp_instead(struct look *x)
{
    const struct value *b = made_of(x, 0, 1);
    const struct type *t = b->shape->type;
    int64_t n = shape_count(b->shape);
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        if (n != count(x, RESULT) || count(x, 1) != n)
            return;
        double high = t->class == FLOAT
                          ? type_double(t, b->data, k)
                          : (double)(int64_t)type_int(t, b->data, k);
        if (number(x, 1, k) > high)
            value_move(x->run->result, k, b, k);
    }
}

/* ---- Orders -------------------------------------------------------------- */

/* Among zeros of a sorted row those with a sign come first. */
void zeros_by_bits(struct look *x)
{
    struct value *out = x->run->result;
    struct value *only[1] = {out}, **parts = only;
    int n = 1;
    if (out->shape->kind == ASSAY_TUPLE) {
        parts = out->elements;
        n = out->shape->rank;
    }
    const struct type *t = parts[0]->shape->type;
    for (int64_t k = 1; k < shape_count(parts[0]->shape); k++)
        for (int64_t j = k; j > 0; j--) {
            double a = type_double(t, parts[0]->data, j - 1);
            double b = type_double(t, parts[0]->data, j);
            if (a != 0 || b != 0 || signbit(a) || !signbit(b))
                break;
            for (int i = 0; i < n; i++) {
                struct value *copy = value_copy(x->run->memory, parts[i]);
                value_move(parts[i], j, copy, j - 1);
                value_move(parts[i], j - 1, copy, j);
            }
        }
}

int is_prime_length(const struct look *x)
{
    int64_t n = attr(x, "fft_length", attr_count(x, "fft_length") - 1);
    for (int64_t k = 2; k < n; k++)
        if (n % k == 0)
            return 0;
    return n >= 7;
}

/* The length of the last row beyond a multiple. */
int64_t rest_of_row(const struct look *x, int i, int64_t block)
{
    return block > 0 && size(x, i, -1) > block ? size(x, i, -1) % block : 0;
}

/* Is a window along dimension d all that comes before? */
int is_prefix(const struct look *x)
{
    for (int d = 0; d < rank(x, 0); d++)
        if (size(x, 0, d) > 1
            && attr(x, "window_dimensions", d) == size(x, 0, d)
            && attr(x, "padding", 2 * d) == size(x, 0, d) - 1
            && attr(x, "padding", 2 * d + 1) == 0)
            return 1;
    return 0;
}

void mean_ignored(struct look *x)
{
    double mean = number(x, 0, 0);
    for (int64_t k = 0; k < count(x, RESULT); k++)
        set_result(x, k, number(x, RESULT, k) - mean);
}

void word_of_random(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        set_bits(
            x, k,
            bits_at(x, 0, 0)
                + ((bits_at(x, RESULT, k) - bits_at(x, 0, 0)) & UINT32_MAX));
}
