/* test_verdict.c - the comparator: branches, sets, norms.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Expected values are worked out by hand from the formats' definitions.
 */
#include <string.h>

#include "interp/judge/verdict.h"
#include "interp/test/tap.h"

static struct arena arena = ARENA_INIT;
static const struct profile *spec, *strict;

static struct literal *array(enum dtype type, int64_t n, const uint64_t *bits)
{
    struct literal *l = literal_new(&arena, shape_array(&arena, type, 1, &n));
    for (int64_t i = 0; i < n * dtype_units(type); i++)
        literal_set(l, i, bits[i]);
    return l;
}

/* Judge one unit against a goal. */
static enum verdict_branch judge(struct verdict *v, const struct profile *p,
                                 const struct goal *g, uint64_t bits)
{
    unsigned char state[1] = {VERDICT_PENDING};
    struct verdict_leaf leaf = {.goal = g,
                                .got = array(g->value->shape->dtype, 1, &bits),
                                .state = state};
    memset(v, 0, sizeof *v);
    verdict_units(v, p, &leaf);
    verdict_pending(v, &arena, p, &leaf);
    return (enum verdict_branch)state[0];
}

static struct goal *goal_for(enum dtype type, enum goal_rule rule,
                             uint64_t bits)
{
    return goal_of(&arena, array(type, 1, &bits), rule);
}

static void single_units(void)
{
    struct verdict v;
    char text[256];
    struct goal *g = goal_for(DT_f32, GOAL_MOVED, 0x7fa00001);
    EQ_INT(judge(&v, spec, g, 0x7fa00001), VERDICT_SAME,
           "a signalling NaN is moved as it is");
    EQ_INT(judge(&v, spec, g, 0x7fe00001), VERDICT_PENDING,
           "and not made quiet");
    EQ_INT(v.bad, 1, "which counts as wrong");
    EQ_INT(verdict_end(&v, spec, text, sizeof text), VERDICT_FAIL, "and fails");
    EQ_STR(text, "1 of 1 units are wrong", "with a text");

    g = goal_for(DT_f32, GOAL_BITS, 0x7fc00000);
    EQ_INT(judge(&v, spec, g, 0xffc00123), VERDICT_INSIDE,
           "spec takes any NaN for an arithmetic one");
    EQ_INT(judge(&v, strict, g, 0x7f800001), VERDICT_PENDING,
           "strict takes no signalling one");
    EQ_INT(judge(&v, spec, g, 0x7f800000), VERDICT_PENDING,
           "infinity is not a NaN");
    EQ_INT(v.special, 1, "and is counted apart");

    g = goal_for(DT_f32, GOAL_BITS, 0x80000000);
    EQ_INT(judge(&v, spec, g, 0), VERDICT_PENDING, "+0 is not -0");

    g = goal_for(DT_s32, GOAL_BITS, 5);
    EQ_INT(judge(&v, spec, g, 6), VERDICT_PENDING, "an integer is exact");
    goal_or(g, 0, 6);
    EQ_INT(judge(&v, spec, g, 6), VERDICT_INSIDE,
           "unless a policy gives another");
    goal_free_unit(g, 0);
    EQ_INT(judge(&v, spec, g, 77), VERDICT_INSIDE, "or any value");

    g = goal_for(DT_f32, GOAL_BITS, 0x00000123);
    EQ_INT(judge(&v, spec, g, 0), VERDICT_RESULTS,
           "spec lets a subnormal result be flushed");
    EQ_INT(verdict_end(&v, spec, text, sizeof text), VERDICT_WARN,
           "with a remark");
    EQ_INT(judge(&v, strict, g, 0), VERDICT_PENDING, "strict does not");
    EQ_INT(judge(&v, spec, g, 0x00000124), VERDICT_PENDING,
           "nor is its neighbour right");
    v = (struct verdict){
        .branch = {[VERDICT_RESULTS] = 1, [VERDICT_OPERANDS] = 1}};
    EQ_INT(verdict_end(&v, strict, text, sizeof text), VERDICT_WARN,
           "flushing results here and operands there is worth a remark");
}

