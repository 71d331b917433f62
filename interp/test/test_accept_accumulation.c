/* test_accept_accumulation.c - bounds of sums against rational arithmetic.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The bound E is computed here as a GMP rational from its definition, and
 * slow_accept.c tries every pattern of the type.
 */
#include <string.h>

#include "interp/exact/accept.h"
#include "interp/test/slow_accept.h"
#include "interp/test/tap.h"

static bool can_overflow(const struct accept_sum *sum)
{
    bool up, down;
    accept_accumulation_sides(sum, &up, &down);
    return up || down;
}

static struct real number(int64_t m, int64_t e)
{
    struct real r = real_from_int(m);
    if (r.kind == REAL_FINITE)
        r.exponent += e;
    return r;
}

static void scaled(mpq_t q, int64_t m, int e)
{
    mpq_set_si(q, m, 1);
    mpq_mul_2exp(q, q, (mp_bitcnt_t)(SLOW_SCALE + e));
}

/* E = M k/(2^p - k) + underflow, or M k/2^p (1 + 2^-p)^3 where 2k >= 2^p;
 * times 2^SLOW_SCALE. */
static void bound(mpq_t e, const mpq_t m, int64_t k, int p, const mpq_t add)
{
    int64_t one = INT64_C(1) << p;
    mpq_t factor;
    mpq_init(factor);
    mpq_set_si(factor, k, (unsigned long)(2 * k < one ? one - k : one));
    mpq_canonicalize(factor);
    mpq_mul(e, m, factor);
    for (int i = 0; 2 * k >= one && i < 3; i++) {
        mpq_set_si(factor, one + 1, (unsigned long)one);
        mpq_mul(e, e, factor);
    }
    mpq_add(e, e, add);
    mpq_clear(factor);
}

/* Is it a number from low to high?  -0 stands below +0, which is not an end of
 * terms that are all negative. */
static bool is_between(const struct slow_format *f, const mpq_t low,
                       const mpq_t high, bool negative, uint64_t bits)
{
    mpz_t z;
    mpq_t v;
    bool sign;
    mpz_init(z);
    mpq_init(v);
    bool inside = slow_float_decode(f, bits, z, &sign) == SLOW_NUMBER;
    mpq_set_z(v, z);
    inside = inside && mpq_cmp(low, v) <= 0 && mpq_cmp(v, high) <= 0;
    if (inside && mpz_sgn(z) == 0 && !f->nan_is_negative_zero)
        inside = sign ? mpq_sgn(low) < 0 : mpq_sgn(high) >= 0 && !negative;
    mpz_clear(z);
    mpq_clear(v);
    return inside;
}

/* Does a number of that sign between low and high lie below the normal ones? */
static bool is_flushed(const struct slow_format *f, const mpq_t low,
                       const mpq_t high, int emin, uint64_t bits)
{
    mpz_t z;
    mpq_t normal;
    bool sign;
    mpz_init(z);
    mpq_init(normal);
    bool zero =
        slow_float_decode(f, bits, z, &sign) == SLOW_NUMBER && mpz_sgn(z) == 0;
    scaled(normal, 1, emin);
    bool plus = mpq_sgn(high) > 0 && mpq_cmp(low, normal) < 0;
    mpq_neg(normal, normal);
    bool minus = mpq_sgn(low) < 0 && mpq_cmp(high, normal) > 0;
    mpz_clear(z);
    mpq_clear(normal);
    return zero
           && (f->nan_is_negative_zero ? plus || minus
               : sign                  ? minus
                                       : plus);
}

struct check {
    const struct slow_table *table;
    enum dtype type;
    long checked, wrong;
};

/* Where overflow saturates, a sum whose positive terms come to p, and their
 * errors to e, may forget what of p + e is beyond the largest number; so may
 * the negative ones of n. */
static void forget(const struct check *c, int64_t p, int64_t n, int unit,
                   const mpq_t e, mpq_t low, mpq_t high)
{
    mpq_t x, most;
    mpq_inits(x, most, NULL);
    mpq_set_z(most, c->table->value[c->table->count - 1]);
    for (int side = 0; side < 2; side++) {
        if ((side ? n : p) == 0)
            continue;
        scaled(x, side ? n : p, unit);
        mpq_add(x, x, e);
        mpq_sub(x, x, most);
        if (mpq_sgn(x) > 0 && side)
            mpq_add(high, high, x);
        else if (mpq_sgn(x) > 0)
            mpq_sub(low, low, x);
    }
    mpq_clears(x, most, NULL);
}

