/* test_judge_outfeed.c - what a program writes to the outfeed, judged.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * What was computed goes out as it would as a result: 2^-64 2^-64 is 2^-128,
 * 2^-127 + 2^-128 (00600000) with one or both of them flushed is 00400000,
 * 00200000 or 0, inf - inf is any NaN, and e is 402df854, 402df855 after it.
 * Data that only move keep their bits, in a computation that is called, too.
 */
#include <stdio.h>

#include "interp/test/tap.h"
#include "runner/test/slow_judge.h"

static struct slow_judge j;

#define ONE_IS(unit, got, due) \
    "outfeed 0 of replica 0 differs: unit " unit " is " got ", expected " due

static const struct {
    const char *name, *given;
    enum verdict_status status;
    const char *text;
} trials[] = {
    {"called", "f32[2] 3f800000 400000; > f32[2] 3f800000 400000", VERDICT_PASS,
     ""},
    {"called", "f32[2] 3f800000 400000; > f32[2] 3f800000 0", VERDICT_FAIL,
     ONE_IS("1", "00000000", "00400000")},
    {"one", "token[]; > s32[2] 1 2", VERDICT_PASS, ""},
    {"one", "token[]", VERDICT_FAIL,
     "replica 0 wrote 0 outfeed items; expected 1"},
    {"one", "token[]; > s32[2] 1 3", VERDICT_FAIL,
     ONE_IS("1", "00000003", "00000002")},
    {"one", "token[]; > s32[2] 1 2; > s32[2] 1 2", VERDICT_FAIL,
     "replica 0 wrote more outfeed items than the 1 expected"},
    {"one", "token[]; > -1: s32[2] 1 2", VERDICT_FAIL,
     "outfeed of a nonexistent replica"},
    {"one", "token[]; > 1: s32[2] 1 2", VERDICT_FAIL,
     "outfeed of a nonexistent replica"},
    {"one", "token[]; > u32[2] 1 2", VERDICT_FAIL,
     "outfeed 0 of replica 0: element type u32, expected s32"},
    {"one", "f32[1] 0; > s32[2] 1 2", VERDICT_FAIL,
     "output 0 of replica 0: element type f32, expected token"},
    {"pair", "token[]; token[]; > 1: s32[2] 3 4; > s32[2] 1 2", VERDICT_PASS,
     ""},
    {"pair", "token[]; token[]; > s32[2] 3 4; > 1: s32[2] 1 2", VERDICT_FAIL,
     ONE_IS("0", "00000003", "00000001")},
    {"pair", "token[]; token[]; > s32[2] 1 2", VERDICT_FAIL,
     "replica 1 wrote 0 outfeed items; expected 1"},
    {"two", "token[]; > s32[2] 1 2; > s32[2] 3 4", VERDICT_PASS, ""},
    {"two", "token[]; > s32[2] 1 2", VERDICT_FAIL,
     "replica 0 wrote 1 outfeed items; expected 2"},
    {"two", "token[]; > s32[2] 1 2; > s32[2] 3 5", VERDICT_FAIL,
     "outfeed 1 of replica 0 differs: unit 1 is 00000005, expected 00000004"},
    {"tuple", "token[]; > s32[2] 1 2; > s32[2] 3 4", VERDICT_PASS, ""},
    {"tuple", "token[]; > s32[2] 1 2", VERDICT_FAIL,
     "replica 0 wrote 1 outfeed items; expected 2"},
    {"tuple", "token[]; > s32[2] 1 2; > s32[2] 3 5", VERDICT_FAIL,
     "outfeed 1 of replica 0 differs: unit 1 is 00000005, expected 00000004"},
    {"product", "token[]; > f32[2] 200000 3f800000", VERDICT_PASS, ""},
    {"product", "token[]; > f32[2] 0 3f800000", VERDICT_WARN,
     "flushes subnormal results in 1 units"},
    {"product", "token[]; > f32[2] 100000 3f800000", VERDICT_FAIL,
     ONE_IS("0", "00100000", "00200000")},
    {"sum", "token[]; > f32[2] 200000 40000000", VERDICT_WARN,
     "flushes subnormal operands in 1 units"},
    {"sum", "token[]; > f32[2] 400000 40000000", VERDICT_WARN,
     "flushes subnormal operands in 1 units"},
    {"sum", "token[]; > f32[2] 300000 40000000", VERDICT_FAIL,
     ONE_IS("0", "00300000", "00600000")},
    {"moved", "token[]; > f32[2] 3f800000 0", VERDICT_FAIL,
     ONE_IS("1", "00000000", "00400000")},
    {"through", "token[]; > f32[2] 0 3f800000", VERDICT_FAIL,
     ONE_IS("0", "00000000", "00400000")},
    {"nan-computed", "token[]; > f32[2] ffc12345 0", VERDICT_PASS, ""},
    {"nan-computed", "token[]; > f32[2] 7f800000 0", VERDICT_FAIL,
     ONE_IS("0", "7f800000", "7fc00000")},
    {"inexact", "token[]; > f32[2] 402df855 3f800000", VERDICT_PASS, ""},
    {"inexact", "token[]; > f32[2] 402df85f 3f800000", VERDICT_FAIL,
     ONE_IS("0", "402df85f", "402df854")},
    /* exp(0) is 1; a special value an ulp off is permitted with a remark. */
    {"inexact", "token[]; > f32[2] 402df854 3f800001", VERDICT_WARN,
     "permitted: function.special-value in 1 units"},
    {"loop", "s32[] 2; > f32[2] 200000 3f800000; > f32[2] 200000 3f800000",
     VERDICT_PASS, ""},
    {"loop", "s32[] 2; > f32[2] 200000 3f800000; > f32[2] 0 3f800000",
     VERDICT_WARN, "flushes subnormal results in 1 units"},
    {"loop", "s32[] 2; > f32[2] 200001 3f800000; > f32[2] 0 3f800000",
     VERDICT_FAIL, ONE_IS("0", "00200001", "00200000")},
};

/* Does the reference contradict what the case says? */
static const struct {
    const char *name, *given;
    bool contradicts;
} references[] = {
    {"one", "s32[2] 1 2", false},
    {"wrongly", "s32[2] 1 2", true},
    {"fewer", "s32[2] 1 2", true},
    {"either", "s32[2] 1 2", false},
    {"neither", "s32[2] 1 2", true},
    {"free", "s32[2] 1 2", false},
    {"nan", "f32[2] 7fc00123 3f800000", false},
    {"number", "f32[2] 7fc00123 3f800000", true},
    {"shape", "f32[2] 7fc00123 3f800000", true},
};

int main(void)
{
    char name[40];
    slow_judge_open(&j);
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        snprintf(name, sizeof name, "Outfeed/judge/%s", trials[i].name);
        slow_judge_give(&j, "%s", trials[i].given);
        slow_judge_due(&j, name, trials[i].status, trials[i].text);
    }
    for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
        snprintf(name, sizeof name, "Outfeed/judge/%s", references[i].name);
        slow_judge_give(&j, "token[]; > %s", references[i].given);
        OK(slow_judge_case(&j, name)->reference_wrong
               == references[i].contradicts,
           "%s: does the reference contradict the case?", name);
    }
    slow_judge_close(&j);
    return tap_done();
}
