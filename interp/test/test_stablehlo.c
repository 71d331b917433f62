/* test_stablehlo.c - the writer of StableHLO text.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Texts are written by hand after StableHLO's specification; stablehlo.t has
 * those of every operation, and gives all to StableHLO's own verifier.
 */
#include <string.h>

#include "interp/case/case.h"
#include "interp/stablehlo/stablehlo.h"
#include "interp/test/tap.h"

static const struct limits limits = LIMITS_DEFAULT;

#define HEAD \
    "module @assay attributes {mhlo.num_replicas = 1 : i32, " \
    "mhlo.num_partitions = 1 : i32} {\n"
#define TAIL "  }\n}\n"

/* The text of the one case of a file, or the reason why there is none. */
static const char *text_of(struct arena *a, const char *op, const char *members,
                           bool *good)
{
    struct status st = {STATUS_OK};
    struct case_file *file;
    struct test_case *made;
    const char *text = "";
    const char *json = arena_printf(
        a,
        "{\"format\": \"assay-case/1\", \"op\": \"%s\", \"cases\": "
        "[{\"id\": \"x\", \"why\": \"a test\", %s}]}",
        op, members);
    *good = case_file_parse(a, "x.json", "X/x", json, strlen(json), &limits,
                            &file, &st)
            && case_make(a, &file->stubs[0], NULL, &limits, &made, &st);
    if (!*good || !made->program)
        return arena_printf(a, "no program: %s", st.text);
    *good = stablehlo_text(a, made->program, &text, &st);
    return *good ? text : arena_text(a, st.text);
}

#define INPUT(shape) "{\"shape\": \"" shape "\", \"splat\": 1}"

