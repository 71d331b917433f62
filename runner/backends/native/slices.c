/* slices.c - slices at run-time places, Map, Collapse, and no-operations.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "native.h"

/* ---- DynamicSlice, DynamicUpdateSlice ------------------------------------ */

/* Start indices from operand first on: one array, or one scalar each. */
static assay_code check_starts(struct check *c, int first)
{
    int rank = c->operands[0]->rank, n = c->count - first;
    const struct shape *const *s = c->operands + first;
    if (n == 1 && s[0]->rank == 1) {
        if (s[0]->dims[0] != rank)
            return program_fail(c, ASSAY_SHAPE,
                                "%lld start indices; expected %d",
                                (long long)s[0]->dims[0], rank);
        if (!type_is_integer(s[0]->type))
            return program_fail(c, ASSAY_TYPE, "start indices of type %s",
                                s[0]->type->name);
        return ASSAY_OK;
    }
    if (n != rank)
        return program_fail(c, ASSAY_SHAPE, "%d start indices; expected %d", n,
                            rank);
    for (int i = 0; i < n; i++) {
        if (!shape_is_scalar(s[i]))
            return program_fail(c, ASSAY_SHAPE,
                                "start index %d is not a scalar", i);
        if (!type_is_integer(s[i]->type) || s[i]->type != s[0]->type)
            return program_fail(c, ASSAY_TYPE, "start index %d of type %s", i,
                                s[i]->type->name);
    }
    return ASSAY_OK;
}

/* Where a window of those sizes starts, kept inside. */
static void get_starts(const struct run *r, int first, const int64_t *sizes,
                       int64_t *starts)
{
    const struct shape *x = r->operands[0]->shape;
    int array = r->node->count > first && r->operands[first]->shape->rank == 1;
    for (int i = 0; i < x->rank; i++) {
        const struct value *s = r->operands[array ? first : first + i];
        uint64_t at = type_int(s->shape->type, s->data, array ? i : 0);
        uint64_t most = (uint64_t)(x->dims[i] - sizes[i]);
        if (s->shape->type->class == SINT && (int64_t)at < 0)
            at = 0;
        starts[i] = (int64_t)(at > most ? most : at);
    }
}

assay_code slices_check_dynamic(struct check *c)
{
    const struct shape *x = c->operands[0];
    const struct attribute *sizes;
    TRY(program_arrays(c));
    TRY(check_starts(c, 1));
    TRY(attribute_need(c, "slice_sizes", &sizes));
    if (sizes->count != x->rank)
        return program_fail(c, ASSAY_ATTRIBUTE, "slice_sizes has %d entries",
                            (int)sizes->count);
    for (int i = 0; i < x->rank; i++)
        if (sizes->ints[i] < 0 || sizes->ints[i] > x->dims[i])
            return program_fail(c, ASSAY_ATTRIBUTE, "slice_sizes[%d] is %lld",
                                i, (long long)sizes->ints[i]);
    c->result = shape_new(c->memory, x->type, x->rank, sizes->ints);
    return ASSAY_OK;
}

assay_code slices_run_dynamic(struct run *r)
{
    struct value *out = machine_result(r);
    int64_t starts[RANK_MAX], zero[RANK_MAX] = {0};
    get_starts(r, 1, out->shape->dims, starts);
    value_copy_box(out, zero, r->operands[0], starts, out->shape->dims);
    return ASSAY_OK;
}

assay_code slices_check_update(struct check *c)
{
    const struct shape *x = c->operands[0], *u = c->operands[1];
    TRY(program_arrays(c));
    if (u->type != x->type)
        return program_fail(c, ASSAY_TYPE, "the operand is %s, the update %s",
                            x->type->name, u->type->name);
    int fits = u->rank == x->rank;
    for (int i = 0; fits && i < x->rank; i++)
        fits = u->dims[i] <= x->dims[i];
    if (!fits)
        return program_fail(c, ASSAY_SHAPE, "the update does not fit");
    c->result = x;
    return check_starts(c, 2);
}

assay_code slices_run_update(struct run *r)
{
    const struct value *u = r->operands[1];
    struct value *out = machine_result(r);
    int64_t starts[RANK_MAX], zero[RANK_MAX] = {0}, sizes[RANK_MAX];
    value_fill(out, r->operands[0]);
    get_starts(r, 2, u->shape->dims, starts);
    for (int i = 0; i < u->shape->rank; i++)
        sizes[i] = value_size(u, i);
    value_copy_box(out, starts, u, zero, sizes);
    return ASSAY_OK;
}

