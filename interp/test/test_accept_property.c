/* test_accept_property.c - what holds of every acceptance set.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * No expected values: a wider budget gives a larger set, the negated value the
 * negated set, more digits the same set, and the correctly rounded value is
 * always a member.
 */
#include "interp/base/random.h"
#include "interp/exact/accept.h"
#include "interp/test/slow_accept.h"
#include "interp/test/tap.h"

static const enum dtype types[] = {DT_f8e4m3fn, DT_f8e5m2fnuz, DT_f16,
                                   DT_bf16,     DT_f32,        DT_f64};

/* A number around the type's range, its ends more often. */
static struct real draw(struct random *random, enum dtype type)
{
    const struct dtype_info *t = &dtype_table[type];
    struct real r = real_from_int(1);
    int64_t low = t->emin - t->precision - 1, high = t->emax + 2;
    uint64_t form = random_next(random) % 4;
    r.exponent = form == 0   ? random_between(random, t->emax - 1, high)
                 : form == 1 ? random_between(random, low, t->emin + 1)
                             : random_between(random, low, high);
    r.significand = (real_u128)1 << 127 | (real_u128)random_next(random) << 63
                    | random_next(random);
    /* Often few digits: numbers of the type, ties, and just beyond. */
    if (random_next(random) % 2)
        r.significand &= ~(real_u128)0
                         << (128 - t->precision - random_next(random) % 3);
    r.inexact = random_next(random) % 2;
    return r;
}

static struct accept_budget draw_budget(struct random *random)
{
    struct accept_budget b = {.kind = ACCEPT_ULP};
    b.ulps = real_from_int(random_between(random, 0, 12));
    if (b.ulps.kind == REAL_FINITE)
        b.ulps.exponent -= 2;
    if (random_next(random) % 3 == 0) {
        b.rel = real_from_int(random_between(random, 1, 99));
        b.rel.exponent -= 12;
    }
    if (random_next(random) % 3 == 0)
        b.kind = ACCEPT_XLA;
    if (random_next(random) % 9 == 0)
        b.kind = ACCEPT_FAITHFUL;
    return b;
}

static uint64_t turn(enum dtype t, uint64_t bits)
{
    if (real_is_zero(t, bits) && !real_has_negative_zero(t))
        return bits;
    return real_is_nan(t, bits) ? bits : bits ^ real_formats[t].sign;
}

static struct {
    long member, narrower, turned, digits, checked, undecided;
} wrong;

static void check(struct random *random, enum dtype t)
{
    struct real y = draw(random, t), minus = y, shorter = y;
    struct accept_budget budget = draw_budget(random), wider = budget;
    struct accept_rules rules = {
        .subnormal = random_next(random) % 2 ? ACCEPT_FLUSH_RESULTS : 0};
    struct accept_set a, b, c, d;
    minus.negative = true;
    wider.ulps = real_from_int(random_between(random, 3, 9));
    wider.rel = real_from_int(1);
    wider.rel.exponent -= 3;
    /* Another width of the same number. */
    shorter.width = 100;
    real_u128 kept = ~(real_u128)0 << 28;
    shorter.inexact = y.inexact || (y.significand & ~kept) != 0;
    shorter.significand &= kept;
    uint64_t value = real_round(&y, t, REAL_OVERFLOW_TYPE);
    uint64_t turned = real_round(&minus, t, REAL_OVERFLOW_TYPE);
    accept_value(&a, t, &y, value, &budget, &rules);
    accept_value(&b, t, &y, value, &wider, &rules);
    accept_value(&c, t, &minus, turned, &budget, &rules);
    accept_value(&d, t, &shorter, value, &budget, &rules);
    wrong.checked++;
    wrong.undecided += a.undecided;
    wrong.member += !accept_has(&a, t, value);
    for (int i = 0; i < 60; i++) {
        uint64_t p = random_next(random) & dtype_mask(t);
        int64_t key = real_is_nan(t, value) ? 0 : real_key(t, value);
        if (i < 40 && !real_is_nan(t, value))
            p = real_from_key(t, key + i - 20) & dtype_mask(t);
        bool in = accept_has(&a, t, p);
        wrong.narrower += in && !accept_has(&b, t, p)
                          && budget.kind != ACCEPT_FAITHFUL
                          && budget.kind == wider.kind;
        wrong.turned += in != accept_has(&c, t, turn(t, p));
        wrong.digits +=
            !d.undecided && !a.undecided && in != accept_has(&d, t, p);
    }
}

