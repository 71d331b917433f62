/* test_interval_ways.c - intervals through operations: which way, and when not.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Under spec exp(1) in f32 may be 6.5 ulps off: e is 402df854 and 0.346 of an
 * ulp, so every pattern from 402df84e to 402df85a is right.  exp of ln 2 is on
 * both sides of 2.  Differences from 3 are exact in f32 (Sterbenz), so the
 * ends of what follows are computed by hand, in units of 2^-22.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/program/evaluate.h"
#include "interp/program/interval_goal.h"
#include "interp/program/op_table.h"
#include "interp/test/tap.h"

#define E          "3f800000 Exp/1"    /* 402df84e to 402df85a */
#define TWO        "3f317218 Exp/1"    /* both sides of 2 */
#define ZERO       E " 402df854 Sub/2" /* -6 * 2^-22 to 6 * 2^-22 */
#define THREE      "40400000"
#define MINUS_ZERO 0x80000000

static struct arena arena;
static const struct limits limits = LIMITS_DEFAULT;

static struct literal *scalar(const struct shape *s, uint64_t bits)
{
    struct literal *l = literal_new(&arena, s);
    literal_set(l, 0, bits);
    return l;
}

struct ends {
    uint64_t low, high;
    enum goal_rule rule;
};

/* Evaluate an expression in postfix notation: patterns of f32, or of s32 after
 * an s, and operations with the number of their operands. */
static bool run(const char *profile_path, const char *text, struct ends *ends,
                struct status *st)
{
    const struct profile *profile;
    struct program *p = program_new(&arena, &limits);
    struct computation *c = program_computation(p, "main");
    const struct shape *f32 = shape_scalar(&arena, DT_f32);
    const struct shape *s32 = shape_scalar(&arena, DT_s32);
    struct literal *inputs[64];
    int stack[64], top = 0, count = 0;
    *st = (struct status){STATUS_OK};
    char copy[1024], *rest = copy;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *word; (word = strtok_r(rest, " ", &rest));) {
        char *slash = strchr(word, '/');
        if (!slash) {
            bool integer = word[0] == 's';
            const struct shape *shape = integer ? s32 : f32;
            inputs[count] = scalar(shape, strtoull(word + integer, NULL, 16));
            stack[top++] = program_parameter(p, c, count++, shape);
            continue;
        }
        int n = (int)strtol(slash + 1, NULL, 10);
        int *operands = arena_new(&arena, int, 64);
        *slash = '\0';
        top -= n;
        memcpy(operands, stack + top, (size_t)n * sizeof *operands);
        struct instruction in = {.name = word,
                                 .op = op_table_find(word),
                                 .operand_count = n,
                                 .operands = operands};
        stack[top++] = program_add(p, c, &in);
    }
    p->entry = c;
    if (!profile_load(&arena, profile_path, &profile, st)
        || !program_infer(p, st))
        return false;
    struct machine m = {.program = p,
                        .profile = profile,
                        .limits = &limits,
                        .want_exact = true,
                        .replicas = 1};
    struct outcome out;
    struct literal *const *rows = inputs, *low, *high;
    const char *why = "";
    if (!evaluate_program(&arena, &m, &rows, &out, st))
        return false;
    if (!interval_goal_ends(&arena, profile, out.goals[0], &low, &high, &why))
        return FAIL(st, UNSUPPORTED, "%s", why);
    ends->low = literal_get(low ? low : out.value, 0);
    ends->high = literal_get(low ? high : out.value, 0);
    ends->rule = out.goals[0] ? out.goals[0]->rule : GOAL_MOVED;
    return true;
}

static void due(const char *profile, const char *text, uint64_t low,
                uint64_t high)
{
    struct ends e = {0};
    struct status st;
    bool good = run(profile, text, &e, &st);
    OK(good && e.low == low && e.high == high, "%s: %08llx to %08llx %s", text,
       (unsigned long long)e.low, (unsigned long long)e.high, st.text);
}

static void refused(const char *text, const char *why)
{
    struct ends e = {0};
    struct status st;
    bool good = run("spec", text, &e, &st);
    OK(!good && st.code == STATUS_UNSUPPORTED, "%s is refused", text);
    /* Without the range, if why says none. */
    char *range = strstr(why, ": its ") ? NULL : strstr(st.text, ": its ");
    if (range)
        *range = '\0';
    EQ_STR(st.text, why, "and says why");
}

