/* Logistic.c - 1 / (1 + e^-x) of each element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/logistic.h"

#include "interp/ops/elementwise.h"

/* One step of the composite: the result rounded to the type, and read back. */
static uint64_t rounded(struct elementwise_job *j, int ternary)
{
    struct real r = real_from_mpfr(j->y, ternary);
    uint64_t bits = real_round(&r, j->unit, j->goal->overflow);
    real_bits_to_mpfr(j->x, j->unit, bits);
    return bits;
}

/* StableHLO defines the function as 1 / (1 + exp(-x)), each step rounded;
 * policy logistic.composite says whether that is right too. */
static bool composite(struct elementwise_job *j, const uint64_t *x,
                      uint64_t *bits)
{
    if (j->choice[0] != CHOICE_LOGISTIC_COMPOSITE_COMPOSITE_TOO
        || !real_is_finite(j->unit, x[0]))
        return false;
    real_bits_to_mpfr(j->x, j->unit, x[0]);
    mpfr_neg(j->x, j->x, MPFR_RNDZ);
    rounded(j, mpfr_exp(j->y, j->x, MPFR_RNDZ));
    rounded(j, mpfr_add_ui(j->y, j->x, 1, MPFR_RNDZ));
    goal_or(j->goal, j->index,
            rounded(j, mpfr_ui_div(j->y, 1, j->x, MPFR_RNDZ)));
    return false;
}

OP_FUNCTION(Logistic, logistic_real, 1, .complex = complex_tanh_logistic,
            .special = composite, .policies = {POLICY_LOGISTIC_COMPOSITE},
            .low = ELEMENTWISE_ZERO, .high = ELEMENTWISE_ONE);