static struct accept_rules nan_rules(enum accept_nan nan)
{
    return (struct accept_rules){.nan = nan};
}

static void nans(void)
{
    struct accept_set set;
    struct accept_budget cr = {.kind = ACCEPT_CR};
    struct real nan = real_from_bits(DT_f32, 0x7fc00000);
    static const uint64_t p[] = {0x7fc00000, 0xffc00000, 0x7fc00001, 0x7f800001,
                                 0x7f800000};
    static const char *const want[] = {"11110", "11100", "11000", "00100"};
    for (int rule = 0; rule < 4; rule++) {
        struct accept_rules rules = nan_rules((enum accept_nan)rule);
        accept_value(&set, DT_f32, &nan, 0x7fc00001, &cr, &rules);
        char got[6] = "";
        for (int i = 0; i < 5; i++)
            got[i] = accept_has(&set, DT_f32, p[i]) ? '1' : '0';
        got[4] = got[4] == '0' ? '\0' : '!';
        char text[6] = "";
        for (int i = 0; i < 4; i++)
            text[i] = want[rule][i];
        EQ_STR(got, text, "NaN rule %d", rule);
    }
    accept_bits(&set, DT_f32, 0x7f800001);
    OK(slow_accept_has(&set, DT_f32, "7f800001 !7fc00001"),
       "moved NaNs keep their bits");
    accept_add(&set, DT_f32, 0x7fc00005);
    OK(slow_accept_has(&set, DT_f32, "7fc00005 7f800001 !7fc00001"),
       "two NaNs");
    accept_bits(&set, DT_f8e4m3fnuz, 0x80);
    OK(slow_accept_has(&set, DT_f8e4m3fnuz, "80 !0"), "fnuz: NaN is not zero");
    accept_bits(&set, DT_f8e4m3fnuz, 0);
    OK(!accept_has(&set, DT_f8e4m3fnuz, 0x80), "fnuz: zero is not NaN");
}

static void zeros(void)
{
    struct accept_set set;
    struct accept_budget ulp = {.kind = ACCEPT_ULP, .ulps = real_from_int(9)};
    struct accept_rules rules = {.zero_any_sign = false};
    struct real zero = real_from_bits(DT_f32, 0x80000000);
    accept_value(&set, DT_f32, &zero, 0x80000000, &ulp, &rules);
    OK(slow_accept_has(&set, DT_f32, "80000000 !0 !80000001"),
       "an exact zero has no budget, and a sign");
    rules.zero_any_sign = true;
    accept_value(&set, DT_f32, &zero, 0x80000000, &ulp, &rules);
    OK(slow_accept_has(&set, DT_f32, "0 !1"), "that a policy frees");
    struct real inf = real_from_bits(DT_f32, 0x7f800000);
    accept_value(&set, DT_f32, &inf, 0x7f800000, &ulp, &rules);
    OK(slow_accept_has(&set, DT_f32, "7f800000 !7f7fffff"),
       "infinity is not the largest number");
    struct real tiny = real_from_bits(DT_f32, 1);
    accept_value(&set, DT_f32, &tiny, 1, &ulp, &rules);
    OK(slow_accept_has(&set, DT_f32, "0 a !b !80000000"),
       "a budget ends at zero");
}

/* Patterns of f32 from its definition: 00800000 is the smallest normal number,
 * 7f7fffff the largest. */
