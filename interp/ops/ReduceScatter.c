/* ReduceScatter - AllReduce, each replica with its part of the result.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

#include "interp/ops/collective.h"
#include "interp/ops/dimnums.h"
#include "interp/ops/reduce.h"
#include "interp/program/attribute.h"
#include "interp/stablehlo/stablehlo_form.h"

static bool infer(struct infer *in, struct status *st)
{
    int64_t count, d;
    const struct shape **results =
        arena_new(in->arena, const struct shape *, (size_t)in->count);
    TRY(dimnums_static(in, st));
    TRY(collective_infer(in, COLLECTIVE_UNIFORM, st));
    TRY(collective_count(in, ATTRIBUTE_SHARD_COUNT, &count, st));
    for (int i = 0; i < in->count; i++) {
        const struct shape *s = in->operands[i];
        int64_t dims[SHAPE_RANK_MAX];
        if (s->dtype != in->operands[0]->dtype)
            return FAIL(st, TYPE,
                        "ReduceScatter: operand %d is %s, operand 0 %s", i,
                        dtype_table[s->dtype].name,
                        dtype_table[in->operands[0]->dtype].name);
        TRY(collective_dimension(in, ATTRIBUTE_SCATTER_DIMENSION, i, &d, st));
        for (int k = 0; k < s->rank; k++)
            dims[k] = s->dims[k];
        TRY(collective_divide(in, dims, d, count, "the group size", st));
        TRY(infer_array(in, s->dtype, s->rank, dims, st));
        results[i] = in->result;
    }
    TRY(reduce_infer_computation(in, ATTRIBUTE_COMPUTATION, 1,
                                 &in->operands[0]->dtype, st));
    if (in->count > 1)
        in->result = shape_tuple(in->arena, in->count, results);
    return true;
}

/* The part of one member: rows of inner elements, `size` of them in each of
 * the operand's, from `first` on. */
struct part {
    const struct eval *evs;
    const struct collective_group *group;
    int operand;
    int64_t inner, rows, size, first;
};

static void term(void *context, int64_t i, int64_t k, int which,
                 const struct literal **from, int64_t *at)
{
    const struct part *p = context;
    int64_t own = p->rows * p->inner;
    *from = p->evs[p->group->members[k]].operands[p->operand];
    *at = i / own * p->size * p->inner + p->first * p->inner + i % own;
}

static bool reduce_part(struct eval *ev, struct part *p, int64_t d,
                        const struct shape *s, struct goal **goal,
                        struct status *st)
{
    struct reduce_list list = {
        .term = term, .context = p, .count = p->group->count, .operands = 1};
    struct reduce *r =
        reduce_open(ev, eval_computation(ev, ATTRIBUTE_COMPUTATION, 0), 1, &s);
    p->rows = s->dims[d];
    p->size = p->rows * p->group->count;
    p->first = p->rows * p->group->position;
    p->inner = 1;
    int64_t n = shape_elements(s);
    for (int64_t k = d + 1; n > 0 && k < s->rank; k++)
        p->inner *= s->dims[k];
    for (int64_t i = 0; i < n; i++)
        TRY(reduce_element(r, &list, i, st));
    *goal = reduce_goals(r)[0];
    return true;
}

static bool eval_group(struct eval *evs, int count, struct status *st)
{
    struct collective_group *groups;
    int64_t d = attribute_int(evs[0].in, ATTRIBUTE_SCATTER_DIMENSION, 0);
    const struct shape *s = evs[0].in->shape;
    int n = evs[0].count;
    TRY(collective_find(evs, count, &groups, st));
    for (int i = 0; i < count; i++) {
        struct goal **goals = arena_new(evs[i].arena, struct goal *, (size_t)n);
        for (int k = 0; k < n; k++) {
            struct part p = {.evs = evs, .group = &groups[i], .operand = k};
            TRY(reduce_part(&evs[i], &p, d, n == 1 ? s : s->elements[k],
                            &goals[k], st));
        }
        eval_return(&evs[i], s, goals);
    }
    return true;
}

const struct op op_ReduceScatter = {
    .name = "ReduceScatter",
    .infer = infer,
    .eval_group = eval_group,
    .monotone_of = reduce_monotone_of,
    .stablehlo = STABLEHLO_FORM(.write = stablehlo_op_reduce_scatter,
                                .attributes = stablehlo_attribute_groups,
                                .claim = stablehlo_claim_scattered,
                                .hides = stablehlo_hidden_operand,
                                .why = "reduce_scatter has one operand",
                                .global_ids = true)};
