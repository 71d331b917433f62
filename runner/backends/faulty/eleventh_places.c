/* eleventh_places.c - what the faults of the eleventh set ask and do about
 * places, indices, windows, computations, sizes and replicas.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>

#include "faulty.h"

/* ---- What was cut out, spread or turned before --------------------------- */

/* Is operand i a Slice with a stride, of more than one element? */
int strided(const struct look *x, int i)
{
    if (i >= x->planted->node.count || !from(x, i, "Slice"))
        return 0;
    const struct attribute *a = attribute_find(maker(x, i), "strides");
    for (int64_t k = 0; a != NULL && a->ints != NULL && k < a->count; k++)
        if (a->ints[k] > 1)
            return count(x, i) > 1;
    return 0;
}

/* It is read one element after the other from its start on. */
void stride_lost(struct look *x, int i)
{
    const struct value *v = made_of(x, i, 0);
    const struct attribute *a = attribute_find(maker(x, i), "start_indices");
    int64_t n = shape_count(v->shape);
    if (a == NULL || a->ints == NULL || a->count != v->shape->rank)
        return;
    int64_t start = shape_offset(v->shape->rank, v->shape->dims, a->ints);
    struct value *to = own(x, i);
    for (int64_t k = 0; k < count(x, i) && start + k < n; k++)
        value_move(to, k, v, start + k);
}

/* Is operand i a Transpose of a matrix that is not square? */
int transposed_matrix(const struct look *x, int i)
{
    return i < x->planted->node.count && from(x, i, "Transpose")
           && rank(x, i) == 2 && size(x, i, 0) != size(x, i, 1)
           && count(x, i) > 0;
}

/* Does one of these operations stand earlier in the computation? */
int before(const struct look *x, const char *ops)
{
    const struct planted *p = x->planted;
    for (int k = 0; k < p->at; k++)
        if (has_word(ops, original(&p->in->nodes[k])->op->name))
            return 1;
    return 0;
}

/* How many operands of later instructions are the result? */
int users(const struct look *x)
{
    const struct computation *c = x->planted->in;
    int n = 0;
    for (int k = x->planted->at + 1; k < c->count; k++) {
        const struct node *o = original(&c->nodes[k]);
        for (int j = 0; j < o->count; j++)
            n += o->operands[j] == x->planted->at;
    }
    return n;
}

/* Does a later instruction of one of these operations use the result? */
int used_by(const struct look *x, const char *ops)
{
    const struct computation *c = x->planted->in;
    for (int k = x->planted->at + 1; k < c->count; k++) {
        const struct node *o = original(&c->nodes[k]);
        for (int j = 0; j < o->count; j++)
            if (o->operands[j] == x->planted->at && has_word(ops, o->op->name))
                return 1;
    }
    return 0;
}

/* Is operand 0 made, k steps back along first operands, all by these? */
int chain(const struct look *x, const char *ops, int steps)
{
    const struct node *n = &x->planted->node;
    for (int i = 0; i < steps; i++) {
        if (n->count == 0)
            return 0;
        n = original(&x->planted->in->nodes[n->operands[0]]);
        if (!has_word(ops, n->op->name))
            return 0;
    }
    return 1;
}

/* ---- Rows ---------------------------------------------------------------- */

/* Over a dimension of size 1: the next one is summed up instead. */
void first_takes_second(struct look *x)
{
    if (count(x, RESULT) < 2)
        return;
    set_result(x, 0, number(x, RESULT, 0) + number(x, RESULT, 1));
    set_result(x, 1, 0);
}

int reduces_ones(const struct look *x)
{
    int n = attr_count(x, "dimensions_to_reduce");
    for (int k = 0; k < n; k++) {
        int64_t d = attr(x, "dimensions_to_reduce", k);
        if (d < 0 || d >= rank(x, 0) || size(x, 0, (int)d) != 1)
            return 0;
    }
    return n > 0 && is_array(x) && count(x, 0) == count(x, RESULT)
           && count(x, 0) > 0;
}

