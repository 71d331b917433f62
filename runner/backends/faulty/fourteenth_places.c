/* fourteenth_places.c - what the faults of the fourteenth set ask and do about
 * places, windows, computations and replicas.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "fourteenth.h"

#define DN "dimension_numbers."

/* ---- What moves ---------------------------------------------------------- */

/* Is operand i a Slice that begins inside, one after the other? */
int cut_from_inside(const struct look *x, int i)
{
    if (!from(x, i, "Slice") || strided(x, i) || count(x, i) == 0)
        return 0;
    const struct attribute *a = attribute_find(maker(x, i), "start_indices");
    for (int64_t k = 0; a != NULL && a->ints != NULL && k < a->count; k++)
        if (a->ints[k] > 0)
            return 1;
    return 0;
}

/* It is the slice of its size from the beginning. */
void cut_from_beginning(struct look *x, int i)
{
    static const int64_t zeros[RANK_MAX];
    struct value *v = own(x, i);
    value_copy_box(v, zeros, made_of(x, i, 0), zeros, v->shape->dims);
}

/* As operand i, a Transpose, lies in memory. */
void as_it_lies(struct look *x, int i)
{
    operand_raw(x, i, made_of(x, i, 0));
}

/* Is operand i a Transpose that changes places, of more than one row? */
int turned(const struct look *x, int i)
{
    if (!from(x, i, "Transpose") || rank(x, i) < 2)
        return 0;
    int rows = 0;
    for (int d = 0; d < rank(x, i); d++)
        rows += size(x, i, d) > 1;
    return rows >= 2
           && memcmp(made_of(x, i, 0)->data, value_at(x, i)->data,
                     (size_t)(count(x, i) * shape_of(x, i)->type->bytes))
                  != 0;
}

/* Numbers that count along the first of two dimensions count along the other.
 */
void counts_across(struct look *x)
{
    int64_t n = size(x, RESULT, 1);
    if (count(x, 0) < 2)
        return;
    double first = number(x, 0, 0), step = number(x, 0, 1) - first;
    for (int64_t k = 0; n > 0 && k < count(x, RESULT); k++)
        set_result(x, k, first + (double)(k % n) * step);
}

/* Are the numbers of operand 0 at equal distances, and not all equal? */
int progression(const struct look *x)
{
    if (count(x, 0) < 3 || !is_integer(x, 0))
        return 0;
    double step = number(x, 0, 1) - number(x, 0, 0);
    for (int64_t k = 2; k < count(x, 0); k++)
        if (number(x, 0, k) - number(x, 0, k - 1) != step)
            return 0;
    return step != 0;
}

/* Rows of a scalar predicate but the first are from the other side. */
void first_row_chosen(struct look *x)
{
    int64_t n = size(x, RESULT, -1);
    int other = value_at(x, 0)->data[0] != 0 ? 2 : 1;
    for (int64_t k = n; n > 0 && k < count(x, RESULT); k++)
        value_move(x->run->result, k, value_at(x, other), k);
}

/* Are its first and last element alike, and another one not? */
int ends_alike(const struct look *x)
{
    int64_t n = count(x, RESULT);
    if (n < 3 || rank(x, RESULT) < 1)
        return 0;
    const struct value *v =
        attribute_find(&x->planted->node, "literal")->literal;
    size_t bytes = (size_t)v->shape->type->bytes;
    if (memcmp(v->data, v->data + (size_t)(n - 1) * bytes, bytes) != 0)
        return 0;
    for (int64_t k = 1; k < n; k++)
        if (memcmp(v->data, v->data + (size_t)k * bytes, bytes) != 0)
            return 1;
    return 0;
}

void all_are_first(struct look *x)
{
    for (int64_t k = 1; k < count(x, RESULT); k++)
        copy_element(x, k, 0);
}

/* Does an edge end within a hole of interior padding? */
int edge_in_hole(const struct look *x, int side)
{
    for (int d = 0; d < rank(x, 0); d++) {
        int64_t edge = attr(x, "padding_config", 3 * d + side);
        int64_t holes = attr(x, "padding_config", 3 * d + 2);
        if (holes > 0 && edge < 0 && -edge % (holes + 1) != 0)
            return 1;
    }
    return 0;
}

