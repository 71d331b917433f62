/* test_real.c - patterns, keys, integers, MPFR and errors in ulps.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Expected values: slow_float.c, the definitions of the formats, the
 * processor's conversions, and by hand.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/random.h"
#include "interp/exact/real.h"
#include "interp/test/slow_float.h"
#include "interp/test/tap.h"

/* Patterns of the largest number, infinity or 0, NaN and one. */
static const struct {
    enum dtype type;
    uint64_t max, inf, nan, one, normal;
} specials[] = {
    {DT_f4e2m1fn, 0x7, 0, 0x8, 0x2, 0x2},
    {DT_f6e2m3fn, 0x1f, 0, 0x20, 0x8, 0x8},
    {DT_f6e3m2fn, 0x1f, 0, 0x20, 0xc, 0x4},
    {DT_f8e3m4, 0x6f, 0x70, 0x78, 0x30, 0x10},
    {DT_f8e4m3, 0x77, 0x78, 0x7c, 0x38, 0x8},
    {DT_f8e4m3fn, 0x7e, 0, 0x7f, 0x38, 0x8},
    {DT_f8e4m3fnuz, 0x7f, 0, 0x80, 0x40, 0x8},
    {DT_f8e4m3b11fnuz, 0x7f, 0, 0x80, 0x58, 0x8},
    {DT_f8e5m2, 0x7b, 0x7c, 0x7e, 0x3c, 0x4},
    {DT_f8e5m2fnuz, 0x7f, 0, 0x80, 0x40, 0x4},
    {DT_f8e8m0fnu, 0xfe, 0, 0xff, 0x7f, 0},
    {DT_f16, 0x7bff, 0x7c00, 0x7e00, 0x3c00, 0x400},
    {DT_bf16, 0x7f7f, 0x7f80, 0x7fc0, 0x3f80, 0x80},
    {DT_f32, 0x7f7fffff, 0x7f800000, 0x7fc00000, 0x3f800000, 0x800000},
    {DT_f64, 0x7fefffffffffffff, 0x7ff0000000000000, 0x7ff8000000000000,
     0x3ff0000000000000, 0x10000000000000},
};

static void patterns(void)
{
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        enum dtype t = specials[i].type;
        const char *name = dtype_table[t].name;
        OK(real_max(t, false) == specials[i].max, "%s: largest", name);
        OK(real_nan(t, false) == specials[i].nan, "%s: NaN", name);
        OK(real_one(t) == specials[i].one, "%s: one", name);
        OK(real_min_normal(t) == specials[i].normal, "%s: normal", name);
        OK(real_has_inf(t) == (specials[i].inf != 0), "%s: infinity", name);
        if (specials[i].inf)
            OK(real_inf(t, false) == specials[i].inf
                   && real_is_inf(t, specials[i].inf)
                   && !real_is_nan(t, specials[i].inf),
               "%s: infinity's pattern", name);
        OK(real_is_nan(t, specials[i].nan) == real_has_nan(t), "%s: is NaN",
           name);
        OK(!real_is_signalling(t, specials[i].nan), "%s: quiet", name);
        EQ_INT(real_formats[t].quiet,
               specials[i].inf ? (specials[i].nan ^ specials[i].inf) : 0,
               "%s: what makes NaN quiet", name);
        OK(real_is_finite(t, specials[i].max), "%s: finite", name);
        uint64_t normal = specials[i].normal;
        OK(!real_is_subnormal(t, normal) && !real_is_subnormal(t, normal + 1)
               && !real_is_subnormal(t, 0)
               && real_is_subnormal(t, 1) == (normal > 1)
               && real_is_subnormal(t, normal - 1) == (normal > 1)
               && real_is_subnormal(t, real_formats[t].sign | 1)
                      == (normal > 1),
           "%s: subnormals lie below the normal numbers", name);
        struct real one = real_from_bits(t, real_one(t));
        OK(one.kind == REAL_FINITE && one.exponent == 0
               && one.significand == (real_u128)1 << 127,
           "%s: one is 1", name);
    }
    OK(real_is_signalling(DT_f32, 0x7f800001)
           && real_is_signalling(DT_f8e5m2, 0x7d)
           && !real_is_signalling(DT_f8e4m3fn, 0x7f),
       "signalling NaNs");
    OK(real_nan(DT_f4e2m1fn, true) == 0, "-NaN is +0 in finite types");
    OK(real_zero(DT_f8e4m3fnuz, true) == 0
           && real_zero(DT_f32, true) == 0x80000000,
       "-0");
    OK(real_is_negative(DT_s8, 0x80) && !real_is_negative(DT_u8, 0x80)
           && !real_is_negative(DT_f8e5m2fnuz, 0x80),
       "signs");
    OK(real_one(DT_s8) == 1 && real_is_finite(DT_s8, 0x80)
           && !real_is_nan(DT_u8, 0xff) && !real_is_inf(DT_u8, 0xff)
           && !real_is_subnormal(DT_s8, 1) && real_nan(DT_s8, false) == 0
           && real_zero(DT_s8, true) == 0,
       "integers are plain numbers");
    struct real y = real_from_bits(DT_s8, 0xfd), zero = real_from_int(0);
    OK(y.negative && y.kind == REAL_FINITE && y.width == 128 && !y.inexact
           && y.exponent == 1 && y.significand == (real_u128)3 << 126,
       "-3 of s8, exactly");
    OK(zero.kind == REAL_ZERO && zero.width == 128 && !zero.inexact,
       "0, exactly");
}

