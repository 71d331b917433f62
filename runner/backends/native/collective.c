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
    assay_code code = ASSAY_OK;
    if (mode_of(g->node) != CROSS_BOTH)
        return collective_process(g, r, number, &m->of[m->count++]);
    for (int i = 0; code == ASSAY_OK && i < partitions; i++)
        code = find_run(g, r, (int)number * partitions + i, &m->of[m->count++]);
    return code;
}

assay_code collective_members(struct group *g, const struct run *r,
                              struct members *m)
{
    const struct attribute *a = attribute_find(g->node, "replica_groups");
    int n = collective_numbers(g->machine->program, g->node);
    int64_t own = collective_number(r), parts = a == NULL ? 0 : a->part_count;
    const int64_t *ids = a == NULL ? NULL : a->ints;
    assay_code code = ASSAY_OK;
    memset(m, 0, sizeof *m);
    for (int i = 0; code == ASSAY_OK && parts == 0 && i < n; i++)
        code = add_member(g, r, i, m);
    for (int64_t p = 0; p < parts; ids += a->parts[p++]) {
        int mine = 0;
        for (int64_t i = 0; i < a->parts[p]; i++)
            mine = mine || ids[i] == own;
        for (int64_t i = 0; code == ASSAY_OK && mine && i < a->parts[p]; i++)
            code = add_member(g, r, ids[i], m);
    }
    for (int i = 0; code == ASSAY_OK && i < m->count; i++)
        if (m->of[i] == r)
            m->position = i;
    return code;
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
    assay_code code = collective_groups(c, 0, &size);
    if (code == ASSAY_OK && tuple && x->rank == 0)
        code = program_fail(c, ASSAY_TYPE, "an empty tuple");
    if (code == ASSAY_OK)
        code = tuple ? check_computation(c, x->rank, x->elements)
                     : check_computation(c, c->count, c->operands);
    c->result = c->count == 1 ? c->operands[0]
                              : shape_tuple(c->memory, c->count, c->operands);
    return code;
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
    assay_code code = collective_groups(c, GROUPS_UNIFORM, &size);
    if (code == ASSAY_OK)
        code = attribute_need(c, "scatter_dimension", &a);
    if (code == ASSAY_OK && attribute_int(c->node, "shard_count", 0) != size)
        code = program_fail(c, ASSAY_ATTRIBUTE, "shard_count for groups of %d",
                            size);
    for (int i = 0; code == ASSAY_OK && i < c->count; i++) {
        const struct shape *s = c->operands[i];
        int64_t dims[RANK_MAX];
        if (s->kind != ASSAY_ARRAY || s->type != c->operands[0]->type)
            return program_fail(c, ASSAY_TYPE, "operand %d", i);
        code = attribute_dimensions(c, a, s->rank);
        if (code != ASSAY_OK)
            break;
        for (int k = 0; k < s->rank; k++)
            dims[k] = s->dims[k];
        if (dims[d] % size != 0)
            return program_fail(c, ASSAY_SHAPE, "%lld into %d parts",
                                (long long)dims[d], size);
        dims[d] /= size;
        parts[i] = shape_new(c->memory, s->type, s->rank, dims);
    }
    if (code == ASSAY_OK)
        code = check_computation(c, c->count, c->operands);
    c->result =
        c->count == 1 ? parts[0] : shape_tuple(c->memory, c->count, parts);
    return code;
}

