/* edge.c - faults at the edges of types; indices; windows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>

#include "faulty.h"

/* ---- Integers that saturate ---------------------------------------------- */

static double within(const struct type *t, double v)
{
    double most = ldexp(1, t->class == SINT ? t->bits - 1 : t->bits) - 1;
    double least = t->class == SINT ? -most - 1 : 0;
    return v > most ? most : v < least ? least : v;
}

static void set_within(struct look *x, int64_t k, double v)
{
    set_result(x, k, within(x->run->result->shape->type, v));
}

void binary_saturates(struct look *x)
{
    const char *op = x->planted->node.op->name;
    struct binary_walk w;
    binary_walk(&w, x->run, x->run->result->shape);
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        double a = number(x, 0, w.at[0]), b = number(x, 1, w.at[1]);
        set_within(x, k, op[0] == 'A' ? a + b : op[0] == 'S' ? a - b : a * b);
        binary_next(&w);
    }
}

void rows_saturate(struct look *x, int64_t n)
{
    for (int64_t r = 0; r < count(x, RESULT); r++) {
        double sum = number(x, 1, 0);
        for (int64_t k = 0; k < n; k++)
            sum += number(x, 0, r * n + k);
        set_within(x, r, sum);
    }
}

void scan_saturates(struct look *x)
{
    struct value *v = x->run->result;
    if (v->shape->kind == ASSAY_TUPLE)
        v = v->elements[0];
    double sum = number(x, 1, 0);
    uint64_t mask = (UINT64_C(1) << v->shape->type->bits) - 1;
    for (int64_t k = 0; k < count(x, 0) && k < shape_count(v->shape); k++) {
        sum += number(x, 0, k);
        /* Is it a sum? */
        if (((uint64_t)(int64_t)sum & mask)
            != (type_int(v->shape->type, v->data, k) & mask))
            return;
        type_set_int(v->shape->type, v->data, k,
                     (uint64_t)(int64_t)within(v->shape->type, sum));
    }
}

static int64_t attr_or(const struct look *x, const char *name, int64_t value)
{
    return attr_count(x, name) > 0 ? attr(x, name, 0) : value;
}

void windows_saturate(struct look *x)
{
    int64_t window = attr(x, "window_dimensions", 0);
    int64_t stride = attr_or(x, "window_strides", 1);
    int64_t dilation = attr_or(x, "window_dilations", 1);
    int64_t low = attr_or(x, "padding", 0);
    if (attr_or(x, "base_dilations", 1) != 1
        || x->run->result->shape->kind != ASSAY_ARRAY)
        return;
    for (int64_t r = 0; r < count(x, RESULT); r++) {
        double sum = number(x, 1, 0);
        for (int64_t k = 0; k < window; k++) {
            int64_t at = r * stride + k * dilation - low;
            if (at >= 0 && at < count(x, 0))
                sum += number(x, 0, at);
        }
        set_within(x, r, sum);
    }
}

void dot_saturates(struct look *x)
{
    int64_t n = size(x, 0, -1);
    int64_t rows = n > 0 ? count(x, 0) / n : 0,
            columns = n > 0 ? count(x, 1) / n : 0;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) {
            double sum = 0;
            for (int64_t k = 0; k < n; k++)
                sum += number(x, 0, i * n + k) * number(x, 1, k * columns + j);
            set_within(x, i * columns + j, sum);
        }
}

void replicas_saturate(struct look *x)
{
    const struct type *t = shape_of(x, 0)->type;
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        double sum = 0;
        for (int r = 0; r < x->all->count; r++) {
            uint64_t u = type_int(t, x->all->runs[r].operands[0]->data, k);
            sum += t->class == SINT ? (double)(int64_t)u : (double)u;
        }
        set_within(x, k, sum);
    }
}

static double least(const struct look *x)
{
    return -ldexp(1, shape_of(x, 0)->type->bits - 1);
}

void least_by_one(struct look *x)
{
    for (int64_t k = 0; fits(x) && k < count(x, RESULT); k++)
        if (pick(x, 0, k) == least(x) && pick(x, 1, k) == -1)
            set_result(x, k, 1);
}