static void policies(void)
{
    struct accept_set set;
    struct accept_budget cr = {.kind = ACCEPT_CR};
    struct accept_budget ulp = {.kind = ACCEPT_ULP, .ulps = real_from_int(1)};
    struct accept_rules none = {0}, rules = {.underflow = true};
    struct real tiny = real_from_bits(DT_f32, 0x80000100);
    accept_value(&set, DT_f32, &tiny, 0x80000100, &cr, &rules);
    OK(slow_accept_has(&set, DT_f32, "80000000 80800000 !0 !80000101"),
       "underflow to zero or the smallest normal number, of its sign");
    accept_value(&set, DT_f32, &tiny, 0x80000100, &cr, &none);
    OK(!accept_has(&set, DT_f32, 0x80000000), "only by that policy");
    struct real huge = real_from_int(3);
    huge.exponent = 200;
    rules = (struct accept_rules){.neighbours = true};
    accept_value(&set, DT_f32, &huge, 0x7f800000, &ulp, &rules);
    OK(slow_accept_has(&set, DT_f32, "7f7fffff 7f800000 !7f7ffffe"),
       "the largest number for infinity");
    accept_value(&set, DT_f32, &huge, 0x7f800000, &cr, &rules);
    OK(!accept_has(&set, DT_f32, 0x7f7fffff), "not if correctly rounded");
    accept_value(&set, DT_f32, &huge, 0x7f800000, &ulp, &none);
    OK(!accept_has(&set, DT_f32, 0x7f7fffff), "only by that policy");
    /* 1.5 is halfway between 1 (7f) and 2 (80), where no pattern is even. */
    struct real tie = real_from_int(3);
    tie.exponent = 0;
    rules = (struct accept_rules){.tie_either = true};
    accept_value(&set, DT_f8e8m0fnu, &tie, 0x80, &cr, &rules);
    OK(slow_accept_has(&set, DT_f8e8m0fnu, "7f 80 !81"),
       "a tie of one digit goes either way");
    accept_value(&set, DT_f8e8m0fnu, &tie, 0x80, &cr, &none);
    OK(!accept_has(&set, DT_f8e8m0fnu, 0x7f), "only by that policy");
}

static void sets(void)
{
    struct accept_set set, other;
    accept_bits(&set, DT_s32, 5);
    OK(slow_accept_has(&set, DT_s32, "5 !6"), "integer");
    for (int i = 0; i < 40; i++)
        accept_add(&set, DT_s32, (uint64_t)(10 * i));
    bool all = true;
    for (int i = 0; i < 40; i++)
        all &= accept_has(&set, DT_s32, (uint64_t)(10 * i));
    OK(all && set.undecided && set.count <= ACCEPT_RANGES,
       "many patterns: a larger set, that says so");
    accept_bits(&set, DT_s8, 0x80);
    accept_add(&set, DT_s8, 0x82);
    accept_add(&set, DT_s8, 0x81);
    OK(set.count == 1 && accept_has(&set, DT_s8, 0x82)
           && !accept_has(&set, DT_s8, 0x83),
       "neighbours become a range");
    accept_bits(&set, DT_u64, UINT64_MAX);
    accept_bits(&other, DT_u64, 0);
    accept_union(&set, &other);
    OK(accept_has(&set, DT_u64, 0) && accept_has(&set, DT_u64, UINT64_MAX)
           && !accept_has(&set, DT_u64, 1) && set.count == 2,
       "both ends of u64");
    accept_bits(&other, DT_u64, UINT64_MAX);
    accept_union(&set, &other);
    EQ_INT(set.count, 2, "nothing twice");
    accept_add(&set, DT_u64, 7);
    OK(set.count == 3 && set.range[0].low < set.range[1].low
           && set.range[1].low < set.range[2].low && accept_has(&set, DT_u64, 7)
           && accept_has(&set, DT_u64, 0),
       "one between, in order");
}

/* ---- Ranges -------------------------------------------------------------- */

/* What a set of keys is after others were added: pairs of ends. */
struct joined {
    int64_t had[6], added[2], want[6];
    int count, left;
};

static struct accept_set set_of(const int64_t *ends, int count)
{
    struct accept_set set = {.count = count};
    for (int i = 0; i < count; i++) {
        set.range[i].low = ends[2 * i];
        set.range[i].high = ends[2 * i + 1];
    }
    return set;
}

