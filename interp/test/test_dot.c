/* test_dot.c - DotGeneral and Dot against sums over all indices.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Expected values: the documents' examples (004:662-700), and a model that
 * adds up products over every pair of indices whose numbers agree.
 */
#include "interp/test/slow_program.h"
#include "interp/test/tap.h"

static struct arena arena;

struct sample {
    const char *lhs, *rhs;
    int batch, contracting;
    int64_t numbers[4][3]; /* lhs, rhs batch; lhs, rhs contracting */
};

static const enum attribute_name names[] = {
    ATTRIBUTE_LHS_BATCH_DIMENSIONS,
    ATTRIBUTE_RHS_BATCH_DIMENSIONS,
    ATTRIBUTE_LHS_CONTRACTING_DIMENSIONS,
    ATTRIBUTE_RHS_CONTRACTING_DIMENSIONS,
};

static struct slow_program *make(const struct sample *s, struct literal *lhs,
                                 struct literal *rhs)
{
    struct slow_program *p = slow_program_new(&arena, "DotGeneral");
    slow_program_operand(p, lhs);
    slow_program_operand(p, rhs);
    for (int i = 0; i < 4; i++)
        slow_program_ints(p, names[i], i < 2 ? s->batch : s->contracting,
                          s->numbers[i]);
    return p;
}

static bool in(const int64_t *list, int count, int64_t d)
{
    for (int i = 0; i < count; i++)
        if (list[i] == d)
            return true;
    return false;
}

/* Does the pair (l, r) contribute to element out? */
static bool agree(const struct sample *s, int lr, int rr, const int64_t *l,
                  const int64_t *r, const int64_t *out)
{
    int k = 0;
    for (int i = 0; i < s->batch; i++, k++)
        if (l[s->numbers[0][i]] != out[k] || r[s->numbers[1][i]] != out[k])
            return false;
    for (int d = 0; d < lr; d++)
        if (!in(s->numbers[0], s->batch, d)
            && !in(s->numbers[2], s->contracting, d) && l[d] != out[k++])
            return false;
    for (int d = 0; d < rr; d++)
        if (!in(s->numbers[1], s->batch, d)
            && !in(s->numbers[3], s->contracting, d) && r[d] != out[k++])
            return false;
    for (int i = 0; i < s->contracting; i++)
        if (l[s->numbers[2][i]] != r[s->numbers[3][i]])
            return false;
    return true;
}

static int64_t slow_dot(const struct sample *s, const struct literal *lhs,
                        const struct literal *rhs, const int64_t *out)
{
    int64_t l[SHAPE_RANK_MAX] = {0}, r[SHAPE_RANK_MAX] = {0}, sum = 0, i = 0, j;
    if (shape_elements(lhs->shape) == 0 || shape_elements(rhs->shape) == 0)
        return 0;
    do {
        j = 0;
        do {
            if (agree(s, lhs->shape->rank, rhs->shape->rank, l, r, out))
                sum +=
                    slow_program_int_at(lhs, i) * slow_program_int_at(rhs, j);
            j++;
        } while (shape_next_index(rhs->shape->rank, rhs->shape->dims, r));
        i++;
    } while (shape_next_index(lhs->shape->rank, lhs->shape->dims, l));
    return sum;
}

static const struct sample samples[] = {
    {"[2,3]", "[2,3]", 0, 1, {{0}, {0}, {1}, {1}}},
    {"[2,3,4]", "[4,2,5]", 1, 1, {{0}, {1}, {2}, {0}}},
    {"[2,3,4]", "[3,5,4]", 0, 2, {{0}, {0}, {1, 2}, {0, 2}}},
    {"[2,3]", "[4]", 0, 0, {{0}, {0}, {0}, {0}}},
    {"[3,2,2]", "[2,3,2]", 2, 1, {{0, 1}, {1, 0}, {2}, {2}}},
    {"[2,0]", "[0,3]", 0, 1, {{0}, {0}, {1}, {0}}},
    {"[]", "[]", 0, 0, {{0}, {0}, {0}, {0}}},
};

static void check(const struct sample *s, const char *type, bool want_exact)
{
    int64_t out[SHAPE_RANK_MAX] = {0}, wrong = 0;
    struct literal *lhs = slow_program_random(
        &arena, arena_printf(&arena, "%s%s", type, s->lhs), 1, -2, 1);
    struct literal *rhs = slow_program_random(
        &arena, arena_printf(&arena, "%s%s", type, s->rhs), 2, -2, 1);
    struct slow_program *p = make(s, lhs, rhs);
    p->want_exact = want_exact;
    if (!OK(slow_program_run(p), "%s%s: %s", type, s->lhs, p->status.text))
        return;
    const struct literal *got = slow_program_value(p);
    enum dtype t = got->shape->dtype;
    for (int64_t i = 0, n = shape_elements(got->shape); i < n; i++) {
        int64_t want = slow_dot(s, lhs, rhs, out);
        if (dtype_is_integer(t))
            want = dtype_sign_extend(t, (uint64_t)want & dtype_mask(t));
        wrong += slow_program_int_at(got, i) != want;
        if (want_exact && p->outcomes[0].goals[0]->sum.sums)
            wrong += p->outcomes[0].goals[0]->sum.sums[i].roundings != 0;
        shape_next_index(got->shape->rank, got->shape->dims, out);
    }
    EQ_INT(wrong, 0, "%s%s by %s: wrong elements", type, s->lhs, s->rhs);
}

