/* test_dynamic.c - operations on dynamic sizes, against static ones.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Data movement and Reduce; the others are in test_dynamic_ops.c.
 */
#include <stdlib.h>

#include "interp/test/slow_dynamic.h"
#include "interp/test/tap.h"

static struct slow_dynamic t = {.draws = {3}};

enum {
    RANK = 3
};

static int64_t draw(int64_t low, int64_t high)
{
    return slow_dynamic_draw(&t, low, high);
}

/* A random array, some of its dimensions dynamic. */
static struct literal *make_dynamic(int rank, const int64_t *bounds,
                                    const int64_t *sizes)
{
    return slow_dynamic_make(&t, "s32", -99, 99, rank, bounds, sizes);
}

static struct slow_program *program(const char *op, bool fixed, int count,
                                    struct literal *const *operands)
{
    return slow_dynamic_program(&t, op, fixed, count, operands);
}

/* ---- The operations ------------------------------------------------------ */

struct sample {
    int rank;
    int64_t bounds[RANK], sizes[RANK];
    struct literal *operands[3];
};

static struct sample make_sample(void)
{
    struct sample s = {.rank = (int)draw(1, RANK)};
    for (int i = 0; i < s.rank; i++) {
        s.bounds[i] = draw(1, 5);
        s.sizes[i] = draw(0, 2) ? draw(0, s.bounds[i]) : s.bounds[i];
    }
    s.operands[0] = make_dynamic(s.rank, s.bounds, s.sizes);
    return s;
}

static void check_slice(void)
{
    struct sample s = make_sample();
    int64_t start[RANK], limit[RANK], stride[RANK], cut[RANK], from[RANK];
    for (int i = 0; i < s.rank; i++) {
        start[i] = draw(0, s.bounds[i]);
        limit[i] = draw(start[i], s.bounds[i]);
        stride[i] = draw(1, 3);
        /* One element of a dynamic dimension is there or not: not tried. */
        if ((limit[i] - start[i] + stride[i] - 1) / stride[i] == 1)
            limit[i] = start[i];
        cut[i] = limit[i] < s.sizes[i] ? limit[i] : s.sizes[i];
        from[i] = start[i] < cut[i] ? start[i] : cut[i];
    }
    struct slow_program *p = program("Slice", false, 1, s.operands);
    struct slow_program *q = program("Slice", true, 1, s.operands);
    slow_dynamic_ints(p, ATTRIBUTE_START_INDICES, s.rank, start);
    slow_dynamic_ints(p, ATTRIBUTE_LIMIT_INDICES, s.rank, limit);
    slow_dynamic_ints(p, ATTRIBUTE_STRIDES, s.rank, stride);
    slow_dynamic_ints(q, ATTRIBUTE_START_INDICES, s.rank, from);
    slow_dynamic_ints(q, ATTRIBUTE_LIMIT_INDICES, s.rank, cut);
    slow_dynamic_ints(q, ATTRIBUTE_STRIDES, s.rank, stride);
    slow_dynamic_compare(&t, p, q);
}

static void set_order(struct slow_program *p, int rank, int turn)
{
    int64_t order[RANK];
    for (int i = 0; i < rank; i++)
        order[i] = (i + turn) % rank;
    slow_dynamic_ints(p, ATTRIBUTE_PERMUTATION, rank, order);
}

static void check_transpose(void)
{
    struct sample s = make_sample();
    int turn = (int)draw(0, 2);
    struct slow_program *p = program("Transpose", false, 1, s.operands);
    struct slow_program *q = program("Transpose", true, 1, s.operands);
    set_order(p, s.rank, turn);
    set_order(q, s.rank, turn);
    slow_dynamic_compare(&t, p, q);
}

