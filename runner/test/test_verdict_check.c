/* test_verdict_check.c - the comparator: predicates, and units that don't
 * count.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <string.h>

#include "interp/judge/verdict.h"
#include "interp/test/tap.h"

static struct arena arena = ARENA_INIT;
static const struct profile *spec, *strict;

/* The answers of the test's predicate. */
static struct {
    bool good, silent;
    int leaf;
    int64_t unit;
    const char *why;
    bool has_share;
    int64_t share, share_unit;
} answer;

static bool predicate(const struct goal *goal, const struct literal *const *got,
                      int n, struct goal_finding *found)
{
    (void)goal, (void)got, (void)n;
    if (!answer.silent) {
        found->leaf = answer.leaf;
        found->unit = answer.unit;
        snprintf(found->why, sizeof found->why, "%s", answer.why);
    }
    found->has_share = answer.has_share;
    found->share = answer.share;
    found->share_unit = answer.share_unit;
    return answer.good;
}

enum {
    ARRAYS = 3
};

/* Judge arrays of 2, 1 and 0 units; the states of these three, and of what
 * follows them, which must stay '-'. */
static const char *states(struct verdict *v)
{
    static unsigned char state[ARRAYS][4];
    static char text[16];
    struct verdict_leaf leaves[ARRAYS];
    size_t n = 0;
    for (int i = 0; i < ARRAYS; i++) {
        int64_t size = 2 - i;
        struct goal *g = goal_of(
            &arena, literal_new(&arena, shape_array(&arena, DT_s32, 1, &size)),
            GOAL_BITS);
        goal_make_check(g, predicate, NULL, 0);
        memset(state[i], VERDICT_UNUSED, sizeof state[i]);
        leaves[i] = (struct verdict_leaf){
            .leaf = i, .goal = g, .got = g->value, .state = state[i]};
    }
    *v = (struct verdict){0};
    verdict_check(v, &arena, leaves, ARRAYS);
    for (int i = 0; i < ARRAYS; i++)
        for (int k = 0; k < 3 - i; k++)
            text[n++] = state[i][k] == VERDICT_PENDING  ? '!'
                        : state[i][k] == VERDICT_INSIDE ? '~'
                                                        : '-';
    return text;
}

static void predicates(void)
{
    static const struct {
        int leaf;
        int64_t unit;
        const char *due;
        int bad;
    } trials[] = {
        {0, 0, "!~-~--", 0}, {0, 1, "~!-~--", 0},  {1, 0, "~~-!--", 0},
        {0, 2, "!~-~--", 0}, {0, -1, "!~-~--", 0}, {-1, 1, "~!-~--", 0},
        {3, 1, "~!-~--", 0}, {1, 1, "~~-!--", 0},  {2, 0, "~~-~--", 1},
        {1, 7, "~~-!--", 0},
    };
    struct verdict v;
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        answer.leaf = trials[i].leaf;
        answer.unit = trials[i].unit;
        answer.why = "x";
        EQ_STR(states(&v), trials[i].due, "unit %lld of array %d is wrong",
               (long long)trials[i].unit, trials[i].leaf);
        OK(v.units == 3 && v.bad == trials[i].bad
               && v.branch[VERDICT_INSIDE] == 0,
           "counted");
        EQ_STR(v.why, "x", "the predicate's own word");
    }
    char text[64];
    EQ_INT(verdict_end(&v, spec, text, sizeof text), VERDICT_FAIL,
           "a word is a failure");
    EQ_STR(text, "x", "and the reason");
    answer.silent = true;
    EQ_STR(states(&v), "!~-~--", "no place: the first");
    EQ_STR(v.why, "the result violates the operation's rule", "no word: ours");
    answer.good = true;
    EQ_STR(states(&v), "~~-~--", "a legal result");
    OK(v.branch[VERDICT_INSIDE] == 3 && v.units == 3 && !v.why[0], "counted");
    text[0] = 'x';
    EQ_INT(verdict_end(&v, spec, text, sizeof text), VERDICT_PASS, "passes");
    EQ_STR(text, "", "without a word");
}