/* Against the model: class of each pattern, and its way back. */
static void round_trip(const struct slow_format *f)
{
    enum dtype t = DT_pred;
    long wrong = 0, order = 0;
    mpz_t x, y, p;
    mpfr_t m;
    mpz_inits(x, y, p, NULL);
    mpfr_init2(m, 64);
    mpz_set_si(p, -1);
    mpz_mul_2exp(p, p, 2000);
    if (!dtype_parse(f->name, strlen(f->name), &t))
        abort();
    for (uint64_t b = 0; b >> slow_float_bits(f) == 0; b++) {
        bool negative;
        enum slow_kind kind = slow_float_decode(f, b, x, &negative);
        struct real r = real_from_bits(t, b);
        uint64_t back = real_round(&r, t, REAL_OVERFLOW_TYPE);
        real_bits_to_mpfr(m, t, b);
        struct real q = real_from_mpfr(m, 0);
        wrong += real_is_nan(t, b) != (kind == SLOW_NAN)
                 || real_is_inf(t, b) != (kind == SLOW_INF)
                 || real_is_finite(t, b) != (kind == SLOW_NUMBER)
                 || q.kind != r.kind || q.significand != r.significand
                 || (kind != SLOW_NAN && q.negative != r.negative);
        if (kind == SLOW_NAN) {
            wrong += !real_is_nan(t, back) || mpfr_nan_p(m) == 0;
            continue;
        }
        wrong += back != b || real_is_negative(t, b) != negative
                 || real_from_key(t, real_key(t, b)) != b;
        if (kind == SLOW_NUMBER) {
            wrong += real_is_zero(t, b) != (mpz_sgn(x) == 0);
            wrong += r.kind == REAL_FINITE && q.exponent != r.exponent;
            mpfr_mul_2ui(m, m, SLOW_SCALE, MPFR_RNDN);
            mpfr_get_z(y, m, MPFR_RNDN);
            wrong += mpz_cmp(x, y) != 0;
        }
    }
    /* Keys count upward through all numbers. */
    int64_t last = real_key(t, real_max(t, false));
    int64_t first = real_has_negative_zero(t) ? -1 - last : -last;
    for (int64_t key = f->sign ? first : 0; key <= last; key++) {
        bool negative;
        uint64_t b = real_from_key(t, key);
        order += slow_float_decode(f, b, x, &negative) != SLOW_NUMBER;
        order += mpz_cmp(p, x) > 0 || (mpz_cmp(p, x) == 0 && mpz_sgn(x) != 0)
                 || real_key(t, b) != key;
        mpz_set(p, x);
    }
    EQ_INT(wrong, 0, "%s: every pattern, there and back", f->name);
    EQ_INT(order, 0, "%s: keys are in order", f->name);
    mpz_clears(x, y, p, NULL);
    mpfr_clear(m);
}

static const enum dtype integers[] = {DT_s1,  DT_s2,  DT_s4,  DT_s8, DT_s16,
                                      DT_s32, DT_s64, DT_u1,  DT_u2, DT_u4,
                                      DT_u8,  DT_u16, DT_u32, DT_u64};

