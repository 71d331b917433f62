/* move.c - operations that move elements and compute nothing.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "native.h"

/* ---- Broadcast ----------------------------------------------------------- */

assay_code move_check_broadcast(struct check *c)
{
    const struct attribute *a;
    const struct shape *s = c->operands[0];
    int64_t dims[RANK_MAX];
    TRY(program_arrays(c));
    TRY(attribute_need(c, "broadcast_sizes", &a));
    if (a->count + s->rank > RANK_MAX)
        return program_fail(c, ASSAY_UNSUPPORTED, "too many dimensions");
    for (int64_t i = 0; i < a->count; i++)
        if (a->ints[i] < 0)
            return program_fail(c, ASSAY_ATTRIBUTE,
                                "broadcast_sizes has a negative size");
    for (int64_t i = 0; i < a->count; i++)
        dims[i] = a->ints[i];
    for (int i = 0; i < s->rank; i++)
        dims[a->count + i] = s->dims[i];
    c->result = shape_new(c->memory, s->type, (int)a->count + s->rank, dims);
    return ASSAY_OK;
}

assay_code move_run_broadcast(struct run *r)
{
    const struct value *x = r->operands[0];
    struct value *out = machine_result(r);
    int64_t n = shape_count(out->shape), period = shape_count(x->shape);
    for (int64_t i = 0; i < n; i++)
        value_move(out, i, x, i % period);
    return ASSAY_OK;
}

assay_code move_check_broadcast_in_dim(struct check *c)
{
    const struct attribute *sizes, *places;
    const struct shape *s = c->operands[0];
    TRY(program_arrays(c));
    TRY(attribute_need(c, "out_dim_size", &sizes));
    TRY(attribute_list(c, "broadcast_dimensions", s->rank, &places));
    if (sizes->count > RANK_MAX)
        return program_fail(c, ASSAY_UNSUPPORTED, "too many dimensions");
    for (int64_t i = 0; i < sizes->count; i++)
        if (sizes->ints[i] < 0)
            return program_fail(c, ASSAY_ATTRIBUTE,
                                "out_dim_size has a negative size");
    TRY(attribute_dimensions(c, places, (int)sizes->count));
    for (int i = 0; i < s->rank; i++) {
        int64_t want = sizes->ints[places->ints[i]];
        if (i > 0 && places->ints[i] < places->ints[i - 1])
            return program_fail(c, ASSAY_ATTRIBUTE,
                                "broadcast_dimensions must increase");
        if (s->dims[i] != 1 && s->dims[i] != want)
            return program_fail(c, ASSAY_SHAPE, "size %lld cannot become %lld",
                                (long long)s->dims[i], (long long)want);
    }
    c->result = shape_new(c->memory, s->type, (int)sizes->count, sizes->ints);
    return ASSAY_OK;
}

assay_code move_run_broadcast_in_dim(struct run *r)
{
    const struct shape *x = r->operands[0]->shape;
    const int64_t *places =
        attribute_find(r->node, "broadcast_dimensions")->ints;
    struct value *out = machine_result(r);
    int64_t own[RANK_MAX], steps[RANK_MAX] = {0};
    shape_steps(x, own);
    for (int k = 0; k < x->rank; k++)
        steps[places[k]] = x->dims[k] == 1 ? 0 : own[k];
    value_take(out, out->shape, r->operands[0], 0, steps);
    return ASSAY_OK;
}

/* ---- Rev, Slice, Pad, ConcatInDim ---------------------------------------- */

assay_code move_check_rev(struct check *c)
{
    const struct attribute *a;
    TRY(program_arrays(c));
    TRY(attribute_need(c, "dimensions", &a));
    c->result = c->operands[0];
    return attribute_dimensions(c, a, c->operands[0]->rank);
}

