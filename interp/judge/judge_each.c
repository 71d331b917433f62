/* judge_each.c - see judge_each.h.  Tests: test_judge_each.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/judge/judge_each.h"

#include <string.h>

#include "interp/bound/bound.h"

/* ---- What was given ------------------------------------------------------ */

static const struct instruction *root_of(const struct program *p)
{
    const struct instruction *root = p->entry->instructions[p->entry->root];
    return root->op->role == OP_ROLE_TUPLE ? root : NULL;
}

const struct literal *const *judge_each_given(struct arena *a,
                                              const struct program *p,
                                              const struct judge_given *given,
                                              int count)
{
    const struct instruction *root = root_of(p);
    bool plain = root && !p->entries && p->replicas * p->partitions == 1
                 && p->entry->feeds == 0 && !shape_has_dynamic(root->shape);
    if (!plain || shape_leaves(root->shape) != count)
        return NULL;
    const struct literal **to =
        arena_new(a, const struct literal *, (size_t)count + 1);
    for (int i = 0; i < count; i++) {
        const struct literal *want = literal_new(a, shape_leaf(root->shape, i));
        struct literal *got;
        char why[160];
        if (!verdict_layout(a, want, &given[i].got, &got, why, sizeof why))
            return NULL;
        to[i] = got;
    }
    return to;
}

/* ---- One instruction ----------------------------------------------------- */

/* The instruction as a program whose parameters are its operands. */
static struct program *program_of(struct arena *a, const struct program *p,
                                  int number, struct status *st)
{
    const struct instruction *in = p->entry->instructions[number];
    struct program *q = arena_new(a, struct program, 1);
    *q = *p;
    q->arena = a;
    q->computation_room = p->computation_count + 1;
    q->computations =
        arena_new(a, struct computation *, (size_t)q->computation_room);
    memcpy(q->computations, p->computations,
           (size_t)p->computation_count * sizeof *q->computations);
    q->entry = program_computation(q, in->name);
    int *own = arena_new(a, int, (size_t)in->operand_count + 1);
    for (int k = 0; k < in->operand_count; k++)
        own[k] = program_parameter(
            q, q->entry, k, p->entry->instructions[in->operands[k]]->shape);
    struct instruction copy = *in;
    copy.operands = own;
    q->entry->root = program_add(q, q->entry, &copy);
    return program_infer(q, st) ? q : NULL;
}

/* All that is known of an instruction's value. */
struct value {
    struct literal *taken; /* what those that use it take */
    struct outcome own;    /* what it gives; count is 0: it was not evaluated */
};

static bool evaluate(struct arena *a, struct machine *machine, int number,
                     struct value *values, struct status *st)
{
    const struct instruction *in =
        machine->program->entry->instructions[number];
    struct machine m = *machine;
    struct literal **operands =
        arena_new(a, struct literal *, (size_t)in->operand_count + 1);
    struct literal *const *const inputs[] = {operands};
    for (int k = 0; k < in->operand_count; k++)
        operands[k] = values[in->operands[k]].taken;
    m.program = program_of(a, machine->program, number, st);
    m.memo = NULL; /* its instructions are gone afterwards */
    bool good =
        m.program && bound_program(a, &m, inputs, &values[number].own, st);
    machine->failed = good ? NULL : m.failed ? m.failed : in;
    return good;
}

/* What was given for an instruction, from its first array on. */
static struct literal *join(struct arena *a, const struct shape *s,
                            const struct literal *const *given)
{
    if (s->kind != SHAPE_TUPLE)
        return literal_leaf(given[0], 0);
    struct literal **parts =
        arena_new(a, struct literal *, (size_t)s->rank + 1);
    int at = 0;
    for (int i = 0; i < s->rank; i++) {
        parts[i] = join(a, s->elements[i], given + at);
        at += shape_leaves(s->elements[i]);
    }
    return literal_tuple(a, s->rank, parts);
}

/* ---- The program --------------------------------------------------------- */

/* Of each instruction the number of the first array that was given for it, or
 * -1. */
static int *find_arrays(struct arena *a, const struct computation *c)
{
    const struct instruction *root = c->instructions[c->root];
    int *at = arena_new(a, int, (size_t)c->count);
    for (int i = 0; i < c->count; i++)
        at[i] = -1;
    for (int k = 0, next = 0; k < root->operand_count; k++) {
        at[root->operands[k]] = next;
        next += shape_leaves(c->instructions[root->operands[k]]->shape);
    }
    return at;
}

/* The results as one: what could not be evaluated is what was given. */
static void gather(struct arena *a, const struct computation *c,
                   const struct value *values, struct outcome *to)
{
    const struct instruction *root = c->instructions[c->root];
    size_t n = (size_t)root->operand_count;
    struct literal **parts = arena_new(a, struct literal *, n + 1);
    *to = (struct outcome){.count = shape_leaves(root->shape)};
    to->goals = arena_new(a, struct goal *, (size_t)to->count + 1);
    for (size_t k = 0, next = 0; k < n; k++) {
        const struct value *v = &values[root->operands[k]];
        parts[k] = v->own.count > 0 ? v->own.value : v->taken;
        for (int i = 0; i < v->own.count && v->own.goals; i++)
            to->goals[next + (size_t)i] = v->own.goals[i];
        next += (size_t)shape_leaves(parts[k]->shape);
    }
    to->value = literal_tuple(a, root->operand_count, parts);
}

static bool run_all(struct judge_each *e, struct arena *a,
                    struct machine *machine, struct literal *const *inputs,
                    struct value *values, struct status *st)
{
    const struct computation *c = machine->program->entry;
    const int *at = find_arrays(a, c);
    for (int k = 0; k < c->parameter_count; k++)
        values[c->parameters[k]].taken = inputs[k];
    for (int i = 0; i < c->count; i++) {
        if (values[i].taken || i == c->root)
            continue;
        struct status own = {STATUS_OK};
        bool good = evaluate(a, machine, i, values, &own);
        if (!good && (own.code != STATUS_UNSUPPORTED || at[i] < 0)) {
            *st = own;
            return false;
        }
        if (!good && e->refused++ == 0)
            e->why =
                arena_printf(a, "%s (%s)", own.text, machine->failed->name);
        if (!good)
            values[i].own = (struct outcome){0};
        values[i].taken =
            at[i] < 0 ? values[i].own.value
                      : join(a, c->instructions[i]->shape, e->given + at[i]);
    }
    return true;
}

bool judge_each(void *context, struct arena *a, struct machine *machine,
                struct literal *const *const *inputs, struct outcome *outcomes,
                struct status *st)
{
    struct judge_each *e = context;
    const struct computation *c = machine->program->entry;
    struct value *values = arena_new(a, struct value, (size_t)c->count);
    e->refused = 0;
    machine->outfeed = arena_new(a, struct literal **, 1); /* nothing */
    machine->outfeed_count = arena_new(a, int, 1);
    machine->fed = arena_new(a, struct machine_fed *, 1);
    if (machine->uses)
        return FAIL(st, UNSUPPORTED, "uses are not followed");
    if (!run_all(e, a, machine, inputs[0], values, st))
        return false;
    gather(a, c, values, outcomes);
    return true;
}
