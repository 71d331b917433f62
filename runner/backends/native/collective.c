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

static void set_number(struct run *r, int x)
{
    struct value *out = machine_result(r);
    type_set_int(out->shape->type, out->data, 0, (uint64_t)x);
}

assay_code collective_run_replica_id(struct run *r)
{
    set_number(r, r->replica / r->machine->program->partitions);
    return ASSAY_OK;
}

assay_code collective_run_partition_id(struct run *r)
{
    set_number(r, r->replica % r->machine->program->partitions);
    return ASSAY_OK;
}

/* ---- Groups -------------------------------------------------------------- */

/* The processes that the numbers of groups count. */
enum mode {
    CROSS_REPLICA,
    CROSS_PARTITION,
    CROSS_BOTH, /* replicas, with all their partitions */
    FLATTENED   /* processes */
};

static enum mode mode_of(const struct node *n)
{
    const char *op = n->op->name;
    if (attribute_int(n, "channel_id", 0) <= 0)
        return CROSS_REPLICA;
    if (attribute_int(n, "use_global_device_ids", 0))
        return FLATTENED;
    return strcmp(op, "AllGather") == 0 || strcmp(op, "AllReduce") == 0
                   || strcmp(op, "ReduceScatter") == 0
               ? CROSS_BOTH
               : CROSS_PARTITION;
}

int collective_numbers(const struct program *p, const struct node *n)
{
    switch (mode_of(n)) {
    case CROSS_PARTITION:
        return p->partitions;
    case FLATTENED:
        return p->replicas * p->partitions;
    case CROSS_REPLICA:
    case CROSS_BOTH:
        break;
    }
    return p->replicas;
}

assay_code collective_groups(struct check *c, int rules, int *size)
{
    const struct attribute *a = attribute_find(c->node, "replica_groups");
    int seen[PROCESSES_MAX] = {0}, n = collective_numbers(c->program, c->node);
    int whole = mode_of(c->node) == CROSS_BOTH ? c->program->partitions : 1;
    *size = n * whole;
    if (attribute_int(c->node, "use_global_device_ids", 0)
        && attribute_int(c->node, "channel_id", 0) <= 0)
        return program_fail(c, ASSAY_ATTRIBUTE,
                            "use_global_device_ids without a channel_id");
    if (a == NULL || a->part_count == 0)
        return ASSAY_OK;
    *size = (int)a->parts[0] * whole;
    for (int64_t i = 0; i < a->count; i++) {
        if (a->ints[i] < 0 || a->ints[i] >= n)
            return program_fail(c, ASSAY_ATTRIBUTE, "%lld in a group of %d",
                                (long long)a->ints[i], n);
        if (seen[a->ints[i]]++)
            return program_fail(c, ASSAY_ATTRIBUTE, "%lld is in two groups",
                                (long long)a->ints[i]);
    }
    if (a->count != n && !(rules & GROUPS_PARTIAL))
        return program_fail(c, ASSAY_ATTRIBUTE, "the groups name %lld of %d",
                            (long long)a->count, n);
    for (int64_t i = 0; i < a->part_count; i++)
        if (a->parts[i] == 0
            || (rules & GROUPS_UNIFORM && a->parts[i] != a->parts[0]))
            return program_fail(c, ASSAY_ATTRIBUTE, "a group of %lld",
                                (long long)a->parts[i]);
    return ASSAY_OK;
}

int64_t collective_number(const struct run *r)
{
    int partitions = r->machine->program->partitions;
    enum mode mode = mode_of(r->node);
    return mode == FLATTENED         ? r->replica
           : mode == CROSS_PARTITION ? r->replica % partitions
                                     : r->replica / partitions;
}

static assay_code find_run(struct group *g, const struct run *r, int process,
                           struct run **found)
{
    for (int i = 0; i < g->count; i++)
        if (g->runs[i].replica == process) {
            *found = &g->runs[i];
            return ASSAY_OK;
        }
    return memory_fail(g->machine->error, ASSAY_STRUCTURE,
                       "deadlock: %d waits in '%s' for %d", r->replica,
                       g->node->name, process);
}

