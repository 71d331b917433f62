/* collective.c - see collective.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/collective.h"

#include <inttypes.h>
#include <string.h>

#include "gen/policy/collective_group_order.h"
#include "interp/ops/reduce.h"
#include "interp/program/attribute.h"
#include "interp/program/mode.h"

static const char *what(enum mode mode)
{
    return mode == MODE_CROSS_PARTITION ? "partition"
           : mode == MODE_FLATTENED     ? "process"
                                        : "replica";
}

static bool check_names(const struct infer *in, const struct attribute *a,
                        enum mode mode, int rules, struct status *st)
{
    int n = mode_count(in->program, mode);
    bool *seen = arena_new(in->arena, bool, (size_t)n);
    for (int i = 0; i < a->count; i++) {
        int64_t id = a->ints[i];
        if (id < 0 || id >= n)
            return FAIL(st, ATTRIBUTE,
                        "%s: replica_groups has %s %" PRId64 "; there are %d",
                        in->op->name, what(mode), id, n);
        if (seen[id])
            return FAIL(st, ATTRIBUTE,
                        "%s: replica_groups has %s %" PRId64 " twice",
                        in->op->name, what(mode), id);
        seen[id] = true;
    }
    for (int i = 0; i < n && !(rules & COLLECTIVE_PARTIAL); i++)
        if (!seen[i])
            return FAIL(st, ATTRIBUTE, "%s: replica_groups lacks %s %d of %d",
                        in->op->name, what(mode), i, n);
    return true;
}

static bool check_ids(const struct infer *in, struct status *st)
{
    if (attribute_bool(in->in, ATTRIBUTE_USE_GLOBAL_DEVICE_IDS, false)
        && attribute_int(in->in, ATTRIBUTE_CHANNEL_ID, 0) <= 0)
        return FAIL(st, ATTRIBUTE,
                    "%s: use_global_device_ids needs a channel_id",
                    in->op->name);
    return true;
}

bool collective_infer(struct infer *in, int rules, struct status *st)
{
    const struct attribute *a =
        attribute_find(in->in, ATTRIBUTE_REPLICA_GROUPS);
    TRY(check_ids(in, st));
    if (!a || a->part_count == 0)
        return true;
    TRY(check_names(in, a, mode_of(in->in), rules, st));
    for (int i = 0; i < a->part_count; i++)
        if (a->parts[i] == 0)
            return FAIL(st, ATTRIBUTE, "%s: a group of replica_groups is empty",
                        in->op->name);
    for (int i = 1; i < a->part_count && rules & COLLECTIVE_UNIFORM; i++)
        if (a->parts[i] != a->parts[0])
            return FAIL(st, ATTRIBUTE,
                        "%s: replica_groups has groups of %d and of %d",
                        in->op->name, (int)a->parts[0], (int)a->parts[i]);
    return true;
}

bool collective_infer_pairs(struct infer *in, struct status *st)
{
    const struct attribute *a =
        attribute_find(in->in, ATTRIBUTE_SOURCE_TARGET_PAIRS);
    enum mode mode = mode_of(in->in);
    int n = mode_count(in->program, mode);
    bool *seen = arena_new(in->arena, bool, 2 * (size_t)n);
    TRY(check_ids(in, st));
    for (int i = 0; i < a->count; i++) {
        const char *role = i % 2 ? "target" : "source";
        int64_t id = a->ints[i];
        if (id < 0 || id >= n)
            return FAIL(st, ATTRIBUTE,
                        "%s: %s %" PRId64 " is not a %s; there are %d",
                        in->op->name, role, id, what(mode), n);
        if (seen[2 * id + i % 2])
            return FAIL(st, ATTRIBUTE,
                        "%s: %s %" PRId64 " is the %s of two pairs",
                        in->op->name, what(mode), id, role);
        seen[2 * id + i % 2] = true;
    }
    return true;
}

int collective_size(const struct infer *in)
{
    const struct attribute *a =
        attribute_find(in->in, ATTRIBUTE_REPLICA_GROUPS);
    enum mode mode = mode_of(in->in);
    int n = a && a->part_count > 0 ? (int)a->parts[0]
                                   : mode_count(in->program, mode);
    return mode == MODE_CROSS_BOTH ? n * in->program->partitions : n;
}

bool collective_dimension(const struct infer *in, enum attribute_name name,
                          int operand, int64_t *d, struct status *st)
{
    int rank = in->operands[operand]->rank;
    *d = attribute_int(in->in, name, 0);
    if (*d >= 0 && *d < rank)
        return true;
    return FAIL(st, ATTRIBUTE, "%s: %s is %" PRId64 "; operand %d has rank %d",
                in->op->name, attribute_name_text(name), *d, operand, rank);
}

bool collective_count(const struct infer *in, enum attribute_name name,
                      int64_t *count, struct status *st)
{
    int n = collective_size(in);
    *count = attribute_int(in->in, name, 0);
    if (*count == n)
        return true;
    return FAIL(st, ATTRIBUTE,
                "%s: %s is %" PRId64 "; expected %d, the size of a group",
                in->op->name, attribute_name_text(name), *count, n);
}

bool collective_divide(const struct infer *in, int64_t *dims, int64_t d,
                       int64_t count, const char *name, struct status *st)
{
    if (dims[d] % count != 0)
        return FAIL(st, SHAPE,
                    "%s: size %" PRId64 " of dimension %" PRId64
                    " is not a multiple of %s %" PRId64,
                    in->op->name, dims[d], d, name, count);
    dims[d] /= count;
    return true;
}

/* The number of this process in a mode. */
static int64_t number_of(const struct eval *ev, enum mode mode)
{
    int parts = ev->machine->program->partitions;
    return mode == MODE_FLATTENED         ? ev->replica
           : mode == MODE_CROSS_PARTITION ? ev->replica % parts
                                          : ev->replica / parts;
}

