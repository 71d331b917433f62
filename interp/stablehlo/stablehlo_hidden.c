/* stablehlo_hidden.c - faults that StableHLO text does not show.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * What XlaBuilder checks and StableHLO says in another way, or not at all: the
 * text of such a program is a valid one, or has another fault, and a backend
 * that is right about it must not be blamed.
 */
#include <string.h>

#include "interp/program/attribute.h"
#include "interp/program/op.h"
#include "interp/program/sequence.h"
#include "interp/stablehlo/stablehlo_invalid.h"

typedef bool hider(const struct stablehlo_writer *w,
                   const struct instruction *in,
                   const struct stablehlo_value *operands);

static bool hides_all(const struct stablehlo_writer *w,
                      const struct instruction *in,
                      const struct stablehlo_value *operands)
{
    (void)w, (void)in, (void)operands;
    return true;
}

/* broadcast_in_dim of StableHLO transposes too, so it takes any order: is the
 * order all that is wrong? */
static bool hides_order(const struct stablehlo_writer *w,
                        const struct instruction *in,
                        const struct stablehlo_value *operands)
{
    const struct attribute *sizes = attribute_find(in, ATTRIBUTE_OUT_DIM_SIZE);
    const struct attribute *dims =
        attribute_find(in, ATTRIBUTE_BROADCAST_DIMENSIONS);
    const struct shape *s = operands[0].shapes[0];
    uint64_t seen = 0;
    (void)w;
    if (dims->count != s->rank)
        return false;
    for (int i = 0; i < dims->count; i++) {
        int64_t d = dims->ints[i];
        if (d < 0 || d >= sizes->count || d >= 64 || seen >> d & 1
            || (s->dims[i] != 1 && s->dims[i] != sizes->ints[d]))
            return false;
        seen |= UINT64_C(1) << d;
    }
    return true;
}

/* -1 fills up the rows of replica_groups, so it cannot be a replica's name. */
static bool hides_group(const struct stablehlo_writer *w,
                        const struct instruction *in,
                        const struct stablehlo_value *operands)
{
    const struct attribute *a = attribute_find(in, ATTRIBUTE_REPLICA_GROUPS);
    (void)w, (void)operands;
    for (int i = 0; a && i < a->count; i++)
        if (a->ints[i] == -1)
            return true;
    return false;
}

/* A reshape of StableHLO is its result's type, which says what is dynamic too:
 * only the number of elements can be wrong. */
static bool hides_sizes(const struct stablehlo_writer *w,
                        const struct instruction *in,
                        const struct stablehlo_value *operands)
{
    const struct attribute *sizes = attribute_find(in, ATTRIBUTE_NEW_SIZES);
    bool bad = !sizes || sizes->count > SHAPE_RANK_MAX
               || attribute_find(in, ATTRIBUTE_DIMENSIONS)
               || shape_has_dynamic(operands[0].shapes[0]);
    (void)w;
    for (int i = 0; sizes && i < sizes->count; i++)
        bad |= sizes->ints[i] < 0;
    return bad;
}

/* Dot is written as dot_general, which takes any rank. */
static bool hides_rank(const struct stablehlo_writer *w,
                       const struct instruction *in,
                       const struct stablehlo_value *operands)
{
    (void)w;
    for (int i = 0; i < in->operand_count; i++)
        if (operands[i].count != 1 || operands[i].shapes[0]->rank > 2)
            return true;
    return false;
}

static bool hides_operand(const struct stablehlo_writer *w,
                          const struct instruction *in,
                          const struct stablehlo_value *operands)
{
    (void)w, (void)operands;
    return in->operand_count > 1;
}

static bool hides_context(const struct stablehlo_writer *w,
                          const struct instruction *in,
                          const struct stablehlo_value *operands)
{
    (void)operands;
    return w->body->instructions[w->body->root] == in;
}

/* A branch has no parameter that could be another than its operand. */
static bool hides_branch(const struct stablehlo_writer *w,
                         const struct instruction *in,
                         const struct stablehlo_value *operands)
{
    static const enum attribute_name names[] = {ATTRIBUTE_TRUE_COMPUTATION,
                                                ATTRIBUTE_FALSE_COMPUTATION,
                                                ATTRIBUTE_BRANCH_COMPUTATIONS};
    int operand = 1;
    (void)operands;
    for (int i = 0; i < 3; i++) {
        const struct attribute *a = attribute_find(in, names[i]);
        for (int k = 0; a && k < a->computation_count; k++, operand++) {
            const struct computation *c = a->computations[k];
            if (!c || c->parameter_count != 1 || operand >= in->operand_count)
                return true;
            const struct shape *s =
                w->body->instructions[in->operands[operand]]->shape;
            if (!s || !shape_equal(c->instructions[c->parameters[0]]->shape, s))
                return true;
        }
    }
    return operand != in->operand_count;
}

/* Operands come in groups of one length there, which follows from their
 * number: an odd one is a number of operands too many for any. */
static bool hides_count(const struct stablehlo_writer *w,
                        const struct instruction *in,
                        const struct stablehlo_value *operands)
{
    int groups = spec_op_find(in->op->name)->operand_count == 3 ? 1 : 0;
    (void)w, (void)operands;
    return in->operand_count % 2 != groups;
}

