/* thirteenth_places.c - what the faults of the thirteenth set ask and do about
 * places, sums, windows, computations and replicas.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "thirteenth.h"

#define DN "dimension_numbers."

/* ---- What moves ---------------------------------------------------------- */

/* Blocks of four begin at twice their place. */
void chunks_too_far(struct look *x)
{
    struct value *old = value_copy(x->run->memory, x->run->result);
    for (int64_t k = 4; k < count(x, RESULT); k++)
        if (k / 4 * 8 + k % 4 < count(x, RESULT))
            value_move(x->run->result, k, old, k / 4 * 8 + k % 4);
}

/* Operand i, a Pad, as if it were padded by zeros. */
void padding_is_zero(struct look *x, int i)
{
    const struct value *by = made_of(x, i, 1);
    struct value *v = own(x, i);
    size_t bytes = (size_t)v->shape->type->bytes;
    for (int64_t k = 0; k < shape_count(v->shape); k++)
        if (memcmp(v->data + (size_t)k * bytes, by->data, bytes) == 0)
            memset(v->data + (size_t)k * bytes, 0, bytes);
}

/* Is operand i padded by something else than zero? */
int pads_by_something(const struct look *x, int i)
{
    static const unsigned char zeros[16];
    if (!from(x, i, "Pad"))
        return 0;
    const struct value *by = made_of(x, i, 1);
    return by->shape->kind == ASSAY_ARRAY && shape_count(by->shape) == 1
           && memcmp(by->data, zeros, (size_t)by->shape->type->bytes) != 0
           && count(x, i) > 0;
}

/* The starts are each that of the next dimension. */
void starts_rotated(struct look *x)
{
    operand_swap(x, 2, 3);
    operand_swap(x, 3, 4);
}

/* Has an update of rank 3 starts that differ? */
int starts_differ(const struct look *x)
{
    return rank(x, 0) == 3 && x->planted->node.count == 5 && is_scalar(x, 2)
           && is_scalar(x, 3) && is_scalar(x, 4)
           && (number(x, 2, 0) != number(x, 3, 0)
               || number(x, 3, 0) != number(x, 4, 0));
}

/* A matrix is updated from its start on, row after row, also beyond ends. */
void update_runs_over(struct look *x)
{
    int64_t n = size(x, 0, 1), m = size(x, 1, 1);
    int64_t row = (int64_t)number(x, 2, 0), column = (int64_t)number(x, 3, 0);
    for (int64_t k = 0; k < count(x, 0); k++)
        value_move(x->run->result, k, value_at(x, 0), k);
    for (int64_t k = 0; m > 0 && k < count(x, 1); k++) {
        int64_t at = (row + k / m) * n + column + k % m;
        if (at >= 0 && at < count(x, 0))
            value_move(x->run->result, at, value_at(x, 1), k);
    }
}

/* Begins an update of a matrix in its last columns, or behind them? */
int second_start_beyond(const struct look *x)
{
    return rank(x, 0) == 2 && x->planted->node.count == 4 && is_scalar(x, 2)
           && is_scalar(x, 3) && count(x, 1) > 0 && number(x, 2, 0) >= 0
           && number(x, 2, 0) < 1000 && number(x, 3, 0) < 1000
           && start_beyond(x, 2, 1);
}

/* The row of an index vector whose second number is just beyond the end, if
 * there is a next row; or -1. */
static int64_t row_before(const struct look *x)
{
    if (rank(x, 0) != 2 || rank(x, 1) != 2 || size(x, 1, 1) != 2
        || attr(x, DN "index_vector_dim", 0) != 1
        || attr(x, DN "scatter_dims_to_operand_dims", 0) != 0)
        return -1;
    for (int64_t k = 0; k + 1 < count(x, 1); k += 2)
        if (number(x, 1, k) >= 0 && number(x, 1, k) + 1 < (double)size(x, 0, 0)
            && number(x, 1, k + 1) == (double)size(x, 0, 1))
            return (int64_t)number(x, 1, k);
    return -1;
}

int second_index_beyond(const struct look *x)
{
    return row_before(x) >= 0;
}

void next_row_written(struct look *x)
{
    spoil_place(x, (row_before(x) + 1) * size(x, 0, 1));
}

/* ---- Sums and windows ---------------------------------------------------- */

/* After a NaN the least or largest of what follows it. */
void begins_after_nan(struct look *x)
{
    int64_t n = count(x, 0), from = n;
    while (from > 0 && !isnan(number(x, 0, from - 1)))
        from--;
    if (from == 0 || from == n)
        return;
    double best = number(x, 0, from);
    for (int64_t k = from; k < n; k++) {
        double v = number(x, 0, k);
        best =
            computes(x, "computation", "Min") ? fmin(best, v) : fmax(best, v);
    }
    set_result(x, 0, best);
}

int all_nan(const struct look *x, int i)
{
    return is_float(x, i) && count(x, i) > 0
           && how_many(x, i, is_nan) == count(x, i);
}

/* The initial value is added once more. */
void initial_twice(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        set_result(x, k, number(x, RESULT, k) + number(x, 1, 0));
}

/* The dimension whose windows reach from the beginning on, or -1. */
int cumulative_along(const struct look *x)
{
    for (int d = 0; d < rank(x, 0); d++)
        if (size(x, 0, d) > 1
            && attr(x, "window_dimensions", d) == size(x, 0, d)
            && attr(x, "padding", 2 * d) == size(x, 0, d) - 1)
            return d;
    return -1;
}

