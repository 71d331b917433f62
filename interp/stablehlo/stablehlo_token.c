/* stablehlo_token.c - operations that take and return a token there.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Here a token may be left out.  And here a transfer has two ends, Send and
 * SendDone, Recv and RecvDone, of which StableHLO has the first only: it
 * returns what the second does.
 */
#include <assert.h>

#include "interp/program/op.h"
#include "interp/stablehlo/stablehlo_write.h"

/* Leaves of a context (interp/ops/transfer.h). */
enum {
    DATA,
    REQUEST,
    TOKEN,
    LEAVES
};

/* The operands, and a new token if they have none. */
static struct stablehlo_value add_token(struct stablehlo_writer *w,
                                        const struct stablehlo_item *it)
{
    struct stablehlo_value all[2] = {
        stablehlo_op_flatten(w, it->in->operand_count, it->operands), {0}};
    const struct shape *token = shape_token(w->arena);
    bool has = all[0].count > 0
               && all[0].shapes[all[0].count - 1]->kind == SHAPE_TOKEN;
    if (!has)
        all[1] = stablehlo_op_one(
            w,
            stablehlo_op_simple(w, "stablehlo.after_all",
                                &(struct stablehlo_value){0}, "", token),
            token);
    return stablehlo_op_flatten(w, 2, all);
}

static bool write_line(struct stablehlo_writer *w,
                       const struct stablehlo_item *it,
                       const struct stablehlo_value *result)
{
    struct stablehlo_line line = {.spelling =
                                      spec_op_find(it->in->op->name)->stablehlo,
                                  .operands = add_token(w, it),
                                  .result = result};
    return stablehlo_op_line(w, it, &line);
}

bool stablehlo_token_feed(struct stablehlo_writer *w,
                          const struct stablehlo_item *it)
{
    struct stablehlo_value there[2] = {*it->result, {0}};
    if (it->result->count == 0
        || it->result->shapes[it->result->count - 1]->kind != SHAPE_TOKEN)
        there[1] = stablehlo_write_names(w, shape_token(w->arena));
    struct stablehlo_value whole = stablehlo_op_flatten(w, 2, there);
    return write_line(w, it, &whole);
}

static struct stablehlo_value leaf(struct stablehlo_writer *w,
                                   const struct stablehlo_value *v, int i)
{
    assert(v->count == LEAVES);
    return stablehlo_op_one(w, v->names[i], v->shapes[i]);
}

static struct stablehlo_value received(struct stablehlo_writer *w,
                                       const struct stablehlo_value *context)
{
    struct stablehlo_value parts[2] = {leaf(w, context, DATA),
                                       leaf(w, context, TOKEN)};
    return stablehlo_op_flatten(w, 2, parts);
}

bool stablehlo_token_send(struct stablehlo_writer *w,
                          const struct stablehlo_item *it)
{
    struct stablehlo_value token = leaf(w, it->result, TOKEN);
    return write_line(w, it, &token);
}

bool stablehlo_token_recv(struct stablehlo_writer *w,
                          const struct stablehlo_item *it)
{
    struct stablehlo_value there = received(w, it->result);
    return write_line(w, it, &there);
}

bool stablehlo_token_send_done(struct stablehlo_writer *w,
                               const struct stablehlo_item *it)
{
    *it->result = leaf(w, &it->operands[0], TOKEN);
    return true;
}

bool stablehlo_token_recv_done(struct stablehlo_writer *w,
                               const struct stablehlo_item *it)
{
    *it->result = received(w, &it->operands[0]);
    return true;
}
