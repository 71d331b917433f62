/* complex_ranges.h - what a product of inexact complex numbers may be.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_OPS_COMPLEX_RANGES_H
#define INTERP_OPS_COMPLEX_RANGES_H

#include "interp/program/op.h"

/* The ranges of Mul (struct op) for complex operands. */
bool complex_ranges_mul(struct eval *ev, struct status *st);

#endif
