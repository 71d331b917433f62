/* test_verdict_nature.c - what a wrong unit has wrong, and which are listed.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Bits are those of IEEE 754 binary32; 0x7f is the NaN of f8e4m3fn, which has
 * no infinity.
 */
#include "interp/judge/verdict.h"
#include "interp/test/tap.h"

enum {
    ONE = 0x3f800000,
    INF = 0x7f800000,
    NAN_1 = 0x7fc00000,
    NAN_2 = 0x7f800001,
    UNITS = 40,
};

static void is(enum dtype unit, uint64_t got, uint64_t want, bool has_error,
               bool has_share, const char *name)
{
    enum verdict_nature n =
        verdict_nature(unit, got, want, has_error, has_share);
    EQ_STR(verdict_nature_name(n), name, "%s", name);
    EQ_INT(verdict_nature_find(name), n, "is found by its name");
}

static void names(void)
{
    is(DT_f32, ONE, ONE + 9, true, false, "error");
    is(DT_f32, ONE, ONE + 9, false, true, "sum");
    is(DT_f32, ONE, ONE + 9, false, false, "value");
    is(DT_f32, INF, ONE, false, false, "special");
    is(DT_f32, ONE, INF, false, false, "special");
    is(DT_f32, INF, 0xff800000, false, false, "special");
    is(DT_f32, NAN_1, INF, false, false, "special");
    is(DT_f32, ONE, NAN_1, true, true, "special");
    is(DT_f32, NAN_1, NAN_2, false, false, "nan-bits");
    is(DT_f32, 0x80000000, 0, true, false, "zero-sign");
    is(DT_f32, 1, 0, true, false, "error");
    is(DT_f8e4m3fn, 0x7f, 0x7e, false, false, "special");
    is(DT_s32, 0x80000000, 0, false, false, "value");
    EQ_INT(verdict_nature_find("errors"), VERDICT_NATURES, "no nature");
}

/* Forty wrong ones, of which the last alone has another nature. */
static void listed(void)
{
    struct arena a = ARENA_INIT;
    struct status st = {0};
    const struct profile *p;
    const int64_t n = UNITS;
    const struct shape *s = shape_array(&a, DT_f32, 1, &n);
    struct literal *want = literal_new(&a, s), *got = literal_new(&a, s);
    for (int i = 0; i < UNITS; i++) {
        literal_set(want, i, NAN_1);
        literal_set(got, i, NAN_2);
    }
    literal_set(got, UNITS - 1, ONE);
    struct goal g = {.arena = &a, .rule = GOAL_MOVED, .value = want};
    unsigned char state[UNITS] = {0};
    struct verdict v = {0};
    const struct verdict_leaf leaf = {.goal = &g, .got = got, .state = state};
    OK(profile_load(&a, "spec", &p, &st), "the default profile");
    verdict_units(&v, p, &leaf);
    verdict_pending(&v, &a, p, &leaf);
    EQ_INT(v.bad, UNITS, "all are wrong");
    EQ_INT(v.wrong_count, VERDICT_WRONG_MAX, "some are listed");
    EQ_INT(v.wrong[0].unit, 0, "the first ones");
    EQ_INT(v.wrong[VERDICT_WRONG_MAX - 2].unit, VERDICT_WRONG_MAX - 2,
           "in their order");
    EQ_INT(v.wrong[VERDICT_WRONG_MAX - 1].unit, UNITS - 1,
           "and one of the other nature");
    arena_free(&a);
}

int main(void)
{
    names();
    listed();
    return tap_done();
}