static void test_constants(void)
{
    static const struct {
        const char *literal, *type, *elements;
    } rows[] = {
        {"{\"shape\": \"f32[]\", \"data\": 1}", "tensor<f32>", "0x3f800000"},
        {"{\"shape\": \"f64[1]\", \"data\": [\"-0\"]}", "tensor<1xf64>",
         "[0x8000000000000000]"},
        {"{\"shape\": \"bf16[2]\", \"data\": [\"inf\", -2]}", "tensor<2xbf16>",
         "[0x7f80, 0xc000]"},
        {"{\"shape\": \"f8e4m3fn[]\", \"data\": 1}", "tensor<f8E4M3FN>",
         "0x38"},
        {"{\"shape\": \"c64[]\", \"data\": [1, -1]}", "tensor<complex<f32>>",
         "(0x3f800000, 0xbf800000)"},
        {"{\"shape\": \"pred[2]\", \"data\": [true, false]}", "tensor<2xi1>",
         "[true, false]"},
        {"{\"shape\": \"s4[1,2]\", \"data\": [[-8, 7]]}", "tensor<1x2xi4>",
         "[[-8, 7]]"},
        {"{\"shape\": \"u64[]\", \"data\": \"18446744073709551615\"}",
         "tensor<ui64>", "18446744073709551615"},
        {"{\"shape\": \"s32[0,3]\", \"data\": []}", "tensor<0x3xi32>", ""},
        /* More than 16 elements are bytes, the lowest first. */
        {"{\"shape\": \"u16[17]\", \"splat\": 258}", "tensor<17xui16>",
         "\"0x0201020102010201020102010201020102010201020102010201020102010201"
         "0201\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena a = ARENA_INIT;
        bool good;
        const char *text =
            text_of(&a, "Constant",
                    arena_printf(
                        &a, "\"attributes\": {\"literal\": %s}, \"inputs\": []",
                        rows[i].literal),
                    &good);
        const char *line = arena_printf(
            &a, "\"stablehlo.constant\"() {value = dense<%s> : %s} : () -> %s",
            rows[i].elements, rows[i].type, rows[i].type);
        OK(good && strstr(text, line), "row %d: %s", (int)i, text);
        arena_free(&a);
    }
}

static const struct {
    const char *op, *members, *text;
} texts[] = {
    {"Sub", "\"inputs\": [" INPUT("s32[2]") ", " INPUT("s32[2]") "]",
     HEAD "  func.func public @main(%0: tensor<2xi32>, %1: tensor<2xi32>) -> "
          "(tensor<2xi32>) {\n"
          "    %2 = \"stablehlo.subtract\"(%0, %1) : (tensor<2xi32>, "
          "tensor<2xi32>) -> (tensor<2xi32>)\n"
          "    \"func.return\"(%2) : (tensor<2xi32>) -> ()\n" TAIL},
    /* A static operand takes the run-time size of the other one. */
    {"Sub",
     "\"inputs\": [" INPUT("s32[]") ", {\"shape\": \"s32[<=3]\", \"splat\": 1, "
                                    "\"dynamic_sizes\": [2]}]",
     HEAD "  func.func public @main(%0: tensor<i32>, %1: tensor<?xi32, "
          "#stablehlo.bounds<3>>) -> (tensor<?xi32, #stablehlo.bounds<3>>) {\n"
          "    %3 = \"stablehlo.broadcast_in_dim\"(%0) {broadcast_dimensions = "
          "array<i64>} : (tensor<i32>) -> tensor<3xi32>\n"
          "    %4 = \"stablehlo.get_dimension_size\"(%1) {dimension = 0 : i64} "
          ": (tensor<?xi32, #stablehlo.bounds<3>>) -> tensor<i32>\n"
          "    %5 = \"stablehlo.set_dimension_size\"(%3, %4) {dimension = 0 : "
          "i64} : (tensor<3xi32>, tensor<i32>) -> tensor<?xi32, "
          "#stablehlo.bounds<3>>\n"
          "    %2 = \"stablehlo.subtract\"(%5, %1) : (tensor<?xi32, "
          "#stablehlo.bounds<3>>, tensor<?xi32, #stablehlo.bounds<3>>) -> "
          "(tensor<?xi32, #stablehlo.bounds<3>>)\n"
          "    \"func.return\"(%2) : (tensor<?xi32, #stablehlo.bounds<3>>) -> "
          "()\n" TAIL},
    /* The result of a comparison is pred, its fault the operands' types;
     * and it is returned. */
    {"Eq",
     "\"inputs\": [" INPUT("f32[2]") ", " INPUT(
         "f64[2]") "], \"expect\": {\"error\": \"type\"}",
     HEAD "  func.func public @main(%0: tensor<2xf32>, %1: tensor<2xf64>) -> "
          "(tensor<2xi1>) {\n"
          "    %2 = \"stablehlo.compare\"(%0, %1) {comparison_direction = "
          "#stablehlo<comparison_direction EQ>, compare_type = "
          "#stablehlo<comparison_type FLOAT>} : (tensor<2xf32>, tensor<2xf64>) "
          "-> (tensor<2xi1>)\n"
          "    \"func.return\"(%2) : (tensor<2xi1>) -> ()\n" TAIL},
    /* A transfer has one end there, which takes a token; channel type 1 is
     * DEVICE_TO_DEVICE. */
    {"Send",
     "\"inputs\": [" INPUT(
         "f32[2]") "], \"module\": {\"computations\": "
                   "{\"main\": {\"parameters\": [\"f32[2]\"], \"body\": ["
                   "\"s = Send(p0) {channel_id = 7}\", "
                   "\"d = SendDone(s) {channel_id = 7}\", "
                   "\"r = Recv() {channel_id = 7, shape = f32[2]}\", "
                   "\"e = RecvDone(r) {channel_id = 7}\", "
                   "\"x = GetTupleElement(e) {index = 0}\"], \"result\": "
                   "\"x\"}}, "
                   "\"entry\": \"main\"}",
     HEAD "  func.func public @main(%0: tensor<2xf32>) -> (tensor<2xf32>) {\n"
          "    %4 = \"stablehlo.after_all\"() : () -> !stablehlo.token\n"
          "    %3 = \"stablehlo.send\"(%0, %4) {channel_handle = "
          "#stablehlo.channel_handle<handle = 7, type = 1>} : (tensor<2xf32>, "
          "!stablehlo.token) -> (!stablehlo.token)\n"
          "    %9 = \"stablehlo.after_all\"() : () -> !stablehlo.token\n"
          "    %6, %8 = \"stablehlo.recv\"(%9) {channel_handle = "
          "#stablehlo.channel_handle<handle = 7, type = 1>} : "
          "(!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)\n"
          "    \"func.return\"(%6) : (tensor<2xf32>) -> ()\n" TAIL},
    /* Three results, and the vectors are of features. */
    {"BatchNormTraining",
     "\"inputs\": [" INPUT("f32[2,3]") ", " INPUT("f32[2]") ", " INPUT(
         "f32[3]") "], \"attributes\": {\"epsilon\": 1, "
                   "\"feature_index\": 1}, \"expect\": {\"error\": "
                   "\"shape\"}",
     HEAD "  func.func public @main(%0: tensor<2x3xf32>, %1: tensor<2xf32>, "
          "%2: tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, "
          "tensor<3xf32>) {\n"
          "    %3, %4, %5 = \"stablehlo.batch_norm_training\"(%0, %1, %2) "
          "{feature_index = 1 : i64, epsilon = 0x3f800000 : f32} : "
          "(tensor<2x3xf32>, tensor<2xf32>, tensor<3xf32>) -> "
          "(tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)\n"
          "    \"func.return\"(%3, %4, %5) : (tensor<2x3xf32>, tensor<3xf32>, "
          "tensor<3xf32>) -> ()\n" TAIL},
};

static void test_texts(void)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct arena a = ARENA_INIT;
        bool good;
        const char *text = text_of(&a, texts[i].op, texts[i].members, &good);
        EQ_STR(text, texts[i].text, "row %d", (int)i);
        arena_free(&a);
    }
}

