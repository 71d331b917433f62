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
#include <string.h>

#include "interp/test/tap.h"
#include "runner/test/slow_judge.h"

static struct slow_judge j;

static const struct {
    const char *name, *given; /* see slow_judge_give */
    enum verdict_status due;
    const char *text;
} trials[] = {
    {"Sort/judge/tiny", "f32[3] 0 1 3f800000", VERDICT_PASS, ""},
    {"Sort/judge/tiny", "f32[3] 1 0 3f800000", VERDICT_WARN,
     "flushes subnormal operands in 2 units"},
    {"Sort/judge/tiny", "f32[3] 0 0 3f800000", VERDICT_FAIL,
     "1 of 3 units are wrong"},
    {"Sort/judge/tiny", "f32[3] 1 1 3f800000", VERDICT_FAIL,
     "1 of 3 units are wrong"},
    {"Sort/judge/tiny", "f32[3] 1 3f800000 0", VERDICT_FAIL,
     "3 of 3 units are wrong"},
    {"Max/judge/tiny", "f32[1] 80000001", VERDICT_WARN,
     "flushes subnormal operands in 1 units"},
    {"Max/judge/tiny", "f32[1] 80000002", VERDICT_FAIL,
     "1 of 1 units are wrong"},
    {"Max/judge/two-tiny", "f32[1] 1", VERDICT_WARN,
     "flushes subnormal operands in 1 units"},
    {"Max/judge/two-tiny", "f32[1] 3", VERDICT_FAIL, "1 of 1 units are wrong"},
    {"Min/judge/tiny", "f32[1] 1", VERDICT_WARN,
     "flushes subnormal operands in 1 units"},
    {"Min/judge/tiny", "f32[1] 0", VERDICT_PASS, ""},
    {"Min/judge/tiny", "f32[1] 2", VERDICT_FAIL, "1 of 1 units are wrong"},
    {"DynamicUpdateSlice/judge/empty", "f32[3] 3f800000 40000000 40400000",
     VERDICT_PASS, ""},
    {"DynamicUpdateSlice/judge/empty", "f32[3] 3f800000 40000000 0",
     VERDICT_FAIL, "1 of 3 units are wrong"},
    {"DynamicUpdateSlice/judge/one", "f32[3] 3f800000 40800000 40400000",
     VERDICT_PASS, ""},
    {"DynamicUpdateSlice/judge/all", "f32[3] 40800000 40a00000 40c00000",
     VERDICT_PASS, ""},
    {"Clamp/judge/tiny", "f32[1] 80000001", VERDICT_WARN,
     "flushes subnormal operands in 1 units"},
    {"Clamp/judge/tiny", "f32[1] 3f800000", VERDICT_FAIL,
     "1 of 1 units are wrong"},
    {"Select/judge/greater", "f32[1] 1", VERDICT_WARN,
     "flushes subnormal operands in 1 units"},
    {"Select/judge/greater", "f32[1] 2", VERDICT_FAIL,
     "1 of 1 units are wrong"},
    {"Sort/judge/le", "s32[5] 1 1 2 3 3", VERDICT_PASS, ""},
    {"Sort/judge/le", "s32[5] 3 1 2 1 3", VERDICT_WARN,
     "permitted: sort.nan in 5 units"},
    {"Sort/judge/le", "s32[5] 1 1 2 2 3", VERDICT_FAIL,
     "the rows at 0 to 4 of line 0 are not a permutation of the expected ones"},
    {"Sort/judge/nan", "f32[4] 3f800000 40000000 7fc00000 40400000",
     VERDICT_PASS, ""},
    {"Sort/judge/nan", "f32[4] 7fc00000 3f800000 40000000 40400000",
     VERDICT_PASS, ""},
    {"Sort/judge/nan", "f32[4] 40400000 3f800000 7fc00000 40000000",
     VERDICT_WARN, "permitted: sort.nan in 4 units"},
    {"Exp/judge/one", "f32[1] 3f800001", VERDICT_WARN,
     "permitted: function.special-value in 1 units"},
    {"Exp/judge/one", "f32[1] 40000000", VERDICT_FAIL,
     "1 of 1 units are wrong"},
    {"Exp/judge/infinite", "c64[1] 7f800000 0", VERDICT_PASS, ""},
    {"Exp/judge/infinite", "c64[1] 40a00000 40e00000", VERDICT_WARN,
     "permitted: complex.special in 2 units"},
    {"Log/judge/one", "c64[1] 0 80000000", VERDICT_WARN,
     "permitted: complex.zero-sign in 1 units"},
    {"Log/judge/one", "c64[1] 80000000 80000000", VERDICT_WARN,
     "permitted: complex.zero-sign in 2 units"},
    {"Log/judge/one", "c64[1] 80000003 0", VERDICT_FAIL,
     "1 of 2 units are wrong"},
    {"Log/judge/pole", "c64[1] ff800000 0", VERDICT_PASS, ""},
    {"Log/judge/pole", "c64[1] 7fc00000 7fc00000", VERDICT_WARN,
     "permitted: complex.special in 2 units"},
    {"Sqrt/judge/cut", "c64[1] 80000000 c0000000", VERDICT_WARN,
     "permitted: complex.zero-sign in 1 units"},
    {"Sqrt/judge/cut", "c64[1] 0 40000000", VERDICT_FAIL,
     "1 of 2 units are wrong"},
    {"Pow/judge/wraps", "s32[2] 6f7c52b3 0", VERDICT_PASS, ""},
    {"Pow/judge/wraps", "s32[2] 7fffffff 0", VERDICT_WARN,
     "permitted: integer.overflow in 1 units"},
    {"Pow/judge/wraps", "s32[2] 6f7c52b3 1", VERDICT_FAIL,
     "1 of 2 units are wrong"},
};

