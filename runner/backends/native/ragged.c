/* ragged.c - RaggedDot, index by index.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "native.h"

#define DN "dimension_numbers."

enum mode {
    FREE,
    CONTRACTING,
    BATCH
};

struct ragged {
    const struct attribute *batch[2], *contracting[2], *group;
    int64_t dimension; /* of lhs */
    enum mode mode;
    int prefix_count;
    int64_t prefix[RANK_MAX]; /* dimensions of lhs that have lists of sizes */
};

static int64_t count_of(const struct attribute *a)
{
    return a != NULL ? a->count : 0;
}

static void read_ragged(const struct node *n, struct ragged *r)
{
    static const char *const names[2][2] = {
        {DN "lhs_batch_dimensions", DN "lhs_contracting_dimensions"},
        {DN "rhs_batch_dimensions", DN "rhs_contracting_dimensions"}};
    for (int side = 0; side < 2; side++) {
        r->batch[side] = attribute_find(n, names[side][0]);
        r->contracting[side] = attribute_find(n, names[side][1]);
    }
    r->group = attribute_find(n, DN "rhs_group_dimensions");
    r->dimension = attribute_int(n, DN "lhs_ragged_dimensions", 0);
    r->mode = attribute_has(r->batch[0], r->dimension)         ? BATCH
              : attribute_has(r->contracting[0], r->dimension) ? CONTRACTING
                                                               : FREE;
    r->prefix_count = 0;
    for (int64_t i = 0;
         i < count_of(r->batch[0]) && r->batch[0]->ints[i] != r->dimension; i++)
        r->prefix[r->prefix_count++] = r->batch[0]->ints[i];
    for (int64_t i = 0;
         r->mode == CONTRACTING && r->contracting[0]->ints[i] != r->dimension;
         i++)
        r->prefix[r->prefix_count++] = r->contracting[0]->ints[i];
    for (int64_t d = 0; r->mode == FREE && d < r->dimension; d++)
        if (!attribute_has(r->batch[0], d)
            && !attribute_has(r->contracting[0], d))
            r->prefix[r->prefix_count++] = d;
}

static assay_code check_attributes(struct check *c)
{
    const struct attribute *ragged, *groups, *batch, *contracting;
    TRY(attribute_need(c, DN "lhs_ragged_dimensions", &ragged));
    TRY(attribute_need(c, DN "rhs_group_dimensions", &groups));
    TRY(attribute_dimensions(c, ragged, c->operands[0]->rank));
    TRY(attribute_dimensions(c, groups, c->operands[1]->rank));
    if (ragged->count != 1)
        return program_fail(c, ASSAY_ATTRIBUTE, "%d ragged dimensions",
                            (int)ragged->count);
    batch = attribute_find(c->node, DN "rhs_batch_dimensions");
    contracting = attribute_find(c->node, DN "rhs_contracting_dimensions");
    for (int64_t i = 0; i < groups->count; i++)
        if (attribute_has(batch, groups->ints[i])
            || attribute_has(contracting, groups->ints[i]))
            return program_fail(c, ASSAY_ATTRIBUTE,
                                "the group dimension is not free");
    return ASSAY_OK;
}

static assay_code check_sizes(struct check *c, const struct ragged *r)
{
    const struct shape *sizes = c->operands[2];
    int64_t groups = sizes->dims[sizes->rank - 1];
    if (r->group->count != (r->mode == FREE))
        return program_fail(c, ASSAY_ATTRIBUTE, "%d group dimensions",
                            (int)r->group->count);
    if (r->mode == FREE && c->operands[1]->dims[r->group->ints[0]] != groups)
        return program_fail(c, ASSAY_SHAPE, "%d groups", (int)groups);
    if (sizes->rank == 1)
        return ASSAY_OK;
    if (sizes->rank != r->prefix_count + 1)
        return program_fail(c, ASSAY_SHAPE, "group_sizes has rank %d",
                            sizes->rank);
    for (int i = 0; i < r->prefix_count; i++)
        if (sizes->dims[i] != c->operands[0]->dims[r->prefix[i]])
            return program_fail(c, ASSAY_SHAPE, "dimension %d of group_sizes",
                                i);
    return ASSAY_OK;
}

