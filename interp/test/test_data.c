/* test_data.c - literals from JSON, generators, and elements as text.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Expected bits are IEEE 754's and the OCP formats' own encodings, worked out
 * by hand; the known answers of the generators were computed apart, from
 * their definitions, with Python's fractions.
 */
#include <stdio.h>
#include <string.h>

#include "interp/data/data.h"
#include "interp/data/number.h"
#include "interp/data/show.h"
#include "interp/exact/real.h"
#include "interp/test/tap.h"

static struct arena arena = ARENA_INIT;
static const struct limits limits = LIMITS_DEFAULT;

static const struct literal *read(const char *text, struct status *st)
{
    const struct json *root;
    struct literal *l = NULL;
    *st = (struct status){STATUS_OK};
    if (!json_parse(&arena, "t.json", text, strlen(text), &root, st)
        || !data_literal(&arena, root, &limits, &l, st))
        return NULL;
    return l;
}

static void reads(const char *text, int n, const uint64_t *want)
{
    struct status st;
    const struct literal *l = read(text, &st);
    if (!OK(l != NULL, "reads %s", text)) {
        EQ_STR(st.text, "", "because");
        return;
    }
    for (int i = 0; i < n; i++)
        EQ_INT(literal_get(l, i), want[i], "unit %d", i);
}
#define READS(text, ...) \
    reads((text), sizeof((uint64_t[]){__VA_ARGS__}) / 8, \
          (uint64_t[]){__VA_ARGS__})

static void refuses(const char *text, const char *because)
{
    struct status st;
    OK(!read(text, &st), "refuses %s", text);
    OK(strstr(st.text, because) != NULL, "because %s: %s", because, st.text);
    EQ_INT(st.code,
           strncmp(st.text, "limit: ", 7) == 0 ? STATUS_SYSTEM : STATUS_INPUT,
           "as bad input, or a limit");
}

/* A sweep from 0 with more members, and part of why it is refused. */
static void refuses_sweep(const char *const row[2])
{
    refuses(arena_printf(&arena,
                         "{\"shape\": \"u8[3]\", \"sweep\": "
                         "{\"first\": \"00\", %s}}",
                         row[0]),
            row[1]);
}