/* The last element of each row is that before it. */
void row_ends_repeat(struct look *x)
{
    int64_t n = size(x, RESULT, -1);
    for (int64_t k = n - 1; n > 1 && k < count(x, RESULT); k += n)
        copy_element(x, k, k - 1);
}

/* Odd rows are those before them. */
void odd_rows_repeat(struct look *x)
{
    int64_t n = size(x, RESULT, -1);
    for (int64_t k = 0; n > 0 && k < count(x, RESULT); k++)
        if (k / n % 2 == 1)
            copy_element(x, k, k - n);
}

/* All elements with an index of a dimension become 0. */
void row_is_zero(struct look *x, int d, int64_t at)
{
    struct value *v = x->run->result;
    if (v->shape->kind == ASSAY_TUPLE)
        v = v->elements[0];
    const struct shape *s = v->shape;
    int64_t index[RANK_MAX] = {0}, n = shape_count(s);
    for (int64_t k = 0; k < n; k++) {
        if (index[d < 0 ? s->rank + d : d] == at)
            memset(v->data + k * s->type->bytes, 0, (size_t)s->type->bytes);
        shape_next(s->rank, s->dims, index);
    }
}

/* ---- Indices ------------------------------------------------------------- */

/* Does a window of a Scatter with one indexed dimension reach beyond the end,
 * with a start that does not? */
int partly_outside(const struct look *x)
{
    int64_t d = attr(x, "dimension_numbers.scatter_dims_to_operand_dims", 0);
    if (d < 0 || d >= rank(x, 0) || x->planted->node.count != 3
        || attr_count(x, "dimension_numbers.scatter_dims_to_operand_dims") != 1
        || attr_count(x, "dimension_numbers.input_batching_dims") > 0
        || attr_has(x, "dimension_numbers.inserted_window_dims", d))
        return 0;
    int place = (int)d;
    for (int k = 0; k < attr_count(x, "dimension_numbers.inserted_window_dims");
         k++)
        place -= attr(x, "dimension_numbers.inserted_window_dims", k) < d;
    int64_t u = attr(x, "dimension_numbers.update_window_dims", place);
    int64_t window = u >= 0 && u < rank(x, 2) ? size(x, 2, (int)u) : 1;
    int64_t n = size(x, 0, (int)d);
    for (int64_t k = 0; k < count(x, 1); k++)
        if (number(x, 1, k) < (double)n
            && number(x, 1, k) + (double)window > (double)n)
            return 1;
    return 0;
}

/* Is an index of a Gather or Scatter that of the last element? */
int last_indexed(const struct look *x)
{
    int64_t d = attr(x, "dimension_numbers.start_index_map", 0);
    if (d < 0)
        d = attr(x, "dimension_numbers.scatter_dims_to_operand_dims", 0);
    if (d < 0 || d >= rank(x, 0))
        return 0;
    for (int64_t k = 0; k < count(x, 1); k++)
        if (number(x, 1, k) == (double)(size(x, 0, (int)d) - 1))
            return count(x, 0) > 0;
    return 0;
}

/* Are all indices equal, and more than one? */
int all_indices_equal(const struct look *x)
{
    for (int64_t k = 1; k < count(x, 1); k++)
        if (number(x, 1, k) != number(x, 1, 0))
            return 0;
    return count(x, 1) > 1;
}

/* Is an index less than the one before it? */
int descends(const struct look *x, int i)
{
    for (int64_t k = 1; k < count(x, i); k++)
        if (number(x, i, k) < number(x, i, k - 1))
            return 1;
    return 0;
}

