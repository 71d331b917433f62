/* collective.c - see collective.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/collective.h"

#include <inttypes.h>
#include <string.h>

#include "interp/ops/reduce.h"
#include "interp/program/attribute.h"

enum mode {
    CROSS_REPLICA,
    CROSS_BOTH, /* all partitions of the replicas of a group */
    FLATTENED,  /* groups of processes */
};

static enum mode choose_mode(const struct instruction *in)
{
    if (!attribute_find(in, "channel_id"))
        return CROSS_REPLICA;
    return attribute_bool(in, "use_global_device_ids", false) ? FLATTENED
                                                              : CROSS_BOTH;
}

static int partitions_of(const struct program *p)
{
    return p->partitions > 0 ? p->partitions : 1;
}

static int replicas_of(const struct program *p)
{
    return p->replicas > 0 ? p->replicas : 1;
}

/* How many numbers the groups must name. */
static int named(const struct program *p, enum mode mode)
{
    return replicas_of(p) * (mode == FLATTENED ? partitions_of(p) : 1);
}

static bool check_cover(const struct infer *in, const struct attribute *a,
                        int n, struct status *st)
{
    bool *seen = arena_new(in->arena, bool, (size_t)n);
    for (int i = 0; i < a->count; i++) {
        int64_t id = a->ints[i];
        if (id < 0 || id >= n)
            return FAIL(st, ATTRIBUTE,
                        "%s: replica_groups names %" PRId64 " of %d",
                        in->op->name, id, n);
        if (seen[id])
            return FAIL(st, ATTRIBUTE,
                        "%s: replica_groups names %" PRId64 " twice",
                        in->op->name, id);
        seen[id] = true;
    }
    if (a->count < n)
        return FAIL(st, ATTRIBUTE, "%s: replica_groups names %d of %d replicas",
                    in->op->name, a->count, n);
    return true;
}

bool collective_infer(struct infer *in, bool uniform, struct status *st)
{
    const struct attribute *a = attribute_find(in->in, "replica_groups");
    if (attribute_bool(in->in, "use_global_device_ids", false)
        && !attribute_find(in->in, "channel_id"))
        return FAIL(st, ATTRIBUTE,
                    "%s: use_global_device_ids needs a channel_id",
                    in->op->name);
    if (!a || a->part_count == 0)
        return true;
    TRY(check_cover(in, a, named(in->program, choose_mode(in->in)), st));
    for (int i = 0; i < a->part_count; i++)
        if (a->parts[i] == 0 || (uniform && a->parts[i] != a->parts[0]))
            return FAIL(st, ATTRIBUTE, "%s: replica_groups has a group of %d",
                        in->op->name, (int)a->parts[i]);
    return true;
}

int collective_size(const struct infer *in)
{
    const struct attribute *a = attribute_find(in->in, "replica_groups");
    enum mode mode = choose_mode(in->in);
    int n =
        a && a->part_count > 0 ? (int)a->parts[0] : named(in->program, mode);
    return mode == CROSS_BOTH ? n * partitions_of(in->program) : n;
}

/* The numbers of one group that has that one in it. */
static void find_ids(const struct instruction *in, int n, int64_t id,
                     struct arena *arena, int *count, const int64_t **ids)
{
    const struct attribute *a = attribute_find(in, "replica_groups");
    const int64_t *next = a ? a->ints : NULL;
    for (int g = 0; a && g < a->part_count; next += a->parts[g++])
        for (int64_t k = 0; k < a->parts[g]; k++)
            if (next[k] == id) {
                *count = (int)a->parts[g];
                *ids = next;
                return;
            }
    int64_t *all = arena_new(arena, int64_t, (size_t)n);
    for (int i = 0; i < n; i++)
        all[i] = i;
    *count = n;
    *ids = all;
}

/* The processes of a group, as numbers. */
static int find_processes(const struct eval *ev, const int64_t *ids, int count,
                          enum mode mode, int *to)
{
    int parts = partitions_of(ev->machine->program), n = 0;
    for (int i = 0; i < count; i++) {
        if (mode == FLATTENED)
            to[n++] = (int)ids[i];
        else if (mode == CROSS_REPLICA)
            to[n++] = (int)ids[i] * parts + ev->replica % parts;
        else
            for (int p = 0; p < parts; p++)
                to[n++] = (int)ids[i] * parts + p;
    }
    return n;
}

static bool find_group(struct eval *evs, int self, const int *where, int most,
                       struct collective_group *g, struct status *st)
{
    struct eval *ev = &evs[self];
    const struct program *p = ev->machine->program;
    enum mode mode = choose_mode(ev->in);
    int parts = partitions_of(p), count;
    const int64_t *ids;
    find_ids(ev->in, named(p, mode),
             mode == FLATTENED ? ev->replica : ev->replica / parts, ev->arena,
             &count, &ids);
    int *members = arena_new(ev->arena, int, (size_t)(count * parts));
    g->count = find_processes(ev, ids, count, mode, members);
    for (int i = 0; i < g->count; i++) {
        int process = members[i];
        members[i] = process < most ? where[process] : -1;
        if (members[i] < 0)
            return FAIL(st, STRUCTURE,
                        "%s: replica %d waits for replica %d, which never "
                        "arrives",
                        ev->in->op->name, ev->replica, process);
        if (members[i] == self)
            g->position = i;
    }
    g->members = members;
    return true;
}

bool collective_find(struct eval *evs, int count,
                     struct collective_group **groups, struct status *st)
{
    struct arena *a = evs[0].arena;
    size_t most = 1;
    for (int i = 0; i < count; i++)
        if ((size_t)evs[i].replica >= most)
            most = (size_t)evs[i].replica + 1;
    int *where = arena_new(a, int, most);
    memset(where, -1, most * sizeof *where);
    for (int i = 0; i < count; i++)
        where[evs[i].replica] = i;
    size_t n = count > 0 ? (size_t)count : 0;
    *groups = arena_new(a, struct collective_group, n);
    for (int i = 0; i < count; i++)
        TRY(find_group(evs, i, where, (int)most, &(*groups)[i], st));
    return true;
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
    *from = m->evs[m->group->members[k]].operands[m->operand];
    *at = i;
}

/* One operand in one group. */
static bool reduce_operand(struct eval *evs, const struct collective_group *g,
                           const struct computation *c, int operand,
                           struct goal **goal, struct status *st)
{
    struct eval *ev = &evs[g->members[0]];
    const struct shape *s = ev->operands[operand]->shape;
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
        int n = evs[i].count;
        struct goal **goals = arena_new(evs[i].arena, struct goal *, (size_t)n);
        for (int k = 0; k < n; k++)
            TRY(reduce_operand(evs, &groups[i], c, k, &goals[k], st));
        for (int k = 0; k < groups[i].count; k++) {
            struct eval *ev = &evs[groups[i].members[k]];
            eval_return(ev, ev->in->shape, goals);
        }
    }
    return true;
}
