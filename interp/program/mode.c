/* mode.c - see mode.h.  Tests: test_evaluate.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/mode.h"

#include <string.h>

#include "interp/program/attribute.h"
#include "interp/program/op.h"

enum mode mode_of(const struct instruction *in)
{
    static const char *const names[] = {"cross-replica", "cross-partition",
                                        "cross-replica-and-partition",
                                        "flattened-ids"};
    const struct spec_op *spec = spec_op_find(in->op->name);
    enum spec_mode given =
        attribute_int(in, ATTRIBUTE_CHANNEL_ID, 0) <= 0 ? SPEC_MODE_NONE
        : attribute_bool(in, ATTRIBUTE_USE_GLOBAL_DEVICE_IDS, false)
            ? SPEC_MODE_GLOBAL
            : SPEC_MODE_CHANNEL;
    const char *mode = spec ? spec->group_mode[given] : NULL;
    for (int i = 0; mode && i < 4; i++)
        if (strcmp(mode, names[i]) == 0)
            return (enum mode)i;
    return MODE_CROSS_REPLICA;
}

int mode_count(const struct program *p, enum mode mode)
{
    switch (mode) {
    case MODE_CROSS_PARTITION:
        return p->partitions;
    case MODE_FLATTENED:
        return p->replicas * p->partitions;
    case MODE_CROSS_REPLICA:
    case MODE_CROSS_BOTH:
    default:
        return p->replicas;
    }
}
