/* mode.c - see mode.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/mode.h"

#include "interp/program/attribute.h"
#include "interp/program/op.h"

enum mode mode_of(const struct instruction *in)
{
    static const char *const names[] = {"cross-replica", "cross-partition",
                                        "cross-replica-and-partition",
                                        "flattened-ids"};
    const char *key =
        attribute_int(in, ATTRIBUTE_CHANNEL_ID, 0) <= 0 ? "none"
        : attribute_bool(in, ATTRIBUTE_USE_GLOBAL_DEVICE_IDS, false)
            ? "global"
            : "channel";
    const struct json *table =
        json_member(spec_file("spec/collectives.json"), "operations");
    const struct json *mode =
        json_member(json_member(table, in->op->name), key);
    for (int i = 0; i < 4; i++)
        if (json_is_string(mode, names[i]))
            return (enum mode)i;
    return MODE_CROSS_REPLICA;
}

int mode_count(const struct program *p, enum mode mode)
{
    int replicas = p->replicas > 0 ? p->replicas : 1;
    int partitions = p->partitions > 0 ? p->partitions : 1;
    switch (mode) {
    case MODE_CROSS_PARTITION:
        return partitions;
    case MODE_FLATTENED:
        return replicas * partitions;
    case MODE_CROSS_REPLICA:
    case MODE_CROSS_BOTH:
    default:
        return replicas;
    }
}
