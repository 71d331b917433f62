/* scan.c - Scan, one step after the other.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "native.h"

static const struct shape *slice_of(struct memory *m, const struct shape *s,
                                    int64_t dimension)
{
    int64_t dims[RANK_MAX];
    int rank = 0;
    for (int i = 0; i < s->rank; i++)
        if (i != dimension)
            dims[rank++] = s->dims[i];
    return shape_new(m, s->type, rank, dims);
}

/* The shapes that the computation is called with. */
static assay_code read_arguments(struct check *c, int inputs, int64_t dimension,
                                 const struct shape **shapes)
{
    TRY(program_arrays(c));
    for (int i = inputs; i < c->count; i++)
        shapes[i] = c->operands[i];
    for (int i = 0; i < inputs; i++) {
        const struct shape *s = c->operands[i];
        if (dimension < 0 || dimension >= s->rank)
            return program_fail(c, ASSAY_ATTRIBUTE, "scan_dimension %d",
                                (int)dimension);
        if (s->dims[dimension] != c->operands[0]->dims[dimension])
            return program_fail(c, ASSAY_SHAPE, "input %d has another length",
                                i);
        shapes[i] = slice_of(c->memory, s, dimension);
    }
    return ASSAY_OK;
}

static assay_code check_results(struct check *c, const struct computation *f,
                                int inputs, int64_t dimension)
{
    const struct shape *r = f->nodes[f->root].shape;
    int carries = c->count - inputs, outputs = r->rank - carries;
    if (r->kind != ASSAY_TUPLE || outputs < 0)
        return program_fail(c, ASSAY_COMPUTATION, "%s gives no carries",
                            f->name);
    const struct shape **shapes =
        memory_new(c->memory, (size_t)r->rank + 1, sizeof *shapes);
    for (int i = 0; i < r->rank; i++) {
        const struct shape *s = r->elements[i];
        int64_t dims[RANK_MAX];
        if (i >= outputs) {
            shapes[i] = c->operands[inputs + i - outputs];
            if (!shape_equal(s, shapes[i]))
                return program_fail(c, ASSAY_COMPUTATION,
                                    "carry %d has another shape", i - outputs);
            continue;
        }
        if (s->kind != ASSAY_ARRAY || dimension > s->rank
            || s->rank >= RANK_MAX)
            return program_fail(c, ASSAY_COMPUTATION, "output %d", i);
        for (int k = 0; k < s->rank; k++)
            dims[k + (k >= dimension)] = s->dims[k];
        dims[dimension] = c->operands[0]->dims[dimension];
        shapes[i] = shape_new(c->memory, s->type, s->rank + 1, dims);
        TRY(shape_check(shapes[i], c->error));
    }
    c->result = shape_tuple(c->memory, r->rank, shapes);
    return ASSAY_OK;
}

assay_code scan_check(struct check *c)
{
    int64_t n = attribute_int(c->node, "num_inputs", 0);
    int64_t dimension = attribute_int(c->node, "scan_dimension", 0);
    const struct computation *f;
    if (n < 1 || n >= c->count)
        return program_fail(c, ASSAY_ATTRIBUTE, "num_inputs %d", (int)n);
    const struct shape **shapes =
        memory_new(c->memory, (size_t)c->count, sizeof *shapes);
    TRY(read_arguments(c, (int)n, dimension, shapes));
    TRY(program_called(c, "computation", 0, c->count, shapes, &f));
    return check_results(c, f, (int)n, dimension);
}

/* Copy slice t of whole to slice, or back. */
static void copy(const struct value *whole, const struct value *slice,
                 int64_t dimension, int64_t t, int back)
{
    const struct shape *s = whole->shape;
    int64_t before = 1, behind = s->type->bytes;
    for (int i = 0; i < s->rank; i++) {
        before *= i < dimension ? s->dims[i] : 1;
        behind *= i > dimension ? s->dims[i] : 1;
    }
    for (int64_t i = 0; i < before && behind > 0; i++) {
        unsigned char *a =
            whole->data + (size_t)(i * s->dims[dimension] + t) * (size_t)behind;
        unsigned char *b = slice->data + (size_t)(i * behind);
        memcpy(back ? a : b, back ? b : a, (size_t)behind);
    }
}

assay_code scan_run(struct run *r)
{
    const struct computation *f =
        machine_called(r->machine, r->node, "computation", 0);
    int inputs = (int)attribute_int(r->node, "num_inputs", 1);
    int64_t dimension = attribute_int(r->node, "scan_dimension", 0);
    int reverse = attribute_int(r->node, "is_reverse", 0) != 0;
    int64_t length = r->operands[0]->shape->dims[dimension];
    int count = r->node->count, carries = count - inputs;
    struct value *out = machine_result(r), *result;
    int outputs = out->shape->rank - carries;
    struct value **arguments = machine_arguments(r, f);
    for (int i = inputs; i < count; i++)
        value_fill(arguments[i], r->operands[i]);
    for (int64_t step = 0; step < length; step++) {
        int64_t t = reverse ? length - 1 - step : step;
        for (int i = 0; i < inputs; i++)
            copy(r->operands[i], arguments[i], dimension, t, 0);
        struct memory *own = memory_begin(r->memory);
        TRY(machine_call(r->machine, own, f, 1, &r->replica, &arguments,
                         &result));
        for (int i = 0; i < outputs; i++)
            copy(out->elements[i], result->elements[i], dimension, t, 1);
        for (int i = 0; i < carries; i++)
            value_fill(arguments[inputs + i], result->elements[outputs + i]);
        memory_end(r->memory, own);
    }
    for (int i = 0; i < carries; i++)
        value_fill(out->elements[outputs + i], arguments[inputs + i]);
    return ASSAY_OK;
}
