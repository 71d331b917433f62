/* transfer.c - see transfer.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/transfer.h"

#include <inttypes.h>

#include "interp/program/attribute.h"

/* The computation that an instruction is of. */
static const struct computation *home(const struct infer *in, int *number)
{
    const struct program *p = in->program;
    for (int i = 0; i < p->computation_count; i++)
        for (int k = 0; k < p->computations[i]->count; k++)
            if (p->computations[i]->instructions[k] == in->in) {
                *number = k;
                return p->computations[i];
            }
    return NULL;
}

/* A context may go only to one Done. */
static bool check_users(const struct infer *in, struct status *st)
{
    int number = 0, uses = 0;
    const struct computation *c = home(in, &number);
    const struct op *done = in->op->done;
    if (!c)
        return true;
    for (int i = 0; i < c->count; i++) {
        const struct instruction *user = c->instructions[i];
        for (int k = 0; k < user->operand_count; k++) {
            if (user->operands[k] != number)
                continue;
            uses++;
            if (user->op != done)
                return FAIL(st, STRUCTURE,
                            "%s: '%s' uses its context; only %s may",
                            in->op->name, user->name, done->name);
        }
    }
    if (c->root == number)
        return FAIL(st, STRUCTURE,
                    "%s: its context is a result; only %s may "
                    "use it",
                    in->op->name, done->name);
    if (uses > 1)
        return FAIL(st, STRUCTURE, "%s: its context has %d users", in->op->name,
                    uses);
    return true;
}

/* One Send and one Recv for each channel, of one shape. */
static bool check_channel(const struct infer *in, const struct shape *data,
                          struct status *st)
{
    const struct program *p = in->program;
    int64_t id = attribute_int(in->in, ATTRIBUTE_CHANNEL_ID, 0);
    for (int i = 0; i < p->computation_count; i++) {
        const struct computation *c = p->computations[i];
        for (int k = 0; k < c->count; k++) {
            const struct instruction *other = c->instructions[k];
            if (other == in->in || !other->op || !other->op->done
                || attribute_int(other, ATTRIBUTE_CHANNEL_ID, 0) != id)
                continue;
            if (other->op == in->op)
                return FAIL(st, STRUCTURE,
                            "%s: channel %" PRId64 " is also used by '%s'",
                            in->op->name, id, other->name);
            const struct attribute *a = attribute_find(other, ATTRIBUTE_SHAPE);
            if (a && !shape_equal(a->shape, data))
                return FAIL(st, SHAPE,
                            "%s: %s is sent into channel %" PRId64
                            ", but '%s' expects %s",
                            in->op->name, shape_text(in->arena, data), id,
                            other->name, shape_text(in->arena, a->shape));
        }
    }
    return true;
}

bool transfer_infer(struct infer *in, const struct shape *data, int token,
                    struct status *st)
{
    if (in->count > token && in->operands[token]->kind != SHAPE_TOKEN)
        return FAIL(st, TYPE, "%s: operand %d is %s, not a token", in->op->name,
                    token, shape_text(in->arena, in->operands[token]));
    TRY(check_users(in, st));
    TRY(check_channel(in, data, st));
    const struct shape *parts[3] = {data, shape_scalar(in->arena, DT_u32),
                                    shape_token(in->arena)};
    in->result = shape_tuple(in->arena, 3, parts);
    return true;
}

bool transfer_infer_done(struct infer *in, const struct op *begin,
                         struct status *st)
{
    int number = 0;
    const struct computation *c = home(in, &number);
    const struct instruction *from =
        c ? c->instructions[in->in->operands[0]] : NULL;
    int64_t id = attribute_int(in->in, ATTRIBUTE_CHANNEL_ID, 0);
    if (!from || from->op != begin)
        return FAIL(st, STRUCTURE, "%s: the operand is not a context of %s",
                    in->op->name, begin->name);
    if (attribute_int(from, ATTRIBUTE_CHANNEL_ID, 0) != id)
        return FAIL(st, ATTRIBUTE,
                    "%s: channel_id is %" PRId64 ", that of %s %" PRId64
                    "; expected the same",
                    in->op->name, id, begin->name,
                    attribute_int(from, ATTRIBUTE_CHANNEL_ID, 0));
    return true;
}

bool transfer_return(struct eval *ev, struct literal *data, uint64_t request)
{
    const struct shape *s = ev->in->shape;
    struct literal *number = literal_new(ev->arena, s->elements[1]);
    literal_set(number, 0, request & UINT32_MAX);
    struct goal *goals[3] = {goal_of(ev->arena, data, GOAL_MOVED),
                             goal_of(ev->arena, number, GOAL_BITS), NULL};
    return eval_return(ev, s, goals);
}

uint64_t transfer_request(const struct eval *ev)
{
    return literal_get(ev->operands[0]->elements[1], 0);
}
