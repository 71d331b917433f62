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
static const struct profile *spec;

/* What the predicate of the test answers. */
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
           && v.whole == 0 && v.correct == 3 && !v.beyond.has,
       "what is measured has a share although it is right");
    answer.good = false;
    answer.leaf = 0;
    answer.unit = 1;
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

int main(void)
{
    struct status st = {0};
    if (!profile_load(&arena, "spec", &spec, &st)) {
        OK(false, "%s", st.text);
        return tap_done();
    }
    predicates();
    measured();
    unused();
    arena_free(&arena);
    return tap_done();
}
