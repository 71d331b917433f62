/* test_move.c - data movement against its formulas, element by element.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each operand counts 0, 1, 2, ..., so an element says where it came from;
 * the formulas are those of the documents (004), written index by index.
 */
#include "interp/test/slow_program.h"
#include "interp/test/tap.h"

static struct arena arena;
static const int64_t sizes[] = {3, 4, 5};

static struct literal *counting(const char *shape)
{
    struct literal *l = slow_program_literal(&arena, shape, 0, NULL);
    for (int64_t i = 0, n = shape_elements(l->shape); i < n; i++)
        literal_set(l, i, (uint64_t)i);
    return l;
}

static int64_t at(int64_t i, int64_t j, int64_t k)
{
    return (i * sizes[1] + j) * sizes[2] + k;
}

/* Source element of each element of the result; -1: padding (999). */
typedef int64_t source(const int64_t *out);

static int64_t transposed(const int64_t *o)
{
    return at(o[1], o[2], o[0]);
}

static int64_t reversed(const int64_t *o)
{
    return at(2 - o[0], o[1], 4 - o[2]);
}

static int64_t sliced(const int64_t *o)
{
    return at(1 + o[0], 3 * o[1], 4 + o[2]);
}

static int64_t repeated(const int64_t *o)
{
    return at(o[2], o[3], o[4]);
}

static int64_t stretched(const int64_t *o)
{
    return o[2]; /* s32[1,5] by dimensions 0 and 2 */
}

/* low 1, interior 1; low -1, high 2; low 2, high -6, interior 2 */
static int64_t padded(const int64_t *o)
{
    int64_t i = o[0] - 1, j = o[1] + 1, k = o[2] - 2;
    if (i < 0 || i % 2 || i / 2 >= 3 || j >= 4 || k < 0 || k % 3 || k / 3 >= 5)
        return -1;
    return at(i / 2, j, k / 3);
}

static int64_t joined(const int64_t *o)
{
    return at(o[0], o[1] % 4, o[2]);
}

static int64_t windowed(const int64_t *o)
{
    return at(1 + o[0], o[1], 3 + o[2]);
}

static int64_t reordered(const int64_t *o)
{
    int64_t flat = o[0] * 10 + o[1]; /* of s32[5,3,4] */
    return at(flat / 4 % 3, flat % 4, flat / 12);
}

static void check(struct slow_program *p, const char *shape, source *f)
{
    int64_t out[SHAPE_RANK_MAX] = {0}, wrong = 0;
    if (!OK(slow_program_run(p), "%s: %s", p->op->name, p->status.text))
        return;
    const struct literal *l = slow_program_value(p);
    EQ_STR(shape_text(&arena, l->shape), shape, "%s", p->op->name);
    for (int64_t i = 0, n = shape_elements(l->shape); i < n; i++) {
        int64_t from = f(out);
        wrong += slow_program_int_at(l, i) != (from < 0 ? 999 : from);
        shape_next_index(l->shape->rank, l->shape->dims, out);
    }
    EQ_INT(wrong, 0, "%s: wrong elements", p->op->name);
}

static struct slow_program *apply(const char *op, const char *shape)
{
    struct slow_program *p = slow_program_new(&arena, op);
    slow_program_operand(p, counting(shape));
    return p;
}

static void test_static(void)
{
    struct slow_program *p = apply("Transpose", "s32[3,4,5]");
    SLOW_PROGRAM_INTS(p, ATTRIBUTE_PERMUTATION, 2, 0, 1);
    check(p, "s32[5,3,4]", transposed);
    p = apply("Rev", "s32[3,4,5]");
    SLOW_PROGRAM_INTS(p, ATTRIBUTE_DIMENSIONS, 2, 0);
    check(p, "s32[3,4,5]", reversed);
    p = apply("Slice", "s32[3,4,5]");
    SLOW_PROGRAM_INTS(p, ATTRIBUTE_START_INDICES, 1, 0, 4);
    SLOW_PROGRAM_INTS(p, ATTRIBUTE_LIMIT_INDICES, 3, 4, 5);
    SLOW_PROGRAM_INTS(p, ATTRIBUTE_STRIDES, 1, 3, INT64_MAX);
    check(p, "s32[2,2,1]", sliced);
    p = apply("Broadcast", "s32[3,4,5]");
    SLOW_PROGRAM_INTS(p, ATTRIBUTE_BROADCAST_SIZES, 7, 2);
    check(p, "s32[7,2,3,4,5]", repeated);
    p = apply("BroadcastInDim", "s32[1,5]");
    SLOW_PROGRAM_INTS(p, ATTRIBUTE_OUT_DIM_SIZE, 2, 3, 5);
    SLOW_PROGRAM_INTS(p, ATTRIBUTE_BROADCAST_DIMENSIONS, 0, 2);
    check(p, "s32[2,3,5]", stretched);
    p = apply("Reshape", "s32[3,4,5]");
    SLOW_PROGRAM_INTS(p, ATTRIBUTE_NEW_SIZES, 6, 10);
    SLOW_PROGRAM_INTS(p, ATTRIBUTE_DIMENSIONS, 2, 0, 1);
    check(p, "s32[6,10]", reordered);
}