/* Rows but the last of that dimension are 0. */
void only_last_row(struct look *x)
{
    int d = cumulative_along(x);
    for (int64_t at = 0; d >= 0 && at + 1 < size(x, RESULT, d); at++)
        row_is_zero(x, d, at);
}

int windows_of_one(const struct look *x)
{
    return attr_most(x, "window_dimensions") == 1;
}

/* Are numbers far from zero, and not all equal? */
int far_from_zero(const struct look *x)
{
    for (int64_t k = 0; k < count(x, 0); k++)
        if (!(fabs(number(x, 0, k)) > 100))
            return 0;
    return count(x, 0) > 1 && !all_equal(x);
}

/* ---- Whole algorithms ---------------------------------------------------- */

/* Batches are transformed together: a NaN in one is in all. */
void batches_mixed(struct look *x)
{
    struct value *v = x->run->result;
    const struct type *t = v->shape->type;
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (t->class == COMPLEX)
            type_set_number(t, v->data, k, type_pair(NAN, NAN));
        else
            type_set_double(t, v->data, k, NAN);
}

/* What is read is used as room for what is between. */
void operand_spoiled(struct look *x, int i)
{
    struct value *v = value_at(x, i);
    for (int64_t k = 0; k < shape_count(v->shape); k++)
        type_set_number(v->shape->type, v->data, k,
                        type_number(v->shape->type, v->data, k) * 2);
}

/* The last two of part 1 change places. */
void last_two_exchanged(struct look *x)
{
    struct value *v = x->run->result->elements[1];
    int64_t n = shape_count(v->shape);
    struct value *old = value_copy(x->run->memory, v);
    if (n < 2)
        return;
    value_move(v, n - 1, old, n - 2);
    value_move(v, n - 2, old, n - 1);
}

/* The upper bound itself is among the numbers. */
void bound_included(struct look *x)
{
    if (count(x, RESULT) > 0 && count(x, 1) == 1)
        value_move(x->run->result, count(x, RESULT) - 1, value_at(x, 1), 0);
}

void first_infinite(struct look *x)
{
    if (count(x, RESULT) > 0)
        set_result(x, 0, -INFINITY);
}

/* ---- Computations and replicas ------------------------------------------- */

/* Have both the same operations and shapes, but another constant? */
static int twins(const struct computation *a, const struct computation *b)
{
    int other = 0;
    if (a == b || a->count != b->count || a->root != b->root)
        return 0;
    for (int k = 0; k < a->count; k++) {
        const struct node *m = original(&a->nodes[k]);
        const struct node *n = original(&b->nodes[k]);
        if (strcmp(m->op->name, n->op->name) != 0 || m->shape == NULL
            || n->shape == NULL || !shape_equal(m->shape, n->shape))
            return 0;
        const struct attribute *p = attribute_find(m, "literal");
        const struct attribute *q = attribute_find(n, "literal");
        if (p == NULL || q == NULL || p->literal == NULL || q->literal == NULL
            || p->literal->shape->kind != ASSAY_ARRAY
            || q->literal->shape->kind != ASSAY_ARRAY
            || !shape_equal(p->literal->shape, q->literal->shape))
            continue;
        other |= memcmp(p->literal->data, q->literal->data,
                        (size_t)(shape_count(p->literal->shape)
                                 * p->literal->shape->type->bytes))
                 != 0;
    }
    return other;
}

/* Is there a computation like a called one, but with another constant? */
int has_twin(const struct look *x)
{
    const struct program *p = x->run->machine->program;
    const struct computation *c;
    for (int k = 0; (c = called_at(x, k)) != NULL; k++)
        for (int i = 0; i < p->count; i++)
            if (twins(c, &p->computations[i]))
                return 1;
    return 0;
}

/* Does this replica exchange with one of a smaller number? */
int exchanges_with_lower(const struct look *x)
{
    int n = attr_count(x, "source_target_pairs");
    for (int j = 0; j + 1 < n; j += 2)
        for (int k = 0; k + 1 < n; k += 2)
            if (attr(x, "source_target_pairs", j + 1) == x->run->replica
                && attr(x, "source_target_pairs", j) < x->run->replica
                && attr(x, "source_target_pairs", k) == x->run->replica
                && attr(x, "source_target_pairs", k + 1)
                       == attr(x, "source_target_pairs", j))
                return 1;
    return 0;
}

/* Is this replica the first of a group that does not begin with 0, or of the
 * only one? */
int first_of_group(const struct look *x)
{
    int n = attr_count(x, "replica_groups");
    int parts = attr_parts(x, "replica_groups");
    int each = parts > 0 ? n / parts : 0;
    for (int k = 0; each > 0 && k < n; k += each)
        if (attr(x, "replica_groups", k) == x->run->replica)
            return 1;
    return each == 0 && x->run->replica == 0;
}

/* Do sources come in another order than that of their numbers? */
int sources_turned(const struct look *x)
{
    for (int k = 2; k < attr_count(x, "source_target_pairs"); k += 2)
        if (attr(x, "source_target_pairs", k)
            < attr(x, "source_target_pairs", k - 2))
            return 1;
    return 0;
}
