/* test_verdict_sets.c - the comparator: one unit under each rule, at its edges.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Expected values are worked out by hand from the formats' definitions: in f32
 * 3f800000 is 1, 00800000 the smallest normal number, ff800000 -infinity.
 */
#include <string.h>

#include "interp/judge/verdict.h"
#include "interp/test/tap.h"

static struct arena arena = ARENA_INIT;
static const struct profile *spec, *strict, *loose, *flush;

enum {
    ONE = 0x3f800000,
    UNITS = 8
};

static struct literal *array(enum dtype type, int64_t n, const uint64_t *bits)
{
    struct literal *l = literal_new(&arena, shape_array(&arena, type, 1, &n));
    for (int64_t i = 0; i < n * dtype_units(type); i++)
        literal_set(l, i, bits[i]);
    return l;
}

static struct goal *goal_for(enum dtype type, enum goal_rule rule,
                             uint64_t bits)
{
    return goal_of(&arena, array(type, 1, &bits), rule);
}

/* Judge all units; their states. */
static const unsigned char *judge(struct verdict *v, const struct profile *p,
                                  const struct goal *g, const uint64_t *bits)
{
    int64_t n = g->value->shape->dims[0];
    static unsigned char state[UNITS];
    struct verdict_leaf leaf = {.goal = g,
                                .got = array(g->value->shape->dtype, n, bits),
                                .state = state};
    int64_t *bins = v->bins;
    memset(state, 0, sizeof state);
    memset(v, 0, sizeof *v);
    v->bins = bins;
    verdict_units(v, p, &leaf);
    verdict_pending(v, &arena, p, &leaf);
    return state;
}

static enum verdict_branch one(const struct profile *p, const struct goal *g,
                               uint64_t bits)
{
    struct verdict v = {0};
    return (enum verdict_branch)judge(&v, p, g, &bits)[0];
}

/* ---- Ranges -------------------------------------------------------------- */

static struct goal *range(uint64_t low, uint64_t high)
{
    struct goal *g = goal_for(DT_f32, GOAL_RANGE, low);
    g->range.low = array(DT_f32, 1, &low);
    g->range.high = array(DT_f32, 1, &high);
    return g;
}

static void flushed_ranges(void)
{
    static const struct {
        uint64_t low, high;
        bool plus, minus, either; /* zeros: by sign, or of any sign */
    } trials[] = {
        {0x00000100, 0x00000200, true, false, true},
        {0x00000001, 0x00000001, true, false, true},
        {0x007fffff, 0x00800000, true, false, true},
        {0x00800000, 0x00900000, false, false, false},
        {ONE, 0x40000000, false, false, false},
        {0x80000200, 0x80000100, false, true, true},
        {0x80000001, 0x80000001, false, true, true},
        {0x80800000, 0x807fffff, false, true, true},
        {0x80900000, 0x80800000, false, false, false},
        {0xc0000000, 0xbf800000, false, false, false},
    };
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        struct goal *g = range(trials[i].low, trials[i].high);
        enum verdict_branch yes = VERDICT_RESULTS, no = VERDICT_PENDING;
        EQ_INT(one(flush, g, 0), trials[i].plus ? yes : no, "%d: +0", (int)i);
        EQ_INT(one(flush, g, 0x80000000), trials[i].minus ? yes : no, "%d: -0",
               (int)i);
        EQ_INT(one(spec, g, 0), trials[i].either ? yes : no, "%d: 0 of spec",
               (int)i);
        EQ_INT(one(spec, g, 0x80000000), trials[i].either ? yes : no,
               "%d: -0 of spec", (int)i);
        EQ_INT(one(strict, g, 0), no, "%d: not of strict", (int)i);
    }
}

static void nan_ranges(void)
{
    struct goal *g = range(ONE, 0x40000000);
    const uint64_t nan = 0x7fc00000, minus = 0xffc00000, number = ONE;
    g->value = array(DT_f32, 1, &nan);
    OK(one(strict, g, 0x3fc00000) == VERDICT_PENDING
           && one(strict, g, 0x7fc00001) == VERDICT_INSIDE,
       "where NaN is expected no number is right");
    g->value = array(DT_f32, 1, &number);
    g->range.low = array(DT_f32, 1, &minus);
    OK(one(strict, g, 0x3f000000) == VERDICT_PENDING, "no end below is no end");
    g->range.low = array(DT_f32, 1, &number);
    g->range.high = array(DT_f32, 1, &nan);
    OK(one(strict, g, 0x40000000) == VERDICT_PENDING, "nor is none above");
}