static void test_operands(void)
{
    static const int64_t fill[] = {999}, starts[] = {1, -7, 100};
    struct slow_program *p = apply("Pad", "s32[3,4,5]");
    slow_program_values(p, "s32[]", 1, fill);
    SLOW_PROGRAM_INTS(p, ATTRIBUTE_PADDING_CONFIG, 1, 0, 1, -1, 2, 0, 2, -6, 2);
    check(p, "s32[6,5,9]", padded);
    p = apply("ConcatInDim", "s32[3,4,5]");
    slow_program_operand(p, counting("s32[3,4,5]"));
    slow_program_int(p, ATTRIBUTE_DIMENSION, 1);
    check(p, "s32[3,8,5]", joined);
    for (int array = 0; array < 2; array++) {
        p = apply("DynamicSlice", "s32[3,4,5]");
        if (array)
            slow_program_values(p, "s32[3]", 3, starts);
        for (int d = 0; d < 3 && !array; d++)
            slow_program_values(p, "s8[]", 1, &starts[d]);
        SLOW_PROGRAM_INTS(p, ATTRIBUTE_SLICE_SIZES, 2, 4, 2);
        check(p, "s32[2,4,2]", windowed);
    }
}

/* An update that is clamped into place, all else untouched. */
static void test_update(void)
{
    static const int64_t starts[] = {9, -1}, mark[] = {77};
    struct slow_program *p = apply("DynamicUpdateSlice", "s32[3,4]");
    slow_program_values(p, "s32[2,3]", 1, mark);
    slow_program_values(p, "s64[]", 1, &starts[0]);
    slow_program_values(p, "s64[]", 1, &starts[1]);
    if (!OK(slow_program_run(p), "%s", p->status.text))
        return;
    for (int64_t i = 0; i < 12; i++)
        EQ_INT(slow_program_int_at(slow_program_value(p), i),
               i / 4 >= 1 && i % 4 < 3 ? 77 : i, "element %d", (int)i);
}

/* Signalling NaNs and payloads stay. */
static void test_bits(void)
{
    struct slow_program *p = slow_program_new(&arena, "Rev");
    struct literal *l = slow_program_values(p, "f32[2]", 0, NULL);
    literal_set(l, 0, 0x7f800001);
    literal_set(l, 1, 0xffc12345);
    slow_program_int(p, ATTRIBUTE_DIMENSIONS, 0);
    OK(slow_program_run(p), "%s", p->status.text);
    EQ_INT(literal_get(slow_program_value(p), 1), 0x7f800001,
           "a signalling NaN");
    EQ_INT(p->outcomes[0].goals[0]->rule, GOAL_MOVED, "judged by its bits");
}

/* 004:1135-1147, and types that cannot count so far. */
static void test_iota(void)
{
    for (int d = 0; d < 2; d++) {
        struct slow_program *p = slow_program_new(&arena, "Iota");
        slow_program_shape(p, ATTRIBUTE_SHAPE, "s32[4,8]");
        slow_program_int(p, ATTRIBUTE_IOTA_DIMENSION, d);
        OK(slow_program_run(p), "%s", p->status.text);
        EQ_INT(slow_program_int_at(slow_program_value(p), 8 * 3 + 5), d ? 5 : 3,
               "dimension %d", d);
    }
    struct slow_program *p = slow_program_new(&arena, "Iota");
    slow_program_shape(p, ATTRIBUTE_SHAPE, "s4[20]");
    slow_program_int(p, ATTRIBUTE_IOTA_DIMENSION, 0);
    OK(slow_program_run(p), "%s", p->status.text);
    EQ_INT(slow_program_int_at(slow_program_value(p), 9), -7, "9 modulo 16");
}

int main(void)
{
    test_static();
    test_operands();
    test_update();
    test_bits();
    test_iota();
    arena_free(&arena);
    return tap_done();
}
