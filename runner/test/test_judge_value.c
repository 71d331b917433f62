/* test_judge_value.c - what the judge makes of values.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Expected values follow by hand from the formats' definitions: 00800000 is the
 * smallest normal number of f32, so patterns below it add as integers do.
 */
#include <assay/backend.h>
#include <string.h>

#include "interp/test/tap.h"
#include "runner/test/slow_judge.h"

static struct slow_judge j;

/* 1, 2, 3 and 10, 20, 30 */
#define SUMS "f32[3] 41300000 41b00000 42040000"

/* ---- Values -------------------------------------------------------------- */

static const struct job_wrong *wrongs(const struct job_result *r)
{
    return (const struct job_wrong *)(r + 1);
}

static void wrong_values(void)
{
    slow_judge_give(&j, "f32[3] 41300000 41b00001 42040000");
    const struct job_result *r = slow_judge_due(
        &j, "Add/judge/plain", VERDICT_FAIL, "1 of 3 units are wrong");
    const struct job_wrong *w = wrongs(r);
    OK(r->units == 3 && r->correct == 2 && r->bad == 1 && r->wrong_count == 1
           && r->has_error && r->error == 1000000 && r->worst_unit == 1,
       "one ulp off");
    EQ_STR(w->place, "[1]", "its place");
    EQ_STR(w->accept, "correctly rounded (arithmetic)", "what was due");
    OK(w->got == 0x41b00001 && w->want == 0x41b00000 && w->has_set
           && w->low == 0x41b00000 && w->high == 0x41b00000 && w->has_error
           && w->error == 1000000 && !w->has_share && w->type == DT_f32
           && w->replica == 0 && w->leaf == 0,
       "its description");
    OK(w->operand_count == 2 && w->operands[0].bits == 0x40000000
           && w->operands[1].bits == 0x41a00000 && w->operands[0].type == DT_f32
           && !w->operands[0].complex && w->operands[0].imaginary == 0,
       "its operands");
    EQ_STR(r->worst_input, "f32:40000000 f32:41a00000", "the worst input");
    /* Errors of 0, 1 and 0 ulps: bins 0 and 8 (verdict_bin). */
    const struct job_bin *b = (const struct job_bin *)(w + 1);
    OK(r->bin_count == 2 && b[0].bin == 0 && b[0].count == 2 && b[1].bin == 8
           && b[1].count == 1,
       "the bins");
    slow_judge_give(&j, SUMS "; " SUMS);
    r = slow_judge_due(&j, "Add/judge/plain", VERDICT_FAIL,
                       "2 outputs, expected 1");
    EQ_INT(r->units, 0, "nothing is compared");
    slow_judge_start(&j);
    slow_judge_due(&j, "Add/judge/plain", VERDICT_FAIL,
                   "0 outputs, expected 1");
    slow_judge_give(&j, "f32[2] 41300000 41b00000");
    slow_judge_due(&j, "Add/judge/plain", VERDICT_FAIL,
                   "output 0 of replica 0: size 2 of dimension 0, expected 3");
    slow_judge_give(&j, "u32[3] 41300000 41b00000 42040000");
    slow_judge_due(&j, "Add/judge/plain", VERDICT_FAIL,
                   "output 0 of replica 0: element type u32, expected f32");
}

/* Rank 2: its sizes twice. */
static void grids(void)
{
    slow_judge_give(&j, "f32[2,3] 40400000 40400000 40400000"
                        " 40400000 40400000 7fc00000");
    const struct job_result *r = slow_judge_due(
        &j, "Add/judge/grid", VERDICT_FAIL, "1 of 6 units are wrong");
    EQ_STR(wrongs(r)->place, "[1,2]", "the last row and column");
    OK(r->special == 1 && !wrongs(r)->has_error, "no number");
    slow_judge_give(&j, "f32[3] 40400000 40400000 0");
    r = slow_judge_due(&j, "Add/judge/scalar", VERDICT_FAIL,
                       "1 of 3 units are wrong");
    OK(wrongs(r)->operand_count == 2
           && wrongs(r)->operands[0].bits == 0x3f800000
           && wrongs(r)->operands[1].bits == 0x40000000,
       "a scalar goes with every element");
    slow_judge_give(&j, "f32[20] 1");
    r = slow_judge_due(&j, "Add/judge/many", VERDICT_FAIL,
                       "20 of 20 units are wrong");
    OK(r->wrong_count == 16 && r->bin_count == 1, "of which 16 are listed");
    EQ_STR(wrongs(r)[15].place, "[15]", "up to this");
}

