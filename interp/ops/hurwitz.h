/* hurwitz.h - the Hurwitz zeta function, and the polygamma functions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_OPS_HURWITZ_H
#define INTERP_OPS_HURWITZ_H

#include <mpfr.h>

#include "interp/ops/elementwise.h"

/* The sum of (q + k)^-s for k = 0, 1, ..., of finite operands for which it is
 * defined: s > 1; where q < 0, s and not q is an integer.  Truncated, with the
 * ternary value (enclose.h). */
int hurwitz_zeta(mpfr_ptr y, mpfr_srcptr s, mpfr_srcptr q, mpfr_rnd_t rnd);
/* The derivative of order n of the digamma function: (-1)^(n + 1) n! times the
 * sum with s = n + 1; n >= 1 is an integer. */
int hurwitz_polygamma(mpfr_ptr y, mpfr_srcptr n, mpfr_srcptr x, mpfr_rnd_t rnd);

/* Is it 0 or a negative integer, where these functions have poles? */
bool hurwitz_is_pole(enum dtype unit, uint64_t q);
/* The result of a function at a pole, by policy function.pole; of Zeta and
 * Polygamma of an infinite operand, by policy zeta.infinite. */
void hurwitz_pole(struct elementwise_job *j, bool infinite, uint64_t *bits);
void hurwitz_infinite(struct elementwise_job *j, uint64_t *bits);

#endif