/* Is the start in dimension 1 beyond the last one in dimension 0? */
int beyond_other_bound(const struct look *x, int first)
{
    if (rank(x, 0) != 2 || x->planted->node.count != first + 2
        || !is_scalar(x, first + 1))
        return 0;
    int64_t rows = first == 1 ? attr(x, "slice_sizes", 0) : size(x, 1, 0);
    return number(x, first + 1, 0) > (double)(size(x, 0, 0) - rows);
}

/* The start in dimension 1 becomes the last one in dimension 0. */
void other_bound_taken(struct look *x, int first)
{
    int64_t rows = first == 1 ? attr(x, "slice_sizes", 0) : size(x, 1, 0);
    struct value *v = own(x, first + 1);
    type_set_int(v->shape->type, v->data, 0, (uint64_t)(size(x, 0, 0) - rows));
}

/* Is a start above 0? */
int inner_start(const struct look *x, int first)
{
    for (int i = first; i < x->planted->node.count; i++)
        if (is_scalar(x, i) && number(x, i, 0) > 0)
            return 1;
    return 0;
}

/* ---- Windows ------------------------------------------------------------- */

/* Is the initial value not the identity of the computation? */
int other_initial(const struct look *x, int i)
{
    if (i >= x->planted->node.count || !is_scalar(x, i)
        || shape_of(x, i)->type->class == COMPLEX)
        return 0;
    double v = number(x, i, 0);
    if (computes(x, "computation", "Add Or Xor"))
        return v != 0;
    if (computes(x, "computation", "Mul"))
        return v != 1;
    return 0;
}

int padded(const struct look *x)
{
    return attr_most(x, "padding") > 0;
}

/* Do two numbers of operand 0 that are neighbours have one value? */
int ties(const struct look *x)
{
    for (int64_t k = 1; k < count(x, 0); k++)
        if (number(x, 0, k) == number(x, 0, k - 1))
            return 1;
    return 0;
}

int all_below(const struct look *x, double most)
{
    for (int64_t k = 0; k < count(x, 0); k++)
        if (!(number(x, 0, k) < most))
            return 0;
    return count(x, 0) > 0;
}

/* ---- Products ------------------------------------------------------------ */

/* How many terms a product of two has. */
int64_t terms(const struct look *x)
{
    int n = attr_count(x, "dimension_numbers.lhs_contracting_dimensions");
    if (strcmp(x->planted->node.op->name, "Dot") == 0)
        return rank(x, 0) >= 1 ? size(x, 0, -1) : 1;
    int64_t product = 1;
    for (int k = 0; k < n; k++)
        product *= size(
            x, 0,
            (int)attr(x, "dimension_numbers.lhs_contracting_dimensions", k));
    return product;
}

int diagonal_has_negative(const struct look *x, int i)
{
    int64_t n = size(x, i, -1);
    for (int64_t k = 0; n > 0 && k < count(x, i); k++)
        if (k % n == k / n % n && number(x, i, k) < 0)
            return 1;
    return 0;
}

/* Has the half that is not read something else than zero? */
int other_half_dirty(const struct look *x, int i)
{
    int64_t n = size(x, i, -1);
    int lower = attr(x, "lower", 0) == 1;
    for (int64_t k = 0; n > 0 && k < count(x, i); k++) {
        int64_t row = k / n % n, column = k % n;
        if ((lower ? column > row : column < row) && number(x, i, k) != 0)
            return 1;
    }
    return 0;
}