/* What has a status in each profile, and no text that matters.
 *
 * Keys 2^-149 and 0 carry 1 and 2.  0 is the less; where subnormal operands
 * count as zero both orders are right, but a row stays together.
 *
 * Updates (1, 10) and (2, 20): the last one stays, or 2 x + update is applied,
 * which gives (4, 40) in that order and (5, 50) in the other.  Both elements in
 * one order is what strict wants; in spec each may have its own.
 *
 * Infinity less infinity is a NaN of any sign and payload (IEEE 754-2019 6.2,
 * 6.3), and that is what Reshape moves; an operand keeps its own. */
static const struct {
    const char *name, *given;
    enum verdict_status spec, strict;
} statuses[] = {
    {"Sort/judge/rows", "s32[2] 2 1; f32[2] 0 1", VERDICT_PASS, VERDICT_PASS},
    {"Sort/judge/rows", "s32[2] 1 2; f32[2] 1 0", VERDICT_WARN, VERDICT_FAIL},
    {"Sort/judge/rows", "s32[2] 1 2; f32[2] 0 1", VERDICT_FAIL, VERDICT_FAIL},
    {"Sort/judge/rows", "s32[2] 2 1; f32[2] 1 0", VERDICT_FAIL, VERDICT_FAIL},
    {"Scatter/judge/two", "s32[1] 2; s32[1] 14", VERDICT_PASS, VERDICT_PASS},
    {"Scatter/judge/two", "s32[1] 1; s32[1] a", VERDICT_PASS, VERDICT_PASS},
    {"Scatter/judge/two", "s32[1] 1; s32[1] 14", VERDICT_PASS, VERDICT_FAIL},
    {"Scatter/judge/two", "s32[1] 2; s32[1] a", VERDICT_PASS, VERDICT_FAIL},
    {"Scatter/judge/two-sums", "s32[1] 4; s32[1] 28", VERDICT_PASS,
     VERDICT_PASS},
    {"Scatter/judge/two-sums", "s32[1] 5; s32[1] 32", VERDICT_PASS,
     VERDICT_PASS},
    {"Scatter/judge/two-sums", "s32[1] 5; s32[1] 28", VERDICT_PASS,
     VERDICT_FAIL},
    {"Scatter/judge/two-sums", "s32[1] 4; s32[1] 32", VERDICT_PASS,
     VERDICT_FAIL},
    {"Select/judge/moved-nan", "f32[2] 7fc00000 7fc00001", VERDICT_PASS,
     VERDICT_PASS},
    {"Select/judge/moved-nan", "f32[2] ffc00000 7fc00001", VERDICT_PASS,
     VERDICT_PASS},
    {"Select/judge/moved-nan", "f32[2] 7fc01234 7fc00001", VERDICT_PASS,
     VERDICT_PASS},
    {"Select/judge/moved-nan", "f32[2] 7fa00000 7fc00001", VERDICT_PASS,
     VERDICT_FAIL}, /* signals */
    {"Select/judge/moved-nan", "f32[2] 7f800000 7fc00001", VERDICT_FAIL,
     VERDICT_FAIL},
    {"Select/judge/moved-nan", "f32[2] 7fc00000 7fc00000", VERDICT_FAIL,
     VERDICT_FAIL},
};

static void check_status(const char *name, const char *given,
                         enum verdict_status due)
{
    slow_judge_give(&j, "%s", given);
    EQ_STR(verdict_name((enum verdict_status)slow_judge_case(&j, name)->status),
           verdict_name(due), "%s: %s%s", name, given,
           j.context.profile == j.strict ? " under strict" : "");
}

