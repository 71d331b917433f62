/* test_judge_outfeed.c - what a program writes to the outfeed, judged.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>

#include "interp/test/tap.h"
#include "runner/test/slow_judge.h"

static struct slow_judge j;

static void outfeeds(void)
{
    slow_judge_start(&j);
    slow_judge_token(&j);
    slow_judge_outfed(&j, 0, 1, 2);
    slow_judge_due(&j, "Outfeed/judge/one", VERDICT_PASS, "");
    slow_judge_start(&j);
    slow_judge_token(&j);
    slow_judge_due(&j, "Outfeed/judge/one", VERDICT_FAIL,
                   "replica 0 wrote 0 outfeed items; expected 1");
    slow_judge_start(&j);
    slow_judge_token(&j);
    slow_judge_outfed(&j, 0, 1, 3);
    slow_judge_due(&j, "Outfeed/judge/one", VERDICT_FAIL,
                   "outfeed 0 of replica 0 differs: unit 1 is 00000003, "
                   "expected 00000002");
    slow_judge_start(&j);
    slow_judge_token(&j);
    slow_judge_outfed(&j, 0, 1, 2);
    slow_judge_outfed(&j, 0, 1, 2);
    slow_judge_due(&j, "Outfeed/judge/one", VERDICT_FAIL,
                   "replica 0 wrote more outfeed items than the 1 expected");
    for (int r = -1; r < 2; r += 2) {
        slow_judge_start(&j);
        slow_judge_token(&j);
        slow_judge_outfed(&j, r, 1, 2);
        slow_judge_due(&j, "Outfeed/judge/one", VERDICT_FAIL,
                       "outfeed of a nonexistent replica");
    }
    slow_judge_start(&j);
    slow_judge_token(&j);
    j.record.head.outfeed_count = 1;
    slow_judge_array(&j, "u32", 2, "\1\0\0\0\2\0\0", 8, 0);
    slow_judge_due(&j, "Outfeed/judge/one", VERDICT_FAIL,
                   "outfeed 0 of replica 0: element type u32, expected s32");
}

static void pairs_of_outfeeds(void)
{
    slow_judge_start(&j);
    slow_judge_token(&j);
    slow_judge_token(&j);
    slow_judge_outfed(&j, 1, 3, 4);
    slow_judge_outfed(&j, 0, 1, 2);
    slow_judge_due(&j, "Outfeed/judge/pair", VERDICT_PASS, "");
    slow_judge_start(&j);
    slow_judge_token(&j);
    slow_judge_token(&j);
    slow_judge_outfed(&j, 0, 3, 4);
    slow_judge_outfed(&j, 1, 1, 2);
    slow_judge_due(&j, "Outfeed/judge/pair", VERDICT_FAIL,
                   "outfeed 0 of replica 0 differs: unit 0 is 00000003, "
                   "expected 00000001");
    slow_judge_start(&j);
    slow_judge_token(&j);
    slow_judge_token(&j);
    slow_judge_outfed(&j, 0, 1, 2);
    slow_judge_due(&j, "Outfeed/judge/pair", VERDICT_FAIL,
                   "replica 1 wrote 0 outfeed items; expected 1");
    slow_judge_start(&j);
    slow_judge_number(&j, 0);
    slow_judge_outfed(&j, 0, 1, 2);
    slow_judge_due(&j, "Outfeed/judge/one", VERDICT_FAIL,
                   "output 0 of replica 0: element type f32, expected token");
}

static void more_outfeeds(void)
{
    static const struct {
        const char *name;
        bool contradicts;
    } trials[] = {
        {"one", false},    {"wrongly", true}, {"fewer", true},
        {"either", false}, {"neither", true}, {"free", false},
    };
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        char name[32];
        snprintf(name, sizeof name, "Outfeed/judge/%s", trials[i].name);
        slow_judge_start(&j);
        slow_judge_token(&j);
        slow_judge_outfed(&j, 0, 1, 2);
        OK(slow_judge_case(&j, name)->reference_wrong == trials[i].contradicts,
           "%s: does the reference contradict the case?", name);
    }
    static const uint32_t bits[] = {0x7fc00123, 0x3f800000};
    for (int i = 0; i < 3; i++) {
        slow_judge_start(&j);
        slow_judge_token(&j);
        j.record.head.outfeed_count = 1;
        slow_judge_array(&j, "f32", 2, bits, 8, 0);
        const char *name = i == 0   ? "Outfeed/judge/nan"
                           : i == 1 ? "Outfeed/judge/number"
                                    : "Outfeed/judge/shape";
        OK(slow_judge_case(&j, name)->reference_wrong == (i > 0), "%s", name);
    }
    static const char *const pairs[] = {"two", "tuple"};
    for (int i = 0; i < 2; i++) {
        char name[32];
        snprintf(name, sizeof name, "Outfeed/judge/%s", pairs[i]);
        slow_judge_start(&j);
        slow_judge_token(&j);
        slow_judge_outfed(&j, 0, 1, 2);
        slow_judge_outfed(&j, 0, 3, 4);
        slow_judge_due(&j, name, VERDICT_PASS, "");
        j.record.head.outfeed_count = 1;
        slow_judge_due(&j, name, VERDICT_FAIL,
                       "replica 0 wrote 1 outfeed items; expected 2");
        slow_judge_start(&j);
        slow_judge_token(&j);
        slow_judge_outfed(&j, 0, 1, 2);
        slow_judge_outfed(&j, 0, 3, 5);
        slow_judge_due(&j, name, VERDICT_FAIL,
                       "outfeed 1 of replica 0 differs: unit 1 is 00000005, "
                       "expected 00000004");
    }
}

/* What was computed goes out as it would as a result: 2^-64 2^-64 is 2^-128,
 * 2^-127 + 2^-128 (00600000) with one or both of them flushed is 00400000,
 * 00200000 or 0, inf - inf is any NaN, and e is 402df854, 402df855 after it.
 * Data that only move keep their bits. */
