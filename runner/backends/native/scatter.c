/* scatter.c - Scatter: updates at computed places.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "native.h"

#define DN "dimension_numbers."

static const char *const names[5] = {
    DN "update_window_dims", DN "inserted_window_dims",
    DN "scatter_dims_to_operand_dims", DN "input_batching_dims",
    DN "scatter_indices_batching_dims"};

static assay_code check_arrays(struct check *c, int n)
{
    const struct shape *const *updates = c->operands + n + 1;
    TRY(program_arrays(c));
    for (int i = 0; i < n; i++) {
        if (!shape_same_dims(c->operands[i], c->operands[0])
            || !shape_same_dims(updates[i], updates[0]))
            return program_fail(c, ASSAY_SHAPE,
                                "operands or updates 0 and %d differ in shape",
                                i);
        if (updates[i]->type != c->operands[i]->type)
            return program_fail(c, ASSAY_TYPE, "operand %d is %s, updates %s",
                                i, c->operands[i]->type->name,
                                updates[i]->type->name);
    }
    return ASSAY_OK;
}

static assay_code check_called(struct check *c, int n)
{
    const struct computation *f;
    const struct shape **scalars =
        memory_new(c->memory, 2 * (size_t)n, sizeof *scalars);
    for (int i = 0; i < n; i++)
        scalars[i] = scalars[n + i] =
            shape_new(c->memory, c->operands[i]->type, 0, NULL);
    return program_reducer(c, "update_computation", n, scalars, &f);
}

/* Windows of updates are no larger than the operand, and as many as there are
 * index vectors. */
static assay_code check_sizes(struct check *c, const struct indexing *d,
                              const struct shape *x, const struct shape *s,
                              const struct shape *u)
{
    int sides[RANK_MAX];
    indexing_sides(d, u->rank, sides);
    for (int i = 0; i < u->rank; i++) {
        if (sides[i] >= 0 && u->dims[i] > x->dims[sides[i]])
            return program_fail(c, ASSAY_SHAPE,
                                "dimension %d of a window is too large", i);
        if (sides[i] < 0 && u->dims[i] != s->dims[-1 - sides[i]])
            return program_fail(
                c, ASSAY_SHAPE,
                "dimension %d of updates is not that of the indices", i);
    }
    return ASSAY_OK;
}

assay_code scatter_check(struct check *c)
{
    int n = c->count / 2;
    struct indexing d;
    indexing_read(&d, c->node, names);
    if (c->count % 2 == 0 || n < 1)
        return program_fail(c, ASSAY_STRUCTURE, "%d operands", c->count);
    const struct shape *x = c->operands[0], *s = c->operands[n];
    const struct shape *u = c->operands[n + 1];
    TRY(check_arrays(c, n));
    TRY(indexing_check_vector(c, &d, s));
    TRY(check_called(c, n));
    if (u->rank != indexing_rank(&d, s))
        return program_fail(c, ASSAY_SHAPE, "updates of rank %d, not %d",
                            u->rank, indexing_rank(&d, s));
    TRY(indexing_check(c, &d, x, s, u->rank));
    c->result = shape_joined(c->memory, n, c->operands);
    return check_sizes(c, &d, x, s, u);
}

/* The element that the update at that index goes to, or -1. */
static int64_t target(const struct indexing *d, const struct shape *x,
                      const struct value *s, int rank, const int *sides,
                      const int64_t *index)
{
    int64_t start[RANK_MAX] = {0}, to[RANK_MAX] = {0};
    indexing_find(d, s, rank, sides, index, start, to);
    for (int i = 0; i < x->rank; i++) {
        to[i] += start[i];
        if (to[i] < 0 || to[i] >= x->dims[i])
            return -1;
    }
    return shape_offset(x->rank, x->dims, to);
}

/* Updates that count, of index vectors that count, take part. */
static int takes_part(const struct run *r, const int *sides,
                      const int64_t *index)
{
    int n = r->node->count / 2, rank = r->operands[n + 1]->shape->rank;
    for (int i = 0; i < rank; i++) {
        if (sides[i] < 0
            && index[i] >= value_size(r->operands[n], -1 - sides[i]))
            return 0;
        for (int k = 0; k < n; k++)
            if (index[i] >= value_size(r->operands[n + 1 + k], i))
                return 0;
    }
    return 1;
}

static assay_code update(struct run *r, const struct computation *f,
                         struct value **arguments, int64_t to, int64_t from)
{
    int n = r->node->count / 2;
    struct value *out = r->result, **parts = value_parts(&out, n);
    if (f->simple != NULL) {
        const struct value *u = r->operands[2];
        binary_apply(binary_find(f->simple->name), u->shape->type, out->data,
                     to, (struct element){out->data, to},
                     (struct element){u->data, from});
        return ASSAY_OK;
    }
    for (int k = 0; k < n; k++) {
        value_move(arguments[k], 0, parts[k], to);
        value_move(arguments[n + k], 0, r->operands[n + 1 + k], from);
    }
    return machine_apply(r, f, arguments, parts, n, to);
}

assay_code scatter_run(struct run *r)
{
    int n = r->node->count / 2;
    const struct computation *f =
        machine_called(r->machine, r->node, "update_computation", 0);
    struct indexing d;
    int sides[RANK_MAX];
    indexing_read(&d, r->node, names);
    const struct shape *x = r->operands[0]->shape;
    const struct shape *u = r->operands[n + 1]->shape;
    indexing_sides(&d, u->rank, sides);
    struct value *out = machine_result(r);
    struct value **arguments = machine_arguments(r, f);
    int64_t index[RANK_MAX] = {0}, count = shape_count(u);
    for (int k = 0; k < n; k++)
        value_fill(value_parts(&out, n)[k], r->operands[k]);
    for (int64_t i = 0; i < count; i++) {
        int64_t to = -1;
        if (takes_part(r, sides, index))
            to = target(&d, x, r->operands[n], u->rank, sides, index);
        if (to >= 0)
            TRY(update(r, f, arguments, to, i));
        shape_next(u->rank, u->dims, index);
    }
    return ASSAY_OK;
}

/* The operands keep their sizes. */
void scatter_keep(const struct run *r)
{
    int n = r->node->count / 2;
    struct value *out = r->result;
    for (int k = 0; k < n; k++) {
        struct value *v = value_parts(&out, n)[k];
        for (int i = 0; v->sizes != NULL && i < v->shape->rank; i++)
            v->sizes[i] = value_size(r->operands[k], i);
    }
}
