/* test_accept_edges.c - acceptance sets and shares that are known by hand.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * In f32 3f800000 is 1, whose ulp is 2^-23, and 00000001 is 2^-149; ff800000 is
 * -infinity and ff7fffff the most negative number.
 */
#include "interp/exact/accept_bound.h"
#include "interp/test/slow_accept.h"
#include "interp/test/tap.h"

static struct real number(int64_t m, int64_t e)
{
    struct real r = real_from_int(m);
    r.exponent += r.kind == REAL_FINITE ? e : 0;
    return r;
}

/* A sum without roundings is off over half an ulp. */
static int64_t share(struct real sum, uint64_t got)
{
    struct accept_sum s = {.sum = sum, .accumulator = DT_f32};
    int64_t size = -1;
    OK(accept_accumulation_share(&s, DT_f32, got, &size), "a share");
    return size;
}

static void shares(void)
{
    EQ_INT(share(number(1, 0), 0x3f800000), 0, "1 is 1");
    EQ_INT(share(number(1, 0), 0x3f800001), 2000000, "an ulp above");
    EQ_INT(share(number(1, 0), 0x3f7fffff), -1000000, "half of one below");
    EQ_INT(share(number(-1, 0), 0xbf800001), -2000000, "away from zero");
    EQ_INT(share(number(-1, 0), 0xbf7fffff), 1000000, "towards it");
    EQ_INT(share(number(0, 0), 1), 2000000, "beside zero");
    EQ_INT(share(number(1, -130), 1 << 19 | 1), 2000000, "a subnormal number");
    EQ_INT(share(number(1, -149), 0x7f7fffff), REAL_ERROR_MAX, "far above");
    EQ_INT(share(number(1, -149), 0xff7fffff), -REAL_ERROR_MAX, "far below");
    /* E = 4 * 2 / (2^24 - 2), a little more than 2^-21, of which 8 * 2^-23 is
     * twice.  In a narrower type half an ulp of more than 1 is added: 2^-8 of
     * bf16, of which an ulp is nearly twice. */
    struct accept_sum s = {.sum = number(1, 0),
                           .magnitude = number(4, 0),
                           .roundings = 2,
                           .accumulator = DT_f32};
    int64_t size = 0;
    OK(accept_accumulation_share(&s, DT_f32, 0x3f800008, &size)
           && size == 2000000,
       "twice the bound: %lld", (long long)size);
    /* 2^-7 / (2^-8 + 2^-21) = 2 / (1 + 2^-13) = 1.999756 */
    OK(accept_accumulation_share(&s, DT_bf16, 0x3f81, &size) && size == 1999756,
       "in a narrower type: %lld", (long long)size);
    OK(!accept_accumulation_share(&s, DT_s32, 1, &size), "integers have none");
    OK(!accept_accumulation_share(&s, DT_f32, 0x7f800000, &size),
       "nor has infinity");
    s.magnitude = real_from_bits(DT_f32, 0x7f800000);
    OK(!accept_accumulation_share(&s, DT_f32, 0x3f800000, &size),
       "nor what has infinite terms");
    s.magnitude = number(4, 0);
    s.sum = real_from_bits(DT_f32, 0x7f800000);
    OK(!accept_accumulation_share(&s, DT_f32, 0x3f800000, &size),
       "or an infinite sum");
}

static void infinite_ends(void)
{
    struct accept_set set;
    struct accept_rules rules = {0};
    struct real one = number(1, 0), minus = number(-1, 0);
    struct real inf = real_from_bits(DT_f32, 0x7f800000),
                down = real_from_bits(DT_f32, 0xff800000);
    accept_interval(&set, DT_f32, &down, &minus, 0xbf800000, &rules);
    OK(slow_accept_has(&set, DT_f32,
                       "ff800000 ff7fffff bf800000 !bf7fffff !7f800000"),
       "from -infinity to -1");
    accept_interval(&set, DT_f32, &one, &inf, 0x3f800000, &rules);
    OK(slow_accept_has(&set, DT_f32,
                       "7f800000 7f7fffff 3f800000 !3f7fffff !ff800000"),
       "from 1 to infinity");
}

