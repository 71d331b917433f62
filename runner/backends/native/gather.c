/* gather.c - Gather: slices at computed places.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "native.h"

#define DN "dimension_numbers."

struct numbers {
    const struct attribute *offset, *collapsed, *start_map, *sizes;
    const struct attribute *operand_batching, *indices_batching;
    int64_t vector_dim;
};

static const struct attribute none = {"",   ASSAY_INTS, 0,    NULL, 0,
                                      NULL, NULL,       NULL, NULL};

static const struct attribute *list(const struct node *n, const char *name)
{
    const struct attribute *a = attribute_find(n, name);
    return a != NULL ? a : &none;
}

static void read_numbers(const struct node *n, struct numbers *d)
{
    d->offset = list(n, DN "offset_dims");
    d->collapsed = list(n, DN "collapsed_slice_dims");
    d->start_map = list(n, DN "start_index_map");
    d->operand_batching = list(n, DN "operand_batching_dims");
    d->indices_batching = list(n, DN "start_indices_batching_dims");
    d->sizes = list(n, "slice_sizes");
    d->vector_dim = attribute_int(n, DN "index_vector_dim", -1);
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

static assay_code check_lists(struct check *c, const struct numbers *d)
{
    const struct shape *x = c->operands[0], *s = c->operands[1];
    int batch = s->rank - (d->vector_dim < s->rank);
    assay_code code = increasing(c, d->offset, batch + (int)d->offset->count);
    if (code == ASSAY_OK)
        code = increasing(c, d->collapsed, x->rank);
    if (code == ASSAY_OK)
        code = increasing(c, d->operand_batching, x->rank);
    if (code == ASSAY_OK)
        code = attribute_dimensions(c, d->start_map, x->rank);
    if (code == ASSAY_OK)
        code = attribute_dimensions(c, d->indices_batching, s->rank);
    if (code != ASSAY_OK)
        return code;
    int64_t vector = d->vector_dim < s->rank ? s->dims[d->vector_dim] : 1;
    if (d->start_map->count != vector)
        return program_fail(c, ASSAY_ATTRIBUTE,
                            "start_index_map has %d entries, index vectors %d",
                            (int)d->start_map->count, (int)vector);
    if (d->sizes->count != x->rank)
        return program_fail(c, ASSAY_SHAPE,
                            "slice_sizes has %d entries for rank %d",
                            (int)d->sizes->count, x->rank);
    if (d->offset->count + d->collapsed->count + d->operand_batching->count
        != x->rank)
        return program_fail(c, ASSAY_SHAPE,
                            "offset, collapsed and batching dimensions are "
                            "not as many as the operand's");
    if (d->operand_batching->count != d->indices_batching->count)
        return program_fail(c, ASSAY_ATTRIBUTE,
                            "batching dimensions of different number");
    return ASSAY_OK;
}

static assay_code check_sizes(struct check *c, const struct numbers *d)
{
    const struct shape *x = c->operands[0], *s = c->operands[1];
    for (int i = 0; i < x->rank; i++) {
        int64_t size = d->sizes->ints[i];
        int narrow = attribute_has(d->collapsed, i)
                     || attribute_has(d->operand_batching, i);
        if (attribute_has(d->operand_batching, i)
            && (attribute_has(d->collapsed, i)
                || attribute_has(d->start_map, i)))
            return program_fail(c, ASSAY_ATTRIBUTE,
                                "dimension %d is batching and something else",
                                i);
        if (size < 0 || size > x->dims[i] || (narrow && size > 1))
            return program_fail(c, ASSAY_ATTRIBUTE, "slice_sizes[%d] is %lld",
                                i, (long long)size);
    }
    for (int64_t i = 0; i < d->operand_batching->count; i++) {
        int64_t k = d->indices_batching->ints[i];
        if (k == d->vector_dim)
            return program_fail(c, ASSAY_ATTRIBUTE,
                                "the index vector cannot be batched");
        if (x->dims[d->operand_batching->ints[i]] != s->dims[k])
            return program_fail(c, ASSAY_SHAPE,
                                "batching dimensions of different size");
    }
    return ASSAY_OK;
}

assay_code gather_check(struct check *c)
{
    const struct shape *x = c->operands[0], *s = c->operands[1];
    struct numbers d;
    read_numbers(c->node, &d);
    if (x->kind != ASSAY_ARRAY || s->kind != ASSAY_ARRAY)
        return program_fail(c, ASSAY_TYPE, "an operand is no array");
    if (!type_is_integer(s->type))
        return program_fail(c, ASSAY_TYPE, "indices of type %s", s->type->name);
    if (d.vector_dim < 0 || d.vector_dim > s->rank)
        return program_fail(c, ASSAY_ATTRIBUTE, "index_vector_dim is %lld",
                            (long long)d.vector_dim);
    assay_code code = check_lists(c, &d);
    if (code == ASSAY_OK)
        code = check_sizes(c, &d);
    if (code != ASSAY_OK)
        return code;
    int rank = s->rank - (d.vector_dim < s->rank) + (int)d.offset->count;
    int64_t dims[2 * RANK_MAX];
    int at = 0, window = 0;
    if (rank > RANK_MAX)
        return program_fail(c, ASSAY_UNSUPPORTED, "too many dimensions");
    for (int i = 0; i < rank; i++) {
        if (attribute_has(d.offset, i)) {
            while (attribute_has(d.collapsed, window)
                   || attribute_has(d.operand_batching, window))
                window++;
            dims[i] = d.sizes->ints[window++];
        } else {
            at += at == d.vector_dim;
            dims[i] = s->dims[at++];
        }
    }
    c->result = shape_new(c->memory, x->type, rank, dims);
    return ASSAY_OK;
}

/* Component k of the index vector at batch, which has room for it. */
static int64_t start_at(const struct numbers *d, const struct value *s,
                        int64_t *place, int64_t k, int64_t limit)
{
    if (d->vector_dim < s->shape->rank)
        place[d->vector_dim] = k;
    uint64_t x = type_int(s->shape->type, s->data,
                          shape_offset(s->shape->rank, s->shape->dims, place));
    if (s->shape->type->class == SINT && (int64_t)x < 0)
        return 0;
    return x > (uint64_t)limit ? limit : (int64_t)x; /* kept inside */
}