static void ranges(void)
{
    static const struct joined trials[] = {
        {{10, 20}, {30, 40}, {10, 20, 30, 40}, 1, 2},
        {{30, 40}, {10, 20}, {10, 20, 30, 40}, 1, 2},
        {{10, 20}, {21, 40}, {10, 40}, 1, 1},
        {{10, 20}, {22, 40}, {10, 20, 22, 40}, 1, 2},
        {{22, 40}, {10, 21}, {10, 40}, 1, 1},
        {{22, 40}, {10, 20}, {10, 20, 22, 40}, 1, 2},
        {{10, 20}, {12, 18}, {10, 20}, 1, 1},
        {{12, 18}, {10, 20}, {10, 20}, 1, 1},
        {{10, 20}, {15, 25}, {10, 25}, 1, 1},
        {{15, 25}, {10, 20}, {10, 25}, 1, 1},
        {{10, 20}, {20, 20}, {10, 20}, 1, 1},
        {{10, 20}, {10, 10}, {10, 20}, 1, 1},
        {{10, 20, 30, 40, 50, 60}, {25, 45}, {10, 20, 25, 45, 50, 60}, 3, 3},
        {{10, 20, 30, 40, 50, 60}, {20, 50}, {10, 60}, 3, 1},
        {{10, 20, 30, 40, 50, 60}, {21, 28}, {10, 28, 30, 40, 50, 60}, 3, 3},
        {{10, 20, 30, 40, 50, 60}, {22, 29}, {10, 20, 22, 40, 50, 60}, 3, 3},
        {{10, 20, 30, 40, 50, 60}, {0, 70}, {0, 70}, 3, 1},
        {{INT64_MIN, INT64_MIN},
         {INT64_MAX, INT64_MAX},
         {INT64_MIN, INT64_MIN, INT64_MAX, INT64_MAX},
         1,
         2},
        {{INT64_MAX, INT64_MAX},
         {INT64_MIN, INT64_MIN},
         {INT64_MIN, INT64_MIN, INT64_MAX, INT64_MAX},
         1,
         2},
    };
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        const struct joined *t = &trials[i];
        struct accept_set set = set_of(t->had, t->count);
        struct accept_set more = set_of(t->added, 1);
        accept_union(&set, &more);
        bool good = set.count == t->left && !set.undecided;
        for (int k = 0; good && k < t->left; k++)
            good = set.range[k].low == t->want[2 * k]
                   && set.range[k].high == t->want[2 * k + 1];
        OK(good, "%d: one range more", (int)i);
    }
}

/* 24 single keys with gaps of 9, but another after the near-th: a 25th makes
 * one range of the nearest two, and adds just what lies between them. */
static void nearest_pair(int near, int gap)
{
    int64_t ends[2 * ACCEPT_RANGES], key = 0;
    for (int i = 0; i < ACCEPT_RANGES; i++) {
        ends[2 * i] = ends[2 * i + 1] = key;
        key += i == near ? gap : 9;
    }
    struct accept_set set = set_of(ends, ACCEPT_RANGES);
    accept_add(&set, DT_s32, (uint64_t)key);
    bool good = set.undecided && set.count == ACCEPT_RANGES;
    for (int64_t k = -1; k < key; k++) {
        bool want = k > ends[2 * near] && k < ends[2 * near + 2];
        for (int i = 0; i < ACCEPT_RANGES; i++)
            want = want || k == ends[2 * i];
        good =
            good && accept_has(&set, DT_s32, (uint64_t)k & 0xffffffff) == want;
    }
    OK(good && accept_has(&set, DT_s32, (uint64_t)key),
       "the pair after key %d is the nearest", near);
}

static void flags(void)
{
    struct accept_set any = {.any = true}, open = {.undecided = true};
    struct accept_set none = {0}, set = any;
    accept_union(&set, &none);
    OK(set.any && !set.undecided, "any and none is any");
    set = none;
    accept_union(&set, &any);
    OK(set.any && !set.undecided, "none and any too");
    set = open;
    accept_union(&set, &none);
    OK(!set.any && set.undecided, "undecided and none is undecided");
    set = none;
    accept_union(&set, &open);
    OK(!set.any && set.undecided, "none and undecided too");
    /* The NaN of these types has the pattern that is -0 in others. */
    accept_bits(&set, DT_f8e5m2fnuz, 0x80);
    accept_add(&set, DT_f8e5m2fnuz, 0x80);
    OK(slow_accept_has(&set, DT_f8e5m2fnuz, "80 !0"),
       "the one NaN, twice, is not 0");
    accept_bits(&set, DT_f8e5m2fnuz, 0);
    OK(slow_accept_has(&set, DT_f8e5m2fnuz, "0 !80"), "nor is 0 NaN");
    accept_bits(&set, DT_f32, 0x7fc00001);
    accept_add(&set, DT_f32, 0xffc00002);
    OK(slow_accept_has(&set, DT_f32,
                       "7fc00001 ffc00002 !7fc00002 !ffc00001 !ff800000"),
       "two NaNs are no others");
}

