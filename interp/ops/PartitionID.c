/* PartitionID - the number of the executing partition.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/eval.h"

static bool infer(struct infer *in, struct status *st)
{
    in->result = shape_scalar(in->arena, DT_u32);
    return true;
}

static bool eval(struct eval *ev, struct status *st)
{
    int parts = ev->machine->program->partitions;
    struct literal *l = literal_new(ev->arena, ev->in->shape);
    literal_set(l, 0, (uint64_t)(ev->replica % parts));
    return eval_return_literal(ev, l, GOAL_BITS);
}

const struct op op_PartitionID = {
    .name = "PartitionID", .infer = infer, .eval = eval};
