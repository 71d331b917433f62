/* scaled.c - ScaledDot: the operands times their scales, then a dot product.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "native.h"

static assay_code check_scale(struct check *c, int which)
{
    const struct shape *s = c->operands[which], *scale = c->operands[which + 1];
    if (s->rank != scale->rank)
        return program_fail(c, ASSAY_SHAPE, "a scale has rank %d", scale->rank);
    for (int i = 0; i < s->rank; i++)
        if (scale->dims[i] == 0 ? s->dims[i] != 0
                                : s->dims[i] % scale->dims[i] != 0)
            return program_fail(c, ASSAY_SHAPE,
                                "size %d is not a multiple of its scale's",
                                (int)s->dims[i]);
    return ASSAY_OK;
}

assay_code scaled_check(struct check *c)
{
    const struct shape *two[2];
    struct check dot = *c;
    for (int i = 0; i < 4; i++) {
        if (c->operands[i]->kind != ASSAY_ARRAY)
            return program_fail(c, ASSAY_TYPE, "operand %d is not an array", i);
        if (c->operands[i]->type->class != FLOAT)
            return program_fail(c, ASSAY_TYPE, "operand %d is %s", i,
                                c->operands[i]->type->name);
    }
    two[0] = c->operands[0];
    two[1] = c->operands[2];
    dot.count = 2;
    dot.operands = two;
    TRY(contract_check_dot_general(&dot));
    c->result = dot.result;
    TRY(check_scale(c, 0));
    return check_scale(c, 2);
}

/* An operand times its scale, in that type. */
static struct value *multiply(struct run *r, int which, const struct type *t)
{
    const struct value *v = r->operands[which], *scale = r->operands[which + 1];
    const struct shape *s = v->shape;
    struct value *to = value_new(r->memory, shape_retyped(r->memory, s, t));
    int64_t index[RANK_MAX] = {0};
    for (int64_t i = 0, n = shape_count(s); i < n; i++) {
        int64_t at = 0;
        for (int d = 0; d < s->rank; d++)
            at = at * scale->shape->dims[d]
                 + index[d] / (s->dims[d] / scale->shape->dims[d]);
        type_set_double(t, to->data, i,
                        type_double(s->type, v->data, i)
                            * type_double(scale->shape->type, scale->data, at));
        shape_next(s->rank, s->dims, index);
    }
    return to;
}

assay_code scaled_run(struct run *r)
{
    const struct type *t = r->operands[0]->shape->type;
    const struct type *wide = type_find(t->bits == 64 ? "f64" : "f32");
    struct value *operands[2];
    struct run dot = *r;
    operands[0] = multiply(r, 0, wide);
    operands[1] = multiply(r, 2, wide);
    dot.operands = operands;
    assay_code code = contract_run(&dot);
    r->result = dot.result;
    return code;
}
