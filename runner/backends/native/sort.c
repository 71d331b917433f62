/* sort.c - Sort by any comparator, and TopK.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>

#include "native.h"

/* ---- A stable sort of places --------------------------------------------- */

/* Is what is at place i before what is at place k? */
typedef assay_code before(void *context, int64_t i, int64_t k, int *answer);

static assay_code merge(int64_t *to, const int64_t *from, int64_t low,
                        int64_t middle, int64_t high, before *f, void *context)
{
    int64_t i = low, k = middle;
    for (int64_t j = low; j < high; j++) {
        int later = i == middle;
        if (i < middle && k < high)
            TRY(f(context, from[k], from[i], &later));
        to[j] = later ? from[k++] : from[i++];
    }
    return ASSAY_OK;
}

static assay_code sort_places(int64_t *places, int64_t *room, int64_t n,
                              before *f, void *context)
{
    for (int64_t i = 0; i < n; i++)
        places[i] = i;
    for (int64_t run = 1; run < n; run *= 2) {
        for (int64_t low = 0; low < n; low += 2 * run) {
            int64_t middle = low + run < n ? low + run : n;
            int64_t high = middle + run < n ? middle + run : n;
            TRY(merge(room, places, low, middle, high, f, context));
        }
        memcpy(places, room, (size_t)n * sizeof *places);
    }
    return ASSAY_OK;
}

/* ---- Sort ---------------------------------------------------------------- */

static int64_t dimension_of(const struct node *n, int rank)
{
    int64_t d = attribute_int(n, "dimension", -1);
    return d < 0 ? d + rank : d;
}

assay_code sort_check(struct check *c)
{
    const struct computation *f;
    const struct shape **scalars =
        memory_new(c->memory, 2 * (size_t)c->count, sizeof *scalars);
    TRY(program_arrays(c));
    for (int i = 0; i < c->count; i++)
        scalars[2 * i] = scalars[2 * i + 1] =
            shape_new(c->memory, c->operands[i]->type, 0, NULL);
    TRY(program_called(c, "comparator", 0, 2 * c->count, scalars, &f));
    const struct shape *root = f->nodes[f->root].shape;
    if (!shape_is_scalar(root) || root->type->class != PRED)
        return program_fail(c, ASSAY_COMPUTATION,
                            "the result of %s is not a pred", f->name);
    for (int i = 0; i < c->count; i++)
        if (!shape_same_dims(c->operands[i], c->operands[0]))
            return program_fail(c, ASSAY_SHAPE,
                                "operands 0 and %d differ in shape", i);
    int rank = c->operands[0]->rank;
    int64_t d = dimension_of(c->node, rank);
    if (d < 0 || d >= rank)
        return program_fail(c, ASSAY_ATTRIBUTE, "no such dimension");
    c->result = shape_joined(c->memory, c->count, c->operands);
    return ASSAY_OK;
}

struct sorting {
    struct run *run;
    const struct computation *f;
    struct value **arguments, *answer;
    int64_t first, step; /* of the line at hand */
};

static assay_code is_before(void *context, int64_t i, int64_t k, int *answer)
{
    struct sorting *s = context;
    struct run *r = s->run;
    for (int p = 0; p < r->node->count; p++) {
        value_move(s->arguments[2 * p], 0, r->operands[p],
                   s->first + i * s->step);
        value_move(s->arguments[2 * p + 1], 0, r->operands[p],
                   s->first + k * s->step);
    }
    TRY(machine_apply(r, s->f, s->arguments, &s->answer, 1, 0));
    *answer = s->answer->data[0] != 0;
    return ASSAY_OK;
}

