/* test_form.c - forms: names, exactness, covering arrays.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Also form.c, form_apply.c, form_build.c, form_suit.c, form_control.c,
 * form_cover.c, form_cover_case.c, form_data.c, form_value.c,
 * formula_attribute.c.
 */
#include <stdio.h>
#include <string.h>

#include "interp/case/case.h"
#include "interp/form/form_apply.h"
#include "interp/form/form_cover.h"
#include "interp/program/evaluate.h"
#include "interp/program/op_table.h"
#include "interp/test/tap.h"

static struct arena arena;
static const struct limits limits = LIMITS_DEFAULT;

/* Cases of exact operations, with data of many classes. */
#define ONE(OP, MEMBERS) \
    "{\"format\": \"assay-case/1\", \"op\": \"" OP "\", \"cases\": [" \
    "{\"id\": \"a\", \"why\": \"w\", " MEMBERS "}]}"
static const char *const texts[] = {
    ONE("Max",
        "\"inputs\": [{\"shape\": \"f32[2,3]\", \"data\": [[1, \"-inf\", "
        "\"nan\"], [\"-0.0\", 4, \"bits:00000001\"]]}, {\"shape\": "
        "\"f32[2,3]\", \"data\": [[2, 3, 4], [0, \"inf\", 0]]}]"),
    ONE("Xor", "\"inputs\": [{\"shape\": \"u8[5]\", \"data\": [1, 2, 3, 254, "
               "255]}, {\"shape\": \"u8[5]\", \"data\": [5, 7, 11, 0, 255]}]"),
    ONE("Rev", "\"inputs\": [{\"shape\": \"s16[3,1,2]\", \"data\": [[[1, 2]], "
               "[[3, 4]], [[5, 6]]]}], \"attributes\": {\"dimensions\": "
               "[0, 2]}"),
    ONE("ConcatInDim",
        "\"inputs\": [{\"shape\": \"f16[2,1]\", \"data\": [[1], [\"snan\"]]}, "
        "{\"shape\": \"f16[2,2]\", \"data\": [[2, 3], [4, \"-0.0\"]]}], "
        "\"attributes\": {\"dimension\": 1}"),
    ONE("Sort",
        "\"inputs\": [{\"shape\": \"s32[4]\", \"data\": [3, 1, -7, 5]}, "
        "{\"shape\": \"pred[4]\", \"data\": [true, false, false, true]}], "
        "\"attributes\": {\"comparator\": \"lt4\"}, \"computations\": "
        "{\"lt4\": {\"parameters\": [\"s32[]\", \"s32[]\", \"pred[]\", "
        "\"pred[]\"], \"body\": [\"r = Lt(p0, p1)\"], \"result\": \"r\"}}")};

enum {
    CASES = sizeof texts / sizeof *texts
};

static struct case_file *files[CASES];

static const struct case_stub *stub_of(int i)
{
    return &files[i]->stubs[0];
}

static bool evaluate(const struct program *p, struct literal ***inputs,
                     struct literal **value, struct status *st)
{
    const struct profile *profile;
    struct outcome out;
    TRY(profile_load(&arena, "spec", &profile, st));
    struct machine m = {
        .program = p, .profile = profile, .limits = &limits, .replicas = 1};
    TRY(evaluate_program(&arena, &m, (struct literal *const *const *)inputs,
                         &out, st));
    *value = out.value;
    return true;
}

/* Does the written program give what must be computed, bit for bit? */
static bool is_exact(const struct test_case *t, struct status *st)
{
    struct literal *due, *got;
    TRY(evaluate(t->program, t->inputs, &due, st));
    TRY(evaluate(t->written->program, t->written->inputs, &got, st));
    return literal_equal(due, got);
}

/* ---- Every form ---------------------------------------------------------- */

static int applied, differing, unnamed;
static char first[200];

/* Does each instruction of a computation have a name of its own? */
static bool has_names(const struct program *p)
{
    for (int i = 0; i < p->computation_count; i++)
        for (int k = 0; k < p->computations[i]->count; k++)
            for (int l = 0; l < k; l++)
                if (strcmp(p->computations[i]->instructions[k]->name,
                           p->computations[i]->instructions[l]->name)
                    == 0)
                    return false;
    return true;
}

static void try_form(const struct case_stub *stub, const struct form_use *use)
{
    struct form_uses uses = {0};
    struct test_case *t;
    struct status st = {STATUS_OK};
    uses.of[use->what->family] = *use;
    const char *name = form_name(&arena, &uses, case_op(stub));
    if (!case_make(&arena, stub, name, &limits, &t, &st))
        return;
    applied++;
    unnamed += !has_names(t->written->program);
    struct status why = {STATUS_OK};
    if (!is_exact(t, &why)) {
        if (!differing++)
            snprintf(first, sizeof first, "%s: %.100s", t->name, why.text);
    }
}

