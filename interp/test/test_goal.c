/* test_goal.c - what an operation writes into a goal.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/goal/goal_gather.h"
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
    EQ_INT(literal_get(g->value, 1), 0x3eaaaaab, "1/3 in f32");
    /* 0xaaaaab - 2^24 * 2/3 = 1/3 */
    EQ_INT(g->real.worst, 333333, "a third of an ulp off");
    EQ_INT(g->real.worst_unit, 1, "at unit 1");
    struct real one = real_from_int(1);
    goal_real(g, 2, &one);
    EQ_INT(g->real.worst, 333333, "an exact value is no worse");
    OK(g->real.y[2].exponent == 0 && g->real.y[1].inexact, "values are kept");
    struct real inf = real_from_bits(DT_f32, 0x7f800000);
    goal_real(g, 0, &inf);
    EQ_INT(literal_get(g->value, 0), 0x7f800000, "infinity");
    goal_bits(g, 0, 0x40000000);
    EQ_INT(g->real.y[0].exponent, 1, "a pattern is its own exact value");

    struct goal *fast = goal_new(a, shape, GOAL_REAL, false);
    goal_real(fast, 1, &third);
    OK(!goal_exact(fast, 1), "nothing is kept unasked");
    EQ_INT(literal_get(fast->value, 1), 0x3eaaaaab, "but rounded");
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
    EQ_INT(literal_get(g->value, 0), 0x4b800000, "a sum, rounded");
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

/* ---- Copies -------------------------------------------------------------- */

/* Are the n bytes at two places equal, and the places not the same? */
static bool apart(const void *a, const void *b, size_t n)
{
    return a && b && a != b && memcmp(a, b, n) == 0;
}

static void copied_reals(struct arena *a, const struct shape *shape)
{
    static const struct accept_budget budget = {.kind = ACCEPT_FAITHFUL};
    struct goal *g = goal_new(a, shape, GOAL_REAL, true);
    for (int i = 0; i < 3; i++) {
        struct real y = real_from_int(i + 1);
        goal_real(g, i, &y);
        goal_unit_budget(g, i, i == 1 ? NULL : &budget);
    }
    goal_exact_unit(g, 0);
    goal_cancelled_unit(g, 1);
    goal_either_unit(g, 2);
    goal_free_unit(g, 2);
    goal_nan_unit(g, 1);
    goal_kept_unit(g, 0);
    struct goal *c = goal_copy(a, g);
    const struct goal_real *r = &g->real, *s = &c->real;
    OK(literal_equal(c->value, g->value) && c->value != g->value, "a value");
    OK(apart(s->y, r->y, 3 * sizeof *r->y), "exact values");
    OK(apart(s->unit_budgets, r->unit_budgets, 3 * sizeof *r->unit_budgets),
       "budgets");
    OK(apart(s->exact_units, r->exact_units, 3)
           && apart(s->cancelled_units, r->cancelled_units, 3)
           && apart(s->either_units, r->either_units, 3),
       "what only a real has");
    OK(apart(c->free_units, g->free_units, 3)
           && apart(c->nan_units, g->nan_units, 3)
           && apart(c->kept_units, g->kept_units, 3),
       "what each goal has");
    OK(c->others != g->others && c->others->unit == 2
           && c->others->bits == 0xc0400000 && !c->others->next,
       "-3 besides 3");
    c = goal_copy(a, goal_new(a, shape, GOAL_REAL, false));
    OK(!c->real.y && !c->real.exact_units && !c->free_units && !c->others,
       "nothing of nothing");
}

static void copied_others(struct arena *a, const struct shape *shape)
{
    struct goal *g = goal_new(a, shape, GOAL_SUM, true);
    goal_bits(g, 2, 0x40400000);
    struct goal *c = goal_copy(a, g);
    OK(apart(c->sum.sums, g->sum.sums, 3 * sizeof *g->sum.sums), "sums");
    g = goal_new(a, shape, GOAL_RANGE, false);
    goal_bits(g, 2, 7);
    c = goal_copy(a, g);
    OK(literal_equal(c->range.low, g->range.low)
           && literal_equal(c->range.high, g->range.high)
           && c->range.low != g->range.low && c->range.high != g->range.high,
       "the ends of a range");
    g = goal_new(a, shape, GOAL_FREE, false);
    c = goal_copy(a, g);
    OK(c->rule == GOAL_FREE && !c->range.low, "nothing else");
    int64_t none = 0;
    g = goal_new(a, shape_array(a, DT_f32, 1, &none), GOAL_REAL, true);
    OK(goal_copy(a, g)->real.y, "no units are copied too");
}

/* ---- What kind of goal it is --------------------------------------------- */

static bool holds(const struct goal *goal, const struct literal *const *got,
                  int n, struct goal_finding *found)
{
    return true;
}

static bool fails(const struct goal *goal, const struct literal *const *got,
                  int n, struct goal_finding *found)
{
    return false;
}

static void checks(struct arena *a, const struct shape *shape)
{
    static const int data[2];
    struct goal *g = goal_new(a, shape, GOAL_BITS, false);
    struct goal *h = goal_new(a, shape, GOAL_BITS, false);
    goal_make_check(g, holds, &data[0], 0);
    goal_make_check(h, holds, &data[0], 1);
    OK(goal_same_check(g, h), "one predicate, two results");
    goal_make_check(h, fails, &data[0], 1);
    OK(!goal_same_check(g, h), "two predicates");
    goal_make_check(h, holds, &data[1], 1);
    OK(!goal_same_check(g, h), "of two instructions");
    goal_make_check(h, holds, &data[0], 1);
    goal_make_free(h);
    OK(!goal_same_check(g, h) && !goal_same_check(h, g) && h->rule == GOAL_FREE,
       "what became free is not checked");
}