int size_is_power_of_two(int64_t n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

/* ---- Computations -------------------------------------------------------- */

/* How many instructions has a called computation? */
int length_of(const struct look *x, const char *name)
{
    const struct computation *c = called(x, name);
    return c != NULL ? c->count : 0;
}

/* Are two branches one computation? */
int branches_alike(const struct look *x)
{
    const struct attribute *a =
        attribute_find(&x->planted->node, "branch_computations");
    for (int j = 1; a != NULL && a->ints != NULL && j < a->count; j++)
        for (int i = 0; i < j; i++)
            if (a->ints[i] == a->ints[j])
                return 1;
    return 0;
}

/* Is the computation called by another instruction, too? */
int shared_computation(const struct look *x, const char *name)
{
    const struct computation *c = called(x, name);
    const struct program *p = x->run->machine->program;
    int calls = 0;
    for (int i = 0; c != NULL && i < p->count; i++)
        for (int k = 0; k < p->computations[i].count; k++) {
            const struct node *n = original(&p->computations[i].nodes[k]);
            const struct attribute *a = attribute_find(n, name);
            calls += a != NULL && a->ints != NULL && n->op->name != NULL
                     && attribute_has(a, (int64_t)(c - p->computations));
        }
    return calls > 1;
}

/* Has a tuple an array without elements before another one? */
int empty_before(const struct look *x)
{
    const struct shape *s = shape_of(x, RESULT);
    for (int i = 0; s->kind == ASSAY_TUPLE && i + 1 < s->rank; i++)
        if (s->elements[i]->kind == ASSAY_ARRAY
            && shape_count(s->elements[i]) == 0)
            return 1;
    return 0;
}

/* Element j of a tuple becomes element i, if they are alike. */
void part_becomes(struct look *x, int i, int j)
{
    struct value *v = x->run->result;
    if (v->shape->kind == ASSAY_TUPLE && i < v->shape->rank
        && j < v->shape->rank
        && shape_equal(v->shape->elements[i], v->shape->elements[j]))
        v->elements[j] = v->elements[i];
}

int parts_alike(const struct look *x, int i, int j)
{
    const struct shape *s = shape_of(x, RESULT);
    return s->kind == ASSAY_TUPLE && i < s->rank && j < s->rank
           && s->elements[i]->kind == ASSAY_ARRAY
           && shape_equal(s->elements[i], s->elements[j]);
}

/* ---- Dynamic sizes ------------------------------------------------------- */

/* Are two dimensions of operand 0 dynamic? */
int two_dynamic(const struct look *x)
{
    int n = 0;
    for (int d = 0; d < rank(x, 0); d++)
        n += dimension_is_dynamic(x, 0, d);
    return n >= 2;
}

/* Is the size of a dynamic dimension odd, and below the bound? */
int odd_dynamic(const struct look *x)
{
    for (int d = 0; d < rank(x, 0); d++)
        if (dimension_is_dynamic(x, 0, d)
            && value_size(value_at(x, 0), d) % 2 == 1
            && value_size(value_at(x, 0), d) < size(x, 0, d))
            return 1;
    return 0;
}

/* Is the last of several dimensions dynamic, and below its bound? */
int last_dynamic(const struct look *x)
{
    return rank(x, 0) >= 2 && dimension_is_dynamic(x, 0, rank(x, 0) - 1)
           && below_bound(x, rank(x, 0) - 1);
}

void result_one_more(struct look *x)
{
    set_result(x, 0, number(x, RESULT, 0) + 1);
}

/* ---- Replicas ------------------------------------------------------------ */

/* How many members has a group? */
int members(const struct look *x)
{
    int n = attr_count(x, "replica_groups");
    int groups = attr_parts(x, "replica_groups");
    if (x->all == NULL)
        return 0;
    return groups > 0 && n > 0 ? n / groups : x->all->count;
}

/* Is this replica the last of those that run? */
int is_last_process(const struct look *x)
{
    return x->all != NULL && x->all->count > 1
           && x->run == &x->all->runs[x->all->count - 1];
}

/* Does nothing come to this replica? */
int nothing_comes(const struct look *x)
{
    for (int k = 1; k < attr_count(x, "source_target_pairs"); k += 2)
        if (attr(x, "source_target_pairs", k) == x->run->replica)
            return 0;
    return attr_count(x, "source_target_pairs") > 0;
}

/* Its own operand is given. */
void operand_kept(struct look *x, int i)
{
    if (same_shape(x, i, RESULT))
        result_from(x, value_copy(x->run->memory, value_at(x, i)));
}