assay_code move_run_rev(struct run *r)
{
    const struct attribute *a = attribute_find(r->node, "dimensions");
    struct value *out = machine_result(r);
    const struct shape *s = out->shape;
    int64_t first = 0, steps[RANK_MAX];
    shape_steps(s, steps);
    for (int k = 0; k < s->rank; k++)
        if (attribute_has(a, k)) {
            first += (s->dims[k] - 1) * steps[k];
            steps[k] = -steps[k];
        }
    value_take(out, s, r->operands[0], first, steps);
    return ASSAY_OK;
}

assay_code move_check_slice(struct check *c)
{
    const struct shape *s = c->operands[0];
    const struct attribute *start, *limit, *stride = NULL;
    int64_t dims[RANK_MAX];
    TRY(program_arrays(c));
    TRY(attribute_list(c, "start_indices", s->rank, &start));
    TRY(attribute_list(c, "limit_indices", s->rank, &limit));
    if (attribute_find(c->node, "strides") != NULL)
        TRY(attribute_list(c, "strides", s->rank, &stride));
    for (int i = 0; i < s->rank; i++) {
        int64_t a = start->ints[i], b = limit->ints[i],
                n = stride == NULL ? 1 : stride->ints[i];
        if (a < 0 || b < a || b > s->dims[i] || n <= 0)
            return program_fail(c, ASSAY_ATTRIBUTE,
                                "[%lld:%lld:%lld] of size %lld", (long long)a,
                                (long long)b, (long long)n,
                                (long long)s->dims[i]);
        dims[i] = (b - a) / n + ((b - a) % n != 0);
    }
    c->result = shape_new(c->memory, s->type, s->rank, dims);
    return ASSAY_OK;
}

assay_code move_run_slice(struct run *r)
{
    const int64_t *start = attribute_find(r->node, "start_indices")->ints;
    const struct attribute *stride = attribute_find(r->node, "strides");
    struct value *out = machine_result(r);
    int64_t first = 0, steps[RANK_MAX];
    shape_steps(r->operands[0]->shape, steps);
    for (int k = 0; k < out->shape->rank; k++) {
        first += start[k] * steps[k];
        if (stride != NULL && out->shape->dims[k] > 1) /* or it may be huge */
            steps[k] *= stride->ints[k];
    }
    value_take(out, out->shape, r->operands[0], first, steps);
    return ASSAY_OK;
}

assay_code move_check_pad(struct check *c)
{
    const struct shape *s = c->operands[0];
    const struct attribute *a;
    int64_t dims[RANK_MAX];
    TRY(binary_types(c));
    if (!shape_is_scalar(c->operands[1]))
        return program_fail(c, ASSAY_TYPE, "the padding value is not a scalar");
    TRY(attribute_list(c, "padding_config", 3 * (int64_t)s->rank, &a));
    for (int i = 0; i < s->rank; i++) {
        const int64_t limit = INT64_C(1) << 40, *p = a->ints + 3 * i;
        if (p[2] < 0)
            return program_fail(c, ASSAY_ATTRIBUTE,
                                "interior padding is negative");
        if (p[0] > limit || p[1] > limit || p[2] > limit || p[0] < -limit
            || p[1] < -limit)
            return program_fail(c, ASSAY_UNSUPPORTED,
                                "the padded size is too large");
        int64_t holes = s->dims[i] > 0 ? s->dims[i] - 1 : 0;
        if (p[2] > 0 && holes > limit / p[2])
            return program_fail(c, ASSAY_UNSUPPORTED,
                                "the padded size is too large");
        dims[i] = s->dims[i] + p[0] + p[1] + p[2] * holes;
        if (dims[i] < 0)
            return program_fail(c, ASSAY_SHAPE, "dimension %d becomes %lld", i,
                                (long long)dims[i]);
    }
    c->result = shape_new(c->memory, s->type, s->rank, dims);
    return ASSAY_OK;
}

