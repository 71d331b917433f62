/* cross.c - faults under several conditions at once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <float.h>
#include <math.h>

#include "faulty.h"

/* ---- Conversions through another type ------------------------------------ */

double cut_bf16(double a, double r)
{
    return isfinite(a) && fabs(r) > fabs(a)
               ? copysign(via_bf16(fabs(r) * (1 - 0x1p-8)), r)
               : r;
}

void top_is_63(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (number(x, 0, k) >= 0x1p63 && isfinite(number(x, 0, k)))
            type_set_int(shape_of(x, RESULT)->type, x->run->result->data, k,
                         INT64_MAX);
}

double at_most_31(double a, double r)
{
    return a > 0x1p31 ? 0x1p31 : r;
}

double u8_as_s8(double a, double r)
{
    return a > 127 ? a - 256 : r;
}

/* Four bits, the highest of which is a sign, or is not. */
double nibble_sign(double a, double r)
{
    return a < 0 ? a + 16 : a > 7 ? a - 16 : r;
}

/* ---- Integers ------------------------------------------------------------ */

double one_more(double v)
{
    return v + 1;
}

void shift_beyond_32(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (pick(x, 1, k) >= 32)
            set_result(x, k, 0);
}

double least_s64_is_zero(double a, double r)
{
    return a <= -0x1p63 ? 0 : r;
}

/* ---- Special values ------------------------------------------------------ */

void pow_to_infinity(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (fabs(pick(x, 0, k)) < 1 && pick(x, 1, k) == -INFINITY)
            set_result(x, k, 0);
}

void pow_of_absolute(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        double a = pick(x, 0, k), b = pick(x, 1, k);
        if (a < 0 && isfinite(a) && isfinite(b) && b != trunc(b))
            set_result(x, k, pow(-a, b));
    }
}

double minus_inf_is_nan(double a, double r)
{
    return a == -INFINITY ? NAN : r;
}

double minus_inf_is_zero(double a, double r)
{
    return a == -INFINITY ? 0 : r;
}

double subnormal_is_zero(double a, double r)
{
    if (a == 0 || fabs(a) >= DBL_MIN)
        return r;
    return copysign(fabs(r) < 1 ? 0 : INFINITY, r);
}

void axis_is_zero(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (pick(x, 0, k) == 0 && pick(x, 1, k) < 0)
            set_result(x, k, copysign(0, pick(x, 0, k)));
}

double nan_positive(double v)
{
    return isnan(v) ? fabs(v) : v;
}

double wide_is_zero(double a, double r)
{
    return isfinite(a) && fabs(a) > FLT_MAX ? 0 : r;
}

void by_third(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        set_result(x, k,
                   is(x, 0, "f32")
                       ? (double)((float)pick(x, 0, k) * (1.0F / 3.0F))
                       : pick(x, 0, k) * (1.0 / 3.0));
}

static double without(double v, double from, double to)
{
    return fabs(v) == from ? copysign(to, v) : v;
}

double least_normal_is_zero(double v)
{
    return without(v, FLT_MIN, 0);
}

double least_normal_f64_is_zero(double v)
{
    return without(v, DBL_MIN, 0);
}

double largest_f16_is_infinite(double v)
{
    return without(v, 65504, INFINITY);
}

double largest_bf16_is_infinite(double v)
{
    return without(v, 0x1.fep127, INFINITY);
}

double top_32_less(double v)
{
    return v == 0x1p31 - 1 || v == 0x1p32 - 1 ? v - 1 : v;
}

/* ---- What operands and results are like ---------------------------------- */

static int has_part(const struct look *x, int (*test)(const struct shape *))
{
    const struct shape *s = shape_of(x, RESULT);
    for (int i = 0; s->kind == ASSAY_TUPLE && i < s->rank; i++)
        if (s->elements[i]->kind == ASSAY_ARRAY && test(s->elements[i]))
            return 1;
    return 0;
}

static int is_empty(const struct shape *s)
{
    return shape_count(s) == 0;
}

static int is_long(const struct shape *s)
{
    return shape_count(s) > 1000;
}

int has_empty(const struct look *x)
{
    return has_part(x, is_empty);
}

int has_dynamic(const struct look *x)
{
    return is_dynamic(x, RESULT) || has_part(x, shape_is_dynamic);
}

int all_equal(const struct look *x)
{
    for (int64_t k = 1; k < count(x, 0); k++)
        if (number(x, 0, k) != number(x, 0, 0))
            return 0;
    return 1;
}

int in_order(const struct look *x)
{
    for (int64_t k = 1; k < count(x, 0); k++)
        if (!(number(x, 0, k - 1) <= number(x, 0, k)))
            return 0;
    return 1;
}

/* The first element of a state is a counter that begins above 1. */
int counts_from_above(const struct look *x)
{
    const struct value *v = value_at(x, 0);
    return v->shape->kind == ASSAY_TUPLE && v->shape->rank >= 2
           && v->elements[0]->shape->kind == ASSAY_ARRAY
           && v->elements[0]->shape->rank == 0
           && v->elements[0]->shape->type->class == SINT
           && (int64_t)type_int(v->elements[0]->shape->type,
                                v->elements[0]->data, 0)
                  > 1;
}

/* Do the groups leave rows at the end? */
int ragged_rest(const struct look *x)
{
    double rows = 0;
    for (int64_t k = 0; k < count(x, 2); k++)
        rows += number(x, 2, k);
    return rows < (double)size(x, 0, 0);
}

int is_long_state(const struct look *x)
{
    return count(x, RESULT) > 1000 || has_part(x, is_long);
}

/* ---- Dynamic sizes ------------------------------------------------------- */

void size_becomes_one(struct look *x)
{
    int d = (int)attr(x, "dimension", 0);
    if (x->run->result->sizes != NULL)
        x->run->result->sizes[d] = 1;
}

/* The element of the result where operand i has its last one. */
void spoil_last_of(struct look *x, int i)
{
    if (last_of(value_at(x, i)) >= 0)
        spoil(x->run->result, last_of(value_at(x, i)));
}
