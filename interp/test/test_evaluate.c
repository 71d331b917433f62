/* test_evaluate.c - programs: control flow, replicas, intervals, limits.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Expected values are worked out by hand beside each check.
 */
#include <stdio.h>
#include <string.h>

#include "interp/program/op_table.h"
#include "interp/test/slow_program.h"
#include "interp/test/tap.h"

static struct arena arena;
static const struct limits limits = LIMITS_DEFAULT;

static const struct shape *shape(const char *text)
{
    const struct shape *s = NULL;
    struct status st = {0};
    shape_parse(&arena, text, &s, &st);
    return s;
}

static int add(struct program *p, struct computation *c, const char *op,
               int count, const int *operands, int attribute_count,
               struct attribute *attributes)
{
    int *own = arena_new(&arena, int, (size_t)count);
    for (int i = 0; i < count; i++)
        own[i] = operands[i];
    struct instruction in = {.name = op,
                             .op = op_table_find(op),
                             .operand_count = count,
                             .operands = own,
                             .attribute_count = attribute_count,
                             .attributes = attributes};
    return program_add(p, c, &in);
}

#define ADD(c, op, ...) \
    add(p, (c), (op), (int)(sizeof((const int[]){__VA_ARGS__}) / sizeof(int)), \
        (const int[]){__VA_ARGS__}, 0, NULL)

static struct attribute *with_computation(enum attribute_name name,
                                          struct computation *c)
{
    struct attribute *a = arena_new(&arena, struct attribute, 1);
    a->name = name;
    a->form = SPEC_COMPUTATION;
    a->computation_count = 1;
    a->computations = arena_new(&arena, const struct computation *, 1);
    a->computations[0] = c;
    return a;
}

static int constant(struct program *p, struct computation *c, const char *type,
                    int64_t value)
{
    struct attribute *a = arena_new(&arena, struct attribute, 1);
    a->name = ATTRIBUTE_LITERAL;
    a->form = SPEC_LITERAL;
    a->literal = slow_program_literal(&arena, type, 1, &value);
    return add(p, c, "Constant", 0, NULL, 1, a);
}

static bool run(struct program *p, int replicas, const char *profile,
                bool want_exact, struct literal *const *const *inputs,
                struct outcome *out, struct status *st)
{
    struct machine m = {.program = p,
                        .limits = p->limits,
                        .want_exact = want_exact,
                        .replicas = replicas};
    p->replicas = replicas;
    *st = (struct status){0};
    return program_infer(p, st) && profile_load(&arena, profile, &m.profile, st)
           && evaluate_program(&arena, &m, inputs, out, st);
}

/* while (x < limit) x = x OP x, over s32. */
static struct program *loop(const struct limits *with, const char *op,
                            int64_t limit)
{
    struct program *p = program_new(&arena, with);
    struct computation *cond = program_computation(p, "cond");
    int x = program_parameter(p, cond, 0, shape("s32[]"));
    int most = constant(p, cond, "s32[]", limit);
    ADD(cond, "Lt", x, most);
    struct computation *body = program_computation(p, "body");
    x = program_parameter(p, body, 0, shape("s32[]"));
    ADD(body, op, x, x);
    struct computation *main = program_computation(p, "main");
    x = program_parameter(p, main, 0, shape("s32[]"));
    struct attribute *as = arena_new(&arena, struct attribute, 2);
    as[0] = *with_computation(ATTRIBUTE_CONDITION, cond);
    as[1] = *with_computation(ATTRIBUTE_BODY, body);
    add(p, main, "While", 1, &x, 2, as);
    p->entry = main;
    return p;
}

/* Replicas leave the loop at different times: 3 -> 192, 100, 1 -> 128. */
static void test_while(void)
{
    static const int64_t starts[] = {3, 100, 1}, ends[] = {192, 100, 128};
    struct program *p = loop(&limits, "Add", 100);
    struct literal *own[3], *const *inputs[3];
    struct outcome out[3];
    struct status st;
    for (int i = 0; i < 3; i++) {
        own[i] = slow_program_literal(&arena, "s32[]", 1, &starts[i]);
        inputs[i] = &own[i];
    }
    for (int exact = 0; exact < 2; exact++) {
        OK(run(p, 3, "strict", exact, inputs, out, &st), "%s", st.text);
        for (int i = 0; i < 3; i++)
            EQ_INT(slow_program_int_at(out[i].value, 0), ends[i], "replica %d",
                   i);
    }
    EQ_INT(slow_program_int_at(own[0], 0), 3, "inputs stay as they are");
}

/* Zero doubled stays below any limit. */
static void test_endless(void)
{
    struct limits few = limits;
    few.steps = 100000;
    struct program *p = loop(&few, "Add", 5);
    struct literal *zero = slow_program_literal(&arena, "s32[]", 0, NULL);
    struct literal *const *inputs[] = {&zero};
    struct outcome out;
    struct status st;
    OK(!run(p, 1, "strict", false, inputs, &out, &st), "is stopped");
    EQ_STR(status_name(st.code), "system", "%s", st.text);
    OK(strncmp(st.text, "limit: ", 7) == 0, "%s", st.text);
}