static void ways(void)
{
    due("spec", E, 0x402df84e, 0x402df85a);
    /* 3 - e: 1207b2 to 1207a6 of 2^-22. */
    due("spec", THREE " " E " Sub/2", 0x3e903d30, 0x3e903d90);
    due("spec", E " " THREE " Sub/2", 0xbe903d90, 0xbe903d30);
    due("spec", THREE " Neg/1 " E " Add/2", 0xbe903d90, 0xbe903d30);
    due("spec", E " Neg/1", 0xc02df85a, 0xc02df84e);
    /* Both operands: their ends together, and apart: 12 ulps are 3 * 2^-20. */
    due("spec", E " " E " Add/2", 0x40adf84e, 0x40adf85a);
    due("spec", E " " E " Sub/2", 0xb6400000, 0x36400000);
    due("spec", ZERO, 0xb5c00000, 0x35c00000);
    /* A factor of either sign, and both: 36 * 2^-44 on either side. */
    due("spec", ZERO " 40000000 Mul/2", 0xb6400000, 0x36400000);
    due("spec", ZERO " c0000000 Mul/2", 0xb6400000, 0x36400000);
    due("spec", E " c0000000 Mul/2", 0xc0adf85a, 0xc0adf84e);
    due("spec", "c0000000 " E " Mul/2", 0xc0adf85a, 0xc0adf84e);
    due("spec", ZERO " " ZERO " Mul/2", 0xac100000, 0x2c100000);
    /* What falls below zero and rises above it is least at zero; what is
     * subnormal may be flushed, to a zero of either sign. */
    due("spec", ZERO " Abs/1", MINUS_ZERO, 0x35c00000);
    due("stablehlo", ZERO " Abs/1", 0, 0x35c00000);
    due("spec", E " Neg/1 Abs/1", 0x402df84e, 0x402df85a);
    due("spec", E " Neg/1 " ZERO " Max/2", 0xb5c00000, 0x35c00000);
    due("spec", E " Abs/1", 0x402df84e, 0x402df85a);
    due("spec", ZERO " Abs/1 Abs/1", MINUS_ZERO, 0x35c00000);
    due("spec", ZERO " Abs/1 Neg/1", 0xb5c00000, 0);
    due("spec", ZERO " Abs/1 Neg/1 Abs/1", MINUS_ZERO, 0x35c00000);
}

/* Quotients and products of the ends, correctly rounded, as Python's fractions
 * give them. */
static void quotients(void)
{
    due("spec", THREE " " E " Div/2", 0x3f8d4401, 0x3f8d440a);
    due("spec", THREE " " E " Neg/1 Div/2", 0xbf8d440a, 0xbf8d4401);
    due("spec", THREE " Neg/1 " E " Div/2", 0xbf8d440a, 0xbf8d4401);
    due("spec", E " " E " Div/2", 0x3f7fffee, 0x3f800009);
    due("spec", E " " E " Neg/1 Div/2", 0xbf800009, 0xbf7fffee);
    due("spec", E " " E " Mul/2", 0x40ec7315, 0x40ec7335);
    due("spec", E " " E " Neg/1 Mul/2", 0xc0ec7335, 0xc0ec7315);
    /* A divisor that may be +0, or -0. */
    refused(THREE " " ZERO " Abs/1 Div/2",
            "inadmissible: operand 1 of Div is inexact: "
            "its element 0 is from -0 to 1.4305115e-6");
    refused(THREE " " ZERO " Abs/1 Neg/1 Div/2",
            "inadmissible: operand 1 of Div is inexact: "
            "its element 0 is from -1.4305115e-6 to 0");
    refused(ZERO " Abs/1 Rsqrt/1",
            "inadmissible: operand 0 of Rsqrt is inexact: "
            "its element 0 is from -0 to 1.4305115e-6");
}

/* It falls beyond 1.545...: values of mpmath, and 4 ulps of 2^-26. */
static void bessel(void)
{
    due("spec", E " BesselI1e/1", 0x3e4f3264, 0x3e4f326f);
    due("spec", E " Neg/1 BesselI1e/1", 0xbe4f326f, 0xbe4f3264);
    refused(E " 3f9629ed Sub/2 BesselI1e/1",
            "inadmissible: operand 0 of BesselI1e is inexact");
}