/* (1, 0) (4, 0) = (4, 0) and (2, 3) (5, 7) = (-11, 29). */
static void complexes(void)
{
    slow_judge_give(&j, "c64[2] 40800000 0 c1300000 41e80000");
    slow_judge_due(&j, "Mul/judge/complex", VERDICT_PASS, "");
    slow_judge_give(&j, "c64[2] 40800000 0 c1300000 42e80000");
    const struct job_result *r = slow_judge_due(
        &j, "Mul/judge/complex", VERDICT_FAIL, "1 of 4 units are wrong");
    EQ_STR(wrongs(r)->place, "[1].im", "an imaginary part");
    OK(wrongs(r)->operands[1].complex
           && wrongs(r)->operands[1].bits == 0x40a00000
           && wrongs(r)->operands[1].imaginary == 0x40e00000,
       "and its operand");
    EQ_STR(r->worst_input, "c64:40000000:40400000 c64:40a00000:40e00000",
           "with both parts");
    slow_judge_give(&j, "c64[2] 40800000 0 0 41e80000");
    EQ_STR(wrongs(slow_judge_case(&j, "Mul/judge/complex"))->place, "[1].re",
           "a real part");
}

static void replicas(void)
{
    slow_judge_give(&j, "f32[2] 40800000 40c00000; f32[2] 41400000 41600000");
    const struct job_result *r =
        slow_judge_due(&j, "Add/judge/replicas", VERDICT_PASS, "");
    EQ_INT(r->units, 4, "of both replicas");
    slow_judge_give(&j, "f32[2] 40800000 40c00000; f32[2] 40800000 40c00000");
    r = slow_judge_due(&j, "Add/judge/replicas", VERDICT_FAIL,
                       "2 of 4 units are wrong");
    OK(wrongs(r)->replica == 1 && wrongs(r)->operands[0].bits == 0x40a00000,
       "the second");
    slow_judge_give(&j, "f32[2] 40800000 40c00000; f32[1] 40800000");
    slow_judge_due(&j, "Add/judge/replicas", VERDICT_FAIL,
                   "output 0 of replica 1: size 1 of dimension 0, expected 2");
}

static void inexact(void)
{
    /* e = 2.71828182845904...: 402df854 is 2.7182817459, and an ulp is 2^-22,
     * so the error is -0.3461 ulp. */
    slow_judge_give(&j, "f32[2] 402df854");
    const struct job_result *r =
        slow_judge_due(&j, "Exp/judge/inexact", VERDICT_PASS, "");
    OK(r->has_error && r->error <= -346000 && r->error >= -346400
           && r->correct == 2 && r->bin_count == 0,
       "%lld millionths of an ulp", (long long)r->error);
    j.context.bins = true;
    r = slow_judge_due(&j, "Exp/judge/inexact", VERDICT_PASS, "");
    const struct job_bin *b = (const struct job_bin *)(r + 1);
    OK(r->bin_count == 1 && b->count == 2 && r->units == 2,
       "in bins, where that is wanted");
    j.context.bins = false;
    EQ_STR(r->worst_input, "f32:3f800000", "the worst input");
}

/* Checks what is written of wrong units in rarer places. */
static void rarer(void)
{
    slow_judge_give(&j, "f32[2,1,3,1] 40400000 40400000 40400000"
                        " 40400000 40400001 40400000");
    const struct job_result *r = slow_judge_due(
        &j, "Add/judge/column", VERDICT_FAIL, "1 of 6 units are wrong");
    EQ_STR(wrongs(r)->place, "[1,0,1,0]", "dimensions of size 1");
    slow_judge_give(&j, "f32[1] 3f800000");
    r = slow_judge_due(&j, "Add/judge/nan", VERDICT_FAIL,
                       "1 of 1 units are wrong");
    OK(!wrongs(r)->has_set && !wrongs(r)->has_error && r->special == 1
           && !r->has_error && !r->worst_input[0] && r->worst_unit == -1,
       "a set of NaNs has no ends");
    slow_judge_give(&j, "f32[1] 80000000");
    slow_judge_due(&j, "Add/judge/zeros", VERDICT_PASS, "");
    r = slow_judge_due(&j, "Add/judge/zero", VERDICT_FAIL,
                       "1 of 1 units are wrong");
    OK(wrongs(r)->has_set && wrongs(r)->low == 0 && wrongs(r)->high == 0,
       "where no policy of the case says so");
    slow_judge_give(&j, "f32[2] 40800000 40c00000; f32[2] c0000000 c0000001");
    r = slow_judge_due(&j, "Add/judge/pair", VERDICT_FAIL,
                       "1 of 4 units are wrong");
    OK(wrongs(r)->leaf == 1 && strcmp(wrongs(r)->place, "[1]") == 0,
       "the second result");
    slow_judge_give(&j, "f32[] 40c00001");
    r = slow_judge_due(&j, "Add/judge/five", VERDICT_FAIL,
                       "1 of 1 units are wrong");
    OK(wrongs(r)->operand_count == 0 && !r->worst_input[0],
       "five operands are too many to describe");
    EQ_STR(wrongs(r)->place, "[]", "a scalar's place");
    slow_judge_give(&j, "f32[2] 40800000 40c00000");
    r = slow_judge_due(&j, "Slice/judge/shorter", VERDICT_FAIL,
                       "2 of 2 units are wrong");
    EQ_INT(wrongs(r)->operand_count, 0, "no operand goes with an element");
}