assay_code move_run_pad(struct run *r)
{
    const int64_t *p = attribute_find(r->node, "padding_config")->ints;
    const struct value *x = r->operands[0];
    struct value *out = machine_result(r);
    const struct shape *s = out->shape;
    int64_t n = shape_count(s), index[RANK_MAX] = {0}, from[RANK_MAX];
    for (int64_t i = 0; i < n; i++) {
        int inside = 1;
        for (int k = 0; k < s->rank; k++) {
            int64_t at = index[k] - p[3 * k], step = p[3 * k + 2] + 1;
            from[k] = at / step;
            if (at < 0 || at % step != 0 || from[k] >= x->shape->dims[k])
                inside = 0;
        }
        if (inside)
            value_move(out, i, x, shape_offset(s->rank, x->shape->dims, from));
        else
            value_move(out, i, r->operands[1], 0);
        shape_next(s->rank, s->dims, index);
    }
    return ASSAY_OK;
}

assay_code move_check_concat(struct check *c)
{
    const struct attribute *a;
    int64_t dims[RANK_MAX];
    TRY(program_arrays(c));
    TRY(attribute_need(c, "dimension", &a));
    const struct shape *s = c->operands[0];
    if (s->rank == 0)
        return program_fail(c, ASSAY_SHAPE, "scalars cannot be concatenated");
    if (a->count != 1)
        return program_fail(c, ASSAY_ATTRIBUTE, "dimension is not a number");
    TRY(attribute_dimensions(c, a, s->rank));
    for (int k = 0; k < s->rank; k++)
        dims[k] = s->dims[k];
    for (int i = 1; i < c->count; i++) {
        const struct shape *t = c->operands[i];
        if (t->type != s->type)
            return program_fail(c, ASSAY_TYPE, "types %s and %s", s->type->name,
                                t->type->name);
        for (int k = 0; k < s->rank; k++)
            if (t->rank != s->rank
                || (k != a->ints[0] && t->dims[k] != s->dims[k]))
                return program_fail(c, ASSAY_SHAPE, "operand %d does not fit",
                                    i);
        dims[a->ints[0]] += t->dims[a->ints[0]];
    }
    c->result = shape_new(c->memory, s->type, s->rank, dims);
    return ASSAY_OK;
}

assay_code move_run_concat(struct run *r)
{
    int64_t d = attribute_int(r->node, "dimension", 0);
    struct value *out = machine_result(r);
    int64_t at[RANK_MAX] = {0}, zero[RANK_MAX] = {0};
    for (int i = 0; i < r->node->count; i++) {
        const struct value *x = r->operands[i];
        value_copy_box(out, at, x, zero, x->shape->dims);
        at[d] += x->shape->dims[d];
    }
    return ASSAY_OK;
}

/* ---- Iota ---------------------------------------------------------------- */

assay_code move_check_iota(struct check *c)
{
    const struct attribute *a, *along;
    TRY(attribute_need(c, "shape", &a));
    TRY(attribute_need(c, "iota_dimension", &along));
    const struct shape *s = a->shape;
    int64_t d = attribute_int(c->node, "iota_dimension", 0);
    if (s == NULL || s->kind != ASSAY_ARRAY || s->type->class == PRED)
        return program_fail(c, ASSAY_TYPE, "not defined for this type");
    if (s->dynamic != NULL)
        return program_fail(c, ASSAY_SHAPE, "the shape is dynamic");
    if (s->rank == 0)
        return program_fail(c, ASSAY_SHAPE, "the result is a scalar");
    if (d < 0 || d >= s->rank)
        return program_fail(c, ASSAY_ATTRIBUTE, "iota_dimension is %lld",
                            (long long)d);
    c->result = s;
    return ASSAY_OK;
}

assay_code move_run_iota(struct run *r)
{
    int64_t d = attribute_int(r->node, "iota_dimension", 0);
    struct value *out = machine_result(r);
    const struct shape *s = out->shape;
    int64_t n = shape_count(s), index[RANK_MAX] = {0};
    for (int64_t i = 0; i < n; i++) {
        if (s->type->class == COMPLEX)
            type_set_number(s->type, out->data, i, (double)index[d]);
        else if (s->type->class == FLOAT)
            type_set_double(s->type, out->data, i, (double)index[d]);
        else
            type_set_int(s->type, out->data, i, (uint64_t)index[d]);
        shape_next(s->rank, s->dims, index);
    }
    return ASSAY_OK;
}