static int64_t source(const struct numbers *d, const struct value *x,
                      const struct value *s, int rank, const int64_t *index)
{
    int64_t place[RANK_MAX] = {0}, from[RANK_MAX] = {0};
    int at = 0, window = 0;
    for (int i = 0; i < rank; i++) {
        if (attribute_has(d->offset, i)) {
            while (attribute_has(d->collapsed, window)
                   || attribute_has(d->operand_batching, window))
                window++;
            from[window++] = index[i];
        } else {
            at += at == d->vector_dim;
            place[at++] = index[i];
        }
    }
    for (int64_t i = 0; i < d->operand_batching->count; i++)
        from[d->operand_batching->ints[i]] =
            place[d->indices_batching->ints[i]];
    for (int64_t k = 0; k < d->start_map->count; k++) {
        int64_t to = d->start_map->ints[k];
        from[to] +=
            start_at(d, s, place, k, x->shape->dims[to] - d->sizes->ints[to]);
    }
    return shape_offset(x->shape->rank, x->shape->dims, from);
}

assay_code gather_run(struct run *r)
{
    struct numbers d;
    read_numbers(r->node, &d);
    const struct value *x = r->operands[0];
    struct value *out = machine_result(r);
    int64_t n = shape_count(out->shape), index[RANK_MAX] = {0};
    size_t size = (size_t)out->shape->type->bytes;
    for (int64_t i = 0; i < n; i++) {
        int64_t j = source(&d, x, r->operands[1], out->shape->rank, index);
        memcpy(out->data + (size_t)i * size, x->data + (size_t)j * size, size);
        shape_next(out->shape->rank, out->shape->dims, index);
    }
    return ASSAY_OK;
}