static void discrete(void)
{
    struct ends e;
    struct status st;
    due("spec", E " Floor/1", 0x40000000, 0x40000000);
    due("spec", E " Ceil/1", 0x40400000, 0x40400000);
    due("spec", E " Neg/1 Sign/1", 0xbf800000, 0xbf800000);
    OK(run("spec", E " Floor/1", &e, &st) && e.rule == GOAL_BITS,
       "a discrete result is one value");
    due("spec", E " " THREE " Lt/2", 1, 1);
    due("spec", E " IsFinite/1", 1, 1);
    refused(TWO " Floor/1", "inadmissible: the discrete result of Floor depends"
                            " on a rounding: "
                            "its element 0 is from 1 to 2");
    refused(TWO " 40000000 Lt/2", "inadmissible: the discrete result of Lt "
                                  "depends on a rounding: "
                                  "its element 0 is from false to true");
    refused("40000000 " TWO " Ge/2", "inadmissible: the discrete result of Ge "
                                     "depends on a rounding: "
                                     "its element 0 is from false to true");
    refused(ZERO " Sign/1", "inadmissible: the discrete result of Sign depends "
                            "on a rounding: "
                            "its element 0 is from -1 to 1");
}

static void impossible(void)
{
    refused(ZERO " Sqrt/1",
            "inadmissible: the result of Sqrt may be a NaN or a number");
    refused(ZERO " 7f800000 Mul/2",
            "inadmissible: the result of Mul may be a NaN or a number");
    refused(ZERO " 7e800000 Mul/2 7e800000 Mul/2",
            "inadmissible: the result of Mul may be anything");
    refused(THREE " " ZERO " Div/2",
            "inadmissible: operand 1 of Div is inexact: "
            "its element 0 is from -1.4305115e-6 to 1.4305115e-6");
    refused(ZERO " Rsqrt/1",
            "inadmissible: operand 0 of Rsqrt is inexact: "
            "its element 0 is from -1.4305115e-6 to 1.4305115e-6");
}

/* The ends are those of the exact function, given to 6 digits, and what its
 * budget adds. */
static void near(const char *text, double low, double high)
{
    struct ends e = {0};
    struct status st;
    bool good = run("spec", text, &e, &st);
    uint32_t bits[2] = {(uint32_t)e.low, (uint32_t)e.high};
    float got[2];
    memcpy(got, bits, sizeof got);
    double room = 1e-5;
    OK(good && got[0] >= low - room && got[0] <= low + room / 10
           && got[1] >= high - room / 10 && got[1] <= high + room,
       "%s: %g to %g %s", text, (double)got[0], (double)got[1], st.text);
}

#define WIDE ZERO " 49800000 Mul/2" /* -1.5 to 1.5 */
#define LONG ZERO " 4a800000 Mul/2" /* -6 to 6 */

/* Functions that rise and fall.  Values are from tables: sin 1.5 = 0.997495,
 * cos 1.5 = 0.070737, tan 1.5 = 14.101420, atan 0.75 = 0.643501, atan2(2, 1.5)
 * = 0.927295, atan2(2, -1.5) = 2.214297; 2^0.5 = 1.414214, 2^3.5 = 11.313708,
 * 3.5^-1.5 = 0.152721, 3.5^1.5 = 6.547900. */
static void boxes(void)
{
    near(WIDE " Sin/1", -0.997495, 0.997495);
    near(WIDE " Cos/1", 0.070737, 1);
    near(WIDE " Tan/1", -14.101420, 14.101420);
    near(LONG " Sin/1", -1, 1);
    near(LONG " Cos/1", -1, 1);
    near(WIDE " 3fc00000 Add/2 Sin/1", 0, 1);
    near(WIDE " bfc00000 Add/2 Sin/1", -1, 0);
    refused(LONG " Tan/1", "inadmissible: operand 0 of Tan is inexact: "
                           "its element 0 is from -6 to 6");
    near(WIDE " 40000000 Add/2 40000000 Pow/2", 0.25, 12.25);
    near("40000000 " WIDE " 40000000 Add/2 Pow/2", 1.414214, 11.313708);
    near(WIDE " 40000000 Add/2 " WIDE " Pow/2", 0.152721, 6.547900);
    refused(WIDE " 40000000 Pow/2",
            "inadmissible: operand 0 of Pow is inexact: "
            "its element 0 is from -1.5 to 1.5");
    near(WIDE " 40000000 Atan2/2", -0.643501, 0.643501);
    near("40000000 " WIDE " Atan2/2", 0.927295, 2.214297);
    refused(WIDE " bf800000 Atan2/2",
            "inadmissible: operand 0 of Atan2 is inexact");
    refused(WIDE " " WIDE " Atan2/2",
            "inadmissible: operand 0 of Atan2 is inexact");
    /* 3 - e, as its difference. */
    due("spec", THREE " " E " Rem/2", 0x3e903d30, 0x3e903d90);
    near(WIDE " 40000000 Rem/2", -1.5, 1.5);
    near(WIDE " 40800000 Add/2 40000000 Add/2 41000000 Rem/2", 4.5, 7.5);
    refused(WIDE " 3f800000 Rem/2",
            "inadmissible: operand 0 of Rem is inexact");
    refused(E " " ZERO " Rem/2", "inadmissible: operand 0 of Rem is inexact");
}

