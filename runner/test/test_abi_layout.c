/* test_abi_layout.c - the plugin ABI's layout, and old peers with new ones.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A red test here means that the ABI has changed: plugins that were built
 * before would misread it.  Append members, and append their rows here.
 * The numbers are those of a machine with 64-bit pointers, counted by hand
 * from the header.
 */
#include <assay/backend.h>
#include <stddef.h>

#include "interp/test/tap.h"

#define SIZE(type, size) EQ_INT(sizeof(type), size, "size of " #type)
#define AT(type, member, offset) \
    EQ_INT(offsetof(type, member), offset, #type "." #member)

static void test_values(void)
{
    SIZE(assay_error, 1024);
    AT(assay_error, text, 8);
    SIZE(assay_shape, 48);
    AT(assay_shape, kind, 8);
    AT(assay_shape, rank, 12);
    AT(assay_shape, dtype, 16);
    AT(assay_shape, dims, 24);
    AT(assay_shape, dynamic, 32);
    AT(assay_shape, elements, 40);
    SIZE(assay_tensor, 40);
    AT(assay_tensor, shape, 8);
    AT(assay_tensor, data, 16);
    AT(assay_tensor, bytes, 24);
    AT(assay_tensor, sizes, 32);
    SIZE(assay_output, 80);
    AT(assay_output, data, 8);
    AT(assay_output, capacity, 16);
    AT(assay_output, dims, 24);
    AT(assay_output, sizes, 32);
    AT(assay_output, rank_capacity, 40);
    AT(assay_output, rank, 44);
    AT(assay_output, bytes, 48);
    AT(assay_output, dtype, 56);
}

static void test_programs(void)
{
    SIZE(assay_attribute, 72);
    AT(assay_attribute, name, 8);
    AT(assay_attribute, kind, 16);
    AT(assay_attribute, count, 20);
    AT(assay_attribute, ints, 24);
    AT(assay_attribute, parts, 32);
    AT(assay_attribute, part_count, 40);
    AT(assay_attribute, string, 48);
    AT(assay_attribute, shape, 56);
    AT(assay_attribute, literals, 64);
    SIZE(assay_instruction, 56);
    AT(assay_instruction, name, 8);
    AT(assay_instruction, op, 16);
    AT(assay_instruction, operand_count, 24);
    AT(assay_instruction, attribute_count, 28);
    AT(assay_instruction, operands, 32);
    AT(assay_instruction, attributes, 40);
    AT(assay_instruction, shape, 48);
    SIZE(assay_computation, 40);
    AT(assay_computation, name, 8);
    AT(assay_computation, instruction_count, 16);
    AT(assay_computation, parameter_count, 20);
    AT(assay_computation, instructions, 24);
    AT(assay_computation, root, 32);
    AT(assay_computation, flags, 36);
    SIZE(assay_program, 72);
    AT(assay_program, name, 8);
    AT(assay_program, computation_count, 16);
    AT(assay_program, entry, 20);
    AT(assay_program, computations, 24);
    AT(assay_program, replicas, 32);
    AT(assay_program, partitions, 36);
    AT(assay_program, input_count, 40);
    AT(assay_program, output_count, 44);
    AT(assay_program, inputs, 48);
    AT(assay_program, outputs, 56);
    AT(assay_program, entries, 64);
}

static void test_peers_layout(void)
{
    SIZE(assay_execution, 56);
    AT(assay_execution, inputs, 8);
    AT(assay_execution, outputs, 16);
    AT(assay_execution, infeed, 24);
    AT(assay_execution, infeed_start, 32);
    AT(assay_execution, outfeed, 40);
    AT(assay_execution, outfeed_context, 48);
    SIZE(assay_host, 40);
    AT(assay_host, abi_major, 8);
    AT(assay_host, abi_minor, 12);
    AT(assay_host, self, 16);
    AT(assay_host, log, 24);
    AT(assay_host, extension, 32);
    SIZE(assay_backend, 96);
    AT(assay_backend, name, 8);
    AT(assay_backend, version, 16);
    AT(assay_backend, self, 24);
    AT(assay_backend, property, 32);
    AT(assay_backend, capability, 40);
    AT(assay_backend, compile, 48);
    AT(assay_backend, execute, 56);
    AT(assay_backend, release, 64);
    AT(assay_backend, cancel, 72);
    AT(assay_backend, extension, 80);
    AT(assay_backend, close, 88);
    EQ_INT(ASSAY_UNSUPPORTED, 6, "code of unsupported");
    EQ_INT(ASSAY_REJECTED, 8, "code of rejected");
    EQ_INT(ASSAY_COMPUTATIONS, 5, "kind of computations");
}

/* ---- A version 1.1 that might be ----------------------------------------- */

struct host_1_1 {
    assay_host base;
    int32_t (*clock)(void);
    void *reserved;
};

struct backend_1_1 {
    assay_backend base;
    int32_t (*warm_up)(assay_backend *backend);
    void *reserved;
};

static int32_t clock_of_host(void)
{
    return 7;
}

static int32_t warm_up(assay_backend *backend)
{
    (void)backend;
    return 11;
}

/* A plugin built with 1.0 knows nothing more; one built with 1.1 asks whether
 * the host has a clock. */
static int32_t plugin_1_0(const assay_host *host, assay_backend *b)
{
    b->size = sizeof *b;
    b->name = "old";
    return host->abi_major == 1 ? 0 : -1;
}

static int32_t plugin_1_1(const assay_host *host, assay_backend *b)
{
    struct backend_1_1 *mine = (struct backend_1_1 *)b;
    const struct host_1_1 *h = (const struct host_1_1 *)host;
    mine->base.size = sizeof *mine;
    mine->base.name = "new";
    mine->warm_up = warm_up;
    return host->size >= offsetof(struct host_1_1, clock) + sizeof h->clock
               ? h->clock()
               : 0;
}

/* A host built with 1.1 asks whether the plugin can warm up. */
static int32_t host_warms(const assay_backend *b)
{
    const struct backend_1_1 *m = (const struct backend_1_1 *)b;
    return b->size >= offsetof(struct backend_1_1, warm_up) + sizeof m->warm_up
               ? m->warm_up(NULL)
               : 0;
}

static void test_pairs(void)
{
    assay_host old_host = {.size = sizeof old_host, .abi_major = 1};
    struct host_1_1 new_host = {
        .base = {.size = sizeof new_host, .abi_major = 1, .abi_minor = 1},
        .clock = clock_of_host};
    struct backend_1_1 b = {.reserved = NULL};
    EQ_INT(plugin_1_0(&old_host, &b.base), 0, "1.0 with 1.0");
    EQ_INT(host_warms(&b.base), 0, "a 1.0 plugin has no new function");
    EQ_INT(plugin_1_0(&new_host.base, &b.base), 0, "1.0 plugin, 1.1 host");
    /* A compiler that sees how small the old host is would warn. */
    const assay_host *volatile unknown = &old_host;
    EQ_INT(plugin_1_1(unknown, &b.base), 0, "1.1 plugin, 1.0 host");
    EQ_INT(host_warms(&b.base), 11, "a 1.1 plugin's new function");
    EQ_INT(plugin_1_1(&new_host.base, &b.base), 7, "1.1 with 1.1");
    EQ_STR(b.base.name, "new", "name");
}

static void test_has(void)
{
    assay_backend b = {.size = sizeof b};
    OK(ASSAY_HAS(assay_backend, &b, close), "the last member is there");
    b.size = offsetof(assay_backend, close);
    OK(!ASSAY_HAS(assay_backend, &b, close), "a shorter struct ends before");
    OK(ASSAY_HAS(assay_backend, &b, extension), "what is before it is there");
    b.size += sizeof b.close - 1;
    OK(!ASSAY_HAS(assay_backend, &b, close), "half a member is none");
    b.size = UINT64_MAX;
    OK(ASSAY_HAS(assay_backend, &b, close), "a longer struct has all");
    b.size = 0;
    OK(!ASSAY_HAS(assay_backend, &b, name), "no size, no member");
}

int main(void)
{
    test_values();
    test_programs();
    test_peers_layout();
    test_has();
    test_pairs();
    return tap_done();
}
