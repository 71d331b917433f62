/* stablehlo_hidden.c - faults that StableHLO text does not show.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * What XlaBuilder checks and StableHLO expresses differently, or not at all:
 * the text of such a program is valid, or has another fault, and a backend that
 * handles it correctly must not be blamed.
 */
#include "interp/program/attribute.h"
#include "interp/program/op.h"
#include "interp/program/sequence.h"
#include "interp/stablehlo/stablehlo_private.h"

/* -1 fills up the rows of replica_groups, so it cannot be a replica's name. */
bool stablehlo_hidden_group(const struct stablehlo_writer *w,
                            const struct stablehlo_item *it)
{
    const struct attribute *a =
        attribute_find(it->in, ATTRIBUTE_REPLICA_GROUPS);
    for (int i = 0; a && i < a->count; i++)
        if (a->ints[i] == -1)
            return true;
    return false;
}

/* A reshape of StableHLO is its result's type, which says what is dynamic too:
 * only the number of elements can be wrong. */
bool stablehlo_hidden_sizes(const struct stablehlo_writer *w,
                            const struct stablehlo_item *it)
{
    const struct attribute *sizes = attribute_find(it->in, ATTRIBUTE_NEW_SIZES);
    bool bad = !sizes || sizes->count > SHAPE_RANK_MAX
               || attribute_find(it->in, ATTRIBUTE_DIMENSIONS)
               || shape_has_dynamic(it->operands[0].shapes[0]);
    for (int i = 0; sizes && i < sizes->count; i++)
        bad |= sizes->ints[i] < 0;
    return bad;
}

/* Dot is written as dot_general, which takes any rank. */
bool stablehlo_hidden_rank(const struct stablehlo_writer *w,
                           const struct stablehlo_item *it)
{
    for (int i = 0; i < it->in->operand_count; i++)
        if (it->operands[i].count != 1 || it->operands[i].shapes[0]->rank > 2)
            return true;
    return false;
}

bool stablehlo_hidden_operand(const struct stablehlo_writer *w,
                              const struct stablehlo_item *it)
{
    return it->in->operand_count > 1;
}

/* A branch has no parameter that could be another than its operand. */
bool stablehlo_hidden_branch(const struct stablehlo_writer *w,
                             const struct stablehlo_item *it)
{
    static const enum attribute_name names[] = {ATTRIBUTE_TRUE_COMPUTATION,
                                                ATTRIBUTE_FALSE_COMPUTATION,
                                                ATTRIBUTE_BRANCH_COMPUTATIONS};
    int operand = 1;
    for (int i = 0; i < 3; i++) {
        const struct attribute *a = attribute_find(it->in, names[i]);
        for (int k = 0; a && k < a->computation_count; k++, operand++) {
            const struct computation *c = a->computations[k];
            if (!c || c->parameter_count != 1
                || operand >= it->in->operand_count)
                return true;
            const struct shape *s =
                w->body->instructions[it->in->operands[operand]]->shape;
            const struct shape *own = c->instructions[c->parameters[0]]->shape;
            if (!s || !own || !shape_equal(own, s))
                return true;
        }
    }
    return operand != it->in->operand_count;
}

/* Operands come in groups of one length there, which follows from their
 * number: an odd one is a number of operands too many for any. */
bool stablehlo_hidden_count(const struct stablehlo_writer *w,
                            const struct stablehlo_item *it)
{
    int groups = spec_op_find(it->in->op->name)->operand_count == 3 ? 1 : 0;
    return it->in->operand_count % 2 != groups;
}

/* Sizes are one vector there, of any integers; which dimensions are dynamic is
 * the result's type. */
bool stablehlo_hidden_size(const struct stablehlo_writer *w,
                           const struct stablehlo_item *it)
{
    const struct attribute *bounds =
        attribute_find(it->in, ATTRIBUTE_NEW_SIZE_BOUNDS);
    const struct attribute *flags =
        attribute_find(it->in, ATTRIBUTE_DIMS_ARE_DYNAMIC);
    for (int i = 1; i < it->in->operand_count; i++)
        if (it->operands[i].count != 1 || it->operands[i].shapes[0]->rank != 0
            || it->operands[i].shapes[0]->dtype != DT_s32)
            return true;
    return flags->count != bounds->count;
}

/* The addition of an all_reduce is that of pred too. */
bool stablehlo_hidden_pred(const struct stablehlo_writer *w,
                           const struct stablehlo_item *it)
{
    return it->in->operand_count > 0 && it->operands[0].count == 1
           && it->operands[0].shapes[0]->dtype == DT_pred;
}

bool stablehlo_hidden_features(const struct stablehlo_writer *w,
                               const struct stablehlo_item *it)
{
    return it->in->operand_count == 2 && it->operands[1].count == 1
           && shape_has_dynamic(it->operands[1].shapes[0]);
}

bool stablehlo_hidden_version(const struct stablehlo_writer *w,
                              const struct stablehlo_item *it)
{
    return attribute_int(it->in, ATTRIBUTE_VERSION, 0) < 0;
}

/* StableHLO asks for no order of infeeds, or of outfeeds. */
static bool is_out_of_order(const struct stablehlo_writer *w,
                            const struct instruction *in)
{
    int before, i = sequence_find(w->arena, w->body, &before);
    return i >= 0 && w->body->instructions[i] == in;
}

/* Is a tuple given where an operand must be an array?  Flattened it would be
 * another number of operands. */
static bool flattens(const struct stablehlo_writer *w,
                     const struct instruction *in)
{
    const struct spec_op *spec = spec_op_find(in->op->name);
    bool arrays = in->op->stablehlo && in->op->stablehlo->no_tuples;
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
                             const struct stablehlo_item *it)
{
    const struct attribute *dims =
        attribute_find(it->in, ATTRIBUTE_BROADCAST_DIMENSIONS);
    const struct stablehlo_form *form = it->in->op->stablehlo;
    const char *why = NULL;
    if (is_out_of_order(w, it->in))
        why = "it may use a feed in any order";
    else if (flattens(w, it->in))
        why = "tuples are flattened";
    else if (dims && dims->count > 0
             && attribute_find(it->in, ATTRIBUTE_BROADCASTING))
        why = "it has no broadcast_dimensions";
    else if (form && form->why && (!form->hides || form->hides(w, it)))
        why = form->why;
    return why ? arena_printf(
               w->arena, "StableHLO text cannot express the fault: %s", why)
               : NULL;
}
