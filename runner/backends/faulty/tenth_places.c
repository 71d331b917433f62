/* tenth_places.c - what the faults of the tenth set ask and do about places,
 * orders, computations, sizes and replicas.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>

#include "faulty.h"

static struct value *part_of(const struct look *x, int k)
{
    struct value *v = x->run->result;
    return v->shape->kind == ASSAY_TUPLE ? v->elements[k] : v;
}

/* ---- Rows and dimensions ------------------------------------------------- */

void spoil_row(struct look *x, int d, int64_t at)
{
    struct value *v = part_of(x, 0);
    const struct shape *s = v->shape;
    int64_t index[RANK_MAX] = {0}, n = shape_count(s);
    for (int64_t k = 0; k < n; k++) {
        if (index[d < 0 ? s->rank + d : d] == at)
            spoil(v, k);
        shape_next(s->rank, s->dims, index);
    }
}

/* What has index i of dimension d changes places with n - 1 - i. */
void dimension_turned(struct look *x, int d)
{
    struct value *v = x->run->result;
    const struct shape *s = v->shape;
    struct value *copy = value_copy(x->run->memory, v);
    int64_t index[RANK_MAX] = {0}, at[RANK_MAX], n = shape_count(s);
    for (int64_t k = 0; k < n; k++) {
        memcpy(at, index, (size_t)s->rank * sizeof *at);
        at[d] = s->dims[d] - 1 - index[d];
        value_move(v, k, copy, shape_offset(s->rank, s->dims, at));
        shape_next(s->rank, s->dims, index);
    }
}

/* The last partial block of each row is the operand's. */
void row_tails_kept(struct look *x, int64_t block)
{
    int64_t n = size(x, RESULT, -1);
    for (int64_t k = 0; n > 0 && k < count(x, RESULT); k++)
        if (k % n >= n - n % block)
            value_move(x->run->result, k, value_at(x, 0), k);
}

/* Elements of the last partial block are zero. */
void tail_is_zero(struct look *x, int64_t block)
{
    struct value *v = part_of(x, 0);
    int64_t n = shape_count(v->shape), bytes = v->shape->type->bytes;
    memset(v->data + (n - n % block) * bytes, 0, (size_t)(n % block * bytes));
}

/* Each block has the value of its first element. */
void blocks_are_first(struct look *x, int64_t block)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (k % block != 0)
            copy_element(x, k, k - k % block);
}

/* What was spread is read as if it were not, again and again. */
void spread_read_flat(struct look *x)
{
    const struct value *v = made_of(x, 0, 0);
    int64_t n = shape_count(v->shape);
    for (int64_t k = 0; n > 0 && k < count(x, RESULT); k++)
        value_move(x->run->result, k, v, k % n);
}

/* A column is read as a row. */
void column_as_row(struct look *x)
{
    int64_t from = attr(x, "start_indices", 0) * size(x, 0, 1)
                   + attr(x, "start_indices", 1);
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (from + k < count(x, 0))
            value_move(x->run->result, k, value_at(x, 0), from + k);
}

/* A shift by one that copies forward over itself. */
void first_fills(struct look *x)
{
    int64_t low = attr(x, "padding_config", 0);
    for (int64_t k = low; k < count(x, RESULT); k++)
        value_move(x->run->result, k, value_at(x, 0), 0);
}

void iota_linear(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        set_result(x, k, (double)k);
}

void operand_batch_repeats(struct look *x, int i)
{
    struct value *v = own(x, i);
    int64_t n = v->shape->dims[0] > 0 ? count(x, i) / v->shape->dims[0] : 0;
    for (int64_t k = n; k < count(x, i); k++)
        value_move(v, k, v, k % n);
}

/* Is operand 0 a Slice that does not begin at the beginning? */
int sliced_from_inside(const struct look *x)
{
    if (!from(x, 0, "Slice"))
        return 0;
    const struct attribute *a = attribute_find(maker(x, 0), "start_indices");
    for (int64_t k = 0; a != NULL && k < a->count; k++)
        if (a->ints[k] > 0)
            return count(x, 0) > 0;
    return 0;
}

/* Its elements are read from the beginning, one after the other. */
void offset_lost(struct look *x)
{
    operand_raw(x, 0, made_of(x, 0, 0));
}

int cube_turned(const struct look *x)
{
    return rank(x, 0) == 3 && attr(x, "permutation", 0) == 2
           && attr(x, "permutation", 1) == 1 && size(x, 0, 0) == size(x, 0, 2);
}