void least_saturates(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (number(x, 0, k) == least(x))
            set_result(x, k, -least(x) - 1);
}

int beyond_s64(double v)
{
    return v >= 0x1p63;
}

/* ---- Conversions --------------------------------------------------------- */

void by_operand(struct look *x, double (*f)(double a, double r))
{
    for (int64_t k = 0; k < count(x, RESULT) && k < count(x, 0); k++) {
        double r = number(x, RESULT, k), v = f(number(x, 0, k), r);
        if (memcmp(&v, &r, sizeof v) != 0)
            set_result(x, k, v);
    }
}

double top_is_negative(double a, double r)
{
    return a >= 0x1p31 ? a - 0x1p32 : r;
}

double rounded(double a, double r)
{
    return trunc(a) == r ? rint(a) : r;
}

double rounded_down(double a, double r)
{
    return trunc(a) == r ? floor(a) : r;
}

double nan_is_zero(double a, double r)
{
    return isnan(a) ? 0 : r;
}

double zero_is_operand(double a, double r)
{
    return r == 0 && isfinite(a) ? a : r;
}

double flush_f16(double v)
{
    return fabs(v) < 0x1p-14 ? copysign(0, v) : v;
}

/* Above a tie, in f32. */
double nudged(double v)
{
    return v * (1 + 0x1p-23);
}

void convert_u64_cut(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        uint64_t u = type_int(shape_of(x, 0)->type, value_at(x, 0)->data, k);
        if ((long double)(double)u > (long double)u)
            set_result(x, k, nextafter((double)u, 0));
    }
}

void convert_nudged(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (isfinite(number(x, 0, k)))
            set_result(x, k, number(x, 0, k) * (1 + 0x1p-40));
}

void imaginary_too(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        set_complex(x, k, number(x, 0, k), number(x, 0, k));
}

void convert_unwrapped(struct look *x)
{
    const char *op = maker(x, 0)->op->name;
    const struct value *a = made_of(x, 0, 0), *b = made_of(x, 0, 1);
    const struct type *t = a->shape->type;
    int64_t n = count(x, RESULT);
    if (shape_count(a->shape) != n || shape_count(b->shape) != n
        || shape_of(x, RESULT)->type->bits <= t->bits)
        return;
    for (int64_t k = 0; k < n; k++) {
        double u = (double)(int64_t)type_int(t, a->data, k);
        double v = (double)(int64_t)type_int(t, b->data, k);
        set_result(x, k, op[0] == 'A' ? u + v : op[0] == 'S' ? u - v : u * v);
    }
}

/* ---- Bytes --------------------------------------------------------------- */

void reverse_last(struct look *x)
{
    int64_t n = size(x, RESULT, -1);
    struct value *copy = value_copy(x->run->memory, x->run->result);
    for (int64_t k = 0; k < count(x, RESULT); k++)
        value_move(x->run->result, k, copy, k / n * n + n - 1 - k % n);
}

void bytes_reversed(struct look *x)
{
    int64_t bytes = shape_of(x, RESULT)->type->bytes;
    for (int64_t k = 0; k < count(x, RESULT); k++) {
        unsigned char *at = x->run->result->data + k * bytes;
        for (int64_t i = 0; i < bytes / 2; i++) {
            unsigned char old = at[i];
            at[i] = at[bytes - 1 - i];
            at[bytes - 1 - i] = old;
        }
    }
}

/* ---- Indices ------------------------------------------------------------- */

/* The dimension of the operand that component c of an index is in; -1: none.
 */
static int64_t mapped(const struct look *x, int c)
{
    const char *name = "dimension_numbers.start_index_map";
    if (attr_count(x, name) == 0)
        name = "dimension_numbers.scatter_dims_to_operand_dims";
    return c < attr_count(x, name) ? attr(x, name, c) : -1;
}