/* Does a size of 1 lie between two dimensions that are exchanged? */
int exchanged_around_one(const struct look *x)
{
    return rank(x, 0) == 3 && size(x, 0, 1) == 1 && size(x, 0, 0) > 1
           && size(x, 0, 2) > 1 && attr(x, "permutation", 0) == 2
           && attr(x, "permutation", 1) == 1;
}

static void rows_lost(struct value *v)
{
    const struct shape *s = v->shape;
    int64_t rows = s->kind == ASSAY_ARRAY && s->rank > 0 ? s->dims[0] : 0;
    if (rows < 1)
        return;
    size_t all = (size_t)(shape_count(s) * s->type->bytes);
    size_t row = all / (size_t)rows;
    memset(v->data + row, 0, all - row);
}

/* The rows of dimension 0, but the first, of each result are 0. */
void later_rows_lost(struct look *x)
{
    struct value *v = x->run->result;
    if (v->shape->kind == ASSAY_ARRAY)
        rows_lost(v);
    for (int i = 0; v->shape->kind == ASSAY_TUPLE && i < v->shape->rank; i++)
        rows_lost(v->elements[i]);
}

/* Is operand i a Rev of its first dimension, of several rows? */
int rows_reversed(const struct look *x, int i)
{
    if (!from(x, i, "Rev") || rank(x, i) < 2 || size(x, i, 0) < 2)
        return 0;
    const struct attribute *a = attribute_find(maker(x, i), "dimensions");
    return a != NULL && a->ints != NULL && a->count == 1 && a->ints[0] == 0;
}

/* ---- Indices ------------------------------------------------------------- */

/* The last index vector is the first. */
void last_index_is_first(struct look *x)
{
    int64_t n = 1;
    if (attr(x, DN "index_vector_dim", 0) == rank(x, 1) - 1)
        n = size(x, 1, -1);
    struct value *v = own(x, 1);
    int64_t all = count(x, 1);
    for (int64_t k = 0; all >= 2 * n && k < n; k++)
        value_move(v, all - n + k, v, k);
}

/* Of an Iota, the start and what follows, within its bounds or not. */
void counted_from_start(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        set_result(x, k, number(x, 1, 0) + (double)k);
}

/* Of an Iota, the index itself. */
void index_itself(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        set_result(x, k, number(x, 1, k));
}

/* The last element of operand i is its first. */
void last_is_first(struct look *x, int i)
{
    struct value *v = own(x, i);
    if (count(x, i) > 1)
        value_move(v, count(x, i) - 1, v, 0);
}

/* What nothing was written to becomes 0. */
void kept_rows_lost(struct look *x, int i)
{
    struct value *v = x->run->result;
    const struct value *old = value_at(x, i);
    size_t bytes = (size_t)v->shape->type->bytes;
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (memcmp(v->data + (size_t)k * bytes, old->data + (size_t)k * bytes,
                   bytes)
            == 0)
            memset(v->data + (size_t)k * bytes, 0, bytes);
}

/* The size is the bound. */
void size_is_its_bound(struct look *x)
{
    set_result(x, 0, (double)size(x, 0, (int)attr(x, "dimension", 0)));
}

/* What all replicas gathered is cut where this one's own piece is. */
int own_piece(const struct look *x)
{
    return from(x, 0, "AllGather") && x->planted->node.count >= 2
           && is_scalar(x, 1) && rank(x, RESULT) >= 1
           && number(x, 1, 0) == (double)(x->run->replica * size(x, RESULT, 0));
}

/* ---- Sums and windows ---------------------------------------------------- */

int all_minus_zero(const struct look *x, int64_t least)
{
    return is_float(x, 0) && count(x, 0) >= least
           && how_many(x, 0, is_minus_zero) == count(x, 0);
}

/* Covers this window, in dimension d, what lies behind the end only? */
static int behind(const struct look *x, int d, int64_t place)
{
    int64_t stride = attr(x, "window_strides", d);
    int64_t low = attr(x, "padding", 2 * d);
    int64_t apart = attr(x, "base_dilations", d);
    if (apart > 1 || low == -999)
        return 0;
    return place * (stride < 1 ? 1 : stride) - low >= size(x, 0, d);
}

