/* sizes.c - operations that ask for or change the sizes of dimensions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "native.h"

/* Every operand is an array; the attribute dimension is one of the first. */
static assay_code check_dimension(struct check *c)
{
    const struct shape *s = c->operands[0];
    int64_t d = attribute_int(c->node, "dimension", -1);
    TRY(program_arrays(c));
    if (d < 0 || d >= s->rank)
        return program_fail(c, ASSAY_ATTRIBUTE, "dimension is %lld",
                            (long long)d);
    return ASSAY_OK;
}

static assay_code check_size(struct check *c, int operand)
{
    const struct shape *s = c->operands[operand];
    if (s->kind != ASSAY_ARRAY)
        return program_fail(c, ASSAY_TYPE, "operand %d is not an array",
                            operand);
    if (s->rank != 0)
        return program_fail(c, ASSAY_SHAPE, "operand %d is not a scalar",
                            operand);
    if (s->type != type_find("s32"))
        return program_fail(c, ASSAY_TYPE, "operand %d is %s", operand,
                            s->type->name);
    return ASSAY_OK;
}

static int64_t size_operand(const struct run *r, int operand)
{
    const struct value *v = r->operands[operand];
    return (int64_t)type_int(v->shape->type, v->data, 0);
}

/* The operand's elements, bounds and sizes, in the result's shape. */
static struct value *whole(struct run *r)
{
    const struct value *x = r->operands[0];
    struct value *out = machine_result(r);
    const struct shape *s = out->shape;
    value_fill(out, x);
    for (int i = 0; out->sizes != NULL && i < s->rank; i++)
        out->sizes[i] = s->dynamic[i] ? value_size(x, i) : s->dims[i];
    return out;
}

/* The operand's shape where dimension d is dynamic or is not. */
static const struct shape *flagged(struct check *c, int64_t d, uint8_t flag)
{
    const struct shape *s = c->operands[0];
    uint8_t dynamic[RANK_MAX];
    for (int i = 0; i < s->rank; i++)
        dynamic[i] = i == d ? flag : s->dynamic != NULL && s->dynamic[i];
    return shape_flagged(c->memory, s, dynamic);
}

/* ---- GetDimensionSize, SetDimensionSize, RemoveDynamicDimension ---------- */

assay_code sizes_check_get(struct check *c)
{
    c->result = shape_new(c->memory, type_find("s32"), 0, NULL);
    return check_dimension(c);
}

assay_code sizes_run_get(struct run *r)
{
    int64_t d = attribute_int(r->node, "dimension", 0);
    struct value *out = machine_result(r);
    type_set_int(out->shape->type, out->data, 0,
                 (uint64_t)value_size(r->operands[0], (int)d));
    return ASSAY_OK;
}

assay_code sizes_check_set(struct check *c)
{
    TRY(check_size(c, 1));
    TRY(check_dimension(c));
    c->result = flagged(c, attribute_int(c->node, "dimension", 0), 1);
    return ASSAY_OK;
}

assay_code sizes_run_set(struct run *r)
{
    int64_t d = attribute_int(r->node, "dimension", 0);
    int64_t size = size_operand(r, 1);
    struct value *out = whole(r);
    if (size < 0 || size > out->shape->dims[d])
        return memory_fail(r->machine->error, ASSAY_UNSUPPORTED,
                           "'%s': size %lld of at most %lld", r->node->name,
                           (long long)size, (long long)out->shape->dims[d]);
    out->sizes[d] = size;
    return ASSAY_OK;
}

assay_code sizes_check_remove(struct check *c)
{
    TRY(check_dimension(c));
    c->result = flagged(c, attribute_int(c->node, "dimension", 0), 0);
    return ASSAY_OK;
}

assay_code sizes_run_remove(struct run *r)
{
    whole(r);
    return ASSAY_OK;
}

/* ---- DynamicReshape ------------------------------------------------------ */

assay_code sizes_check_reshape(struct check *c)
{
    const struct attribute *bounds, *flags;
    const struct shape *s = c->operands[0];
    uint8_t dynamic[RANK_MAX];
    TRY(attribute_need(c, "new_size_bounds", &bounds));
    TRY(attribute_need(c, "dims_are_dynamic", &flags));
    if (s->kind != ASSAY_ARRAY)
        return program_fail(c, ASSAY_TYPE, "the operand is not an array");
    if (flags->count != bounds->count || c->count - 1 != bounds->count)
        return program_fail(c, ASSAY_ATTRIBUTE, "%d bounds, %d flags, %d sizes",
                            (int)bounds->count, (int)flags->count,
                            c->count - 1);
    if (bounds->count > RANK_MAX)
        return program_fail(c, ASSAY_UNSUPPORTED, "too many dimensions");
    for (int i = 1; i < c->count; i++)
        TRY(check_size(c, i));
    for (int64_t i = 0; i < flags->count; i++)
        dynamic[i] = flags->ints[i] != 0;
    c->result = shape_flagged(
        c->memory,
        shape_new(c->memory, s->type, (int)bounds->count, bounds->ints),
        dynamic);
    return reshape_fit(c);
}

/* Those that count. */
static int64_t count(const struct value *v, int64_t *sizes)
{
    int64_t n = 1;
    for (int i = 0; i < v->shape->rank; i++) {
        sizes[i] = value_size(v, i);
        n *= sizes[i];
    }
    return n;
}

assay_code sizes_run_reshape(struct run *r)
{
    const struct value *x = r->operands[0];
    struct value *out = machine_result(r);
    const struct shape *s = out->shape, *from = x->shape;
    int64_t i[RANK_MAX] = {0}, k[RANK_MAX] = {0};
    int64_t from_sizes[RANK_MAX], sizes[RANK_MAX];
    int fits = 1;
    for (int d = 0; out->sizes != NULL && d < s->rank; d++) {
        if (s->dynamic[d])
            out->sizes[d] = size_operand(r, d + 1);
        fits = fits && out->sizes[d] >= 0 && out->sizes[d] <= s->dims[d];
    }
    int64_t n = count(x, from_sizes);
    if (!fits || count(out, sizes) != n)
        return memory_fail(r->machine->error, ASSAY_UNSUPPORTED,
                           "'%s': the sizes do not fit", r->node->name);
    for (; n > 0; n--) {
        value_move(out, shape_offset(s->rank, s->dims, k), x,
                   shape_offset(from->rank, from->dims, i));
        shape_next(from->rank, from_sizes, i);
        shape_next(s->rank, sizes, k);
    }
    return ASSAY_OK;
}
