/* interval_move.h - data that move take their sets along, unit by unit.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Between two ends (interval.h) lies more than a set of several patterns: a sum
 * of integers in any order that is 1 or 3 is not 2.  Where an instruction only
 * moves units of its operands, each keeps what it is allowed, and what was
 * given to the program keeps its bits.
 */
#ifndef INTERP_PROGRAM_INTERVAL_MOVE_H
#define INTERP_PROGRAM_INTERVAL_MOVE_H

#include "interp/program/op.h"

/* evs[0..count-1] were evaluated on operands that are exact: note which results
 * hold what was computed. */
void interval_move_exact(struct eval *evs, int count);
/* evs[0..count-1] were evaluated.  If their results are units of operands,
 * elsewhere, give them the goals of these, and set *moved.  Not where a
 * predicate judges all units together. */
bool interval_move(struct eval *evs, int count, bool *moved, struct status *st);

/* evs[0..count-1] were evaluated.  If each is a select that takes every element
 * from an operand that a predicate judges as a whole, its result is judged so,
 * too. */
bool interval_move_whole(struct eval *evs, int count);

/* ev was evaluated.  True if its result is one array of units that it moved:
 * from[i] is then 1 more than the number of the unit that unit i was, counting
 * those of the followed operands one after the other, and 0 if it was another.
 */
bool interval_move_trace(struct eval *ev, const bool *followed, uint64_t *from);

#endif