static void check_rev(void)
{
    struct sample s = make_sample();
    struct slow_program *p = program("Rev", false, 1, s.operands);
    struct slow_program *q = program("Rev", true, 1, s.operands);
    int64_t d = draw(0, s.rank - 1);
    slow_dynamic_ints(p, ATTRIBUTE_DIMENSIONS, 1, &d);
    slow_dynamic_ints(q, ATTRIBUTE_DIMENSIONS, 1, &d);
    slow_dynamic_compare(&t, p, q);
}

static void check_broadcast(void)
{
    struct sample s = make_sample();
    struct slow_program *p = program("Broadcast", false, 1, s.operands);
    struct slow_program *q = program("Broadcast", true, 1, s.operands);
    int64_t size = draw(0, 3);
    slow_dynamic_ints(p, ATTRIBUTE_BROADCAST_SIZES, 1, &size);
    slow_dynamic_ints(q, ATTRIBUTE_BROADCAST_SIZES, 1, &size);
    slow_dynamic_compare(&t, p, q);
}

static void add_config(struct slow_program *p, int rank, const int64_t *config)
{
    slow_dynamic_ints(p, ATTRIBUTE_PADDING_CONFIG, 3 * rank, config);
    p->attributes[p->attribute_count - 1].form = SPEC_PADDING_CONFIG;
}

static void check_pad(void)
{
    struct sample s = make_sample();
    int64_t config[3 * RANK];
    for (int i = 0; i < s.rank; i++) {
        config[3 * i] = draw(s.sizes[i] > 1 ? -1 : 0, 2);
        config[3 * i + 1] = draw(s.sizes[i] > 1 ? -1 : 0, 2);
        config[3 * i + 2] = draw(0, 2);
    }
    s.operands[1] = slow_program_random(&t.arena, "s32[]", 1, -99, 99);
    struct slow_program *p = program("Pad", false, 2, s.operands);
    struct slow_program *q = program("Pad", true, 2, s.operands);
    add_config(p, s.rank, config);
    add_config(q, s.rank, config);
    slow_dynamic_compare(&t, p, q);
}

static void check_concat(void)
{
    struct sample s = make_sample();
    int64_t d = draw(0, s.rank - 1);
    for (int k = 1; k < 3; k++) {
        s.bounds[d] = draw(1, 5);
        s.sizes[d] = draw(0, s.bounds[d]);
        s.operands[k] = make_dynamic(s.rank, s.bounds, s.sizes);
    }
    struct slow_program *p = program("ConcatInDim", false, 3, s.operands);
    struct slow_program *q = program("ConcatInDim", true, 3, s.operands);
    slow_program_int(p, ATTRIBUTE_DIMENSION, d);
    slow_program_int(q, ATTRIBUTE_DIMENSION, d);
    slow_dynamic_compare(&t, p, q);
}

static void check_reduce(void)
{
    struct sample s = make_sample();
    int64_t d = draw(0, s.rank - 1);
    s.operands[1] = slow_program_random(&t.arena, "s32[]", 1, -99, 99);
    struct slow_program *p = program("Reduce", false, 2, s.operands);
    struct slow_program *q = program("Reduce", true, 2, s.operands);
    slow_program_builtin(p, ATTRIBUTE_COMPUTATION, "add");
    slow_program_builtin(q, ATTRIBUTE_COMPUTATION, "add");
    slow_dynamic_ints(p, ATTRIBUTE_DIMENSIONS_TO_REDUCE, 1, &d);
    slow_dynamic_ints(q, ATTRIBUTE_DIMENSIONS_TO_REDUCE, 1, &d);
    slow_dynamic_compare(&t, p, q);
}

int main(void)
{
    const char *many = getenv("ASSAY_TEST_LONG");
    int rounds = many && *many ? 20000 : 500;
    for (int i = 0; i < rounds; i++) {
        check_slice();
        check_transpose();
        check_rev();
        check_broadcast();
        check_pad();
        check_concat();
        check_reduce();
        arena_reset(&t.arena);
    }
    arena_free(&t.arena);
    return tap_done();
}