/* Sizes are one vector there, of any integers; which dimensions are dynamic is
 * the result's type. */
static bool hides_size(const struct stablehlo_writer *w,
                       const struct instruction *in,
                       const struct stablehlo_value *operands)
{
    const struct attribute *bounds =
        attribute_find(in, ATTRIBUTE_NEW_SIZE_BOUNDS);
    const struct attribute *flags =
        attribute_find(in, ATTRIBUTE_DIMS_ARE_DYNAMIC);
    (void)w;
    for (int i = 1; i < in->operand_count; i++)
        if (operands[i].count != 1 || operands[i].shapes[0]->rank != 0
            || operands[i].shapes[0]->dtype != DT_s32)
            return true;
    return flags->count != bounds->count;
}

/* The addition of an all_reduce is that of pred too. */
static bool hides_pred(const struct stablehlo_writer *w,
                       const struct instruction *in,
                       const struct stablehlo_value *operands)
{
    (void)w;
    return in->operand_count > 0 && operands[0].count == 1
           && operands[0].shapes[0]->dtype == DT_pred;
}

static bool hides_features(const struct stablehlo_writer *w,
                           const struct instruction *in,
                           const struct stablehlo_value *operands)
{
    (void)w;
    return in->operand_count == 2 && operands[1].count == 1
           && shape_has_dynamic(operands[1].shapes[0]);
}

static bool hides_version(const struct stablehlo_writer *w,
                          const struct instruction *in,
                          const struct stablehlo_value *operands)
{
    (void)w, (void)operands;
    return attribute_int(in, ATTRIBUTE_VERSION, 0) < 0;
}

static const struct {
    const char *op;
    hider *hides;
    const char *why;
} faults[] = {
    {"AllReduce", hides_group, "a -1 in replica_groups is padding"},
    {"Broadcast", hides_all,
     "it is a broadcast_in_dim, which states its sizes"},
    {"BroadcastInDim", hides_order, "broadcast_in_dim takes any order"},
    {"Collapse", hides_all, "it is a reshape, which names no dimensions"},
    {"CompositeCall", hides_version, "composite has versions below 0"},
    {"Conditional", hides_branch, "a branch takes its operand from outside"},
    {"Conv", hides_features, "convolution may have dynamic output features"},
    {"ConvGeneralDilated", hides_features,
     "convolution may have dynamic output features"},
    {"CrossReplicaSum", hides_pred, "all_reduce may add pred"},
    {"CustomCall", hides_all, "custom_call says nothing of its operands"},
    {"Dot", hides_rank, "it is a dot_general, which takes any rank"},
    {"DynamicReshape", hides_size, "dynamic_reshape has other sizes"},
    {"Infeed", hides_all, "infeed has a token and no tuples"},
    {"Outfeed", hides_all, "outfeed has a token, and no shape beside it"},
    {"Recv", hides_context, "recv has no context"},
    {"Reduce", hides_count, "the number of operands says which are which"},
    {"ReduceScatter", hides_operand, "reduce_scatter has one operand"},
    {"Reshape", hides_sizes, "reshape has neither sizes nor an order"},
    {"ReduceWindow", hides_count,
     "the number of operands says which are which"},
    {"Scatter", hides_count, "the number of operands says which are which"},
    {"Send", hides_context, "send has no context"},
};

/* StableHLO asks for no order of infeeds, or of outfeeds. */
static bool is_out_of_order(const struct stablehlo_writer *w,
                            const struct instruction *in)
{
    int before, i = sequence_find(w->arena, w->body, &before);
    return i >= 0 && w->body->instructions[i] == in;
}

/* Does a tuple stand where an operand must be an array?  Flattened it would be
 * another number of operands. */
static bool flattens(const struct stablehlo_writer *w,
                     const struct instruction *in)
{
    const struct spec_op *spec = spec_op_find(in->op->name);
    bool arrays = strcmp(in->op->name, "AfterAll") == 0;
    for (int i = 0; i < spec->operand_count; i++)
        arrays |= spec->operands[i].types != 0;
    for (int i = 0; i < in->operand_count; i++) {
        const struct shape *s = w->body->instructions[in->operands[i]]->shape;
        if (arrays && s && s->kind == SHAPE_TUPLE)
            return true;
    }
    return false;
}

const char *stablehlo_hidden(const struct stablehlo_writer *w,
                             const struct instruction *in,
                             const struct stablehlo_value *operands)
{
    const struct attribute *dims =
        attribute_find(in, ATTRIBUTE_BROADCAST_DIMENSIONS);
    const char *why = NULL;
    if (is_out_of_order(w, in))
        why = "it may use a feed in any order";
    else if (flattens(w, in))
        why = "tuples are flattened";
    else if (dims && dims->count > 0
             && attribute_find(in, ATTRIBUTE_BROADCASTING))
        why = "it has no broadcast_dimensions";
    for (size_t i = 0; !why && i < sizeof faults / sizeof faults[0]; i++)
        if (strcmp(in->op->name, faults[i].op) == 0
            && faults[i].hides(w, in, operands))
            why = faults[i].why;
    return why ? arena_printf(
               w->arena, "StableHLO text cannot express the fault: %s", why)
               : NULL;
}
