/* RngUniform - uniformly distributed numbers of [a, b).
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The reference draws from Philox with its own key; any sample that lies
 * in the interval and looks uniform is right.
 */
#include <mpfr.h>

#include "gen/policy/rng_uniform_empty.h"
#include "interp/check/check.h"
#include "interp/ops/rng.h"
#include "interp/program/eval.h"
#include "interp/stablehlo/stablehlo_form.h"

/* ---- The reference's sample ---------------------------------------------- */

static void draw_integers(const struct distribution *r, struct literal *out)
{
    uint64_t low = 0, range = distribution_range(r, &low);
    for (int64_t i = 0, n = literal_units(out); i < n; i++) {
        real_u128 wide = (real_u128)rng_word(i, 0) * range;
        uint64_t bits = (low + (uint64_t)(wide >> 64)) & dtype_mask(r->type);
        literal_set(out, i, range ? bits : r->bits[0]);
    }
}

/* a + (b - a) k / 2^53, rounded down: never b. */
static void draw_floats(const struct distribution *r, struct literal *out)
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

static bool eval(struct eval *ev, struct status *st)
{
    struct distribution *r = rng_open(ev);
    struct literal *value = literal_new(ev->arena, ev->in->shape);
    struct goal *g = goal_of(ev->arena, value, GOAL_BITS);
    bool empty = r->special || !distribution_below(r, r->bits[0], r->bits[1]);
    if (empty) {
        for (int64_t i = 0, n = literal_units(value); i < n; i++)
            literal_set(value, i, r->bits[0]);
        if (r->special
            || !profile_rng_uniform_empty_is_lower(ev->machine->profile))
            goal_make_free(g);
    } else {
        goal_make_check(g, check_uniform, r, 0);
        if (r->is_float)
            draw_floats(r, value);
        else
            draw_integers(r, value);
    }
    return eval_return_one(ev, g);
}

const struct op op_RngUniform = {
    .name = "RngUniform",
    .infer = rng_infer,
    .eval = eval,
    .draws = true,
    .stablehlo =
        STABLEHLO_FORM(.write = stablehlo_op_rng, .distribution = "UNIFORM")};
