/* machine.c - runs computations, all replicas in step, and programs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "native.h"

struct value *machine_result(struct run *r)
{
    r->result = value_new(r->memory, r->node->shape);
    return r->result;
}

const struct computation *machine_called(const struct machine *machine,
                                         const struct node *n,
                                         const char *attribute, int which)
{
    const struct attribute *a = attribute_find(n, attribute);
    return &machine->program->computations[a->ints[which]];
}

struct value *machine_wide(const struct run *r, int operand)
{
    struct value *v = r->operands[operand];
    return value_retyped(
        r->memory, v,
        shape_retyped(r->memory, v->shape, type_wide(v->shape->type)));
}

struct value **machine_arguments(const struct run *r,
                                 const struct computation *f)
{
    struct value **arguments = memory_new(
        r->memory, (size_t)f->parameter_count + 1, sizeof *arguments);
    for (int i = 0; i < f->parameter_count; i++)
        arguments[i] = value_new(r->memory, f->parameters[i]);
    return arguments;
}

assay_code machine_apply(const struct run *r, const struct computation *f,
                         struct value **arguments, struct value **to, int n,
                         int64_t at)
{
    struct value *result;
    struct memory *own = memory_begin(r->memory);
    TRY(machine_call(r->machine, own, f, 1, &r->replica, &arguments, &result));
    for (int k = 0; k < n; k++)
        value_move(to[k], at, value_parts(&result, n)[k], 0);
    memory_end(r->memory, own);
    return ASSAY_OK;
}

/* A computation that runs in count replicas at once. */
struct frame {
    struct machine *machine;
    struct memory *memory;
    const struct computation *computation;
    int count;
    const int *ids;                  /* of the replicas */
    struct value **const *arguments; /* each replica's */
    struct value **values; /* [k * count + i]: node k's in replica i; NULL: it
                            * waits */
};

/* Run node number k in all replicas. */
static assay_code step(const struct frame *f, int k)
{
    assay_code code = ASSAY_OK;
    const struct node *n = &f->computation->nodes[k];
    struct value **values = f->values;
    struct memory *m = f->memory;
    int count = f->count;
    struct run *runs = memory_new(m, (size_t)count, sizeof *runs);
    for (int j = 0; j < n->count; j++)
        if (values[n->operands[j] * count] == NULL)
            return ASSAY_OK; /* it waits */
    if (strcmp(n->op->name, "Parameter") == 0) {
        int64_t number = attribute_int(n, "parameter_number", 0);
        for (int i = 0; i < count; i++)
            values[k * count + i] = f->arguments[i][number];
        return ASSAY_OK;
    }
    for (int i = 0; i < count; i++) {
        runs[i].machine = f->machine;
        runs[i].memory = m;
        runs[i].node = n;
        runs[i].replica = f->ids[i];
        runs[i].operands =
            memory_new(m, (size_t)n->count + 1, sizeof *runs[i].operands);
        for (int j = 0; j < n->count; j++)
            runs[i].operands[j] = values[n->operands[j] * count + i];
        if (code == ASSAY_OK && n->op->run != NULL)
            code = n->dynamic ? dynamic_run(&runs[i]) : n->op->run(&runs[i]);
    }
    if (n->op->run_group != NULL) {
        struct group g = {f->machine, m, n, count, runs};
        code = n->op->run_group(&g);
    }
    for (int i = 0; i < count; i++)
        if (runs[i].result == NULL)
            return code; /* where one waits all do */
    for (int i = 0; i < count; i++)
        values[k * count + i] = runs[i].result;
    return code;
}

assay_code machine_try(struct machine *machine, struct memory *m,
                       const struct computation *c, int count, const int *ids,
                       struct value **const *arguments, struct value **results)
{
    assay_code code = ASSAY_OK;
    int waits = 0;
    if (machine->depth >= DEPTH_MAX)
        return memory_fail(machine->error, ASSAY_UNSUPPORTED,
                           "calls nested more than %d deep", DEPTH_MAX);
    machine->depth++;
    struct memory *own = memory_begin(m);
    struct value **values =
        memory_new(own, (size_t)c->count * (size_t)count, sizeof *values);
    struct frame f = {machine, own, c, count, ids, arguments, values};
    for (int k = 0; code == ASSAY_OK && k < c->count; k++) {
        if (*machine->cancelled)
            code = memory_fail(machine->error, ASSAY_FAILED, "cancelled");
        else
            code = step(&f, k);
        waits = waits || values[k * count] == NULL;
    }
    for (int i = 0; code == ASSAY_OK && i < count; i++)
        results[i] = waits ? NULL : value_copy(m, values[c->root * count + i]);
    memory_end(m, own);
    machine->depth--;
    return code;
}

assay_code machine_call(struct machine *machine, struct memory *m,
                        const struct computation *c, int count, const int *ids,
                        struct value **const *arguments, struct value **results)
{
    assay_code code =
        machine_try(machine, m, c, count, ids, arguments, results);
    if (code == ASSAY_OK && results[0] == NULL)
        code = memory_fail(machine->error, ASSAY_STRUCTURE,
                           "'%s' waits for a channel", c->name);
    return code;
}

/* ---- Programs side by side ----------------------------------------------- */

/* Run the program of this process, and of all that run the same, as far as
 * it gets. */
static assay_code run_program(struct machine *machine, int first,
                              struct value **const *arguments,
                              struct value **results)
{
    const struct program *p = machine->program;
    struct value **own[PROCESSES_MAX] = {NULL}, *got[PROCESSES_MAX] = {NULL};
    int ids[PROCESSES_MAX] = {0}, count = 0;
    for (int i = first; i < p->replicas * p->partitions; i++) {
        if (p->entries[i] != p->entries[first])
            continue;
        feed_begin(machine, i);
        own[count] = arguments[i];
        ids[count++] = i;
    }
    channel_begin(machine, count, ids);
    assay_code code =
        machine_try(machine, machine->memory,
                    &p->computations[p->entries[first]], count, ids, own, got);
    for (int i = 0; code == ASSAY_OK && i < count; i++) {
        results[ids[i]] = got[i];
        if (got[i] != NULL)
            feed_end(machine, ids[i]);
    }
    return code;
}

/* Is the process the first of its program? */
static int is_first(const struct program *p, int process)
{
    int first = 0;
    while (p->entries[first] != p->entries[process])
        first++;
    return first == process;
}

/* Round after round, until all programs have finished, or none makes progress.
 * */
assay_code machine_run(struct machine *machine, struct value **const *arguments,
                       struct value **results)
{
    const struct program *p = machine->program;
    int n = p->replicas * p->partitions, left = n, before;
    assay_code code = ASSAY_OK;
    do {
        before = left;
        machine->moved = 0;
        machine->waits[0] = '\0';
        for (int i = 0; code == ASSAY_OK && i < n; i++)
            if (results[i] == NULL && is_first(p, i))
                code = run_program(machine, i, arguments, results);
        left = 0;
        for (int i = 0; i < n; i++)
            left += results[i] == NULL;
        if (code == ASSAY_OK && left == before && !machine->moved)
            return memory_fail(machine->error, ASSAY_STRUCTURE, "deadlock:%s",
                               machine->waits);
    } while (code == ASSAY_OK && left > 0);
    return code;
}
