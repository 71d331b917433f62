/* test_deviation.c - what a program gives under each deviation.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * deviations.json has a case for each row of spec/deviations.json.  "why" says
 * how the values were worked out: by hand, or with mpmath and NumPy, each step
 * of the formula rounded to f32.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "interp/case/case.h"
#include "interp/deviation/deviation_judge.h"
#include "interp/deviation/deviation_private.h"
#include "interp/deviation/deviation_run.h"
#include "interp/judge/judge_reference.h"
#include "interp/program/attribute.h"
#include "interp/test/tap.h"

enum {
    INSTRUCTIONS_MAX = 100
};

static struct arena arena;
static const struct limits limits = LIMITS_DEFAULT;
static const struct deviation_table *table;
static const struct profile *profile;

/* The case of a row, as a case file. */
static struct test_case *case_of(const struct json *row, struct status *st)
{
    const char *text = "{\"format\": \"assay-case/1\", \"cases\": [{\"id\": "
                       "\"x\", \"covers\": []";
    for (const struct json *n = row->child; n; n = n->next)
        if (strcmp(n->key, "deviation") != 0 && strcmp(n->key, "op") != 0)
            text = arena_printf(&arena, "%s, \"%s\": %s", text, n->key,
                                attribute_json_text(&arena, n));
    text = arena_printf(&arena, "%s}], \"op\": \"%s\"}", text,
                        json_member(row, "op")->text);
    struct case_file *file;
    struct test_case *made = NULL;
    if (case_file_parse(&arena, "row", "row", text, strlen(text), &limits,
                        &file, st)
        && case_make(&arena, &file->stubs[0], NULL, &limits, &made, st)
        && made->rejected)
        *st = made->rejection;
    return made;
}

static bool run(const struct test_case *c, const struct deviation_use *use,
                struct judge_reference *r, struct status *st)
{
    struct machine m = {.program = c->program,
                        .profile = profile,
                        .limits = &limits,
                        .replicas = 1};
    r->replicas = 1;
    r->outcomes = arena_new(&arena, struct outcome, 1);
    return deviation_run(&arena, use, &m,
                         (struct literal *const *const *)c->inputs, r->outcomes,
                         st);
}

/* What a deviation makes lives as long as its arena: the program must not point
 * into it. */
static void check_untouched(const struct test_case *c,
                            const struct deviation_use *use)
{
    const struct program *p = c->program, *made;
    const struct shape *shapes[INSTRUCTIONS_MAX];
    struct arena own = ARENA_INIT;
    struct status st = {0};
    int n = 0;
    bool same = true;
    if (use->what->kind != DEVIATION_REWRITE)
        return;
    for (int i = 0; i < p->computation_count; i++)
        for (int k = 0; k < p->computations[i]->count; k++)
            if (n < INSTRUCTIONS_MAX)
                shapes[n++] = p->computations[i]->instructions[k]->shape;
    OK(n < INSTRUCTIONS_MAX && deviation_rewrite(&own, use, p, &made, &st),
       "%s: rewritten %s", use->name, st.text);
    n = 0;
    for (int i = 0; i < p->computation_count; i++)
        for (int k = 0; k < p->computations[i]->count; k++)
            same = same
                   && p->computations[i]->instructions[k]->shape == shapes[n++];
    OK(same, "%s: the program keeps its own shapes", use->name);
    arena_free(&own);
}

static void check_row(const struct json *row)
{
    const char *name = json_member(row, "deviation")->text;
    struct status st = {0};
    struct deviation_use use, *list;
    struct judge_reference plain, other;
    char why[400] = "";
    struct test_case *c = case_of(row, &st);
    if (!OK(st.code == STATUS_OK, "%s: a case (%s)", name, st.text))
        return;
    if (!OK(deviation_find(&arena, table, name, &use, &st), "%s: known (%s)",
            name, st.text))
        return;
    bool good = false;
    int n = deviation_uses(&arena, table, c->program, c->op, &list), found = -1;
    for (int i = 0; i < n; i++)
        if (strcmp(list[i].name, name) == 0)
            found = i;
    OK(found >= 0, "%s: one of those that may apply", name);
    for (int by = 0; by < 2 && found >= 0; by++) {
        good = run(c, by ? &list[found] : &use, &other, &st);
        if (!OK(good, "%s: applies (%s)", name, st.text))
            break;
        OK(!judge_reference_contradicts(&arena, c, &other, why, sizeof why),
           "%s: as %s has it %s", name, json_member(row, "why")->text, why);
    }
    if (!good)
        return;
    check_untouched(c, &list[found]);
    struct judge_mode mode = {.profile = profile, .limits = &limits};
    OK(judge_reference(&arena, c, &mode, &plain, &st)
           && !literal_equal(plain.outcomes[0].value, other.outcomes[0].value),
       "%s: the exact result is another one", name);
}