/* Where starts are clamped, bounds count; a dimension that is dynamic in the
 * result was taken whole. */
void slices_keep_dynamic(const struct run *r)
{
    int64_t *sizes = r->result->sizes;
    const struct shape *s = r->node->shape;
    for (int i = 0; i < s->rank; i++)
        if (s->dynamic[i])
            sizes[i] = value_size(r->operands[0], i);
}

/* An update as long as the operand replaces all of a dimension. */
void slices_keep_update(const struct run *r)
{
    int64_t *sizes = r->result->sizes;
    const struct shape *u = r->operands[1]->shape;
    for (int i = 0; i < u->rank; i++) {
        int whole = u->dynamic != NULL && u->dynamic[i]
                    && u->dims[i] == r->node->shape->dims[i];
        sizes[i] = value_size(r->operands[whole], i);
    }
}

/* ---- Map ----------------------------------------------------------------- */

assay_code slices_check_map(struct check *c)
{
    const struct attribute *a = attribute_find(c->node, "dimensions");
    const struct shape *x = c->operands[0];
    const struct computation *f;
    const struct shape **scalars =
        memory_new(c->memory, (size_t)c->count, sizeof *scalars);
    TRY(program_arrays(c));
    for (int i = 0; i < c->count; i++) {
        if (!shape_same_dims(c->operands[i], x))
            return program_fail(c, ASSAY_SHAPE,
                                "operands 0 and %d differ in shape", i);
        scalars[i] = shape_new(c->memory, c->operands[i]->type, 0, NULL);
    }
    int whole = a == NULL || a->count == x->rank;
    for (int i = 0; whole && a != NULL && i < x->rank; i++)
        whole = a->ints[i] == i;
    if (!whole)
        return program_fail(c, ASSAY_ATTRIBUTE,
                            "dimensions are not 0, 1, 2, ...");
    TRY(program_called(c, "computation", 0, c->count, scalars, &f));
    const struct shape *root = f->nodes[f->root].shape;
    if (!shape_is_scalar(root))
        return program_fail(c, ASSAY_COMPUTATION,
                            "the result of %s is not a scalar", f->name);
    c->result = shape_new(c->memory, root->type, x->rank, x->dims);
    return ASSAY_OK;
}

assay_code slices_run_map(struct run *r)
{
    const struct computation *f =
        machine_called(r->machine, r->node, "computation", 0);
    struct value *out = machine_result(r);
    struct value **arguments = machine_arguments(r, f);
    int64_t n = shape_count(out->shape);
    for (int64_t i = 0; i < n; i++) {
        for (int k = 0; k < r->node->count; k++)
            value_move(arguments[k], 0, r->operands[k], i);
        TRY(machine_apply(r, f, arguments, &out, 1, i));
    }
    return ASSAY_OK;
}

/* ---- Collapse, OptimizationBarrier --------------------------------------- */

assay_code slices_check_collapse(struct check *c)
{
    const struct shape *x = c->operands[0];
    const struct attribute *a;
    int64_t dims[RANK_MAX];
    int rank = 0;
    TRY(program_arrays(c));
    TRY(attribute_need(c, "dimensions", &a));
    TRY(attribute_dimensions(c, a, x->rank));
    for (int64_t i = 1; i < a->count; i++)
        if (a->ints[i] != a->ints[i - 1] + 1)
            return program_fail(c, ASSAY_ATTRIBUTE,
                                "dimensions are not adjacent");
    for (int i = 0; i < x->rank; i++) {
        if (!attribute_has(a, i) || a->ints[0] == i)
            dims[rank++] = x->dims[i];
        else if (__builtin_mul_overflow(dims[rank - 1], x->dims[i],
                                        &dims[rank - 1]))
            return program_fail(c, ASSAY_SHAPE, "the result is too large");
    }
    c->result = shape_new(c->memory, x->type, rank, dims);
    return ASSAY_OK;
}

assay_code slices_run_collapse(struct run *r)
{
    value_fill(machine_result(r), r->operands[0]);
    return ASSAY_OK;
}

assay_code slices_check_barrier(struct check *c)
{
    c->result = shape_joined(c->memory, c->count, c->operands);
    return ASSAY_OK;
}

assay_code slices_run_barrier(struct run *r)
{
    if (r->node->count == 1) {
        r->result = r->operands[0];
        return ASSAY_OK;
    }
    return control_run_tuple(r);
}
