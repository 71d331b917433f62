/* control.c - constants, tuples, calls, branches and loops.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "native.h"

/* ---- Values -------------------------------------------------------------- */

assay_code control_check_constant(struct check *c)
{
    const struct attribute *a;
    TRY(attribute_need(c, "literal", &a));
    if (a->literal == NULL)
        return program_fail(c, ASSAY_ATTRIBUTE, "literal has no value");
    c->result = a->shape;
    return ASSAY_OK;
}

assay_code control_run_constant(struct run *r)
{
    r->result = attribute_find(r->node, "literal")->literal;
    return ASSAY_OK;
}

assay_code control_check_parameter(struct check *c)
{
    c->result = attribute_find(c->node, "shape")->shape;
    return ASSAY_OK;
}

assay_code control_run_parameter(struct run *r)
{
    (void)r; /* the machine has done it */
    return ASSAY_OK;
}

assay_code control_check_tuple(struct check *c)
{
    c->result = shape_tuple(c->memory, c->count, c->operands);
    return ASSAY_OK;
}

assay_code control_run_tuple(struct run *r)
{
    struct value *v = memory_new(r->memory, 1, sizeof *v);
    v->shape = r->node->shape;
    v->elements = r->operands;
    r->result = v;
    return ASSAY_OK;
}

assay_code control_check_element(struct check *c)
{
    const struct attribute *a;
    const struct shape *s = c->operands[0];
    TRY(attribute_need(c, "index", &a));
    int64_t i = attribute_int(c->node, "index", -1);
    if (s->kind != ASSAY_TUPLE)
        return program_fail(c, ASSAY_TYPE, "the operand is not a tuple");
    if (i < 0 || i >= s->rank)
        return program_fail(c, ASSAY_ATTRIBUTE, "index %lld of %d elements",
                            (long long)i, s->rank);
    c->result = s->elements[i];
    return ASSAY_OK;
}

assay_code control_run_element(struct run *r)
{
    r->result = r->operands[0]->elements[attribute_int(r->node, "index", 0)];
    return ASSAY_OK;
}

/* ---- Some of the replicas ------------------------------------------------ */

/* Call a computation in the replicas of a group for which chosen[i] is which.
 * arguments[i] are run i's. */
static assay_code call_some(struct group *g, const struct computation *f,
                            const int *chosen, int which,
                            struct value **const *arguments,
                            struct value **results)
{
    int n = 0;
    size_t count = (size_t)g->count;
    int *ids = memory_new(g->memory, count, sizeof *ids);
    struct value ***list = memory_new(g->memory, count, sizeof *list);
    struct value **got = memory_new(g->memory, count, sizeof *got);
    for (int i = 0; i < g->count; i++) {
        if (chosen[i] != which)
            continue;
        ids[n] = g->runs[i].replica;
        list[n++] = arguments[i];
    }
    if (n == 0)
        return ASSAY_OK;
    TRY(machine_try(g->machine, g->memory, f, n, ids, list, got));
    for (int i = g->count - 1; i >= 0; i--)
        if (chosen[i] == which)
            results[i] = got[--n];
    return ASSAY_OK;
}

/* ---- Call ---------------------------------------------------------------- */

assay_code control_check_call(struct check *c)
{
    const struct computation *f;
    TRY(program_called(c, "computation", 0, c->count, c->operands, &f));
    c->result = f->nodes[f->root].shape;
    return ASSAY_OK;
}

assay_code control_check_composite(struct check *c)
{
    if (attribute_int(c->node, "version", 0) < 0)
        return program_fail(c, ASSAY_ATTRIBUTE, "version is negative");
    const struct attribute *a;
    TRY(attribute_need(c, "name", &a));
    return control_check_call(c);
}

assay_code control_run_call(struct group *g)
{
    size_t count = (size_t)g->count;
    int *chosen = memory_new(g->memory, count, sizeof *chosen);
    struct value ***arguments = memory_new(g->memory, count, sizeof *arguments);
    struct value **results = memory_new(g->memory, count, sizeof *results);
    for (int i = 0; i < g->count; i++)
        arguments[i] = g->runs[i].operands;
    TRY(call_some(g, machine_called(g->machine, g->node, "computation", 0),
                  chosen, 0, arguments, results));
    for (int i = 0; i < g->count; i++)
        g->runs[i].result = results[i];
    return ASSAY_OK;
}

/* ---- Conditional --------------------------------------------------------- */

static int branch_count(const struct node *n)
{
    const struct attribute *a = attribute_find(n, "branch_computations");
    return a != NULL ? (int)a->count : 2;
}

static const char *branch_name(const struct node *n, int i, int *which)
{
    *which = 0;
    if (attribute_find(n, "branch_computations") == NULL)
        return i == 0 ? "true_computation" : "false_computation";
    *which = i;
    return "branch_computations";
}

