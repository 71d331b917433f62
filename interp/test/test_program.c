/* test_program.c - building and inferring programs.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Error classes are those of the case format.
 */
#include "interp/program/op_table.h"
#include "interp/test/tap.h"

static struct arena arena;
static const struct limits limits = LIMITS_DEFAULT;

/* No operation if it has no name. */
static void add(struct program *p, struct computation *c, const char *op,
                int count, const int *operands)
{
    program_add(p, c,
                &(struct instruction){.name = "r",
                                      .op = op ? op_table_find(op) : NULL,
                                      .operand_count = count,
                                      .operands = operands});
}

/* A computation op(p[first], p[second]) over f32[] scalars. */
static struct computation *binary(struct program *p, const char *op, int first,
                                  int second)
{
    struct computation *c = program_computation(p, "c");
    const struct shape *s = shape_scalar(&arena, DT_f32);
    int *operands = arena_new(&arena, int, 2);
    program_parameter(p, c, 0, s);
    program_parameter(p, c, 1, s);
    operands[0] = first;
    operands[1] = second;
    add(p, c, op, 2, operands);
    return c;
}

static void test_monoid(void)
{
    static const struct {
        const char *op;
        int first, second;
        bool want;
    } rows[] = {
        {"Add", 0, 1, true},  {"Add", 1, 0, true},  {"Add", 0, 0, false},
        {"Sub", 0, 1, false}, {"Max", 1, 0, true},  {"Mul", 0, 1, true},
        {"Lt", 0, 1, false},  {"Min", 1, 1, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct program *p = program_new(&arena, &limits);
        struct status st = {0};
        struct computation *c =
            binary(p, rows[i].op, rows[i].first, rows[i].second);
        p->entry = c;
        OK(program_infer(p, &st), "%s", st.text);
        const struct op *op = program_monoid(c);
        OK((op != NULL) == rows[i].want, "row %d", (int)i);
        if (op)
            EQ_STR(op->name, rows[i].op, "row %d", (int)i);
    }
}

static void test_builtins(void)
{
    struct program *p = program_new(&arena, &limits);
    struct computation *add = program_builtin(p, "add", DT_f32);
    OK(add && program_builtin(p, "add", DT_f32) == add, "made once");
    OK(program_builtin(p, "add", DT_s8) != add, "one a type");
    OK(!program_builtin(p, "sum", DT_f32), "no such name");
    OK(!program_builtin(p, "Add", DT_f32), "names are lower case");
    struct status st = {0};
    struct computation *lt = program_builtin(p, "lt_total_order", DT_f32);
    OK(lt && program_infer_computation(p, lt, &st), "%s", st.text);
    EQ_INT(lt->result->dtype, DT_pred, "a truth value");
    struct computation *second = program_builtin(p, "second", DT_c64);
    OK(program_infer_computation(p, second, &st), "%s", st.text);
    EQ_INT(second->root, second->parameters[1], "the second parameter");
}

static void fails(struct program *p, enum code code, const char *what)
{
    struct status st = {0};
    OK(!program_infer(p, &st), "%s", what);
    EQ_STR(status_name(st.code), status_name(code), "%s: %s", what, st.text);
}

/* A program whose entry has so many parameters, all f32[]. */
static struct program *begin(int parameters)
{
    struct program *p = program_new(&arena, &limits);
    p->entry = program_computation(p, "main");
    for (int i = 0; i < parameters; i++)
        program_parameter(p, p->entry, i, shape_scalar(&arena, DT_f32));
    return p;
}

static void test_structure(void)
{
    const struct shape *s = shape_scalar(&arena, DT_f32);
    static const int later[] = {0, 5}, one[] = {0};
    fails(program_new(&arena, &limits), STATUS_STRUCTURE, "no entry");
    fails(begin(0), STATUS_STRUCTURE, "no instruction");
    struct program *p = begin(0);
    program_parameter(p, p->entry, 1, s);
    fails(p, STATUS_STRUCTURE, "parameter 0 is missing");
    p = begin(1);
    program_parameter(p, p->entry, 0, s);
    fails(p, STATUS_STRUCTURE, "parameter 0 twice");
    p = begin(1);
    add(p, p->entry, "Add", 2, later);
    fails(p, STATUS_STRUCTURE, "an operand that comes later");
    p = begin(1);
    add(p, p->entry, "Add", 1, one);
    fails(p, STATUS_STRUCTURE, "one operand of two");
    p = begin(1);
    add(p, p->entry, "Transpose", 1, one);
    fails(p, STATUS_ATTRIBUTE, "no permutation");
    p = program_new(&arena, &limits);
    p->entry = binary(p, "And", 0, 1);
    fails(p, STATUS_TYPE, "And of floats");
    p = begin(0);
    add(p, p->entry, NULL, 0, NULL);
    fails(p, STATUS_UNSUPPORTED, "no operation");
}

static void test_table(void)
{
    int wrong = 0;
    for (int i = 0; i < OP_COUNT; i++)
        wrong += op_table_find(op_table[i]->name) != op_table[i];
    EQ_INT(wrong, 0, "each operation is found by its name");
    OK(!op_table_find("add") && !op_table_find("") && !op_table_find("Zzz"),
       "others are not");
}

int main(void)
{
    test_monoid();
    test_builtins();
    test_structure();
    test_table();
    arena_free(&arena);
    return tap_done();
}
