/* test_judge_ways.c - results that another way than the plain one explains.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is right follows by hand: 00000001 is 2^-149 of f32; the orders of a
 * sort from the passage 004:1747 and from C11 7.22.5; 3^21 = 10,460,353,203 is
 * 0x6f7c52b3 modulo 2^32 and beyond s32, 0^64 is 0; exp(inf + 0i) is inf + 0i
 * by C11 G.6.3.1; exp(0) is 1 by C11 F.10.3.1; clog(1 + 0i) is 0 + 0i (G.6.3.2
 * has the parts of the real logarithm and atan2), clog(0 + 0i) -inf + 0i,
 * csqrt(-4 - 0i) is 0 - 2i (G.6.4.2).
 */
#include <assay/backend.h>
#include <stdlib.h>
#include <string.h>

#include "interp/test/tap.h"
#include "runner/test/slow_judge.h"

static struct slow_judge j;

static const struct {
    const char *name, *given; /* a type, and words of 32 bits */
    enum verdict_status due;
    const char *text;
} trials[] = {
    {"Sort/judge/tiny", "f32 0 1 3f800000", VERDICT_PASS, ""},
    {"Sort/judge/tiny", "f32 1 0 3f800000", VERDICT_WARN,
     "flushes subnormal operands in 2 units"},
    {"Sort/judge/tiny", "f32 0 0 3f800000", VERDICT_FAIL,
     "1 of 3 units are wrong"},
    {"Sort/judge/tiny", "f32 1 1 3f800000", VERDICT_FAIL,
     "1 of 3 units are wrong"},
    {"Sort/judge/tiny", "f32 1 3f800000 0", VERDICT_FAIL,
     "3 of 3 units are wrong"},
    {"Max/judge/tiny", "f32 80000001", VERDICT_WARN,
     "flushes subnormal operands in 1 units"},
    {"Max/judge/tiny", "f32 80000002", VERDICT_FAIL, "1 of 1 units are wrong"},
    {"Max/judge/two-tiny", "f32 1", VERDICT_WARN,
     "flushes subnormal operands in 1 units"},
    {"Max/judge/two-tiny", "f32 3", VERDICT_FAIL, "1 of 1 units are wrong"},
    {"Min/judge/tiny", "f32 1", VERDICT_WARN,
     "flushes subnormal operands in 1 units"},
    {"Min/judge/tiny", "f32 0", VERDICT_PASS, ""},
    {"Min/judge/tiny", "f32 2", VERDICT_FAIL, "1 of 1 units are wrong"},
    {"DynamicUpdateSlice/judge/empty", "f32 3f800000 40000000 40400000",
     VERDICT_PASS, ""},
    {"DynamicUpdateSlice/judge/empty", "f32 3f800000 40000000 0", VERDICT_FAIL,
     "1 of 3 units are wrong"},
    {"DynamicUpdateSlice/judge/one", "f32 3f800000 40800000 40400000",
     VERDICT_PASS, ""},
    {"DynamicUpdateSlice/judge/all", "f32 40800000 40a00000 40c00000",
     VERDICT_PASS, ""},
    {"Clamp/judge/tiny", "f32 80000001", VERDICT_WARN,
     "flushes subnormal operands in 1 units"},
    {"Clamp/judge/tiny", "f32 3f800000", VERDICT_FAIL,
     "1 of 1 units are wrong"},
    {"Select/judge/greater", "f32 1", VERDICT_WARN,
     "flushes subnormal operands in 1 units"},
    {"Select/judge/greater", "f32 2", VERDICT_FAIL, "1 of 1 units are wrong"},
    {"Sort/judge/le", "s32 1 1 2 3 3", VERDICT_PASS, ""},
    {"Sort/judge/le", "s32 3 1 2 1 3", VERDICT_WARN,
     "permitted: sort.nan in 5 units"},
    {"Sort/judge/le", "s32 1 1 2 2 3", VERDICT_FAIL,
     "the rows at 0 to 4 of line 0 are not a permutation of the expected ones"},
    {"Sort/judge/nan", "f32 3f800000 40000000 7fc00000 40400000", VERDICT_PASS,
     ""},
    {"Sort/judge/nan", "f32 7fc00000 3f800000 40000000 40400000", VERDICT_PASS,
     ""},
    {"Sort/judge/nan", "f32 40400000 3f800000 7fc00000 40000000", VERDICT_WARN,
     "permitted: sort.nan in 4 units"},
    {"Exp/judge/one", "f32 3f800001", VERDICT_WARN,
     "permitted: function.special-value in 1 units"},
    {"Exp/judge/one", "f32 40000000", VERDICT_FAIL, "1 of 1 units are wrong"},
    {"Exp/judge/infinite", "c64 7f800000 0", VERDICT_PASS, ""},
    {"Exp/judge/infinite", "c64 40a00000 40e00000", VERDICT_WARN,
     "permitted: complex.special in 2 units"},
    {"Log/judge/one", "c64 0 80000000", VERDICT_WARN,
     "permitted: complex.zero-sign in 1 units"},
    {"Log/judge/one", "c64 80000000 80000000", VERDICT_WARN,
     "permitted: complex.zero-sign in 2 units"},
    {"Log/judge/one", "c64 80000003 0", VERDICT_FAIL, "1 of 2 units are wrong"},
    {"Log/judge/pole", "c64 ff800000 0", VERDICT_PASS, ""},
    {"Log/judge/pole", "c64 7fc00000 7fc00000", VERDICT_WARN,
     "permitted: complex.special in 2 units"},
    {"Sqrt/judge/cut", "c64 80000000 c0000000", VERDICT_WARN,
     "permitted: complex.zero-sign in 1 units"},
    {"Sqrt/judge/cut", "c64 0 40000000", VERDICT_FAIL,
     "1 of 2 units are wrong"},
    {"Pow/judge/wraps", "s32 6f7c52b3 0", VERDICT_PASS, ""},
    {"Pow/judge/wraps", "s32 7fffffff 0", VERDICT_WARN,
     "permitted: integer.overflow in 1 units"},
    {"Pow/judge/wraps", "s32 6f7c52b3 1", VERDICT_FAIL,
     "1 of 2 units are wrong"},
};