/* All partitions of those replicas: the first replica's first, or the first
 * partition's. */
static int find_both(const struct eval *ev, const int64_t *ids, int count,
                     int *to)
{
    int parts = ev->machine->program->partitions;
    bool by_partition =
        profile_collective_group_order_is_partition_major(ev->machine->profile);
    for (int i = 0; i < count; i++)
        for (int p = 0; p < parts; p++)
            to[by_partition ? p * count + i : i * parts + p] =
                (int)ids[i] * parts + p;
    return count * parts;
}

/* The processes that the numbers of a mode denote for this one. */
static int find_processes(const struct eval *ev, const int64_t *ids, int count,
                          enum mode mode, int *to)
{
    int parts = ev->machine->program->partitions, n = 0;
    for (int i = 0; i < count; i++) {
        if (mode == MODE_FLATTENED)
            to[n++] = (int)ids[i];
        else if (mode == MODE_CROSS_REPLICA)
            to[n++] = (int)ids[i] * parts + ev->replica % parts;
        else if (mode == MODE_CROSS_PARTITION)
            to[n++] = ev->replica / parts * parts + (int)ids[i];
    }
    if (mode == MODE_CROSS_BOTH)
        n = find_both(ev, ids, count, to);
    return n;
}

/* The numbers of the group that contains that one; empty if no group does. */
static int find_ids(const struct instruction *in, int n, int64_t id,
                    struct arena *arena, const int64_t **ids)
{
    const struct attribute *a = attribute_find(in, ATTRIBUTE_REPLICA_GROUPS);
    const int64_t *next = a ? a->ints : NULL;
    for (int g = 0; a && g < a->part_count; next += a->parts[g++])
        for (int64_t k = 0; k < a->parts[g]; k++)
            if (next[k] == id) {
                *ids = next;
                return (int)a->parts[g];
            }
    if (a && a->part_count > 0)
        return 0;
    int64_t *all = arena_new(arena, int64_t, (size_t)n);
    for (int i = 0; i < n; i++)
        all[i] = i;
    *ids = all;
    return n;
}

/* Where each process is in evs; -1: it has not arrived. */
struct arrivals {
    struct eval *evs;
    int most, *where;
};

static struct arrivals arrive(struct eval *evs, int count)
{
    struct arrivals a = {.evs = evs, .most = 1};
    for (int i = 0; i < count; i++)
        if (evs[i].replica >= a.most)
            a.most = evs[i].replica + 1;
    a.where = arena_new(evs[0].arena, int, (size_t)a.most);
    memset(a.where, -1, (size_t)a.most * sizeof *a.where);
    for (int i = 0; i < count; i++)
        a.where[evs[i].replica] = i;
    return a;
}

/* "replica 1", or "replica 1, partition 0". */
static const char *title(const struct eval *ev, int process)
{
    int parts = ev->machine->program->partitions;
    if (parts == 1)
        return arena_printf(ev->arena, "replica %d", process);
    return arena_printf(ev->arena, "replica %d, partition %d,", process / parts,
                        process % parts);
}

