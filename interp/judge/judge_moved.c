/* judge_moved.c - see judge_ways.h.  Tests: flushed.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A leaf is moved if no leaf that it may come from is computed.  What a
 * computation is given may come from any of its callers, and what a loop or a
 * reduction is given also from its own result; so the walk keeps a list of
 * leaves to visit, each once, and ends at the first one that is computed.
 */
#include <string.h>

#include "interp/judge/judge_ways.h"
#include "interp/program/attribute.h"
#include "interp/program/op_table.h"

/* A leaf of an instruction's result. */
struct place {
    const struct computation *c;
    int at, leaf;
};

/* The leaves of one computation's instructions. */
struct leaves {
    int *first; /* of each instruction; NULL: not visited yet */
    bool *seen;
};

struct walk {
    struct arena *arena;
    const struct program *program;
    struct leaves *leaves; /* of each computation */
    struct place *list;
    int count, room;
};

static void open_leaves(struct walk *w, struct leaves *l,
                        const struct computation *c)
{
    int n = 0;
    l->first = arena_new(w->arena, int, (size_t)c->count + 1);
    for (int i = 0; i < c->count; i++) {
        l->first[i] = n;
        n += shape_leaves(c->instructions[i]->shape);
    }
    l->seen = arena_new(w->arena, bool, (size_t)n + 1);
}

static void push(struct walk *w, const struct computation *c, int at, int leaf)
{
    const struct program *p = w->program;
    int number = 0;
    while (p->computations[number] != c)
        number++;
    struct leaves *l = &w->leaves[number];
    if (!l->first)
        open_leaves(w, l, c);
    if (l->seen[l->first[at] + leaf])
        return;
    l->seen[l->first[at] + leaf] = true;
    ARENA_GROW(w->arena, w->list, w->count, w->room);
    w->list[w->count++] = (struct place){c, at, leaf};
}

static const struct shape *shape_at(const struct place *at)
{
    return shape_leaf(at->c->instructions[at->at]->shape, at->leaf);
}

/* The arrays of that element type in an instruction's result; DT_COUNT: all. */
static int push_typed(struct walk *w, const struct computation *c, int at,
                      enum dtype type)
{
    const struct shape *s = c->instructions[at]->shape;
    int n = 0, leaves = shape_leaves(s);
    for (int i = 0; i < leaves; i++) {
        const struct shape *leaf = shape_leaf(s, i);
        if (leaf->kind != SHAPE_ARRAY
            || (type != DT_COUNT && leaf->dtype != type))
            continue;
        push(w, c, at, i);
        n++;
    }
    return n;
}

/* Pushes the operands that an instruction may move into a result of that
 * type.  Operands of other types decide where it goes; but what selects by a
 * comparison may be compiled to a maximum, so there the predicate counts. */
static void push_operands(struct walk *w, const struct computation *c,
                          const struct instruction *in, enum dtype type)
{
    int n = 0;
    for (int i = 0; i < in->operand_count; i++)
        n += push_typed(w, c, in->operands[i], type);
    if (n == 0 || in->op->role == OP_ROLE_SELECT)
        for (int i = 0; i < in->operand_count; i++)
            push_typed(w, c, in->operands[i], DT_COUNT);
}

/* ---- Parameters ---------------------------------------------------------- */

static bool is_entry(const struct program *p, const struct computation *c)
{
    int n = p->replicas * p->partitions;
    bool found = c == p->entry;
    for (int i = 0; p->entries && i < n && !found; i++)
        found = c == p->entries[i];
    return found;
}

/* How many computations an instruction has, and which of them is c (or -1). */
static int find_computation(const struct instruction *in,
                            const struct computation *c, int *which)
{
    int n = 0;
    *which = -1;
    for (int i = 0; i < in->attribute_count; i++)
        for (int k = 0; k < in->attributes[i].computation_count; k++, n++)
            if (in->attributes[i].computations[k] == c)
                *which = n;
    return n;
}