/* Floats of at most 16 bits into each integer type, by GMP. */
static void to_integers(const struct slow_format *f, enum dtype to)
{
    enum dtype t = DT_pred;
    long wrong = 0;
    mpz_t x, low, high;
    mpz_inits(x, low, high, NULL);
    if (!dtype_parse(f->name, strlen(f->name), &t))
        abort();
    int bits = dtype_table[to].bits;
    bool sign = dtype_class(to) == DTYPE_SINT;
    mpz_set_ui(high, 1);
    mpz_mul_2exp(high, high, (mp_bitcnt_t)(sign ? bits - 1 : bits));
    if (sign)
        mpz_neg(low, high);
    mpz_sub_ui(high, high, 1);
    for (uint64_t b = 0; b >> slow_float_bits(f) == 0; b++) {
        bool negative, fits = true;
        enum slow_kind kind = slow_float_decode(f, b, x, &negative);
        struct real r = real_from_bits(t, b);
        uint64_t got;
        bool said = real_to_int(&r, to, &got);
        mpz_tdiv_q_2exp(x, x, SLOW_SCALE);
        if (kind == SLOW_INF)
            mpz_set(x, negative ? low : high);
        if (kind != SLOW_NUMBER)
            fits = false;
        if (mpz_cmp(x, low) < 0) {
            mpz_set(x, low);
            fits = false;
        }
        if (mpz_cmp(x, high) > 0) {
            mpz_set(x, high);
            fits = false;
        }
        mpz_fdiv_r_2exp(x, x, (mp_bitcnt_t)bits);
        wrong += said != fits || mpz_cmp_ui(x, got) != 0;
    }
    mpz_clears(x, low, high, NULL);
    EQ_INT(wrong, 0, "%s to %s", f->name, dtype_table[to].name);
}

/* Integers of at most 16 bits into each float type, by search. */
static void from_integers(enum dtype from, const struct slow_table *to)
{
    enum dtype t = DT_pred;
    long wrong = 0;
    mpz_t x;
    mpz_init(x);
    if (!dtype_parse(to->format->name, strlen(to->format->name), &t))
        abort();
    int bits = dtype_table[from].bits;
    for (uint64_t b = 0; b >> bits == 0; b++) {
        bool sign = dtype_class(from) == DTYPE_SINT && b >> (bits - 1);
        mpz_set_si(x, (long)b - (sign ? 1L << bits : 0));
        mpz_mul_2exp(x, x, SLOW_SCALE);
        struct real r = real_from_bits(from, b);
        wrong += real_round(&r, t, REAL_OVERFLOW_TYPE)
                 != slow_float_round(to, SLOW_NUMBER, sign, x);
    }
    mpz_clear(x);
    EQ_INT(wrong, 0, "%s to %s", dtype_table[from].name, to->format->name);
}

/* 64-bit integers as the processor converts them. */
static void wide_integers(void)
{
    struct random random = {tap_seed(7)};
    long wrong = 0;
    for (int i = 0; i < 200000; i++) {
        uint64_t b = random_next(&random) >> (random_next(&random) & 63);
        double d = (double)b, e = (double)(int64_t)b;
        float g = (float)b;
        uint64_t want;
        uint32_t narrow;
        struct real r = real_from_bits(DT_u64, b);
        memcpy(&want, &d, 8);
        memcpy(&narrow, &g, 4);
        wrong += real_round(&r, DT_f64, REAL_OVERFLOW_TYPE) != want;
        wrong += real_round(&r, DT_f32, REAL_OVERFLOW_TYPE) != narrow;
        r = real_from_bits(DT_s64, b);
        memcpy(&want, &e, 8);
        wrong += real_round(&r, DT_f64, REAL_OVERFLOW_TYPE) != want;
        /* And back: below 2^63 the processor truncates as we do. */
        d /= 16.0;
        memcpy(&want, &d, 8);
        r = real_from_bits(DT_f64, want);
        uint64_t bits;
        wrong +=
            !real_to_int(&r, DT_s64, &bits) || bits != (uint64_t)(int64_t)d;
    }
    EQ_INT(wrong, 0, "64-bit integers as the processor converts them");
}

