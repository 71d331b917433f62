/* interval_hull.h - the ranges of an instruction's results, widened by one
 * evaluation after the other.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_PROGRAM_INTERVAL_HULL_H
#define INTERP_PROGRAM_INTERVAL_HULL_H

#include "interp/program/interval_reach.h"
#include "interp/program/op.h"

/* Is a goal the rounding of exact values that are known? */
bool interval_hull_rounds(const struct goal *g);

/* Ranges of the results of ev (NULL for tokens), which start at their values;
 * and reaches of those that are such roundings, else NULL. */
struct goal **interval_hull_start(struct eval *ev,
                                  struct interval_reach ***reach);
/* Widen a range to what a goal of the same result, of another evaluation,
 * allows.  A unit that may be anything in from may be so in to.  Fails with
 * UNSUPPORTED "inadmissible: ..." if another one has no ends. */
bool interval_hull_include(struct eval *ev, struct goal *to,
                           const struct goal *from, struct status *st);
/* The ranges become the goals of ev's results.  Fails if one varies that must
 * not: of a discrete type, or of an operation that rises by steps. */
bool interval_hull_finish(struct eval *ev, struct goal **goals, bool steps,
                          struct status *st);
/* "element 3 is from -1e-07 to 2e-07": unit i between these ends. */
const char *interval_hull_told(struct arena *a, const struct literal *low,
                               const struct literal *high, int64_t i);
/* A result may be a NaN or a number: fails. */
bool interval_hull_fail(const struct eval *ev, struct status *st);

#endif
