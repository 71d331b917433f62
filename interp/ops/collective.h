/* collective.h - which replicas work together.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A process is one partition of one replica; its number is replica *
 * partitions + partition.  Without channel_id, groups are of replicas, inside
 * one partition; with it, of all partitions of those replicas; with
 * use_global_device_ids, of processes.
 */
#ifndef INTERP_OPS_COLLECTIVE_H
#define INTERP_OPS_COLLECTIVE_H

#include "interp/program/eval.h"
#include "interp/program/infer.h"

/* The group of one process: indices into evs, in the group's order. */
struct collective_group {
    int count;
    const int *members;
    int position; /* of the process itself */
};

/* Fail with ATTRIBUTE unless replica_groups is empty or names everyone once;
 * if uniform, in groups of one size. */
bool collective_infer(struct infer *in, bool uniform, struct status *st);
/* The size of each group, if they are uniform (after collective_infer). */
int collective_size(const struct infer *in);

/* Each process's group.  Fails with STRUCTURE if a member of a group never
 * arrives: the others would wait for ever. */
bool collective_find(struct eval *evs, int count,
                     struct collective_group **groups, struct status *st);

/* AllReduce of every operand: the results, in each member of each group. */
bool collective_reduce(struct eval *evs, int count, const struct computation *c,
                       struct status *st);

#endif
