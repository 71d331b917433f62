/* RngNormal - normally distributed numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The reference adds up 16 uniform numbers and corrects the sum's fourth
 * moment; any sample that looks normal is right.
 */
#include <mpfr.h>

#include "interp/check/check.h"
#include "interp/ops/rng.h"
#include "interp/program/eval.h"
#include "interp/stablehlo/stablehlo_form.h"

enum {
    TERMS = 16,
    POINT = 56 /* bits of a fraction of the reference's numbers */
};

__extension__ typedef __int128 wide;

/* ---- The reference's sample ---------------------------------------------- */

/* The sum of 16 uniform numbers, of variance 16/12; over its deviation it has a
 * fourth cumulant of -6/80, of which z + (z^3 - 3z) / 320 has next to nothing
 * (Cornish, Fisher 1938). */
static int64_t normal(int64_t i)
{
    wide sum = 0;
    for (int k = 0; k < TERMS / 2; k++) {
        uint64_t pair[2];
        rng_pair(i, k, pair);
        sum += (wide)pair[0] + pair[1];
    }
    sum -= (wide)(TERMS / 2) << 64;
    int64_t z = (int64_t)(sum >> (64 - POINT));
    /* times sqrt(3) / 2 */
    z = (int64_t)((wide)z * INT64_C(0x6ed9eba16132a9ce) >> 63);
    wide cube = ((wide)z * z >> POINT) * z >> POINT;
    return z + (int64_t)((cube - 3 * (wide)z) / 320);
}

static void draw(const struct distribution *r, struct literal *out)
{
    mpfr_t sigma;
    int64_t by;
    bool scaled = distribution_power(r, &by);
    for (int64_t i = 0, n = literal_units(out); scaled && i < n; i++) {
        struct real y = real_from_int(normal(i));
        y.exponent += by - POINT;
        literal_set(out, i, real_round(&y, r->type, REAL_OVERFLOW_TYPE));
    }
    if (scaled)
        return;
    mpfr_init2(sigma, 64);
    mpfr_div_2ui(sigma, r->value[1], POINT, MPFR_RNDN);
    for (int64_t i = 0, n = literal_units(out); i < n; i++) {
        MPFR_DECL_INIT(cut, 128);
        MPFR_DECL_INIT(z, 64);
        mpfr_set_si(z, (long)normal(i), MPFR_RNDN);
        int ternary = mpfr_fma(cut, z, sigma, r->value[0], MPFR_RNDZ);
        struct real y = real_from_mpfr(cut, ternary);
        literal_set(out, i, real_round(&y, r->type, REAL_OVERFLOW_TYPE));
    }
    mpfr_clear(sigma);
}

static bool eval(struct eval *ev, struct status *st)
{
    struct distribution *r = rng_open(ev);
    struct literal *value = literal_new(ev->arena, ev->in->shape);
    struct goal *g = goal_of(ev->arena, value, GOAL_BITS);
    /* A negative deviation is invalid. */
    if (r->special || mpfr_sgn(r->value[1]) < 0)
        goal_make_free(g);
    else
        goal_make_check(g, check_normal, r, 0);
    if (r->special)
        for (int64_t i = 0, n = literal_units(value); i < n; i++)
            literal_set(value, i, real_nan(r->type, false));
    else
        draw(r, value);
    return eval_return_one(ev, g);
}

const struct op op_RngNormal = {
    .name = "RngNormal",
    .infer = rng_infer,
    .eval = eval,
    .draws = true,
    .stablehlo =
        STABLEHLO_FORM(.write = stablehlo_op_rng, .distribution = "NORMAL")};
