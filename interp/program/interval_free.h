/* interval_free.h - units inside a program that may be anything.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where a policy leaves a unit open (an integer that overflows), a right
 * backend may hand on any pattern.  What depends on it may be anything too;
 * what does not is judged as ever.
 */
#ifndef INTERP_PROGRAM_INTERVAL_FREE_H
#define INTERP_PROGRAM_INTERVAL_FREE_H

#include "interp/program/op.h"

/* Has an operand of an instruction such a unit, in any replica? */
bool interval_free_any(const struct eval *evs, int count);

/* The same outcome, as if these units were what the reference returns. */
struct outcome interval_free_rest(struct arena *a, const struct outcome *out);
/* The same goal; it has such units. */
struct goal *interval_free_without(struct arena *a, const struct goal *g);

/* evs[0..count-1] were evaluated: mark the units of their results that change
 * with free units of their operands. */
bool interval_free_mark(struct eval *evs, int count, struct status *st);

#endif
