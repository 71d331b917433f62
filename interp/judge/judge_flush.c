/* judge_flush.c - see judge_flush.h.  Tests: flushed.t, test_judge_ways.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/judge/judge_flush.h"

#include <string.h>

#include "interp/program/attribute.h"
#include "interp/program/op_table.h"
#include "interp/specification/flush.h"

enum {
    MEMBERS_MAX = 3 /* of more than this all are flushed together */
};

bool judge_flush_possible(const struct test_case *c,
                          const struct profile *profile,
                          enum machine_flush flush)
{
    const struct program *p = c->program;
    for (int i = 0; i < p->computation_count; i++)
        for (int k = 0; k < p->computations[i]->count; k++)
            if (flush_allowed(profile,
                              p->computations[i]->instructions[k]->shape,
                              flush == MACHINE_FLUSH))
                return true;
    return false;
}

/* ---- Flushed data -------------------------------------------------------- */

/* Which data a way flushes: leaves of the inputs by number, and then what comes
 * from elsewhere. */
struct way {
    struct arena *arena;
    const struct profile *profile;
    bool keep_sign, changes;
    unsigned mask;
};

static int replicas_of(const struct test_case *c)
{
    return c->replicas > 0 ? c->replicas : 1;
}

static bool flush_leaf(struct way *w, struct literal *leaf)
{
    struct literal *zero =
        flush_operand(w->arena, w->profile, leaf, w->keep_sign);
    if (zero)
        memcpy(leaf->data, zero->data, (size_t)shape_bytes(leaf->shape));
    return zero != NULL;
}

/* Leaves that any profile may flush; with a copy to flush, those of the mask
 * are.  first is the number of the first of them. */
static int walk_leaves(struct way *w, const struct literal *l, int first,
                       struct literal *copy)
{
    int n = first;
    for (int i = 0; i < shape_leaves(l->shape); i++) {
        if (!flush_allowed(w->profile, literal_leaf(l, i)->shape, true))
            continue;
        unsigned bit = 1U << (n < 31 ? n : 31);
        if (copy && w->mask & bit && flush_leaf(w, literal_leaf(copy, i)))
            w->changes = true;
        n++;
    }
    return n;
}

static int count_leaves(struct way *w, const struct test_case *c)
{
    int most = 0;
    for (int r = 0; r < replicas_of(c); r++) {
        int n = 0;
        for (int i = 0; i < c->input_count; i++)
            n = walk_leaves(w, c->inputs[r][i], n, NULL);
        most = n > most ? n : most;
    }
    return most;
}

static struct literal *const *const *flush_inputs(struct way *w,
                                                  const struct test_case *c)
{
    int replicas = replicas_of(c), count = c->input_count;
    struct literal ***copy =
        arena_new(w->arena, struct literal **, (size_t)replicas);
    for (int r = 0; r < replicas; r++) {
        int n = 0;
        copy[r] = arena_new(w->arena, struct literal *, (size_t)count + 1);
        for (int i = 0; i < count; i++) {
            copy[r][i] = literal_copy(w->arena, c->inputs[r][i]);
            n = walk_leaves(w, c->inputs[r][i], n, copy[r][i]);
        }
    }
    return (struct literal *const *const *)copy;
}

/* Is there something to flush that is not an input? */
static bool has_sources(struct way *w, const struct test_case *c)
{
    const struct program *p = c->program;
    struct way all = *w;
    all.mask = ~0U;
    all.changes = false;
    for (int r = 0; c->infeed && r < replicas_of(c); r++)
        for (int i = 0; i < c->infeed_count[r]; i++)
            walk_leaves(&all, c->infeed[r][i], 0,
                        literal_copy(w->arena, c->infeed[r][i]));
    for (int i = 0; i < p->computation_count; i++)
        for (int k = 0; k < p->computations[i]->count; k++) {
            const struct instruction *in = p->computations[i]->instructions[k];
            const struct literal *l =
                in->op->role == OP_ROLE_CONSTANT
                    ? attribute_find(in, ATTRIBUTE_LITERAL)->literal
                    : NULL;
            if (l)
                walk_leaves(&all, l, 0, literal_copy(w->arena, l));
        }
    return all.changes;
}