assay_code collective_process(struct group *g, const struct run *r,
                              int64_t number, struct run **found)
{
    int partitions = g->machine->program->partitions;
    enum mode mode = mode_of(g->node);
    int process = mode == FLATTENED ? (int)number
                  : mode == CROSS_PARTITION
                      ? r->replica / partitions * partitions + (int)number
                      : (int)number * partitions + r->replica % partitions;
    return find_run(g, r, process, found);
}

/* All that one number of a group means. */
static assay_code add_member(struct group *g, const struct run *r,
                             int64_t number, struct members *m)
{
    int partitions = g->machine->program->partitions;
    if (mode_of(g->node) != CROSS_BOTH)
        return collective_process(g, r, number, &m->of[m->count++]);
    for (int i = 0; i < partitions; i++)
        TRY(find_run(g, r, (int)number * partitions + i, &m->of[m->count++]));
    return ASSAY_OK;
}

assay_code collective_members(struct group *g, const struct run *r,
                              struct members *m)
{
    const struct attribute *a = attribute_find(g->node, "replica_groups");
    int n = collective_numbers(g->machine->program, g->node);
    int64_t own = collective_number(r), parts = a == NULL ? 0 : a->part_count;
    const int64_t *ids = a == NULL ? NULL : a->ints;
    memset(m, 0, sizeof *m);
    for (int i = 0; parts == 0 && i < n; i++)
        TRY(add_member(g, r, i, m));
    for (int64_t p = 0; p < parts; ids += a->parts[p++]) {
        int mine = 0;
        for (int64_t i = 0; i < a->parts[p]; i++)
            mine = mine || ids[i] == own;
        for (int64_t i = 0; mine && i < a->parts[p]; i++)
            TRY(add_member(g, r, ids[i], m));
    }
    for (int i = 0; i < m->count; i++)
        if (m->of[i] == r)
            m->position = i;
    return ASSAY_OK;
}

/* ---- Reductions ---------------------------------------------------------- */

static assay_code check_computation(struct check *c, int count,
                                    const struct shape *const *arrays)
{
    const struct computation *f;
    for (int i = 0; i < count; i++) {
        if (arrays[i]->kind != ASSAY_ARRAY)
            return program_fail(c, ASSAY_TYPE, "argument %d is not an array",
                                i);
        if (arrays[i]->type != arrays[0]->type)
            return program_fail(c, ASSAY_TYPE, "array %d has another type", i);
    }
    const struct shape *two[2];
    two[0] = two[1] = shape_new(c->memory, arrays[0]->type, 0, NULL);
    return program_reducer(c, "computation", 1, two, &f);
}

assay_code collective_check_all_reduce(struct check *c)
{
    int size;
    const struct shape *x = c->operands[0];
    int tuple = c->count == 1 && x->kind == ASSAY_TUPLE;
    TRY(collective_groups(c, 0, &size));
    if (tuple && x->rank == 0)
        return program_fail(c, ASSAY_TYPE, "an empty tuple");
    c->result = shape_joined(c->memory, c->count, c->operands);
    return tuple ? check_computation(c, x->rank, x->elements)
                 : check_computation(c, c->count, c->operands);
}

assay_code collective_check_sum(struct check *c)
{
    int size;
    const struct shape *s = c->operands[0];
    if (s->kind != ASSAY_ARRAY || s->type->class == PRED)
        return program_fail(c, ASSAY_TYPE, "the operand is not a number");
    c->result = s;
    return collective_groups(c, 0, &size);
}

assay_code collective_check_reduce_scatter(struct check *c)
{
    int size;
    const struct attribute *a;
    int64_t d = attribute_int(c->node, "scatter_dimension", -1);
    const struct shape **parts =
        memory_new(c->memory, (size_t)c->count, sizeof *parts);
    TRY(collective_groups(c, GROUPS_UNIFORM, &size));
    TRY(attribute_need(c, "scatter_dimension", &a));
    if (attribute_int(c->node, "shard_count", 0) != size)
        return program_fail(c, ASSAY_ATTRIBUTE, "shard_count for groups of %d",
                            size);
    for (int i = 0; i < c->count; i++) {
        const struct shape *s = c->operands[i];
        int64_t dims[RANK_MAX];
        if (s->kind != ASSAY_ARRAY || s->type != c->operands[0]->type)
            return program_fail(c, ASSAY_TYPE, "operand %d", i);
        TRY(attribute_dimensions(c, a, s->rank));
        for (int k = 0; k < s->rank; k++)
            dims[k] = s->dims[k];
        if (dims[d] % size != 0)
            return program_fail(c, ASSAY_SHAPE, "%lld into %d parts",
                                (long long)dims[d], size);
        dims[d] /= size;
        parts[i] = shape_new(c->memory, s->type, s->rank, dims);
    }
    c->result = shape_joined(c->memory, c->count, parts);
    return check_computation(c, c->count, c->operands);
}