static void test_forms(void)
{
    READS("{\"shape\": \"f32[3]\", \"data\": [1, -0.5, 16777216]}", 0x3f800000,
          0xbf000000, 0x4b800000);
    READS("{\"shape\": \"f32[2]\", \"data\": [\"0.1\", \"-0\"]}", 0x3dcccccd,
          0x80000000);
    READS("{\"shape\": \"f64[]\", \"data\": \"0.1\"}",
          UINT64_C(0x3fb999999999999a));
    READS("{\"shape\": \"f64[]\", \"data\": \"0x1.8p-3\"}",
          UINT64_C(0x3fc8000000000000));
    READS("{\"shape\": \"s64[1]\", \"data\": [9007199254740993]}",
          UINT64_C(9007199254740993));
    READS("{\"shape\": \"u64[]\", \"data\": \"18446744073709551615\"}",
          UINT64_MAX);
    READS("{\"shape\": \"s4[2]\", \"data\": [-8, 7]}", 8, 7);
    READS("{\"shape\": \"pred[2]\", \"data\": [true, false]}", 1, 0);
    READS("{\"shape\": \"c64[1]\", \"data\": [[1, \"-inf\"]]}", 0x3f800000,
          0xff800000);
    READS("{\"shape\": \"c64[1]\", \"bits\": [\"3f800000:7f800001\"]}",
          0x3f800000, 0x7f800001);
    READS("{\"shape\": \"u16[2]\", \"hex\": \"0102ff00\"}", 0x0201, 0x00ff);
    READS("{\"shape\": \"f16[2,2]\", \"splat\": \"nan(0x7e01)\"}", 0x7e01,
          0x7e01, 0x7e01, 0x7e01);
    READS("{\"shape\": \"f32[]\", \"data\": \"snan\"}", 0x7f800001);
    READS("{\"shape\": \"f32[]\", \"data\": \"bits:1\"}", 1);
    READS("{\"shape\": \"bf16[3]\", \"iota\": 0}", 0, 0x3f80, 0x4000);
    READS("{\"shape\": \"u2[2,3]\", \"iota\": 1}", 0, 1, 2, 0, 1, 2);
    READS("{\"shape\": \"u2[6]\", \"sweep\": \"all\"}", 0, 1, 2, 3, 0, 1);
    READS("{\"shape\": \"f8e4m3fn[2]\", \"data\": [448, \"nan\"]}", 0x7e, 0x7f);
    /* The numbers of f4e2m1fn are 0 0.5 1 1.5 2 3 4 6: the first midpoints are
     * 0.25 and 0.75, of which the ties go to 0 and to 1.  An odd element of
     * each pair is the even one negated. */
    READS("{\"shape\": \"f32[8]\", \"midpoints\": \"f4e2m1fn\"}", 0x3e800000,
          0xbe800000, 0x3e800001, 0xbe800001, 0x3f400000, 0xbf400000,
          0x3f3fffff, 0xbf3fffff);
    READS("{\"shape\": \"f4e2m1fn[8]\", \"midpoints\": \"f4e2m1fn\"}", 0, 8, 1,
          9, 2, 10, 1, 9);
    /* The last are those of 4 and 6: 5, whose tie goes to 4 (pattern 6). */
    READS("{\"shape\": \"f4e2m1fn[30]\", \"midpoints\": \"f4e2m1fn\"}", 0, 8, 1,
          9, 2, 10, 1, 9, 2, 10, 3, 11, 4, 12, 3, 11, 4, 12, 5, 13, 6, 14, 5,
          13, 6, 14, 7, 15, 0, 8);
    /* bf16's smallest numbers are subnormal in f32, too: 2^-133 is 0x10000. */
    READS("{\"shape\": \"f32[4]\", \"midpoints\": \"bf16\"}", 0x8000,
          0x80008000, 0x8001, 0x80008001);
    /* No zero with a sign. */
    READS("{\"shape\": \"f8e4m3fnuz[2]\", \"midpoints\": \"f8e4m3fnuz\"}", 0,
          0);
    /* Half the smallest subnormal is a tie, to zero; more goes up. */
    READS("{\"shape\": \"f32[2]\", \"data\": [\"0x1p-150\", \"0x1.8p-150\"]}",
          0, 1);
}

static void test_offsets(void)
{
    /* 3f800000 + 0 and + 256, each with - 1, + 0 and + 2. */
    READS("{\"shape\": \"f32[2,3]\", \"sweep\": {\"first\": \"3f800000\", "
          "\"offsets\": [[0, 256], [-1, 0, 2]]}}",
          0x3f7fffff, 0x3f800000, 0x3f800002, 0x3f8000ff, 0x3f800100,
          0x3f800102);
    /* Modulo 2^4 and 2^64. */
    READS("{\"shape\": \"u4[2]\", \"sweep\": {\"first\": \"f\", "
          "\"offsets\": [[1, -16]]}}",
          0, 15);
    READS("{\"shape\": \"f64[2]\", \"sweep\": {\"first\": "
          "\"0000000000000001\", \"offsets\": [[-2], [0, 3]]}}",
          UINT64_MAX, 2);
    const char *const offsets[][2] = {
        {"\"stride\": 1, \"offsets\": [[0]]", "'stride'"},
        {"\"offsets\": 3", "1 to 8 lists"},
        {"\"offsets\": []", "1 to 8 lists"},
        {"\"offsets\": [[0], [0], [0], [0], [0], [0], [0], [0], [0, 1, 2]]",
         "1 to 8 lists"},
        {"\"offsets\": [3]", "expected offsets"},
        {"\"offsets\": [[]]", "expected offsets"},
        {"\"offsets\": [[0, 1], [0, 1]]", "elements: 3"},
        {"\"offsets\": [[0, 1]]", "2 sums, but the shape has 3"},
        {"\"offsets\": [[0, 1, 0.5]]", "integer"},
    };
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++)
        refuses_sweep(offsets[i]);
}