bool judge_flush_way(struct arena *a, const struct test_case *c,
                     const struct profile *profile, int way,
                     struct judge_mode *mode, bool *changes)
{
    struct way w = {.arena = a, .profile = profile, .keep_sign = true};
    bool sources = has_sources(&w, c);
    int leaves = count_leaves(&w, c), members = leaves + sources;
    int masks = members <= MEMBERS_MAX ? (1 << members) - 1 : 1;
    if (way >= 2 * masks)
        return false;
    w.keep_sign = way < masks;
    w.mask = members <= MEMBERS_MAX ? (unsigned)(masks - way % masks) : ~0U;
    bool besides = sources && (members > MEMBERS_MAX || w.mask >> leaves & 1);
    if (besides && !w.keep_sign)
        besides = judge_flush_possible(c, profile, MACHINE_FLUSH_POSITIVE);
    mode->inputs = flush_inputs(&w, c);
    mode->sources = !besides      ? MACHINE_KEEP
                    : w.keep_sign ? MACHINE_FLUSH
                                  : MACHINE_FLUSH_POSITIVE;
    *changes = w.changes || besides;
    return true;
}

/* ---- Data that only move ------------------------------------------------- */

static bool has_computation(const struct instruction *in)
{
    for (int i = 0; i < in->attribute_count; i++)
        if (in->attributes[i].computation_count > 0)
            return true;
    return false;
}

/* Does an instruction only move what it is given?  Not Map; but Sort does. */
static bool moves(const struct instruction *in)
{
    const struct spec_op *op = spec_op_find(in->op->name);
    return !in->op->elementwise && !in->op->passes
           && ((strcmp(op->accuracy, "exact") == 0 && !has_computation(in))
               || strcmp(op->accuracy, "set") == 0);
}

/* A walk from a result to what it came from.  What is used again is visited
 * again, and programs may send in circles, so it ends after some steps. */
struct walk {
    const struct program *program;
    int steps;
};

enum {
    STEPS_MAX = 10000 /* and then a result counts as computed */
};

static bool leaf_moved(struct walk *w, const struct computation *c, int at,
                       int leaf);

/* The element of a tuple that the leaf is in. */
static bool element_moved(struct walk *w, const struct computation *c,
                          const struct instruction *in, int leaf)
{
    int i = 0;
    while (leaf >= shape_leaves(in->shape->elements[i]))
        leaf -= shape_leaves(in->shape->elements[i++]);
    return leaf_moved(w, c, in->operands[i], leaf);
}

static bool is_entry(const struct program *p, const struct computation *c)
{
    int n = p->replicas * (p->partitions > 0 ? p->partitions : 1);
    bool found = c == p->entry;
    for (int i = 0; p->entries && i < n && !found; i++)
        found = c == p->entries[i];
    return found;
}

/* All that is sent through that channel. */
static bool channel_moved(struct walk *w, int64_t id)
{
    const struct program *p = w->program;
    for (int i = 0; i < p->computation_count; i++) {
        const struct computation *c = p->computations[i];
        for (int k = 0; k < c->count; k++) {
            const struct instruction *in = c->instructions[k];
            if (in->op == &op_Send
                && attribute_int(in, ATTRIBUTE_CHANNEL_ID, 0) == id
                && !(is_entry(p, c) && leaf_moved(w, c, in->operands[0], 0)))
                return false;
        }
    }
    return true;
}

static bool operands_moved(struct walk *w, const struct computation *c,
                           const struct instruction *in)
{
    for (int i = 0; i < in->operand_count; i++) {
        const struct shape *s = c->instructions[in->operands[i]]->shape;
        for (int k = 0; k < shape_leaves(s); k++)
            if (!leaf_moved(w, c, in->operands[i], k))
                return false;
    }
    return true;
}

static bool leaf_moved(struct walk *w, const struct computation *c, int at,
                       int leaf)
{
    const struct instruction *in = c->instructions[at];
    if (++w->steps > STEPS_MAX)
        return false;
    if (in->op->role == OP_ROLE_PARAMETER || in->op->role == OP_ROLE_CONSTANT
        || in->op->feed == OP_INFEED)
        return true;
    if (in->op->role == OP_ROLE_TUPLE)
        return element_moved(w, c, in, leaf);
    if (in->op->role == OP_ROLE_ELEMENT) {
        const struct instruction *from = c->instructions[in->operands[0]];
        int64_t index = attribute_int(in, ATTRIBUTE_INDEX, 0);
        for (int64_t i = 0; i < index; i++)
            leaf += shape_leaves(from->shape->elements[i]);
        return leaf_moved(w, c, in->operands[0], leaf);
    }
    if (in->op == op_Recv.done)
        return channel_moved(w, attribute_int(in, ATTRIBUTE_CHANNEL_ID, 0));
    return moves(in) && operands_moved(w, c, in);
}

bool judge_flush_moved(const struct program *p, int process, int leaf)
{
    const struct computation *c = p->entries ? p->entries[process] : p->entry;
    struct walk w = {.program = p};
    return leaf_moved(&w, c, c->root, leaf);
}