static bool find_arrival(const struct arrivals *a, const struct eval *ev,
                         int process, int *at, struct status *st)
{
    *at = process < a->most ? a->where[process] : -1;
    if (*at >= 0)
        return true;
    return FAIL(st, STRUCTURE,
                "deadlock: %s waits in %s '%s' for %s, which never arrives",
                title(ev, ev->replica), ev->in->op->name, ev->in->name,
                title(ev, process));
}

static bool find_group(const struct arrivals *a, int self,
                       struct collective_group *g, struct status *st)
{
    struct eval *ev = &a->evs[self];
    const struct program *p = ev->machine->program;
    enum mode mode = mode_of(ev->in);
    const int64_t *ids = NULL;
    int count = find_ids(ev->in, mode_count(p, mode), number_of(ev, mode),
                         ev->arena, &ids);
    int *members = arena_new(ev->arena, int, (size_t)(count * p->partitions));
    g->count = find_processes(ev, ids, count, mode, members);
    for (int i = 0; i < g->count; i++) {
        TRY(find_arrival(a, ev, members[i], &members[i], st));
        if (members[i] == self)
            g->position = i;
    }
    g->members = members;
    return true;
}

bool collective_find(struct eval *evs, int count,
                     struct collective_group **groups, struct status *st)
{
    struct arrivals a = arrive(evs, count);
    *groups = arena_new(evs[0].arena, struct collective_group, (size_t)count);
    for (int i = 0; i < count; i++)
        TRY(find_group(&a, i, &(*groups)[i], st));
    return true;
}

bool collective_sources(struct eval *evs, int count, int *sources,
                        struct status *st)
{
    struct arrivals arrived = arrive(evs, count);
    enum mode mode = mode_of(evs[0].in);
    const struct attribute *a =
        attribute_find(evs[0].in, ATTRIBUTE_SOURCE_TARGET_PAIRS);
    for (int i = 0; i < count; i++) {
        int64_t self = number_of(&evs[i], mode);
        sources[i] = -1;
        for (int k = 0; k < a->count; k += 2) {
            int process;
            /* The source waits for its target, and the target for it. */
            if (a->ints[k] == self) {
                find_processes(&evs[i], &a->ints[k + 1], 1, mode, &process);
                TRY(find_arrival(&arrived, &evs[i], process, &process, st));
            }
            if (a->ints[k + 1] == self) {
                find_processes(&evs[i], &a->ints[k], 1, mode, &process);
                TRY(find_arrival(&arrived, &evs[i], process, &sources[i], st));
            }
        }
    }
    return true;
}

/* Operands, or the elements of the one that is a tuple. */
static const struct literal *part(const struct eval *ev, int i)
{
    return ev->operands[0]->shape->kind == SHAPE_TUPLE
               ? ev->operands[0]->elements[i]
               : ev->operands[i];
}

struct members {
    const struct eval *evs;
    const struct collective_group *group;
    int operand;
};

static void term(void *context, int64_t i, int64_t k, int which,
                 const struct literal **from, int64_t *at)
{
    const struct members *m = context;
    *from = part(&m->evs[m->group->members[k]], m->operand);
    *at = i;
}

/* One operand in one group. */
static bool reduce_operand(struct eval *evs, const struct collective_group *g,
                           const struct computation *c, int operand,
                           struct goal **goal, struct status *st)
{
    struct eval *ev = &evs[g->members[0]];
    const struct shape *s = part(ev, operand)->shape;
    struct members m = {evs, g, operand};
    struct reduce_list list = {
        .term = term, .context = &m, .count = g->count, .operands = 1};
    struct reduce *r = reduce_open(ev, c, 1, &s);
    for (int64_t i = 0, n = shape_elements(s); i < n; i++)
        TRY(reduce_element(r, &list, i, st));
    *goal = reduce_goals(r)[0];
    return true;
}

bool collective_reduce(struct eval *evs, int count, const struct computation *c,
                       struct status *st)
{
    struct collective_group *groups;
    TRY(collective_find(evs, count, &groups, st));
    for (int i = 0; i < count; i++) {
        if (groups[i].position != 0)
            continue;
        int n = shape_leaves(evs[i].in->shape);
        struct goal **goals = arena_new(evs[i].arena, struct goal *, (size_t)n);
        for (int k = 0; k < n; k++)
            TRY(reduce_operand(evs, &groups[i], c, k, &goals[k], st));
        for (int k = 0; k < groups[i].count; k++) {
            struct eval *ev = &evs[groups[i].members[k]];
            ev->spreads = evs[groups[i].members[0]].spreads;
            eval_return(ev, ev->in->shape, goals);
        }
    }
    return true;
}