static void from_mpfr(void)
{
    mpfr_t x, y, z;
    mpfr_init2(x, 128);
    mpfr_init2(y, 300);
    mpfr_init2(z, 66);
    int ternary = mpfr_const_pi(x, MPFR_RNDZ);
    struct real r = real_from_mpfr(x, ternary);
    OK(r.inexact && r.width == 128 && r.exponent == 1, "pi");
    OK((uint64_t)(r.significand >> 64) == 0xc90fdaa22168c234, "pi's bits");
    EQ_INT(real_round(&r, DT_f64, REAL_OVERFLOW_TYPE), 0x400921fb54442d18,
           "pi in f64");
    mpfr_const_pi(y, MPFR_RNDZ);
    struct real s = real_from_mpfr(y, 0);
    OK(s.inexact && s.significand == r.significand, "low limbs are a tail");
    ternary = mpfr_const_pi(z, MPFR_RNDZ);
    s = real_from_mpfr(z, ternary);
    OK(s.inexact && s.width == 66, "66 bits");
    bool decided;
    EQ_INT(real_compare(&r, &s, &decided), 0, "within the width");
    OK(!decided, "is not decided");
    real_to_mpfr(x, &r);
    mpfr_neg(x, x, MPFR_RNDN);
    s = real_from_mpfr(x, ternary);
    OK(s.negative && real_compare(&s, &r, &decided) < 0 && decided, "-pi");
    mpfr_set_ui(z, 0, MPFR_RNDN);
    s = real_from_mpfr(z, 0);
    OK(s.kind == REAL_ZERO && !s.negative, "+0");
    s = real_from_mpfr(z, -1);
    OK(s.kind == REAL_FINITE && real_round_up(&s, DT_f64) == 1
           && real_round(&s, DT_f64, REAL_OVERFLOW_TYPE) == 0,
       "MPFR's underflow is tiny, not zero");
    mpfr_exp_t emax = mpfr_get_emax();
    mpfr_set_ui_2exp(z, 1, emax - 1, MPFR_RNDN);
    ternary = mpfr_mul_2ui(z, z, 5, MPFR_RNDZ);
    s = real_from_mpfr(z, ternary);
    OK(s.kind == REAL_FINITE && s.inexact
           && real_round(&s, DT_f64, REAL_OVERFLOW_TYPE)
                  == real_inf(DT_f64, false)
           && real_round_down(&s, DT_f64) == real_max(DT_f64, false),
       "MPFR's overflow is huge, not infinite");
    mpfr_clears(x, y, z, (mpfr_ptr)0);
}

static struct real with_tail(int64_t m, int64_t e, int width)
{
    struct real r = real_from_int(m);
    r.exponent += e;
    r.width = (uint8_t)width;
    r.inexact = true;
    return r;
}

static void test_compare(void)
{
    struct real one = real_from_int(1), two = real_from_int(2);
    struct real more = with_tail(1, 0, 66), some = with_tail(1, 0, 1);
    struct real zero = real_from_int(0), minus = real_from_int(-1);
    struct real inf = real_from_bits(DT_f32, 0x7f800000);
    bool d;
    EQ_INT(real_compare(&one, &two, &d), -1, "1 < 2");
    EQ_INT(real_compare(&two, &one, &d), 1, "2 > 1");
    EQ_INT(real_compare(&zero, &one, &d), -1, "0 < 1");
    EQ_INT(real_compare(&one, &zero, &d), 1, "1 > 0");
    EQ_INT(real_compare(&one, &minus, &d), 1, "1 > -1");
    EQ_INT(real_compare(&zero, &minus, &d), 1, "0 > -1");
    EQ_INT(real_compare(&minus, &zero, &d), -1, "-1 < 0");
    EQ_INT(real_compare(&minus, &minus, &d), 0, "-1 = -1");
    EQ_INT(real_compare(&more, &one, &d), 1, "1+ > 1");
    OK(d, "decided");
    EQ_INT(real_compare(&some, &two, &d), -1, "1+ of width 1 < 2");
    OK(d, "decided");
    EQ_INT(real_compare(&inf, &two, &d), 1, "inf > 2");
    EQ_INT(real_compare(&two, &inf, &d), -1, "2 < inf");
    struct real down = inf, none = zero;
    down.negative = none.negative = true;
    EQ_INT(real_compare(&down, &minus, &d), -1, "-inf < -1");
    EQ_INT(real_compare(&minus, &down, &d), 1, "-1 > -inf");
    EQ_INT(real_compare(&down, &inf, &d), -1, "-inf < inf");
    EQ_INT(real_compare(&none, &zero, &d), 0, "-0 = 0");
    EQ_INT(real_compare(&none, &one, &d), -1, "-0 < 1");
    EQ_INT(real_compare(&inf, &inf, &d), 0, "inf = inf");
    struct real half = real_from_int(3);
    half.exponent -= 1;
    EQ_INT(real_compare(&some, &half, &d), 0, "1+ of width 1 and 1.5");
    OK(!d, "not decided");
    struct real least = one;
    least.significand++;
    EQ_INT(real_compare(&one, &least, &d), -1, "1 < 1 + 2^-127");
    OK(d, "decided");
    OK(real_width(DT_f32) == 64 && real_width(DT_f64) == 128
           && real_width(DT_f8e5m2) == 64,
       "whole limbs, enough to decide");
    struct real end = real_from_bits(DT_f64, 0x3ff8000000000000);
    struct real known = with_tail(1, 0, 2); /* between 1 and 1.5 */
    EQ_INT(real_compare(&known, &end, &d), -1, "its upper end is excluded");
    OK(d, "decided");
}