/* Sum over the replicas whose condition is true: others never arrive. */
static void test_deadlock(void)
{
    struct program *p = program_new(&arena, &limits);
    struct computation *yes = program_computation(p, "yes");
    int x = program_parameter(p, yes, 0, shape("f32[]"));
    add(p, yes, "CrossReplicaSum", 1, &x, 0, NULL);
    struct computation *no = program_computation(p, "no");
    program_parameter(p, no, 0, shape("f32[]"));
    struct computation *main = program_computation(p, "main");
    int c = program_parameter(p, main, 0, shape("pred[]"));
    int v = program_parameter(p, main, 1, shape("f32[]"));
    struct attribute *as = arena_new(&arena, struct attribute, 2);
    as[0] = *with_computation(ATTRIBUTE_TRUE_COMPUTATION, yes);
    as[1] = *with_computation(ATTRIBUTE_FALSE_COMPUTATION, no);
    int operands[] = {c, v, v};
    add(p, main, "Conditional", 3, operands, 2, as);
    p->entry = main;
    static const int64_t choose[2][2] = {{1, 1}, {1, 0}}, values[] = {5, 7};
    for (int k = 0; k < 2; k++) {
        struct literal *own[2][2], *const *inputs[2];
        struct outcome out[2];
        struct status st;
        for (int i = 0; i < 2; i++) {
            own[i][0] =
                slow_program_literal(&arena, "pred[]", 1, &choose[k][i]);
            own[i][1] = slow_program_literal(&arena, "f32[]", 1, &values[i]);
            inputs[i] = own[i];
        }
        bool ok = run(p, 2, "strict", false, inputs, out, &st);
        if (k == 0) {
            OK(ok, "%s", st.text);
            EQ_INT(slow_program_int_at(out[1].value, 0), 12, "5 + 7");
        } else {
            OK(!ok, "replica 1 never arrives");
            EQ_STR(st.text,
                   "deadlock: replica 0 waits in CrossReplicaSum "
                   "'CrossReplicaSum' for replica 1, which never arrives",
                   "message");
        }
    }
}

/* Groups {0, 2, 3}, {1} with max: not of one size. */
static void test_groups(void)
{
    static const int64_t ids[] = {0, 2, 3, 1}, parts[] = {3, 1};
    static const int64_t values[] = {4, 9, -2, 6}, ends[] = {6, 9, 6, 6};
    struct slow_program *s = slow_program_new(&arena, "AllReduce");
    slow_program_operand(s, NULL);
    for (int r = 0; r < 8; r++)
        s->operands[r][0] =
            slow_program_literal(&arena, "s32[2]", 1, &values[r % 4]);
    slow_program_builtin(s, ATTRIBUTE_COMPUTATION, "max");
    struct attribute *a = &s->attributes[s->attribute_count++];
    *a = (struct attribute){.name = ATTRIBUTE_REPLICA_GROUPS,
                            .form = SPEC_GROUPS,
                            .count = 4,
                            .ints = ids,
                            .part_count = 2,
                            .parts = parts};
    s->replicas = 4;
    OK(slow_program_run(s), "%s", s->status.text);
    for (int r = 0; r < 4; r++)
        EQ_INT(slow_program_int_at(s->outcomes[r].value, 1), ends[r],
               "replica %d", r);
}

/* op2(op1(x), y) over f32[], judged. */
static bool compose(const char *first, const char *second, const char *profile,
                    int64_t x, struct outcome *out, struct status *st)
{
    struct program *p = program_new(&arena, &limits);
    struct computation *main = program_computation(p, "main");
    int a = program_parameter(p, main, 0, shape("f32[]"));
    int b = ADD(main, first, a);
    ADD(main, second, b, a);
    p->entry = main;
    struct literal *own = slow_program_literal(&arena, "f32[]", 1, &x);
    struct literal *const *inputs[] = {&own};
    return run(p, 1, profile, true, inputs, out, st);
}

static void test_intervals(void)
{
    struct outcome out;
    struct status st;
    if (!op_table_find("Exp") || !op_table_find("Max"))
        return;
    /* e^1 is inexact: adding it moves an interval on. */
    OK(compose("Exp", "Add", "spec", 1, &out, &st), "%s", st.text);
    const struct goal *g = out.goals[0];
    EQ_INT(g->rule, GOAL_RANGE, "a range");
    uint64_t v = literal_get(g->value, 0);
    /* e + 1 = 3.7182817: f32 0x406df854. */
    EQ_INT(v, 0x406df854, "e + 1");
    OK(literal_get(g->range.low, 0) < v && v < literal_get(g->range.high, 0),
       "between the ends");
    /* e < 1 is decided; e < e is not. */
    OK(compose("Exp", "Lt", "spec", 1, &out, &st), "%s", st.text);
    EQ_INT(out.goals[0]->rule, GOAL_BITS, "a comparison that is clear");
    /* e - 2, of which each bit is one of e's: 0xadf854 - 0x800000 of 2^-22. */
    OK(compose("Exp", "Rem", "spec", 1, &out, &st), "%s", st.text);
    EQ_INT(literal_get(out.goals[0]->value, 0), 0x3f37e150, "e - 2");
    /* Correctly rounded operations leave one value. */
    OK(compose("Sqrt", "Rem", "strict", 2, &out, &st), "%s", st.text);
}