static void check_all(void)
{
    const struct form_table *table;
    struct status st = {STATUS_OK};
    OK(form_read(&table, &st), "the table: %s", st.text);
    int idle = 0;
    const char *name = "";
    for (int i = 0; i < table->count; i++) {
        int before = applied;
        for (int k = 0; k < CASES; k++)
            for (int o = -1; o < 2; o++)
                if (o < 0 ? table->rows[i].place != FORM_EACH
                          : table->rows[i].place != FORM_ALL)
                    try_form(stub_of(k),
                             &(struct form_use){&table->rows[i], o});
        if (applied == before) {
            idle++;
            name = table->rows[i].id;
        }
    }
    EQ_INT(idle, 0, "each form applies to a case: %s", name);
    EQ_INT(differing, 0, "%d formed programs give the same bits: %s", applied,
           first);
    EQ_INT(unnamed, 0, "names differ");
}

/* What is compared may differ: a written program with another input. */
static void check_control(void)
{
    struct test_case *t;
    struct status st = {STATUS_OK};
    OK(case_make(&arena, stub_of(1), "reversed", &limits, &t, &st), "made");
    literal_set(t->written->inputs[0][0], 0, 77);
    OK(!is_exact(t, &st), "a wrong program gives other bits");
}

/* ---- Names --------------------------------------------------------------- */

static void unknown(const char *name, const char *word)
{
    struct form_uses uses;
    struct status st = {STATUS_OK};
    OK(!form_find(&arena, name, &op_Max, &uses, &st) && st.code == STATUS_INPUT
           && strstr(st.text, word),
       "%s: %s", name, st.text);
}

static void check_names(void)
{
    static const char *const good[] = {
        "scalar(rhs)", "constant", "constant(lhs)",
        "rank-3+same(rhs)+reversed+then-reversed+loop-3+twice"};
    struct form_uses uses;
    struct status st = {STATUS_OK};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        OK(form_find(&arena, good[i], &op_Max, &uses, &st)
               && strcmp(form_name(&arena, &uses, &op_Max), good[i]) == 0,
           "%s: %s", good[i], st.text);
    OK(form_find(&arena, "loop-3+reversed", &op_Max, &uses, &st), "any order");
    EQ_STR(form_name(&arena, &uses, &op_Max), "reversed+loop-3",
           "is told in that of the families");
    unknown("revesed", "reversed");
    unknown("scalar", "scalar(OPERAND)");
    unknown("scalar(mid)", "scalar(OPERAND)");
    unknown("reversed(lhs)", "expected reversed");
    unknown("reversed+sliced", "family producer");
    unknown("reversed+", "unknown form ''");
    struct test_case *t;
    OK(!case_make(&arena, stub_of(1), "transposed", &limits, &t, &st)
           && strstr(st.text, "transposed does not apply"),
       "a form that does not apply: %s", st.text);
}

/* ---- Data ---------------------------------------------------------------- */

static void check_data(void)
{
    struct test_case *t;
    struct status st = {STATUS_OK};
    OK(case_make(&arena, stub_of(0), "scalar(rhs)", &limits, &t, &st), "%s",
       st.text);
    /* Of 2, 3, 4, 0, inf, 0 the classes are: other, 0, inf. */
    EQ_INT(t->program->entry->parameter_count, 4, "an array, three scalars");
    EQ_STR(shape_text(&arena, t->program->entry->result),
           "(f32[2,3], f32[2,3], f32[2,3])", "an array for each");
    OK(case_make(&arena, stub_of(0), "rank-5", &limits, &t, &st), "rank 5");
    EQ_STR(shape_text(&arena, t->inputs[0][0]->shape), "f32[1,1,2,3,1]",
           "six elements");
    OK(case_make(&arena, stub_of(0), "long-1025", &limits, &t, &st)
           && literal_get(t->inputs[0][0], 1024)
                  == literal_get(t->inputs[0][0], 1024 % 6),
       "repeated");
    OK(case_make(&arena, stub_of(0), "same(rhs)", &limits, &t, &st)
           && t->program->entry->parameter_count == 1,
       "one operand twice");
    OK(form_value_set(t->inputs[0][0])
           == (1u << FORM_VALUE_OTHER | 1u << FORM_VALUE_ZERO
               | 1u << FORM_VALUE_INFINITY),
       "classes of values");
}

/* ---- Covering arrays ----------------------------------------------------- */

struct covering {
    struct form_case plain[8];
    int rows, same;
    struct form_uses given[512];
    int of[512];
};

static bool works(void *context, void *what, const struct form_uses *uses)
{
    struct form_case data, written;
    struct status st = {STATUS_OK};
    return form_apply(&arena, &limits, uses, what, &data, &written, &st);
}

static void give(void *context, void *what, const struct form_uses *uses)
{
    struct covering *c = context;
    if (c->rows < 512) {
        c->of[c->rows] = (int)((struct form_case *)what - c->plain);
        c->given[c->rows++] = *uses;
    }
}

static void cover(struct covering *c, const char *deal)
{
    static int origins[2] = {0, 1};
    struct form_cover x = {.arena = &arena,
                           .deal = deal,
                           .works = works,
                           .give = give,
                           .context = c};
    struct status st = {STATUS_OK};
    for (int i = 0; i < CASES; i++) {
        struct test_case *t;
        case_make(&arena, stub_of(i), NULL, &limits, &t, &st);
        c->plain[i] = (struct form_case){t->program, t->input_count,
                                         t->inputs[0], origins};
        form_cover_case_add(&x, &c->plain[i], &c->plain[i], &st);
    }
    form_cover(&x);
}