/* Three units, all of them the reference's. */
static void measured(void)
{
    struct verdict v;
    answer.silent = false;
    answer.good = true;
    answer.has_share = false;
    states(&v);
    OK(!v.share.has && v.whole == 3 && v.correct == 0,
       "what is not measured has no share, and no unit is right by itself");
    answer.has_share = true;
    answer.share = 894427;
    answer.share_unit = 1;
    states(&v);
    OK(v.share.has && v.share.size == 894427 && v.share.unit == 1
           && v.share.leaf == 0 && v.whole == 0 && v.correct == 3
           && !v.beyond.has,
       "what is measured has a share although it is right");
    answer.good = false;
    answer.leaf = 0;
    answer.unit = 1;
    answer.share = 1000000;
    states(&v);
    OK(!v.beyond.has, "its whole bound is not beyond it");
    answer.share = 1000001;
    states(&v);
    OK(v.beyond.has && v.beyond.size == 1000001 && v.beyond.unit == 1,
       "and beyond its bound, it is why the unit is wrong");
    answer.unit = 0;
    states(&v);
    OK(!v.beyond.has, "but not where another unit is wrong");
    answer.has_share = false;
}

/* Complex numbers, of which some count; what is behind stays as it was. */
static void unused(void)
{
    for (int size = 0; size <= 3; size++) {
        const bool dynamic[] = {true};
        const int64_t three = 3;
        unsigned char state[8] = {0};
        struct literal *want = literal_new(
            &arena, shape_dynamic(&arena, DT_c64, 1, &three, dynamic));
        want->sizes[0] = size;
        struct verdict v = {0};
        struct verdict_leaf leaf = {.goal = goal_of(&arena, want, GOAL_BITS),
                                    .got = want,
                                    .state = state};
        state[6] = state[7] = VERDICT_PENDING;
        verdict_units(&v, spec, &leaf);
        bool good = state[6] == VERDICT_PENDING && state[7] == VERDICT_PENDING;
        for (int i = 0; i < 6; i++)
            good &= state[i] == (i < 2 * size ? VERDICT_SAME : VERDICT_UNUSED);
        OK(good && v.units == 2 * size, "%d of 3 complex numbers", size);
    }
}

static struct literal *f32s(int64_t n, const uint32_t *bits)
{
    struct literal *l = literal_new(&arena, shape_array(&arena, DT_f32, 1, &n));
    for (int i = 0; bits && i < n; i++)
        literal_set(l, i, bits[i]);
    return l;
}

/* 00000123 is subnormal: spec lets it be flushed, but not data that only move,
 * nor the units that an operation leaves alone. */
static void kept(void)
{
    static const uint32_t tiny[] = {0x123, 0x123};
    static unsigned char keeps[] = {1, 0};
    for (int i = 0; i < 4; i++) {
        unsigned char state[2] = {0};
        struct verdict v = {0};
        struct goal *g = goal_of(&arena, f32s(2, tiny), GOAL_BITS);
        g->kept_units = i == 1 ? keeps : NULL;
        struct verdict_leaf leaf = {
            .goal = g, .got = f32s(2, NULL), .state = state, .moved = i == 2};
        verdict_units(&v, i == 3 ? strict : spec, &leaf);
        EQ_INT(state[0], i == 0 ? VERDICT_RESULTS : VERDICT_PENDING,
               "the first zero, %d", i);
        EQ_INT(state[1], i < 2 ? VERDICT_RESULTS : VERDICT_PENDING,
               "the second, %d", i);
    }
    struct verdict v = {0};
    struct verdict_leaf none = {.goal =
                                    goal_of(&arena, f32s(0, NULL), GOAL_REAL),
                                .got = f32s(0, NULL)};
    OK(verdict_same(&v, &none) && v.units == 0 && !v.error.has,
       "an empty array has no worst error");
    OK(verdict_is_failure(VERDICT_COUNT), "what is no verdict is a failure");
}

/* Natures in the order value, NaN bits (15 times), value, special, the sign of
 * zero, special: the list has room for the first 16.  The second value and the
 * second special are wrong like one that is listed; of those between, each
 * takes the place of the last whose nature is listed before it. */
