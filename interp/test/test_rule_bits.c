/* test_rule_bits.c - the set and the ends of a result that is a pattern.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Expected: spec/verdicts.md by hand.  In f32 the pattern 1 is the smallest
 * subnormal number, 0x00800000 the smallest normal one, the top bit the sign.
 */
#include "interp/goal/rule.h"
#include "interp/test/tap.h"

enum {
    FLUSH = ACCEPT_FLUSH_RESULTS,
    BOTH = FLUSH | ACCEPT_FLUSH_OPERANDS,
    ANY = ACCEPT_FLUSH_ANY_SIGN,
};

static struct goal *pattern(struct arena *a, const char *shape, uint64_t bits)
{
    struct status st = {0};
    const struct shape *s = NULL;
    OK(shape_parse(a, shape, &s, &st), "%s", st.text);
    struct goal *g = goal_new(a, s, GOAL_BITS, true);
    goal_bits(g, 0, bits);
    return g;
}

static const struct {
    const char *type;
    uint32_t value;
    unsigned subnormal;
    bool zeros;    /* either zero for a zero */
    uint32_t also; /* besides the value; the value: nothing */
    bool other;    /* and the zero of the other sign */
    const char *why;
} sets[] = {
    {"f32", 1, 0, false, 1, false, "preserved"},
    {"f32", 1, FLUSH, false, 0, false, "flushed to +0"},
    {"f32", 1U | 1U << 31, FLUSH, false, 1U << 31, false, "flushed to -0"},
    {"f32", 1, FLUSH | ANY, false, 0, true, "flushed to either zero"},
    {"f32", 1, ANY, false, 1, false, "only results that are flushed"},
    {"f32", 1, BOTH, false, 0, false, "operands may be, too"},
    {"f32", 0x00800000, BOTH | ANY, true, 0x00800000, false, "normal"},
    {"f32", 0, 0, true, 1U << 31, false, "either zero"},
    {"f32", 1U << 31, 0, true, 0, false, "either zero for -0"},
    {"f32", 0, FLUSH | ANY, false, 0, false, "a zero is not flushed"},
    {"u32", 1, BOTH | ANY, true, 1, false, "an integer is one pattern"},
    {"u32", 0, BOTH | ANY, true, 0, false, "of integers there is one zero"},
    {"f8e5m2fnuz", 0, 0, true, 0, false, "there is no -0: 0x80 is NaN"},
    {"f8e8m0fnu", 0, BOTH | ANY, true, 0, false, "2^-127 is no zero"},
};

static void test_sets(struct arena *a)
{
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        const char *shape = arena_printf(a, "%s[1]", sets[i].type);
        const struct goal *g = pattern(a, shape, sets[i].value);
        struct rule_basis b = {.rules.subnormal = sets[i].subnormal,
                               .rules.zero_any_sign = sets[i].zeros};
        struct accept_set set;
        enum dtype unit = rule_unit(g);
        rule_bits.allow(&set, &b, g, 0, &b.rules);
        uint64_t zero = dtype_class(unit) == DTYPE_FLOAT
                            ? real_formats[unit].sign ^ sets[i].also
                            : sets[i].value;
        int64_t counted = 0;
        for (int k = 0; k < set.count; k++)
            counted += set.range[k].high - set.range[k].low + 1;
        int64_t due = 1 + (sets[i].also != sets[i].value) + sets[i].other;
        OK(accept_has(&set, unit, sets[i].value)
               && accept_has(&set, unit, sets[i].also)
               && (!sets[i].other || accept_has(&set, unit, zero)),
           "%s, %x: %s", shape, sets[i].value, sets[i].why);
        OK(counted == due && !set.any && !set.nan,
           "and nothing else: %lld patterns, expected %lld", (long long)counted,
           (long long)due);
    }
}

static void test_nan(struct arena *a)
{
    const struct goal *g = pattern(a, "f32[1]", 0x7fc00001);
    for (int rule = ACCEPT_NAN_ANY; rule <= ACCEPT_NAN_PAYLOAD; rule++) {
        struct rule_basis b = {.rules.nan = (enum accept_nan)rule};
        struct accept_set set;
        rule_bits.allow(&set, &b, g, 0, &b.rules);
        OK(accept_has(&set, DT_f32, 0x7fc00001)
                   == (rule != ACCEPT_NAN_CANONICAL)
               && accept_has(&set, DT_f32, 0x7fc00000)
                      == (rule != ACCEPT_NAN_PAYLOAD)
               && accept_has(&set, DT_f32, 0x7f800001)
                      == (rule == ACCEPT_NAN_ANY)
               && !accept_has(&set, DT_f32, 0x7f800000),
           "the NaNs of rule %d", rule);
    }
}

/* What an operation may get that takes the result as its operand: where
 * operands may be flushed, it treats a subnormal one as zero itself. */
static void test_ends(struct arena *a)
{
    static const struct {
        const char *shape;
        uint32_t value;
        unsigned subnormal;
        uint32_t low, high;
    } rows[] = {
        {"f32[1]", 1, 0, 1, 1},
        {"f32[1]", 1, FLUSH, 0, 1},
        {"f32[1]", 1U | 1U << 31, FLUSH, 1U | 1U << 31, 1U << 31},
        {"f32[1]", 1, FLUSH | ANY, 1U << 31, 1},
        {"f32[1]", 1U | 1U << 31, FLUSH | ANY, 1U | 1U << 31, 0},
        {"f32[1]", 1, BOTH, 1, 1},
        {"f32[1]", 1, ACCEPT_FLUSH_OPERANDS, 1, 1},
        {"f32[1]", 0x00800000, FLUSH, 0x00800000, 0x00800000},
        {"f32[1]", 0, FLUSH | ANY, 0, 0},
        {"u32[1]", 1, FLUSH | ANY, 1, 1},
        {"f8e8m0fnu[1]", 0, FLUSH | ANY, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct goal *g = pattern(a, rows[i].shape, rows[i].value);
        struct rule_basis b = {.rules.subnormal = rows[i].subnormal};
        struct goal_ends e = {0, 0};
        const char *why = NULL;
        OK(rule_bits.ends(&e, &b, g, 0, &why) && e.low == rows[i].low
               && e.high == rows[i].high,
           "%s, %x: ends %llx and %llx, expected %x and %x", rows[i].shape,
           rows[i].value, (unsigned long long)e.low, (unsigned long long)e.high,
           rows[i].low, rows[i].high);
    }
}

static void test_varies(struct arena *a)
{
    struct status st = {0};
    const struct profile *strict = NULL, *flush = NULL;
    OK(profile_load(a, "strict", &strict, &st)
           && profile_load(a, "runner/test/flush-results.json", &flush, &st),
       "profiles: %s", st.text);
    const struct goal *subnormal = pattern(a, "f32[2]", 1);
    OK(rule_bits.varies(flush, subnormal), "a subnormal number may be flushed");
    OK(!rule_bits.varies(strict, subnormal), "not under strict");
    OK(!rule_bits.varies(flush, pattern(a, "f32[2]", 0x00800000)),
       "a normal number is one pattern");
    OK(!rule_bits.varies(flush, pattern(a, "u32[2]", 1)), "so is an integer");
    struct goal *last = pattern(a, "f32[2]", 0);
    goal_bits(last, 1, 1);
    OK(rule_bits.varies(flush, last), "the last unit counts");
}

int main(void)
{
    struct arena arena = ARENA_INIT;
    test_sets(&arena);
    test_nan(&arena);
    test_ends(&arena);
    test_varies(&arena);
    arena_free(&arena);
    return tap_done();
}
