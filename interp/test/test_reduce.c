/* test_reduce.c - Reduce and its helpers against loops over indices.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Expected values: the documents' worked example (004:1278-1290), and loops
 * over all indices that follow 004:1252-1270.
 */
#include <stdio.h>

#include "interp/test/slow_program.h"
#include "interp/test/tap.h"

static struct arena arena;

static const char *const integers[] = {"s8",  "u8",  "s32",  "u16",
                                       "f32", "f64", "bf16", "f16"};

/* Sum of l over the dimensions in mask, at index of the kept ones. */
static int64_t slow_sum(const struct literal *l, unsigned mask,
                        const int64_t *kept)
{
    const struct shape *s = l->shape;
    int64_t index[SHAPE_RANK_MAX] = {0}, sum = 0, i = 0;
    if (shape_elements(s) == 0)
        return 0;
    do {
        bool here = true;
        for (int d = 0, k = 0; d < s->rank; d++)
            if (!(mask >> d & 1))
                here = here && index[d] == kept[k++];
        sum += here ? slow_program_int_at(l, i) : 0;
        i++;
    } while (shape_next_index(s->rank, s->dims, index));
    return sum;
}

static void check_sums(const char *shape, unsigned mask, bool want_exact)
{
    int64_t dims[3], index[SHAPE_RANK_MAX] = {0};
    int count = 0;
    struct slow_program *p = slow_program_new(&arena, "Reduce");
    struct literal *l = slow_program_random(&arena, shape, 7 + mask, -3, 4);
    char scalar[16];
    for (int d = 0; d < 3; d++)
        if (mask >> d & 1)
            dims[count++] = 2 - d < l->shape->rank ? d : d;
    slow_program_operand(p, l);
    snprintf(scalar, sizeof scalar, "%s[]", dtype_table[l->shape->dtype].name);
    slow_program_values(p, scalar, 0, NULL);
    slow_program_builtin(p, ATTRIBUTE_COMPUTATION, "add");
    slow_program_ints(p, ATTRIBUTE_DIMENSIONS_TO_REDUCE, count, dims);
    p->want_exact = want_exact;
    if (!OK(slow_program_run(p), "%s, mask %u: %s", shape, mask,
            p->status.text))
        return;
    const struct literal *got = slow_program_value(p);
    int64_t wrong = 0, n = shape_elements(got->shape);
    for (int64_t i = 0; i < n; i++) {
        int64_t want = slow_sum(l, mask, index);
        enum dtype t = l->shape->dtype;
        if (dtype_is_integer(t))
            want = dtype_sign_extend(t, (uint64_t)want & dtype_mask(t));
        wrong += slow_program_int_at(got, i) != want;
        shape_next_index(got->shape->rank, got->shape->dims, index);
    }
    EQ_INT(wrong, 0, "%s, mask %u: wrong elements", shape, mask);
}

static void test_sums(void)
{
    for (size_t t = 0; t < sizeof integers / sizeof *integers; t++)
        for (unsigned mask = 0; mask < 8; mask++) {
            check_sums(arena_printf(&arena, "%s[3,4,5]", integers[t]), mask,
                       mask & 1);
            if (mask == 3)
                check_sums(arena_printf(&arena, "%s[3,0,5]", integers[t]), mask,
                           true);
        }
}

/* 004:1290: reducing [4,2,3] of 1..6 over all dimensions gives 84, over 0 and
 * 1 [20,28,36]. */