int pads_both_outer(const struct look *x)
{
    return rank(x, 0) == 3 && attr(x, "padding_config", 0) > 0
           && attr(x, "padding_config", 6) > 0 && count(x, RESULT) > 0;
}

/* ---- Indices ------------------------------------------------------------- */

static int64_t first_mapped(const struct look *x)
{
    int64_t d = attr(x, "dimension_numbers.start_index_map", 0);
    return d >= 0
               ? d
               : attr(x, "dimension_numbers.scatter_dims_to_operand_dims", 0);
}

/* Is the indexed dimension larger than half the range of the indices? */
int index_type_small(const struct look *x)
{
    int64_t d = first_mapped(x);
    return d >= 0
           && ((is(x, 1, "s8") && size(x, 0, (int)d) > 128)
               || (is(x, 1, "u8") && size(x, 0, (int)d) > 256));
}

/* Does an index come right after the one before it? */
int neighbours_indexed(const struct look *x)
{
    for (int64_t k = 1; k < count(x, 1); k++)
        if (fabs(number(x, 1, k) - number(x, 1, k - 1)) == 1)
            return 1;
    return 0;
}

/* Do indices never descend, and are two neighbours equal? */
int in_segments(const struct look *x)
{
    int equal = 0;
    for (int64_t k = 1; k < count(x, 1); k++) {
        if (number(x, 1, k) < number(x, 1, k - 1))
            return 0;
        equal |= number(x, 1, k) == number(x, 1, k - 1);
    }
    return equal;
}

/* An odd start of an update of 2 or 4 bits, or an odd end of one of 16. */
int64_t clobbered_at(const struct look *x)
{
    int64_t n = size(x, 1, 0), most = size(x, 0, 0) - n;
    if (rank(x, 0) != 1 || x->planted->node.count < 3 || !is_scalar(x, 2)
        || n < 1)
        return -1;
    double s = number(x, 2, 0);
    int64_t start = s < 0 ? 0 : s > (double)most ? most : (int64_t)s;
    if (shape_of(x, 0)->type->bits <= 4)
        return start % 2 == 1 ? start - 1 : -1;
    return n % 2 == 1 && start + n < size(x, 0, 0) ? start + n : -1;
}

/* ---- Sums ---------------------------------------------------------------- */

/* Products of bytes are added in pairs of 16 bits, which saturate. */
void pairs_saturate(struct look *x)
{
    int64_t n = size(x, 0, -1), columns = size(x, 1, -1);
    double most = is(x, 0, "u8") ? 65535 : 32767;
    for (int64_t r = 0; n > 1 && r < count(x, RESULT); r++) {
        double sum = 0;
        for (int64_t k = 0; k < n; k += 2) {
            double two = number(x, 0, r / columns * n + k)
                         * number(x, 1, k * columns + r % columns);
            if (k + 1 < n)
                two += number(x, 0, r / columns * n + k + 1)
                       * number(x, 1, (k + 1) * columns + r % columns);
            sum += two > most ? most : two < -32768 ? -32768 : two;
        }
        set_result(x, r, sum);
    }
}

/* A running sum: what was infinite or NaN once, makes all that follows NaN. */
void running_sum(struct look *x)
{
    int64_t window = attr(x, "window_dimensions", 0);
    for (int64_t k = 0; k < count(x, 0); k++)
        if (!isfinite(number(x, 0, k)))
            for (int64_t j = k + window; j < count(x, RESULT); j++)
                set_result(x, j, NAN);
}

double to_power_of_two(double v)
{
    int e;
    if (v == 0 || !isfinite(v))
        return v;
    double f = frexp(v, &e);
    return ldexp(copysign(fabs(f) >= 0.75 ? 1 : 0.5, f), e);
}

int not_power_of_two(double v)
{
    return isfinite(v) && to_power_of_two(v) != v;
}

/* A place within 64 of a dimension, in the second result. */
void place_modulo_64(struct look *x)
{
    struct value *v = x->run->result->elements[1];
    for (int64_t k = 0; k < shape_count(v->shape); k++)
        type_set_int(v->shape->type, v->data, k,
                     type_int(v->shape->type, v->data, k) & 63);
}

/* Rows of a group that begins within a tile of 4: its first one. */
void group_in_tile(struct look *x)
{
    int64_t row = 0;
    for (int64_t g = 0; g < count(x, 2); g++) {
        int64_t n = (int64_t)number(x, 2, g);
        if (row % 4 != 0 && n >= 2 && row + 1 < size(x, RESULT, 0))
            spoil_place(x, (row + 1) * size(x, RESULT, 1) - 1);
        row += n;
    }
}

/* ---- Orders -------------------------------------------------------------- */

