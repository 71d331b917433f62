/* ninth_places.c - indices, what is called, what an operand was made of, and
 * orders, for the faults of the ninth set.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>

#include "faulty.h"

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

int calls_op(const struct look *x, const char *name, const char *ops)
{
    const struct computation *c = called(x, name);
    for (int k = 0; c != NULL && k < c->count; k++)
        if (has_word(ops, original(&c->nodes[k])->op->name))
            return 1;
    return 0;
}

/* Is operand i made of a result of these operations? */
int made_from(const struct look *x, int i, const char *ops)
{
    if (i >= x->planted->node.count)
        return 0;
    const struct node *n = original(maker(x, i));
    for (int j = 0; j < n->count; j++)
        if (has_word(
                ops,
                original(&x->planted->in->nodes[n->operands[j]])->op->name))
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
