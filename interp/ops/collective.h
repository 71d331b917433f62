/* collective.h - which replicas work together.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A process is one partition of one replica; its number is replica *
 * partitions + partition.  group_mode in spec/ops says how channel_id and
 * use_global_device_ids decide what replica_groups names.
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

enum collective_rule {
    COLLECTIVE_UNIFORM = 1, /* groups have one size */
    COLLECTIVE_PARTIAL = 2, /* not everyone is in a group */
};

/* Fail with ATTRIBUTE unless replica_groups is empty or names everyone once,
 * under those rules. */
bool collective_infer(struct infer *in, int rules, struct status *st);
/* The same for source_target_pairs. */
bool collective_infer_pairs(struct infer *in, struct status *st);
/* The size of each group, if they are uniform (after collective_infer). */
int collective_size(const struct infer *in);
/* An attribute that is a dimension of an operand, */
bool collective_dimension(const struct infer *in, enum attribute_name name,
                          int operand, int64_t *d, struct status *st);
/* and one that must be the size of the groups. */
bool collective_count(const struct infer *in, enum attribute_name name,
                      int64_t *count, struct status *st);
/* Divide the size of dimension d by the count of that name. */
bool collective_divide(const struct infer *in, int64_t *dims, int64_t d,
                       int64_t count, const char *name, struct status *st);

/* Each process's group.  Fails with STRUCTURE if a member of a group never
 * arrives, as the others would wait for ever.  A process in no group has one of
 * no members. */
bool collective_find(struct eval *evs, int count,
                     struct collective_group **groups, struct status *st);

/* For each process where in evs the source is whose target it is, or -1. */
bool collective_sources(struct eval *evs, int count, int *sources,
                        struct status *st);

/* AllReduce of every operand: the results, in each member of each group. */
bool collective_reduce(struct eval *evs, int count, const struct computation *c,
                       struct status *st);

#endif
