/* machine.c - runs computations, all replicas in step.
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

/* Run node number k in all replicas; values[k * count + i] is i's result. */
static assay_code step(struct machine *machine, struct memory *m,
                       const struct node *n, int count, const int *ids,
                       struct value **const *arguments, struct value **values,
                       int k)
{
    assay_code code = ASSAY_OK;
    struct run *runs = memory_new(m, (size_t)count, sizeof *runs);
    if (strcmp(n->op->name, "Parameter") == 0) {
        int64_t number = attribute_int(n, "parameter_number", 0);
        for (int i = 0; i < count; i++)
            values[k * count + i] = arguments[i][number];
        return ASSAY_OK;
    }
    for (int i = 0; i < count; i++) {
        runs[i].machine = machine;
        runs[i].memory = m;
        runs[i].node = n;
        runs[i].replica = ids[i];
        runs[i].operands =
            memory_new(m, (size_t)n->count + 1, sizeof *runs[i].operands);
        for (int j = 0; j < n->count; j++)
            runs[i].operands[j] = values[n->operands[j] * count + i];
        if (code == ASSAY_OK && n->op->run != NULL)
            code = n->dynamic ? dynamic_run(&runs[i]) : n->op->run(&runs[i]);
    }
    if (n->op->run_group != NULL) {
        struct group g = {machine, m, n, count, runs};
        code = n->op->run_group(&g);
    }
    for (int i = 0; i < count; i++)
        values[k * count + i] = runs[i].result;
    return code;
}

assay_code machine_call(struct machine *machine, struct memory *m,
                        const struct computation *c, int count, const int *ids,
                        struct value **const *arguments, struct value **results)
{
    assay_code code = ASSAY_OK;
    if (machine->depth >= DEPTH_MAX)
        return memory_fail(machine->error, ASSAY_UNSUPPORTED,
                           "calls nested more than %d deep", DEPTH_MAX);
    machine->depth++;
    struct memory *own = memory_begin(m);
    struct value **values =
        memory_new(own, (size_t)c->count * (size_t)count, sizeof *values);
    for (int k = 0; code == ASSAY_OK && k < c->count; k++) {
        if (*machine->cancelled)
            code = memory_fail(machine->error, ASSAY_FAILED, "cancelled");
        else
            code = step(machine, own, &c->nodes[k], count, ids, arguments,
                        values, k);
    }
    for (int i = 0; code == ASSAY_OK && i < count; i++)
        results[i] = value_copy(m, values[c->root * count + i]);
    memory_end(m, own);
    machine->depth--;
    return code;
}