/* A loop: its state comes from its operand, or from what its body gives. */
static bool is_loop(const struct instruction *in, int computations)
{
    return in->op->passes && computations > 1 && in->operand_count == 1;
}

static bool push_results(struct walk *w, const struct instruction *in,
                         int leaf);

/* Pushes what `in`, of computation `from`, passes to parameter `number` of c,
 * its which-th of `of` computations. */
static void push_argument(struct walk *w, const struct computation *from,
                          const struct instruction *in,
                          const struct place *parameter, int number, int which,
                          int of)
{
    const struct computation *c = parameter->c;
    if (!in->op->passes) { /* scalars of the operands, or its own result */
        push_operands(w, from, in, shape_at(parameter)->dtype);
        push_typed(w, c, c->root, shape_at(parameter)->dtype);
        return;
    }
    /* Each of several branches has an operand of its own, the last ones. */
    bool branches = in->operand_count != c->parameter_count;
    int operand = branches ? in->operand_count - of + which : number;
    push(w, from, in->operands[operand], parameter->leaf);
    if (is_loop(in, of))
        push_results(w, in, parameter->leaf);
}

static void push_arguments(struct walk *w, const struct place *parameter)
{
    const struct program *p = w->program;
    const struct computation *c = parameter->c;
    int number = 0;
    while (c->parameters[number] != parameter->at)
        number++;
    for (int i = 0; i < p->computation_count; i++)
        for (int k = 0; k < p->computations[i]->count; k++) {
            const struct instruction *in = p->computations[i]->instructions[k];
            int which, of = find_computation(in, c, &which);
            if (which >= 0)
                push_argument(w, p->computations[i], in, parameter, number,
                              which, of);
        }
}

/* ---- Instructions -------------------------------------------------------- */

/* The operand that has a leaf of what holds its operands one by one. */
static void push_element(struct walk *w, const struct place *tuple)
{
    const struct instruction *in = tuple->c->instructions[tuple->at];
    int i = 0, leaf = tuple->leaf, n;
    while ((n = shape_leaves(tuple->c->instructions[in->operands[i]]->shape))
           <= leaf) {
        leaf -= n;
        i++;
    }
    push(w, tuple->c, in->operands[i], leaf);
}

static void push_tuple(struct walk *w, const struct place *element)
{
    const struct instruction *in = element->c->instructions[element->at];
    const struct shape *from = element->c->instructions[in->operands[0]]->shape;
    int64_t index = attribute_int(in, ATTRIBUTE_INDEX, 0);
    int leaf = element->leaf;
    for (int64_t i = 0; i < index; i++)
        leaf += shape_leaves(from->elements[i]);
    push(w, element->c, in->operands[0], leaf);
}

/* All that is sent through that channel. */
static void push_sent(struct walk *w, int64_t id)
{
    const struct program *p = w->program;
    for (int i = 0; i < p->computation_count; i++) {
        const struct computation *c = p->computations[i];
        for (int k = 0; k < c->count; k++) {
            const struct instruction *in = c->instructions[k];
            if (in->op == &op_Send
                && attribute_int(in, ATTRIBUTE_CHANNEL_ID, 0) == id)
                push_typed(w, c, in->operands[0], DT_COUNT);
        }
    }
}

/* The computations that give an instruction's result, leaf by leaf; others,
 * such as comparators, only decide.  False if there are none. */
static bool push_results(struct walk *w, const struct instruction *in, int leaf)
{
    const struct shape *s = shape_leaf(in->shape, leaf);
    bool any = false;
    for (int i = 0; i < in->attribute_count; i++)
        for (int k = 0; k < in->attributes[i].computation_count; k++) {
            const struct computation *c = in->attributes[i].computations[k];
            const struct shape *result = c ? c->result : NULL;
            if (!result || shape_leaves(result) != shape_leaves(in->shape)
                || shape_leaf(result, leaf)->kind != SHAPE_ARRAY
                || shape_leaf(result, leaf)->dtype != s->dtype)
                continue;
            push(w, c, c->root, leaf);
            any = true;
        }
    return any;
}