/* ---- Exact units --------------------------------------------------------- */

static void zeros(void)
{
    for (int sign = 0; sign < 2; sign++) {
        struct goal *g = goal_for(DT_f32, GOAL_BITS, sign ? 0x80000000 : 0);
        uint64_t other = sign ? 0 : 0x80000000;
        EQ_INT(one(loose, g, other), VERDICT_INSIDE, "a zero of either sign");
        EQ_INT(one(spec, g, other), VERDICT_PENDING, "only by that policy");
        EQ_INT(one(loose, g, 1), VERDICT_PENDING, "no other number");
        g = goal_for(DT_f32, GOAL_BITS, sign ? 0x80000123 : 0x00000123);
        EQ_INT(one(spec, g, other), VERDICT_RESULTS, "flushed to any sign");
        EQ_INT(one(flush, g, other), VERDICT_PENDING, "only by that policy");
        EQ_INT(one(flush, g, other ^ 0x80000000), VERDICT_RESULTS,
               "flushed to its own sign");
    }
    struct goal *g = goal_for(DT_f32, GOAL_BITS, ONE);
    EQ_INT(one(loose, g, 0), VERDICT_PENDING, "1 is not a zero");
    g = goal_for(DT_s32, GOAL_BITS, 0);
    EQ_INT(one(loose, g, 0x80000000), VERDICT_PENDING,
           "an integer has no zero of another sign");
    g = range(0, ONE);
    OK(one(loose, g, 0x80000000) == VERDICT_INSIDE
           && one(strict, g, 0x80000000) == VERDICT_PENDING,
       "an end that is zero has either sign by that policy");
    g = range(0xbf800000, 0x80000000);
    g->value = g->range.high;
    OK(one(loose, g, 0) == VERDICT_INSIDE
           && one(strict, g, 0) == VERDICT_PENDING,
       "a negative one too");
}

static void others(void)
{
    struct verdict v = {0};
    const uint64_t want[] = {5, 5, 5}, got[] = {5, 6, 6};
    struct goal *g = goal_of(&arena, array(DT_s32, 3, want), GOAL_BITS);
    goal_or(g, 1, 6);
    const unsigned char *state = judge(&v, spec, g, got);
    OK(state[0] == VERDICT_SAME && state[1] == VERDICT_INSIDE
           && state[2] == VERDICT_PENDING,
       "another pattern is that of its unit alone");
    EQ_INT(v.correct, 1, "and is not the correct one");
    g = goal_for(DT_f32, GOAL_FREE, ONE);
    EQ_INT(one(strict, g, 77), VERDICT_INSIDE, "anything");
    g = goal_for(DT_f32, GOAL_MOVED, 0x7fc00000);
    judge(&v, spec, g, (const uint64_t[]){0x7fc00001});
    OK(v.correct == 0 && v.bad == 1, "a moved NaN is another with other bits");
    g = goal_for(DT_f32, GOAL_MOVED, 0x00000123);
    EQ_INT(one(spec, g, 0), VERDICT_PENDING, "what moves is not flushed");
    g = goal_for(DT_f32, GOAL_BITS, 0x7fc00000);
    judge(&v, spec, g, (const uint64_t[]){0x7fc00001});
    OK(v.correct == 1 && v.bad == 0, "an arithmetic one is not");
}

/* ---- Reals --------------------------------------------------------------- */

static struct goal *real(enum dtype type, const struct real *y)
{
    int64_t n = 1;
    struct goal *g =
        goal_new(&arena, shape_array(&arena, type, 1, &n), GOAL_REAL, true);
    goal_real(g, 0, y);
    return g;
}

/* m * 2^e + 2^tail, or without the latter if tail is 1. */
static struct real number(int64_t m, int64_t e, int tail)
{
    struct real y = real_from_int(m);
    if (tail < 1)
        y.significand |= (real_u128)1 << (127 - (y.exponent - tail));
    y.exponent += e;
    return y;
}