/* sum = f(sum, x), element by element; no f is addition. */
static assay_code accumulate(struct run *r, const struct computation *f,
                             struct value *sum, const struct value *x)
{
    const struct type *t = sum->shape->type;
    int64_t n = shape_count(sum->shape);
    if (f == NULL || f->simple != NULL) {
        const struct binary *b =
            binary_find(f == NULL ? "Add" : f->simple->name);
        for (int64_t i = 0; i < n; i++)
            binary_apply(b, t, sum->data, i, (struct element){sum->data, i},
                         (struct element){x->data, i});
        return ASSAY_OK;
    }
    struct value **arguments = machine_arguments(r, f);
    for (int64_t i = 0; i < n; i++) {
        value_move(arguments[0], 0, sum, i);
        value_move(arguments[1], 0, x, i);
        TRY(machine_apply(r, f, arguments, &sum, 1, i));
    }
    return ASSAY_OK;
}

static struct value *part(const struct run *r, int i)
{
    struct value *x = r->operands[0];
    return x->elements != NULL ? x->elements[i] : r->operands[i];
}

/* One operand, or element of a tuple, combined over a group.  Sums of narrow
 * floats are kept in f32 while they grow; the result has the operand's own
 * shape again, because a shape made here does not outlive the call. */
static assay_code reduce_members(struct group *g, const struct members *m,
                                 int operand, struct value **sum)
{
    const struct computation *f =
        attribute_find(g->node, "computation") == NULL
            ? NULL
            : machine_called(g->machine, g->node, "computation", 0);
    const struct shape *s = part(m->of[0], operand)->shape, *wide = s;
    if (f == NULL || f->simple != NULL)
        wide = shape_retyped(g->memory, s, type_wide(s->type));
    for (int i = 0; i < m->count; i++) {
        struct value *x =
            value_retyped(g->memory, part(m->of[i], operand), wide);
        if (i == 0)
            *sum = value_copy(g->memory, x);
        else
            TRY(accumulate(m->of[i], f, *sum, x));
    }
    *sum = value_retyped(g->memory, *sum, s);
    return ASSAY_OK;
}

static void set_result(struct run *r, int operand, struct value *v)
{
    if (r->result->elements == NULL)
        r->result = v;
    else
        r->result->elements[operand] = v;
}

/* One group after the other, at its first member. */
assay_code collective_run_all_reduce(struct group *g)
{
    const struct shape *s = g->node->shape;
    int parts = s->kind == ASSAY_TUPLE ? s->rank : 1;
    for (int i = 0; i < g->count; i++)
        machine_result(&g->runs[i]);
    for (int i = 0; i < g->count; i++) {
        struct members m;
        TRY(collective_members(g, &g->runs[i], &m));
        for (int k = 0; m.position == 0 && k < parts; k++) {
            struct value *sum = NULL;
            TRY(reduce_members(g, &m, k, &sum));
            for (int j = 0; j < m.count; j++)
                set_result(m.of[j], k, sum);
        }
    }
    return ASSAY_OK;
}

/* Each member has its part of every sum. */
assay_code collective_run_reduce_scatter(struct group *g)
{
    int64_t d = attribute_int(g->node, "scatter_dimension", 0);
    for (int i = 0; i < g->count; i++) {
        struct run *r = &g->runs[i];
        struct members m;
        struct value *out = machine_result(r);
        TRY(collective_members(g, r, &m));
        for (int k = 0; k < g->node->count; k++) {
            struct value *sum = NULL;
            struct value *part = value_parts(&out, g->node->count)[k];
            int64_t at[RANK_MAX] = {0}, zero[RANK_MAX] = {0};
            TRY(reduce_members(g, &m, k, &sum));
            at[d] = m.position * part->shape->dims[d];
            value_copy_box(part, zero, sum, at, part->shape->dims);
        }
    }
    return ASSAY_OK;
}
