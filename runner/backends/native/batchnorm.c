/* batchnorm.c - the three batch normalizations, in doubles.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>

#include "native.h"

/* The array, vectors, and for the gradient another array of its shape. */
static assay_code check_operands(struct check *c)
{
    const struct shape *s = c->operands[0];
    int64_t f = attribute_int(c->node, "feature_index", 0);
    int grad = strcmp(c->node->op->name, "BatchNormGrad") == 0;
    if (s->kind != ASSAY_ARRAY || s->type->class != FLOAT)
        return program_fail(c, ASSAY_TYPE, "operand 0 is not of floats");
    for (int i = 1; i < c->count; i++)
        if (c->operands[i]->kind != ASSAY_ARRAY
            || c->operands[i]->type != s->type)
            return program_fail(c, ASSAY_TYPE, "operand %d has another type",
                                i);
    if (f < 0 || f >= s->rank)
        return program_fail(c, ASSAY_ATTRIBUTE, "feature_index is %lld",
                            (long long)f);
    for (int i = 1; i < c->count; i++) {
        const struct shape *o = c->operands[i];
        int fits = grad && i == 4 ? shape_same_dims(o, s)
                                  : o->rank == 1 && o->dims[0] == s->dims[f];
        if (!fits)
            return program_fail(c, ASSAY_SHAPE, "operand %d does not fit", i);
    }
    return ASSAY_OK;
}

assay_code batchnorm_check_one(struct check *c)
{
    assay_code code = check_operands(c);
    c->result = c->operands[0];
    return code;
}

assay_code batchnorm_check_three(struct check *c)
{
    const struct shape *parts[3];
    TRY(check_operands(c));
    parts[0] = c->operands[0];
    parts[1] = parts[2] = c->operands[1];
    c->result = shape_tuple(c->memory, 3, parts);
    return ASSAY_OK;
}

struct job {
    const struct run *r;
    const struct type *type;
    int64_t features, inner, count;
    double epsilon;
};

static void open_job(struct job *j, const struct run *r)
{
    const struct shape *s = r->operands[0]->shape;
    int64_t f = attribute_int(r->node, "feature_index", 0);
    const struct attribute *e = attribute_find(r->node, "epsilon");
    j->r = r;
    j->type = s->type;
    j->features = s->dims[f];
    j->inner = 1;
    for (int d = (int)f + 1; d < s->rank; d++)
        j->inner *= s->dims[d];
    j->count = j->features > 0 ? shape_count(s) / j->features : 0;
    j->epsilon = 0;
    if (e != NULL && e->literal != NULL)
        j->epsilon = type_double(e->literal->shape->type, e->literal->data, 0);
}

static int64_t place(const struct job *j, int64_t f, int64_t i)
{
    return (i / j->inner * j->features + f) * j->inner + i % j->inner;
}

static double get(const struct job *j, int operand, int64_t i)
{
    return type_double(j->type, j->r->operands[operand]->data, i);
}

static void set_double(const struct job *j, struct value *v, int64_t i,
                       double x)
{
    type_set_double(j->type, v->data, i, x);
}

static void normalize(const struct job *j, struct value *out, int64_t f,
                      double mean, double variance)
{
    double factor = get(j, 1, f) / sqrt(variance + j->epsilon);
    for (int64_t i = 0; i < j->count; i++) {
        int64_t at = place(j, f, i);
        set_double(j, out, at, (get(j, 0, at) - mean) * factor + get(j, 2, f));
    }
}

assay_code batchnorm_run_inference(struct run *r)
{
    struct value *out = machine_result(r);
    struct job j;
    open_job(&j, r);
    for (int64_t f = 0; f < j.features; f++)
        normalize(&j, out, f, get(&j, 3, f), get(&j, 4, f));
    return ASSAY_OK;
}

assay_code batchnorm_run_training(struct run *r)
{
    struct value *out = machine_result(r);
    struct job j;
    open_job(&j, r);
    for (int64_t f = 0; f < j.features; f++) {
        double mean = 0, variance = 0;
        for (int64_t i = 0; i < j.count; i++)
            mean += get(&j, 0, place(&j, f, i));
        mean /= (double)j.count;
        for (int64_t i = 0; i < j.count; i++) {
            double d = get(&j, 0, place(&j, f, i)) - mean;
            variance += d * d;
        }
        variance /= (double)j.count;
        normalize(&j, out->elements[0], f, mean, variance);
        set_double(&j, out->elements[1], f, mean);
        set_double(&j, out->elements[2], f, variance);
    }
    return ASSAY_OK;
}

assay_code batchnorm_run_grad(struct run *r)
{
    struct value *out = machine_result(r);
    struct job j;
    open_job(&j, r);
    for (int64_t f = 0; f < j.features; f++) {
        double mean = get(&j, 2, f), w = get(&j, 3, f) + j.epsilon;
        double sum = 0, product = 0, n = (double)j.count;
        for (int64_t i = 0; i < j.count; i++) {
            int64_t at = place(&j, f, i);
            sum += get(&j, 4, at);
            product += get(&j, 4, at) * (get(&j, 0, at) - mean);
        }
        for (int64_t i = 0; i < j.count; i++) {
            int64_t at = place(&j, f, i);
            double d = get(&j, 4, at) - sum / n
                       - (get(&j, 0, at) - mean) * (product / n / w);
            set_double(&j, out->elements[0], at, get(&j, 1, f) / sqrt(w) * d);
        }
        set_double(&j, out->elements[1], f, product / sqrt(w));
        set_double(&j, out->elements[2], f, sum);
    }
    return ASSAY_OK;
}