/* Integers by value, u64 less 2^63; and back. */
static void integer_keys(void)
{
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        enum dtype t = integers[i];
        int bits = dtype_table[t].bits;
        bool sign = dtype_class(t) == DTYPE_SINT;
        uint64_t all = UINT64_MAX >> (64 - bits), half = all / 2 + 1;
        int64_t low = sign || bits == 64 ? -(int64_t)(half - 1) - 1 : 0;
        int64_t high = sign || bits == 64 ? (int64_t)(half - 1) : (int64_t)all;
        uint64_t least = sign ? half : 0, most = sign ? half - 1 : all;
        OK(real_key(t, least) == low && real_key(t, most) == high,
           "%s: keys of the ends", dtype_table[t].name);
        OK(real_from_key(t, low) == least && real_from_key(t, high) == most,
           "%s: and back", dtype_table[t].name);
        OK(real_total_key(t, least) == low, "%s: in total order, too",
           dtype_table[t].name);
    }
    OK(real_key(DT_s8, 0xfe) == -2 && real_from_key(DT_s8, -2) == 0xfe
           && real_key(DT_s64, 5) == 5 && real_from_key(DT_s64, 5) == 5,
       "numbers between");
}

/* IEEE 754-2019, 5.10; the one NaN of FNUZ has the sign bit. */
static void total_order(void)
{
    static const uint64_t f32[] = {
        0xffffffff, 0xffc00000, 0xff800001, 0xff800000, 0xbf800000, 0x80000000,
        0,          0x3f800000, 0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff};
    bool rising = true;
    for (size_t i = 1; i < sizeof f32 / sizeof *f32; i++)
        rising = rising
                 && real_total_key(DT_f32, f32[i - 1])
                        < real_total_key(DT_f32, f32[i]);
    OK(rising, "f32 in total order");
    static const uint64_t fnuz[] = {0x80, 0xff, 0x81, 0, 1, 0x7f};
    rising = true;
    for (size_t i = 1; i < sizeof fnuz / sizeof *fnuz; i++)
        rising = rising
                 && real_total_key(DT_f8e5m2fnuz, fnuz[i - 1])
                        < real_total_key(DT_f8e5m2fnuz, fnuz[i]);
    OK(rising && real_total_key(DT_f8e5m2fnuz, 1) == 1, "NaN of FNUZ is first");
    OK(real_total_key(DT_f8e8m0fnu, 0xff) > real_total_key(DT_f8e8m0fnu, 0xfe),
       "that of f8e8m0fnu is last");
}