static void real_units(void)
{
    struct verdict v;
    int64_t one = 1;
    const struct shape *s = shape_array(&arena, DT_f32, 1, &one);
    struct goal *g = goal_new(&arena, s, GOAL_REAL, true);
    /* 1 + 3 * 2^-26: an eighth above 1, whose ulp is 2^-23: 0.375 ulp. */
    struct real y = real_from_int(1);
    y.significand |= (real_u128)3 << (127 - 26);
    goal_real(g, 0, &y);
    EQ_INT(judge(&v, spec, g, 0x3f800000), VERDICT_SAME,
           "the nearest number is right");
    EQ_INT(v.error.size, -375000, "and is 0.375 ulp too small");
    EQ_INT(judge(&v, spec, g, 0x3f800001), VERDICT_PENDING,
           "the other neighbour is wrong where rounding is correct");
    EQ_INT(v.error.size, 625000, "and is 0.625 ulp too large");
    EQ_INT(v.wrong_count, 1, "it is listed");
    EQ_INT((long long)v.wrong[0].want, 0x3f800000, "with what was due");
    g->real.accuracy = "Sin";
    EQ_INT(judge(&v, spec, g, 0x3f800001), VERDICT_INSIDE,
           "it is right within the budget of a function");
    EQ_INT(v.correct, 0, "and is not correctly rounded");
}

static void norms(void)
{
    struct accept_budget budget = {.kind = ACCEPT_ULP,
                                   .ulps = real_from_int(1)};
    /* y = 1 + 0i: ulp 2^-23, so an imaginary part up to 2^-23 is right. */
    struct real y[2] = {real_from_int(1), real_from_int(0)};
    const uint64_t at[2] = {0x3f800000, 0x34000000},
                   beyond[2] = {0x3f800000, 0x34000001},
                   both[2] = {0x3f800001, 0x34000000};
    OK(verdict_norm(y, at, DT_f32, &budget), "2^-23 off 1 is one ulp");
    OK(!verdict_norm(y, beyond, DT_f32, &budget), "the next number is more");
    OK(!verdict_norm(y, both, DT_f32, &budget),
       "and so are one ulp in both parts");
    struct real zero[2] = {real_from_int(0), real_from_int(0)};
    const uint64_t tiny[2] = {1, 0}, less_tiny[2] = {2, 0};
    OK(verdict_norm(zero, tiny, DT_f32, &budget),
       "beside 0 the smallest subnormal is one ulp");
    OK(!verdict_norm(zero, less_tiny, DT_f32, &budget), "and twice that two");
}

/* A complex number whose parts are off by different numbers of ulps. */
static void complex_units(void)
{
    struct verdict v;
    int64_t one = 1;
    const struct shape *s = shape_array(&arena, DT_c64, 1, &one);
    struct goal *g = goal_new(&arena, s, GOAL_REAL, true);
    struct real big = real_from_int(1), small = real_from_int(1);
    small.exponent = -20;
    goal_real(g, 0, &big);
    goal_real(g, 1, &small);
    g->real.accuracy = "Mul.complex";
    g->real.complex_norm = true;
    /* 2^-20 + 2^-24 is off by 2^19 ulps of 2^-20, and by half an ulp of 1. */
    const uint64_t got[2] = {0x3f800000, 0x35880000};
    for (int k = 0; k < 2; k++) {
        unsigned char state[2] = {VERDICT_PENDING, VERDICT_PENDING};
        struct verdict_leaf leaf = {
            .goal = g, .got = array(DT_c64, 1, got), .state = state};
        memset(&v, 0, sizeof v);
        verdict_units(&v, k == 0 ? spec : strict, &leaf);
        EQ_INT(state[0], VERDICT_SAME, "the real part is right");
        EQ_INT(state[1], k == 0 ? VERDICT_INSIDE : VERDICT_PENDING,
               "%s judges %s", k == 0 ? "spec" : "strict",
               k == 0 ? "by the norm" : "each component");
    }
}

/* 1 + 1 with E = 2^-23 * 2 = 2^-22: k = 2 roundings of f32 are 2u / (1 - 2u),
 * a little more than 2^-23, of M = 2. */
