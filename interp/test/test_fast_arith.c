/* test_fast_arith.c - the processor's arithmetic is the reference's.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The same data with and without want_exact: the second never takes the fast
 * path, and computes every value and every error with MPFR.
 */
#include <stdlib.h>

#include "interp/base/random.h"
#include "interp/data/generate.h"
#include "interp/test/slow_run.h"
#include "interp/test/tap.h"

enum {
    ELEMENTS = 20000,
    /* In a large array the largest error is nearly always half an ulp. */
    FEW = 40,
    TRIALS = 200,
    TRIALS_LONG = 20000
};

/* Near 1, the least normal number, the ulp of which is the least number, the
 * number whose ulp is the least normal one, and the greatest number. */
static int centre_of(const struct dtype_info *t, int trial)
{
    const int centres[] = {0, t->emin, t->emin + t->precision,
                           t->emin + 2 * t->precision, t->emax - 2};
    return t->bias + centres[trial % 5];
}

/* Special values against each other first, then numbers that are near. */
static struct literal *operand(struct arena *a, enum dtype type, int side,
                               int trial)
{
    int64_t n = trial > 0 ? FEW : ELEMENTS;
    struct literal *l = literal_new(a, shape_array(a, type, 1, &n));
    struct random r = {tap_seed((uint64_t)(3 + side + 2 * trial))};
    const struct dtype_info *t = &dtype_table[type];
    int grid, fraction = t->precision - 1;
    const uint64_t *special = generate_specials_grid(type, false, &grid);
    for (int64_t i = 0; i < n; i++) {
        uint64_t k = random_next(&r), bits = k & dtype_mask(type);
        int e = centre_of(t, trial) + (int)random_between(&r, -3, 2);
        if (trial == 0 && i < (int64_t)grid * grid)
            bits = special[side ? i % grid : i / grid];
        else if (trial > 0 || i % 3)
            bits = (k >> 63) << (t->bits - 1)
                   | (uint64_t)(e < 0 ? 0 : e) << fraction
                   | (k & ((UINT64_C(1) << fraction) - 1));
        /* One operand rounded to a few bits, or far below the other. */
        if (trial > 0 && side && trial / 5 % 3 == 1)
            bits &= ~((UINT64_C(1) << random_between(&r, 1, fraction)) - 1);
        if (trial > 0 && side && trial / 5 % 3 == 2)
            bits = (bits & UINT64_C(1) << (t->bits - 1))
                   | (uint64_t)random_between(&r, 0, e < 0 ? 0 : e) << fraction
                   | (k & ((UINT64_C(1) << fraction) - 1));
        literal_set(l, i, bits);
    }
    return l;
}

static void test(const char *op, enum dtype type, int trial)
{
    struct arena a = ARENA_INIT;
    struct status st = {STATUS_OK};
    struct literal *operands[2] = {operand(&a, type, 0, trial),
                                   operand(&a, type, 1, trial)};
    struct goal *fast =
        slow_run_as(&a, op, "", "spec", false, 2, operands, &st);
    struct goal *slow = slow_run_as(&a, op, "", "spec", true, 2, operands, &st);
    if (OK(fast && slow, "%s of %s evaluates", op, dtype_table[type].name)) {
        int wrong = 0;
        for (int64_t i = 0; i < literal_units(fast->value); i++)
            wrong += literal_get(fast->value, i) != literal_get(slow->value, i);
        EQ_INT(wrong, 0, "the same values");
        OK(fast->real.worst == slow->real.worst
               && fast->real.worst_unit == slow->real.worst_unit,
           "the same worst error: %lld of %lld and %lld of %lld",
           (long long)fast->real.worst, (long long)fast->real.worst_unit,
           (long long)slow->real.worst, (long long)slow->real.worst_unit);
    }
    arena_free(&a);
}

int main(void)
{
    static const char *const ops[] = {"Add", "Sub", "Mul"};
    int trials = getenv("ASSAY_TEST_LONG") ? TRIALS_LONG : TRIALS;
    for (int i = 0; i < 3; i++)
        for (int trial = 0; trial <= trials; trial++) {
            test(ops[i], DT_f32, trial);
            test(ops[i], DT_f64, trial);
        }
    return tap_done();
}