/* A strict profile fails all that is not as it should be. */
static void values(void)
{
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        slow_judge_give(&j, "%s", trials[i].given);
        slow_judge_due(&j, trials[i].name, trials[i].due, trials[i].text);
    }
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        check_status(statuses[i].name, statuses[i].given, statuses[i].spec);
    j.context.profile = j.strict;
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
        check_status(trials[i].name, trials[i].given,
                     trials[i].due == VERDICT_PASS ? VERDICT_PASS
                                                   : VERDICT_FAIL);
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        check_status(statuses[i].name, statuses[i].given, statuses[i].strict);
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
    slow_judge_give(&j, "f32[3] 1 0 3f800000");
    const struct job_result *r = slow_judge_case(&j, "Sort/judge/tiny");
    OK(r->remark_count == 1 && remarks(r)->units == 2,
       "flushing is a remark of its units");
    EQ_STR(remarks(r)->name, "flush", "by name");
    slow_judge_give(&j, "s32[5] 3 1 2 1 3");
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
    slow_judge_give(&j, "f32[0]");
    slow_judge_due(&j, "DynamicSlice/judge/empty", VERDICT_PASS, "");
    slow_judge_start(&j);
    j.record.head.code = ASSAY_REJECTED;
    j.record.head.flags = JOB_CLASSLESS;
    slow_judge_due(&j, "DynamicUpdateSlice/judge/empty", VERDICT_WARN,
                   "permitted: refused, slice.empty");
    for (int i = 0; i < 2; i++)
        OK(slow_judge_case(&j, i ? "DynamicUpdateSlice/judge/all"
                                 : "DynamicUpdateSlice/judge/one")
                   ->status
               == VERDICT_REFUSED,
           "an update that is not empty must be taken");
}

/* Results of four replicas.
 *
 * Replicas 0 and 1 of partitions 0 and 1 hold 0, 1, 10 and 11.
 *
 * 256 + 1 + 1 + 1 in bf16, of 8 significant bits, each term times exp(0).  The
 * sum is 259, a tie that goes to 260.  Where exp(0) may be an ulp off, up to
 * 1 + 2^-7, it is at most 258 + 3 (1 + 2^-7) = 261.02, which rounds to 262.
 * Where it is 1, but sums are of bf16, E = 259 g is 3.08, g being
 * 3 2^-8 / (1 - 3 2^-8): 262.08 at most.  With both, 261.02 (1 + g) = 264.13:
 * only both explain 264, and nothing 266. */
static void four_replicas(void)
{
    static const struct {
        const char *name, *given;
        enum verdict_status due;
        const char *text;
    } of[] = {
        {"AllGather/judge/both", "s32[4] 0 1 a b", VERDICT_PASS, ""},
        {"AllGather/judge/both", "s32[4] 0 a 1 b", VERDICT_WARN,
         "permitted: collective.group-order in 8 units"},
        {"AllGather/judge/both", "s32[4] 0 b a 1", VERDICT_FAIL,
         "8 of 16 units are wrong"},
        {"AllReduce/judge/two-policies", "bf16[1] 4382", VERDICT_PASS, ""},
        {"AllReduce/judge/two-policies", "bf16[1] 4384", VERDICT_WARN,
         "permitted: function.special-value in 4 units; "
         "accumulate.type in 4 units"},
        {"AllReduce/judge/two-policies", "bf16[1] 4385", VERDICT_FAIL,
         "4 of 4 units are wrong"},
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const char *g = of[i].given;
        slow_judge_give(&j, "0: %s; 1: %s; 2: %s; 3: %s", g, g, g, g);
        slow_judge_due(&j, of[i].name, of[i].due, of[i].text);
    }
}

/* Keys 1 1 0 carry 7 8 9: 9 comes first, 7 and 8 after it in either order. */
static void passed_on(void)
{
    slow_judge_give(&j, "s32[3] 9 8 7; s32[3] 0 1 1; s32[3] 9 8 7");
    EQ_INT(slow_judge_due(&j, "Sort/judge/twice", VERDICT_PASS, "")->correct,
           -1, "of an order no unit is right by itself");
    check_status("Sort/judge/twice", "s32[3] 9 8 8; s32[3] 0 1 1; s32[3] 9 8 8",
                 VERDICT_FAIL);
}

int main(void)
{
    slow_judge_open(&j);
    values();
    names();
    refusals();
    passed_on();
    four_replicas();
    slow_judge_close(&j);
    return tap_done();
}
