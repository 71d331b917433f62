/* RngUniform - uniformly distributed numbers of [a, b).
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The reference draws from Philox with a key of its own; any sample that lies
 * in the interval and looks uniform is right.
 */
#include <mpfr.h>
#include <stdio.h>

#include "interp/ops/randomness_moments.h"
#include "interp/ops/rng.h"
#include "interp/program/eval.h"
#include "interp/stablehlo/stablehlo_form.h"

/* The interval of an integer type as offset and number of values, 0 if it is
 * empty. */
static uint64_t range_of(const struct rng *r, uint64_t *low)
{
    enum dtype t = r->type;
    uint64_t a = r->bits[0], b = r->bits[1];
    if (real_key(t, b) <= real_key(t, a))
        return 0;
    *low = a;
    return (b - a) & dtype_mask(t);
}

/* ---- The reference's sample ---------------------------------------------- */

static void draw_integers(const struct rng *r, struct literal *out)
{
    uint64_t low = 0, range = range_of(r, &low);
    for (int64_t i = 0, n = literal_units(out); i < n; i++) {
        real_u128 wide = (real_u128)rng_word(i, 0) * range;
        uint64_t bits = (low + (uint64_t)(wide >> 64)) & dtype_mask(r->type);
        literal_set(out, i, range ? bits : r->bits[0]);
    }
}

/* a + (b - a) k / 2^53, rounded down: never b. */
static void draw_floats(const struct rng *r, struct literal *out)
{
    mpfr_t width;
    mpfr_prec_t few = mpfr_min_prec(r->width);
    mpfr_init2(width, few < 64 ? 64 : few);
    mpfr_div_2ui(width, r->width, 53, MPFR_RNDN);
    for (int64_t i = 0, n = literal_units(out); i < n; i++) {
        MPFR_DECL_INIT(cut, 128);
        MPFR_DECL_INIT(k, 64);
        mpfr_set_ui(k, rng_word(i, 0) >> 11, MPFR_RNDN);
        int ternary = mpfr_fma(cut, width, k, r->value[0], MPFR_RNDZ);
        struct real y = real_from_mpfr(cut, ternary);
        literal_set(out, i, real_round_down(&y, r->type));
    }
    mpfr_clear(width);
}

/* ---- A backend's sample -------------------------------------------------- */

static bool judge(const struct rng *r, const struct literal *out,
                  struct randomness *test, unsigned char *bin, int64_t *unit,
                  char *why, size_t size)
{
    for (int64_t i = 0; i < test->n; i++) {
        uint64_t bits = literal_get(out, i);
        *unit = i;
        bool nan = r->is_float && real_is_nan(r->type, bits);
        if (nan || !rng_below(r, bits, r->bits[1])
            || rng_below(r, bits, r->bits[0])) {
            snprintf(why, size, "outside of the interval [a, b)");
            return false;
        }
        if (test->bins > 1)
            bin[i] = (unsigned char)rng_bin(r, bits, test->bins);
    }
    return test->bins <= 1 || randomness_test(test, why, size);
}

/* How many bins: those of floats must be much wider than the distance of the
 * type's numbers. */
static void choose_bins(const struct rng *r, struct randomness *test,
                        uint64_t *values)
{
    uint64_t low;
    test->bins = 1;
    if (r->is_float) {
        int64_t numbers = rng_numbers(r);
        *values = (uint64_t)numbers;
        test->bins = numbers >= 4096 ? 16 : numbers >= 128 ? 4 : 1;
        for (int i = 0; i < test->bins; i++)
            test->weight[i] = 1;
        return;
    }
    uint64_t range = *values = range_of(r, &low);
    if (range > INT64_MAX / 1024) {
        /* Bins of so many values weigh all the same. */
        test->bins = 16;
        for (int i = 0; i < 16; i++)
            test->weight[i] = 1;
        return;
    }
    test->bins = range < 16 ? (int)range : 16;
    for (int i = 0; i < test->bins; i++)
        test->weight[i] = rng_share((int64_t)range, test->bins, i);
    /* Weights are multiplied for pairs: keep them small. */
    if (range > 1 << 20)
        for (int i = 0; i < test->bins; i++)
            test->weight[i] = 1;
}

static const int64_t *places(const struct rng *r, const struct literal *out,
                             struct arena *a)
{
    int64_t n = literal_units(out);
    int64_t *x = arena_new(a, int64_t, (size_t)n + 1);
    for (int64_t i = 0; i < n; i++)
        x[i] = rng_place(r, literal_get(out, i), RANDOMNESS_Z_BITS);
    return x;
}

static bool check(const struct goal *g, const struct literal *const *got, int n,
                  struct goal_finding *found)
{
    const struct rng *r = g->check.data;
    int64_t count = literal_units(got[0]);
    unsigned char *bin = arena_new(g->arena, unsigned char, (size_t)count + 1);
    uint64_t *patterns = arena_new(g->arena, uint64_t, (size_t)count + 1);
    uint64_t values = 1;
    struct randomness test = {.n = count, .bin = bin};
    found->leaf = 0;
    choose_bins(r, &test, &values);
    if (!judge(r, got[0], &test, bin, &found->unit, found->why,
               sizeof found->why))
        return false;
    found->unit = 0;
    for (int64_t i = 0; i < count; i++)
        patterns[i] = literal_get(got[0], i);
    /* Rounding down moves a moment by 2 / values at most: that must be less
     * than an eighth of a sample's own error, n^-1/2. */
    bool fine =
        values >= UINT64_C(1) << 31 || values * values / 256 >= (uint64_t)count;
    if (fine
        && !randomness_moments_uniform(places(r, got[0], g->arena), count,
                                       found->why, sizeof found->why))
        return false;
    return randomness_distinct(patterns, count, values / 4 + 1, found->why,
                               sizeof found->why);
}

static bool eval(struct eval *ev, struct status *st)
{
    struct rng *r = rng_open(ev);
    struct literal *value = literal_new(ev->arena, ev->in->shape);
    struct goal *g = goal_of(ev->arena, value, GOAL_BITS);
    bool empty = r->special || !rng_below(r, r->bits[0], r->bits[1]);
    if (empty) {
        for (int64_t i = 0, n = literal_units(value); i < n; i++)
            literal_set(value, i, r->bits[0]);
        bool lower = eval_policy_is(ev, CHOICE_RNG_UNIFORM_EMPTY_LOWER);
        if (!lower || r->special)
            goal_make_free(g);
    } else {
        goal_make_check(g, check, r, 0);
        if (r->is_float)
            draw_floats(r, value);
        else
            draw_integers(r, value);
    }
    eval_return_one(ev, g);
    return true;
}

static bool infer(struct infer *in, struct status *st)
{
    return rng_infer(in, st);
}

static const struct stablehlo_form form = {
    .write = stablehlo_op_rng, .attributes = stablehlo_attribute_rng_uniform};

const struct op op_RngUniform = {
    .name = "RngUniform", .infer = infer, .eval = eval, .stablehlo = &form};