static void check_all(const struct json *rows)
{
    for (int i = 0; i < table->count; i++) {
        const char *id = table->rows[i].id;
        bool found = false;
        for (const struct json *n = rows->child; n; n = n->next)
            found =
                found
                || strncmp(json_member(n, "deviation")->text, id, strlen(id))
                       == 0;
        OK(found, "%s has a case", id);
    }
    for (const struct json *n = rows->child; n; n = n->next)
        check_row(n);
}

static int asked, most;

static bool may_ask(void *context)
{
    return ++asked <= most;
}

/* Judging one deviation takes many evaluations, so the search asks before each
 * of them whether there is time. */
static void check_search(const struct json *rows)
{
    struct status st = {0};
    const struct json *row = rows->child;
    while (strcmp(json_member(row, "op")->text, "Exp") != 0)
        row = row->next;
    struct test_case *c = case_of(row, &st);
    struct judge_reference plain;
    struct deviation_use *uses;
    struct deviation_cause causes[DEVIATION_CAUSES];
    enum verdict_status status;
    struct verdict v = {0};
    char text[400];
    struct judge_value by = {
        .arena = &arena,
        .mode = {.profile = profile, .limits = &limits, .want_exact = true},
        .made = c,
        .plain = &plain};
    const float wrong[2] = {3, -3};
    int64_t dims[1] = {2};
    const struct judge_given given = {.got = {.dtype = "f32",
                                              .rank = 1,
                                              .dims = dims,
                                              .sizes = dims,
                                              .bytes = sizeof wrong,
                                              .held = sizeof wrong,
                                              .data = (const void *)wrong}};
    if (!OK(judge_reference(&arena, c, &by.mode, &plain, &st)
                && judge_value(&by, &given, 1, &v, &status, text, sizeof text)
                && verdict_is_failure(status),
            "a wrong result of Exp %s", st.text))
        return;
    int n = deviation_uses(&arena, table, c->program, c->op, &uses);
    struct deviation_search search = {.goes_on = may_ask};
    most = INT_MAX;
    deviation_judge_explain(&by, table, &given, 1, &v, &search, causes);
    OK(asked > n && !search.ended, "asked %d times for %d deviations", asked,
       n);
    /* Before each one and in each evaluation: the first unit refutes it alone,
     * the second one as a part. */
    OK(asked <= 4 * n, "few units show that a deviation is no cause");
    most = asked / 2;
    asked = 0;
    EQ_INT(deviation_judge_explain(&by, table, &given, 1, &v, &search, causes),
           0, "nothing explains it");
    OK(search.ended && asked == most + 1, "and the search ends at once");
}

static struct test_case *first_case(const struct json *rows, const char *op)
{
    struct status st = {0};
    const struct json *row = rows->child;
    while (strcmp(json_member(row, "op")->text, op) != 0)
        row = row->next;
    return case_of(row, &st);
}

/* One element of operations by elements is what a program of scalars gives. */
static void check_unit(const struct json *rows)
{
    bool spread;
    struct test_case *c = first_case(rows, "Exp");
    struct test_case *one = deviation_unit(&arena, c, 0, 1, &spread);
    struct judge_mode mode = {.profile = profile, .limits = &limits};
    struct judge_reference all, alone;
    struct status st = {0};
    OK(one && judge_reference(&arena, c, &mode, &all, &st)
           && judge_reference(&arena, one, &mode, &alone, &st)
           && alone.outcomes[0].value->shape->rank == 0
           && literal_get(alone.outcomes[0].value, 0)
                  == literal_get(all.outcomes[0].value, 1),
       "element 1 of Exp %s", st.text);
    c = first_case(rows, "Add");
    one = deviation_unit(&arena, c, 0, 0, &spread);
    OK(one && judge_reference(&arena, c, &mode, &all, &st)
           && judge_reference(&arena, one, &mode, &alone, &st)
           && literal_equal(alone.outcomes[0].value, all.outcomes[0].value),
       "Add, which has an empty list of dimensions, of scalars %s", st.text);
    OK(!deviation_unit(&arena, first_case(rows, "Transpose"), 0, 0, &spread)
           && !deviation_unit(&arena, first_case(rows, "Rev"), 0, 0, &spread),
       "operations that look at other elements have none");
}

