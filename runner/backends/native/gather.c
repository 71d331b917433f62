/* gather.c - Gather: slices at computed places.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "native.h"

#define DN "dimension_numbers."

static const char *const names[5] = {
    DN "offset_dims", DN "collapsed_slice_dims", DN "start_index_map",
    DN "operand_batching_dims", DN "start_indices_batching_dims"};

static assay_code check_sizes(struct check *c, const struct indexing *d,
                              const struct attribute *sizes)
{
    const struct shape *x = c->operands[0];
    if (sizes->count != x->rank)
        return program_fail(c, ASSAY_SHAPE,
                            "slice_sizes has %d entries for rank %d",
                            (int)sizes->count, x->rank);
    for (int i = 0; i < x->rank; i++) {
        int64_t size = sizes->ints[i];
        int narrow =
            attribute_has(d->removed, i) || attribute_has(d->batching, i);
        if (size < 0 || size > x->dims[i] || (narrow && size > 1))
            return program_fail(c, ASSAY_ATTRIBUTE, "slice_sizes[%d] is %lld",
                                i, (long long)size);
    }
    return ASSAY_OK;
}

assay_code gather_check(struct check *c)
{
    const struct shape *x = c->operands[0], *s = c->operands[1];
    const struct attribute *sizes;
    struct indexing d;
    indexing_read(&d, c->node, names);
    if (x->kind != ASSAY_ARRAY || s->kind != ASSAY_ARRAY)
        return program_fail(c, ASSAY_TYPE, "an operand is not an array");
    TRY(indexing_check_vector(c, &d, s));
    TRY(attribute_need(c, "slice_sizes", &sizes));
    int rank = indexing_rank(&d, s), sides[RANK_MAX];
    int64_t dims[RANK_MAX];
    TRY(indexing_check(c, &d, x, s, rank));
    TRY(check_sizes(c, &d, sizes));
    if (rank > RANK_MAX)
        return program_fail(c, ASSAY_UNSUPPORTED, "too many dimensions");
    indexing_sides(&d, rank, sides);
    for (int i = 0; i < rank; i++)
        dims[i] =
            sides[i] >= 0 ? sizes->ints[sides[i]] : s->dims[-1 - sides[i]];
    c->result = shape_new(c->memory, x->type, rank, dims);
    return ASSAY_OK;
}

/* A slice is moved where it lies within the operand. */
static int64_t source(const struct indexing *d, const struct value *s,
                      const struct shape *x, const int64_t *slice, int rank,
                      const int *sides, const int64_t *index)
{
    int64_t start[RANK_MAX] = {0}, from[RANK_MAX] = {0};
    indexing_find(d, s, rank, sides, index, start, from);
    for (int i = 0; i < x->rank; i++) {
        int64_t limit = x->dims[i] - slice[i];
        from[i] += start[i] < 0 ? 0 : start[i] > limit ? limit : start[i];
    }
    return shape_offset(x->rank, x->dims, from);
}

assay_code gather_run(struct run *r)
{
    const int64_t *slice = attribute_find(r->node, "slice_sizes")->ints;
    const struct value *x = r->operands[0];
    struct value *out = machine_result(r);
    const struct shape *s = out->shape;
    int64_t n = shape_count(s), index[RANK_MAX] = {0};
    int sides[RANK_MAX];
    struct indexing d;
    indexing_read(&d, r->node, names);
    indexing_sides(&d, s->rank, sides);
    /* A slice without elements, along a dimension that the result lacks. */
    for (int i = 0; i < x->shape->rank; i++)
        n = slice[i] == 0 ? 0 : n;
    for (int64_t i = 0; i < n; i++) {
        value_move(
            out, i, x,
            source(&d, r->operands[1], x->shape, slice, s->rank, sides, index));
        shape_next(s->rank, s->dims, index);
    }
    return ASSAY_OK;
}

/* Whole dimensions of the operand keep their sizes, and so do the index
 * vectors. */
void gather_keep(const struct run *r)
{
    int64_t *sizes = r->result->sizes;
    const struct shape *s = r->node->shape;
    int sides[RANK_MAX];
    struct indexing d;
    indexing_read(&d, r->node, names);
    indexing_sides(&d, s->rank, sides);
    for (int i = 0; i < s->rank; i++)
        if (s->dynamic[i])
            sizes[i] = sides[i] >= 0
                           ? value_size(r->operands[0], sides[i])
                           : value_size(r->operands[1], -1 - sides[i]);
}