/* How many numbers the result has that are below zero, if it is sorted. */
static int64_t negatives_of(const struct look *x)
{
    int64_t below = 0;
    while (below < count(x, RESULT) && number(x, RESULT, below) < 0)
        below++;
    return below;
}

/* Integers are sorted by their bits, so that negative ones come last. */
void negatives_last(struct look *x)
{
    struct value *v = x->run->result;
    struct value *copy = value_copy(x->run->memory, v);
    int64_t n = count(x, RESULT), below = negatives_of(x);
    for (int64_t k = 0; k < n; k++)
        value_move(v, k, copy, (k + below) % n);
}

/* Floats below zero come from the least magnitude on. */
void negatives_turned(struct look *x)
{
    struct value *v = x->run->result;
    struct value *copy = value_copy(x->run->memory, v);
    int64_t below = negatives_of(x);
    for (int64_t k = 0; k < below; k++)
        value_move(v, k, copy, below - 1 - k);
}

/* The indices of rows count on from one row to the next. */
void places_count_on(struct look *x)
{
    struct value *v = x->run->result->elements[1];
    int64_t k = attr(x, "k", 0), n = size(x, 0, -1);
    for (int64_t i = 0; k > 0 && i < shape_count(v->shape); i++)
        type_set_int(v->shape->type, v->data, i,
                     type_int(v->shape->type, v->data, i)
                         + (uint64_t)(i / k * n));
}

/* The least number of its type is among the operand's. */
int has_least(const struct look *x)
{
    const struct shape *s = shape_of(x, 0);
    double least = s->type->class == SINT ? -ldexp(1, s->type->bits - 1) : 0;
    for (int64_t k = 0; k < count(x, 0); k++)
        if (number(x, 0, k) == least)
            return 1;
    return 0;
}

int is_diagonal(const struct look *x)
{
    int64_t n = size(x, 0, -1);
    for (int64_t k = 0; k < count(x, 0); k++)
        if (k % n != k / n % n && number(x, 0, k) != 0)
            return 0;
    return n > 1 && count(x, 0) > 0;
}

/* ---- Computations -------------------------------------------------------- */

const struct computation *called_at(const struct look *x, int i)
{
    const struct node *n = &x->planted->node;
    const struct program *p = x->run->machine->program;
    for (int a = 0; a < n->attribute_count; a++) {
        const struct attribute *t = &n->attributes[a];
        if (t->kind != ASSAY_COMPUTATIONS || t->ints == NULL)
            continue;
        for (int64_t k = 0; k < t->count; k++)
            if (t->ints[k] >= 0 && t->ints[k] < p->count && i-- == 0)
                return &p->computations[t->ints[k]];
    }
    return NULL;
}

/* Is the result of a called computation made so? */
int returns(const struct look *x, const char *ops)
{
    const struct computation *c;
    for (int i = 0; (c = called_at(x, i)) != NULL; i++)
        if (has_word(ops, original(&c->nodes[c->root])->op->name))
            return 1;
    return 0;
}

/* An earlier instruction of the same operation, by the same first operand? */
int chosen_before(const struct look *x)
{
    const struct planted *p = x->planted;
    for (int k = 0; k < p->at; k++) {
        const struct node *n = original(&p->in->nodes[k]);
        if (strcmp(n->op->name, p->node.op->name) == 0 && n->count > 0
            && p->node.count > 0 && n->operands[0] == p->node.operands[0])
            return 1;
    }
    return 0;
}

/* One with another attribute? */
int other_before(const struct look *x, const char *name)
{
    const struct planted *p = x->planted;
    for (int k = 0; k < p->at; k++) {
        const struct node *n = original(&p->in->nodes[k]);
        if (strcmp(n->op->name, p->node.op->name) == 0
            && attribute_int(n, name, -1) != attribute_int(&p->node, name, -1))
            return 1;
    }
    return 0;
}

/* Is an array of a loop's result as it was before the loop? */
int kept_by_loop(const struct look *x)
{
    int64_t i = attr(x, "index", 0);
    const struct value *state = made_of(x, 0, 0), *v = x->run->result;
    if (state->shape->kind != ASSAY_TUPLE || i < 0 || i >= state->shape->rank
        || state->elements[i]->shape->kind != ASSAY_ARRAY
        || !shape_equal(state->elements[i]->shape, v->shape))
        return 0;
    return memcmp(state->elements[i]->data, v->data,
                  (size_t)(shape_count(v->shape) * v->shape->type->bytes))
           == 0;
}