/* Each array of a tuple that nothing else is computed with is a program of its
 * own: (x, y, z, w) gives (x - y, -(y * y), z - d, d) with
 * d = 1 / sqrt(w). */
static const char tuple[] =
    "{\"op\": \"Sub\", \"why\": \"a tuple\", \"inputs\": ["
    "{\"shape\": \"f32[2]\", \"data\": [1, 2]}, "
    "{\"shape\": \"f32[2]\", \"data\": [4, 8]}, "
    "{\"shape\": \"f32[3]\", \"data\": [3, 6, 9]}, "
    "{\"shape\": \"f32[3]\", \"data\": [1, 2, 4]}], "
    "\"module\": {\"entry\": \"main\", \"computations\": {\"main\": {"
    "\"parameters\": [\"f32[2]\", \"f32[2]\", \"f32[3]\", \"f32[3]\"], "
    "\"body\": [\"a = Sub(p0, p1)\", \"m = Mul(p1, p1)\", \"b = Neg(m)\", "
    "\"d = Rsqrt(p3)\", \"c = Sub(p2, d)\", \"t = Tuple(a, b, c, d)\"], "
    "\"result\": \"t\"}}}}";

static void check_unit_of_tuple(void)
{
    static const struct {
        int leaf, element, inputs;
        uint64_t due; /* 0: not alone */
    } units[] = {
        {0, 0, 2, 0xc0400000}, {0, 1, 2, 0xc0c00000}, /* -3, -6 */
        {1, 0, 1, 0xc1800000}, {1, 1, 1, 0xc2800000}, /* -16, -64 */
        {2, 0, 2, 0},          {3, 0, 1, 0},          /* d is in both */
    };
    struct status st = {0};
    const struct json *row;
    struct test_case *c = NULL;
    if (json_parse(&arena, "row", tuple, sizeof tuple - 1, &row, &st))
        c = case_of(row, &st);
    struct judge_mode mode = {.profile = profile, .limits = &limits};
    if (!OK(c && st.code == STATUS_OK, "a tuple of results %s", st.text))
        return;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        bool spread;
        struct judge_reference r;
        struct test_case *one =
            deviation_unit(&arena, c, units[i].leaf, units[i].element, &spread);
        if (units[i].due == 0)
            OK(!one, "array %d: used twice", units[i].leaf);
        else if (OK(one && one->input_count == units[i].inputs
                        && judge_reference(&arena, one, &mode, &r, &st),
                    "array %d: of %d inputs %s", units[i].leaf, units[i].inputs,
                    st.text))
            EQ_INT((int64_t)literal_get(r.outcomes[0].value, 0),
                   (int64_t)units[i].due, "and its element %d",
                   units[i].element);
    }
}

/* x + y in which y has fewer dimensions, or one of size 1: element i of the
 * result is the sum of x[i] and of one element of y. */
static void check_unit_of_spread(void)
{
    static const struct {
        const char *y, *data, *with;
        int from[6]; /* the element of y in each element of the result */
    } rows[] = {
        {"f32[2]", "[10, 20]", "[0]", {0, 0, 0, 1, 1, 1}},
        {"f32[3]", "[10, 20, 30]", "[1]", {0, 1, 2, 0, 1, 2}},
        {"f32[2,1]", "[[10], [20]]", "[]", {0, 0, 0, 1, 1, 1}},
        {"f32[1,3]", "[[10, 20, 30]]", "[]", {0, 1, 2, 0, 1, 2}},
        {"f32[]", "10", "[]", {0, 0, 0, 0, 0, 0}},
    };
    for (size_t i = 0; i < 6 * sizeof rows / sizeof rows[0]; i++) {
        struct status st = {0};
        const struct json *row;
        struct judge_reference r;
        struct judge_mode mode = {.profile = profile, .limits = &limits};
        bool spread = false;
        int at = (int)(i % 6);
        const char *text = arena_printf(
            &arena,
            "{\"op\": \"Add\", \"why\": \"spread\", \"inputs\": [{\"shape\": "
            "\"f32[2,3]\", \"data\": [[1, 2, 3], [4, 5, 6]]}, {\"shape\": "
            "\"%s\", "
            "\"data\": %s}], \"attributes\": {\"broadcast_dimensions\": %s}}",
            rows[i / 6].y, rows[i / 6].data, rows[i / 6].with);
        struct test_case *c = NULL, *one = NULL;
        if (json_parse(&arena, "row", text, strlen(text), &row, &st))
            c = case_of(row, &st);
        one = c ? deviation_unit(&arena, c, 0, at, &spread) : NULL;
        if (!OK(one && spread && judge_reference(&arena, one, &mode, &r, &st),
                "%s is spread %s", rows[i / 6].y, st.text))
            continue;
        float due = (float)(at + 1 + 10 * (rows[i / 6].from[at] + 1));
        uint32_t bits;
        memcpy(&bits, &due, sizeof bits);
        EQ_INT((int64_t)literal_get(r.outcomes[0].value, 0), (int64_t)bits,
               "its element %d", at);
    }
}