/* What the text cannot express is refused with the reason. */
static void test_hidden(void)
{
    static const struct {
        const char *op, *members, *why;
    } rows[] = {
        {"Add",
         "\"inputs\": [" INPUT("f32[2,3]") ", " INPUT(
             "f32[3]") "], \"attributes\": {\"broadcast_dimensions\": [2]}, "
                       "\"expect\": "
                       "{\"error\": \"attribute\"}",
         "it has no broadcast_dimensions"},
        {"Reshape",
         "\"inputs\": [" INPUT(
             "f32[2]") "], \"attributes\": {\"new_sizes\": "
                       "[-2]}, \"expect\": {\"error\": \"shape\"}",
         "neither sizes"},
        {"Dot",
         "\"inputs\": [" INPUT("f32[2,2,2]") ", " INPUT(
             "f32[2]") "], \"expect\": {\"error\": \"shape\"}",
         "any rank"},
        {"Neg",
         "\"inputs\": [{\"tuple\": [" INPUT("f32[]") ", " INPUT(
             "f32[]") "]}], "
                      "\"expect\": {\"error\": \"type\"}",
         "tuples are flattened"},
        {"CrossReplicaSum",
         "\"inputs\": [{\"shape\": \"pred[2]\", \"splat\": true}], "
         "\"expect\": {\"error\": \"type\"}",
         "may add pred"},
        {"CollectiveBroadcast",
         "\"replicas\": 3, \"inputs\": [[" INPUT("f32[2]") "], [" INPUT(
             "f32[2]") "], [" INPUT("f32[2]") "]], \"attributes\": "
                                              "{\"replica_groups\": [[0, 1], "
                                              "[2]]}",
         "groups of different sizes"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena a = ARENA_INIT;
        bool good;
        const char *text = text_of(&a, rows[i].op, rows[i].members, &good);
        OK(!good && strstr(text, rows[i].why), "%s: %s", rows[i].op, text);
        arena_free(&a);
    }
}

/* Attributes of a composite, as MLIR's textual form has them; the types of n
 * and tensor are those of seed 004, line 283. */
static void test_composite(void)
{
    static const struct {
        const char *attributes, *text;
    } rows[] = {
        {"{\"n\": 1, \"tensor\": [1]}",
         "composite_attributes = {\"n\" = 1 : i32, "
         "\"tensor\" = dense<[1]> : tensor<1xi32>}, name"},
        {"{\"a\": [], \"b\": [-1, 2147483648], \"c\": -2147483649}",
         "{\"a\" = dense<> : tensor<0xi32>, "
         "\"b\" = dense<[-1, 2147483648]> : tensor<2xi64>, "
         "\"c\" = -2147483649 : i64}"},
        {"{\"s\": \"hi\", \"t\": true, \"o\": {\"f\": false}}",
         "{\"s\" = \"hi\", \"t\" = true, \"o\" = {\"f\" = false}}"},
        {"{\"x\": 1.5}", "composite_attributes: /x has no StableHLO form"},
        {"{\"x\": {\"y\": null}}", "/x/y has no StableHLO form"},
        {"{\"x\": [1, \"a\"]}", "/x has no StableHLO form"},
        {"{\"x\": \"a\\n\"}", "/x has no StableHLO form"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena a = ARENA_INIT;
        bool good;
        const char *members = arena_printf(
            &a,
            "\"computations\": {\"f\": {\"parameters\": [\"f32[]\"], "
            "\"body\": [{\"name\": \"x\", \"op\": \"Neg\", "
            "\"operands\": [\"p0\"]}], \"result\": \"x\"}}, "
            "\"inputs\": [" INPUT("f32[]") "], "
                                           "\"attributes\": {\"computation\": "
                                           "\"f\", \"name\": \"a.b\", "
                                           "\"composite_attributes\": %s}",
            rows[i].attributes);
        const char *text = text_of(&a, "CompositeCall", members, &good);
        OK(good == (i < 3) && strstr(text, rows[i].text), "%s: %s",
           rows[i].attributes, text);
        arena_free(&a);
    }
}

/* No groups are one group of all that the mode counts: with a channel those
 * of an all_to_all are of partitions. */
static void test_groups(void)
{
    static const struct {
        int count;
        const char *channel, *groups;
    } rows[] = {
        {2, "", "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"},
        {3, ", \"channel_id\": 1",
         "replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>"},
    };
    for (int i = 0; i < 2; i++) {
        struct arena a = ARENA_INIT;
        bool good;
        const char *one = "[" INPUT("f32[6]") "]";
        const char *json = arena_printf(
            &a,
            "\"replicas\": 2, \"partitions\": 3, "
            "\"inputs\": [%s, %s, %s, %s, %s, %s], \"attributes\": "
            "{\"split_dimension\": 0, \"concat_dimension\": 0, "
            "\"split_count\": %d%s}",
            one, one, one, one, one, one, rows[i].count, rows[i].channel);
        const char *text = text_of(&a, "AllToAll", json, &good);
        OK(good && strstr(text, rows[i].groups), "row %d: %s", i, text);
        arena_free(&a);
    }
}

int main(void)
{
    test_composite();
    test_groups();
    test_constants();
    test_texts();
    test_hidden();
    return tap_done();
}