static void give(int i)
{
    const char *given = trials[i].given;
    bool complex = strncmp(given, "c64", 3) == 0;
    char type[4] = {given[0], given[1], given[2]};
    uint32_t bits[5];
    int n = 0;
    for (char *next = (char *)&given[3]; *next; n++)
        bits[n] = (uint32_t)strtoul(next, &next, 16);
    slow_judge_start(&j);
    slow_judge_array(&j, type, complex ? 1 : n, bits, 4 * (size_t)n, 0);
    j.record.head.output_count = 1;
}

/* A strict profile fails all that is not as it should be. */
static void values(void)
{
    for (int i = 0; i < (int)(sizeof trials / sizeof *trials); i++) {
        enum verdict_status strict =
            trials[i].due == VERDICT_PASS ? VERDICT_PASS : VERDICT_FAIL;
        give(i);
        j.context.profile = j.spec;
        slow_judge_due(&j, trials[i].name, trials[i].due, trials[i].text);
        j.context.profile = j.strict;
        give(i);
        EQ_STR(verdict_name(
                   (enum verdict_status)slow_judge_case(&j, trials[i].name)
                       ->status),
               verdict_name(strict), "%s under strict", trials[i].name);
    }
    j.context.profile = j.spec;
}

static const struct job_remark *remarks(const struct job_result *r)
{
    const struct job_wrong *w = (const struct job_wrong *)(r + 1);
    const struct job_bin *b = (const struct job_bin *)(w + r->wrong_count);
    return (const struct job_remark *)(b + r->bin_count);
}

static void names(void)
{
    const uint32_t swapped[] = {1, 0, 0x3f800000};
    const uint32_t unsorted[] = {3, 1, 2, 1, 3};
    slow_judge_start(&j);
    slow_judge_output(&j, "f32", 3, swapped);
    const struct job_result *r = slow_judge_case(&j, "Sort/judge/tiny");
    OK(r->remark_count == 1 && remarks(r)->units == 2,
       "flushing is a remark of its units");
    EQ_STR(remarks(r)->name, "flush", "by name");
    slow_judge_start(&j);
    slow_judge_output(&j, "s32", 5, unsorted);
    r = slow_judge_case(&j, "Sort/judge/le");
    OK(r->remark_count == 1 && remarks(r)->units == 5,
       "so is a choice that is permitted");
    EQ_STR(remarks(r)->name, "sort.nan", "by its policy's name");
}

