/* test_fast_arith.c - the processor's arithmetic is the reference's.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The same data with and without want_exact: the second never takes the fast
 * path, and computes every value and every error with MPFR.
 */
#include "interp/base/random.h"
#include "interp/data/generate.h"
#include "interp/test/slow_run.h"
#include "interp/test/tap.h"

enum {
    ELEMENTS = 20000
};

/* Special values against each other first, then numbers that are near. */
static struct literal *operand(struct arena *a, enum dtype type, int side)
{
    int64_t n = ELEMENTS;
    struct literal *l = literal_new(a, shape_array(a, type, 1, &n));
    struct random r = {tap_seed((uint64_t)side + 3)};
    const struct dtype_info *t = &dtype_table[type];
    int grid, fraction = t->precision - 1;
    const uint64_t *special = generate_specials_grid(type, false, &grid);
    for (int64_t i = 0; i < n; i++) {
        uint64_t k = random_next(&r), bits = k & dtype_mask(type);
        if (i < (int64_t)grid * grid)
            bits = special[side ? i % grid : i / grid];
        else if (i % 3)
            bits = (k >> 63) << (t->bits - 1)
                   | (uint64_t)(t->bias + random_between(&r, -3, 3)) << fraction
                   | (k & ((UINT64_C(1) << fraction) - 1));
        literal_set(l, i, bits);
    }
    return l;
}

static void test(const char *op, enum dtype type)
{
    struct arena a = ARENA_INIT;
    struct status st = {STATUS_OK};
    struct literal *operands[2] = {operand(&a, type, 0), operand(&a, type, 1)};
    struct goal *fast =
        slow_run_as(&a, op, "", "spec", false, 2, operands, &st);
    struct goal *slow = slow_run_as(&a, op, "", "spec", true, 2, operands, &st);
    if (OK(fast && slow, "%s of %s evaluates", op, dtype_table[type].name)) {
        int wrong = 0;
        for (int64_t i = 0; i < ELEMENTS; i++)
            wrong += literal_get(fast->value, i) != literal_get(slow->value, i);
        EQ_INT(wrong, 0, "the same values");
        long long size[2] = {fast->real.worst, slow->real.worst};
        for (int i = 0; i < 2; i++)
            size[i] = size[i] < 0 ? -size[i] : size[i];
        OK(size[0] - size[1] <= 1 && size[1] - size[0] <= 1,
           "the same worst error: %lld and %lld", size[0], size[1]);
    }
    arena_free(&a);
}

int main(void)
{
    static const char *const ops[] = {"Add", "Sub", "Mul"};
    for (int i = 0; i < 3; i++) {
        test(ops[i], DT_f32);
        test(ops[i], DT_f64);
    }
    return tap_done();
}