static void sums(void)
{
    struct verdict v;
    int64_t one = 1, bins[VERDICT_BINS] = {0};
    const struct shape *s = shape_array(&arena, DT_f32, 1, &one);
    struct goal *g = goal_new(&arena, s, GOAL_SUM, true);
    struct accept_sum sum = {.sum = real_from_int(2),
                             .magnitude = real_from_int(2),
                             .roundings = 2,
                             .accumulator = DT_f32};
    goal_sum(g, 0, &sum);
    EQ_INT(judge(&v, spec, g, 0x40000000), VERDICT_SAME, "the sum itself");
    OK(v.share.has && v.share.size == 0 && !v.error.has,
       "is not off, and not measured in ulps");
    /* One ulp of 2 is 2^-22. */
    EQ_INT(judge(&v, spec, g, 0x40000001), VERDICT_INSIDE, "its neighbour");
    EQ_INT(v.share.size, 1000000, "is the whole bound off");
    EQ_INT(judge(&v, spec, g, 0x40000002), VERDICT_PENDING,
           "two ulps are too many");
    EQ_INT(v.share.size, 2000000, "which is twice the bound");
    OK(v.wrong[0].has_share && !v.wrong[0].has_error, "as the list says");
    EQ_INT(judge(&v, spec, g, 0x7f800000), VERDICT_PENDING, "infinity");
    OK(v.special == 1 && !v.share.has, "is counted apart");
    unsigned char state[1] = {VERDICT_PENDING};
    const uint64_t bits = 0x40000001;
    struct verdict_leaf leaf = {
        .goal = g, .got = array(DT_f32, 1, &bits), .state = state};
    v = (struct verdict){.bins = bins};
    verdict_units(&v, spec, &leaf);
    for (int i = 0; i < VERDICT_BINS; i++)
        one += bins[i];
    EQ_INT(one, 1, "a sum is in no bin of ulps");
}

static void bins(void)
{
    struct verdict v = {0};
    int64_t bins[VERDICT_BINS] = {0}, n = 5;
    const struct shape *s = shape_array(&arena, DT_f32, 1, &n);
    struct goal *g = goal_new(&arena, s, GOAL_REAL, true);
    struct real y = real_from_int(1), tiny = real_from_int(1);
    tiny.exponent = -140;
    for (int i = 0; i < 4; i++)
        goal_real(g, i, &y);
    goal_real(g, 4, &tiny);
    g->real.accuracy = "Sin";
    /* Right; one ulp, inside; 16 ulps, wrong; NaN; flushed. */
    const uint64_t got[] = {0x3f800000, 0x3f800001, 0x3f7fffe0, 0x7fc00000, 0};
    unsigned char state[5] = {0};
    struct verdict_leaf leaf = {
        .goal = g, .got = array(DT_f32, n, got), .state = state};
    v.bins = bins;
    verdict_units(&v, spec, &leaf);
    verdict_pending(&v, &arena, spec, &leaf);
    EQ_INT(bins[0 - VERDICT_BIN_FIRST], 1, "one is right");
    EQ_INT(bins[8 - VERDICT_BIN_FIRST], 1, "one is an ulp too large");
    EQ_INT(bins[-65 - VERDICT_BIN_FIRST], 1, "one is 16 ulps too small");
    EQ_INT(bins[128 - VERDICT_BIN_FIRST], 1, "one is a NaN");
    int64_t all = 0;
    for (int i = 0; i < VERDICT_BINS; i++)
        all += bins[i];
    EQ_INT(all, 5, "and the flushed one is in a bin too");
    EQ_INT(v.error.size, -16000000, "the largest error is that of the wrong");
    EQ_INT(v.error.unit, 2, "at its place");
    EQ_INT(v.bad, 2, "two are wrong");
    EQ_INT(v.branch[VERDICT_RESULTS], 1, "one was flushed");
    EQ_INT(v.correct, 1, "one is correctly rounded");
}

/* Values between two ends, in programs. */
static void ranges(void)
{
    struct verdict v;
    struct goal *g = goal_for(DT_f32, GOAL_RANGE, 0x3f800000);
    const uint64_t low = 0x3f7fffff, high = 0x3f800002;
    g->range.low = array(DT_f32, 1, &low);
    g->range.high = array(DT_f32, 1, &high);
    EQ_INT(judge(&v, strict, g, low), VERDICT_INSIDE, "the low end");
    EQ_INT(judge(&v, strict, g, high), VERDICT_INSIDE, "the high end");
    EQ_INT(judge(&v, strict, g, low - 1), VERDICT_PENDING, "below it");
    EQ_INT(judge(&v, strict, g, high + 1), VERDICT_PENDING, "above it");
    const uint64_t tiny = 0x00000100, tinier = 0x00000010;
    g->value = array(DT_f32, 1, &tinier);
    g->range.low = g->value;
    g->range.high = array(DT_f32, 1, &tiny);
    EQ_INT(judge(&v, spec, g, 0), VERDICT_RESULTS, "a flushed one of spec");
    EQ_INT(judge(&v, strict, g, 0), VERDICT_PENDING, "not of strict");
    struct verdict w = {0};
    unsigned char state[1] = {0};
    const uint64_t minus = 0xff800000, plus = 0x7f800000;
    struct verdict_leaf leaf = {.goal = goal_for(DT_f32, GOAL_BITS, plus),
                                .got = array(DT_f32, 1, &minus),
                                .state = state};
    verdict_units(&w, spec, &leaf);
    EQ_INT(w.special, 1, "the other infinity is counted apart too");
}

