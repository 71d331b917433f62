/* exchange.c - data moved between replicas, all of which run here.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "native.h"

/* A dimension of an operand, by the attribute's name. */
static assay_code dimension(struct check *c, const char *name, int operand,
                            int64_t *d)
{
    const struct attribute *a;
    TRY(attribute_need(c, name, &a));
    *d = attribute_int(c->node, name, 0);
    return attribute_dimensions(c, a, c->operands[operand]->rank);
}

static assay_code check_count(struct check *c, const char *name, int size)
{
    if (attribute_int(c->node, name, 0) != size)
        return program_fail(c, ASSAY_ATTRIBUTE, "%s for groups of %d", name,
                            size);
    return ASSAY_OK;
}

/* An integer of an operand. */
static int64_t entry(const struct run *r, int operand, int64_t i)
{
    const struct value *v = r->operands[operand];
    return (int64_t)type_int(v->shape->type, v->data, i);
}

/* ---- AllGather ----------------------------------------------------------- */

assay_code exchange_check_all_gather(struct check *c)
{
    int size;
    int64_t d, dims[RANK_MAX];
    const struct shape **results =
        memory_new(c->memory, (size_t)c->count, sizeof *results);
    TRY(program_arrays(c));
    TRY(collective_groups(c, GROUPS_UNIFORM, &size));
    TRY(check_count(c, "shard_count", size));
    for (int i = 0; i < c->count; i++) {
        const struct shape *s = c->operands[i];
        TRY(dimension(c, "all_gather_dimension", i, &d));
        for (int k = 0; k < s->rank; k++)
            dims[k] = k == d ? s->dims[k] * size : s->dims[k];
        results[i] = shape_new(c->memory, s->type, s->rank, dims);
        TRY(shape_check(results[i], c->error));
    }
    c->result = shape_joined(c->memory, c->count, results);
    return ASSAY_OK;
}

assay_code exchange_run_all_gather(struct group *g)
{
    int64_t d = attribute_int(g->node, "all_gather_dimension", 0);
    for (int i = 0; i < g->count; i++) {
        struct members m;
        struct value *out = machine_result(&g->runs[i]);
        TRY(collective_members(g, &g->runs[i], &m));
        for (int k = 0; k < g->node->count; k++)
            for (int j = 0; j < m.count; j++) {
                const struct value *from = m.of[j]->operands[k];
                int64_t zero[RANK_MAX] = {0}, at[RANK_MAX] = {0};
                at[d] = j * from->shape->dims[d];
                value_copy_box(value_parts(&out, g->node->count)[k], at, from,
                               zero, from->shape->dims);
            }
    }
    return ASSAY_OK;
}

/* ---- AllToAll ------------------------------------------------------------ */

assay_code exchange_check_all_to_all(struct check *c)
{
    int size;
    int64_t split, concat, dims[RANK_MAX];
    const struct shape *s = c->operands[0];
    TRY(program_arrays(c));
    TRY(collective_groups(c, GROUPS_UNIFORM, &size));
    TRY(dimension(c, "split_dimension", 0, &split));
    TRY(dimension(c, "concat_dimension", 0, &concat));
    TRY(check_count(c, "split_count", size));
    if (s->dims[split] % size != 0)
        return program_fail(c, ASSAY_SHAPE, "%lld into %d blocks",
                            (long long)s->dims[split], size);
    for (int k = 0; k < s->rank; k++)
        dims[k] = s->dims[k];
    dims[split] /= size;
    dims[concat] *= size;
    c->result = shape_new(c->memory, s->type, s->rank, dims);
    return shape_check(c->result, c->error);
}