/* s and m in units of the smallest subnormal over 4. */
static void check_sum(struct check *c, int64_t s, int64_t m, int64_t k,
                      int64_t u, int64_t flushed, bool flush)
{
    const struct dtype_info *t = &dtype_table[c->type];
    const struct slow_format *f = c->table->format;
    int unit = t->emin - t->precision - 1;
    struct accept_sum sum = {.sum = number(s, unit),
                             .magnitude = number(m, unit),
                             .roundings = k,
                             .accumulator = c->type,
                             .flushed = number(flushed, unit),
                             .underflow = number(u, unit)};
    struct accept_rules rules = {.subnormal = flush ? ACCEPT_FLUSH_RESULTS : 0};
    struct accept_set set;
    uint64_t value = real_round(&sum.sum, c->type, REAL_OVERFLOW_TYPE);
    accept_accumulation(&set, c->type, &sum, value, &rules);
    bool overflows = can_overflow(&sum);
    mpq_t low, high, e, q;
    mpq_inits(low, high, e, q, NULL);
    bool one_sided = s == m || s == -m, once = k <= 1 && u == 0;
    scaled(q, u, unit);
    scaled(low, m + u, unit);
    bound(e, low, k, t->precision, q);
    if (once)
        mpq_set_ui(e, 0, 1);
    scaled(q, s, unit);
    mpq_sub(low, q, e);
    mpq_add(high, q, e);
    /* Flushing only loses. */
    scaled(q, flush ? flushed : 0, unit);
    if (!one_sided || s >= 0)
        mpq_sub(low, low, q);
    if (!one_sided || s < 0)
        mpq_add(high, high, q);
    if (!f->inf && !f->has_nan && !once)
        forget(c, m + s, m - s, unit - 1, e, low, high);
    if (one_sided && s >= 0 && mpq_sgn(low) < 0)
        mpq_set_ui(low, 0, 1);
    bool negative = one_sided && s < 0 && mpq_sgn(high) >= 0;
    if (negative)
        mpq_set_si(high, once ? -1 : 0, 1000);
    for (uint64_t b = 0; b >> slow_float_bits(c->table->format) == 0; b++) {
        bool got = accept_has(&set, c->type, b);
        bool inside =
            once ? slow_accept_interval(c->table, low, high, b, flush)
                 : is_between(f, low, high, negative, b)
                       || (flush && is_flushed(f, low, high, t->emin, b));
        bool want = b == value || ((m || flushed || u) && inside);
        /* Overflow on the way has a test of its own. */
        if (overflows
            && (!real_is_finite(c->type, b) || b == real_max(c->type, false)
                || b == real_max(c->type, true)))
            continue;
        c->checked++;
        c->wrong += got != want;
    }
    mpq_clears(low, high, e, q, NULL);
}

static void against_model(const struct slow_format *f)
{
    struct slow_table table;
    struct check c = {.table = &table};
    slow_float_table(&table, f);
    if (!dtype_parse(f->name, strlen(f->name), &c.type))
        return;
    static const int64_t sums[] = {0, 1, 2, 3, 4, 5, 8, 17, 30, 64, 101, 260};
    static const int64_t roundings[] = {0, 1, 2, 3, 7, 8, 20};
    for (unsigned i = 0; i < sizeof sums / sizeof *sums; i++)
        for (unsigned j = i & 1; j < sizeof sums / sizeof *sums; j += 3)
            for (unsigned k = 0; k < 7; k++)
                for (int form = 0; form < 4; form++) {
                    int64_t s = form & 1 ? -sums[i] : sums[i];
                    check_sum(&c, s, sums[i] + sums[j], roundings[k],
                              (int64_t)(i & k & 1) * 2, (int64_t)(k & 1) * 3,
                              form >> 1);
                }
    OK(c.wrong == 0 && c.checked > 10000, "%s: %ld of %ld wrong", f->name,
       c.wrong, c.checked);
    slow_float_free(&table);
}

static bool right(const struct accept_sum *sum, enum dtype t, uint64_t bits)
{
    struct accept_set set;
    struct accept_rules rules = {0};
    uint64_t value = real_round(&sum->sum, t, REAL_OVERFLOW_TYPE);
    accept_accumulation(&set, t, sum, value, &rules);
    return accept_has(&set, t, bits);
}