/* Of size 0: 004:718 wants it refused, XLA takes it. */
static void refusals(void)
{
    slow_judge_start(&j);
    j.record.head.code = ASSAY_ATTRIBUTE;
    const struct job_result *r =
        slow_judge_due(&j, "DynamicSlice/judge/empty", VERDICT_WARN,
                       "permitted: refused, slice.empty");
    OK(r->remark_count == 1 && strcmp(remarks(r)->name, "slice.empty") == 0
           && remarks(r)->units == 0,
       "a remark on no unit");
    slow_judge_start(&j);
    j.record.head.code = ASSAY_SHAPE;
    slow_judge_due(&j, "DynamicSlice/judge/empty", VERDICT_REFUSED, "shape");
    slow_judge_start(&j);
    j.record.head.code = ASSAY_REJECTED;
    j.record.head.flags = JOB_CLASSLESS;
    slow_judge_due(&j, "DynamicSlice/judge/empty", VERDICT_WARN,
                   "permitted: refused, slice.empty");
    slow_judge_start(&j);
    j.record.head.code = ASSAY_FAILED;
    OK(slow_judge_case(&j, "DynamicSlice/judge/empty")->status
           == VERDICT_REFUSED,
       "a failure is not a refusal");
    slow_judge_start(&j);
    slow_judge_output(&j, "f32", 0, NULL);
    slow_judge_due(&j, "DynamicSlice/judge/empty", VERDICT_PASS, "");
    slow_judge_start(&j);
    j.record.head.code = ASSAY_REJECTED;
    j.record.head.flags = JOB_CLASSLESS;
    slow_judge_due(&j, "DynamicUpdateSlice/judge/empty", VERDICT_WARN,
                   "permitted: refused, slice.empty");
    for (int i = 0; i < 2; i++) {
        slow_judge_start(&j);
        j.record.head.code = ASSAY_REJECTED;
        j.record.head.flags = JOB_CLASSLESS;
        OK(slow_judge_case(&j, i ? "DynamicUpdateSlice/judge/all"
                                 : "DynamicUpdateSlice/judge/one")
                   ->status
               == VERDICT_REFUSED,
           "an update that is not empty must be taken");
    }
}

static void give_all(const char *type, int n, const void *bits, size_t bytes)
{
    slow_judge_start(&j);
    for (int r = 0; r < 4; r++)
        slow_judge_array(&j, type, n, bits, bytes, r);
    j.record.head.output_count = 4;
}

/* Replicas 0 and 1 of partitions 0 and 1 hold 0, 1, 10 and 11. */
static void group_order(void)
{
    static const uint32_t by_replica[] = {0, 1, 10, 11},
                          by_partition[] = {0, 10, 1, 11},
                          neither[] = {0, 11, 10, 1};
    give_all("s32", 4, by_replica, sizeof by_replica);
    slow_judge_due(&j, "AllGather/judge/both", VERDICT_PASS, "");
    give_all("s32", 4, by_partition, sizeof by_partition);
    slow_judge_due(&j, "AllGather/judge/both", VERDICT_WARN,
                   "permitted: collective.group-order in 8 units");
    give_all("s32", 4, neither, sizeof neither);
    slow_judge_due(&j, "AllGather/judge/both", VERDICT_FAIL,
                   "8 of 16 units are wrong");
}

/* 256 + 1 + 1 + 1 in bf16, of 8 significant bits, each term times exp(0).  The
 * sum is 259, a tie that goes to 260.  Where exp(0) may be an ulp off, up to
 * 1 + 2^-7, it is at most 258 + 3 (1 + 2^-7) = 261.02, which rounds to 262.
 * Where it is 1, but sums are of bf16, E = 259 g is 3.08, g being
 * 3 2^-8 / (1 - 3 2^-8): 262.08 at most.  With both, 261.02 (1 + g) = 264.13:
 * only both explain 264, and nothing 266. */
static void together(void)
{
    static const struct {
        uint16_t bits;
        enum verdict_status due;
        const char *text;
    } sums[] = {{0x4382, VERDICT_PASS, ""},
                {0x4384, VERDICT_WARN,
                 "permitted: function.special-value in 4 units; "
                 "accumulate.type in 4 units"},
                {0x4385, VERDICT_FAIL, "4 of 4 units are wrong"}};
    for (int i = 0; i < (int)(sizeof sums / sizeof *sums); i++) {
        give_all("bf16", 1, &sums[i].bits, sizeof sums[i].bits);
        slow_judge_due(&j, "AllReduce/judge/two-policies", sums[i].due,
                       sums[i].text);
    }
}

/* Keys 1 1 0 carry 7 8 9: 9 comes first, 7 and 8 after it in either order. */
static void passed_on(void)
{
    static const uint32_t keys[] = {0, 1, 1}, right[] = {9, 8, 7},
                          wrong[] = {9, 8, 8};
    slow_judge_start(&j);
    slow_judge_output(&j, "s32", 3, right);
    slow_judge_output(&j, "s32", 3, keys);
    slow_judge_output(&j, "s32", 3, right);
    EQ_INT(slow_judge_due(&j, "Sort/judge/twice", VERDICT_PASS, "")->correct,
           -1, "of an order no unit is right by itself");
    slow_judge_start(&j);
    slow_judge_output(&j, "s32", 3, wrong);
    slow_judge_output(&j, "s32", 3, keys);
    slow_judge_output(&j, "s32", 3, wrong);
    OK(slow_judge_case(&j, "Sort/judge/twice")->status == VERDICT_FAIL,
       "three arrays of a sort that has two");
}

