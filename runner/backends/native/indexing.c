/* indexing.c - what Gather and Scatter have in common: dimension numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Both pair a window of the operand with an index into a larger array: the
 * result of Gather, the updates of Scatter.  Some of that array's dimensions
 * run over a window, the others over the index vectors in an array of indices.
 */
#include "native.h"

static const struct attribute *list(const struct node *n, const char *name)
{
    static const struct attribute none = {.name = ""};
    const struct attribute *a = attribute_find(n, name);
    return a != NULL ? a : &none;
}

void indexing_read(struct indexing *d, const struct node *n,
                   const char *const names[5])
{
    d->window = list(n, names[0]);
    d->removed = list(n, names[1]);
    d->map = list(n, names[2]);
    d->batching = list(n, names[3]);
    d->indices_batching = list(n, names[4]);
    d->vector_dim = attribute_int(n, "dimension_numbers.index_vector_dim", -1);
}

assay_code indexing_check_vector(struct check *c, const struct indexing *d,
                                 const struct shape *indices)
{
    if (!type_is_integer(indices->type))
        return program_fail(c, ASSAY_TYPE, "indices of type %s",
                            indices->type->name);
    if (d->vector_dim < 0 || d->vector_dim > indices->rank)
        return program_fail(c, ASSAY_ATTRIBUTE, "index_vector_dim is %lld",
                            (long long)d->vector_dim);
    return ASSAY_OK;
}

static assay_code increasing(struct check *c, const struct attribute *a,
                             int rank)
{
    assay_code code = attribute_dimensions(c, a, rank);
    for (int64_t i = 1; code == ASSAY_OK && i < a->count; i++)
        if (a->ints[i] < a->ints[i - 1])
            code =
                program_fail(c, ASSAY_ATTRIBUTE, "%s must increase", a->name);
    return code;
}

static assay_code check_batching(struct check *c, const struct indexing *d,
                                 const struct shape *x, const struct shape *s)
{
    if (d->batching->count != d->indices_batching->count)
        return program_fail(c, ASSAY_ATTRIBUTE,
                            "different numbers of batching dimensions");
    for (int64_t i = 0; i < d->batching->count; i++) {
        int64_t k = d->batching->ints[i], e = d->indices_batching->ints[i];
        if (attribute_has(d->removed, k) || attribute_has(d->map, k)
            || e == d->vector_dim)
            return program_fail(c, ASSAY_ATTRIBUTE,
                                "a dimension is batching and something else");
        if (x->dims[k] != s->dims[e])
            return program_fail(c, ASSAY_SHAPE,
                                "batching dimensions differ in size");
    }
    return ASSAY_OK;
}

assay_code indexing_check(struct check *c, const struct indexing *d,
                          const struct shape *x, const struct shape *s,
                          int rank)
{
    TRY(increasing(c, d->window, rank));
    TRY(increasing(c, d->removed, x->rank));
    TRY(increasing(c, d->batching, x->rank));
    TRY(attribute_dimensions(c, d->map, x->rank));
    TRY(attribute_dimensions(c, d->indices_batching, s->rank));
    int64_t vector = d->vector_dim < s->rank ? s->dims[d->vector_dim] : 1;
    if (d->map->count != vector)
        return program_fail(c, ASSAY_ATTRIBUTE,
                            "%s has %d entries, index vectors %d", d->map->name,
                            (int)d->map->count, (int)vector);
    if (d->window->count + d->removed->count + d->batching->count != x->rank)
        return program_fail(
            c, ASSAY_SHAPE, "dimension numbers for %d dimensions, not %d",
            (int)(d->window->count + d->removed->count + d->batching->count),
            x->rank);
    return check_batching(c, d, x, s);
}

int indexing_rank(const struct indexing *d, const struct shape *indices)
{
    return indices->rank - (d->vector_dim < indices->rank)
           + (int)d->window->count;
}

void indexing_sides(const struct indexing *d, int rank, int *sides)
{
    int window = 0, place = 0;
    for (int i = 0; i < rank; i++) {
        if (attribute_has(d->window, i)) {
            while (attribute_has(d->removed, window)
                   || attribute_has(d->batching, window))
                window++;
            sides[i] = window++;
        } else {
            place += place == d->vector_dim;
            sides[i] = -1 - place++;
        }
    }
}

/* Component k of the index vector at place; one that is out of every range
 * stays so, whatever is added to it. */
static int64_t component(const struct indexing *d, const struct value *s,
                         int64_t *place, int64_t k)
{
    const int64_t far = INT64_C(1) << 40;
    if (d->vector_dim < s->shape->rank)
        place[d->vector_dim] = k;
    uint64_t x = type_int(s->shape->type, s->data,
                          shape_offset(s->shape->rank, s->shape->dims, place));
    if (s->shape->type->class == SINT && (int64_t)x < 0)
        return (int64_t)x < -far ? -far : (int64_t)x;
    return x > (uint64_t)far ? far : (int64_t)x;
}

void indexing_find(const struct indexing *d, const struct value *indices,
                   int rank, const int *sides, const int64_t *index,
                   int64_t *start, int64_t *offset)
{
    int64_t place[RANK_MAX] = {0};
    for (int i = 0; i < rank; i++) {
        if (sides[i] >= 0)
            offset[sides[i]] = index[i];
        else
            place[-1 - sides[i]] = index[i];
    }
    for (int64_t i = 0; i < d->batching->count; i++)
        offset[d->batching->ints[i]] = place[d->indices_batching->ints[i]];
    for (int64_t k = 0; k < d->map->count; k++)
        start[d->map->ints[k]] = component(d, indices, place, k);
}
