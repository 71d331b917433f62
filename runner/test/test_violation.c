/* test_violation.c - which rule a wrong unit breaks.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Bits are those of IEEE 754 binary32; the sentences that must be named were
 * chosen by reading the requirements of spec/ops, and the policies.
 */
#include <stdio.h>
#include <string.h>

#include "interp/judge/violation.h"
#include "interp/test/tap.h"

enum {
    ONE = 0x3f800000,
    TWO = 0x40000000,
    INF = 0x7f800000,
    NOT = 0x7fc00000,
};

static const uint64_t MINUS_ONE = 0xbf800000, MINUS_ZERO = 0x80000000;
static struct arena arena;

static const struct json *parse(const char *text)
{
    const struct json *node = NULL;
    struct status st = {0};
    OK(json_parse(&arena, "a case", text, strlen(text), &node, &st), "%s",
       st.text);
    return node;
}

static struct violation_unit unit(enum dtype type, uint64_t got, uint64_t want,
                                  int count, enum dtype of, uint64_t a,
                                  uint64_t b)
{
    struct violation_unit u = {
        .type = type, .got = got, .want = want, .operand_count = count};
    u.operands[0].type = u.operands[1].type = of;
    u.operands[0].bits = a;
    u.operands[1].bits = b;
    return u;
}

static void names(const char *op, const char *node,
                  const struct violation_unit *u, const char *id,
                  const char *policy, const char *choice)
{
    struct violations v = {0};
    const struct profile *p;
    struct status st = {0};
    OK(profile_load(&arena, "spec", &p, &st), "%s", st.text);
    violation_add(&v, spec_op_find(op), parse(node), p, u);
    EQ_INT(v.count, 1, "%s: one rule", op);
    EQ_STR(v.list[0].id, id, "%s", id);
    EQ_STR(v.list[0].policy ? v.list[0].policy : "", policy, "its policy");
    EQ_STR(v.list[0].choice ? v.list[0].choice : "", choice, "and choice");
}

static void elements(void)
{
    struct violation_unit u = unit(DT_f32, ONE, NOT, 2, DT_f32, NOT, ONE);
    names("Max", "{}", &u, "Max.nan", "max.nan", "propagate");
    u = unit(DT_f32, MINUS_ZERO, 0, 2, DT_f32, MINUS_ZERO, 0);
    names("Max", "{}", &u, "Max.signed-zero", "max.signed-zero", "ordered");
    names("Max", "{\"policies\": {\"max.signed-zero\": \"either\"}}", &u,
          "Max.signed-zero", "max.signed-zero", "either");
    u = unit(DT_f32, ONE, TWO, 2, DT_f32, TWO, ONE);
    names("Max", "{}", &u, "Max.value", "", "");
    u = unit(DT_f32, 0, MINUS_ZERO, 1, DT_f32, MINUS_ZERO, 0);
    names("Sign", "{}", &u, "Sign.zero", "", "");
    u = unit(DT_pred, 0, 1, 2, DT_pred, 1, 1);
    names("Add", "{}", &u, "Add.pred", "", "");
    u = unit(DT_s8, 0, 0x80, 1, DT_s8, 0x80, 0);
    names("Abs", "{}", &u, "Abs.integer-minimum", "", "");
    u = unit(DT_f32, TWO, ONE, 1, DT_f32, INF, 0);
    names("Tanh", "{}", &u, "Tanh.odd", "function.special-value", "exact");
    u = unit(DT_f32, TWO, ONE, 1, DT_f32, TWO, 0);
    names("Sin", "{}", &u, "Sin.range", "", "");
    u = unit(DT_f32, MINUS_ONE, ONE, 1, DT_f32, TWO, 0);
    names("Acosh", "{}", &u, "Acosh.range", "", "");
    u = unit(DT_f32, ONE, NOT, 1, DT_f32, TWO, 0);
    names("Acos", "{}", &u, "Acos.special", "", "");
    u = unit(DT_f32, ONE, NOT, 1, DT_f32, NOT, 0);
    names("Acos", "{}", &u, "Acos.nan", "", "");
}

/* What is not known decides nothing. */
static void unknown(void)
{
    struct violation_unit u = unit(DT_f32, ONE, NOT, 2, DT_f32, NOT, ONE);
    names("Max", "{\"module\": {}}", &u, "Max.value", "", "");
    u.operand_count = 0;
    names("Max", "{}", &u, "Max.value", "", "");
    /* A part of a complex number is no zero of the operation. */
    u = unit(DT_f32, ONE, 0, 1, DT_c64, 0, 0);
    names("Exp", "{}", &u, "Exp.value", "", "");
}