/* Is there a row of the case with forms of both classes? */
static bool has_pair(const struct covering *c, const char *a, const char *b)
{
    for (int i = 0; i < c->rows; i++) {
        bool seen[2] = {false, false};
        for (int f = 0; f < FORM_FAMILIES; f++) {
            const struct form *what = c->given[i].of[f].what;
            seen[0] = seen[0] || (what && strcmp(what->class, a) == 0);
            seen[1] = seen[1] || (what && strcmp(what->class, b) == 0);
        }
        if (seen[0] && seen[1])
            return true;
    }
    return false;
}

/* Is there a row of that form in which the operand that it is about, or any,
 * has that value? */
static bool has_value(const struct covering *c, const char *form, int value)
{
    for (int i = 0; i < c->rows; i++)
        for (int f = 0; f < FORM_FAMILIES; f++) {
            const struct form_use *use = &c->given[i].of[f];
            const struct form_case *plain = &c->plain[c->of[i]];
            if (!use->what || strcmp(use->what->id, form) != 0)
                continue;
            for (int k = 0; k < plain->count; k++)
                if ((use->operand < 0 || use->operand == k)
                    && form_value_set(plain->inputs[k]) >> value & 1)
                    return true;
        }
    return false;
}

/* What operations share: each has all values, and some of the other pairs. */
static void check_shares(const struct covering *whole)
{
    static struct covering some[24];
    enum {
        SHARES = sizeof some / sizeof some[0]
    };
    bool fewer = true, values = true, differ = false;
    for (int i = 0; i < SHARES; i++) {
        const char *name = arena_printf(&arena, "Operation%d", i);
        cover(&some[i], name);
        fewer = fewer && some[i].rows < whole->rows;
        differ = differ || some[i].rows != some[0].rows;
        for (int v = 0; v < FORM_VALUES; v++)
            values = values
                     && has_value(&some[i], "scalars", v)
                            == has_value(whole, "scalars", v)
                     && has_value(&some[i], "scalar", v)
                            == has_value(whole, "scalar", v);
    }
    OK(fewer && differ, "a share has fewer rows, and another one other rows");
    OK(values, "each value is a scalar in every share");
    OK(has_value(whole, "scalars", FORM_VALUE_INFINITY)
           && !has_value(whole, "scalars", FORM_VALUE_AWKWARD),
       "if a case has it");
    int pairs = 0, nowhere = 0;
    for (int i = 0; i < whole->rows; i++) {
        const struct form_use *of = whole->given[i].of;
        bool found = !of[FORM_PRODUCER].what || !of[FORM_CONSUMER].what;
        pairs += !found;
        for (int k = 0; k < SHARES && !found; k++)
            found = has_pair(&some[k], of[FORM_PRODUCER].what->class,
                             of[FORM_CONSUMER].what->class);
        nowhere += !found;
    }
    OK(pairs > 10 && nowhere == 0,
       "each of %d pairs is in one of %d shares: %d", pairs, SHARES, nowhere);
}

static void check_cover(void)
{
    static struct covering one, other;
    const struct form_table *table;
    struct status st = {STATUS_OK};
    cover(&one, NULL);
    cover(&other, NULL);
    OK(one.rows == other.rows
           && memcmp(one.given, other.given, sizeof one.given) == 0,
       "the same rows each time: %d", one.rows);
    form_read(&table, &st);
    int missing = 0, pairs = 0;
    const char *first_pair = "";
    for (int i = 0; i < table->count; i++)
        for (int k = 0; k < i; k++) {
            const struct form *a = &table->rows[i], *b = &table->rows[k];
            bool possible = false;
            for (int s = 0; s < CASES && !possible; s++) {
                struct form_uses uses = {0};
                uses.of[a->family] =
                    (struct form_use){a, a->place == FORM_EACH ? 0 : -1};
                uses.of[b->family] =
                    (struct form_use){b, b->place == FORM_EACH ? 0 : -1};
                possible =
                    a->family != b->family && works(NULL, &one.plain[s], &uses);
            }
            if (!possible)
                continue;
            pairs++;
            if (!has_pair(&one, a->class, b->class)) {
                missing++;
                first_pair = arena_printf(&arena, "%s %s", a->id, b->id);
            }
        }
    EQ_INT(missing, 0, "each of %d pairs that can be made is there: %s", pairs,
           first_pair);
    OK(!has_pair(&one, "order", "window"), "not two of one family");
    check_shares(&one);
}

int main(void)
{
    struct status st = {STATUS_OK};
    for (int i = 0; i < CASES; i++)
        if (!case_file_parse(&arena, "f.json", "f", texts[i], strlen(texts[i]),
                             &limits, &files[i], &st)) {
            OK(false, "case %d: %s", i, st.text);
            return tap_done();
        }
    check_names();
    check_all();
    check_control();
    check_data();
    check_cover();
    evaluate_end();
    arena_free(&arena);
    return tap_done();
}
