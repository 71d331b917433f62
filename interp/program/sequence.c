/* sequence.c - see sequence.h.  Tests: test_program.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/sequence.h"

#include "interp/program/op.h"

/* The feeds that an instruction uses, by itself or in the computations that it
 * calls. */
static unsigned feeds_of(const struct instruction *in)
{
    unsigned feeds = in->op ? in->op->feed : 0;
    for (int i = 0; i < in->attribute_count; i++) {
        const struct attribute *a = &in->attributes[i];
        for (int k = 0; k < a->computation_count; k++)
            feeds |= a->computations[k] ? a->computations[k]->feeds : 0;
    }
    return feeds;
}

unsigned sequence_all(const struct computation *c)
{
    unsigned feeds = 0;
    for (int i = 0; i < c->count; i++)
        feeds |= feeds_of(c->instructions[i]);
    return feeds;
}

/* Operands come before the instructions that use them, so a total order can
 * only be the one in which the users of the feed occur: each must depend on the
 * one before it.  Then an instruction that depends on one depends on all before
 * it, and latest[i], the number of users up to the last that i depends on, is
 * enough to decide it. */
static int find_in_feed(const struct computation *c, unsigned feed, int *latest,
                        int *before)
{
    int users = 0;
    for (int i = 0; i < c->count; i++) {
        const struct instruction *in = c->instructions[i];
        latest[i] = 0;
        for (int k = 0; k < in->operand_count; k++) {
            int o = in->operands[k];
            if (o >= 0 && o < i && latest[o] > latest[i])
                latest[i] = latest[o];
        }
        if (!(feeds_of(in) & feed))
            continue;
        if (latest[i] < users)
            return i;
        latest[i] = ++users;
        *before = i;
    }
    return -1;
}

int sequence_find(struct arena *a, const struct computation *c, int *before)
{
    static const unsigned feeds[] = {OP_INFEED, OP_OUTFEED};
    unsigned used = sequence_all(c);
    int found = -1;
    for (int i = 0; i < 2 && found < 0; i++)
        if (used & feeds[i])
            found = find_in_feed(c, feeds[i],
                                 arena_new(a, int, (size_t)c->count), before);
    return found;
}