/* f16 overflows at 65520. */
static void overflow(void)
{
    struct accept_sum sum = {.sum = number(1000, 0),
                             .magnitude = number(100000, 0),
                             .roundings = 3,
                             .accumulator = DT_f16};
    OK(!right(&sum, DT_f16, 0x7c00), "positive terms of 50500 do not overflow");
    OK(!can_overflow(&sum), "no order overflows");
    sum.sum = number(40000, 0); /* 70000 - 30000 */
    OK(right(&sum, DT_f16, 0x7c00), "infinity on the way");
    OK(!right(&sum, DT_f16, 0xfc00), "but not -infinity");
    OK(!right(&sum, DT_f16, 0x7e00), "nor NaN");
    OK(can_overflow(&sum), "labelled");
    sum.sum = number(0, 0);
    sum.magnitude = number(200000, 0);
    OK(right(&sum, DT_f16, 0x7c00) && right(&sum, DT_f16, 0xfc00)
           && right(&sum, DT_f16, 0x7e00),
       "both sides overflow");
    sum.accumulator = DT_f32;
    OK(!right(&sum, DT_f16, 0x7c00), "a wider accumulator does not");
    sum.sum = real_from_bits(DT_f32, 0x7f800000);
    OK(right(&sum, DT_f16, 0x7c00) && !right(&sum, DT_f16, 0x7bff),
       "an infinite sum is exact");
    sum.sum = real_from_bits(DT_f32, 0x7fc00000);
    OK(right(&sum, DT_f16, 0x7e01) && !right(&sum, DT_f16, 0), "NaN is any");
}

static void zeros(void)
{
    struct accept_sum sum = {.sum = number(0, 0), .accumulator = DT_f32};
    OK(right(&sum, DT_f32, 0) && !right(&sum, DT_f32, 0x80000000),
       "a sum of zeros has its sign");
    sum.magnitude = number(6, 0);
    OK(right(&sum, DT_f32, 0) && !right(&sum, DT_f32, 0x80000000),
       "terms that cancel exactly give +0");
    sum.roundings = 2;
    OK(right(&sum, DT_f32, 0x34800000) && right(&sum, DT_f32, 0xb4800000),
       "terms that cancel with roundings may leave some");
    struct accept_rules rules = {.zero_any_sign = true};
    struct accept_set set;
    sum.roundings = 0;
    accept_accumulation(&set, DT_f32, &sum, 0, &rules);
    OK(accept_has(&set, DT_f32, 0x80000000), "unless a policy frees the sign");
}

/* A sum of integers is exact, whatever the roundings. */
static void integers(void)
{
    struct accept_sum sum = {.sum = number(5, 0),
                             .magnitude = number(9, 0),
                             .roundings = 4,
                             .accumulator = DT_s32};
    OK(right(&sum, DT_f32, 0x40a00000) && !right(&sum, DT_f32, 0x40a00001)
           && !can_overflow(&sum),
       "integers");
}

/* What a product may become besides its value: bits, in the order of patterns.
 */
enum {
    PLUS = 1,
    MINUS = 2,
    INF = 4,
    MINUS_INF = 8,
    NAN_TOO = 16,
    /* Partial products beyond f32, below it, or tiny; and what is flushed: */
    HUGE_PART = ACCEPT_PARTIAL_INF,
    ZERO_PART = ACCEPT_PARTIAL_ZERO,
    TINY_PART = ACCEPT_PARTIAL_TINY,
    OPERANDS = ACCEPT_FLUSH_OPERANDS,
    FLUSH = ACCEPT_FLUSH_RESULTS,
    ANY_SIGN = ACCEPT_FLUSH_RESULTS | ACCEPT_FLUSH_ANY_SIGN
};

