/* mode.h - what replica_groups names.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A process is one partition of one replica.  group_mode in spec/ops says how
 * channel_id and use_global_device_ids decide what the groups of an operation
 * are of.  For the operations, and for their text.
 */
#ifndef INTERP_PROGRAM_MODE_H
#define INTERP_PROGRAM_MODE_H

#include "interp/program/program.h"

enum mode {
    MODE_CROSS_REPLICA,
    MODE_CROSS_PARTITION, /* groups of partitions, within a replica */
    MODE_CROSS_BOTH,      /* all partitions of the replicas of a group */
    MODE_FLATTENED,       /* groups of processes */
};

enum mode mode_of(const struct instruction *in);
/* How many numbers the groups may name: 0, 1, ... */
int mode_count(const struct program *p, enum mode mode);

#endif