static void test_example(void)
{
    static const int64_t one_to_six[] = {1, 2, 3, 4, 5, 6};
    static const int64_t all[] = {2, 0, 1}, two[] = {1, 0};
    for (int n = 2; n <= 3; n++) {
        struct slow_program *p = slow_program_new(&arena, "Reduce");
        slow_program_values(p, "f32[4,2,3]", 6, one_to_six);
        slow_program_values(p, "f32[]", 0, NULL);
        slow_program_builtin(p, ATTRIBUTE_COMPUTATION, "add");
        slow_program_ints(p, ATTRIBUTE_DIMENSIONS_TO_REDUCE, n,
                          n == 3 ? all : two);
        OK(slow_program_run(p), "%s", p->status.text);
        const struct literal *got = slow_program_value(p);
        if (n == 3) {
            EQ_INT(slow_program_int_at(got, 0), 84, "all dimensions");
        } else {
            EQ_INT(slow_program_int_at(got, 0), 20, "column 0");
            EQ_INT(slow_program_int_at(got, 2), 36, "column 2");
        }
    }
}

/* One reduction of a list of f32 patterns. */
static uint64_t reduce_bits(const char *builtin, enum dtype type, int n,
                            const uint64_t *bits, uint64_t init,
                            struct goal **goal)
{
    struct slow_program *p = slow_program_new(&arena, "Reduce");
    const char *name = dtype_table[type].name;
    struct literal *l = slow_program_literal(
        &arena, arena_printf(&arena, "%s[%d]", name, n), 0, NULL);
    struct literal *i = slow_program_literal(
        &arena, arena_printf(&arena, "%s[]", name), 0, NULL);
    for (int k = 0; k < n; k++)
        literal_set(l, k, bits[k]);
    literal_set(i, 0, init);
    slow_program_operand(p, l);
    slow_program_operand(p, i);
    slow_program_builtin(p, ATTRIBUTE_COMPUTATION, builtin);
    slow_program_int(p, ATTRIBUTE_DIMENSIONS_TO_REDUCE, 0);
    p->want_exact = true;
    OK(slow_program_run(p), "%s: %s", builtin, p->status.text);
    *goal = p->outcomes[0].goals[0];
    return literal_get(slow_program_value(p), 0);
}

/* IEEE 754 by hand; f32 patterns. */
static void test_specials(void)
{
    static const uint64_t cancel[] = {0x7f7fffff, 0x3f800000, 0xff7fffff};
    static const uint64_t infinite[] = {0x7f800000, 0xff800000, 0};
    static const uint64_t zeros[] = {0x80000000, 0x80000000};
    static const uint64_t tiny[] = {1, 1, 0x80000001};
    static const uint64_t nan[] = {0x3f800000, 0x7fc00000};
    static const uint64_t twos[] = {0x40000000, 0x40000000, 0x40400000};
    static const uint64_t ordered[] = {0x80000000, 0};
    struct goal *g;
    EQ_INT(reduce_bits("add", DT_f32, 3, cancel, 0, &g), 0x3f800000,
           "the largest numbers cancel exactly");
    OK(real_is_nan(DT_f32, reduce_bits("add", DT_f32, 3, infinite, 0, &g)),
       "infinities of both signs");
    EQ_INT(reduce_bits("add", DT_f32, 2, infinite, 0x3f800000, &g) == 0, 0,
           "init counts");
    EQ_INT(reduce_bits("add", DT_f32, 2, zeros, 0x80000000, &g), 0x80000000,
           "-0 from negative zeros alone");
    EQ_INT(reduce_bits("add", DT_f32, 2, zeros, 0, &g), 0,
           "+0 as soon as one is positive");
    EQ_INT(reduce_bits("add", DT_f32, 3, tiny, 0, &g), 1, "subnormal numbers");
    OK(real_is_nan(DT_f32, reduce_bits("add", DT_f32, 2, nan, 0, &g)), "NaN");
    EQ_INT(reduce_bits("mul", DT_f32, 3, twos, 0x3f800000, &g), 0x41400000,
           "2 * 2 * 3");
    EQ_INT(reduce_bits("max", DT_f32, 2, ordered, 0xff800000, &g), 0,
           "max orders zeros");
    EQ_INT(reduce_bits("min", DT_f32, 2, ordered, 0x7f800000, &g), 0x80000000,
           "min orders zeros");
}