static void listings(void)
{
    enum {
        ONE = 0x3f800000,
        NAN_1 = 0x7fc00000,
        NAN_2 = 0x7f800001,
        UNITS = 20
    };
    uint32_t want[UNITS], got[UNITS];
    for (int i = 0; i < UNITS; i++) {
        want[i] = NAN_1;
        got[i] = NAN_2;
    }
    want[0] = want[16] = ONE;
    got[0] = got[16] = ONE + 1;
    got[17] = got[19] = ONE;
    want[18] = 0x80000000;
    got[18] = 0;
    unsigned char state[UNITS] = {0};
    struct verdict v = {0};
    const struct verdict_leaf leaf = {
        .goal = goal_of(&arena, f32s(UNITS, want), GOAL_MOVED),
        .got = f32s(UNITS, got),
        .state = state};
    verdict_units(&v, spec, &leaf);
    verdict_pending(&v, &arena, spec, &leaf);
    EQ_INT(v.bad, UNITS, "all are wrong");
    bool good = v.wrong_count == 16;
    for (int i = 0; i < 16; i++)
        good = good && v.wrong[i].unit == (i < 14 ? i : i == 14 ? 18 : 17);
    OK(good, "each nature is listed");
}

/* A predicate's share is that of the one unit that it found beyond its bound,
 * here unit 1 of result 2 of replica 1. */
static void shares(void)
{
    static const struct {
        bool has;
        int replica, leaf;
        bool check;
        int64_t unit;
        bool due;
    } trials[] = {
        {true, 1, 2, true, 1, true},   {false, 1, 2, true, 1, false},
        {true, 0, 2, true, 1, false},  {true, 1, 1, true, 1, false},
        {true, 1, 2, false, 1, false}, {true, 1, 2, true, 0, false},
        {true, 0, 1, true, 1, false},
    };
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        struct goal *g = goal_of(&arena, f32s(2, NULL), GOAL_BITS);
        if (trials[i].check)
            goal_make_check(g, predicate, NULL, 0);
        const struct verdict v = {.beyond = {trials[i].has, 1000001, 1, 2, 1}};
        const struct verdict_leaf leaf = {.replica = trials[i].replica,
                                          .leaf = trials[i].leaf,
                                          .goal = g,
                                          .got = f32s(2, NULL)};
        const struct verdict_wrong w =
            verdict_wrong_unit(&v, &arena, spec, &leaf, trials[i].unit);
        OK(w.has_share == trials[i].due && (!w.has_share || w.share == 1000001),
           "the share of trial %d", (int)i);
    }
}

/* A text of any size is the beginning of the whole one, and nothing behind it
 * is written. */
static void texts(void)
{
    static const char full[] =
        "flushes results in 1 units and operands in 1; a in 4 units; "
        "b in 2 units; c in 9 units";
    struct verdict v = {
        .branch = {[VERDICT_RESULTS] = 1, [VERDICT_OPERANDS] = 1}};
    verdict_remark(&v, "a", 1);
    verdict_remark(&v, "b", 2);
    verdict_remark(&v, "a", 3);
    verdict_remark(&v, "c", 9);
    verdict_remark(&v, "d", 0);
    for (size_t size = 1; size <= sizeof full + 2; size++) {
        char text[sizeof full + 8];
        memset(text, '#', sizeof text);
        enum verdict_status status = verdict_end(&v, spec, text, size);
        size_t n = size < sizeof full ? size - 1 : sizeof full - 1;
        OK(status == VERDICT_WARN && strlen(text) == n
               && strncmp(text, full, n) == 0 && text[size] == '#'
               && text[sizeof full + 7] == '#',
           "a text in %d bytes", (int)size);
    }
    for (int i = 0; i < 2; i++) {
        char text[80];
        v = (struct verdict){0};
        v.branch[i ? VERDICT_RESULTS : VERDICT_OPERANDS] = 2;
        EQ_INT(verdict_end(&v, strict, text, sizeof text), VERDICT_PASS,
               "what a profile does not warn of");
        EQ_INT(verdict_end(&v, spec, text, sizeof text), VERDICT_WARN,
               "and what it does");
        EQ_STR(text,
               i ? "flushes subnormal results in 2 units"
                 : "flushes subnormal operands in 2 units",
               "with its text");
    }
    v = (struct verdict){0};
    char name[20][2];
    for (int i = 0; i < 20; i++) {
        snprintf(name[i], sizeof name[i], "%c", 'a' + i);
        verdict_remark(&v, name[i], 1);
    }
    EQ_INT(v.remark_count, VERDICT_REMARKS_MAX, "no more remarks than fit");
}

int main(void)
{
    struct status st = {0};
    if (!profile_load(&arena, "spec", &spec, &st)
        || !profile_load(&arena, "strict", &strict, &st)) {
        OK(false, "%s", st.text);
        return tap_done();
    }
    predicates();
    measured();
    unused();
    kept();
    listings();
    shares();
    texts();
    arena_free(&arena);
    return tap_done();
}