static void fed(const char *name, uint32_t a, uint32_t b,
                enum verdict_status status, const char *text)
{
    char full[40];
    const uint32_t bits[] = {a, b};
    snprintf(full, sizeof full, "Outfeed/judge/%s", name);
    slow_judge_start(&j);
    slow_judge_token(&j);
    j.record.head.outfeed_count = 1;
    slow_judge_array(&j, "f32", 2, bits, 8, 0);
    slow_judge_due(&j, full, status, text);
}

static void fed_loop(uint32_t first, uint32_t second, enum verdict_status due,
                     const char *text)
{
    const uint32_t end = 2,
                   bits[2][2] = {{first, 0x3f800000}, {second, 0x3f800000}};
    slow_judge_start(&j);
    j.record.head.output_count = 1;
    struct job_output o = {.bytes = 4, .data_bytes = 4};
    snprintf(o.dtype, sizeof o.dtype, "s32");
    slow_judge_append(&j, &o, sizeof o);
    slow_judge_append(&j, &end, 4);
    j.record.head.outfeed_count = 2;
    for (int i = 0; i < 2; i++)
        slow_judge_array(&j, "f32", 2, bits[i], 8, 0);
    slow_judge_due(&j, "Outfeed/judge/loop", due, text);
}

static void computed_outfeeds(void)
{
    static const char results[] = "flushes subnormal results in 1 units";
    static const char operands[] = "flushes subnormal operands in 1 units";
    fed("product", 0x00200000, 0x3f800000, VERDICT_PASS, "");
    fed("product", 0, 0x3f800000, VERDICT_WARN, results);
    fed("product", 0x00100000, 0x3f800000, VERDICT_FAIL,
        "outfeed 0 of replica 0 differs: unit 0 is 00100000, expected "
        "00200000");
    fed("sum", 0x00200000, 0x40000000, VERDICT_WARN, operands);
    fed("sum", 0x00400000, 0x40000000, VERDICT_WARN, operands);
    fed("sum", 0x00300000, 0x40000000, VERDICT_FAIL,
        "outfeed 0 of replica 0 differs: unit 0 is 00300000, expected "
        "00600000");
    fed("moved", 0x3f800000, 0, VERDICT_FAIL,
        "outfeed 0 of replica 0 differs: unit 1 is 00000000, expected "
        "00400000");
    fed("through", 0, 0x3f800000, VERDICT_FAIL,
        "outfeed 0 of replica 0 differs: unit 0 is 00000000, expected "
        "00400000");
    fed("nan-computed", 0xffc12345, 0, VERDICT_PASS, "");
    fed("nan-computed", 0x7f800000, 0, VERDICT_FAIL,
        "outfeed 0 of replica 0 differs: unit 0 is 7f800000, expected "
        "7fc00000");
    fed("inexact", 0x402df855, 0x3f800000, VERDICT_PASS, "");
    fed("inexact", 0x402df85f, 0x3f800000, VERDICT_FAIL,
        "outfeed 0 of replica 0 differs: unit 0 is 402df85f, expected "
        "402df854");
    /* exp(0) is 1; a special value an ulp off is permitted with a remark. */
    fed("inexact", 0x402df854, 0x3f800001, VERDICT_WARN,
        "permitted: function.special-value in 1 units");
    fed_loop(0x00200000, 0x00200000, VERDICT_PASS, "");
    fed_loop(0x00200000, 0, VERDICT_WARN, results);
    fed_loop(0x00200001, 0, VERDICT_FAIL,
             "outfeed 0 of replica 0 differs: unit 0 is 00200001, expected "
             "00200000");
}

/* Data that only move keep their bits in a computation that is called, too. */
static void called_outfeeds(void)
{
    static const uint32_t reversed[] = {0x3f800000, 0x00400000},
                          flushed[] = {0x3f800000, 0};
    for (int i = 0; i < 2; i++) {
        slow_judge_start(&j);
        slow_judge_output(&j, "f32", 2, reversed);
        j.record.head.outfeed_count = 1;
        slow_judge_array(&j, "f32", 2, i ? flushed : reversed, 8, 0);
        slow_judge_due(&j, "Outfeed/judge/called",
                       i ? VERDICT_FAIL : VERDICT_PASS,
                       i ? "outfeed 0 of replica 0 differs: unit 1 is "
                           "00000000, expected 00400000"
                         : "");
    }
}

int main(void)
{
    slow_judge_open(&j);
    called_outfeeds();
    outfeeds();
    pairs_of_outfeeds();
    more_outfeeds();
    computed_outfeeds();
    slow_judge_close(&j);
    return tap_done();
}