/* Does a loop's counter come within n of its bound, after some trips of n? */
int rest_of_trips(const struct look *x, int64_t n)
{
    double left = is_scalar(x, 0) && is_scalar(x, 1)
                      ? number(x, 1, 0) - number(x, 0, 0)
                      : 0;
    return x->planted->calls > n && (x->planted->calls - 1) % n == 0 && left > 0
           && left < (double)n;
}

void barrier_turns(struct look *x, int n)
{
    struct value *first = x->run->result->elements[0];
    for (int k = 0; k + 1 < n; k++)
        x->run->result->elements[k] = x->run->result->elements[k + 1];
    x->run->result->elements[n - 1] = first;
}

/* Are the first n elements of a tuple alike? */
int alike(const struct look *x, int n)
{
    const struct shape *s = shape_of(x, RESULT);
    if (s->kind != ASSAY_TUPLE || s->rank < n)
        return 0;
    for (int k = 1; k < n; k++)
        if (!shape_equal(s->elements[0], s->elements[k]))
            return 0;
    return 1;
}

int parts(const struct look *x)
{
    const struct shape *s = shape_of(x, RESULT);
    return s->kind == ASSAY_TUPLE ? s->rank : 0;
}

int part_is(const struct look *x, int k, const char *types)
{
    const struct shape *s = shape_of(x, RESULT);
    return s->kind == ASSAY_TUPLE && k < s->rank
           && s->elements[k]->kind == ASSAY_ARRAY
           && has_word(types, s->elements[k]->type->name);
}

int part_rank(const struct look *x, int k)
{
    const struct shape *s = shape_of(x, RESULT);
    return s->kind == ASSAY_TUPLE && k < s->rank
                   && s->elements[k]->kind == ASSAY_ARRAY
               ? s->elements[k]->rank
               : -1;
}

/* ---- Dynamic sizes ------------------------------------------------------- */

void sizes_are_bounds(struct look *x)
{
    struct value *v = part_of(x, 0);
    for (int d = 0; v->sizes != NULL && d < v->shape->rank; d++)
        v->sizes[d] = v->shape->dims[d];
}

void other_sizes_are_bounds(struct look *x)
{
    struct value *v = x->run->result;
    for (int d = 0; v->sizes != NULL && d < v->shape->rank; d++)
        if (d != attr(x, "dimension", 0))
            v->sizes[d] = v->shape->dims[d];
}

void sizes_one_less(struct look *x)
{
    struct value *v = x->run->result;
    for (int d = 0; v->sizes != NULL && d < v->shape->rank; d++)
        if (v->sizes[d] > 1 && v->shape->dynamic != NULL
            && v->shape->dynamic[d])
            v->sizes[d]--;
}

/* Is one element left of a dynamic dimension of operand 0? */
int one_is_left(const struct look *x)
{
    for (int d = 0; d < rank(x, 0); d++)
        if (dimension_is_dynamic(x, 0, d) && value_size(value_at(x, 0), d) == 1
            && size(x, 0, d) > 1)
            return 1;
    return 0;
}

int none_is_left(const struct look *x)
{
    for (int d = 0; d < rank(x, 0); d++)
        if (dimension_is_dynamic(x, 0, d) && value_size(value_at(x, 0), d) == 0)
            return 1;
    return 0;
}

/* Are all there? */
int all_are_left(const struct look *x)
{
    for (int d = 0; d < rank(x, 0); d++)
        if (value_size(value_at(x, 0), d) != size(x, 0, d))
            return 0;
    return is_dynamic(x, 0);
}

/* ---- Replicas ------------------------------------------------------------ */

/* Is the last element that of the array that is sent into? */
int last_not_sent(const struct look *x)
{
    const struct value *v = x->run->result, *w = value_at(x, 1);
    int64_t n = count(x, RESULT), bytes = v->shape->type->bytes;
    return n > 0 && n == count(x, 1)
           && memcmp(v->data + (n - 1) * bytes, w->data + (n - 1) * bytes,
                     (size_t)bytes)
                  == 0;
}

int receives_from_above(const struct look *x)
{
    for (int k = 1; k < attr_count(x, "source_target_pairs"); k += 2)
        if (attr(x, "source_target_pairs", k)
            < attr(x, "source_target_pairs", k - 1))
            return 1;
    return 0;
}

/* ---- Random numbers ------------------------------------------------------ */

void variance_for_deviation(struct look *x)
{
    double mean = number(x, 0, 0), sigma = number(x, 1, 0);
    for (int64_t k = 0; k < count(x, RESULT); k++)
        set_result(x, k, (number(x, RESULT, k) - mean) * sigma + mean);
}