/* Which unit is wrong is not known, or the result has none. */
static void wholly(void)
{
    static const struct {
        const char *op, *text, *id;
        int64_t bad;
    } of[] = {
        {"Max", NULL, "Max.value", 1},
        /* An operation without a requirement of that name has its formula. */
        {"Fft", NULL, "Fft", 1},
        {"Max", "output 0: type f64, expected f32", "Max", 0},
        {"Max", "3 outputs, expected 1", "Max", 0},
        {"Max", "no answer within 10 s", "", 0},
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct violations v = {0};
        const struct spec_op *op = spec_op_find(of[i].op);
        violation_whole(&v, op, of[i].bad, of[i].text);
        EQ_STR(v.count ? v.list[0].id : "", of[i].id, "%s: as a whole",
               op->name);
        violation_whole(&v, op, 1, NULL);
        EQ_INT(v.count, 1, "%s: one rule is enough", op->name);
    }
}

/* A module of one instruction on the parameters is its operation; with another
 * order, or another instruction, the inputs are not its operands. */
static void modules(void)
{
    static const struct {
        const char *body, *rule;
    } of[] = {
        {"{\"op\": \"Max\", \"operands\": [\"p0\", \"p1\"]}", "Max.nan"},
        {"\"r = Max(p0, p1)\"", "Max.nan"},
        {"\"r = Max( p0 ,p1 ) {a = 1}\"", "Max.nan"},
        {"\"r = Max(p0, p0)\"", "Max.value"},
        {"\"r = Maximum(p0, p1)\"", "Max.value"},
        {"\"r = Neg(p0)\", \"s = Max(r, p1)\"", "Max.value"},
        {"{\"op\": \"Max\", \"operands\": [\"p1\", \"p0\"]}", "Max.value"},
        {"{\"op\": \"Min\", \"operands\": [\"p0\", \"p1\"]}", "Max.value"},
    };
    struct violation_unit u = unit(DT_f32, ONE, NOT, 2, DT_f32, NOT, ONE);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        bool nan = strcmp(of[i].rule, "Max.nan") == 0;
        char text[400];
        snprintf(text, sizeof text,
                 "{\"module\": {\"entry\": \"main\", \"computations\": "
                 "{\"main\": {\"body\": [%s]}}}}",
                 of[i].body);
        names("Max", text, &u, of[i].rule, nan ? "max.nan" : "",
              nan ? "propagate" : "");
    }
}

static void several(void)
{
    struct violations v = {0};
    struct violation_unit u = unit(DT_f32, ONE, NOT, 2, DT_f32, NOT, ONE);
    const struct spec_op *op = spec_op_find("Max");
    violation_add(&v, op, parse("{}"), NULL, &u);
    violation_add(&v, op, parse("{}"), NULL, &u);
    EQ_INT(v.count, 1, "a rule is named once");
    u = unit(DT_f32, ONE, TWO, 2, DT_f32, TWO, ONE);
    violation_add(&v, op, parse("{}"), NULL, &u);
    EQ_INT(v.count, 2, "two rules are named");
    EQ_STR(violation_text(&arena, &v.list[0]),
           "Max.nan: If a floating-point operand is a NaN, so is the result. "
           "(policy max.nan)",
           "in words");
    v.count = 0;
    violation_accepted(&v, "Dot.value Dot.error.element-type");
    EQ_STR(v.count ? v.list[0].id : "", "Dot.error.element-type",
           "a constraint that was not rejected");
    v.count = 0;
    violation_accepted(&v, "Dot.error.rank Dot.error.element-type");
    violation_accepted(&v, "Dot.value");
    violation_accepted(&v, NULL);
    EQ_INT(v.count, 0, "of two constraints none is chosen");
}

/* Every condition of the specification means something. */
static void conditions(void)
{
    int count = 0, bad = 0;
    for (int i = 0; i < spec_op_count(); i++) {
        const struct spec_op *op = spec_op_at(i);
        for (int k = 0; k < op->requirement_count; k++) {
            const struct json *when = op->requirements[k].when;
            for (const struct json *c = when ? when->child : NULL; c;
                 c = c->next, count++)
                bad += !violation_condition(c->text);
        }
    }
    const struct json *rows =
        json_member(spec_file("spec/policies.json"), "policies");
    for (const struct json *row = rows->child; row; row = row->next) {
        const struct json *when = json_member(row, "when");
        for (const struct json *c = when ? when->child : NULL; c;
             c = c->next, count++)
            bad += !violation_condition(c->text);
    }
    OK(count > 100, "%d conditions", count);
    EQ_INT(bad, 0, "each is well formed");
    OK(!violation_condition(""), "an empty one is not");
    OK(!violation_condition("operand:nun"), "nor an unknown class");
    OK(!violation_condition("lhs:nan"), "nor an unknown subject");
    OK(!violation_condition("nature:odd"), "nor an unknown nature");
}

int main(void)
{
    struct status st = {0};
    if (!spec_load(&st))
        OK(false, "%s", st.text);
    elements();
    unknown();
    wholly();
    modules();
    several();
    conditions();
    arena_free(&arena);
    return tap_done();
}