static void patterns(void)
{
    struct accept_set set = {
        .nan = true, .nan_rule = ACCEPT_NAN_PAYLOAD, .nan_bits = 0x7fc00001};
    struct accept_rules rules = {.nan = ACCEPT_NAN_PAYLOAD};
    accept_bound_pattern(&set, DT_f32, 0x7fc00002, &rules);
    EQ_INT(set.nan_bits, 0x7fc00001, "the first of two payloads");
    rules.nan = ACCEPT_NAN_QUIET;
    accept_bound_pattern(&set, DT_f32, 0x7fc00002, &rules);
    EQ_INT(set.nan_rule, ACCEPT_NAN_QUIET, "a wider rule");
    rules.nan = ACCEPT_NAN_CANONICAL;
    accept_bound_pattern(&set, DT_f32, 0x7fc00000, &rules);
    EQ_INT(set.nan_rule, ACCEPT_NAN_QUIET, "is not narrowed");
}

/* ---- Bounds -------------------------------------------------------------- */

/* The keys of f8e4m3fn are those of its numbers, -448 (-127) to 448 (126), but
 * for -0 (-1); f32's end at +-7f7fffff.  f8e8m0fnu has 2^-127 (0) to 2^127
 * (254). */
static void bounds(void)
{
    static const struct {
        enum dtype type;
        int64_t m, e;
        int64_t nearest, up, down;
    } trials[] = {
        {DT_f8e4m3fn, 448, 0, 126, 126, 126},
        {DT_f8e4m3fn, -448, 0, -127, -127, -127},
        {DT_f8e4m3fn, 449, 0, 126, 127, 126},
        {DT_f8e4m3fn, -449, 0, -127, -127, -128},
        {DT_f8e4m3fn, 447, 0, 126, 126, 125},
        {DT_f8e4m3fn, -447, 0, -127, -126, -127},
        {DT_f8e4m3fn, 480, 0, 127, 127, 126},
        {DT_f8e4m3fn, -480, 0, -128, -127, -128},
        {DT_f8e4m3fn, 1, 100, 127, 127, 126},
        {DT_f8e4m3fn, -1, 100, -128, -127, -128},
        {DT_f8e4m3fn, 1, -100, 0, 1, 0},
        {DT_f8e4m3fn, -1, -100, -1, -1, -2},
        {DT_f32, 1, 128, 0x7f800000, 0x7f800000, 0x7f7fffff},
        {DT_f32, -1, 128, -1 - 0x7f800000, -0x7f800000, -1 - 0x7f800000},
        {DT_f8e8m0fnu, 1, 0, 127, 127, 127},
        {DT_f8e8m0fnu, 1, -127, 0, 0, 0},
        {DT_f8e8m0fnu, 1, 127, 254, 254, 254},
        {DT_f8e8m0fnu, 1, 128, 255, 255, 254},
        {DT_f8e8m0fnu, 0, 0, -1, 0, -1},
        {DT_f8e8m0fnu, -1, 0, -1, 0, -1},
        {DT_f8e8m0fnu, -1, 200, -1, 0, -1},
    };
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        struct real r = number(trials[i].m, trials[i].e);
        enum dtype t = trials[i].type;
        EQ_INT(accept_bound_nearest(&r, t), trials[i].nearest, "%d: nearest",
               (int)i);
        EQ_INT(accept_bound_inward(&r, t, true), trials[i].up, "%d: not below",
               (int)i);
        EQ_INT(accept_bound_inward(&r, t, false), trials[i].down,
               "%d: not above", (int)i);
    }
}

/* Infinity where a type has it; else NaN, or the largest number. */
static void overflow_patterns(void)
{
    static const struct {
        enum dtype type;
        uint64_t plus, minus, most, least;
    } trials[] = {
        {DT_f32, 0x7f800000, 0xff800000, 0x7f7fffff, 0xff7fffff},
        {DT_f8e4m3fn, 0x7f, 0xff, 0x7e, 0xfe},
        {DT_f8e5m2fnuz, 0x80, 0x80, 0x7f, 0xff},
        {DT_f4e2m1fn, 0x7, 0xf, 0x7, 0xf},
        {DT_f8e8m0fnu, 0xff, 0xff, 0xfe, 0},
    };
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        enum dtype t = trials[i].type;
        uint64_t want[] = {trials[i].plus, trials[i].minus, trials[i].most,
                           trials[i].least};
        for (int k = 0; k < 4; k++)
            EQ_INT(accept_bound_overflow(t, k & 1,
                                         k < 2 ? REAL_OVERFLOW_TYPE
                                               : REAL_OVERFLOW_SATURATE),
                   want[k], "%s: %d", dtype_table[t].name, k);
    }
}

