/* test_shape.c - shapes and literals.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/base/literal.h"
#include "interp/base/random.h"
#include "interp/test/tap.h"

static struct arena arena = ARENA_INIT;

static void test_text(void)
{
    static const char *const good[] = {
        "f32[2,3]",
        "pred[]",
        "s4[7]",
        "f8e4m3fn[16]",
        "c64[2]",
        "token[]",
        "()",
        "(f32[2], s32[])",
        "f32[<=10]",
        "f32[0,4]",
        "(f32[], (u2[1], token[]))",
    };
    static const char *const bad[] = {
        "",
        "f32",
        "f32[",
        "f32[2",
        "f32[2,]",
        "f32[-1]",
        "f32[,]",
        "f33[2]",
        "F32[2]",
        "f32[2] x",
        "(f32[2]",
        "(f32[2],)",
        "token[1]",
        "f32[<=]",
        "f32[1.5]",
        "f32[99999999999999999999]",
        "f32[4000000000,4000000000]",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct status st = {STATUS_OK};
        const struct shape *s;
        if (OK(shape_parse(&arena, good[i], &s, &st), "parses %s", good[i]))
            EQ_STR(shape_text(&arena, s), good[i], "and prints the same");
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct status st = {STATUS_OK};
        const struct shape *s;
        OK(!shape_parse(&arena, bad[i], &s, &st), "refuses '%s'", bad[i]);
        EQ_INT(st.code, STATUS_INPUT, "as bad input");
    }
}

static void test_deep(void)
{
    char text[2 * SHAPE_DEPTH_MAX + 8];
    struct status st = {STATUS_OK};
    const struct shape *s;
    memset(text, '(', sizeof text);
    text[sizeof text - 1] = '\0';
    OK(!shape_parse(&arena, text, &s, &st), "endless tuples are refused");
}

static void test_leaves(void)
{
    struct status st = {STATUS_OK};
    const struct shape *s;
    OK(shape_parse(&arena, "(f32[2], (s8[], token[]), pred[3])", &s, &st),
       "a tuple of tuples");
    EQ_INT(shape_leaves(s), 4, "leaves");
    EQ_STR(shape_text(&arena, shape_leaf(s, 1)), "s8[]", "the second leaf");
    EQ_STR(shape_text(&arena, shape_leaf(s, 3)), "pred[3]", "the last leaf");
    struct literal *l = literal_new(&arena, s);
    OK(literal_leaf(l, 3)->shape->dtype == DT_pred, "and of the literal");
    literal_set(literal_leaf(l, 0), 1, 0x3f800000);
    struct literal *copy = literal_copy(&arena, l);
    OK(literal_equal(l, copy), "a copy is equal");
    literal_set(literal_leaf(copy, 0), 1, 0x3f800001);
    OK(!literal_equal(l, copy), "and its data are its own");
}

static void test_integers(void)
{
    int64_t one[] = {3};
    struct literal *l = literal_new(&arena, shape_array(&arena, DT_s4, 1, one));
    literal_set(l, 0, 0xf);
    literal_set(l, 1, 0x8);
    EQ_INT(literal_int(l, 0), -1, "s4 1111");
    EQ_INT(literal_int(l, 1), -8, "s4 1000");
    struct literal *u =
        literal_new(&arena, shape_array(&arena, DT_u64, 1, one));
    literal_set(u, 0, UINT64_MAX);
    EQ_INT(literal_int(u, 0), INT64_MAX, "u64 beyond s64 saturates");
}

/* The first outputs for seed 1234567 are published with the reference C code
 * of splitmix64 users (Rosetta Code, "Pseudo-random numbers/Splitmix64"). */
static void test_random(void)
{
    static const uint64_t want[] = {
        UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
        UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
        UINT64_C(16408922859458223821)};
    struct random r = {1234567};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++)
        OK(random_next(&r) == want[i], "splitmix64 draw %zu", i);
    bool seen[7] = {false};
    for (int i = 0; i < 1000; i++) {
        int64_t k = random_between(&r, -3, 3);
        if (k < -3 || k > 3) {
            OK(0, "a draw inside its range");
            return;
        }
        seen[k + 3] = true;
    }
    OK(seen[0] && seen[6], "both ends are drawn");
    EQ_INT(random_between(&r, INT64_MAX, INT64_MAX), INT64_MAX, "one value");
}

int main(void)
{
    test_text();
    test_deep();
    test_leaves();
    test_integers();
    test_random();
    int64_t dims[] = {2, 3}, index[] = {0, 0}, strides[2];
    int n = 1;
    while (shape_next_index(2, dims, index))
        EQ_INT(shape_linear(2, dims, index), n++, "row-major order");
    EQ_INT(n, 6, "every index once");
    shape_strides(2, dims, strides);
    OK(strides[0] == 3 && strides[1] == 1, "strides");
    arena_free(&arena);
    return tap_done();
}
