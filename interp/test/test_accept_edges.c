/* test_accept_edges.c - acceptance sets and shares that are known by hand.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * In f32 3f800000 is 1, whose ulp is 2^-23, and 00000001 is 2^-149; ff800000 is
 * -infinity and ff7fffff the most negative number.
 */
#include "interp/exact/accept_bound.h"
#include "interp/test/tap.h"

static struct real number(int64_t m, int64_t e)
{
    struct real r = real_from_int(m);
    r.exponent += r.kind == REAL_FINITE ? e : 0;
    return r;
}

/* Of a sum without roundings: off over half an ulp. */
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
    OK(accept_has(&set, DT_f32, 0xff800000)
           && accept_has(&set, DT_f32, 0xff7fffff)
           && accept_has(&set, DT_f32, 0xbf800000)
           && !accept_has(&set, DT_f32, 0xbf7fffff)
           && !accept_has(&set, DT_f32, 0x7f800000),
       "from -infinity to -1");
    accept_interval(&set, DT_f32, &one, &inf, 0x3f800000, &rules);
    OK(accept_has(&set, DT_f32, 0x7f800000)
           && accept_has(&set, DT_f32, 0x7f7fffff)
           && accept_has(&set, DT_f32, 0x3f800000)
           && !accept_has(&set, DT_f32, 0x3f7fffff)
           && !accept_has(&set, DT_f32, 0xff800000),
       "from 1 to infinity");
}

static void patterns(void)
{
    struct accept_set set = {
        .nan = true, .nan_rule = ACCEPT_NAN_PAYLOAD, .nan_bits = 0x7fc00001};
    struct accept_rules rules = {.nan = ACCEPT_NAN_PAYLOAD};
    accept_bound_pattern(&set, DT_f32, 0x7fc00002, &rules);
    EQ_INT((long long)set.nan_bits, 0x7fc00001, "the first of two payloads");
    rules.nan = ACCEPT_NAN_QUIET;
    accept_bound_pattern(&set, DT_f32, 0x7fc00002, &rules);
    EQ_INT(set.nan_rule, ACCEPT_NAN_QUIET, "a wider rule");
    rules.nan = ACCEPT_NAN_CANONICAL;
    accept_bound_pattern(&set, DT_f32, 0x7fc00000, &rules);
    EQ_INT(set.nan_rule, ACCEPT_NAN_QUIET, "is not narrowed");
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
    OK(accept_has(&set, DT_f32, 0x3f800000)
           && accept_has(&set, DT_f32, 0x3f800004)
           && !accept_has(&set, DT_f32, 0x3f800005)
           && !accept_has(&set, DT_f32, 0x3f7fffff),
       "not below 1");
    y = number(2, 0);
    y.significand -= (real_u128)1 << 90;
    y.significand |= (real_u128)1 << 127;
    y.exponent = 0;
    accept_value(&set, DT_f32, &y, 0x40000000, &budget, &rules);
    OK(accept_has(&set, DT_f32, 0x40000000)
           && !accept_has(&set, DT_f32, 0x40000001),
       "nor above 2");
    rules.clip = false;
    y = number(1, 0);
    y.significand |= (real_u128)1 << (127 - 30);
    accept_value(&set, DT_f32, &y, 0x3f800000, &budget, &rules);
    OK(accept_has(&set, DT_f32, 0x3f7fffff)
           && accept_has(&set, DT_f32, 0x3f7ffff9)
           && !accept_has(&set, DT_f32, 0x3f7ffff8),
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
    OK(accept_has(&set, DT_f32, 0x3eaaaaab)
           && !accept_has(&set, DT_f32, 0x3eaaaaac)
           && accept_has(&set, DT_f32, 0x3eaaaaa7),
       "an upper end is rounded up");
    rules = (struct accept_rules){.clip = true, .low = third, .high = inf};
    accept_value(&set, DT_f32, &third, 0x3eaaaaab, &budget, &rules);
    OK(accept_has(&set, DT_f32, 0x3eaaaaaa)
           && !accept_has(&set, DT_f32, 0x3eaaaaa9)
           && accept_has(&set, DT_f32, 0x3eaaaaae),
       "a lower end is rounded down");
    third.negative = inf.negative = true;
    rules = (struct accept_rules){.clip = true, .low = inf, .high = third};
    accept_value(&set, DT_f32, &third, 0xbeaaaaab, &budget, &rules);
    OK(accept_has(&set, DT_f32, 0xbeaaaaaa)
           && !accept_has(&set, DT_f32, 0xbeaaaaa9),
       "and towards 0 where it is negative");
}

int main(void)
{
    shares();
    infinite_ends();
    patterns();
    clips();
    inexact_ends();
    return tap_done();
}