/* Is window k, of the result, in a dimension behind the end? */
static int is_behind(const struct look *x, int64_t k)
{
    const struct shape *s = shape_of(x, RESULT);
    for (int d = s->rank - 1; d >= 0; d--) {
        if (behind(x, d, k % s->dims[d]))
            return 1;
        k /= s->dims[d];
    }
    return 0;
}

int has_window_behind(const struct look *x)
{
    if (!is_float(x, RESULT) || rank(x, 0) != rank(x, RESULT))
        return 0;
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (is_behind(x, k))
            return 1;
    return 0;
}

/* Windows of padding only are 0. */
void windows_behind_zero(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        if (is_behind(x, k))
            set_result(x, k, 0);
}

/* The initial value is left out of a sum. */
void initial_left_out(struct look *x, int i)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        set_result(x, k, number(x, RESULT, k) - number(x, i, 0));
}

/* Part 0 of the result is operand 0. */
void first_part_is_operand(struct look *x)
{
    struct value *v = x->run->result->elements[0];
    if (shape_equal(v->shape, shape_of(x, 0)))
        x->run->result->elements[0] =
            value_copy(x->run->memory, value_at(x, 0));
}

/* A scan of a maximum: what comes after a NaN begins anew. */
void begins_anew_after_nan(struct look *x)
{
    struct value *v = x->run->result->elements[0];
    if (!shape_equal(v->shape, shape_of(x, 0)) || rank(x, 0) != 1)
        return;
    for (int64_t k = 1; k < count(x, 0); k++)
        if (isnan(number(x, 0, k - 1)) && !isnan(number(x, 0, k))) {
            value_move(v, k, value_at(x, 0), k);
            return;
        }
}

/* Is there a NaN before a number? */
int number_after_nan(const struct look *x)
{
    for (int64_t k = 1; is_float(x, 0) && k < count(x, 0); k++)
        if (isnan(number(x, 0, k - 1)) && !isnan(number(x, 0, k)))
            return 1;
    return 0;
}

/* From the end on, odd places are those before them. */
void odd_places_repeat(struct look *x)
{
    struct value *v = x->run->result->elements[0];
    if (v->shape->kind != ASSAY_ARRAY || v->shape->rank != 1)
        return;
    for (int64_t k = 1; k < shape_count(v->shape); k += 2)
        value_move(v, k, v, k - 1);
}

/* Running sums count from 1 on. */
void counts_instead(struct look *x)
{
    for (int64_t k = 0; k < count(x, RESULT); k++)
        set_result(x, k, (double)(k + 1));
}

/* Have neighbours in a column of a matrix one value, the largest or least? */
int columns_tie(const struct look *x)
{
    int64_t n = size(x, 0, 1);
    for (int64_t k = n; rank(x, 0) == 2 && k < count(x, 0); k++)
        if (number(x, 0, k) == number(x, 0, k - n))
            return 1;
    return 0;
}

/* ---- Orders and algorithms ----------------------------------------------- */

/* What goes with two equal keys changes places. */
void tied_exchanged(struct look *x)
{
    const struct value *keys = x->run->result->elements[0];
    struct value *v = x->run->result->elements[1];
    int64_t n = shape_count(v->shape);
    if (n != shape_count(keys->shape) || keys->shape->rank != 1)
        return;
    size_t bytes = (size_t)keys->shape->type->bytes;
    for (int64_t k = 1; k < n; k++)
        if (memcmp(keys->data + (size_t)k * bytes,
                   keys->data + (size_t)(k - 1) * bytes, bytes)
            == 0) {
            struct value *old = value_copy(x->run->memory, v);
            value_move(v, k, old, k - 1);
            value_move(v, k - 1, old, k);
            return;
        }
}

/* Scaled by the next power of two, not by the length. */
void scaled_by_next_power(struct look *x)
{
    struct value *v = x->run->result;
    int64_t n = attr(x, "fft_length", 0), p = 1;
    while (p < n)
        p *= 2;
    for (int64_t k = 0; k < count(x, RESULT); k++)
        type_set_number(v->shape->type, v->data, k,
                        type_number(v->shape->type, v->data, k) * (double)n
                            / (double)p);
}

