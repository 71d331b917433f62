/* Polygamma.c - the derivative of the digamma function whose order is an
 * element of lhs, at the element of rhs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/hurwitz.h"
#include "interp/program/op_way.h"

static int polygamma(mpfr_ptr y, mpfr_srcptr n, mpfr_srcptr x, mpfr_rnd_t rnd)
{
    return mpfr_zero_p(n) ? mpfr_digamma(y, x, rnd)
                          : hurwitz_polygamma(y, n, x, rnd);
}

/* Where there is no such derivative, or none that a document gives. */
static bool special(struct elementwise_job *j, const uint64_t *x,
                    uint64_t *bits)
{
    if (elementwise_any_nan(j->unit, x, 2))
        return false;
    *bits = real_nan(j->result, false);
    bool whole = real_is_zero(j->unit, x[0]);
    if (real_is_inf(j->unit, x[0]) || (real_is_inf(j->unit, x[1]) && !whole)) {
        hurwitz_infinite(j, bits);
        return true;
    }
    real_bits_to_mpfr(j->x, j->unit, x[0]);
    if (mpfr_sgn(j->x) < 0 || !mpfr_integer_p(j->x))
        return true;
    if (real_is_inf(j->unit, x[1]) || !hurwitz_is_pole(j->unit, x[1]))
        return false;
    mpfr_div_2ui(j->x, j->x, 1, MPFR_RNDN);
    hurwitz_pole(j, !mpfr_integer_p(j->x), bits);
    return true;
}

OP_MONOTONE(Polygamma, OP_WAY_POLYGAMMA, OP_WAY_POLYGAMMA, .arity = 2,
            .equal_sizes = true, .real2 = polygamma, .special = special,
            .accuracy = "Polygamma", .open = true);