static void clips(void)
{
    /* A little less than 1, which sin and tanh never exceed. */
    struct real y = real_from_bits(DT_f32, 0x3f7fffff);
    y.significand |= (real_u128)3 << 101;
    struct goal *g = real(DT_f32, &y);
    g->real.has_budget = true;
    g->real.budget =
        (struct accept_budget){.kind = ACCEPT_ULP, .ulps = real_from_int(4)};
    EQ_INT(one(spec, g, ONE + 1), VERDICT_INSIDE, "1 + 2^-23 by budget alone");
    g->clip = true;
    g->clip_low = real_from_int(-1);
    g->clip_high = real_from_int(1);
    EQ_INT(one(spec, g, ONE + 1), VERDICT_PENDING, "not of a sine");
    EQ_INT(one(spec, g, 0x3f7ffffe), VERDICT_INSIDE, "less than 1 is");
}

/* f4e2m1fn has neither NaN nor infinity: 0 to 7 are 0, 0.5, 1, 1.5, 2, 3, 4, 6
 * (OCP MX). */
static void unsayables(void)
{
    struct verdict v = {0};
    struct real nan = real_from_bits(DT_f32, 0x7fc00000);
    struct real two = real_from_int(2);
    struct goal *g = real(DT_f4e2m1fn, &nan);
    uint64_t other = literal_get(g->value, 0) ^ 1;
    const unsigned char *state = judge(&v, spec, g, &other);
    EQ_INT(state[0], VERDICT_INSIDE, "a NaN that cannot be said is anything");
    OK(!v.error.has, "and is not measured");
    EQ_INT(one(strict, g, other), VERDICT_PENDING, "not in strict");
    g = real(DT_f4e2m1fn, &two);
    EQ_INT(one(spec, g, 5), VERDICT_PENDING, "a number is what it is");
    g = goal_for(DT_f4e2m1fn, GOAL_BITS, 4);
    EQ_INT(one(spec, g, 5), VERDICT_PENDING, "a pattern too");
    g = real(DT_f32, &nan);
    EQ_INT(one(spec, g, ONE), VERDICT_PENDING, "f32 can say NaN");
}

static void errors(void)
{
    struct verdict v = {0};
    struct real y = number(1, 0, -24);
    struct goal *g = real(DT_f32, &y);
    uint64_t bits = ONE;
    judge(&v, spec, g, &bits);
    OK(v.error.has && v.error.size == -500000, "a tie, to 1: half an ulp less");
    y = number(0x800001, -23, 1);
    y.significand |= (real_u128)1 << (127 - 24);
    g = real(DT_f32, &y);
    bits = ONE + 2;
    judge(&v, spec, g, &bits);
    OK(v.error.has && v.error.size == 500000,
       "a tie upwards: half an ulp more");
    bits = 0x7f800000;
    judge(&v, spec, g, &bits);
    OK(!v.error.has && v.special == 1 && v.bad == 1,
       "infinity is not an error");
    /* 6 is the largest number: 7 is half of its ulp off, and 7 + 2^-19 more. */
    static const int64_t sign[] = {1, -1};
    for (int i = 0; i < 2; i++) {
        y = number(7 * sign[i], 0, 1);
        g = real(DT_f4e2m1fn, &y);
        bits = literal_get(g->value, 0);
        EQ_INT((long long)bits, i ? 15 : 7, "saturated");
        judge(&v, spec, g, &bits);
        OK(v.error.has && v.error.size == -500000 * sign[i], "half an ulp");
        y = number(7 * sign[i], 0, -19);
        g = real(DT_f4e2m1fn, &y);
        judge(&v, spec, g, &bits);
        OK(!v.error.has, "what is beyond the type is not an error of rounding");
    }
    /* Two errors of one size: the first is kept. */
    int64_t n = 2;
    g = goal_new(&arena, shape_array(&arena, DT_f32, 1, &n), GOAL_REAL, true);
    y = number(1, 0, -25);
    goal_real(g, 0, &y);
    goal_real(g, 1, &y);
    judge(&v, spec, g, (const uint64_t[]){ONE, ONE});
    OK(v.error.size == -250000 && v.error.unit == 0, "the first of equals");
}