/* (x - y, z - x) with x spread in z - x: operands are exchanged where their
 * shapes are equal, so the second array stays right, and its elements, alone
 * two scalars, refute nothing. */
static const char half_spread[] =
    "{\"op\": \"Sub\", \"why\": \"one of two is spread\", \"inputs\": ["
    "{\"shape\": \"f32[2]\", \"data\": [1, 2]}, "
    "{\"shape\": \"f32[2]\", \"data\": [4, 8]}, "
    "{\"shape\": \"f32[2,2]\", \"data\": [[10, 20], [30, 40]]}], "
    "\"module\": {\"entry\": \"main\", \"computations\": {\"main\": {"
    "\"parameters\": [\"f32[2]\", \"f32[2]\", \"f32[2,2]\"], "
    "\"body\": [\"a = Sub(p0, p1)\", "
    "\"b = Sub(p2, p0) {broadcast_dimensions = [0]}\", \"t = Tuple(a, b)\"], "
    "\"result\": \"t\"}}}}";

static struct judge_given give(int rank, const int64_t *dims, uint64_t bytes,
                               const float *data)
{
    return (struct judge_given){.got = {.dtype = "f32",
                                        .rank = rank,
                                        .dims = dims,
                                        .sizes = dims,
                                        .bytes = bytes,
                                        .held = bytes,
                                        .data = (const void *)data}};
}

static void check_spread_is_not_exchanged(void)
{
    static const int64_t dims[2] = {2, 2};
    static const float exchanged[2] = {3, 6}, right[4] = {9, 19, 28, 38};
    const struct judge_given given[2] = {
        give(1, dims, sizeof exchanged, exchanged),
        give(2, dims, sizeof right, right)};
    struct status st = {0};
    const struct json *row;
    struct test_case *c = NULL;
    struct judge_reference plain;
    struct deviation_cause causes[DEVIATION_CAUSES];
    struct deviation_search search = {.goes_on = NULL};
    enum verdict_status status;
    struct verdict v = {0};
    char text[400];
    bool found = false;
    if (json_parse(&arena, "row", half_spread, sizeof half_spread - 1, &row,
                   &st))
        c = case_of(row, &st);
    struct judge_value by = {.arena = &arena,
                             .mode = {.profile = profile, .limits = &limits},
                             .made = c,
                             .plain = &plain};
    if (!OK(c && judge_reference(&arena, c, &by.mode, &plain, &st)
                && judge_value(&by, given, 2, &v, &status, text, sizeof text)
                && verdict_is_failure(status) && v.bad == 2,
            "two elements of six are wrong %s", st.text))
        return;
    int n = deviation_judge_explain(&by, table, given, 2, &v, &search, causes);
    for (int i = 0; i < n; i++)
        found =
            found || strcmp(causes[i].name, "operands.swapped(lhs,rhs)") == 0;
    OK(found, "a spread operand is not exchanged, and refutes nothing");
}

static void refuse(const char *name, const char *part)
{
    struct status st = {0};
    struct deviation_use use;
    OK(!deviation_find(&arena, table, name, &use, &st)
           && st.code == STATUS_INPUT && strstr(st.text, part),
       "'%s' is refused: %s", name, st.text);
}

