/* reduce.c - Reduce, by any scalar computation.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "native.h"

static assay_code check_operands(struct check *c, int n)
{
    TRY(program_arrays(c));
    for (int i = 0; i < n; i++) {
        if (!shape_same_dims(c->operands[i], c->operands[0]))
            return program_fail(c, ASSAY_SHAPE,
                                "operands 0 and %d differ in shape", i);
        if (!shape_is_scalar(c->operands[n + i]))
            return program_fail(c, ASSAY_TYPE, "init %d is not a scalar", i);
        if (c->operands[n + i]->type != c->operands[i]->type)
            return program_fail(c, ASSAY_TYPE, "operand %d is %s, its init %s",
                                i, c->operands[i]->type->name,
                                c->operands[n + i]->type->name);
    }
    return ASSAY_OK;
}

assay_code reduce_check(struct check *c)
{
    int n = c->count / 2;
    const struct attribute *a;
    const struct computation *f;
    const struct shape **scalars =
        memory_new(c->memory, (size_t)c->count, sizeof *scalars);
    if (c->count % 2 != 0)
        return program_fail(c, ASSAY_STRUCTURE, "%d operands", c->count);
    TRY(check_operands(c, n));
    TRY(attribute_need(c, "dimensions_to_reduce", &a));
    TRY(attribute_dimensions(c, a, c->operands[0]->rank));
    for (int i = 0; i < n; i++)
        scalars[i] = scalars[n + i] = c->operands[n + i];
    TRY(program_reducer(c, "computation", n, scalars, &f));
    int64_t dims[RANK_MAX];
    int rank = 0;
    for (int i = 0; i < c->operands[0]->rank; i++)
        if (!attribute_has(a, i))
            dims[rank++] = c->operands[0]->dims[i];
    for (int i = 0; i < n; i++)
        scalars[i] = shape_new(c->memory, c->operands[i]->type, rank, dims);
    c->result = shape_joined(c->memory, n, scalars);
    return ASSAY_OK;
}

/* Finds the element of the result that each element of an operand goes to. */
static int64_t target(const struct attribute *a, const struct shape *s,
                      const int64_t *index)
{
    int64_t at = 0;
    for (int i = 0; i < s->rank; i++)
        if (!attribute_has(a, i))
            at = at * s->dims[i] + index[i];
    return at;
}

/* One binary operation: accumulators of narrow floats are floats. */
static void run_simple(struct run *r, const struct binary *b,
                       const struct attribute *a)
{
    const struct value *x = machine_wide(r, 0), *init = machine_wide(r, 1);
    const struct shape *s = x->shape;
    const struct type *t = s->type;
    struct value *out =
        value_new(r->memory, shape_retyped(r->memory, r->node->shape, t));
    int64_t m = shape_count(out->shape), n = shape_count(s);
    int64_t index[RANK_MAX] = {0};
    for (int64_t i = 0; i < m; i++)
        value_move(out, i, init, 0);
    for (int64_t i = 0; i < n; i++) {
        int64_t to = target(a, s, index);
        binary_apply(b, t, out->data, to, (struct element){out->data, to},
                     (struct element){x->data, i});
        shape_next(s->rank, s->dims, index);
    }
    r->result = value_retyped(r->memory, out, r->node->shape);
}

/* Any computation: called once an element. */
static assay_code run_called(struct run *r, const struct computation *f,
                             const struct attribute *a)
{
    int n = r->node->count / 2;
    const struct shape *s = r->operands[0]->shape;
    struct value *out = machine_result(r), **parts = value_parts(&out, n);
    int64_t m = shape_count(parts[0]->shape), count = shape_count(s);
    int64_t index[RANK_MAX] = {0};
    struct value **arguments = machine_arguments(r, f);
    for (int k = 0; k < n; k++)
        for (int64_t i = 0; i < m; i++)
            value_move(parts[k], i, r->operands[n + k], 0);
    for (int64_t i = 0; i < count; i++) {
        int64_t to = target(a, s, index);
        for (int k = 0; k < n; k++) {
            value_move(arguments[k], 0, parts[k], to);
            value_move(arguments[n + k], 0, r->operands[k], i);
        }
        TRY(machine_apply(r, f, arguments, parts, n, to));
        shape_next(s->rank, s->dims, index);
    }
    return ASSAY_OK;
}

assay_code reduce_run(struct run *r)
{
    const struct attribute *a = attribute_find(r->node, "dimensions_to_reduce");
    const struct computation *f =
        machine_called(r->machine, r->node, "computation", 0);
    if (f->simple == NULL)
        return run_called(r, f, a);
    run_simple(r, binary_find(f->simple->name), a);
    return ASSAY_OK;
}