/* Of words of 64 bits, the halves are exchanged. */
void random_halves(struct look *x)
{
    struct value *v = x->run->result->elements[1];
    for (int64_t k = 0; k < shape_count(v->shape); k++) {
        uint64_t u = type_int(v->shape->type, v->data, k);
        type_set_int(v->shape->type, v->data, k, u << 32 | u >> 32);
    }
}

/* The state is what it was. */
void state_stays(struct look *x)
{
    if (shape_equal(shape_of(x, 0), x->run->result->elements[0]->shape))
        x->run->result->elements[0] =
            value_copy(x->run->memory, value_at(x, 0));
}

/* Each second number is the one before. */
void pairs_alike(struct look *x)
{
    for (int64_t k = 1; k < count(x, RESULT); k += 2)
        copy_element(x, k, k - 1);
}

/* ---- Computations -------------------------------------------------------- */

/* Counts a loop down: without the trip in which they differ by one. */
void last_step_left_out(struct look *x)
{
    if (fabs(number(x, 0, 0) - number(x, 1, 0)) == 1)
        x->run->result->data[0] = 0;
}

/* The last of the results is given for all that have its shape. */
void parts_are_last(struct look *x)
{
    struct value *v = x->run->result;
    for (int i = 0; i + 1 < v->shape->rank; i++)
        if (shape_equal(v->shape->elements[i],
                        v->shape->elements[v->shape->rank - 1]))
            v->elements[i] = v->elements[v->shape->rank - 1];
}

/* How many results have the shape of the last one? */
int like_last(const struct look *x)
{
    const struct shape *s = shape_of(x, RESULT);
    int n = 0;
    for (int i = 0; s->kind == ASSAY_TUPLE && i + 1 < s->rank; i++)
        n += shape_equal(s->elements[i], s->elements[s->rank - 1]);
    return n;
}

static void spoil_leaves(struct value *v)
{
    if (v->shape->kind == ASSAY_TUPLE)
        for (int i = 0; i < v->shape->rank; i++)
            spoil_leaves(v->elements[i]);
    else if (v->shape->kind == ASSAY_ARRAY && last_of(v) >= 0)
        spoil(v, last_of(v));
}

/* The last of each array of operand i. */
void operand_parts_spoiled(struct look *x, int i)
{
    spoil_leaves(own(x, i));
}

/* Does a called computation give back its first parameter as it is? */
int gives_back(const struct look *x)
{
    const struct computation *c = called_at(x, 0);
    return c != NULL && c->parameter_count >= 1
           && has_word("Parameter", original(&c->nodes[c->root])->op->name);
}

/* ---- Replicas ------------------------------------------------------------ */

static int64_t receiver(const struct look *x, int64_t source)
{
    for (int k = 0; k + 1 < attr_count(x, "source_target_pairs"); k += 2)
        if (attr(x, "source_target_pairs", k) == source)
            return attr(x, "source_target_pairs", k + 1);
    return -1;
}

/* How many cycles of two and more are there? */
static int cycles(const struct look *x)
{
    int found = 0;
    for (int k = 0; k + 1 < attr_count(x, "source_target_pairs"); k += 2) {
        int64_t first = attr(x, "source_target_pairs", k), at = first;
        int least = 1, steps = 0;
        do {
            at = receiver(x, at);
            least &= at >= first;
            steps++;
        } while (at >= 0 && at != first && steps < PROCESSES_MAX);
        found += at == first && least && steps > 1;
    }
    return found;
}

/* Of several cycles, is this the one to which another one than the last goes
 * back? */
int goes_back_here(const struct look *x)
{
    int64_t here = -1, last = -1;
    for (int k = 0; k + 1 < attr_count(x, "source_target_pairs"); k += 2) {
        int64_t from_which = attr(x, "source_target_pairs", k);
        int64_t to = attr(x, "source_target_pairs", k + 1);
        if (from_which <= to)
            continue;
        last = to;
        if (to == x->run->replica)
            here = to;
    }
    return here >= 0 && here != last && cycles(x) > 1;
}

/* Is this process in no group? */
int in_no_group(const struct look *x)
{
    return attr_count(x, "replica_groups") > 0
           && !attr_has(x, "replica_groups", x->run->replica);
}
