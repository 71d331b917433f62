/* test_dynamic.c - operations on dynamic sizes, against static ones.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Data movement and Reduce; the others are in test_dynamic_ops.c.
 */
#include "interp/test/slow_dynamic.h"
#include "interp/test/tap.h"

static struct slow_dynamic t = {.draws = {3}};

enum {
    RANK = SLOW_DYNAMIC_RANK
};

static int64_t draw(int64_t low, int64_t high)
{
    return slow_dynamic_draw(&t, low, high);
}

static void check_slice(void)
{
    int64_t start[RANK], limit[RANK], stride[RANK], cut[RANK], from[RANK];
    slow_dynamic_sample(&t);
    for (int i = 0; i < t.rank; i++) {
        start[i] = draw(0, t.bounds[i]);
        limit[i] = draw(start[i], t.bounds[i]);
        stride[i] = draw(1, 3);
        /* One element of a dynamic dimension is there or not: not tried. */
        if ((limit[i] - start[i] + stride[i] - 1) / stride[i] == 1)
            limit[i] = start[i];
        cut[i] = limit[i] < t.sizes[i] ? limit[i] : t.sizes[i];
        from[i] = start[i] < cut[i] ? start[i] : cut[i];
    }
    slow_dynamic_open(&t, "Slice", 1);
    slow_program_ints(t.p[0], ATTRIBUTE_START_INDICES, t.rank, start);
    slow_program_ints(t.p[0], ATTRIBUTE_LIMIT_INDICES, t.rank, limit);
    slow_program_ints(t.p[1], ATTRIBUTE_START_INDICES, t.rank, from);
    slow_program_ints(t.p[1], ATTRIBUTE_LIMIT_INDICES, t.rank, cut);
    slow_dynamic_ints(&t, ATTRIBUTE_STRIDES, t.rank, stride);
    slow_dynamic_compare(&t);
}

static void check_transpose(void)
{
    int64_t order[RANK], turn = draw(0, 2);
    slow_dynamic_sample(&t);
    for (int i = 0; i < t.rank; i++)
        order[i] = (i + turn) % t.rank;
    slow_dynamic_open(&t, "Transpose", 1);
    slow_dynamic_ints(&t, ATTRIBUTE_PERMUTATION, t.rank, order);
    slow_dynamic_compare(&t);
}

static void check_rev(void)
{
    slow_dynamic_sample(&t);
    slow_dynamic_open(&t, "Rev", 1);
    slow_dynamic_int(&t, ATTRIBUTE_DIMENSIONS, draw(0, t.rank - 1));
    slow_dynamic_compare(&t);
}

static void check_broadcast(void)
{
    slow_dynamic_sample(&t);
    slow_dynamic_open(&t, "Broadcast", 1);
    slow_dynamic_int(&t, ATTRIBUTE_BROADCAST_SIZES, draw(0, 3));
    slow_dynamic_compare(&t);
}

static void check_pad(void)
{
    int64_t config[3 * RANK];
    slow_dynamic_sample(&t);
    for (int i = 0; i < t.rank; i++) {
        config[3 * i] = draw(t.sizes[i] > 1 ? -1 : 0, 2);
        config[3 * i + 1] = draw(t.sizes[i] > 1 ? -1 : 0, 2);
        config[3 * i + 2] = draw(0, 2);
    }
    t.operands[1] = slow_program_random(&t.arena, "s32[]", 1, -99, 99);
    slow_dynamic_open(&t, "Pad", 2);
    slow_dynamic_ints(&t, ATTRIBUTE_PADDING_CONFIG, 3 * t.rank, config);
    slow_dynamic_compare(&t);
}

static void check_concat(void)
{
    slow_dynamic_sample(&t);
    int64_t d = draw(0, t.rank - 1);
    for (int k = 1; k < 3; k++) {
        t.bounds[d] = draw(1, 5);
        t.sizes[d] = draw(0, t.bounds[d]);
        t.operands[k] =
            slow_dynamic_make(&t, "s32", -99, 99, t.rank, t.bounds, t.sizes);
    }
    slow_dynamic_open(&t, "ConcatInDim", 3);
    slow_dynamic_int(&t, ATTRIBUTE_DIMENSION, d);
    slow_dynamic_compare(&t);
}

static void check_reduce(void)
{
    slow_dynamic_sample(&t);
    t.operands[1] = slow_program_random(&t.arena, "s32[]", 1, -99, 99);
    slow_dynamic_open(&t, "Reduce", 2);
    slow_dynamic_builtin(&t, ATTRIBUTE_COMPUTATION, "add");
    slow_dynamic_int(&t, ATTRIBUTE_DIMENSIONS_TO_REDUCE, draw(0, t.rank - 1));
    slow_dynamic_compare(&t);
}

int main(void)
{
    static slow_dynamic_check *const checks[] = {
        check_slice, check_transpose, check_rev,    check_broadcast,
        check_pad,   check_concat,    check_reduce, NULL};
    slow_dynamic_repeat(&t, checks);
    arena_free(&t.arena);
    return tap_done();
}
