/* conv.c - the convolutions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "native.h"

#define DN "dimension_numbers."

/* Where each side has its batch (rhs: output feature), its feature, and its
 * spatial dimensions. */
struct sides {
    int64_t at[3][RANK_MAX];
};

static const char *const names[3][3] = {
    {DN "input_batch_dimension", DN "input_feature_dimension",
     DN "input_spatial_dimensions"},
    {DN "kernel_output_feature_dimension", DN "kernel_input_feature_dimension",
     DN "kernel_spatial_dimensions"},
    {DN "output_batch_dimension", DN "output_feature_dimension",
     DN "output_spatial_dimensions"}};

static void read_sides(const struct node *n, int rank, struct sides *s)
{
    for (int side = 0; side < 3; side++) {
        const struct attribute *a = attribute_find(n, names[side][2]);
        s->at[side][0] = attribute_int(n, names[side][0], 0);
        s->at[side][1] = attribute_int(n, names[side][1], 1);
        for (int i = 2; i < rank; i++)
            s->at[side][i] = a != NULL && i - 2 < a->count ? a->ints[i - 2] : i;
    }
}

static assay_code check_sides(struct check *c, const struct sides *s, int rank)
{
    for (int side = 0; side < 3; side++) {
        struct attribute all = {0};
        const struct attribute *a = attribute_find(c->node, names[side][2]);
        if (a != NULL && a->count != rank - 2)
            return program_fail(c, ASSAY_ATTRIBUTE, "%s has %d entries",
                                names[side][2], (int)a->count);
        all.name = names[side][2];
        all.count = rank;
        all.ints = s->at[side];
        TRY(attribute_dimensions(c, &all, rank));
    }
    return ASSAY_OK;
}

static void read_sizes(const struct sides *s, const struct shape *lhs,
                       const struct shape *rhs, int64_t *sizes,
                       int64_t *windows)
{
    for (int i = 2; i < lhs->rank; i++) {
        sizes[i - 2] = lhs->dims[s->at[0][i]];
        windows[i - 2] = rhs->dims[s->at[1][i]];
    }
}

static assay_code check_groups(struct check *c, const struct sides *s)
{
    const struct shape *lhs = c->operands[0], *rhs = c->operands[1];
    int64_t features = attribute_int(c->node, "feature_group_count", 1);
    int64_t batches = attribute_int(c->node, "batch_group_count", 1);
    int64_t out = rhs->dims[s->at[1][0]];
    if (features < 1 || batches < 1 || (features > 1 && batches > 1))
        return program_fail(c, ASSAY_ATTRIBUTE, "group counts %d and %d",
                            (int)features, (int)batches);
    if (lhs->dims[s->at[0][1]] % features != 0
        || lhs->dims[s->at[0][1]] / features != rhs->dims[s->at[1][1]])
        return program_fail(c, ASSAY_SHAPE, "input features do not fit");
    if (out % features != 0 || out % batches != 0
        || lhs->dims[s->at[0][0]] % batches != 0)
        return program_fail(c, ASSAY_SHAPE, "groups do not fit");
    return ASSAY_OK;
}

static assay_code check_type(struct check *c, const struct type **type)
{
    const struct type *t = c->operands[0]->type;
    *type = t;
    if (t != c->operands[1]->type)
        return program_fail(c, ASSAY_TYPE, "types %s and %s", t->name,
                            c->operands[1]->type->name);
    if (attribute_find(c->node, "preferred_element_type") == NULL)
        return ASSAY_OK;
    assay_code code = attribute_type(c, "preferred_element_type", type);
    if (code == ASSAY_OK && (*type)->class != t->class
        && !(type_is_integer(*type) && type_is_integer(t)))
        code = program_fail(c, ASSAY_TYPE, "%s is preferred to %s",
                            (*type)->name, t->name);
    return code;
}

static assay_code check_precision(struct check *c)
{
    const struct attribute *a = attribute_find(c->node, "precision_config");
    if (a != NULL && a->count > 2)
        return program_fail(c, ASSAY_ATTRIBUTE, "precision_config has %d",
                            (int)a->count);
    return ASSAY_OK;
}