assay_code control_check_conditional(struct check *c)
{
    const struct shape *s = c->operands[0];
    int n = branch_count(c->node);
    int by_index = attribute_find(c->node, "branch_computations") != NULL;
    if (c->count != n + 1)
        return program_fail(c, ASSAY_STRUCTURE, "%d operands for %d branches",
                            c->count, n);
    if (s->kind != ASSAY_ARRAY
        || s->type != type_find(by_index ? "s32" : "pred"))
        return program_fail(c, ASSAY_TYPE, "the first operand chooses");
    if (s->rank != 0)
        return program_fail(c, ASSAY_TYPE, "the first operand is not a scalar");
    for (int i = 0; i < n; i++) {
        const struct computation *f;
        int which;
        const char *name = branch_name(c->node, i, &which);
        TRY(program_called(c, name, which, 1, &c->operands[i + 1], &f));
        if (i > 0 && !shape_equal(c->result, f->nodes[f->root].shape))
            return program_fail(c, ASSAY_COMPUTATION,
                                "branch %d gives another shape", i);
        c->result = f->nodes[f->root].shape;
    }
    return ASSAY_OK;
}

/* An index that is out of range chooses the last branch. */
static int branch(const struct node *n, const struct value *v)
{
    if (v->shape->type->class == PRED)
        return v->data[0] ? 0 : 1;
    int64_t i = (int64_t)type_int(v->shape->type, v->data, 0);
    int count = branch_count(n);
    return i < 0 || i >= count ? count - 1 : (int)i;
}

assay_code control_run_conditional(struct group *g)
{
    size_t count = (size_t)g->count;
    int *chosen = memory_new(g->memory, count, sizeof *chosen);
    struct value ***arguments = memory_new(g->memory, count, sizeof *arguments);
    struct value **results = memory_new(g->memory, count, sizeof *results);
    for (int i = 0; i < g->count; i++) {
        chosen[i] = branch(g->node, g->runs[i].operands[0]);
        arguments[i] = &g->runs[i].operands[1 + chosen[i]];
    }
    for (int k = 0; k < branch_count(g->node); k++) {
        int which;
        const char *name = branch_name(g->node, k, &which);
        TRY(call_some(g, machine_called(g->machine, g->node, name, which),
                      chosen, k, arguments, results));
    }
    for (int i = 0; i < g->count; i++)
        g->runs[i].result = results[i];
    return ASSAY_OK;
}

/* ---- While --------------------------------------------------------------- */

assay_code control_check_while(struct check *c)
{
    const struct computation *f;
    TRY(program_called(c, "condition", 0, 1, c->operands, &f));
    const struct shape *s = f->nodes[f->root].shape;
    if (!shape_is_scalar(s) || s->type->class != PRED)
        return program_fail(c, ASSAY_COMPUTATION,
                            "the condition gives no pred[]");
    TRY(program_called(c, "body", 0, 1, c->operands, &f));
    if (!shape_equal(f->nodes[f->root].shape, c->operands[0]))
        return program_fail(c, ASSAY_COMPUTATION,
                            "the body gives another shape than it takes");
    c->result = c->operands[0];
    return ASSAY_OK;
}

/* Does one of the active replicas wait?  Then all do. */
static int waits(const struct group *g, struct value **results,
                 struct value **state, const int *active)
{
    int wait = 0;
    for (int i = 0; i < g->count; i++)
        wait = wait || (active[i] && results[i] == NULL);
    for (int i = 0; wait && i < g->count; i++)
        state[i] = NULL;
    return wait;
}

/* One round, in own; state[i] is replaced.  *going: does any replica go on? */
static assay_code round_once(struct group *g, struct memory *own,
                             struct value **state, int *active, int *going)
{
    struct group inner = *g;
    size_t count = (size_t)g->count;
    struct value ***arguments = memory_new(own, count, sizeof *arguments);
    struct value **results = memory_new(own, count, sizeof *results);
    inner.memory = own;
    for (int i = 0; i < g->count; i++)
        arguments[i] = &state[i];
    *going = 0;
    TRY(call_some(&inner, machine_called(g->machine, g->node, "condition", 0),
                  active, 1, arguments, results));
    if (waits(g, results, state, active))
        return ASSAY_OK;
    for (int i = 0; i < g->count; i++) {
        active[i] = active[i] && results[i]->data[0];
        *going |= active[i];
    }
    if (!*going)
        return ASSAY_OK;
    TRY(call_some(&inner, machine_called(g->machine, g->node, "body", 0),
                  active, 1, arguments, results));
    *going = !waits(g, results, state, active);
    for (int i = 0; *going && i < g->count; i++)
        if (active[i])
            state[i] = results[i];
    return ASSAY_OK;
}

/* Two memories alternate: the result of a round is copied into the other, so a
 * loop of any length needs the memory of only two rounds. */
assay_code control_run_while(struct group *g)
{
    size_t count = (size_t)g->count;
    int *active = memory_new(g->memory, count, sizeof *active);
    struct value **state = memory_new(g->memory, count, sizeof *state);
    struct memory *last = memory_begin(g->memory);
    assay_code code = ASSAY_OK;
    for (int i = 0; i < g->count; i++) {
        active[i] = 1;
        state[i] = g->runs[i].operands[0];
    }
    for (int going = 1; code == ASSAY_OK && going;) {
        struct memory *own = memory_begin(g->memory);
        code = round_once(g, own, state, active, &going);
        for (int i = 0; code == ASSAY_OK && i < g->count; i++)
            if (state[i] != NULL)
                state[i] = value_copy(own, state[i]);
        memory_end(g->memory, last);
        last = own;
    }
    for (int i = 0; code == ASSAY_OK && i < g->count; i++)
        if (state[i] != NULL)
            g->runs[i].result = value_copy(g->memory, state[i]);
    memory_end(g->memory, last);
    return code;
}