static void ends(void)
{
    char text[256];
    struct verdict v = {.units = 3};
    EQ_INT(verdict_end(&v, spec, text, sizeof text), VERDICT_PASS,
           "nothing flushed and nothing wrong passes");
    EQ_STR(text, "", "without a word");
    v.branch[VERDICT_RESULTS] = 1;
    EQ_INT(verdict_end(&v, spec, text, sizeof text), VERDICT_WARN,
           "a flushed result is worth a remark");
    EQ_STR(text, "flushes subnormal results in 1 units", "that says so");
    EQ_INT(verdict_end(&v, strict, text, sizeof text), VERDICT_PASS,
           "where the profile wants it");
    v.branch[VERDICT_OPERANDS] = 2;
    EQ_INT(verdict_end(&v, spec, text, sizeof text), VERDICT_WARN, "both");
    EQ_STR(text, "flushes results in 1 units and operands in 2",
           "are distinguished");
    v.branch[VERDICT_RESULTS] = 0;
    EQ_INT(verdict_end(&v, spec, text, sizeof text), VERDICT_WARN,
           "so are operands");
    EQ_STR(text, "flushes subnormal operands in 2 units", "by name");
    v.bad = 1;
    EQ_INT(verdict_end(&v, spec, text, sizeof text), VERDICT_FAIL,
           "a wrong unit fails whatever else there is");
    OK(verdict_is_failure(VERDICT_FAIL) && !verdict_is_failure(VERDICT_PASS)
           && verdict_is_failure(VERDICT_COUNT),
       "what fails");
    OK(verdict_colour(VERDICT_FAIL) == 31 && verdict_colour(VERDICT_COUNT) == 0,
       "and its colour");
}

static void same(void)
{
    const uint64_t bits[] = {1, 2, 3}, other[] = {1, 2, 4};
    unsigned char state[3] = {0};
    struct verdict v = {0};
    struct goal *g = goal_of(&arena, array(DT_s32, 3, bits), GOAL_BITS);
    struct verdict_leaf leaf = {
        .goal = g, .got = array(DT_s32, 3, bits), .state = state};
    g->undecided = 1;
    OK(verdict_same(&v, &leaf), "the same bits");
    OK(v.units == 3 && v.correct == 3 && v.branch[VERDICT_SAME] == 3
           && v.undecided == 1 && !v.error.has && state[2] == VERDICT_SAME,
       "are counted");
    leaf.got = array(DT_s32, 3, other);
    OK(!verdict_same(&v, &leaf) && v.units == 3, "others are not");
    g->rule = GOAL_REAL;
    g->real.worst = -400000;
    g->real.worst_unit = 1;
    leaf.got = g->value;
    leaf.state = NULL;
    leaf.replica = 2;
    OK(verdict_same(&v, &leaf) && v.error.has && v.error.size == -400000
           && v.error.unit == 1 && v.error.replica == 2,
       "rounding's own error is remembered");
    g->real.worst = 300000;
    OK(verdict_same(&v, &leaf) && v.error.size == -400000,
       "unless there is a larger one");
    g->real.worst = 450000;
    OK(verdict_same(&v, &leaf) && v.error.size == 450000, "whatever its sign");
}

static bool odd_one(const struct goal *goal, const struct literal *const *got,
                    int n, struct goal_finding *found)
{
    (void)goal;
    found->leaf = n - 1;
    found->unit = literal_get(got[0], 0) == 7 ? 99 : 1;
    return literal_get(got[0], 0) == 5;
}

