/* residual.h - how large the residual of a right result may be.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_CHECK_RESIDUAL_H
#define INTERP_CHECK_RESIDUAL_H

#include <mpfr.h>

#include "interp/base/arena.h"
#include "interp/base/dtype.h"

/* Bits in which sums of products of two units are exact. */
mpfr_prec_t residual_precision(enum dtype unit);
/* The loss of a product or quotient besides its rounding: the smallest
 * subnormal number, or the smallest normal one where a profile lets them be
 * flushed. */
void residual_tiny(mpfr_ptr x, enum dtype unit, bool flush);
/* gamma = k u / (1 - k u), rounded up; k u from 1/2 on. */
void residual_gamma(mpfr_ptr x, int64_t roundings, enum dtype accumulator);

/* Zeros of so many bits, in the arena's memory but for what the other gives
 * back. */
mpfr_t *residual_numbers(struct arena *a, int64_t count, mpfr_prec_t bits);
void residual_clear(mpfr_t *numbers, int64_t count);
/* The number of a type at or next to x, outwards: the end of what lies above x
 * (up: below x).  x has at most 128 bits. */
uint64_t residual_end(mpfr_srcptr x, enum dtype unit, bool up);

#endif
