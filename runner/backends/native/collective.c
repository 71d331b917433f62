/* collective.c - operations across replicas, all of which run here.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "native.h"

assay_code collective_check_replica_id(struct check *c)
{
    c->result = shape_new(c->memory, type_find("u32"), 0, NULL);
    return ASSAY_OK;
}

assay_code collective_run_replica_id(struct run *r)
{
    struct value *out = machine_result(r);
    type_set_int(out->shape->type, out->data, 0, (uint64_t)r->replica);
    return ASSAY_OK;
}

/* Every replica once; no groups are one group of all, in order. */
static assay_code check_groups(struct check *c)
{
    const struct attribute *a = attribute_find(c->node, "replica_groups");
    int seen[64] = {0};
    if (a == NULL || a->count == 0)
        return ASSAY_OK;
    for (int64_t i = 0; i < a->count; i++) {
        if (a->ints[i] < 0 || a->ints[i] >= c->program->replicas)
            return program_fail(c, ASSAY_ATTRIBUTE, "replica %lld in a group",
                                (long long)a->ints[i]);
        if (seen[a->ints[i]]++)
            return program_fail(c, ASSAY_ATTRIBUTE,
                                "replica %lld is in two groups",
                                (long long)a->ints[i]);
    }
    if (a->count != c->program->replicas)
        return program_fail(c, ASSAY_ATTRIBUTE,
                            "the groups leave out a replica");
    return ASSAY_OK;
}

assay_code collective_check_all_reduce(struct check *c)
{
    const struct computation *f;
    assay_code code = check_groups(c);
    if (code == ASSAY_OK && attribute_find(c->node, "channel_id") != NULL)
        code = program_fail(c, ASSAY_UNSUPPORTED, "channel_id");
    for (int i = 0; code == ASSAY_OK && i < c->count; i++) {
        if (c->operands[i]->kind != ASSAY_ARRAY)
            return program_fail(c, ASSAY_SHAPE, "operand %d is no array", i);
        const struct shape *scalar =
            shape_new(c->memory, c->operands[i]->type, 0, NULL);
        const struct shape *two[2];
        two[0] = two[1] = scalar;
        code = program_called(c, "computation", 0, 2, two, &f);
        if (code == ASSAY_OK && !shape_equal(f->nodes[f->root].shape, scalar))
            code = program_fail(c, ASSAY_COMPUTATION,
                                "the result of %s has another shape", f->name);
    }
    c->result = c->count == 1 ? c->operands[0]
                              : shape_tuple(c->memory, c->count, c->operands);
    return code;
}

/* sum = f(sum, x), element by element. */
static assay_code accumulate(struct run *r, const struct computation *f,
                             struct value *sum, const struct value *x)
{
    const struct type *t = sum->shape->type;
    int64_t n = shape_count(sum->shape);
    size_t size = (size_t)t->bytes;
    if (f->simple != NULL) {
        for (int64_t i = 0; i < n; i++)
            binary_apply(binary_find(f->simple->name), t, sum->data, i,
                         sum->data, i, x->data, i);
        return ASSAY_OK;
    }
    struct value *pair[2], **arguments = pair, *result;
    pair[0] = value_new(r->memory, f->parameters[0]);
    pair[1] = value_new(r->memory, f->parameters[1]);
    for (int64_t i = 0; i < n; i++) {
        memcpy(pair[0]->data, sum->data + (size_t)i * size, size);
        memcpy(pair[1]->data, x->data + (size_t)i * size, size);
        struct memory *own = memory_begin(r->memory);
        assay_code code = machine_call(r->machine, own, f, 1, &r->replica,
                                       &arguments, &result);
        if (code != ASSAY_OK)
            return code;
        memcpy(sum->data + (size_t)i * size, result->data, size);
        memory_end(r->memory, own);
    }
    return ASSAY_OK;
}

/* Sums of narrow floats are kept in f32 while they grow. */
static struct value *widened(struct memory *m, const struct value *v,
                             const struct type *to)
{
    struct value *wide = value_new(m, shape_retyped(m, v->shape, to));
    for (int64_t i = 0; i < shape_count(v->shape); i++)
        type_set_double(to, wide->data, i,
                        type_double(v->shape->type, v->data, i));
    return wide;
}

static struct run *run_of(struct group *g, int64_t replica)
{
    for (int i = 0; i < g->count; i++)
        if (g->runs[i].replica == replica)
            return &g->runs[i];
    return NULL;
}

static assay_code reduce_group(struct group *g, const int64_t *ids, int64_t n,
                               int operand, struct value **sums)
{
    const struct computation *f =
        machine_called(g->machine, g->node, "computation", 0);
    struct value *sum = NULL;
    for (int64_t i = 0; i < n; i++) {
        struct run *r = run_of(g, ids[i]);
        if (r == NULL)
            return memory_fail(g->machine->error, ASSAY_FAILED,
                               "replica %d never comes to '%s'", (int)ids[i],
                               g->node->name);
        struct value *x = r->operands[operand];
        const struct type *t = x->shape->type;
        if (f->simple != NULL && t->class == FLOAT && t->bits < 32)
            x = widened(g->memory, x, type_find("f32"));
        assay_code code = ASSAY_OK;
        if (i == 0)
            sum = value_copy(g->memory, x);
        else
            code = accumulate(r, f, sum, x);
        if (code != ASSAY_OK)
            return code;
    }
    for (int64_t i = 0; i < n; i++) {
        struct run *r = run_of(g, ids[i]);
        const struct type *t = r->operands[operand]->shape->type;
        sums[r - g->runs] =
            t == sum->shape->type ? sum : widened(g->memory, sum, t);
    }
    return ASSAY_OK;
}

/* One group after the other, in their order. */
static assay_code reduce_operand(struct group *g, int operand,
                                 struct value **sums)
{
    const struct attribute *a = attribute_find(g->node, "replica_groups");
    int replicas = g->machine->program->replicas;
    if (a == NULL || a->count == 0) {
        int64_t *all = memory_new(g->memory, (size_t)replicas, sizeof *all);
        for (int i = 0; i < replicas; i++)
            all[i] = i;
        return reduce_group(g, all, replicas, operand, sums);
    }
    const int64_t *ids = a->ints;
    for (int64_t i = 0; i < a->part_count; i++) {
        assay_code code = reduce_group(g, ids, a->parts[i], operand, sums);
        if (code != ASSAY_OK)
            return code;
        ids += a->parts[i];
    }
    return ASSAY_OK;
}

assay_code collective_run_all_reduce(struct group *g)
{
    int operands = g->node->count;
    struct value **sums = memory_new(g->memory, (size_t)g->count, sizeof *sums);
    for (int i = 0; i < g->count; i++)
        machine_result(&g->runs[i]);
    for (int k = 0; k < operands; k++) {
        assay_code code = reduce_operand(g, k, sums);
        if (code != ASSAY_OK)
            return code;
        for (int i = 0; i < g->count; i++) {
            if (operands == 1)
                g->runs[i].result = sums[i];
            else
                g->runs[i].result->elements[k] = sums[i];
        }
    }
    return ASSAY_OK;
}