/* States and words of a generator whose numbers may be any. */
#define WORDS "u32[4] 12345678 9abcdef0 fedcba9 87654321"
#define NEXT  "u64[2] 2 3; " WORDS
#define STUCK "u64[2] 2 2; " WORDS
#define FIRST "u64[2] 1 1; " WORDS

static void predicates(void)
{
    static const char stuck[] = "the next state is the same as the initial one";
    slow_judge_give(&j, NEXT "; " FIRST);
    const struct job_result *r =
        slow_judge_due(&j, "RngBitGenerator/judge/replicas", VERDICT_PASS, "");
    EQ_INT(r->units, 12, "of two replicas");
    slow_judge_give(&j, NEXT "; " STUCK);
    r = slow_judge_due(&j, "RngBitGenerator/judge/replicas", VERDICT_FAIL,
                       stuck);
    OK(r->wrong_count == 1 && wrongs(r)->replica == 1 && wrongs(r)->leaf == 0
           && !wrongs(r)->has_set,
       "the second stops");
    EQ_STR(wrongs(r)->accept, "predicate", "by its predicate");
    slow_judge_give(&j, NEXT "; " FIRST "; u64[2] 1");
    /* Of 14 units 12 are judged together, and 2 by themselves. */
    EQ_INT(slow_judge_due(&j, "RngBitGenerator/judge/two", VERDICT_PASS, "")
               ->correct,
           14, "what is right together is right");
    slow_judge_give(&j, NEXT "; " STUCK "; u64[2] 1");
    r = slow_judge_due(&j, "RngBitGenerator/judge/two", VERDICT_FAIL, stuck);
    OK(wrongs(r)->leaf == 2 && r->correct == 2, "of two generators the second");
    slow_judge_give(&j, NEXT "; " FIRST "; u64[2] 2");
    slow_judge_due(&j, "RngBitGenerator/judge/two", VERDICT_FAIL,
                   "2 of 14 units are wrong");
}

/* ---- Twice --------------------------------------------------------------- */

#define OTHER "f32[3] 0 41b00000 42040000"

static void twice(void)
{
    static const struct {
        const char *name, *given;
        int outputs; /* of each execution */
        enum verdict_status status;
        const char *text;
        int bad; /* the first execution counts */
    } trials[] = {
        {"Add/judge/plain", SUMS "; " SUMS, 1, VERDICT_PASS, "", 0},
        {"Add/judge/plain", OTHER "; " SUMS, 1, VERDICT_FLAKE,
         "wrong at first (1 of 3 units are wrong), then right", 1},
        {"Add/judge/plain", SUMS "; " OTHER, 1, VERDICT_FLAKE,
         "right at first, then wrong: 1 of 3 units are wrong", 0},
        {"Add/judge/plain", OTHER "; " OTHER, 1, VERDICT_FAIL,
         "1 of 3 units are wrong", 1},
        /* Any state that is another, and any numbers, but the same each time:
         * that they differ is what the worker says. */
        {"RngBitGenerator/judge/any", NEXT "; " NEXT, 2, VERDICT_FAIL,
         "two executions returned different results", 0},
        {"RngBitGenerator/judge/any", NEXT "; u64[2] 2 4; " WORDS, 2,
         VERDICT_FAIL, "two executions returned different results", 0},
    };
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        slow_judge_give(&j, "%s", trials[i].given);
        j.record.head.output_count = trials[i].outputs;
        j.record.head.flags = JOB_TWICE;
        EQ_INT(
            slow_judge_due(&j, trials[i].name, trials[i].status, trials[i].text)
                ->bad,
            trials[i].bad, "the first one counts");
    }
    slow_judge_give(&j, NEXT);
    slow_judge_due(&j, "RngBitGenerator/judge/any", VERDICT_PASS, "");
}

/* ---- Flushed operands ---------------------------------------------------- */

static void flushed(const char *name, uint32_t bits, enum verdict_status status,
                    const char *text)
{
    slow_judge_give(&j, "f32[1] %x", bits);
    const struct job_result *r = slow_judge_due(&j, name, status, text);
    OK(((r->flags & VERDICT_FLUSHED_OPERANDS) != 0) == (status == VERDICT_WARN),
       "and a flag tells");
    EQ_INT(r->units, 1, "one unit is counted once");
}

