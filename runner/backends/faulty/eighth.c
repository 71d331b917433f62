/* eighth.c - what the faults of the eighth set ask and do.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "faulty.h"

/* ---- Rows, tails, places ------------------------------------------------- */

/* Result k of several, or the only one. */
static struct value *part_of(const struct look *x, int k)
{
    struct value *v = x->run->result;
    return v->shape->kind == ASSAY_TUPLE ? v->elements[k] : v;
}

/* What has index `to` of dimension d becomes what has index `from`. */
static void move_row(struct value *v, int d, int64_t to, int64_t from)
{
    const struct shape *s = v->shape;
    int64_t index[RANK_MAX] = {0}, at[RANK_MAX], n = shape_count(s);
    for (int64_t k = 0; k < n; k++) {
        memcpy(at, index, (size_t)s->rank * sizeof *at);
        at[d] = from;
        if (index[d] == to)
            value_move(v, k, v, shape_offset(s->rank, s->dims, at));
        shape_next(s->rank, s->dims, index);
    }
}

void row_repeats(struct look *x, int d)
{
    struct value *v = part_of(x, 0);
    int at = d < 0 ? v->shape->rank + d : d;
    int64_t n = value_size(v, at);
    if (n > 1)
        move_row(v, at, n - 1, n - 2);
}

void batch_repeats(struct look *x, int d)
{
    struct value *v = part_of(x, 0);
    for (int64_t k = 1; k < value_size(v, d); k++)
        move_row(v, d, k, 0);
}

void stuck_from(struct look *x, int d, int64_t from)
{
    struct value *v = part_of(x, 0);
    for (int64_t k = from; k < v->shape->dims[d]; k++)
        move_row(v, d, k, from - 1);
}

void spoil_place(struct look *x, int64_t k)
{
    if (k >= 0 && k < shape_count(part_of(x, 0)->shape)
        && last_of(part_of(x, 0)) >= 0)
        spoil(part_of(x, 0), k);
}

void zero_from(struct look *x, int d, int64_t from)
{
    struct value *v = part_of(x, 0);
    const struct shape *s = v->shape;
    int64_t index[RANK_MAX] = {0}, n = shape_count(s);
    for (int64_t k = 0; k < n; k++) {
        if (index[d] >= from)
            memset(v->data + k * s->type->bytes, 0, (size_t)s->type->bytes);
        shape_next(s->rank, s->dims, index);
    }
}

void tail_by(struct look *x, int64_t block, double (*f)(double a, double r))
{
    for (int64_t k = tail_from(x, block); fits(x) && k < count(x, RESULT);
         k++) {
        double r = number(x, RESULT, k), v = f(pick(x, 0, k), r);
        if (memcmp(&v, &r, sizeof v) != 0)
            set_result(x, k, v);
    }
}

void tail_of_operand(struct look *x, int64_t block, int i)
{
    for (int64_t k = tail_from(x, block); k < count(x, RESULT); k++)
        if (count(x, i) == count(x, RESULT))
            value_move(x->run->result, k, value_at(x, i), k);
}

void neighbours_swapped(struct look *x)
{
    struct value *copy = value_copy(x->run->memory, x->run->result);
    for (int64_t k = 0; k + 1 < count(x, RESULT); k += 2) {
        value_move(x->run->result, k, copy, k + 1);
        value_move(x->run->result, k + 1, copy, k);
    }
}

void words_swapped(struct look *x, int bytes)
{
    unsigned char *data = x->run->result->data;
    int64_t n = count(x, RESULT) * shape_of(x, RESULT)->type->bytes;
    for (int64_t k = 0; k + 2 * bytes <= n; k += 2 * bytes)
        for (int64_t i = k; i < k + bytes; i++) {
            unsigned char old = data[i];
            data[i] = data[i + bytes];
            data[i + bytes] = old;
        }
}

void result_transposed(struct look *x)
{
    struct value *copy = value_copy(x->run->memory, x->run->result);
    int64_t n = size(x, RESULT, 0);
    for (int64_t k = 0; k < n * n; k++)
        value_move(x->run->result, k, copy, k % n * n + k / n);
}

/* ---- Indices ------------------------------------------------------------- */

void negative_start_is_large(struct look *x)
{
    for (int i = 1; i < x->planted->node.count; i++)
        if (is(x, i, "s8 s16") && is_scalar(x, i) && number(x, i, 0) < 0) {
            struct value *v = own(x, i);
            type_set_int(v->shape->type, v->data, 0,
                         (UINT64_C(1) << (v->shape->type->bits - 1)) - 1);
        }
}

int has_negative_start(const struct look *x, int first)
{
    for (int i = first; i < x->planted->node.count; i++)
        if (is(x, i, "s8 s16") && is_scalar(x, i) && number(x, i, 0) < 0)
            return 1;
    return 0;
}

/* The first start of 64 bits that 32 do not hold, or 0. */
int far_start(const struct look *x, int first)
{
    for (int i = first; i < x->planted->node.count; i++)
        if (is(x, i, "s64 u64") && is_scalar(x, i) && number(x, i, 0) >= 0x1p32)
            return i;
    return 0;
}

/* Floats below zero are compared as integers, which reverses their order. */
void kept_if_negative(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT) && k < count(x, 0); k++)
        if (number(x, RESULT, k) < 0 && number(x, 0, k) < 0)
            value_move(x->run->result, k, value_at(x, 0), k);
}

/* ---- Whole operations ---------------------------------------------------- */

