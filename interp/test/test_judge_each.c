/* test_judge_each.c - values of a program, each by those of its operands.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The numbers are worked out by hand.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/case/case.h"
#include "interp/judge/judge_each.h"
#include "interp/test/tap.h"

static struct arena arena;
static const struct limits limits = LIMITS_DEFAULT;

/* a = x + x, b = a a, c = twice(b), and all three; and a computation that
 * rounds e^x down. */
#define CALLED \
    "\"twice\": {\"parameters\": [\"f32[]\"], \"body\": [" \
    "{\"name\": \"r\", \"op\": \"Add\", \"operands\": [\"p0\", \"p0\"], " \
    "\"attributes\": {}}], \"result\": \"r\"}, " \
    "\"down\": {\"parameters\": [\"f32[]\"], \"body\": [" \
    "{\"name\": \"e\", \"op\": \"Exp\", \"operands\": [\"p0\"], " \
    "\"attributes\": {}}, " \
    "{\"name\": \"r\", \"op\": \"Floor\", \"operands\": [\"e\"], " \
    "\"attributes\": {}}], \"result\": \"r\"}"
#define MADE(NAME, OP, OPERANDS, ATTRIBUTES) \
    "{\"name\": \"" NAME "\", \"op\": \"" OP "\", \"operands\": [" OPERANDS \
    "], \"attributes\": {" ATTRIBUTES "}}"
#define TWO_VALUES \
    MADE("a", "Add", "\"p0\", \"p0\"", "") \
    ", " MADE("b", "Mul", "\"a\", \"a\"", "")

static struct test_case *case_of(const char *x, const char *computation,
                                 const char *result)
{
    const char *text = arena_printf(
        &arena,
        "{\"format\": \"assay-case/1\", \"op\": \"Call\", \"cases\": [{\"id\": "
        "\"x\", \"why\": \"w\", \"inputs\": [{\"shape\": \"f32[]\", \"data\": "
        "%s}], \"module\": {\"computations\": {\"main\": {\"parameters\": "
        "[\"f32[]\"], \"body\": [" TWO_VALUES
        ", " MADE("c", "Call", "\"b\"", "\"computation\": \"%s\"") ", " MADE(
            "t", "Tuple", "\"a\", \"b\", \"c\"",
            "") "], \"result\": \"%s\"}, " CALLED "}, \"entry\": \"main\"}}]}",
        x, computation, result);
    struct case_file *file;
    struct test_case *made = NULL;
    struct status st = {0};
    if (!OK(case_file_parse(&arena, "each", "each", text, strlen(text), &limits,
                            &file, &st)
                && case_make(&arena, &file->stubs[0], NULL, &limits, &made, &st)
                && !made->rejected,
            "a case: %s", st.text))
        exit(tap_done());
    return made;
}

static struct judge_given given_of(const float *number, const char *dtype)
{
    return (struct judge_given){.got = {.dtype = dtype,
                                        .bytes = sizeof *number,
                                        .held = sizeof *number,
                                        .data = (const void *)number}};
}

/* What is expected of each value, where these were given. */
static bool judges(const struct test_case *c, const float numbers[3],
                   struct judge_each *e, float due[3])
{
    const struct judge_given given[] = {given_of(&numbers[0], "f32"),
                                        given_of(&numbers[1], "f32"),
                                        given_of(&numbers[2], "f32")};
    struct judge_reference r;
    struct status st = {0};
    struct judge_mode mode = {
        .limits = &limits, .want_exact = true, .evaluate = judge_each};
    *e = (struct judge_each){
        .given = judge_each_given(&arena, c->program, given, 3)};
    mode.context = e;
    if (!e->given || !profile_load(&arena, "spec", &mode.profile, &st)
        || !judge_reference(&arena, c, &mode, &r, &st))
        return false;
    for (int i = 0; i < 3; i++)
        memcpy(&due[i], literal_leaf(r.outcomes[0].value, i)->data,
               sizeof due[i]);
    return r.outcomes[0].count == 3;
}

static void values(void)
{
    struct judge_each e;
    float due[3];
    const struct test_case *c = case_of("1", "twice", "t");
    OK(judges(c, (float[]){2, 4, 8}, &e, due) && due[0] == 2 && due[1] == 4
           && due[2] == 8,
       "right values are expected");
    OK(judges(c, (float[]){3, 9, 18}, &e, due) && due[0] == 2 && due[1] == 9
           && due[2] == 18 && e.refused == 0,
       "only the first is wrong for its operands");
    OK(judges(c, (float[]){2, 5, 8}, &e, due) && due[0] == 2 && due[1] == 4
           && due[2] == 10,
       "what uses a wrong value is judged by it");
}

/* e^0.6931472 is 2.00000004, and an exponential may be off by an ulp; e^2 is
 * 7.39. */
static void refused(void)
{
    struct judge_each e;
    float due[3];
    const struct test_case *c = case_of("0.5", "down", "t");
    OK(judges(c, (float[]){1, 2, 7}, &e, due) && due[0] == 1 && due[1] == 1
           && due[2] == 7 && e.refused == 0,
       "what is decided");
    OK(judges(c, (float[]){1, 0.6931472F, 5}, &e, due) && due[0] == 1
           && due[1] == 1 && due[2] == 5 && e.refused == 1
           && strstr(e.why, "Floor"),
       "what is not counts as right, and is said");
}

static void layouts(void)
{
    const float one = 1;
    const struct judge_given given[] = {
        given_of(&one, "f32"), given_of(&one, "f32"), given_of(&one, "s32")};
    const struct test_case *c = case_of("1", "twice", "t");
    OK(!judge_each_given(&arena, c->program, given, 2), "a value is missing");
    OK(!judge_each_given(&arena, c->program, given, 3), "of another type");
    c = case_of("1", "twice", "c");
    OK(!judge_each_given(&arena, c->program, given, 1),
       "the result is no tuple");
}

int main(void)
{
    values();
    refused();
    layouts();
    arena_free(&arena);
    return tap_done();
}