/* Between 1 and the next number of 24 bits, with and without the ends. */
static void magnitudes(void)
{
    ACCEPT_BRACKET(b);
    struct real y = number(-1, 0);
    accept_bound_magnitude(&b, &y);
    OK(mpfr_cmp_ui(b.low, 1) == 0 && mpfr_cmp_ui(b.high, 1) == 0 && !b.low_open
           && !b.high_open,
       "an exact number is both ends");
    y.inexact = true;
    y.width = 24;
    accept_bound_magnitude(&b, &y);
    mpfr_sub_ui(b.high, b.high, 1, MPFR_RNDN);
    OK(mpfr_cmp_ui(b.low, 1) == 0 && mpfr_cmp_ui_2exp(b.high, 1, -23) == 0
           && b.low_open && b.high_open,
       "of 24 known bits the last is 2^-23");
    /* Out of MPFR's way, and beyond every type. */
    for (int sign = -1; sign < 2; sign += 2) {
        y = number(1, sign * (INT64_C(1) << 40));
        accept_bound_magnitude(&b, &y);
        OK(mpfr_cmp_ui_2exp(b.low, 1, sign * ACCEPT_BOUND_EXPONENT) == 0,
           "a number that far is held nearer");
        y = number(1, sign * (ACCEPT_BOUND_EXPONENT - 1));
        accept_bound_magnitude(&b, &y);
        OK(mpfr_cmp_ui_2exp(b.low, 1, sign * (ACCEPT_BOUND_EXPONENT - 1)) == 0,
           "but no other");
    }
    ACCEPT_BOUND(x);
    /* f16's largest number is 65504; from 65520 on it overflows. */
    mpfr_set_ui(x, 65520, MPFR_RNDN);
    OK(accept_bound_overflows(x, DT_f16), "65520 overflows");
    y = accept_bound_real(x);
    OK(y.kind == REAL_FINITE && y.exponent == 15 && !y.inexact, "and is exact");
    mpfr_nextbelow(x);
    OK(!accept_bound_overflows(x, DT_f16), "the next number below does not");
}

/* ---- Budgets ------------------------------------------------------------- */

struct power {
    int64_t m, e; /* m * 2^e */
};

/* What a budget around y allows: patterns from low to high, zero besides if it
 * may be flushed, and what overflow gives.  Of y the leading width bits are
 * known, all if it is 0. */
struct budget_trial {
    enum dtype type;
    struct power y;
    int width;
    int kind; /* an accept_kind */
    struct power ulps, rel, abs;
    uint64_t low, high;
    bool overflow, zero, unsure;
};

enum {
    ULP = ACCEPT_ULP,
    XLA = ACCEPT_XLA,
    FAITHFUL = ACCEPT_FAITHFUL
};

/* In f16 3c00 is 1, of which an ulp is 2^-10, and below 2^-11; 0400 is 2^-14,
 * the smallest normal number, and 0001 is 2^-24; 7bff is 65504, and from 65520
 * on it overflows.  In f8e4m3fn 7e is 448, and beyond 464 it overflows.  In
 * f8e8m0fnu, of one digit, 7f is 1, 0 is 2^-127, and fe is 2^127. */