static void rules(struct arena *a, const struct shape *shape)
{
    for (int rule = GOAL_BITS; rule <= GOAL_FREE; rule++)
        for (int want = 0; want < 2; want++) {
            struct goal *g = goal_new(a, shape, (enum goal_rule)rule, want);
            bool real = rule == GOAL_REAL, sum = rule == GOAL_SUM;
            OK(goal_is_rounded(g) == (real || sum), "rounded (%d)", rule);
            OK((goal_exact(g, 1) != NULL) == (want && (real || sum)),
               "exact values where wanted (%d)", rule);
            OK(rule == GOAL_RANGE
                   || (g->real.y != NULL) == (want && (real || sum)),
               "and no others (%d)", rule);
            OK(g->want_exact == want, "wanted (%d)", rule);
        }
    struct goal *g = goal_new(a, shape, GOAL_RANGE, false);
    struct real one = real_from_int(1);
    goal_real(g, 1, &one);
    OK(literal_get(g->range.low, 1) == 0x3f800000
           && literal_get(g->range.high, 1) == 0x3f800000,
       "both ends are the rounding");
    g = goal_new(a, shape, GOAL_SUM, false);
    struct accept_sum sum = {.sum = one};
    goal_sum(g, 1, &sum);
    goal_bits(g, 2, 5);
    OK(literal_get(g->value, 1) == 0x3f800000 && literal_get(g->value, 2) == 5
           && !g->sum.sums,
       "a sum of which nothing is kept");
    g = goal_new(a, shape, GOAL_REAL, false);
    goal_bits(g, 2, 5);
    OK(literal_get(g->value, 2) == 5 && !g->real.y, "nor of a real");
    g = goal_new(a, shape, GOAL_BITS, true);
    goal_sum(g, 1, &sum);
    goal_real(g, 2, &one);
    OK(literal_get(g->value, 1) == 0x3f800000
           && literal_get(g->value, 2) == 0x3f800000 && !g->range.low,
       "a pattern may be rounded, too");
}

static void budgets(struct arena *a, const struct shape *shape)
{
    static const struct accept_budget usual = {.kind = ACCEPT_XLA},
                                      own = {.kind = ACCEPT_ULP};
    struct goal *g = goal_new(a, shape, GOAL_REAL, false);
    OK(goal_budget(g, 0, &usual) == &usual, "the class's");
    goal_unit_budget(g, 0, &own);
    goal_unit_budget(g, 2, &own);
    OK(goal_budget(g, 0, &usual) == &own && goal_budget(g, 2, &usual) == &own
           && goal_budget(g, 1, &usual) == &usual,
       "a unit's own");
    goal_exact_unit(g, 2);
    OK(goal_budget(g, 2, &usual)->kind == ACCEPT_CR
           && goal_budget(g, 0, &usual) == &own,
       "none of what is exact");
}

/* ---- Shares of a bound --------------------------------------------------- */

static struct goal_finding found;

/* Notes error + extra * 2^-100. */
static void note(int64_t unit, long error, long extra, unsigned long bound)
{
    MPFR_DECL_INIT(e, 192);
    MPFR_DECL_INIT(b, 192);
    mpfr_set_si_2exp(e, extra, -100, MPFR_RNDN);
    mpfr_add_si(e, e, error, MPFR_RNDN);
    mpfr_set_ui(b, bound, MPFR_RNDN);
    goal_measure(&found, unit, e, b);
}

static bool noted(int64_t unit, int64_t share)
{
    return found.has_share && found.share_unit == unit && found.share == share;
}

static void shares(void)
{
    note(1, 0, 0, 0);
    OK(!found.has_share, "no error where none is allowed");
    note(2, 0, 0, 5);
    OK(noted(2, 0), "none where some is");
    note(3, 1, 0, 3);
    OK(noted(3, 333334), "a third is rounded up");
    note(4, 1, 0, 3);
    OK(noted(3, 333334), "the first of two that are equal");
    note(5, 1, 0, 4);
    OK(noted(3, 333334), "a smaller one");
    note(6, 5, 0, 5);
    OK(noted(6, 1000000), "just the bound");
    note(7, 5, 1, 5);
    OK(noted(7, 1000001), "barely beyond it");
    note(8, 5, 0, 0);
    OK(noted(8, REAL_ERROR_MAX), "where none is allowed");
    found = (struct goal_finding){0};
    note(9, 3, 1, 1000000);
    OK(noted(9, 4), "a little more than three millionths");
    note(10, 2000000000, 0, 1);
    OK(noted(10, INT64_C(2000000000000000)), "many times the bound");
}

/* Two slices of three units, of which one and none are undecided. */
static void gathered(struct arena *a, const struct shape *slice)
{
    int64_t dims[] = {6};
    struct goal_gather *all =
        goal_gather_open(a, shape_array(a, DT_f32, 1, dims));
    struct real one = real_from_int(1);
    for (int s = 0; s < 2; s++) {
        struct goal *g = goal_new(a, slice, GOAL_REAL, true);
        for (int i = 0; i < 3; i++)
            goal_real(g, i, &one);
        g->undecided = 1 - s;
        for (int i = 0; i < 3; i++)
            goal_gather_unit(all, 3 * s + i, g->value, g, i);
    }
    EQ_INT(goal_gather_close(all)->undecided, 1,
           "a gathered goal has as many undecided units as its parts");
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
    copied_reals(&a, shape);
    copied_others(&a, shape);
    checks(&a, shape);
    rules(&a, shape);
    budgets(&a, shape);
    shares();
    gathered(&a, shape);
    arena_free(&a);
    return tap_done();
}