assay_code ragged_check(struct check *c)
{
    const struct shape *sizes = c->operands[2];
    struct check dot = *c;
    struct ragged r;
    int64_t dims[2 * RANK_MAX];
    int rank = 0;
    if (sizes->kind != ASSAY_ARRAY || sizes->rank < 1)
        return program_fail(c, ASSAY_SHAPE, "group_sizes has no dimension");
    if (!type_is_integer(sizes->type))
        return program_fail(c, ASSAY_TYPE, "group_sizes of type %s",
                            sizes->type->name);
    dot.count = 2;
    TRY(contract_check_dot_general(&dot));
    TRY(check_attributes(c));
    read_ragged(c->node, &r);
    TRY(check_sizes(c, &r));
    if (r.mode == CONTRACTING)
        dims[rank++] = sizes->dims[sizes->rank - 1];
    for (int64_t i = 0; i < count_of(r.batch[0]); i++)
        dims[rank++] = c->operands[0]->dims[r.batch[0]->ints[i]];
    for (int side = 0; side < 2; side++)
        for (int d = 0; d < c->operands[side]->rank; d++)
            if (!attribute_has(r.batch[side], d)
                && !attribute_has(r.contracting[side], d)
                && !(side == 1 && attribute_has(r.group, d)))
                dims[rank++] = c->operands[side]->dims[d];
    if (rank > RANK_MAX)
        return program_fail(c, ASSAY_SHAPE, "the result has rank %d", rank);
    c->result = shape_new(c->memory, dot.result->type, rank, dims);
    return shape_check(c->result, c->error);
}

/* ---- Running ------------------------------------------------------------- */

/* The group of the element of lhs at that index, or -1. */
static int64_t group_at(const struct ragged *r, const struct value *sizes,
                        const int64_t *lhs)
{
    const struct shape *s = sizes->shape;
    int64_t groups = s->dims[s->rank - 1], list = 0, end = 0;
    for (int i = 0; i < s->rank - 1; i++)
        list = list * s->dims[i] + lhs[r->prefix[i]];
    for (int64_t g = 0; g < groups; g++) {
        end += (int64_t)type_int(s->type, sizes->data, list * groups + g);
        if (lhs[r->dimension] < end)
            return g;
    }
    return -1;
}

/* The indices in lhs and rhs that one of the result leads to. */
static void spread(const struct run *r, const struct ragged *g,
                   const int64_t *out, int64_t *x, int64_t *y)
{
    int64_t *at[2];
    int next = g->mode == CONTRACTING;
    at[0] = x;
    at[1] = y;
    for (int64_t i = 0; i < count_of(g->batch[0]); i++)
        x[g->batch[0]->ints[i]] = y[g->batch[1]->ints[i]] = out[next++];
    for (int side = 0; side < 2; side++)
        for (int d = 0; d < r->operands[side]->shape->rank; d++)
            if (!attribute_has(g->batch[side], d)
                && !attribute_has(g->contracting[side], d)
                && !(side == 1 && attribute_has(g->group, d)))
                at[side][d] = out[next++];
}

static void sum_one(const struct run *r, const struct ragged *g,
                    const int64_t *out, int64_t *x, int64_t *y,
                    struct product *sum)
{
    const struct value *lhs = r->operands[0], *rhs = r->operands[1];
    int64_t k[RANK_MAX] = {0}, sizes[RANK_MAX], count = 0;
    for (; count < count_of(g->contracting[0]); count++) {
        sizes[count] = lhs->shape->dims[g->contracting[0]->ints[count]];
        if (sizes[count] == 0)
            return;
    }
    do {
        for (int64_t i = 0; i < count; i++)
            x[g->contracting[0]->ints[i]] = y[g->contracting[1]->ints[i]] =
                k[i];
        int64_t group = group_at(g, r->operands[2], x);
        if (group < 0 || (g->mode == CONTRACTING && group != out[0]))
            continue;
        if (g->mode == FREE)
            y[g->group->ints[0]] = group;
        product_add(sum, r->node->shape->type, lhs,
                    shape_offset(lhs->shape->rank, lhs->shape->dims, x), rhs,
                    shape_offset(rhs->shape->rank, rhs->shape->dims, y));
    } while (shape_next((int)count, sizes, k));
}

assay_code ragged_run(struct run *r)
{
    struct value *out = machine_result(r);
    int64_t index[RANK_MAX] = {0}, x[RANK_MAX] = {0}, y[RANK_MAX] = {0};
    struct ragged g;
    read_ragged(r->node, &g);
    for (int64_t i = 0, n = shape_count(out->shape); i < n; i++) {
        struct product sum = {0};
        spread(r, &g, index, x, y);
        sum_one(r, &g, index, x, y, &sum);
        product_store(&sum, r->operands[0]->shape->type, out, i);
        shape_next(out->shape->rank, out->shape->dims, index);
    }
    return ASSAY_OK;
}
