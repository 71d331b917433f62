/* test_verdict_norm.c - complex numbers as a whole, at the bound.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * An ulp of 1 is 2^-23 in f32: 3f800001 is 1 and an ulp, 3f7ffffe 1 less one.
 */
#include <stdio.h>

#include "interp/judge/verdict.h"
#include "interp/test/tap.h"

static struct accept_budget ulps(int n)
{
    return (struct accept_budget){.kind = ACCEPT_ULP, .ulps = real_from_int(n)};
}

/* Is (a, b) within n ulps of (x, y)? */
static bool within(int n, struct real x, struct real y, uint64_t a, uint64_t b)
{
    const struct real z[2] = {x, y};
    const uint64_t got[2] = {a, b};
    struct accept_budget budget = ulps(n);
    return verdict_norm(z, got, DT_f32, &budget);
}

/* A number of which 24 bits are known, and that there are more. */
static struct real truncated(int64_t m)
{
    struct real r = real_from_int(m);
    r.inexact = true;
    r.width = 24;
    return r;
}

/* The set of part k beside the other one, in words: "low high". */
static const char *slice(int n, struct real x, struct real y, uint64_t a,
                         uint64_t b, int k)
{
    static char text[40];
    const struct real z[2] = {x, y};
    const uint64_t got[2] = {a, b};
    struct accept_budget budget = ulps(n);
    struct accept_set set;
    if (!verdict_norm_set(&set, z, got, k, DT_f32, &budget))
        return "none";
    snprintf(text, sizeof text, "%08x %08x",
             (unsigned)real_from_key(DT_f32, set.range[0].low),
             (unsigned)real_from_key(DT_f32, set.range[0].high));
    return text;
}

static void slices(void)
{
    struct real zero = real_from_int(0), one = real_from_int(1);
    struct real huge = real_from_bits(DT_f32, 0x7f7fffff);
    EQ_STR(slice(1, one, one, 0x3f800000, 0x3f800000, 0), "3f7ffffe 3f800001",
           "|1 + i| is 1.41 ulps of 1");
    EQ_STR(slice(5, one, zero, 0x3f800000, 0x34400000, 0), "3f7ffff7 3f800004",
           "beside 1.5 ulps sqrt(25 - 2.25) = 4.77 are left");
    EQ_STR(slice(1, one, zero, 0x3f800000, 0x34000001, 0), "none",
           "beside more than the budget nothing is");
    EQ_STR(slice(1, zero, one, 0, 0x3f800000, 0), "b4000000 34000000",
           "on both sides of zero");
    EQ_STR(slice(1, zero, one, 0x3f800000, 0x3f800000, 0), "b4000000 34000000",
           "what is in the part itself does not matter");
    EQ_STR(slice(1, zero, huge, 0, 0x7f7fffff, 1), "7f7ffffe 7f7fffff",
           "up to the largest number, and not infinity");
}

int main(void)
{
    struct real zero = real_from_int(0), one = real_from_int(1);
    OK(within(1, zero, one, 0, 0x3f800001)
           && !within(1, zero, one, 0, 0x3f800002),
       "an imaginary part");
    OK(within(1, zero, one, 0x34000000, 0x3f800000)
           && !within(1, zero, one, 0x34000001, 0x3f800000),
       "a real part beside it");
    OK(within(2, one, zero, 0x3f800002, 0)
           && !within(2, one, zero, 0x3f800003, 0),
       "two ulps are two");
    OK(within(2, zero, zero, 2, 0) && !within(2, zero, zero, 3, 0),
       "beside 0 too");
    OK(!within(1, zero, zero, 1, 1), "one in both parts is more than one");
    OK(within(3, one, one, 0x3f800003, 0x3f800003)
           && !within(3, one, one, 0x3f800005, 0x3f800000),
       "3 |1 + i| is 4.24 ulps");
    /* Between 1 and 1 + 2^-23: what is an ulp beyond either end is right. */
    struct real y = truncated(1), minus = truncated(-1);
    OK(within(1, y, zero, 0x3f800002, 0) && !within(1, y, zero, 0x3f800003, 0),
       "an ulp above the upper end");
    OK(within(1, y, zero, 0x3f7ffffe, 0) && !within(1, y, zero, 0x3f7ffffd, 0),
       "an ulp below the lower end");
    OK(within(1, minus, zero, 0xbf800002, 0)
           && !within(1, minus, zero, 0xbf800003, 0)
           && within(1, minus, zero, 0xbf7ffffe, 0)
           && !within(1, minus, zero, 0xbf7ffffd, 0),
       "and of a negative number");
    const struct real z[2] = {one, zero};
    const uint64_t got[2] = {0x3f800000, 0};
    struct accept_budget other = {.kind = ACCEPT_CR, .ulps = real_from_int(1)};
    OK(!verdict_norm(z, got, DT_f32, &other), "another budget says nothing");
    other = (struct accept_budget){.kind = ACCEPT_ULP};
    OK(!verdict_norm(z, got, DT_f32, &other), "nor does one of no ulps");
    /* 3 + 4i is 5: a fifth of it is 1, as is an absolute error of 1. */
    const struct real five[2] = {real_from_int(3), real_from_int(4)};
    const uint64_t near[2] = {0x40800000, 0x40800000}; /* 4 + 4i */
    const uint64_t off[2] = {0x40800001, 0x40800000};
    struct real fifth = real_from_bits(DT_f32, 0x3e4ccccd); /* 0.2 and a bit */
    other = (struct accept_budget){.kind = ACCEPT_ULP, .rel = fifth};
    OK(verdict_norm(five, near, DT_f32, &other)
           && !verdict_norm(five, off, DT_f32, &other),
       "a relative error is one of the modulus");
    other = (struct accept_budget){.kind = ACCEPT_ULP, .abs = one};
    OK(verdict_norm(five, near, DT_f32, &other)
           && !verdict_norm(five, off, DT_f32, &other),
       "an absolute error is the distance");
    slices();
    return tap_done();
}