/* splitmix64's first output from state 0 is e220a8397b1dcdaf (Rosetta Code,
 * "Pseudo-random numbers/Splitmix64", as test_shape.c). */
static void test_blocks(void)
{
    READS("{\"shape\": \"f32[1]\", \"sweep\": {\"first\": \"00000000\", "
          "\"block\": 4096, \"last\": \"ffffffff\"}}",
          0xdaf);
    /* Of the five patterns of a shorter block: 0x...dcdaf mod 5 = 2 (by the
     * digits' sum: 16 is 1 mod 5). */
    READS("{\"shape\": \"f32[1]\", \"sweep\": {\"first\": \"00000000\", "
          "\"block\": 4096, \"last\": \"00000004\"}}",
          (0xe + 0x2 + 0x2 + 0x0 + 0xa + 0x8 + 0x3 + 0x9 + 0x7 + 0xb + 0x1 + 0xd
           + 0xc + 0xd + 0xa + 0xf)
              % 5);
    READS("{\"shape\": \"u8[3]\", \"sweep\": {\"first\": \"fd\", "
          "\"block\": 1, \"last\": \"ff\"}}",
          0xfd, 0xfe, 0xff);
    READS("{\"shape\": \"u64[1]\", \"sweep\": {\"first\": "
          "\"0000000000000000\", \"block\": 9223372036854775807, "
          "\"last\": \"ffffffffffffffff\"}}",
          UINT64_C(0xe220a8397b1dcdaf) % INT64_MAX);
    const char *const blocks[][2] = {
        {"\"block\": 1", "'last'"},
        {"\"block\": 1, \"last\": 2", "'last'"},
        {"\"last\": \"ff\"", "'block'"},
        {"\"stride\": 1, \"last\": \"ff\"", "'stride'"},
        {"\"stride\": 1, \"block\": 1, \"last\": \"ff\"", "'stride'"},
        {"\"block\": 0, \"last\": \"ff\"", "at least 1"},
        {"\"block\": 1, \"last\": \"fff\"", "bit pattern"},
        {"\"block\": 1, \"last\": \"01\"", "fewer blocks"},
        {"\"block\": 128, \"last\": \"ff\"", "fewer blocks"},
    };
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        refuses_sweep(blocks[i]);
}

static void test_refused(void)
{
    refuses("{\"shape\": \"f32[]\", \"data\": 0.1}", "not exactly");
    refuses("{\"shape\": \"f32[]\", \"data\": 16777217}", "not exactly");
    refuses("{\"shape\": \"s8[]\", \"data\": 128}", "range");
    refuses("{\"shape\": \"s8[]\", \"data\": 1.5}", "integer");
    refuses("{\"shape\": \"f32[2]\", \"data\": [1]}", "2 elements");
    refuses("{\"shape\": \"f32[1]\", \"data\": 1}", "1 elements");
    refuses("{\"shape\": \"f32[]\", \"data\": true}", "pred");
    refuses("{\"shape\": \"f32[]\"}", "needs");
    refuses("{\"data\": 1}", "shape");
    refuses("{\"shape\": \"f32[]\", \"data\": 1, \"splat\": 1}", "both");
    refuses("{\"shape\": \"f32[]\", \"dato\": 1}", "unknown");
    refuses("{\"shape\": \"f4e2m1fn[]\", \"data\": \"nan\"}", "no NaN");
    refuses("{\"shape\": \"f8e4m3fn[]\", \"data\": \"inf\"}", "no infinity");
    refuses("{\"shape\": \"f32[]\", \"data\": \"nan(0x3f800000)\"}", "NaN");
    refuses("{\"shape\": \"f32[]\", \"data\": \"bits:100000000\"}", "bits");
    refuses("{\"shape\": \"f32[]\", \"data\": \"1e\"}", "number");
    refuses("{\"shape\": \"f32[]\", \"data\": \" 1\"}", "number");
    refuses("{\"shape\": \"f32[]\", \"data\": \"0x\"}", "number");
    refuses("{\"shape\": \"f32[3]\", \"sweep\": \"all\"}", "16 bits");
    refuses("{\"shape\": \"bf16[3]\", \"midpoints\": \"f16\"}", "hold");
    refuses("{\"shape\": \"s32[3]\", \"midpoints\": \"f16\"}", "hold");
    refuses("{\"shape\": \"f64[3]\", \"midpoints\": \"f32\"}", "16 bits");
    refuses("{\"shape\": \"f64[3]\", \"midpoints\": \"f8e8m0fnu\"}", "zero");
    refuses("{\"shape\": \"f64[3]\", \"midpoints\": 3}", "16 bits");
    refuses("{\"shape\": \"s4[1]\", \"hex\": \"ff\"}", "bits");
    refuses("{\"shape\": \"f32[1000000,1000000]\", \"splat\": 0}", "limit");
    refuses("{\"shape\": \"f32[1]\", \"iota\": 1}", "dimension");
    refuses("{\"shape\": \"s8[1]\", \"random\": {\"seed\": 1, \"dist\": "
            "\"uniform\", \"low\": 0, \"high\": 1}}",
            "floating");
    refuses("{\"shape\": \"s8[1]\", \"random\": {\"seed\": 1, \"dist\": "
            "\"integers\", \"low\": 0, \"high\": 200}}",
            "range");
    refuses("{\"shape\": \"f32[1]\", \"random\": {\"seed\": 1, \"dist\": "
            "\"gauss\"}}",
            "dist");
    refuses("{\"shape\": \"token[]\", \"data\": 1}", "token");
}