static const struct partial_trial {
    uint64_t value;
    unsigned partial, subnormal, want;
} partial_trials[] = {
    {0x40000000, 0, 0, 0},
    {0x40000000, HUGE_PART, 0, INF},
    {0xc0000000, HUGE_PART, 0, MINUS_INF},
    {0x40000000, ZERO_PART, 0, PLUS},
    {0xc0000000, ZERO_PART, 0, MINUS},
    {0x40000000, ZERO_PART, ANY_SIGN, PLUS},
    {0x40000000, ZERO_PART | HUGE_PART, 0, PLUS | INF | NAN_TOO},
    {0xc0000000, ZERO_PART | HUGE_PART, 0, MINUS | MINUS_INF | NAN_TOO},
    {0x40000000, TINY_PART, 0, 0},
    {0x40000000, TINY_PART, OPERANDS, 0},
    {0x40000000, TINY_PART, FLUSH, PLUS},
    {0xc0000000, TINY_PART, FLUSH, MINUS},
    {0x40000000, TINY_PART, ANY_SIGN, PLUS | MINUS},
    {0xc0000000, TINY_PART, ANY_SIGN, PLUS | MINUS},
    {0x40000000, TINY_PART | HUGE_PART, FLUSH, PLUS | INF | NAN_TOO},
    {0x40000000, TINY_PART | HUGE_PART, 0, INF},
    {0x40000000, ACCEPT_PARTIAL_NAN, 0, NAN_TOO},
    {0x7f800000, ZERO_PART, 0, INF | NAN_TOO},
    {0xff800000, ZERO_PART, 0, MINUS_INF | NAN_TOO},
    {0x7f800000, TINY_PART, ANY_SIGN, INF | NAN_TOO},
    {0x7f800000, HUGE_PART, 0, INF},
    {0x7f800000, 0, 0, INF},
    {0, HUGE_PART, 0, PLUS | NAN_TOO},
    {0x80000000, HUGE_PART, 0, MINUS | NAN_TOO},
    {0, ZERO_PART, 0, PLUS},
    {0, TINY_PART, ANY_SIGN, PLUS | MINUS},
    {0, 0, 0, PLUS},
};

static void partials(void)
{
    static const uint64_t patterns[] = {0, 0x80000000, 0x7f800000, 0xff800000,
                                        0x7fc00000};
    const struct partial_trial *trials = partial_trials;
    for (size_t i = 0; i < sizeof partial_trials / sizeof *trials; i++) {
        struct real y = real_from_bits(DT_f32, trials[i].value);
        struct accept_sum sum = {.sum = y,
                                 .magnitude = y,
                                 .roundings = 1,
                                 .accumulator = DT_f32,
                                 .partial = trials[i].partial};
        struct accept_rules rules = {.subnormal = trials[i].subnormal,
                                     .nan = ACCEPT_NAN_PAYLOAD};
        struct accept_set set;
        unsigned got = 0;
        sum.magnitude.negative = false;
        accept_accumulation(&set, DT_f32, &sum, trials[i].value, &rules);
        for (unsigned k = 0; k < sizeof patterns / sizeof *patterns; k++)
            got |= (unsigned)accept_has(&set, DT_f32, patterns[k]) << k;
        EQ_INT(got, trials[i].want, "%d: partial products", (int)i);
        OK(accept_has(&set, DT_f32, trials[i].value)
               && !accept_has(&set, DT_f32, 0x7f7fffff)
               && !accept_has(&set, DT_f32, 0x40000001)
               && !accept_has(&set, DT_f32, 1)
               && !accept_has(&set, DT_f32, 0xffc00000),
           "%d: the value and no others", (int)i);
    }
}

/* f8e8m0fnu has no zero, and ff is its NaN. */
static void no_zero(void)
{
    struct accept_sum sum = {.sum = number(2, 0),
                             .magnitude = number(2, 0),
                             .accumulator = DT_f8e8m0fnu,
                             .partial = ZERO_PART | TINY_PART};
    struct accept_rules rules = {.subnormal = ANY_SIGN};
    struct accept_set set;
    accept_accumulation(&set, DT_f8e8m0fnu, &sum, 0x80, &rules);
    OK(slow_accept_has(&set, DT_f8e8m0fnu, "80 !ff"), "a type without zero");
}

/* The upper end of a sum of negative terms is -0, and +0 only where that may be
 * added to terms that are lost. */