static void bins(void)
{
    int64_t bins[VERDICT_BINS] = {0};
    struct verdict v = {.bins = bins};
    const uint64_t want[] = {1, 2}, got[] = {1, 3};
    struct goal *g = goal_of(&arena, array(DT_s32, 2, want), GOAL_BITS);
    judge(&v, spec, g, got);
    EQ_INT(bins[0 - VERDICT_BIN_FIRST], 1, "an integer that is right");
    const uint64_t nan[] = {0x7fc00000, ONE}, nans[] = {0x7fc00001, 0x7fc00000};
    g = goal_of(&arena, array(DT_f32, 2, nan), GOAL_BITS);
    judge(&v, spec, g, nans);
    EQ_INT(bins[0 - VERDICT_BIN_FIRST], 2, "a NaN that is right");
    EQ_INT(bins[128 - VERDICT_BIN_FIRST], 1, "and one that is wrong");
    int64_t all = 0;
    for (int i = 0; i < VERDICT_BINS; i++)
        all += bins[i];
    EQ_INT(all, 3, "a wrong integer is in no bin");
}

/* A flush is in the histogram, and not in the largest error, though a wide
 * budget admits it: 3 * 2^-149 is 3 ulps from 0. */
static void flushed_errors(void)
{
    struct verdict v = {0};
    int64_t bins[VERDICT_BINS] = {0}, all = 0, two = 2;
    struct real y = real_from_bits(DT_f32, 3);
    struct real far = real_from_bits(DT_f32, 100);
    struct goal *g =
        goal_new(&arena, shape_array(&arena, DT_f32, 1, &two), GOAL_REAL, true);
    const uint64_t got[] = {0, 0}, off[] = {2, 100};
    goal_real(g, 0, &y);
    goal_real(g, 1, &far);
    g->real.has_budget = true;
    g->real.budget =
        (struct accept_budget){.kind = ACCEPT_ULP, .ulps = real_from_int(4)};
    v.bins = bins;
    const unsigned char *state = judge(&v, spec, g, got);
    OK(state[0] == VERDICT_INSIDE && state[1] == VERDICT_RESULTS,
       "one is within the budget, one is flushed");
    OK(!v.error.has, "neither is an error");
    for (int i = 0; i < VERDICT_BINS; i++)
        all += bins[i];
    EQ_INT(all, 2, "both are in the histogram");
    judge(&v, spec, g, off);
    OK(v.error.has && v.error.size == -1000000, "an ulp is an error");
    judge(&v, strict, g, got);
    OK(v.error.has && v.error.size == -100000000,
       "and so is a flush where none is allowed");
}

/* ---- Complex numbers ----------------------------------------------------- */

/* Judge two complex numbers by the norm: the states of their four parts. */
static void complex_case(const struct real y[4], const uint64_t got[4],
                         const char *due, const char *what)
{
    struct verdict v = {0};
    int64_t n = 2;
    struct goal *g =
        goal_new(&arena, shape_array(&arena, DT_c64, 1, &n), GOAL_REAL, true);
    for (int i = 0; i < 4; i++)
        goal_real(g, i, &y[i]);
    g->real.accuracy = "Mul.complex";
    g->real.complex_norm = true;
    const unsigned char *state = judge(&v, spec, g, got);
    char text[] = "....";
    for (int i = 0; i < 4; i++)
        text[i] = state[i] == VERDICT_SAME     ? '='
                  : state[i] == VERDICT_INSIDE ? '~'
                                               : '!';
    EQ_STR(text, due, "%s", what);
}

static void complexes(void)
{
    const uint64_t small = 0x35800000, near = 0x35880000, inf = 0x7f800000,
                   nan = 0x7fc00000;
    struct real one_ = real_from_int(1), tiny = real_from_int(1),
                huge = real_from_bits(DT_f32, inf),
                none = real_from_bits(DT_f32, nan);
    tiny.exponent = -20;
    const struct real plain[] = {one_, tiny, one_, tiny},
                      first[] = {huge, one_, one_, tiny},
                      last[] = {one_, tiny, one_, huge},
                      void_[] = {one_, tiny, none, none},
                      turned[] = {tiny, one_, one_, tiny};
    complex_case(plain, (const uint64_t[]){ONE, near, ONE, near}, "=~=~",
                 "half an ulp of the norm off");
    complex_case(plain, (const uint64_t[]){ONE, nan, nan, small},
                 "=!!=", "NaN is not near");
    complex_case(plain, (const uint64_t[]){ONE, inf, inf, small},
                 "=!!=", "nor is infinity");
    complex_case(plain, (const uint64_t[]){ONE, near, nan, near}, "=~!!",
                 "nor what is beside NaN");
    complex_case(first, (const uint64_t[]){ONE, ONE, ONE, near}, "!==~",
                 "1 is not near infinity");
    complex_case(first, (const uint64_t[]){inf, ONE + 8, ONE, small},
                 "=!==", "beside infinity parts are judged by themselves");
    complex_case(last, (const uint64_t[]){ONE, near, ONE, ONE}, "=~=!",
                 "in the second number too");
    complex_case(void_, (const uint64_t[]){ONE, near, ONE, nan},
                 "=~!=", "a NaN after it changes nothing");
    complex_case(turned, (const uint64_t[]){near, ONE, ONE, near}, "~==~",
                 "the first part by the second");
}