/* splitmix64 from seed 7 and the definitions of spec/case-format.md, computed
 * with exact fractions in Python. */
static void test_random(void)
{
    READS("{\"shape\": \"u64[2]\", \"random\": {\"seed\": 7, \"dist\": "
          "\"bits\"}}",
          UINT64_C(0x63cbe1e459320dd7), UINT64_C(0x44c3cd7f43c661c));
    READS("{\"shape\": \"f32[3]\", \"random\": {\"seed\": 7, \"dist\": "
          "\"uniform\", \"low\": \"-0.1\", \"high\": 3}}",
          UINT64_C(0x3f8de26b), UINT64_C(0xbd446dd0), UINT64_C(0x402c4f98));
    READS("{\"shape\": \"f64[2]\", \"random\": {\"seed\": 7, \"dist\": "
          "\"normal\", \"mean\": 1, \"stddev\": \"0.3\"}}",
          UINT64_C(0x3fe6640e216a3d17), UINT64_C(0x3ff666a786e12639));
    READS("{\"shape\": \"s8[4]\", \"random\": {\"seed\": 7, \"dist\": "
          "\"integers\", \"low\": -5, \"high\": 5}}",
          UINT64_C(0x1), UINT64_C(0xfb), UINT64_C(0x4), UINT64_C(0x2));
    READS("{\"shape\": \"f16[4]\", \"random\": {\"seed\": 7, \"dist\": "
          "\"exponents\"}}",
          UINT64_C(0x61d7), UINT64_C(0x61c), UINT64_C(0xe202),
          UINT64_C(0x95cb));
}

static void test_outer(void)
{
    static const char text[] =
        "[{\"shape\": \"u1[4]\", \"sweep\": \"all\", \"outer\": true},"
        " {\"shape\": \"u1[4]\", \"sweep\": \"all\", \"outer\": true},"
        " {\"shape\": \"u8[4]\", \"splat\": 3}]";
    struct status st = {STATUS_OK};
    const struct json *root, *nodes[3];
    struct literal *l[3];
    if (!OK(json_parse(&arena, "t", text, sizeof text - 1, &root, &st),
            "parses"))
        return;
    for (int i = 0; i < 3; i++)
        nodes[i] = json_at(root, i);
    if (!OK(data_inputs(&arena, nodes, 3, &limits, l, &st), "reads"))
        return;
    for (int i = 0; i < 4; i++) {
        EQ_INT(literal_get(l[0], i), i / 2, "first input slowest");
        EQ_INT(literal_get(l[1], i), i % 2, "second input fastest");
    }
}