/* f calls g calls f. */
static void test_recursion(void)
{
    struct program *p = program_new(&arena, &limits);
    struct computation *f = program_computation(p, "f");
    struct computation *g = program_computation(p, "g");
    add(p, f, "Call", 0, NULL, 1, with_computation(ATTRIBUTE_COMPUTATION, g));
    add(p, g, "Call", 0, NULL, 1, with_computation(ATTRIBUTE_COMPUTATION, f));
    p->entry = f;
    struct status st = {0};
    OK(!program_infer(p, &st), "recursion");
    EQ_STR(status_name(st.code), "structure", "%s", st.text);
}

/* Reducing a million elements by a tuple body takes seconds, not minutes:
 * here 2^15, which must agree with a loop. */
static void test_body(void)
{
    struct slow_program *s = slow_program_new(&arena, "Reduce");
    struct computation *c = program_computation(s->program, "argmax");
    struct program *p = s->program;
    int q[4];
    for (int i = 0; i < 4; i++)
        q[i] = program_parameter(p, c, i, shape("s32[]"));
    int ge = ADD(c, "Ge", q[0], q[2]);
    int value = ADD(c, "Select", ge, q[0], q[2]);
    int index = ADD(c, "Select", ge, q[1], q[3]);
    ADD(c, "Tuple", value, index);
    struct literal *l =
        slow_program_random(&arena, "s32[32768]", 3, 0, 1 << 20);
    struct literal *iota = slow_program_literal(&arena, "s32[32768]", 0, NULL);
    int64_t best = 0;
    for (int64_t i = 0; i < 32768; i++) {
        literal_set(iota, i, (uint64_t)i);
        if (literal_get(l, i) > literal_get(l, best))
            best = i;
    }
    slow_program_operand(s, l);
    slow_program_operand(s, iota);
    slow_program_values(s, "s32[]", 0, NULL);
    slow_program_values(s, "s32[]", 0, NULL);
    slow_program_computation(s, ATTRIBUTE_COMPUTATION, c);
    slow_program_int(s, ATTRIBUTE_DIMENSIONS_TO_REDUCE, 0);
    if (!OK(slow_program_run(s), "%s", s->status.text))
        return;
    EQ_INT(slow_program_int_at(slow_program_value(s)->elements[1], 0), best,
           "the first of the largest");
}

/* x / y over s32: any value where y is 0 (policy div.int.by-zero). */
static struct computation *quotient(struct program *p)
{
    struct computation *c = program_computation(p, "quotient");
    int x = program_parameter(p, c, 0, shape("s32[]"));
    int y = program_parameter(p, c, 1, shape("s32[]"));
    ADD(c, "Div", x, y);
    return c;
}

/* What a policy leaves free stays free where a computation gives it. */
static void test_free(void)
{
    static const int64_t sevens[] = {7, 8}, twos[] = {0, 2};
    struct slow_program *s = slow_program_new(&arena, "Map");
    s->want_exact = true;
    slow_program_values(s, "s32[2]", 2, sevens);
    slow_program_values(s, "s32[2]", 2, twos);
    slow_program_computation(s, ATTRIBUTE_COMPUTATION, quotient(s->program));
    if (!OK(slow_program_run(s), "%s", s->status.text))
        return;
    const unsigned char *free = s->outcomes[0].goals[0]->free_units;
    OK(free && free[0] && !free[1], "7 / 0 is any value, 8 / 2 is not");
    EQ_INT(slow_program_int_at(slow_program_value(s), 1), 4, "8 / 2");
}

/* while (x < 1) x = x / x from 0: any value is a result of the body. */
static void test_free_state(void)
{
    struct program *p = loop(&limits, "Div", 1);
    struct literal *zero = slow_program_literal(&arena, "s32[]", 0, NULL);
    struct literal *const *inputs[] = {&zero};
    struct outcome out;
    struct status st;
    OK(!run(p, 1, "spec", true, inputs, &out, &st), "is not judged");
    EQ_STR(status_name(st.code), "unsupported", "%s", st.text);
}

int main(void)
{
    test_free();
    test_free_state();
    test_while();
    test_endless();
    test_deadlock();
    test_groups();
    test_intervals();
    test_recursion();
    test_body();
    arena_free(&arena);
    evaluate_end();
    return tap_done();
}
