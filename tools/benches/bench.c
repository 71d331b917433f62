/* bench.c - see bench.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tools/benches/bench.h"

#include <stdio.h>
#include <string.h>

#include "interp/program/attribute.h"
#include "interp/program/evaluate.h"
#include "interp/program/op_table.h"
#include "interp/specification/profile.h"

static struct limits limits = LIMITS_DEFAULT;

struct literal *bench_array(struct arena *a, const char *shape)
{
    struct status st = {STATUS_OK};
    const struct shape *s;
    if (!shape_parse(a, shape, &s, &st)) {
        fprintf(stderr, "bench: %s\n", st.text);
        exit(2);
    }
    return literal_new(a, s);
}

static bool make(struct program *p, const char *op, const char *attributes,
                 int count, struct literal *const *operands, struct status *st)
{
    const struct json *object = NULL;
    struct instruction in = {
        .name = "r", .op = op_table_find(op), .operand_count = count};
    int *numbers = arena_new(p->arena, int, (size_t)count + 1);
    if (*attributes)
        TRY(json_parse(p->arena, "attributes", attributes, strlen(attributes),
                       &object, st));
    TRY(attribute_read(p->arena, spec_op_find(op), object, &limits, NULL, NULL,
                       &in.attribute_count, &in.attributes, st));
    p->entry = program_computation(p, "main");
    for (int i = 0; i < count; i++)
        numbers[i] = program_parameter(p, p->entry, i, operands[i]->shape);
    in.operands = numbers;
    program_add(p, p->entry, &in);
    return program_infer(p, st);
}

void bench_fft_length(int64_t most)
{
    limits.fft_length = most;
}

double bench_reference(const char *op, const char *attributes, int count,
                       struct literal *const *operands)
{
    struct arena a = ARENA_INIT;
    struct status st = {STATUS_OK};
    struct outcome out;
    struct program *p = program_new(&a, &limits);
    struct machine m = {.program = p, .limits = &limits, .replicas = 1};
    bool good = spec_load(&st) && profile_load(&a, "spec", &m.profile, &st)
                && make(p, op, attributes, count, operands, &st);
    double start = bench_cpu();
    if (!good || !evaluate_program(&a, &m, &operands, &out, &st)) {
        fprintf(stderr, "bench: %s: %s\n", op, st.text);
        exit(2);
    }
    double taken = bench_cpu() - start;
    arena_free(&a);
    return taken;
}
