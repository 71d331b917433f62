/* test_monotone.c - where functions are monotone, and what breaks it.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Patterns are worked out by hand from the formats; pi/2 is 1.5707963...
 */
#include <string.h>

#include "interp/judge/monotone.h"
#include "interp/specification/spec.h"
#include "interp/test/tap.h"

static struct arena arena;

/* "0-3e48+ 8000-be48-": each run, and whether results rise in it. */
static const char *runs_of(const char *op, enum dtype type, enum dtype result)
{
    struct monotone m;
    struct status st = {0};
    const char *text = "";
    if (!monotone_of(&m, op, type, result, &st))
        return arena_text(&arena, st.text);
    for (int i = 0; i < m.count; i++)
        text = arena_printf(&arena, "%s%s%llx-%llx%c", text, *text ? " " : "",
                            (unsigned long long)m.runs[i].first,
                            (unsigned long long)m.runs[i].last,
                            m.runs[i].rises > 0 ? '+' : '-');
    return text;
}

static void runs(void)
{
    static const struct {
        const char *op;
        enum dtype type;
        const char *runs;
    } rows[] = {
        {"Exp", DT_bf16, "0-7f80+ 8000-ff80-"},
        {"Neg", DT_bf16, "0-7f80- 8000-ff80+"},
        {"Log", DT_bf16, "0-7f80+"},
        {"Log1p", DT_bf16, "0-7f80+ 8000-bf80-"},
        {"Acosh", DT_bf16, "3f80-7f80+"},
        {"Acos", DT_f16, "0-3c00- 8000-bc00+"},
        {"Cosh", DT_f16, "8000-fc00+ 0-7c00+"},
        /* 1.5703125 is below pi/2, the next number above. */
        {"Sin", DT_f16, "0-3e48+ 8000-be48-"},
        {"Sin", DT_f64,
         "0-3ff921fb54442d18+ "
         "8000000000000000-bff921fb54442d18-"},
        /* 1.5 and 1.625 */
        {"Sin", DT_f8e4m3fn, "0-3c+ 80-bc-"},
        /* 80 is the NaN */
        {"Tan", DT_f8e4m3fnuz, "0-44+ 81-c4-"},
        {"Tanh", DT_f8e4m3fn, "0-7e+ 80-fe-"},
        {"Tanh", DT_f4e2m1fn, "0-7+ 8-f-"},
        {"IsFinite", DT_f16, ""},
        {"Add", DT_f16, ""},
        {"Neg", DT_s8, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        EQ_STR(runs_of(rows[i].op, rows[i].type, rows[i].type), rows[i].runs,
               "%s of %s", rows[i].op, dtype_table[rows[i].type].name);
    EQ_STR(runs_of("ConvertElementType", DT_f16, DT_s8), "",
           "a conversion to integers");
}

static struct literal *results(int64_t n, const uint16_t *bits)
{
    struct literal *l = literal_new(&arena, shape_array(&arena, DT_f16, 1, &n));
    memcpy(l->data, bits, (size_t)n * sizeof *bits);
    return l;
}

static void counts(void)
{
    struct monotone m;
    struct status st = {0};
    struct monotone_sum sum = {0};
    OK(monotone_of(&m, "Exp", DT_f16, DT_f16, &st), "Exp rises");
    /* 1, above 1, 1 (below the one before), 1, NaN, below 1, 0 (below), -0 */
    struct monotone_part part = monotone_count(
        &m, 0x3c00,
        results(8, (uint16_t[]){0x3c00, 0x3c01, 0x3c00, 0x3c00, 0x7e00, 0x3bff,
                                0x0000, 0x8000}));
    EQ_INT(part.breaks, 2, "two are out of order");
    EQ_INT(part.input, 0x3c02, "the first");
    OK(part.counted && part.first == 0x3c00 && part.last == 0x8000, "its ends");
    monotone_add(&sum, &m, 0x3c00, 8, &part);
    /* -1 (below), -infinity (below), infinity, -NaN */
    part = monotone_count(
        &m, 0x3c08, results(4, (uint16_t[]){0xbc00, 0xfc00, 0x7c00, 0xfe00}));
    EQ_INT(part.breaks, 1, "an infinity");
    monotone_add(&sum, &m, 0x3c08, 4, &part);
    EQ_INT(sum.breaks, 2 + 1 + 1, "and between two parts");
    EQ_INT(sum.input, 0x3c02, "the first of all");
    monotone_add(&sum, &m, 0x3c0c, 4, &part);
    EQ_INT(sum.breaks, 4 + 1, "none with a NaN");
    monotone_add(&sum, &m, 0x4000, 4, &part);
    EQ_INT(sum.breaks, 5 + 1, "none with a part that is not the next");
    OK(!sum.partial, "all parts were counted");
    monotone_add(&sum, &m, 0x4004, 4, &(struct monotone_part){0});
    OK(sum.partial, "one is not");
    /* Infinity, and NaNs behind it: patterns outside the function's run. */
    part = monotone_count(&m, 0x7c00,
                          results(3, (uint16_t[]){0x7c00, 0x3c00, 0x0000}));
    EQ_INT(part.breaks, 0, "a NaN has no neighbours");
    /* Negative inputs fall with their patterns. */
    part = monotone_count(&m, 0xbc00,
                          results(3, (uint16_t[]){0x3800, 0x3700, 0x3701}));
    EQ_INT(part.breaks, 1, "of negative inputs");
    EQ_INT(part.input, 0xbc02, "the one that rises");
}

/* Blocks of many results: each is as large as its input but one. */
static void blocks(void)
{
    enum {
        COUNT = 1000
    };
    struct monotone m;
    struct status st = {0};
    uint16_t bits[COUNT];
    int64_t wrong = 0;
    OK(monotone_of(&m, "Exp", DT_f16, DT_f16, &st), "of a long part");
    for (int low = 1; low < COUNT; low++) {
        for (int i = 0; i < COUNT; i++)
            bits[i] = (uint16_t)(0x1000 + i);
        bits[low] = 0;
        struct monotone_part part =
            monotone_count(&m, 0x2000, results(COUNT, bits));
        wrong += part.breaks != 1 || part.input != 0x2000 + (uint64_t)low;
        arena_reset(&arena);
    }
    EQ_INT(wrong, 0, "one result that is too low is one break, anywhere");
}

/* Every row of the table names an operation, a sense, and ends. */
static void table(void)
{
    int bad = 0, rows = 0;
    const struct json *list =
        json_member(spec_file("spec/monotone.json"), "intervals");
    const char *const names[] = {"op", "sense", "low", "high", NULL};
    for (const struct json *at = list ? list->child : NULL; at; at = at->next) {
        struct status st = {0};
        const struct json *op = json_member(at, "op");
        const struct json *sense = json_member(at, "sense");
        rows++;
        bad += !json_only(&arena, at, names, &st) || !op
               || !spec_op_find(op->text)
               || !(json_is_string(sense, "increasing")
                    || json_is_string(sense, "decreasing"));
    }
    OK(rows > 30, "%d rows", rows);
    EQ_INT(bad, 0, "each names an operation and a sense");
}

int main(void)
{
    runs();
    counts();
    blocks();
    table();
    arena_free(&arena);
    return tap_done();
}
