/* deviation_open.h - where a deviation gives another value than was returned.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_DEVIATION_DEVIATION_OPEN_H
#define INTERP_DEVIATION_DEVIATION_OPEN_H

#include "interp/judge/judge_value.h"

/* Is a value that was returned what the deviation gives?  Of NaNs that
 * arithmetic gives any is. */
bool deviation_open_matches(const struct goal *g, uint64_t got, uint64_t other);

/* What the deviation gives (other) where a right value was returned that is
 * not this one; elsewhere the reference's own, of which nothing needs to be
 * judged.  Arrays that are judged as a whole are those of other.  The values
 * are in the arena. */
struct judge_reference deviation_open(struct arena *a, const struct verdict *v,
                                      const struct judge_reference *reference,
                                      const struct judge_reference *other);

#endif