static void negative_sums(void)
{
    const int64_t all = INT64_C(1) << 24; /* roundings that take 1 from 1 */
    const struct {
        int64_t roundings, flushed, underflow;
        unsigned subnormal;
        bool plus_zero, plus;
    } trials[] = {
        {all, 0, 0, 0, true, false},
        {all, 0, 0, ACCEPT_FLUSH_OPERANDS, true, false},
        {all, 1, 0, 0, true, false},
        {all, 1, 0, ACCEPT_FLUSH_OPERANDS, true, true},
        {all, 1, 0, ACCEPT_FLUSH_OPERANDS, false, false},
        {2, 1, 0, ACCEPT_FLUSH_OPERANDS, true, true},
        {all, 0, 1, 0, true, true},
        {all, 0, 1, 0, false, false},
        {0, 0, 1, 0, true, true},
    };
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        struct accept_sum sum = {.sum = number(-1, 0),
                                 .magnitude = number(1, 0),
                                 .roundings = trials[i].roundings,
                                 .accumulator = DT_f32,
                                 .flushed = number(trials[i].flushed, 0),
                                 .underflow = number(trials[i].underflow, 0),
                                 .plus_zero = trials[i].plus_zero};
        struct accept_rules rules = {.subnormal = trials[i].subnormal};
        struct accept_set set;
        accept_accumulation(&set, DT_f32, &sum, 0xbf800000, &rules);
        OK(slow_accept_has(&set, DT_f32, "80000000 80000001 !1"),
           "%d: up to -0", (int)i);
        EQ_INT(accept_has(&set, DT_f32, 0), trials[i].plus, "%d: +0", (int)i);
    }
}

/* 2^10 and 2^-1074 are more than 384 bits apart: what these do not hold of a
 * bound below zero goes to the next number below. */
static void outward(void)
{
    const uint64_t low = 0xc090000000000000, least = 1; /* -1024, 2^-1074 */
    struct accept_sum sum = {.sum = real_from_bits(DT_f64, least),
                             .magnitude = real_from_bits(DT_f64, 2),
                             .accumulator = DT_f64,
                             .underflow = number(1024, 0)};
    OK(right(&sum, DT_f64, low) && !right(&sum, DT_f64, low + 1),
       "the lower end of an error");
    sum.underflow = number(0, 0);
    sum.roundings = 2;
    sum.flushed = number(1024, 0);
    OK(!right(&sum, DT_f64, low), "nothing is lost");
    struct accept_rules rules = {.subnormal = ACCEPT_FLUSH_OPERANDS};
    struct accept_set set;
    accept_accumulation(&set, DT_f64, &sum, least, &rules);
    OK(accept_has(&set, DT_f64, low) && !accept_has(&set, DT_f64, low + 1),
       "of what may be lost");
}

/* Nothing overflows on the way to infinity, of infinite terms or of
 * integers. */
static void no_sides(void)
{
    const struct real inf = real_from_bits(DT_f32, 0x7f800000);
    struct accept_sum sum = {
        .sum = number(0, 0), .magnitude = number(1, 40), .accumulator = DT_f16};
    OK(can_overflow(&sum), "terms of 2^40 overflow f16");
    sum.sum = inf;
    OK(!can_overflow(&sum), "an infinite sum");
    sum.sum = number(0, 0);
    sum.magnitude = inf;
    OK(!can_overflow(&sum), "infinite terms");
    sum.magnitude = number(1, 40);
    sum.accumulator = DT_s32;
    OK(!can_overflow(&sum), "integers");
    /* Half of 131040 is where f16 overflows, of either sign. */
    sum.accumulator = DT_f16;
    sum.magnitude = number(131040, 0);
    OK(right(&sum, DT_f16, 0x7c00) && right(&sum, DT_f16, 0xfc00),
       "65520 and -65520");
    sum.magnitude = number(131039, 0);
    OK(!can_overflow(&sum), "65519.5 and -65519.5");
    sum.sum = number(2, 0);
    bool up, down;
    accept_accumulation_sides(&sum, &up, &down);
    OK(up && !down, "65520.5 and -65518.5");
    sum.sum = number(-2, 0);
    accept_accumulation_sides(&sum, &up, &down);
    OK(!up && down, "65518.5 and -65520.5");
    sum.sum = sum.magnitude = number(65519, 0);
    OK(!can_overflow(&sum), "65519");
    sum.sum = sum.magnitude = number(65520, 0);
    accept_accumulation_sides(&sum, &up, &down);
    OK(up && !down, "positive terms");
    sum.sum.negative = true;
    accept_accumulation_sides(&sum, &up, &down);
    OK(!up && down, "negative terms");
}

int main(void)
{
    for (int i = 0; i < SLOW_FLOATS; i++)
        if (slow_float_bits(&slow_formats[i]) <= 8 && slow_formats[i].has_zero)
            against_model(&slow_formats[i]);
    overflow();
    zeros();
    integers();
    partials();
    no_zero();
    negative_sums();
    outward();
    no_sides();
    return tap_done();
}