/* A part that is exactly zero has no tolerance, but for its sign by policy, and
 * where rounded terms cancel. */
static void complex_zeros(void)
{
    const uint64_t near = 0x34000000, minus = 0x80000000;
    struct real one_ = real_from_int(1), zero = real_from_int(0);
    const struct real y[] = {one_, zero, zero, one_};
    complex_case(y, (const uint64_t[]){ONE, minus, minus, ONE},
                 "=!!=", "the other zero is not this zero");
    complex_case(y, (const uint64_t[]){ONE + 1, near, 1, ONE + 1}, "~!!~",
                 "nor is a number near it");
    struct verdict v = {0};
    int64_t n = 1;
    struct goal *g =
        goal_new(&arena, shape_array(&arena, DT_c64, 1, &n), GOAL_REAL, true);
    const uint64_t got[] = {ONE, near}, turned[] = {ONE, minus};
    goal_real(g, 0, &one_);
    goal_real(g, 1, &zero);
    g->real.accuracy = "Mul.complex";
    g->real.complex_norm = true;
    EQ_INT(judge(&v, loose, g, turned)[1], VERDICT_INSIDE, "zero.sign: either");
    goal_cancelled_unit(g, 1);
    EQ_INT(judge(&v, spec, g, got)[1], VERDICT_INSIDE, "what cancels is near");
    EQ_INT(judge(&v, strict, g, got)[1], VERDICT_PENDING,
           "and zero where each component is judged");
}

/* The set that is listed is the one that the judge takes. */
static void complex_sets(void)
{
    struct verdict v = {0};
    int64_t n = 1;
    struct goal *g =
        goal_new(&arena, shape_array(&arena, DT_c64, 1, &n), GOAL_REAL, true);
    struct real one_ = real_from_int(1), tiny = real_from_int(1);
    tiny.exponent = -20;
    goal_real(g, 0, &one_);
    goal_real(g, 1, &tiny);
    g->real.accuracy = "Mul.complex";
    g->real.complex_norm = true;
    /* 1.2 ulps of 1 beside 2^-20, of which one is spent on the real part:
     * sqrt(0.44) ulps, 0.663 * 2^-23, are left, and 0.2 ulps of 1 to 1. */
    const uint64_t wrong[] = {ONE + 1, 0x359fffff};
    EQ_INT(judge(&v, spec, g, wrong)[1], VERDICT_PENDING, "beyond both");
    OK(v.wrong_count == 1 && v.wrong[0].has_set, "is listed");
    for (int k = 0; k < 2; k++) {
        uint64_t end = real_from_key(DT_f32, k ? v.wrong[0].set.range[0].high
                                               : v.wrong[0].set.range[0].low);
        const uint64_t at[] = {ONE + 1, end},
                       off[] = {ONE + 1, k ? end + 1 : end - 1};
        struct verdict w = {0};
        EQ_INT(judge(&w, spec, g, at)[1], VERDICT_INSIDE, "end %d is right", k);
        EQ_INT(judge(&w, spec, g, off)[1], VERDICT_PENDING,
               "what follows it is wrong");
    }
}

int main(void)
{
    struct status st = {0};
    if (!profile_load(&arena, "spec", &spec, &st)
        || !profile_load(&arena, "strict", &strict, &st)
        || !profile_load(&arena, "xla-exhaustive", &loose, &st)
        || !profile_load(&arena, "runner/test/flush-results.json", &flush,
                         &st)) {
        OK(false, "profiles: %s", st.text);
        return tap_done();
    }
    flushed_ranges();
    nan_ranges();
    zeros();
    others();
    clips();
    unsayables();
    errors();
    bins();
    flushed_errors();
    complexes();
    complex_zeros();
    complex_sets();
    EQ_STR(verdict_name(VERDICT_COUNT), "?", "no status beyond the last");
    arena_free(&arena);
    return tap_done();
}