static void test_expected(void)
{
    static const char text[] =
        "{\"shape\": \"f32[3]\", \"data\": [\"nan\", 1, \"-nan\"]}";
    struct status st = {STATUS_OK};
    const struct json *root;
    struct expected e;
    OK(json_parse(&arena, "t", text, sizeof text - 1, &root, &st)
           && data_expected(&arena, root, &limits, &e, &st),
       "an expectation with NaN");
    OK(e.nan[0] && !e.nan[1] && !e.nan[2], "\"nan\" alone is any NaN");
}

static void test_show(void)
{
    static const struct {
        enum dtype type;
        uint64_t bits;
        const char *decimal, *hexfloat;
    } rows[] = {
        {DT_f32, 0x3dcccccd, "0.1", "0x1.99999ap-4"},
        {DT_f64, UINT64_C(0x3fb999999999999a), "0.1", "0x1.999999999999ap-4"},
        {DT_f32, 0x7f7fffff, "3.4028235e+38", "0x1.fffffep+127"},
        {DT_f32, 1, "1e-45", "0x1p-149"},
        {DT_f64, 1, "5e-324", "0x1p-1074"},
        {DT_f32, 0x80000000, "-0", "-0x0p+0"},
        {DT_f32, 0xff800000, "-inf", "-inf"},
        {DT_f32, 0x7fc00000, "nan", "nan"},
        {DT_f32, 0x7fc00001, "nan(0x7fc00001)", "nan(0x7fc00001)"},
        {DT_f32, 0x42c80000, "100", "0x1.9p+6"},
        {DT_f32, 0x4b800001, "16777218", "0x1.000002p+24"},
        {DT_f16, 0x3555, "0.3333", "0x1.554p-2"},
        {DT_bf16, 0x4049, "3.14", "0x1.92p+1"},
        {DT_f8e8m0fnu, 0, "0x1p-127", "0x1p-127"},
        {DT_f8e8m0fnu, 125, "0.25", "0x1p-2"},
        {DT_f8e8m0fnu, 143, "65536", "0x1p+16"},
        {DT_f8e5m2, 0x01, "0.0000152587890625", "0x1p-16"},
        {DT_s4, 8, "-8", "0x8"},
        {DT_u64, UINT64_MAX, "18446744073709551615", "0xffffffffffffffff"},
        {DT_pred, 1, "true", "0x1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        EQ_STR(show_decimal(&arena, rows[i].type, rows[i].bits),
               rows[i].decimal, "decimal");
        EQ_STR(show_hexfloat(&arena, rows[i].type, rows[i].bits),
               rows[i].hexfloat, "hexadecimal");
    }
}

/* Every pattern of the narrow float types prints as text that reads back, and
 * exactly where the type has at most eight bits. */
static void test_round_trip(void)
{
    for (int t = 0; t < DT_COUNT; t++) {
        enum dtype type = (enum dtype)t;
        if (dtype_class(type) != DTYPE_FLOAT || dtype_table[t].bits > 16)
            continue;
        int wrong = 0;
        for (uint64_t bits = 0; bits <= dtype_mask(type); bits++) {
            const char *texts[] = {show_decimal(&arena, type, bits),
                                   show_hexfloat(&arena, type, bits)};
            if (!real_is_finite(type, bits))
                continue;
            for (int i = 0; i < 2; i++) {
                struct status st = {STATUS_OK};
                uint64_t back = 0;
                bool exact;
                if (!number_read(texts[i], type, &back, &exact, &st)
                    || back != bits || (dtype_table[t].bits <= 8 && !exact))
                    wrong++;
            }
        }
        EQ_INT(wrong, 0, "%s reads back", dtype_table[t].name);
        arena_reset(&arena);
    }
}

int main(void)
{
    test_forms();
    test_offsets();
    test_blocks();
    test_refused();
    test_random();
    test_outer();
    test_expected();
    test_show();
    test_round_trip();
    arena_free(&arena);
    return tap_done();
}