/* Which component of an index is element k? */
static int64_t component(const struct look *x, int64_t k)
{
    int64_t d = attr(x, "dimension_numbers.index_vector_dim", 0), after = 1;
    if (d >= rank(x, 1))
        return 0;
    for (int i = (int)d + 1; i < rank(x, 1); i++)
        after *= size(x, 1, i);
    return k / after % size(x, 1, (int)d);
}

static int beyond(const struct look *x, int c, int64_t k)
{
    int64_t d = mapped(x, c);
    return d >= 0 && component(x, k) == c
           && number(x, 1, k) >= (double)size(x, 0, (int)d);
}

int index_beyond(const struct look *x, int c)
{
    for (int64_t k = 0; k < count(x, 1); k++)
        if (beyond(x, c, k) && size(x, 0, (int)mapped(x, c)) > 0)
            return 1;
    return 0;
}

static void index_map(struct look *x, int c, int wraps)
{
    int64_t n = size(x, 0, (int)mapped(x, c));
    struct value *v = own(x, 1);
    for (int64_t k = 0; k < count(x, 1); k++)
        if (beyond(x, c, k))
            type_set_int(v->shape->type, v->data, k,
                         wraps ? type_int(v->shape->type, v->data, k)
                                     % (uint64_t)n
                               : (uint64_t)(n - 1));
}

void index_clamped(struct look *x, int c)
{
    index_map(x, c, 0);
}

void index_wraps(struct look *x, int c)
{
    index_map(x, c, 1);
}

int top_index_of(const struct look *x, const char *type, double limit)
{
    for (int i = 1; i < x->planted->node.count; i++)
        for (int64_t k = 0; is(x, i, type) && k < count(x, i); k++)
            if (number(x, i, k) >= limit)
                return i;
    return 0;
}

int duplicates(const struct look *x, int i)
{
    for (int64_t k = 1; k < count(x, i) && k < 100; k++)
        for (int64_t j = 0; j < k; j++)
            if (number(x, i, j) == number(x, i, k))
                return 1;
    return 0;
}

/* Start index d of those that begin at operand first is beyond the end. */
int start_beyond(const struct look *x, int first, int d)
{
    int64_t slice = first == 1 ? attr(x, "slice_sizes", d) : size(x, 1, d);
    return x->planted->node.count > first + d && is_scalar(x, first + d)
           && number(x, first + d, 0) + (double)slice > (double)size(x, 0, d);
}

/* ---- Windows, orders, matrices ------------------------------------------- */

void padding_shifted(struct look *x, int k)
{
    attr_set(x, "padding", k, attr(x, "padding", k) + 1);
    attr_set(x, "padding", k + 1, attr(x, "padding", k + 1) - 1);
}

/* The last of equal elements is the largest. */
void operand_ramp(struct look *x, int i)
{
    struct value *v = own(x, i);
    const struct type *t = v->shape->type;
    for (int64_t k = 0; k < shape_count(v->shape); k++)
        type_set_double(t, v->data, k,
                        type_double(t, v->data, k) + (double)k * 0x1p-10);
}

void payload_kept(struct look *x, int i)
{
    x->run->result->elements[i] =
        value_copy(x->run->memory, x->run->operands[i]);
}

void matrix_transposed(struct look *x, int i)
{
    struct value *v = own(x, i);
    struct value *copy = value_copy(x->run->memory, v);
    int64_t n = size(x, i, -1);
    for (int64_t k = 0; k < shape_count(v->shape); k++)
        value_move(v, k, copy, k % n * n + k / n);
}

void variance_of_sample(struct look *x)
{
    struct value *v = x->run->result->elements[2];
    const struct type *t = v->shape->type;
    double n = (double)count(x, 0) / (double)count(x, 1);
    for (int64_t k = 0; k < shape_count(v->shape); k++)
        type_set_double(t, v->data, k,
                        type_double(t, v->data, k) * n / (n - 1));
}

/* ---- Tuples -------------------------------------------------------------- */

int depth(const struct shape *s)
{
    int most = 0;
    if (s->kind != ASSAY_TUPLE)
        return 0;
    for (int i = 0; i < s->rank; i++)
        if (depth(s->elements[i]) > most)
            most = depth(s->elements[i]);
    return most + 1;
}
