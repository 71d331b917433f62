/* contract.c - Dot and DotGeneral.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "native.h"

#define DN "dimension_numbers."

/* The batch and the contracting dimensions; the rest are free. */
struct roles {
    int batch_count, contract_count;
    int64_t batch[2][RANK_MAX], contract[2][RANK_MAX];
};

static void copy(const struct node *n, const char *name, int64_t *to,
                 int *count)
{
    const struct attribute *a = attribute_find(n, name);
    *count = 0;
    for (int64_t i = 0; a != NULL && i < a->count && i < RANK_MAX; i++)
        to[(*count)++] = a->ints[i];
}

/* The roles, once the lists are known to be good. */
static void read_roles(const struct node *n, const struct shape *lhs,
                       struct roles *d)
{
    memset(d, 0, sizeof *d);
    if (strcmp(n->op->name, "Dot") == 0) {
        d->contract_count = 1;
        d->contract[0][0] = lhs->rank - 1;
        return;
    }
    copy(n, DN "lhs_batch_dimensions", d->batch[0], &d->batch_count);
    copy(n, DN "rhs_batch_dimensions", d->batch[1], &d->batch_count);
    copy(n, DN "lhs_contracting_dimensions", d->contract[0],
         &d->contract_count);
    copy(n, DN "rhs_contracting_dimensions", d->contract[1],
         &d->contract_count);
}

static int has(const int64_t *list, int count, int64_t x)
{
    for (int i = 0; i < count; i++)
        if (list[i] == x)
            return 1;
    return 0;
}

static int is_free(const struct roles *d, int side, int dim)
{
    return !has(d->batch[side], d->batch_count, dim)
           && !has(d->contract[side], d->contract_count, dim);
}

/* Sizes and types; the result's shape. */
static assay_code finish(struct check *c)
{
    const struct shape *lhs = c->operands[0], *rhs = c->operands[1];
    const struct type *t = lhs->type;
    struct roles d;
    int64_t dims[2 * RANK_MAX];
    int rank = 0;
    const struct attribute *precision =
        attribute_find(c->node, "precision_config");
    read_roles(c->node, lhs, &d);
    if (precision != NULL && precision->count > 2)
        return program_fail(c, ASSAY_ATTRIBUTE, "precision_config has %d",
                            (int)precision->count);
    if (lhs->type != rhs->type)
        return program_fail(c, ASSAY_TYPE, "types %s and %s", lhs->type->name,
                            rhs->type->name);
    if (attribute_find(c->node, "preferred_element_type") != NULL) {
        TRY(attribute_type(c, "preferred_element_type", &t));
        if ((t->class == FLOAT) != (lhs->type->class == FLOAT)
            || (t->class == COMPLEX) != (lhs->type->class == COMPLEX))
            return program_fail(c, ASSAY_TYPE, "%s is preferred to %s", t->name,
                                lhs->type->name);
    }
    for (int i = 0; i < d.contract_count; i++)
        if (lhs->dims[d.contract[0][i]] != rhs->dims[d.contract[1][i]])
            return program_fail(c, ASSAY_SHAPE,
                                "contracting sizes %lld and %lld",
                                (long long)lhs->dims[d.contract[0][i]],
                                (long long)rhs->dims[d.contract[1][i]]);
    for (int i = 0; i < d.batch_count; i++) {
        dims[rank++] = lhs->dims[d.batch[0][i]];
        if (dims[i] != rhs->dims[d.batch[1][i]])
            return program_fail(c, ASSAY_SHAPE, "batch sizes %lld and %lld",
                                (long long)dims[i],
                                (long long)rhs->dims[d.batch[1][i]]);
    }
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < c->operands[side]->rank; i++)
            if (is_free(&d, side, i))
                dims[rank++] = c->operands[side]->dims[i];
    if (rank > RANK_MAX)
        return program_fail(c, ASSAY_UNSUPPORTED, "too many dimensions");
    c->result = shape_new(c->memory, t, rank, dims);
    return ASSAY_OK;
}