assay_code exchange_run_all_to_all(struct group *g)
{
    int64_t split = attribute_int(g->node, "split_dimension", 0);
    int64_t concat = attribute_int(g->node, "concat_dimension", 0);
    for (int i = 0; i < g->count; i++) {
        struct members m;
        struct value *out = machine_result(&g->runs[i]);
        TRY(collective_members(g, &g->runs[i], &m));
        for (int j = 0; j < m.count; j++) {
            const struct value *from = m.of[j]->operands[0];
            int64_t there[RANK_MAX] = {0}, here[RANK_MAX] = {0};
            int64_t dims[RANK_MAX];
            for (int k = 0; k < from->shape->rank; k++)
                dims[k] = from->shape->dims[k];
            dims[split] /= m.count;
            there[split] = m.position * dims[split];
            here[concat] = j * dims[concat];
            value_copy_box(out, here, from, there, dims);
        }
    }
    return ASSAY_OK;
}

assay_code exchange_check_all_to_all_tuple(struct check *c)
{
    int size;
    TRY(program_arrays(c));
    TRY(collective_groups(c, GROUPS_UNIFORM, &size));
    if (c->count != size)
        return program_fail(c, ASSAY_STRUCTURE, "%d operands for groups of %d",
                            c->count, size);
    for (int i = 1; i < c->count; i++) {
        if (c->operands[i]->type != c->operands[0]->type)
            return program_fail(c, ASSAY_TYPE, "operand %d", i);
        if (!shape_equal(c->operands[i], c->operands[0]))
            return program_fail(c, ASSAY_SHAPE, "operand %d", i);
    }
    c->result = shape_tuple(c->memory, c->count, c->operands);
    return ASSAY_OK;
}

assay_code exchange_run_all_to_all_tuple(struct group *g)
{
    for (int i = 0; i < g->count; i++) {
        struct members m;
        struct value *out = machine_result(&g->runs[i]);
        TRY(collective_members(g, &g->runs[i], &m));
        for (int j = 0; j < m.count; j++)
            out->elements[j] = m.of[j]->operands[m.position];
    }
    return ASSAY_OK;
}

/* ---- CollectivePermute, CollectiveBroadcast ------------------------------ */

assay_code exchange_check_permute(struct check *c)
{
    const struct attribute *a;
    int seen[2][PROCESSES_MAX] = {{0}};
    int n = collective_numbers(c->program, c->node), size;
    TRY(program_arrays(c));
    TRY(collective_groups(c, 0, &size));
    TRY(attribute_need(c, "source_target_pairs", &a));
    for (int64_t i = 0; i < a->count; i++) {
        if (a->ints[i] < 0 || a->ints[i] >= n)
            return program_fail(c, ASSAY_ATTRIBUTE, "%lld of %d",
                                (long long)a->ints[i], n);
        if (seen[i % 2][a->ints[i]]++)
            return program_fail(c, ASSAY_ATTRIBUTE, "%lld is a %s twice",
                                (long long)a->ints[i],
                                i % 2 ? "target" : "source");
    }
    c->result = c->operands[0];
    return ASSAY_OK;
}

assay_code exchange_run_permute(struct group *g)
{
    const struct attribute *a = attribute_find(g->node, "source_target_pairs");
    for (int i = 0; i < g->count; i++) {
        struct run *r = &g->runs[i], *source;
        machine_result(r);
        for (int64_t k = 0; k < a->count; k += 2) {
            if (a->ints[k + 1] != collective_number(r))
                continue;
            TRY(collective_process(g, r, a->ints[k], &source));
            r->result = source->operands[0];
        }
    }
    return ASSAY_OK;
}

static int has_roots(const struct node *n)
{
    return attribute_int(n, "has_dynamic_root", 0) != 0;
}

assay_code exchange_check_broadcast(struct check *c)
{
    int size, arrays = c->count - has_roots(c->node);
    TRY(program_arrays(c));
    TRY(collective_groups(c, GROUPS_PARTIAL, &size));
    if (has_roots(c->node)) {
        const struct shape *s = c->operands[arrays];
        if (arrays == 0)
            return program_fail(c, ASSAY_STRUCTURE, "no array");
        if (strcmp(s->type->name, "s32") != 0)
            return program_fail(c, ASSAY_TYPE, "roots");
        if (s->rank != 1 || s->dims[0] != arrays)
            return program_fail(c, ASSAY_SHAPE, "roots");
    }
    c->result = shape_joined(c->memory, arrays, c->operands);
    return ASSAY_OK;
}

