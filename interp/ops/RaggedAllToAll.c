/* RaggedAllToAll - rows of run-time number exchanged among replicas.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Member i of a group sends to member j, for each of u updates, the
 * send_sizes[j] rows of its input from input_offsets[j] on; they are written
 * into j's output from output_offsets[j] of i on.
 */
#include "gen/policy/ragged_outside.h"
#include "interp/ops/collective.h"
#include "interp/ops/dimnums.h"
#include "interp/stablehlo/stablehlo_form.h"

enum {
    INPUT,
    INPUT_OFFSETS,
    SEND_SIZES,
    OUTPUT,
    OUTPUT_OFFSETS,
    RECV_SIZES
};

static bool infer_rows(const struct infer *in, struct status *st)
{
    const struct shape *from = in->operands[INPUT], *to = in->operands[OUTPUT];
    if (from->dtype != to->dtype)
        return FAIL(
            st, TYPE,
            "RaggedAllToAll: input is %s, output %s; expected the same type",
            dtype_table[from->dtype].name, dtype_table[to->dtype].name);
    bool fits = from->rank == to->rank && from->rank > 0;
    for (int k = 1; fits && k < from->rank; k++)
        fits = from->dims[k] == to->dims[k];
    if (fits)
        return true;
    return FAIL(st, SHAPE,
                "RaggedAllToAll: input is %s, output %s; expected rows of the "
                "same shape",
                shape_text(in->arena, from), shape_text(in->arena, to));
}

static bool infer(struct infer *in, struct status *st)
{
    static const int lists[] = {INPUT_OFFSETS, SEND_SIZES, OUTPUT_OFFSETS,
                                RECV_SIZES};
    TRY(dimnums_static(in, st));
    TRY(collective_infer(in, COLLECTIVE_UNIFORM, st));
    TRY(infer_rows(in, st));
    const struct shape *first = in->operands[INPUT_OFFSETS];
    for (int i = 0; i < 4; i++) {
        const struct shape *s = in->operands[lists[i]];
        if ((s->rank != 1 && s->rank != 2) || s->dims[0] != collective_size(in))
            return FAIL(
                st, SHAPE,
                "RaggedAllToAll: operand %d is %s; expected [n] or [n,u], "
                "n = %d being the size of a group",
                lists[i], shape_text(in->arena, s), collective_size(in));
        if (!shape_same_dims(s, first))
            return FAIL(st, SHAPE,
                        "RaggedAllToAll: operand %d is %s; expected the "
                        "dimensions of operand 1, %s",
                        lists[i], shape_text(in->arena, s),
                        shape_text(in->arena, first));
    }
    in->result = in->operands[OUTPUT];
    return true;
}

/* One member's result in the making. */
struct receiver {
    struct eval *ev;
    struct goal *goal;
    bool *written; /* rows */
    int64_t rows, units;
    bool any; /* policy ragged.outside */
};

static void write_row(struct receiver *r, int64_t to,
                      const struct literal *input, int64_t from)
{
    struct literal *v = r->goal->value;
    for (int64_t u = 0; u < r->units; u++) {
        int64_t unit = to * r->units + u;
        uint64_t bits = literal_get(input, from * r->units + u);
        if (!r->written[to])
            literal_set(v, unit, bits);
        else if (r->any)
            goal_free_unit(r->goal, unit);
        else
            goal_or(r->goal, unit, bits);
    }
    r->written[to] = true;
}

/* One update from one member; false: it reads or writes outside, or the two
 * disagree about its size, and the result is not defined. */
static bool receive(struct receiver *r, const struct eval *from, int64_t sent,
                    int64_t received)
{
    const struct literal *const *o = from->operands;
    int64_t rows = o[INPUT]->shape->dims[0];
    int64_t start = literal_int(o[INPUT_OFFSETS], sent);
    int64_t size = literal_int(o[SEND_SIZES], sent);
    int64_t to = literal_int(o[OUTPUT_OFFSETS], sent);
    if (size < 0 || size != literal_int(r->ev->operands[RECV_SIZES], received))
        return false;
    if (size == 0)
        return true;
    if (start < 0 || size > rows || start > rows - size || to < 0
        || size > r->rows || to > r->rows - size)
        return false;
    for (int64_t i = 0; i < size; i++)
        write_row(r, to + i, o[INPUT], start + i);
    return true;
}

static void exchange(struct eval *evs, int self,
                     const struct collective_group *g)
{
    struct eval *ev = &evs[self];
    const struct literal *output = ev->operands[OUTPUT];
    const struct shape *s = output->shape, *list;
    struct receiver r = {.ev = ev, .rows = s->dims[0]};
    r.goal = goal_of(ev->arena, literal_copy(ev->arena, output), GOAL_MOVED);
    r.written = arena_new(ev->arena, bool, (size_t)r.rows);
    r.units = r.rows > 0 ? literal_units(output) / r.rows : 0;
    r.any = profile_ragged_outside_is_any(ev->machine->profile);
    list = ev->operands[SEND_SIZES]->shape;
    int64_t updates = list->rank == 2 ? list->dims[1] : 1;
    bool defined = true;
    for (int i = 0; i < g->count && defined; i++)
        for (int64_t u = 0; u < updates && defined; u++)
            defined = receive(&r, &evs[g->members[i]],
                              g->position * updates + u, i * updates + u);
    if (!defined)
        goal_make_free(r.goal);
    eval_return_one(ev, r.goal);
}

static bool eval_group(struct eval *evs, int count, struct status *st)
{
    struct collective_group *groups;
    TRY(collective_find(evs, count, &groups, st));
    for (int i = 0; i < count; i++)
        exchange(evs, i, &groups[i]);
    return true;
}

static int monotone(const struct instruction *in, int operand)
{
    return operand == INPUT || operand == OUTPUT ? OP_RISING : OP_NEITHER;
}

const struct op op_RaggedAllToAll = {
    .name = "RaggedAllToAll",
    .infer = infer,
    .eval_group = eval_group,
    .monotone_of = monotone,
    .stablehlo =
        STABLEHLO_FORM(.write = stablehlo_op_ragged_all_to_all,
                       .attributes = stablehlo_attribute_ragged_all_to_all,
                       .like = 4)};