/* Keys 2^-149 and 0 carry 1 and 2.  0 is the less; where subnormal operands
 * count as zero both orders are right, but a row stays together. */
static void rows(void)
{
    static const struct {
        uint32_t values[2], keys[2];
        enum verdict_status due;
    } trials_of[] = {{{2, 1}, {0, 1}, VERDICT_PASS},
                     {{1, 2}, {1, 0}, VERDICT_WARN},
                     {{1, 2}, {0, 1}, VERDICT_FAIL},
                     {{2, 1}, {1, 0}, VERDICT_FAIL}};
    for (int i = 0; i < (int)(sizeof trials_of / sizeof *trials_of); i++) {
        slow_judge_start(&j);
        slow_judge_output(&j, "s32", 2, trials_of[i].values);
        slow_judge_output(&j, "f32", 2, trials_of[i].keys);
        EQ_STR(verdict_name(
                   (enum verdict_status)slow_judge_case(&j, "Sort/judge/rows")
                       ->status),
               verdict_name(trials_of[i].due), "rows in way %d", i);
    }
}

/* Updates (1, 10) and (2, 20): the last one stays, or 2 x + update is applied,
 * which gives (4, 40) in that order and (5, 50) in the other. */
static void orders(void)
{
    static const struct {
        const char *name;
        uint32_t x, y;
        enum verdict_status due;
    } given[] = {
        {"Scatter/judge/two", 2, 20, VERDICT_PASS},
        {"Scatter/judge/two", 1, 10, VERDICT_PASS},
        {"Scatter/judge/two", 1, 20, VERDICT_FAIL},
        {"Scatter/judge/two", 2, 10, VERDICT_FAIL},
        {"Scatter/judge/two-sums", 4, 40, VERDICT_PASS},
        {"Scatter/judge/two-sums", 5, 50, VERDICT_PASS},
        {"Scatter/judge/two-sums", 5, 40, VERDICT_FAIL},
        {"Scatter/judge/two-sums", 4, 50, VERDICT_FAIL},
    };
    j.context.profile = j.strict;
    for (int i = 0; i < (int)(sizeof given / sizeof *given); i++) {
        slow_judge_start(&j);
        slow_judge_output(&j, "s32", 1, &given[i].x);
        slow_judge_output(&j, "s32", 1, &given[i].y);
        EQ_STR(
            verdict_name((enum verdict_status)slow_judge_case(&j, given[i].name)
                             ->status),
            verdict_name(given[i].due), "%s: %u and %u of one order",
            given[i].name, given[i].x, given[i].y);
    }
    j.context.profile = j.spec;
}

/* Infinity less infinity is a NaN of any sign and payload (IEEE 754-2019 6.2,
 * 6.3), and that is what Reshape moves; an operand keeps its own. */
static void moved_nans(void)
{
    static const struct {
        uint32_t made, own;
        enum verdict_status spec, strict;
    } trials_of[] = {
        {0x7fc00000, 0x7fc00001, VERDICT_PASS, VERDICT_PASS},
        {0xffc00000, 0x7fc00001, VERDICT_PASS, VERDICT_PASS},
        {0x7fc01234, 0x7fc00001, VERDICT_PASS, VERDICT_PASS},
        {0x7fa00000, 0x7fc00001, VERDICT_PASS, VERDICT_FAIL}, /* signals */
        {0x7f800000, 0x7fc00001, VERDICT_FAIL, VERDICT_FAIL},
        {0x7fc00000, 0x7fc00000, VERDICT_FAIL, VERDICT_FAIL},
    };
    for (int i = 0; i < (int)(sizeof trials_of / sizeof *trials_of); i++) {
        const uint32_t got[] = {trials_of[i].made, trials_of[i].own};
        for (int strict = 0; strict < 2; strict++) {
            j.context.profile = strict ? j.strict : j.spec;
            slow_judge_start(&j);
            slow_judge_output(&j, "f32", 2, got);
            EQ_STR(
                verdict_name((enum verdict_status)slow_judge_case(
                                 &j, "Select/judge/moved-nan")
                                 ->status),
                verdict_name(strict ? trials_of[i].strict : trials_of[i].spec),
                "a NaN that was computed, and one that was not, %d", i);
        }
    }
    j.context.profile = j.spec;
}

int main(void)
{
    slow_judge_open(&j);
    values();
    names();
    refusals();
    passed_on();
    group_order();
    together();
    rows();
    orders();
    moved_nans();
    slow_judge_close(&j);
    return tap_done();
}
