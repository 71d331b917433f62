/* options.c - CompileOptionsProto, written by hand.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Field numbers (xla/pjrt/proto/compile_options.proto, xla/xla_data.proto):
 *
 *   CompileOptionsProto { executable_build_options = 3;
 *                         map<string, OptionOverrideProto>
 *                             env_option_overrides = 7; }
 *   ExecutableBuildOptionsProto { int64 device_ordinal = 1 (-1: unset);
 *                         num_replicas = 4; num_partitions = 5;
 *                         bool use_spmd_partitioning = 6;
 *                         DeviceAssignmentProto device_assignment = 9; }
 *   DeviceAssignmentProto { replica_count = 1; computation_count = 2;
 *                         repeated ComputationDevice computation_devices = 3 }
 *   ComputationDevice     { repeated int64 replica_device_ids = 1 }
 *   OptionOverrideProto   { string_field = 1; bool_field = 2; int_field = 3;
 *                         double_field = 4 }
 */
#include <stdlib.h>
#include <string.h>

#include "pjrt.h"

struct bytes {
    char *data;
    size_t size, room;
    int failed;
};

/* By hand: a plugin includes nothing of Assay but the ABI's headers. */
static void append_bytes(struct bytes *b, const void *data, size_t size)
{
    if (b->size + size > b->room) {
        size_t room = 2 * (b->size + size) + 64;
        char *more = realloc(b->data, room);
        if (!more) {
            b->failed = 1;
            return;
        }
        b->data = more;
        b->room = room;
    }
    memcpy(b->data + b->size, data, size);
    b->size += size;
}

static void varint(struct bytes *b, uint64_t value)
{
    do {
        unsigned char byte = (unsigned char)(value & 0x7f);
        value >>= 7;
        if (value)
            byte |= 0x80;
        append_bytes(b, &byte, 1);
    } while (value);
}

static void integer(struct bytes *b, int field, int64_t value)
{
    varint(b, (uint64_t)field << 3);
    varint(b, (uint64_t)value);
}

static void text(struct bytes *b, int field, const char *data, size_t size)
{
    varint(b, (uint64_t)field << 3 | 2);
    varint(b, size);
    append_bytes(b, data, size);
}

static void message(struct bytes *b, int field, struct bytes *inner)
{
    text(b, field, inner->data ? inner->data : "", inner->size);
    b->failed |= inner->failed;
    free(inner->data);
    *inner = (struct bytes){0};
}

static void device_assignment(struct bytes *b, int replicas, int partitions)
{
    struct bytes assignment = {0};
    integer(&assignment, 1, replicas);
    integer(&assignment, 2, partitions);
    for (int c = 0; c < partitions; c++) {
        struct bytes ids = {0}, device = {0};
        for (int r = 0; r < replicas; r++)
            varint(&ids, (uint64_t)(r * partitions + c));
        text(&device, 1, ids.data ? ids.data : "", ids.size);
        device.failed |= ids.failed;
        free(ids.data);
        message(&assignment, 3, &device);
    }
    message(b, 9, &assignment);
}

/* true, false, an integer, else a string. */
static void override(struct bytes *b, const char *key, const char *value)
{
    struct bytes option = {0}, entry = {0};
    char *end;
    long long n = strtoll(value, &end, 10);
    if (strcmp(value, "true") == 0 || strcmp(value, "false") == 0)
        integer(&option, 2, strcmp(value, "true") == 0);
    else if (*value && *end == '\0')
        integer(&option, 3, n);
    else
        text(&option, 1, value, strlen(value));
    text(&entry, 1, key, strlen(key));
    message(&entry, 2, &option);
    message(b, 7, &entry);
}

char *pjrt_compile_options(const struct pjrt *p, int replicas, int partitions,
                           size_t *size)
{
    struct bytes all = {0}, build = {0};
    integer(&build, 1, -1);
    integer(&build, 4, replicas);
    integer(&build, 5, partitions);
    if (partitions > 1)
        integer(&build, 6, 1);
    if (replicas * partitions > 1)
        device_assignment(&build, replicas, partitions);
    message(&all, 3, &build);
    for (int i = 0; i < p->option_count; i++)
        if (strncmp(p->options[i].key, "xla_", 4) == 0)
            override(&all, p->options[i].key, p->options[i].value);
    *size = all.size;
    if (!all.failed)
        return all.data;
    free(all.data);
    return NULL;
}