assay_code exchange_run_broadcast(struct group *g)
{
    int arrays = g->node->count - has_roots(g->node);
    for (int i = 0; i < g->count; i++) {
        struct run *r = &g->runs[i];
        struct members m;
        machine_result(r);
        TRY(collective_members(g, r, &m));
        for (int k = 0; m.count > 0 && k < arrays; k++) {
            int64_t root = has_roots(g->node) ? entry(r, arrays, k) : 0;
            value_parts(&r->result, arrays)[k] =
                m.of[root >= 0 && root < m.count ? root : 0]->operands[k];
        }
    }
    return ASSAY_OK;
}

/* ---- RaggedAllToAll ------------------------------------------------------ */

enum {
    INPUT,
    INPUT_OFFSETS,
    SEND_SIZES,
    OUTPUT,
    OUTPUT_OFFSETS,
    RECV_SIZES
};

assay_code exchange_check_ragged(struct check *c)
{
    static const int lists[] = {INPUT_OFFSETS, SEND_SIZES, OUTPUT_OFFSETS,
                                RECV_SIZES};
    int size;
    const struct shape *in = c->operands[INPUT], *out = c->operands[OUTPUT];
    TRY(program_arrays(c));
    for (int i = 0; i < 4; i++)
        if (!type_is_integer(c->operands[lists[i]]->type))
            return program_fail(c, ASSAY_TYPE, "operand %d", lists[i]);
    TRY(collective_groups(c, GROUPS_UNIFORM, &size));
    if (in->type != out->type)
        return program_fail(c, ASSAY_TYPE, "input is %s, output %s",
                            in->type->name, out->type->name);
    int fits = in->rank == out->rank && in->rank > 0;
    for (int k = 1; fits && k < in->rank; k++)
        fits = in->dims[k] == out->dims[k];
    for (int i = 0; i < 4; i++) {
        const struct shape *s = c->operands[lists[i]];
        fits = fits && (s->rank == 1 || s->rank == 2) && s->dims[0] == size
               && shape_same_dims(s, c->operands[INPUT_OFFSETS]);
    }
    if (!fits)
        return program_fail(c, ASSAY_SHAPE, "operands do not fit");
    c->result = out;
    return ASSAY_OK;
}

/* Elements outside are left out. */
static void receive(struct value *out, const struct run *from, int64_t i)
{
    const struct value *in = from->operands[INPUT];
    int64_t rows = out->shape->dims[0], size = entry(from, SEND_SIZES, i);
    int64_t start = entry(from, INPUT_OFFSETS, i);
    int64_t to = entry(from, OUTPUT_OFFSETS, i);
    size_t bytes = (size_t)out->shape->type->bytes;
    for (int k = 1; k < out->shape->rank; k++)
        bytes *= (size_t)out->shape->dims[k];
    for (int64_t k = 0; k < size && k < rows; k++)
        if (start >= 0 && start < in->shape->dims[0] - k && to >= 0
            && to < rows - k)
            memcpy(out->data + (size_t)(to + k) * bytes,
                   in->data + (size_t)(start + k) * bytes, bytes);
}

assay_code exchange_run_ragged(struct group *g)
{
    for (int i = 0; i < g->count; i++) {
        struct members m;
        struct run *r = &g->runs[i];
        const struct shape *list = r->operands[SEND_SIZES]->shape;
        int64_t updates = list->rank == 2 ? list->dims[1] : 1;
        r->result = value_copy(g->memory, r->operands[OUTPUT]);
        TRY(collective_members(g, r, &m));
        for (int j = 0; j < m.count; j++)
            for (int64_t u = 0; u < updates; u++)
                receive(r->result, m.of[j], m.position * updates + u);
    }
    return ASSAY_OK;
}