static void nan_unions(void)
{
    struct accept_set quiet = {.nan = true, .nan_rule = ACCEPT_NAN_QUIET};
    struct accept_set some = {.nan = true, .nan_rule = ACCEPT_NAN_CANONICAL};
    struct accept_set set = some, moved, other;
    accept_union(&set, &quiet);
    OK(set.nan_rule == ACCEPT_NAN_QUIET, "the wider rule for NaN");
    set = quiet;
    accept_union(&set, &some);
    OK(set.nan_rule == ACCEPT_NAN_QUIET, "in either order");
    accept_bits(&moved, DT_f32, 0x7f800001);
    set = moved;
    accept_union(&set, &moved);
    OK(set.nan_rule == ACCEPT_NAN_PAYLOAD
           && !accept_has(&set, DT_f32, 0x7fc00000),
       "the same NaN twice");
    accept_bits(&other, DT_f32, 0x7f800002);
    accept_union(&set, &other);
    OK(slow_accept_has(&set, DT_f32, "7f800001 7f800002"), "two NaNs");
    accept_bits(&set, DT_f32, 0);
    accept_union(&set, &moved);
    OK(slow_accept_has(&set, DT_f32, "7f800001 0 !7f800002"),
       "a NaN and a number");
    set = (struct accept_set){0};
    other = (struct accept_set){.any = true};
    accept_union(&set, &other);
    OK(accept_has(&set, DT_f32, 1), "anything");
}

/* Sets that are known by hand. */
static void edges(void)
{
    struct accept_set set;
    struct accept_budget cr = {.kind = ACCEPT_CR};
    struct accept_rules flush = {.subnormal = ACCEPT_FLUSH_RESULTS};
    struct real y = real_from_bits(DT_f32, 0x800000);
    y.exponent--;
    y.significand = ~(real_u128)0; /* rounds up to the smallest normal */
    accept_value(&set, DT_f32, &y, 0x800000, &cr, &flush);
    OK(slow_accept_has(&set, DT_f32, "800000 0"),
       "tiny before rounding, not after: either");
    y = real_from_bits(DT_f32, 0x800000);
    accept_value(&set, DT_f32, &y, 0x800000, &cr, &flush);
    OK(!accept_has(&set, DT_f32, 0), "the smallest normal is not flushed");
    struct real low = real_from_int(-1), high = real_from_int(2);
    accept_interval(&set, DT_f32, &low, &high, 0, &flush);
    OK(slow_accept_has(&set, DT_f32,
                       "bf800000 0 80000000 40000000 !40000001 !bf800001"),
       "[-1, 2]");
    struct real inf = real_from_bits(DT_f32, 0x7f800000);
    accept_interval(&set, DT_f8e4m3fn, &low, &inf, 0, &flush);
    OK(slow_accept_has(&set, DT_f8e4m3fn, "7f 7e"),
       "to infinity, in a type without");
    accept_interval(&set, DT_f8e8m0fnu, &low, &high, 0x80, &flush);
    OK(slow_accept_has(&set, DT_f8e8m0fnu, "ff 0 80 !81"),
       "[-1, 2] in a type without negative numbers");
    low = real_from_int(1);
    accept_interval(&set, DT_f8e8m0fnu, &low, &high, 0x80, &flush);
    OK(slow_accept_has(&set, DT_f8e8m0fnu, "!ff !7e 7f"), "[1, 2]");
}

int main(void)
{
    struct random random = {tap_seed(2026)};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        for (int n = 0; n < 6000; n++)
            check(&random, types[i]);
    OK(wrong.checked > 30000, "checked");
    EQ_INT(wrong.member, 0, "the correctly rounded value is a member");
    EQ_INT(wrong.narrower, 0, "widening never shrinks");
    EQ_INT(wrong.turned, 0, "negation turns the set over");
    EQ_INT(wrong.digits, 0, "more digits give the same set");
    OK(wrong.undecided * 100 < wrong.checked, "%ld undecided of %ld",
       wrong.undecided, wrong.checked);
    nans();
    zeros();
    policies();
    sets();
    ranges();
    nearest_pair(0, 4);
    nearest_pair(0, 9); /* the first of those that are as near */
    nearest_pair(11, 8);
    nearest_pair(ACCEPT_RANGES - 2, 4);
    flags();
    nan_unions();
    edges();
    return tap_done();
}