assay_code contract_check_dot(struct check *c)
{
    TRY(program_arrays(c));
    for (int i = 0; i < 2; i++)
        if (c->operands[i]->rank < 1 || c->operands[i]->rank > 2)
            return program_fail(c, ASSAY_SHAPE, "operand %d has rank %d", i,
                                c->operands[i]->rank);
    return finish(c);
}

assay_code contract_check_dot_general(struct check *c)
{
    static const char *const names[2][2] = {
        {DN "lhs_batch_dimensions", DN "lhs_contracting_dimensions"},
        {DN "rhs_batch_dimensions", DN "rhs_contracting_dimensions"},
    };
    int64_t counts[2][2] = {{0, 0}, {0, 0}};
    TRY(program_arrays(c));
    for (int side = 0; side < 2; side++) {
        const struct attribute *a[2];
        for (int k = 0; k < 2; k++) {
            a[k] = attribute_find(c->node, names[side][k]);
            counts[side][k] = a[k] != NULL ? a[k]->count : 0;
            if (a[k] != NULL)
                TRY(attribute_dimensions(c, a[k], c->operands[side]->rank));
        }
        for (int64_t i = 0; i < counts[side][0]; i++)
            if (attribute_has(a[1], a[0]->ints[i]))
                return program_fail(c, ASSAY_ATTRIBUTE,
                                    "dimension %d is batch and contracting",
                                    (int)a[0]->ints[i]);
    }
    for (int k = 0; k < 2; k++)
        if (counts[0][k] != counts[1][k])
            return program_fail(c, ASSAY_ATTRIBUTE,
                                "%d dimensions of lhs for %d of rhs",
                                (int)counts[0][k], (int)counts[1][k]);
    return finish(c);
}

/* ---- Running ------------------------------------------------------------- */

static void sum_one(const struct roles *d, const struct value *lhs,
                    const struct value *rhs, const int64_t *index,
                    struct value *out, int64_t o)
{
    const struct value *v[2];
    int64_t at[2][RANK_MAX], k[RANK_MAX] = {0}, sizes[RANK_MAX];
    struct product sum = {0, 0, 0, 0};
    int next = d->batch_count, empty = 0;
    v[0] = lhs;
    v[1] = rhs;
    for (int i = 0; i < d->contract_count; i++) {
        sizes[i] = lhs->shape->dims[d->contract[0][i]];
        empty |= sizes[i] == 0;
    }
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < d->batch_count; i++)
            at[side][d->batch[side][i]] = index[i];
        for (int i = 0; i < v[side]->shape->rank; i++)
            if (is_free(d, side, i))
                at[side][i] = index[next++];
    }
    if (!empty)
        do {
            for (int i = 0; i < d->contract_count; i++)
                at[0][d->contract[0][i]] = at[1][d->contract[1][i]] = k[i];
            product_add(
                &sum, out->shape->type, lhs,
                shape_offset(lhs->shape->rank, lhs->shape->dims, at[0]), rhs,
                shape_offset(rhs->shape->rank, rhs->shape->dims, at[1]));
        } while (shape_next(d->contract_count, sizes, k));
    product_store(&sum, lhs->shape->type, out, o);
}

assay_code contract_run(struct run *r)
{
    struct roles d;
    struct value *out = machine_result(r);
    int64_t n = shape_count(out->shape), index[RANK_MAX] = {0};
    read_roles(r->node, r->operands[0]->shape, &d);
    for (int64_t i = 0; i < n; i++) {
        sum_one(&d, r->operands[0], r->operands[1], index, out, i);
        shape_next(out->shape->rank, out->shape->dims, index);
    }
    return ASSAY_OK;
}

/* Batch and contracting dimensions, in their order. */
int contract_axis(const struct run *r, int k, int i)
{
    struct roles d;
    read_roles(r->node, r->operands[0]->shape, &d);
    for (int n = 0; n < d.batch_count; n++)
        if (d.batch[k][n] == i)
            return n;
    for (int n = 0; n < d.contract_count; n++)
        if (d.contract[k][n] == i)
            return d.batch_count + n;
    return -1;
}
