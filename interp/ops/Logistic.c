/* Logistic.c - 1 / (1 + e^-x) of each element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/logistic.h"

#include "gen/policy/logistic_composite.h"
#include "interp/ops/elementwise.h"

/* One step of the composite: the result rounded to the type, and read back. */
static uint64_t rounded(struct elementwise_job *j, int ternary)
{
    struct real r = real_from_mpfr(j->y, ternary);
    uint64_t bits = real_round(&r, j->unit, j->goal->overflow);
    real_bits_to_mpfr(j->x, j->unit, bits);
    return bits;
}

/* StableHLO defines the function as 1 / (1 + exp(-x)), each step rounded. */
static void or_composite(struct elementwise_job *j, uint64_t x)
{
    real_bits_to_mpfr(j->x, j->unit, x);
    mpfr_neg(j->x, j->x, MPFR_RNDZ);
    rounded(j, mpfr_exp(j->y, j->x, MPFR_RNDZ));
    rounded(j, mpfr_add_ui(j->y, j->x, 1, MPFR_RNDZ));
    goal_or(j->goal, j->index,
            rounded(j, mpfr_ui_div(j->y, 1, j->x, MPFR_RNDZ)));
}

static bool special(struct elementwise_job *j, const uint64_t *x,
                    uint64_t *bits)
{
    if (!real_is_finite(j->unit, x[0]))
        return false;
    if (profile_logistic_composite_is_composite_too(j->ev->machine->profile))
        or_composite(j, x[0]);
    return false;
}

OP_FUNCTION(Logistic, logistic_real, 1, .complex = complex_tanh_logistic,
            .steep = steep_logistic, .special = special, .open = true,
            .composite = 3, .low = ELEMENTWISE_ZERO, .high = ELEMENTWISE_ONE,
            .slope = slope_logistic);