static void checks(void)
{
    uint64_t bits[] = {5, 6};
    unsigned char state[2] = {0};
    struct goal *g = goal_of(&arena, array(DT_s32, 2, bits), GOAL_BITS);
    goal_make_check(g, odd_one, NULL, 0);
    struct verdict v = {0};
    struct verdict_leaf leaf = {
        .goal = g, .got = array(DT_s32, 2, bits), .state = state};
    verdict_check(&v, &arena, &leaf, 1);
    OK(v.units == 2 && v.branch[VERDICT_INSIDE] == 2 && !v.why[0]
           && state[0] == VERDICT_INSIDE && state[1] == VERDICT_INSIDE,
       "a legal result is inside");
    bits[0] = 6;
    leaf.got = array(DT_s32, 2, bits);
    v = (struct verdict){0};
    verdict_check(&v, &arena, &leaf, 1);
    OK(state[0] == VERDICT_INSIDE && state[1] == VERDICT_PENDING && v.why[0],
       "the unit that the predicate names is wrong, and there is a word on it");
    verdict_pending(&v, &arena, spec, &leaf);
    OK(v.bad == 1 && !v.wrong[0].has_set, "and is listed without a set");
    EQ_STR(v.wrong[0].accept, "predicate", "as what it is");
    bits[0] = 7;
    leaf.got = array(DT_s32, 2, bits);
    v = (struct verdict){0};
    verdict_check(&v, &arena, &leaf, 1);
    EQ_INT(state[0], VERDICT_PENDING, "one that is not there stands for 0");
}

/* Three of four elements count; then the fourth's value does not matter. */
static void dynamic_and_flushed(void)
{
    const bool dynamic[] = {true};
    const int64_t four = 4;
    const struct shape *s = shape_dynamic(&arena, DT_s32, 1, &four, dynamic);
    struct literal *want = literal_new(&arena, s);
    struct literal *got = literal_new(&arena, s);
    unsigned char state[4] = {0};
    struct verdict v = {0};
    want->sizes[0] = got->sizes[0] = 3;
    literal_set(got, 3, 9);
    struct verdict_leaf leaf = {
        .goal = goal_of(&arena, want, GOAL_BITS), .got = got, .state = state};
    verdict_units(&v, spec, &leaf);
    OK(v.units == 3 && state[3] == VERDICT_UNUSED && state[2] == VERDICT_SAME,
       "what lies beyond the actual size is not compared");
    literal_set(got, 2, 9);
    memset(state, 0, sizeof state);
    v = (struct verdict){0};
    verdict_units(&v, spec, &leaf);
    EQ_INT(state[2], VERDICT_PENDING, "what lies within is");
    /* Another evaluation, of flushed operands, explains it. */
    literal_set(want, 2, 9);
    leaf.branch = VERDICT_OPERANDS;
    verdict_units(&v, spec, &leaf);
    OK(state[2] == VERDICT_OPERANDS && v.branch[VERDICT_OPERANDS] == 1
           && v.units == 3 && state[0] == VERDICT_SAME,
       "and may be explained by flushed operands, without being counted again");
}

static void many_wrong(void)
{
    uint64_t want[20] = {0}, got[20];
    unsigned char state[20] = {0};
    for (int i = 0; i < 20; i++)
        got[i] = 1;
    struct verdict v = {0};
    struct verdict_leaf leaf = {
        .goal = goal_of(&arena, array(DT_u8, 20, want), GOAL_BITS),
        .got = array(DT_u8, 20, got),
        .state = state,
        .leaf = 3};
    verdict_units(&v, spec, &leaf);
    verdict_pending(&v, &arena, spec, &leaf);
    OK(v.bad == 20 && v.wrong_count == VERDICT_WRONG_MAX && v.units == 20
           && v.correct == 0,
       "all that are wrong are counted, some listed");
    OK(v.wrong[15].unit == 15 && v.wrong[15].got == 1 && v.wrong[15].leaf == 3
           && v.wrong[15].has_set,
       "with their places");
    EQ_STR(v.wrong[0].accept, "exact", "and what is expected");
}

int main(void)
{
    struct status st = {0};
    if (!profile_load(&arena, "spec", &spec, &st)
        || !profile_load(&arena, "strict", &strict, &st)) {
        OK(false, "profiles: %s", st.text);
        return tap_done();
    }
    single_units();
    real_units();
    norms();
    complex_units();
    sums();
    bins();
    ranges();
    ends();
    same();
    checks();
    many_wrong();
    dynamic_and_flushed();
    for (int v = 0; v < VERDICT_COUNT; v++)
        EQ_INT(verdict_find(verdict_name((enum verdict_status)v)), v,
               "status %s is found by its name",
               verdict_name((enum verdict_status)v));
    EQ_INT(verdict_find("good"), VERDICT_COUNT, "no other is");
    arena_free(&arena);
    return tap_done();
}