/* f32 patterns by hand. */
static void test_floats(void)
{
    static const struct sample s = {"", "", 0, 1, {{0}, {0}, {0}, {0}}};
    struct literal *l = slow_program_literal(&arena, "f32[3]", 0, NULL);
    struct literal *r = slow_program_literal(&arena, "f32[3]", 0, NULL);
    /* 2^100 * 2^100 - 2^100 * 2^100 + 1 * 1: no intermediate overflow. */
    literal_set(l, 0, 0x71800000);
    literal_set(l, 1, 0xf1800000);
    literal_set(l, 2, 0x3f800000);
    literal_set(r, 0, 0x71800000);
    literal_set(r, 1, 0x71800000);
    literal_set(r, 2, 0x3f800000);
    struct slow_program *p = make(&s, l, r);
    OK(slow_program_run(p), "%s", p->status.text);
    EQ_INT(literal_get(slow_program_value(p), 0), 0x3f800000,
           "what cancels leaves nothing behind");
    literal_set(l, 0, 0x7f800000);
    literal_set(r, 0, 0);
    p = make(&s, l, r);
    OK(slow_program_run(p), "%s", p->status.text);
    OK(real_is_nan(DT_f32, literal_get(slow_program_value(p), 0)),
       "infinity times zero");
}

/* s8 operands wrap in s8, and do not in a preferred s32. */
static void test_preferred(void)
{
    static const struct sample s = {"", "", 0, 1, {{0}, {0}, {0}, {0}}};
    static const int64_t value[] = {-100};
    for (int wide = 0; wide < 2; wide++) {
        struct slow_program *p =
            make(&s, slow_program_literal(&arena, "s8[3]", 1, value),
                 slow_program_literal(&arena, "s8[3]", 1, value));
        if (wide)
            slow_program_type(p, ATTRIBUTE_PREFERRED_ELEMENT_TYPE, DT_s32);
        OK(slow_program_run(p), "%s", p->status.text);
        EQ_INT(slow_program_int_at(slow_program_value(p), 0), wide ? 30000 : 48,
               "3 * 10000 modulo 2^%d", wide ? 32 : 8);
    }
}

/* (1 + 2i)(3 + 4i) + (0 + 1i)(0 + 1i) = -5 + 10i - 1. */
static void test_complex(void)
{
    static const struct sample s = {"", "", 0, 1, {{0}, {0}, {0}, {0}}};
    static const int64_t a[] = {1, 2, 0, 1}, b[] = {3, 4, 0, 1};
    struct slow_program *p =
        make(&s, slow_program_literal(&arena, "c64[2]", 4, a),
             slow_program_literal(&arena, "c64[2]", 4, b));
    OK(slow_program_run(p), "%s", p->status.text);
    EQ_INT(slow_program_int_at(slow_program_value(p), 0), -6, "real part");
    EQ_INT(slow_program_int_at(slow_program_value(p), 1), 10, "imaginary");
}

static void test_refusals(void)
{
    static const struct {
        struct sample sample;
        enum code code;
    } rows[] = {
        {{"f32[2,3]", "f32[2,3]", 0, 1, {{0}, {0}, {1}, {0}}}, STATUS_SHAPE},
        {{"f32[2,3]", "s32[2,3]", 0, 1, {{0}, {0}, {1}, {1}}}, STATUS_TYPE},
        {{"f32[2,3]", "f32[2,3]", 0, 1, {{0}, {0}, {2}, {1}}},
         STATUS_ATTRIBUTE},
        {{"f32[2,3]", "f32[2,3]", 1, 1, {{1}, {0}, {1}, {1}}},
         STATUS_ATTRIBUTE},
        {{"f32[2,2]", "f32[2,2]", 0, 2, {{0}, {0}, {1, 1}, {1, 0}}},
         STATUS_ATTRIBUTE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct sample *s = &rows[i].sample;
        struct slow_program *p =
            make(s, slow_program_literal(&arena, s->lhs, 0, NULL),
                 slow_program_literal(&arena, s->rhs, 0, NULL));
        OK(!slow_program_run(p), "row %d is refused", (int)i);
        EQ_STR(status_name(p->status.code), status_name(rows[i].code), "%d: %s",
               (int)i, p->status.text);
    }
}

int main(void)
{
    static const char *const types[] = {"f32", "f64", "bf16", "f8e3m4", "s8",
                                        "u8",  "s64", "s4",   "f16"};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
            check(&samples[i], types[t], i & 1);
    test_floats();
    test_preferred();
    test_complex();
    test_refusals();
    arena_free(&arena);
    return tap_done();
}
