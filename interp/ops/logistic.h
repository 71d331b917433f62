/* logistic.h - 1 / (1 + e^-x), correctly rounded.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_OPS_LOGISTIC_H
#define INTERP_OPS_LOGISTIC_H

#include <mpfr.h>
#include <stdbool.h>

/* Like an MPFR function; rnd must be MPFR_RNDZ.  Returns the ternary value. */
int logistic_real(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rnd);

#endif
