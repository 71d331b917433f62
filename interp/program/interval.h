/* interval.h - inexact values inside a program, as intervals.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where the result of an inexact instruction is the operand of another, a right
 * backend may pass on any value of its acceptance set.  The reference follows
 * the smallest and the largest one through operations that are monotone, and
 * rejects a case as inadmissible where that is impossible or a discrete
 * decision would depend on it.
 */
#ifndef INTERP_PROGRAM_INTERVAL_H
#define INTERP_PROGRAM_INTERVAL_H

#include "interp/program/op.h"

/* evs[0..count-1] were evaluated on the values of their operands: where an
 * operand is inexact, put goals of intervals into their outcomes. */
bool interval_propagate(struct eval *evs, int count, struct status *st);

#endif