static void flushing(void)
{
    static const char text[] = "flushes subnormal operands in 1 units";
    static const char wrong[] = "1 of 1 units are wrong";
    flushed("Add/judge/tiny", 0x00d80000, VERDICT_PASS, "");
    flushed("Add/judge/tiny", 0x00680000, VERDICT_WARN, text);
    flushed("Add/judge/tiny", 0x00700000, VERDICT_WARN, text);
    flushed("Add/judge/tiny", 0, VERDICT_WARN, text);
    flushed("Add/judge/tiny", 0x00d80001, VERDICT_FAIL, wrong);
    flushed("Add/judge/tiny", 0x80000000, VERDICT_WARN, text);
    flushed("Add/judge/tiny#constant", 0x00680000, VERDICT_WARN, text);
    flushed("Mul/judge/minus", 0x80000000, VERDICT_WARN, text);
    flushed("Mul/judge/minus", 0, VERDICT_WARN, text);
    flushed("Mul/judge/minuses", 0, VERDICT_WARN, text);
    flushed("Mul/judge/minuses", 0x80000000, VERDICT_WARN, text);
    j.context.profile = j.strict;
    flushed("Add/judge/tiny", 0x00680000, VERDICT_FAIL, wrong);
    flushed("Mul/judge/minus", 0x80000000, VERDICT_FAIL, wrong);
    j.context.profile = j.spec;
    slow_judge_give(&j, "f32[2] 54321 12345");
    slow_judge_due(&j, "Rev/judge/moved", VERDICT_PASS, "");
    slow_judge_give(&j, "f32[2] 54321 0");
    slow_judge_due(&j, "Rev/judge/moved", VERDICT_FAIL,
                   "1 of 2 units are wrong");
    slow_judge_give(&j, "f32[1] 0; f32[1] 80000000");
    slow_judge_due(&j, "Tuple/judge/four", VERDICT_WARN,
                   "flushes subnormal operands in 2 units");
}

/* Three subnormal numbers whose sums are normal, and which of them is flushed;
 * and types of which none is. */
static void each_flushed(void)
{
    static const char text[] = "flushes subnormal operands in 1 units";
    static const uint32_t sums3[] = {0x00cc0000, 0x00d40000, 0x00d80000,
                                     0x00700000, 0x00680000, 0x00640000,
                                     0};
    /* 00700000 + 00680000 + 00640000 in units of 2^-149 is 13c0000: in f32,
     * whose ulp is then two units, 011e0000. */
    flushed("Add/judge/three", 0x011e0000, VERDICT_PASS, "");
    for (int i = 0; i < 7; i++)
        flushed("Add/judge/three", sums3[i], VERDICT_WARN, text);
    flushed("Add/judge/three", 0x00d40001, VERDICT_FAIL,
            "1 of 1 units are wrong");
    /* pi / 2 is 3fc90fdb, where the second operand is zero: its neighbour too
     * is within the budget. */
    flushed("Atan2/judge/tiny", 0x3fc90fdb, VERDICT_WARN, text);
    flushed("Atan2/judge/tiny", 0x3fc90fdc, VERDICT_WARN, text);
    flushed("Atan2/judge/tiny", 0x3fc91fdc, VERDICT_FAIL,
            "1 of 1 units are wrong");
    slow_judge_give(&j, "s32[1] 2");
    slow_judge_due(&j, "Add/judge/integers", VERDICT_FAIL,
                   "1 of 1 units are wrong");
    slow_judge_give(&j, "f16[1] 380");
    slow_judge_due(&j, "Add/judge/halves", VERDICT_FAIL,
                   "1 of 1 units are wrong");
}

static void more_flushing(void)
{
    slow_judge_give(&j, "f32[1] 0");
    EQ_INT(slow_judge_due(&j, "Mul/judge/small", VERDICT_WARN,
                          "flushes subnormal results in 1 units")
               ->flags,
           VERDICT_FLUSHED_RESULTS, "a flag for results");
    slow_judge_give(&j, "f32[1] 00d80000");
    EQ_STR(slow_judge_case(&j, "Add/judge/tiny")->worst_input,
           "f32:00700000 f32:00680000", "all digits");
    slow_judge_give(&j, "f32[2] 0");
    const struct job_result *r =
        slow_judge_due(&j, "Mul/judge/both", VERDICT_WARN,
                       "flushes subnormal operands in 2 units");
    OK(r->units == 2 && r->bad == 0, "both elements");
    slow_judge_give(&j, "f32[1] 0; f32[1] 0");
    slow_judge_due(&j, "Mul/judge/replicas", VERDICT_WARN,
                   "flushes subnormal operands in 2 units");
}

int main(void)
{
    slow_judge_open(&j);
    wrong_values();
    grids();
    complexes();
    rarer();
    predicates();
    replicas();
    inexact();
    twice();
    flushing();
    more_flushing();
    each_flushed();
    slow_judge_close(&j);
    return tap_done();
}