/* sum = f(sum, x), element by element; no f is addition. */
static assay_code accumulate(struct run *r, const struct computation *f,
                             struct value *sum, const struct value *x)
{
    const struct type *t = sum->shape->type;
    int64_t n = shape_count(sum->shape);
    size_t size = (size_t)t->bytes;
    if (f == NULL || f->simple != NULL) {
        const struct binary *b =
            binary_find(f == NULL ? "Add" : f->simple->name);
        for (int64_t i = 0; i < n; i++)
            binary_apply(b, t, sum->data, i, (struct element){sum->data, i},
                         (struct element){x->data, i});
        return ASSAY_OK;
    }
    struct value *pair[2], **arguments = pair, *result;
    pair[0] = value_new(r->memory, f->parameters[0]);
    pair[1] = value_new(r->memory, f->parameters[1]);
    for (int64_t i = 0; i < n; i++) {
        memcpy(pair[0]->data, sum->data + (size_t)i * size, size);
        memcpy(pair[1]->data, x->data + (size_t)i * size, size);
        struct memory *own = memory_begin(r->memory);
        TRY(machine_call(r->machine, own, f, 1, &r->replica, &arguments,
                         &result));
        memcpy(sum->data + (size_t)i * size, result->data, size);
        memory_end(r->memory, own);
    }
    return ASSAY_OK;
}

static struct value *retyped(struct memory *m, const struct value *v,
                             const struct shape *shape)
{
    struct value *to = value_new(m, shape);
    for (int64_t i = 0; i < shape_count(shape); i++)
        type_set_double(shape->type, to->data, i,
                        type_double(v->shape->type, v->data, i));
    return to;
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
    const struct shape *s = part(m->of[0], operand)->shape, *f32 = NULL;
    if ((f == NULL || f->simple != NULL) && s->type->class == FLOAT
        && s->type->bits < 32)
        f32 = shape_retyped(g->memory, s, type_find("f32"));
    assay_code code = ASSAY_OK;
    for (int i = 0; code == ASSAY_OK && i < m->count; i++) {
        struct value *x = part(m->of[i], operand);
        if (f32 != NULL)
            x = retyped(g->memory, x, f32);
        if (i == 0)
            *sum = value_copy(g->memory, x);
        else
            code = accumulate(m->of[i], f, *sum, x);
    }
    if (code == ASSAY_OK && f32 != NULL)
        *sum = retyped(g->memory, *sum, s);
    return code;
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
    assay_code code = ASSAY_OK;
    for (int i = 0; i < g->count; i++)
        machine_result(&g->runs[i]);
    for (int i = 0; code == ASSAY_OK && i < g->count; i++) {
        struct members m;
        code = collective_members(g, &g->runs[i], &m);
        const struct shape *s = g->node->shape;
        int parts = s->kind == ASSAY_TUPLE ? s->rank : 1;
        for (int k = 0; code == ASSAY_OK && m.position == 0 && k < parts; k++) {
            struct value *sum = NULL;
            code = reduce_members(g, &m, k, &sum);
            for (int j = 0; code == ASSAY_OK && j < m.count; j++)
                set_result(m.of[j], k, sum);
        }
    }
    return code;
}

/* The part of a whole that is one member's. */
static void cut(const struct value *whole, struct value *part, int64_t d,
                int position)
{
    const struct shape *s = part->shape;
    int64_t index[RANK_MAX] = {0}, n = shape_count(s);
    size_t size = (size_t)s->type->bytes;
    for (int64_t i = 0; i < n; i++) {
        int64_t own = index[d];
        index[d] += position * s->dims[d];
        memcpy(part->data + (size_t)i * size,
               whole->data
                   + (size_t)shape_offset(s->rank, whole->shape->dims, index)
                         * size,
               size);
        index[d] = own;
        shape_next(s->rank, s->dims, index);
    }
}

assay_code collective_run_reduce_scatter(struct group *g)
{
    assay_code code = ASSAY_OK;
    int64_t d = attribute_int(g->node, "scatter_dimension", 0);
    for (int i = 0; code == ASSAY_OK && i < g->count; i++) {
        struct run *r = &g->runs[i];
        struct members m;
        struct value *out = machine_result(r);
        code = collective_members(g, r, &m);
        for (int k = 0; code == ASSAY_OK && k < g->node->count; k++) {
            struct value *sum = NULL;
            code = reduce_members(g, &m, k, &sum);
            if (code == ASSAY_OK)
                cut(sum, g->node->count == 1 ? out : out->elements[k], d,
                    m.position);
        }
    }
    return code;
}
