/* reshape.c - Transpose and Reshape.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "native.h"

/* ---- Transpose ----------------------------------------------------------- */

/* The dimensions of x in another order, which make that shape. */
static void permute(struct value *out, const struct shape *shape,
                    const struct value *x, const int64_t *order)
{
    int64_t own[RANK_MAX], steps[RANK_MAX];
    shape_steps(x->shape, own);
    for (int k = 0; k < shape->rank; k++)
        steps[k] = own[order[k]];
    value_take(out, shape, x, 0, steps);
}

static const struct shape *permuted(struct memory *m, const struct shape *s,
                                    const int64_t *order)
{
    int64_t dims[RANK_MAX];
    for (int i = 0; i < s->rank; i++)
        dims[i] = s->dims[order[i]];
    return shape_new(m, s->type, s->rank, dims);
}

assay_code reshape_check_transpose(struct check *c)
{
    const struct attribute *a;
    const struct shape *s = c->operands[0];
    TRY(program_arrays(c));
    TRY(attribute_list(c, "permutation", s->rank, &a));
    TRY(attribute_dimensions(c, a, s->rank));
    c->result = permuted(c->memory, s, a->ints);
    return ASSAY_OK;
}

assay_code reshape_run_transpose(struct run *r)
{
    struct value *out = machine_result(r);
    permute(out, out->shape, r->operands[0],
            attribute_find(r->node, "permutation")->ints);
    return ASSAY_OK;
}

/* ---- Reshape ------------------------------------------------------------- */

assay_code reshape_fit(struct check *c)
{
    int64_t before = shape_count(c->operands[0]);
    TRY(shape_check(c->result, c->error));
    if (shape_count(c->result) != before)
        return program_fail(c, ASSAY_SHAPE, "%lld elements become %lld",
                            (long long)before,
                            (long long)shape_count(c->result));
    return ASSAY_OK;
}

assay_code reshape_check(struct check *c)
{
    const struct attribute *sizes, *order;
    const struct shape *s = c->operands[0];
    TRY(program_arrays(c));
    TRY(attribute_need(c, "new_sizes", &sizes));
    if (sizes->count > RANK_MAX)
        return program_fail(c, ASSAY_UNSUPPORTED, "too many dimensions");
    order = attribute_find(c->node, "dimensions");
    if (order != NULL) {
        TRY(attribute_list(c, "dimensions", s->rank, &order));
        TRY(attribute_dimensions(c, order, s->rank));
    }
    for (int64_t i = 0; i < sizes->count; i++)
        if (sizes->ints[i] < 0)
            return program_fail(c, ASSAY_ATTRIBUTE,
                                "new_sizes has a negative size");
    c->result = shape_new(c->memory, s->type, (int)sizes->count, sizes->ints);
    return reshape_fit(c);
}

assay_code reshape_run(struct run *r)
{
    const struct attribute *order = attribute_find(r->node, "dimensions");
    const struct value *x = r->operands[0];
    struct value *out = machine_result(r);
    if (order == NULL)
        value_fill(out, x);
    else
        permute(out, permuted(r->memory, x->shape, order->ints), x,
                order->ints);
    return ASSAY_OK;
}

/* ---- Reshape of dynamic dimensions --------------------------------------- */

/* The i-th dimension of the operand that is read. */
static int dimension(const struct node *n, int i)
{
    const struct attribute *order = attribute_find(n, "dimensions");
    return order != NULL ? (int)order->ints[i] : i;
}

/* How many elements the dimensions hold that are read before each; the last
 * entry is of all. */
static void count_before(const struct node *n, const struct shape *s,
                         int64_t *before)
{
    before[0] = 1;
    for (int i = 0; i < s->rank; i++)
        before[i + 1] = before[i] * s->dims[dimension(n, i)];
}

/* Do the first dimensions of a shape hold just that many elements? */
static int has_cut(const struct shape *s, int64_t elements)
{
    int64_t product = 1;
    for (int i = 0; i < s->rank && product < elements; i++)
        product *= s->dims[i];
    return product == elements;
}

/* A dynamic dimension stays or becomes part of one, not of several. */
assay_code reshape_refuse(struct check *c)
{
    const struct shape *s = c->operands[0], *to = c->result;
    int64_t before[RANK_MAX + 1];
    if (shape_count(s) == 0)
        return program_fail(c, ASSAY_UNSUPPORTED, "dynamic, and empty");
    count_before(c->node, s, before);
    for (int i = 0; i < s->rank; i++) {
        int low = i, high = i + 1, found = 0;
        int64_t product = 1;
        if (!s->dynamic[dimension(c->node, i)] || before[i] == before[i + 1])
            continue;
        while (!has_cut(to, before[low]))
            low--;
        while (!has_cut(to, before[high]))
            high++;
        for (int k = 0; k < to->rank; k++) {
            found += to->dims[k] != 1 && product >= before[low]
                     && product < before[high];
            product *= to->dims[k];
        }
        if (found > 1)
            return program_fail(c, ASSAY_SHAPE,
                                "dynamic dimension %d becomes several",
                                dimension(c->node, i));
    }
    return ASSAY_OK;
}

/* A dynamic dimension of the result has as many elements as all dimensions
 * that become it. */
void reshape_adapt(const struct run *r, struct node *n,
                   int64_t (*sizes)[RANK_MAX])
{
    const struct shape *s = r->operands[0]->shape, *to = n->shape;
    int64_t before[RANK_MAX + 1], product = 1;
    int64_t *out = dynamic_ints(r, n, "new_sizes");
    count_before(n, s, before);
    for (int k = 0; k < to->rank; product *= to->dims[k++]) {
        if (to->dynamic == NULL || !to->dynamic[k])
            continue;
        out[k] = 1;
        for (int i = 0; i < s->rank; i++)
            if (before[i] >= product && before[i] < product * to->dims[k]
                && (before[i] == before[i + 1]) == (to->dims[k] == 1))
                out[k] *= sizes[0][dimension(n, i)];
    }
}