/* The sum's roundings: none where every order is exact; n - 1 elsewhere. */
static void test_roundings(void)
{
    static const uint64_t whole[] = {0x3f800000, 0x40000000, 0x40400000};
    static const uint64_t thirds[] = {0x3eaaaaab, 0x3f800000, 0x4b800000};
    struct goal *g;
    reduce_bits("add", DT_f32, 3, whole, 0, &g);
    EQ_INT(g->sum.sums[0].roundings, 0, "integers");
    /* 1/3 as f32 + 1 + 2^24: needs more than 24 bits. */
    EQ_INT(reduce_bits("add", DT_f32, 3, thirds, 0, &g), 0x4b800001,
           "16777217.33 to nearest is 16777218");
    EQ_INT(g->sum.sums[0].roundings, 2, "two additions");
}

/* 64 factors of 3/2 and 64 of 2/3 as f32: far more bits than are kept.  The
 * product of f32(2/3) * 3/2 = 1 + 2^-25 with itself 64 times is 1 + 64 * 2^-25
 * and a little, so nearest is 1 + 16 ulps of 2^-23. */
static void test_product(void)
{
    uint64_t factors[128];
    struct goal *g;
    for (int i = 0; i < 128; i++)
        factors[i] = i < 64 ? 0x3fc00000 : 0x3f2aaaab;
    EQ_INT(reduce_bits("mul", DT_f32, 128, factors, 0x3f800000, &g), 0x3f800010,
           "a long product");
    EQ_INT(g->sum.sums[0].roundings, 127, "each but the first may round");
}

/* (a, b) then (c, d) -> (a + c * 10, ...) is not associative; "second" is,
 * and is not commutative. */
static void test_bodies(void)
{
    static const uint64_t values[] = {1, 2, 3, 4, 5, 6, 7, 8};
    struct goal *g;
    EQ_INT(reduce_bits("second", DT_s32, 8, values, 0, &g), 8,
           "the last value");
    EQ_INT(reduce_bits("first", DT_s32, 8, values, 9, &g), 9,
           "the initial value");
    /* 0 - 1 - 2 - 3; every other way is in test_bracket.c. */
    EQ_INT((int32_t)reduce_bits("sub", DT_s32, 3, values, 0, &g), -6,
           "from the left");
}

static void test_refusals(void)
{
    static const int64_t zero[] = {0}, twice[] = {0, 0}, far[] = {2};
    static const struct {
        const char *operand, *init, *builtin;
        const int64_t *dims;
        int count;
        enum code code;
    } rows[] = {
        {"f32[4,2]", "f32[]", "add", twice, 2, STATUS_ATTRIBUTE},
        {"f32[4,2]", "f32[]", "add", far, 1, STATUS_ATTRIBUTE},
        {"f32[4,2]", "f32[1]", "add", zero, 1, STATUS_TYPE},
        {"f32[4,2]", "s32[]", "add", zero, 1, STATUS_TYPE},
        {"f32[4,2]", "f32[]", "lt", zero, 1, STATUS_COMPUTATION},
        {"s32[41]", "s32[]", "sub", zero, 1, STATUS_UNSUPPORTED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct slow_program *p = slow_program_new(&arena, "Reduce");
        slow_program_operand(
            p, slow_program_random(&arena, rows[i].operand, 3, 1, 9));
        slow_program_values(p, rows[i].init, 0, NULL);
        slow_program_builtin(p, ATTRIBUTE_COMPUTATION, rows[i].builtin);
        slow_program_ints(p, ATTRIBUTE_DIMENSIONS_TO_REDUCE, rows[i].count,
                          rows[i].dims);
        OK(!slow_program_run(p), "row %d", (int)i);
        EQ_STR(status_name(p->status.code), status_name(rows[i].code), "%s",
               p->status.text);
    }
}

int main(void)
{
    test_example();
    test_sums();
    test_specials();
    test_roundings();
    test_product();
    test_bodies();
    test_refusals();
    arena_free(&arena);
    return tap_done();
}