static const struct budget_trial budgets[] = {
    /* Ulps: the ends are in, unless y is only nearly known. */
    {DT_f16, {1, 0}, 0, ULP, {2, 0}, .low = 0x3bfc, 0x3c02},
    {DT_f16, {1, 0}, 66, ULP, {2, 0}, .low = 0x3bfd, 0x3c02},
    {DT_f16, {255, -8}, 66, ULP, {0}, .low = 0x3bf8, 0x3bf8},
    {DT_f16, {8191, -13}, 13, ULP, {2, 0}, .low = 0x3bfe, 0x3c00},
    {DT_f16, {1, 0}, 0, ULP, .abs = {1, -9}, 0x3bfc, 0x3c02},
    {DT_f16, {1, 0}, 0, ULP, {2, 0}, .abs = {1, -8}, 0x3bf8, 0x3c04},
    {DT_f16, {1, 0}, 0, ULP, {2, 0}, .rel = {1, -8}, .low = 0x3bf8, 0x3c04},
    {DT_f16, {1, 0}, 0, ULP, {1, -1}, .low = 0x3bff, 0x3c00},
    {DT_f16, {1, -24}, 0, ULP, {2, 0}, .low = 0, 3},
    {DT_f16, {3, -16}, 0, ULP, {1, 0}, .low = 0x2ff, 0x301, .zero = true},
    /* XLA's: a part of |y|, which nearly is open where y is. */
    {DT_f16, {1, 0}, 0, XLA, {2, 0}, .low = 0x3bfc, 0x3c02},
    {DT_f16, {3, -1}, 0, XLA, {2, 0}, .low = 0x3dfd, 0x3e03},
    {DT_f16, {3, -1}, 66, XLA, {2, 0}, .low = 0x3dfe, 0x3e03},
    {DT_f16, {6143, -12}, 13, XLA, {2, 0}, .low = 0x3dfd, 0x3e02},
    {DT_f16, {3, -1}, 0, XLA, .rel = {1, -9}, .low = 0x3dfd, 0x3e03},
    {DT_f16, {3, -1}, 0, XLA, {1, 0}, .rel = {1, -9}, .low = 0x3dfd, 0x3e03},
    {DT_f16, {3, -1}, 0, XLA, {2, 0}, .rel = {1, -10}, .low = 0x3dfd, 0x3e03},
    {DT_f16, {1, 0}, 0, XLA, {2, 0}, .abs = {1, -8}, 0x3bf8, 0x3c04},
    {DT_f16, {1, 0}, 0, XLA, .rel = {1, 0}, .low = 0, 0x4000},
    {DT_f16, {1, 0}, 0, XLA, .rel = {2, 0}, .low = 0, 0x4200},
    {DT_f16, {1, 0}, 66, XLA, .rel = {2, 0}, .low = 0, 0x4200},
    {DT_f16, {1, 0}, 0, XLA, .rel = {1, -400}, .low = 0x3c00, 0x3c00},
    {DT_f16, {1, 0}, 0, XLA, .abs = {1, -400}, 0x3c00, 0x3c00},
    {DT_f16, {3, -1}, 0, XLA, .rel = {1, -400}, .low = 0x3e00, 0x3e00},
    /* Too little of y is known: the farther of two patterns. */
    {DT_f16, {1, 0}, 13, ULP, .abs = {8193, -13}, 0, 0x4000, .unsure = true},
    {DT_f16, {1, 0}, 13, ULP, .abs = {7, -13}, 0x3bff, 0x3c01, .unsure = true},
    {DT_f8e8m0fnu, {255, -135}, 8, ULP, .abs = {1, -136}, 0, 0, .unsure = true},
    /* Overflow, and where y is only nearly known. */
    {DT_f16, {58240, 0}, 66, XLA, .rel = {1, -3}, .low = 0x7a39, 0x7bff, true},
    {DT_f8e4m3fn, {256, 0}, 0, XLA, .rel = {13, -4}, .low = 0x64, 0x7e},
    {DT_f8e4m3fn, {256, 0}, 66, XLA, .rel = {13, -4}, .low = 0x65, 0x7e, true},
    {DT_f8e4m3fn, {4095, -4}, 12, XLA, .rel = {13, -4}, .low = 0x64, 0x7e},
    {DT_f8e4m3fn, {464, 0}, 0, XLA, .rel = {1, -400}, .low = 0x7e, 0x7e, true},
    {DT_f16, {65504, 0}, 0, ULP, .abs = {15, 0}, 0x7bff, 0x7bff},
    {DT_f16, {65504, 0}, 0, ULP, .abs = {16, 0}, 0x7bff, 0x7bff, true},
    {DT_f16, {65504, 0}, 16, ULP, .abs = {16, 0}, 0x7bff, 0x7bff, true},
    {DT_f16, {65503, 0}, 16, ULP, .abs = {16, 0}, 0x7bff, 0x7bff},
    {DT_f16, {65536, 0}, 0, ULP, .abs = {32, 0}, 0x7bff, 0x7bff, true},
    {DT_f16, {65536, 0}, 66, ULP, .abs = {32, 0}, 1, 0, true},
    {DT_f16, {65536, 0}, 0, ULP, .abs = {31, 0}, 1, 0, true},
    {DT_f8e4m3fn, {448, 0}, 0, ULP, .abs = {16, 0}, 0x7e, 0x7e},
    {DT_f8e4m3fn, {448, 0}, 0, ULP, .abs = {17, 0}, 0x7e, 0x7e, true},
    {DT_f8e4m3fn, {448, 0}, 66, ULP, .abs = {16, 0}, 0x7e, 0x7e, true},
    {DT_f8e4m3fn, {447, 0}, 9, ULP, .abs = {16, 0}, 0x7e, 0x7e},
    /* A number below the smallest normal one may be flushed. */
    {DT_f16, {1025, -24}, 0, ULP, .abs = {1, -24}, 0x400, 0x402},
    {DT_f16, {1025, -24}, 0, ULP, .abs = {3, -25}, 0x400, 0x402, .zero = true},
    {DT_f16, {1023, -24}, 0, ULP, {0}, .low = 0x3ff, 0x3ff, .zero = true},
    {DT_f16, {1024, -24}, 0, ULP, {0}, .low = 0x400, 0x400},
    /* The upper end of what is nearly known is not in. */
    {DT_f16, {1048575, -45}, 20, ULP, {1, -1}, .low = 0, 0},
    {DT_f16, {786431, -43}, 20, ULP, {1, -1}, .low = 1, 1, .zero = true},
    /* The two neighbours. */
    {DT_f16, {1, 0}, 0, FAITHFUL, .low = 0x3c00, 0x3c00},
    {DT_f16, {1, 0}, 66, FAITHFUL, .low = 0x3c00, 0x3c01},
    {DT_f16, {8191, -13}, 13, FAITHFUL, .low = 0x3bff, 0x3c00},
    {DT_f16, {65504, 0}, 0, FAITHFUL, .low = 0x7bff, 0x7bff},
    {DT_f16, {65504, 0}, 66, FAITHFUL, .low = 0x7bff, 0x7bff, true},
    {DT_f16, {65519, 0}, 16, FAITHFUL, .low = 0x7bff, 0x7bff, true},
    {DT_f16, {65520, 0}, 0, FAITHFUL, .low = 1, 0, true},
    {DT_f16, {65520, 0}, 66, FAITHFUL, .low = 1, 0, true},
    {DT_f16, {1, 20}, 0, FAITHFUL, .low = 1, 0, true},
    {DT_f8e4m3fn, {464, 0}, 0, FAITHFUL, .low = 0x7e, 0x7e, true},
    {DT_f8e4m3fn, {464, 0}, 66, FAITHFUL, .low = 1, 0, true},
    {DT_f16, {1, -25}, 0, FAITHFUL, .low = 0, 1},
    {DT_f16, {1, -40}, 66, FAITHFUL, .low = 0, 1},
    {DT_f16, {3, -24}, 66, FAITHFUL, .low = 3, 4, .zero = true},
    /* A type without zero and sign, of one digit. */
    {DT_f8e8m0fnu, {1, 0}, 0, ULP, {1, 0}, .low = 0, 0x80},
    {DT_f8e8m0fnu, {1, 0}, 0, ULP, {1, -1}, .low = 0x7e, 0x7f},
    {DT_f8e8m0fnu, {1, 127}, 0, ULP, {1, -2}, .low = 0xfe, 0xfe},
    {DT_f8e8m0fnu, {1, 127}, 0, ULP, {1, -1}, .low = 0xfd, 0xfe, true},
    {DT_f8e8m0fnu, {3, -129}, 0, ULP, {1, -3}, .low = 0, 0},
    {DT_f8e8m0fnu, {3, -129}, 0, FAITHFUL, .low = 0, 0},
    {DT_f8e8m0fnu, {255, -135}, 8, ULP, {0}, .low = 0, 0},
    {DT_f8e8m0fnu, {1, -127}, 0, ULP, {1, 0}, .low = 0, 1},
    {DT_f8e8m0fnu, {1, -127}, 0, FAITHFUL, .low = 0, 0},
    {DT_f8e8m0fnu, {5, -2}, 0, FAITHFUL, .low = 0x7f, 0x80},
    {DT_f8e8m0fnu, {3, 126}, 0, FAITHFUL, .low = 1, 0, true},
};