void dot_of_signed(struct look *x)
{
    const struct type *t = shape_of(x, RESULT)->type;
    int64_t n = size(x, 0, -1), columns = size(x, 1, -1);
    for (int64_t r = 0; r < count(x, RESULT); r++) {
        int64_t sum = 0;
        for (int64_t k = 0; k < n; k++) {
            double a = number(x, 0, r / columns * n + k);
            double b = number(x, 1, k * columns + r % columns);
            sum += (int64_t)((a > 127 ? a - 256 : a) * b);
        }
        type_set_int(t, x->run->result->data, r, (uint64_t)sum);
    }
}

void one_row_group(struct look *x)
{
    int64_t row = 0;
    for (int64_t g = 0; g < count(x, 2); g++) {
        if (number(x, 2, g) == 1 && row < size(x, RESULT, 0))
            spoil_place(x, row * size(x, RESULT, 1));
        row += (int64_t)number(x, 2, g);
    }
}

void empty_group_is_previous(struct look *x)
{
    for (int64_t g = 1; g < count(x, 2) && g < size(x, RESULT, 0); g++)
        if (number(x, 2, g) == 0)
            move_row(x->run->result, 0, g, g - 1);
}

/* Rows by the first operand alone, equal ones in the order they came in. */
void first_key_only(struct look *x)
{
    struct value *out = x->run->result;
    int64_t n = count(x, 0);
    int64_t *from = memory_new(x->run->memory, (size_t)n + 1, sizeof *from);
    for (int64_t k = 0; k < n; k++) {
        int64_t j = k;
        for (; j > 0 && number(x, 0, from[j - 1]) > number(x, 0, k); j--)
            from[j] = from[j - 1];
        from[j] = k;
    }
    for (int i = 0; i < x->planted->node.count; i++)
        for (int64_t k = 0; k < n; k++)
            value_move(out->elements[i], k, value_at(x, i), from[k]);
}

/* Is the first result in order, and is the second not as it came in? */
int sorted_up(const struct look *x)
{
    const struct value *v = x->run->result;
    if (v->shape->kind != ASSAY_TUPLE || rank(x, 0) != 1 || count(x, 0) > 1000)
        return 0;
    const struct type *t = v->elements[0]->shape->type;
    if (t->class == FLOAT || t->class == COMPLEX)
        return 0;
    for (int64_t k = 1; k < count(x, 0); k++) {
        uint64_t a = type_int(t, v->elements[0]->data, k - 1);
        uint64_t b = type_int(t, v->elements[0]->data, k);
        if (t->class == SINT ? (int64_t)a > (int64_t)b : a > b)
            return 0;
    }
    return 1;
}

/* Element j of a loop's first state that is the same as an earlier one, or -1.
 */
int state_twice(const struct look *x)
{
    const struct node *t = original(maker(x, 0));
    if (strcmp(t->op->name, "Tuple") != 0)
        return -1;
    for (int j = 1; j < t->count; j++)
        for (int i = 0; i < j; i++)
            if (t->operands[i] == t->operands[j])
                return j;
    return -1;
}

void state_shared(struct look *x)
{
    const struct node *t = original(maker(x, 0));
    int j = state_twice(x), i = 0;
    while (t->operands[i] != t->operands[j])
        i++;
    x->run->result->elements[j] = x->run->result->elements[i];
}

/* Is operand 0 a view of what was computed here? */
int is_view(const struct look *x)
{
    const struct node *n = original(maker(x, 0));
    if (!has_word("Reshape Collapse", n->op->name))
        return 0;
    const struct node *from = original(&x->planted->in->nodes[n->operands[0]]);
    return has_word("Add Sub Mul Div Exp Neg Abs Max Min Dot Iota Sort Gather",
                    from->op->name);
}

void source_overwritten(struct look *x)
{
    struct value *to = made_of(x, 0, 0);
    int64_t bytes = to->shape->type->bytes;
    if (shape_count(to->shape) == count(x, RESULT))
        memcpy(to->data, x->run->result->data,
               (size_t)(count(x, RESULT) * bytes));
}

void size_of_another(struct look *x)
{
    for (int d = 0; d < rank(x, 0); d++)
        if (shape_of(x, 0)->dynamic[d])
            type_set_int(shape_of(x, RESULT)->type, x->run->result->data, 0,
                         (uint64_t)value_size(value_at(x, 0), d));
}

int dimension_is_dynamic(const struct look *x, int i, int64_t d)
{
    const struct shape *s = shape_of(x, i);
    return s->kind == ASSAY_ARRAY && s->dynamic != NULL && d >= 0 && d < s->rank
           && s->dynamic[d];
}

/* ---- What operands are -------------------------------------------------- */

/* Does the Pad that made operand 0 cut an edge? */
int cropped(const struct look *x)
{
    const struct attribute *a = attribute_find(maker(x, 0), "padding_config");
    for (int64_t k = 0; a != NULL && a->ints != NULL && k < a->count; k++)
        if (k % 3 != 2 && a->ints[k] < 0)
            return 1;
    return 0;
}

/* An array is taken for one number if its ends are equal. */
void ends_fill(struct look *x)
{
    struct value *v = x->run->result;
    int64_t n = count(x, RESULT), bytes = v->shape->type->bytes;
    if (memcmp(v->data, v->data + (n - 1) * bytes, (size_t)bytes) == 0)
        for (int64_t k = 1; k < n; k++)
            value_move(v, k, v, 0);
}

/* Is dimension d of operand 0 smaller than its bound? */
int below_bound(const struct look *x, int64_t d)
{
    return dimension_is_dynamic(x, 0, d)
           && value_size(value_at(x, 0), (int)d) < size(x, 0, (int)d);
}

/* Is operand 0 a number of a float type, times itself? */
int is_square(const struct look *x)
{
    const struct node *n = maker(x, 0);
    return strcmp(n->op->name, "Mul") == 0 && is_float(x, 0)
           && n->operands[0] == n->operands[1];
}
