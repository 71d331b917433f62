/* Zeta.c - the Hurwitz zeta function of each element of lhs, with the element
 * of rhs as parameter.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/hurwitz.h"
#include "interp/program/op_way.h"

enum parity {
    PARITY_NONE, /* no integer */
    PARITY_ODD,
    PARITY_EVEN,
};

static enum parity parity_of(mpfr_ptr s)
{
    if (!mpfr_integer_p(s))
        return PARITY_NONE;
    mpfr_div_2ui(s, s, 1, MPFR_RNDN);
    return mpfr_integer_p(s) ? PARITY_EVEN : PARITY_ODD;
}

/* Where the sum has no value, or none that a document gives. */
static bool special(struct elementwise_job *j, const uint64_t *x,
                    uint64_t *bits)
{
    if (elementwise_any_nan(j->unit, x, 2))
        return false;
    if (real_is_inf(j->unit, x[0]) || real_is_inf(j->unit, x[1])) {
        hurwitz_infinite(j, bits);
        return true;
    }
    bool pole = hurwitz_is_pole(j->unit, x[1]);
    real_bits_to_mpfr(j->x2, j->unit, x[1]);
    real_bits_to_mpfr(j->x, j->unit, x[0]);
    int order = mpfr_cmp_ui(j->x, 1);
    enum parity parity = parity_of(j->x);
    *bits = real_nan(j->result, false);
    if (pole || order == 0)
        hurwitz_pole(j, pole ? parity == PARITY_EVEN : true, bits);
    else if (order > 0 && (mpfr_sgn(j->x2) > 0 || parity != PARITY_NONE))
        return false;
    return true;
}

OP_MONOTONE(Zeta, OP_WAY_ZETA, OP_WAY_ZETA, .arity = 2, .equal_sizes = true,
            .real2 = hurwitz_zeta, .special = special, .accuracy = "Zeta",
            .open = true);
