/* test_join.c - programs side by side.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The values are sums of small integers, by hand.
 */
#include "interp/program/attribute.h"
#include "interp/program/join.h"
#include "interp/program/op_table.h"
#include "interp/stablehlo/stablehlo.h"
#include "interp/test/slow_program.h"
#include "interp/test/tap.h"

static struct arena arena;
static const struct limits limits = LIMITS_DEFAULT;

static const struct shape *shape(const char *text)
{
    const struct shape *s = NULL;
    struct status st = {0};
    OK(shape_parse(&arena, text, &s, &st), "%s", text);
    return s;
}

/* p0 + p1 */
static struct program *add(const char *type)
{
    static const int operands[] = {0, 1};
    struct program *p = program_new(&arena, &limits);
    struct status st = {0};
    p->entry = program_computation(p, "main");
    program_parameter(p, p->entry, 0, shape(type));
    program_parameter(p, p->entry, 1, shape(type));
    program_add(p, p->entry,
                &(struct instruction){.name = "sum",
                                      .op = &op_Add,
                                      .operand_count = 2,
                                      .operands = operands});
    OK(program_infer(p, &st), "%s", st.text);
    return p;
}

/* The sum of all elements of p0, from p1 on. */
static struct program *reduce(void)
{
    static const int operands[] = {0, 1};
    static const int64_t dimensions[] = {0};
    struct program *p = program_new(&arena, &limits);
    struct attribute *as = arena_new(&arena, struct attribute, 2);
    struct status st = {0};
    p->entry = program_computation(p, "main");
    program_parameter(p, p->entry, 0, shape("s32[3]"));
    program_parameter(p, p->entry, 1, shape("s32[]"));
    *as = (struct attribute){.name = ATTRIBUTE_COMPUTATION,
                             .form = SPEC_COMPUTATION,
                             .computation_count = 1};
    as->computations = arena_new(&arena, const struct computation *, 1);
    as->computations[0] = program_builtin(p, "add", DT_s32);
    as[1] = (struct attribute){.name = ATTRIBUTE_DIMENSIONS_TO_REDUCE,
                               .form = SPEC_INTS,
                               .count = 1,
                               .ints = dimensions};
    program_add(p, p->entry,
                &(struct instruction){.name = "all",
                                      .op = op_table_find("Reduce"),
                                      .operand_count = 2,
                                      .operands = operands,
                                      .attribute_count = 2,
                                      .attributes = as});
    OK(program_infer(p, &st), "%s", st.text);
    return p;
}

static void test_join(void)
{
    static const int64_t a[] = {1, 2}, b[] = {10, 20}, c[] = {3, 4, 5},
                         d[] = {100}, e[] = {7}, f[] = {8};
    struct literal *row[] = {slow_program_literal(&arena, "f32[2]", 2, a),
                             slow_program_literal(&arena, "f32[2]", 2, b),
                             slow_program_literal(&arena, "s32[3]", 3, c),
                             slow_program_literal(&arena, "s32[]", 1, d),
                             slow_program_literal(&arena, "s32[3]", 3, c),
                             slow_program_literal(&arena, "s32[]", 1, f),
                             slow_program_literal(&arena, "s8[]", 1, e),
                             slow_program_literal(&arena, "s8[]", 1, f)};
    struct literal *const *const rows[] = {row};
    const struct program *parts[] = {add("f32[2]"), reduce(), reduce(),
                                     add("s8[]")};
    struct program *p = join(&arena, &limits, 4, parts);
    const struct profile *profile = NULL;
    struct status st = {0};
    OK(profile_load(&arena, "spec", &profile, &st), "%s", st.text);
    struct machine m = {
        .program = p, .profile = profile, .limits = &limits, .replicas = 1};
    struct outcome out;
    EQ_STR(shape_text(&arena, p->entry->result), "(f32[2], s32[], s32[], s8[])",
           "the results of all");
    EQ_INT(p->entry->parameter_count, 8, "the parameters of all");
    for (int i = 0; i < 8; i++)
        EQ_INT(attribute_int(p->entry->instructions[p->entry->parameters[i]],
                             ATTRIBUTE_PARAMETER_NUMBER, -1),
               i, "parameter %d", i);
    for (int i = 0; i < p->computation_count; i++)
        for (int k = 0; k < i; k++)
            OK(strcmp(p->computations[i]->name, p->computations[k]->name) != 0,
               "computations have different names");
    if (!OK(evaluate_program(&arena, &m, rows, &out, &st), "%s", st.text))
        return;
    EQ_INT(slow_program_int_at(literal_leaf(out.value, 0), 0), 11, "1 + 10");
    EQ_INT(slow_program_int_at(literal_leaf(out.value, 0), 1), 22, "2 + 20");
    EQ_INT(slow_program_int_at(literal_leaf(out.value, 1), 0), 112,
           "100 + 3 + 4 + 5");
    EQ_INT(slow_program_int_at(literal_leaf(out.value, 2), 0), 20,
           "8 + 3 + 4 + 5");
    EQ_INT(slow_program_int_at(literal_leaf(out.value, 3), 0), 15, "7 + 8");
    const char *text;
    OK(stablehlo_text(&arena, p, &text, &st), "%s", st.text);
    OK(strstr(text,
              ") -> (tensor<2xf32>, tensor<i32>, tensor<i32>, tensor<i8>)")
           != NULL,
       "four results in StableHLO");
    EQ_INT(attribute_int(parts[3]->entry->instructions[0],
                         ATTRIBUTE_PARAMETER_NUMBER, -1),
           0, "the programs are as they were");
}

static void test_allows(void)
{
    struct program *p = add("f32[2]");
    OK(join_allows(p), "an addition");
    p->replicas = 2;
    OK(!join_allows(p), "two replicas");
    OK(join_allows(reduce()), "a computation");
    OK(!join_allows(add("f32[<=2]")), "a dynamic dimension");
    static const struct {
        const char *op;
        const char *type;
        int operands;
        bool want;
    } rows[] = {{"AfterAll", NULL, 0, false},
                {"Neg", "f32[2]", 1, true},
                {"CrossReplicaSum", "f32[2]", 1, false},
                {"ReplicaId", NULL, 0, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static const int first[] = {0};
        struct status st = {0};
        p = program_new(&arena, &limits);
        p->entry = program_computation(p, "main");
        if (rows[i].type)
            program_parameter(p, p->entry, 0, shape(rows[i].type));
        program_add(p, p->entry,
                    &(struct instruction){.name = "r",
                                          .op = op_table_find(rows[i].op),
                                          .operand_count = rows[i].operands,
                                          .operands = first});
        OK(program_infer(p, &st), "%s: %s", rows[i].op, st.text);
        EQ_INT((int)join_allows(p), rows[i].want, "%s", rows[i].op);
    }
}

/* A draw that was wrong beside others may be right alone by chance. */
static void test_draws(void)
{
    static const char *const names[] = {"RngUniform", "RngNormal"};
    for (int i = 0; i < 2; i++) {
        struct slow_program *p = slow_program_new(&arena, names[i]);
        for (int64_t k = 0; k < 2; k++)
            slow_program_values(p, "f32[]", 1, &k);
        slow_program_shape(p, ATTRIBUTE_SHAPE, "f32[4]");
        OK(slow_program_run(p), "%s: %s", names[i], p->status.text);
        OK(!join_allows(p->program), "%s draws other numbers each time",
           names[i]);
    }
}

int main(void)
{
    test_join();
    test_allows();
    test_draws();
    evaluate_end();
    arena_free(&arena);
    return tap_done();
}
