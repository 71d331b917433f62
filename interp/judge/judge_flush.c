/* judge_flush.c - see judge_ways.h.  Tests: flushed.t, test_judge_ways.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/judge/judge_ways.h"
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

bool judge_flush_of_parameters(const struct program *p)
{
    const struct computation *c = p->entry;
    for (int i = 0; i < c->count; i++) {
        const struct instruction *in = c->instructions[i];
        for (int k = 0; in->op->elementwise && k < in->operand_count; k++)
            if (c->instructions[in->operands[k]]->op->role != OP_ROLE_PARAMETER)
                return false;
        if (!in->op->elementwise && in->op->role != OP_ROLE_PARAMETER
            && in->op->role != OP_ROLE_TUPLE)
            return false;
    }
    return p->computation_count == 1;
}

/* ---- Flushed data -------------------------------------------------------- */

/* The data that a way flushes are leaves of the inputs by number, and then what
 * comes from elsewhere. */
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

bool judge_flush_any(struct arena *a, const struct test_case *c,
                     const struct profile *profile)
{
    for (int sign = 0; sign < 2; sign++) {
        struct way w = {.arena = a,
                        .profile = profile,
                        .keep_sign = sign == 0,
                        .mask = ~0U};
        flush_inputs(&w, c);
        if (w.changes || has_sources(&w, c))
            return true;
    }
    return false;
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
