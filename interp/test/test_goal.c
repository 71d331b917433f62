/* test_goal.c - what an operation writes into a goal.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/goal/goal.h"
#include "interp/test/tap.h"

static void reals(struct arena *a, const struct shape *shape)
{
    struct goal *g = goal_new(a, shape, GOAL_REAL, true);
    struct real third = real_from_int(1);
    OK(goal_exact(g, 0) == g->real.y, "a real has an exact value by unit");
    third.significand = ~(real_u128)0 / 3 << 1;
    third.exponent = -2;
    third.inexact = true;
    goal_real(g, 1, &third);
    EQ_INT((long long)literal_get(g->value, 1), 0x3eaaaaab, "1/3 in f32");
    /* 0xaaaaab - 2^24 * 2/3 = 1/3 */
    EQ_INT(g->real.worst, 333333, "a third of an ulp off");
    EQ_INT(g->real.worst_unit, 1, "at unit 1");
    struct real one = real_from_int(1);
    goal_real(g, 2, &one);
    EQ_INT(g->real.worst, 333333, "an exact value is no worse");
    OK(g->real.y[2].exponent == 0 && g->real.y[1].inexact, "values are kept");
    struct real inf = real_from_bits(DT_f32, 0x7f800000);
    goal_real(g, 0, &inf);
    EQ_INT((long long)literal_get(g->value, 0), 0x7f800000, "infinity");
    goal_bits(g, 0, 0x40000000);
    EQ_INT(g->real.y[0].exponent, 1, "a pattern is its own exact value");

    struct goal *fast = goal_new(a, shape, GOAL_REAL, false);
    goal_real(fast, 1, &third);
    OK(!goal_exact(fast, 1), "nothing is kept unasked");
    EQ_INT((long long)literal_get(fast->value, 1), 0x3eaaaaab, "but rounded");
    EQ_INT(fast->real.worst, 333333, "and measured");
}

static void sums(struct arena *a, const struct shape *shape)
{
    struct goal *g = goal_new(a, shape, GOAL_SUM, true);
    struct accept_sum sum = {.sum = real_from_int(16777217),
                             .magnitude = real_from_int(16777219),
                             .roundings = 2,
                             .accumulator = DT_f32};
    goal_sum(g, 0, &sum);
    EQ_INT((long long)literal_get(g->value, 0), 0x4b800000, "a sum, rounded");
    EQ_INT(g->sum.sums[0].roundings, 2, "and kept");
    goal_bits(g, 1, 0x3f800000);
    OK(g->sum.sums[1].sum.exponent == 0 && g->sum.sums[1].roundings == 0,
       "an exact sum");
}

static void others(struct arena *a, const struct shape *shape)
{
    struct goal *g = goal_new(a, shape, GOAL_BITS, true);
    goal_bits(g, 1, 7);
    goal_or(g, 1, 8);
    goal_or(g, 0, 9);
    OK(g->others->unit == 0 && g->others->bits == 9
           && g->others->next->bits == 8 && !g->others->next->next,
       "other patterns");
    OK(!g->free_units, "no unit is free");
    goal_free_unit(g, 2);
    OK(g->free_units[2] && !g->free_units[1], "unit 2 is");
    struct goal *range = goal_new(a, shape, GOAL_RANGE, false);
    goal_bits(range, 1, 7);
    OK(literal_get(range->range.low, 1) == 7
           && literal_get(range->range.high, 1) == 7,
       "a range of one");
    goal_make_range(g);
    OK(g->rule == GOAL_RANGE && literal_get(g->range.low, 1) == 7
           && literal_get(g->range.high, 1) == 7 && g->range.low != g->value,
       "ends start at the value");
}

/* A tie is half an ulp off; only what is beyond the type is more. */
static void measures(struct arena *a)
{
    int64_t n = 3;
    const struct shape *f32 = shape_array(a, DT_f32, 1, &n);
    const struct shape *f4 = shape_array(a, DT_f4e2m1fn, 1, &n);
    struct goal *g = goal_new(a, f32, GOAL_REAL, false);
    struct real tie = real_from_int(16777217);   /* 2^24 + 1: to 2^24 */
    struct real upper = real_from_int(16777219); /* to 2^24 + 4 */
    goal_real(g, 0, &tie);
    OK(g->real.worst == -500000 && g->real.worst_unit == 0, "a tie downwards");
    goal_real(g, 1, &upper);
    OK(g->real.worst == -500000 && g->real.worst_unit == 0,
       "the first of equals stays");
    /* 6 is the largest f4e2m1fn, its ulp 2. */
    for (int sign = -1; sign < 2; sign += 2) {
        struct real y = real_from_int(7 * sign);
        g = goal_new(a, f4, GOAL_REAL, false);
        goal_real(g, 2, &y);
        OK(g->real.worst == -500000 * sign && g->real.worst_unit == 2,
           "7 is a tie");
        y.significand |= (real_u128)1 << (127 - 2 - 19);
        g = goal_new(a, f4, GOAL_REAL, false);
        goal_real(g, 2, &y);
        OK(g->real.worst == 0, "7 + 2^-19 is beyond the type");
    }
    struct real nan = real_from_bits(DT_f32, 0x7fc00000);
    g = goal_new(a, f4, GOAL_REAL, false);
    goal_real(g, 0, &nan);
    EQ_INT(g->real.worst, 0, "NaN, which the type lacks, is no error");
    struct real huge = real_from_int(3);
    huge.exponent = 128; /* 1.5 * 2^128 */
    g = goal_new(a, f32, GOAL_REAL, false);
    goal_real(g, 0, &huge);
    EQ_INT(g->real.worst, 0, "infinity is none either");
    goal_free_unit(g, 1);
    OK(!g->free_units[0] && g->free_units[1] == 1, "free is 1");
}

int main(void)
{
    struct arena a = ARENA_INIT;
    int64_t dims[] = {3};
    const struct shape *shape = shape_array(&a, DT_f32, 1, dims);
    reals(&a, shape);
    sums(&a, shape);
    others(&a, shape);
    measures(&a);
    arena_free(&a);
    return tap_done();
}