/* Numbers of more than two limbs, of which the low ones are 0 or not. */
static void limbs(void)
{
    MPFR_DECL_INIT(x, 300);
    mpfr_set_ui(x, 3, MPFR_RNDN);
    struct real r = real_from_mpfr(x, 0);
    OK(!r.inexact && r.width == 128 && r.exponent == 1
           && r.significand == (real_u128)3 << 126,
       "3 of 300 bits is exact");
    for (int bit = 128; bit < 300; bit += 57) { /* 2^0 down to 2^-bit */
        mpfr_set_ui_2exp(x, 1, -bit, MPFR_RNDN);
        mpfr_add_ui(x, x, 1, MPFR_RNDN);
        r = real_from_mpfr(x, 0);
        OK(r.inexact && r.width == 128 && r.significand == (real_u128)1 << 127,
           "2^-%d is a tail", bit);
    }
    mpfr_set_ui_2exp(x, 1, -127, MPFR_RNDN);
    mpfr_add_ui(x, x, 1, MPFR_RNDN);
    r = real_from_mpfr(x, 0);
    OK(!r.inexact && r.significand == ((real_u128)1 << 127 | 1),
       "2^-127 is none");
    MPFR_DECL_INIT(narrow, 64);
    mpfr_set_si(narrow, -3, MPFR_RNDN);
    r = real_from_mpfr(narrow, 0);
    OK(!r.inexact && r.negative && r.width == 128, "-3 of 64 bits is exact");
    mpfr_set_inf(x, -1);
    r = real_from_mpfr(x, 0);
    OK(r.kind == REAL_INF && r.negative && r.width == 128, "-infinity");
    r = real_from_bits(DT_f32, 0xff800000);
    real_to_mpfr(x, &r);
    OK(mpfr_inf_p(x) && mpfr_signbit(x), "-infinity to MPFR");
    real_bits_to_mpfr(x, DT_f32, 0x80000000);
    OK(mpfr_zero_p(x) && mpfr_signbit(x), "-0 to MPFR");
    real_bits_to_mpfr(x, DT_f64, 0xc008000000000000);
    OK(mpfr_cmp_si(x, -3) == 0, "-3 in all limbs");
}

static void errors(void)
{
    struct real y = real_from_int(1);
    EQ_INT(real_error(&y, DT_f32, 0x3f800001), 1000000, "an ulp above 1");
    EQ_INT(real_error(&y, DT_f32, 0x3f7fffff), -500000, "half below: 2^-24");
    y = real_from_int(0x3000001); /* one above 3 * 2^24, where the ulp is 4 */
    EQ_INT(real_error(&y, DT_f32, 0x4c400000), -250000, "a quarter");
    y.negative = true;
    EQ_INT(real_error(&y, DT_f32, 0xcc400000), 250000, "-a quarter");
    y = real_from_int(0);
    EQ_INT(real_error(&y, DT_f32, 5), 5000000, "0 has the subnormals' ulp");
    EQ_INT(real_error(&y, DT_f32, 0x80000002), -2000000, "below 0");
    EQ_INT(real_error(&y, DT_f32, 0x3f800000), REAL_ERROR_MAX, "saturated");
    y = real_from_bits(DT_f32, 1);
    y.exponent -= 1;
    EQ_INT(real_error(&y, DT_f32, 0), -500000, "half a subnormal");
    y = real_from_int(3);
    EQ_INT(real_error(&y, DT_f16, 0), -1536000000LL, "3 is 1536 ulps of f16");
    y = with_tail(1, 0, 128);
    y.significand |= (real_u128)1 << 100; /* 1 + 2^-27 */
    EQ_INT(real_error(&y, DT_f32, 0x3f800000), -62500, "a sixteenth");
    y = with_tail(1, 0, 128);
    y.significand |= ((real_u128)1 << 105) / 3; /* two thirds of an ulp */
    EQ_INT(real_error(&y, DT_f32, 0x3f800000), -666667, "to nearest");
    y = real_from_int(6);
    EQ_INT(real_error(&y, DT_f4e2m1fn, 0x6), -1000000, "f4: 4 for 6");
    y = real_from_int(1);
    EQ_INT(real_error(&y, DT_f8e8m0fnu, 0x80), 1000000, "2 for 1: p is 1");
}

int main(void)
{
    patterns();
    for (int i = 0; i < SLOW_FLOATS; i++) {
        const struct slow_format *f = &slow_formats[i];
        if (slow_float_bits(f) > 16)
            continue;
        round_trip(f);
        struct slow_table table;
        slow_float_table(&table, f);
        for (size_t j = 0; j < sizeof integers / sizeof *integers; j++) {
            to_integers(f, integers[j]);
            if (dtype_table[integers[j]].bits <= 16)
                from_integers(integers[j], &table);
        }
        slow_float_free(&table);
    }
    wide_integers();
    from_mpfr();
    limbs();
    test_compare();
    integer_keys();
    total_order();
    errors();
    return tap_done();
}