/* Each pattern but NaNs, which are one. */
static bool budget_allows(const struct budget_trial *t, bool negative)
{
    enum dtype type = t->type;
    struct real y = number(t->y.m, t->y.e);
    y.inexact = t->width != 0;
    y.width = (uint8_t)(t->width ? t->width : 128);
    y.negative = negative;
    struct accept_budget budget = {.kind = t->kind,
                                   .ulps = number(t->ulps.m, t->ulps.e),
                                   .rel = number(t->rel.m, t->rel.e),
                                   .abs = number(t->abs.m, t->abs.e)};
    struct accept_rules rules = {.subnormal = ACCEPT_FLUSH_RESULTS};
    uint64_t sign = negative ? real_formats[type].sign : 0;
    uint64_t value = real_round(&y, type, REAL_OVERFLOW_TYPE);
    struct accept_set set;
    bool nan = false;
    accept_value(&set, type, &y, value, &budget, &rules);
    for (uint64_t b = 0; b <= dtype_mask(type); b++) {
        uint64_t m = b ^ sign;
        bool want = (m >= t->low && m <= t->high) || (m == 0 && t->zero);
        if (real_is_nan(type, b)) {
            nan = nan || accept_has(&set, type, b);
            continue;
        }
        if (real_has_inf(type) && m == real_inf(type, false))
            want = t->overflow;
        if (accept_has(&set, type, b) != want)
            return false;
    }
    return set.undecided == t->unsure
           && nan == (t->overflow && !real_has_inf(type));
}