/* Does an instruction whose result no computation gives only move its operands?
 * A sort has a comparator. */
static bool moves(const struct instruction *in, int computations)
{
    const char *accuracy = spec_op_find(in->op->name)->accuracy;
    return !in->op->elementwise && !in->op->passes
           && strcmp(accuracy, computations > 0 ? "set" : "exact") == 0;
}

static bool visit_operation(struct walk *w, const struct place *at)
{
    const struct instruction *in = at->c->instructions[at->at];
    int which, computations = find_computation(in, NULL, &which);
    bool called = push_results(w, in, at->leaf);
    if (is_loop(in, computations))
        push(w, at->c, in->operands[0], at->leaf);
    if (in->op->passes) /* what it is given, the walk finds by its parameters */
        return called;
    if (!called && !moves(in, computations))
        return false;
    push_operands(w, at->c, in, shape_at(at)->dtype);
    return true;
}

/* Push what a leaf comes from; false if it is computed. */
static bool visit(struct walk *w, const struct place *at)
{
    const struct computation *c = at->c;
    const struct instruction *in = c->instructions[at->at];
    bool entry = is_entry(w->program, c);
    if (in->op->role == OP_ROLE_CONSTANT || in->op->feed == OP_INFEED)
        return true;
    if (in->op->role == OP_ROLE_PARAMETER && !entry)
        push_arguments(w, at);
    else if (in->op->role == OP_ROLE_TUPLE || in->op == &op_OptimizationBarrier)
        push_element(w, at);
    else if (in->op->role == OP_ROLE_ELEMENT)
        push_tuple(w, at);
    else if (in->op == op_Recv.done)
        push_sent(w, attribute_int(in, ATTRIBUTE_CHANNEL_ID, 0));
    else if (in->op->role != OP_ROLE_PARAMETER)
        return visit_operation(w, at);
    return true;
}

/* ---- Walks --------------------------------------------------------------- */

static struct walk walk_open(struct arena *a, const struct program *p)
{
    return (struct walk){
        .arena = a,
        .program = p,
        .leaves = arena_new(a, struct leaves, (size_t)p->computation_count)};
}

static bool walk_all(struct walk *w)
{
    for (int i = 0; i < w->count; i++) {
        const struct place at = w->list[i]; /* the list may move */
        if (!visit(w, &at))
            return false;
    }
    return true;
}

bool judge_moved_operand(struct arena *a, const struct program *p,
                         const struct computation *c,
                         const struct instruction *in, int operand, int leaf)
{
    struct walk w = walk_open(a, p);
    push(&w, c, in->operands[operand], leaf);
    return walk_all(&w);
}

static const struct computation *entry_of(const struct program *p, int process)
{
    return p->entries ? p->entries[process] : p->entry;
}

bool judge_moved(struct arena *a, const struct program *p, int process,
                 int leaf)
{
    const struct computation *c = entry_of(p, process);
    struct walk w = walk_open(a, p);
    push(&w, c, c->root, leaf);
    return walk_all(&w);
}

bool judge_moved_sources(struct arena *a, const struct program *p, int process,
                         int leaf)
{
    const struct computation *c = entry_of(p, process);
    const struct instruction *root = c->instructions[c->root];
    const struct shape *s = shape_leaf(root->shape, leaf);
    struct walk w = walk_open(a, p);
    if (root->op->role == OP_ROLE_TUPLE) {
        int i = 0;
        while (leaf >= shape_leaves(root->shape->elements[i]))
            leaf -= shape_leaves(root->shape->elements[i++]);
        root = c->instructions[root->operands[i]];
    }
    push_operands(&w, c, root, s->dtype);
    return walk_all(&w);
}
