/* interval_bilinear.h - intervals through sums of products: Dot and Conv.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_PROGRAM_INTERVAL_BILINEAR_H
#define INTERP_PROGRAM_INTERVAL_BILINEAR_H

#include "interp/program/op.h"

/* Is each element of the result a sum of products of two floating-point
 * numbers, one of each operand? */
bool interval_bilinear_knows(const struct instruction *in);

/* The operands lie between low[k] and high[k]: ends[0] is a goal whose sums are
 * the least ones and ends[1] one of the greatest, each with an error bound for
 * all sums between them.  Fails with UNSUPPORTED "inadmissible: ..." where an
 * end is not finite, or a sum may overflow. */
bool interval_bilinear(const struct eval *ev, struct literal *const low[2],
                       struct literal *const high[2], struct goal *ends[2],
                       struct status *st);

/* For those instructions, and for sums of elements of operand 0 whose operand
 * 1, the initial value, is known: an error bound of each sum, whatever the
 * operands are between low[k] and high[k].  NULL where there is none. */
const struct accept_sum *interval_bilinear_bound(const struct eval *ev,
                                                 struct literal *const low[2],
                                                 struct literal *const high[2]);

#endif