assay_code sort_run(struct run *r)
{
    const struct shape *x = r->operands[0]->shape;
    int64_t d = dimension_of(r->node, x->rank), n = x->dims[d];
    struct value *out = machine_result(r);
    struct sorting s = {.run = r, .step = 1};
    int count = r->node->count;
    int64_t *places = memory_new(r->memory, 2 * (size_t)n + 1, sizeof *places);
    s.f = machine_called(r->machine, r->node, "comparator", 0);
    s.arguments = machine_arguments(r, s.f);
    s.answer = value_new(r->memory, s.f->nodes[s.f->root].shape);
    for (int64_t i = d + 1; i < x->rank; i++)
        s.step *= x->dims[i];
    int64_t lines = shape_count(x) > 0 ? shape_count(x) / n : 0;
    for (int64_t line = 0; line < lines; line++) {
        s.first = line / s.step * s.step * n + line % s.step;
        TRY(sort_places(places, places + n, n, is_before, &s));
        for (int p = 0; p < count; p++)
            for (int64_t i = 0; i < n; i++)
                value_move(value_parts(&out, count)[p], s.first + i * s.step,
                           r->operands[p], s.first + places[i] * s.step);
    }
    return ASSAY_OK;
}

/* ---- TopK ---------------------------------------------------------------- */

assay_code sort_check_top_k(struct check *c)
{
    const struct shape *x = c->operands[0];
    int64_t k = attribute_int(c->node, "k", 0), dims[RANK_MAX];
    if (x->kind != ASSAY_ARRAY || x->rank == 0)
        return program_fail(c, ASSAY_SHAPE, "the operand has no dimension");
    if (x->type->class == COMPLEX)
        return program_fail(c, ASSAY_TYPE, "%s has no order", x->type->name);
    if (k < 0 || k > x->dims[x->rank - 1])
        return program_fail(c, ASSAY_ATTRIBUTE, "k is %lld", (long long)k);
    memcpy(dims, x->dims, (size_t)x->rank * sizeof *dims);
    dims[x->rank - 1] = k;
    const struct shape *both[2] = {
        shape_new(c->memory, x->type, x->rank, dims),
        shape_new(c->memory, type_find("s32"), x->rank, dims)};
    c->result = shape_tuple(c->memory, 2, both);
    return ASSAY_OK;
}

struct top_k {
    const struct value *x;
    int64_t first;
    int largest;
};

/* Where a float is: -NaN, numbers, +NaN. */
static int rank_of(double x)
{
    if (!isnan(x))
        return 0;
    return signbit(x) ? -1 : 1;
}

static assay_code is_better(void *context, int64_t i, int64_t k, int *answer)
{
    const struct top_k *t = context;
    const struct type *type = t->x->shape->type;
    int64_t a = t->first + (t->largest ? k : i);
    int64_t b = t->first + (t->largest ? i : k);
    if (type->class == FLOAT) {
        double x = type_double(type, t->x->data, a);
        double y = type_double(type, t->x->data, b);
        int p = rank_of(x), q = rank_of(y);
        *answer = p != q ? p < q : x < y;
        return ASSAY_OK;
    }
    uint64_t x = type_int(type, t->x->data, a);
    uint64_t y = type_int(type, t->x->data, b);
    *answer = type->class == SINT ? (int64_t)x < (int64_t)y : x < y;
    return ASSAY_OK;
}

assay_code sort_run_top_k(struct run *r)
{
    const struct shape *x = r->operands[0]->shape;
    int64_t n = x->dims[x->rank - 1], k = attribute_int(r->node, "k", 0);
    struct value *out = machine_result(r);
    struct value *values = out->elements[0], *indices = out->elements[1];
    struct top_k t = {r->operands[0], 0,
                      attribute_int(r->node, "largest", 1) != 0};
    int64_t *places = memory_new(r->memory, 2 * (size_t)n + 1, sizeof *places);
    int64_t rows = k > 0 ? shape_count(values->shape) / k : 0;
    for (int64_t row = 0; row < rows; row++) {
        t.first = row * n;
        sort_places(places, places + n, n, is_better, &t);
        for (int64_t i = 0; i < k; i++) {
            value_move(values, row * k + i, r->operands[0],
                       t.first + places[i]);
            type_set_int(indices->shape->type, indices->data, row * k + i,
                         (uint64_t)places[i]);
        }
    }
    return ASSAY_OK;
}