static void budget_edges(void)
{
    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++)
        for (int negative = 0; negative < 2; negative++)
            if (!negative || real_formats[budgets[i].type].sign != 0)
                OK(budget_allows(&budgets[i], negative), "budget %d%s", (int)i,
                   negative ? ", negative" : "");
}

/* A function that is never less than 1, nor more than 2. */
static void clips(void)
{
    struct accept_set set;
    struct accept_budget budget = {.kind = ACCEPT_ULP, .ulps = number(4, 0)};
    struct accept_rules rules = {
        .clip = true, .low = number(1, 0), .high = number(2, 0)};
    struct real y = number(1, 0);
    y.significand |= (real_u128)1 << (127 - 30);
    accept_value(&set, DT_f32, &y, 0x3f800000, &budget, &rules);
    OK(slow_accept_has(&set, DT_f32, "3f800000 3f800004 !3f800005 !3f7fffff"),
       "not below 1");
    y = number(2, 0);
    y.significand -= (real_u128)1 << 90;
    y.significand |= (real_u128)1 << 127;
    y.exponent = 0;
    accept_value(&set, DT_f32, &y, 0x40000000, &budget, &rules);
    OK(slow_accept_has(&set, DT_f32, "40000000 !40000001"), "nor above 2");
    rules.clip = false;
    y = number(1, 0);
    y.significand |= (real_u128)1 << (127 - 30);
    accept_value(&set, DT_f32, &y, 0x3f800000, &budget, &rules);
    OK(slow_accept_has(&set, DT_f32, "3f7fffff 3f7ffff9 !3f7ffff8"),
       "but for that four ulps are right on either side");
}

/* A third, which no type has, as the end of a range: 3eaaaaaa and 3eaaaaab are
 * its neighbours; and no end on the other side. */
static void inexact_ends(void)
{
    struct accept_set set;
    struct accept_budget budget = {.kind = ACCEPT_ULP, .ulps = number(4, 0)};
    struct real third = number(1, -2), inf = {.kind = REAL_INF, .width = 128};
    third.significand = ~(real_u128)0 / 3 * 2;
    third.inexact = true;
    struct accept_rules rules = {.clip = true, .low = inf, .high = third};
    rules.low.negative = true;
    accept_value(&set, DT_f32, &third, 0x3eaaaaab, &budget, &rules);
    OK(slow_accept_has(&set, DT_f32, "3eaaaaab !3eaaaaac 3eaaaaa7"),
       "an upper end is rounded up");
    rules = (struct accept_rules){.clip = true, .low = third, .high = inf};
    accept_value(&set, DT_f32, &third, 0x3eaaaaab, &budget, &rules);
    OK(slow_accept_has(&set, DT_f32, "3eaaaaaa !3eaaaaa9 3eaaaaae"),
       "a lower end is rounded down");
    third.negative = inf.negative = true;
    rules = (struct accept_rules){.clip = true, .low = inf, .high = third};
    accept_value(&set, DT_f32, &third, 0xbeaaaaab, &budget, &rules);
    OK(slow_accept_has(&set, DT_f32, "beaaaaaa !beaaaaa9"),
       "and towards 0 where it is negative");
}

int main(void)
{
    shares();
    infinite_ends();
    patterns();
    bounds();
    overflow_patterns();
    magnitudes();
    budget_edges();
    clips();
    inexact_ends();
    return tap_done();
}
