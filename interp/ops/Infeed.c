/* Infeed - data read from the device's infeed.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The infeed's items are arrays or tuples of them; a tuple may also be given as
 * its elements, one item after the other.
 */
#include "interp/program/attribute.h"
#include "interp/program/eval.h"
#include "interp/stablehlo/stablehlo_form.h"

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = attribute_find(in->in, ATTRIBUTE_SHAPE)->shape;
    if (in->count == 1 && in->operands[0]->kind != SHAPE_TOKEN)
        return FAIL(st, TYPE, "Infeed: the operand is %s, not a token",
                    shape_text(in->arena, in->operands[0]));
    if (s->kind == SHAPE_TOKEN)
        return FAIL(st, SHAPE, "Infeed: the data must not contain a token");
    for (int i = 0; s->kind == SHAPE_TUPLE && i < s->rank; i++)
        if (s->elements[i]->kind != SHAPE_ARRAY)
            return FAIL(st, SHAPE,
                        "Infeed: %s has an element that is not an array",
                        shape_text(in->arena, s));
    for (int i = 0; i < shape_leaves(s); i++) {
        const struct shape *leaf = shape_leaf(s, i);
        TRY(shape_check_size(leaf->rank, leaf->dims, leaf->dtype,
                             in->program->limits->literal_bytes, st));
    }
    const struct shape *both[2] = {s, shape_token(in->arena)};
    in->result = in->count == 1 ? shape_tuple(in->arena, 2, both) : s;
    return true;
}

/* The next item, which must have that shape. */
static bool take_item(struct eval *ev, const struct shape *s,
                      struct literal **item, struct status *st)
{
    struct machine *m = ev->machine;
    int next = m->infeed_next[ev->replica];
    if (next >= m->infeed_count[ev->replica])
        return FAIL(st, STRUCTURE,
                    "Infeed '%s': replica %d waits for item %d; the infeed "
                    "has %d",
                    ev->in->name, ev->replica, next,
                    m->infeed_count[ev->replica]);
    *item = m->infeed[ev->replica][next];
    if (!shape_equal((*item)->shape, s))
        return FAIL(
            st, STRUCTURE, "Infeed '%s': item %d of replica %d is %s, not %s",
            ev->in->name, next, ev->replica,
            shape_text(ev->arena, (*item)->shape), shape_text(ev->arena, s));
    m->infeed_next[ev->replica]++;
    return true;
}

/* Is the next item an array, where a tuple is expected? */
static bool comes_apart(const struct eval *ev)
{
    const struct machine *m = ev->machine;
    int next = m->infeed_next[ev->replica];
    return next >= m->infeed_count[ev->replica]
           || m->infeed[ev->replica][next]->shape->kind == SHAPE_ARRAY;
}

static bool eval(struct eval *ev, struct status *st)
{
    const struct shape *s = attribute_find(ev->in, ATTRIBUTE_SHAPE)->shape;
    int n = shape_leaves(s);
    struct goal **goals = arena_new(ev->arena, struct goal *, (size_t)n + 1);
    struct literal *item = NULL;
    bool apart = s->kind == SHAPE_TUPLE && (n == 0 || comes_apart(ev));
    if (!apart)
        TRY(take_item(ev, s, &item, st));
    for (int i = 0; i < n; i++) {
        struct literal *leaf;
        if (apart)
            TRY(take_item(ev, shape_leaf(s, i), &leaf, st));
        else
            leaf = literal_leaf(item, i);
        goals[i] = goal_of(ev->arena, eval_source(ev, leaf), GOAL_MOVED);
    }
    return eval_return(ev, ev->in->shape, goals);
}

const struct op op_Infeed = {
    .name = "Infeed",
    .infer = infer,
    .eval = eval,
    .passes = true,
    .feed = OP_INFEED,
    .stablehlo = STABLEHLO_FORM(.write = stablehlo_token_feed,
                                .config = ATTRIBUTE_INFEED_CONFIG,
                                .why = "infeed has a token and no tuples")};