static void refuse_table(const char *row, const char *part)
{
    const char *text = arena_printf(
        &arena, "{\"format\": \"assay-deviations/1\", \"deviations\": [%s]}",
        row);
    const struct json *root;
    const struct deviation_table *t;
    struct status st = {0};
    OK(json_parse(&arena, "t", text, strlen(text), &root, &st)
           && !deviation_parse(&arena, root, &t, &st) && st.code == STATUS_INPUT
           && strstr(st.text, part),
       "a table is refused: %s", st.text);
}

/* Names that fit no program: such a row would silently never apply. */
static void check_formulas(void)
{
    static const struct {
        const char *formula, *message;
    } rows[] = {
        {"Abs(Ad(operand))", "unknown operation 'Ad'"},
        {"Abs(operand", "a closing bracket"},
        {"Constant:f33(1)", "unknown type 'f33'"},
        {"self:f32(operand)", "self() has no type and no attributes"},
        {"self(each(1, 2))", "expected one formula in each()"},
        {"Abs(each(operand))", "unknown operation 'each'"},
        {"each-dimension(1)", "unknown operation 'each-dimension'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        refuse_table(arena_printf(&arena,
                                  "{\"id\": \"a\", \"kind\": \"rewrite\", "
                                  "\"text\": \"t\", \"formula\": \"%s\"}",
                                  rows[i].formula),
                     rows[i].message);
        refuse_table(arena_printf(&arena,
                                  "{\"id\": \"a\", \"kind\": \"rewrite\", "
                                  "\"text\": \"t\", \"formula\": \"q\", "
                                  "\"with\": {\"q\": \"%s\"}}",
                                  rows[i].formula),
                     rows[i].message);
    }
}

int main(void)
{
    struct status st = {0};
    const struct json *rows;
    if (!OK(deviation_read(&arena, &table, &st)
                && profile_load(&arena, "spec", &profile, &st)
                && json_read(&arena, "interp/test/deviations.json", 1 << 24,
                             &rows, &st),
            "the tables: %s", st.text))
        return tap_done();
    check_all(rows);
    check_search(rows);
    check_unit(rows);
    check_unit_of_tuple();
    check_unit_of_spread();
    check_spread_is_not_exchanged();
    refuse("operand.zer(lhs)", "nearest: 'operand.zero'");
    refuse("operand.zero", "expected NAME(OPERAND)");
    refuse("operand.zero(nosuch)", "no operation has the operand 'nosuch'");
    refuse("operands.swapped(rhs,lhs)", "no operation has the neighbouring");
    refuse("memory.zeros(lhs)", "has no target");
    refuse("attribute.zero", "expected NAME(ATTRIBUTE)");
    refuse("memory.zeros@rank0", "unknown place 'rank0' (nearest: 'rank-0')");
    refuse("memory.zeros@", "unknown place ''");
    refuse("operand.zero@rank-0", "expected NAME(OPERAND)");
    refuse_table("{\"id\": \"a\", \"kind\": \"story\", \"text\": \"t\"}",
                 "'story', expected environment, rewrite or transform");
    refuse_table("{\"id\": \"a\", \"kind\": \"rewrite\", \"text\": \"t\"}",
                 "expected one of");
    refuse_table("{\"id\": \"a\", \"kind\": \"rewrite\", \"text\": \"t\", "
                 "\"attribute\": \"lost\"}",
                 "unknown change 'lost'");
    refuse_table("{\"id\": \"a\", \"kind\": \"environment\", \"text\": \"t\", "
                 "\"environment\": {\"at\": \"results\", \"step\": \"x\"}}",
                 "unknown step 'x'");
    refuse_table("{\"id\": \"a\", \"kind\": \"rewrite\", \"text\": \"t\", "
                 "\"op\": [\"Ad\"], \"formula\": \"1\"}",
                 "unknown operation 'Ad'");
    check_formulas();
    refuse_table("{\"id\": \"a\", \"kind\": \"environment\", \"text\": \"t\", "
                 "\"environment\": {\"at\": \"starts\", \"step\": \"x\"}}",
                 "unknown step 'x'");
    refuse_table("{\"id\": \"a\", \"kind\": \"environment\", \"text\": \"t\", "
                 "\"environment\": {\"at\": \"ends\", \"step\": \"x\"}}",
                 "'ends', expected operands, results, starts, sums or ties");
    refuse_table("{\"id\": \"a\", \"kind\": \"transform\", \"text\": \"t\", "
                 "\"transform\": {\"name\": \"x\"}}",
                 "unknown transform 'x'");
    arena_free(&arena);
    return tap_done();
}