/* Values that may be any, and values that a policy lets be one of two. */
static void choices(void)
{
    /* A sum with what may be anything may be anything: it has no ends. */
    refused("s5 s0 Div/2 s1 Add/2", "may be any of several values");
    due("spec", "s6 s3 Div/2 s1 Add/2", 3, 3);
    due("xla-cpu-default", "0 80000000 Max/2", 0x80000000, 0);
    due("xla-cpu-default", "0 80000000 Max/2 3f800000 Add/2", 0x3f800000,
        0x3f800000);
    due("spec", "0 80000000 Max/2", 0, 0);
}

/* Parts of complex numbers: sums go part by part, a product by its norm,
 * functions do not; the modulus is in tools/test/decided.t. */
static void complexes(void)
{
    due("spec", E " " E " Complex/2 " E " " E " Complex/2 Add/2 Imag/1",
        0x40adf84e, 0x40adf85a);
    due("spec", E " " ZERO " Complex/2 Neg/1 Real/1", 0xc02df85a, 0xc02df84e);
    /* Unequal numbers have a part that is: e + i e and 3 + i e. */
    due("spec", E " " E " Complex/2 " THREE " " E " Complex/2 Eq/2", 0, 0);
    due("spec", E " " E " Complex/2 " E " " THREE " Complex/2 Ne/2", 1, 1);
    refused(E " " E " Complex/2 " E " " E " Complex/2 Eq/2",
            "inadmissible: operand 0 of Eq is inexact");
    refused(E " " E " Complex/2 Cbrt/1 Real/1",
            "inadmissible: an operand of Cbrt is inexact");
    /* On a branch cut, and where a quotient has a pole. */
    refused(E " " ZERO " Complex/2 Neg/1 Sqrt/1 Real/1",
            "inadmissible: an operand of Sqrt is inexact where the function "
            "may have no derivative");
    refused(E " " E " Complex/2 " ZERO " " ZERO " Complex/2 Div/2 Real/1",
            "inadmissible: an operand of Div is inexact where the function "
            "may have no derivative");
    /* e by 1: a product may err by sqrt(5) 2^-24 e, which is 1.52 ulps. */
    due("spec", E " 0 Complex/2 3f800000 0 Complex/2 Mul/2 Real/1", 0x402df84c,
        0x402df85c);
}

/* 1 + 2^-30 is 1 when it is rounded, and may be handed on as it is. */
static void wider(void)
{
    static const char sum[] = "3f800000 30800000 Add/2";
    static const char *const profiles[] = {"interp/test/contract.json",
                                           "interp/test/excess.json"};
    due("spec", sum, 0x3f800000, 0x3f800000);
    for (int i = 0; i < 2; i++) {
        due(profiles[i], sum, 0x3f800000, 0x3f800001);
        due(profiles[i], "3f800000 b0800000 Add/2", 0x3f7fffff, 0x3f800000);
        due(profiles[i], "3f800000 30800000 Add/2 3f800000 Sub/2", MINUS_ZERO,
            0x34000000);
    }
}

int main(void)
{
    struct status st = {STATUS_OK};
    if (!spec_load(&st)) {
        OK(false, "%s", st.text);
        return tap_done();
    }
    ways();
    quotients();
    bessel();
    discrete();
    impossible();
    boxes();
    choices();
    complexes();
    wider();
    arena_free(&arena);
    evaluate_end();
    return tap_done();
}