assay_code conv_check(struct check *c)
{
    const struct shape *lhs = c->operands[0], *rhs = c->operands[1];
    const struct attribute *a = attribute_find(c->node, "window_reversal");
    const struct type *type;
    int64_t sizes[RANK_MAX], windows[RANK_MAX], dims[RANK_MAX];
    struct sides s;
    struct window w;
    if (lhs->kind != ASSAY_ARRAY || rhs->kind != ASSAY_ARRAY)
        return program_fail(c, ASSAY_TYPE, "an operand is not an array");
    TRY(check_type(c, &type));
    TRY(check_precision(c));
    if (lhs->rank != rhs->rank || lhs->rank < 2)
        return program_fail(c, ASSAY_SHAPE, "ranks %d and %d", lhs->rank,
                            rhs->rank);
    if (a != NULL && a->count != lhs->rank - 2)
        return program_fail(c, ASSAY_ATTRIBUTE, "window_reversal has %d",
                            (int)a->count);
    read_sides(c->node, lhs->rank, &s);
    TRY(check_sides(c, &s, lhs->rank));
    TRY(check_groups(c, &s));
    read_sizes(&s, lhs, rhs, sizes, windows);
    for (int i = 0; i < lhs->rank - 2; i++)
        if (windows[i] == 0)
            return program_fail(c, ASSAY_SHAPE, "the kernel is empty");
    TRY(window_check(c, &w, lhs->rank - 2, sizes, windows, "lhs_dilation",
                     "rhs_dilation"));
    dims[s.at[2][0]] =
        lhs->dims[s.at[0][0]] / attribute_int(c->node, "batch_group_count", 1);
    dims[s.at[2][1]] = rhs->dims[s.at[1][0]];
    for (int i = 0; i < w.rank; i++)
        dims[s.at[2][i + 2]] = w.dims[i].positions;
    c->result = shape_new(c->memory, type, lhs->rank, dims);
    return shape_check(c->result, c->error);
}

/* ---- Running ------------------------------------------------------------- */

struct conv {
    const struct value *lhs, *rhs;
    const struct attribute *reversal;
    struct value *out;
    struct sides s;
    struct window w;
    int64_t features, batches; /* group counts */
};

/* All input features of the entry k of the window. */
static void add_entry(const struct conv *c, struct product *sum,
                      const int64_t *out, const int64_t *k)
{
    const struct shape *lhs = c->lhs->shape, *rhs = c->rhs->shape;
    int64_t x[RANK_MAX], y[RANK_MAX], oz = out[c->s.at[2][1]];
    int64_t taken = rhs->dims[c->s.at[1][1]];
    int64_t run = oz / (rhs->dims[c->s.at[1][0]] / (c->features * c->batches));
    x[c->s.at[0][0]] = out[c->s.at[2][0]];
    if (c->batches > 1)
        x[c->s.at[0][0]] += run * (lhs->dims[c->s.at[0][0]] / c->batches);
    y[c->s.at[1][0]] = oz;
    for (int i = 0; i < c->w.rank; i++) {
        const struct window_dim *d = &c->w.dims[i];
        int reverse = c->reversal != NULL && c->reversal->ints[i];
        int64_t at = window_base(d, out[c->s.at[2][i + 2]], k[i]);
        if (at < 0)
            return;
        x[c->s.at[0][i + 2]] = at;
        y[c->s.at[1][i + 2]] = reverse ? d->window - 1 - k[i] : k[i];
    }
    for (int64_t z = 0; z < taken; z++) {
        x[c->s.at[0][1]] = c->features > 1 ? run * taken + z : z;
        y[c->s.at[1][1]] = z;
        product_add(sum, c->out->shape->type, c->lhs,
                    shape_offset(lhs->rank, lhs->dims, x), c->rhs,
                    shape_offset(rhs->rank, rhs->dims, y));
    }
}

assay_code conv_run(struct run *r)
{
    struct conv c = {0};
    int64_t sizes[RANK_MAX], windows[RANK_MAX], index[RANK_MAX] = {0};
    c.lhs = r->operands[0];
    c.rhs = r->operands[1];
    c.out = machine_result(r);
    c.reversal = attribute_find(r->node, "window_reversal");
    c.features = attribute_int(r->node, "feature_group_count", 1);
    c.batches = attribute_int(r->node, "batch_group_count", 1);
    read_sides(r->node, c.lhs->shape->rank, &c.s);
    read_sizes(&c.s, c.lhs->shape, c.rhs->shape, sizes, windows);
    window_read(&c.w, r->node, c.lhs->shape->rank - 2, sizes, windows,
                "lhs_dilation", "rhs_dilation");
    for (int64_t i = 0, n = shape_count(c.out->shape); i < n; i++) {
        int64_t k[RANK_MAX] = {0};
        struct product sum = {0};
        do
            add_entry(&c, &sum, index, k);
        while (shape_next(c.w.rank, windows, k));
        product_store(&sum, c.lhs->shape->type, c.out, i);
        shape_next(c.out->shape->rank, c.out->shape->dims, index);
    }
    return ASSAY_OK;
}

assay_code conv_refuse(struct check *c)
{
    const struct shape *rhs = c->operands[1];
    struct sides s;
    read_sides(c->node, rhs->rank, &s);
    if (rhs->dynamic != NULL && rhs->dynamic[s.at[1][0]])
        return program_fail(c, ASSAY_SHAPE, "output features are dynamic");
    return ASSAY_OK;
}

/* Input features of both sides; lhs has more of them where there are groups. */
int conv_axis(const struct run *r, int k, int i)
{
    struct sides s;
    read_sides(r->node, r->operands[k]->shape->rank, &s);
    return s.at[k][1] == i
                   && attribute_int(r->node, "feature_group_count", 1) == 1
               ? 0
               : -1;
}
