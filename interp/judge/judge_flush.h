/* judge_flush.h - the ways in which a profile lets a backend flush operands.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Operands come from parameters (and elements of those that are tuples), from
 * Infeed, and from constants.  judge_ways.c tries each way.
 */
#ifndef INTERP_JUDGE_JUDGE_FLUSH_H
#define INTERP_JUDGE_JUDGE_FLUSH_H

#include "interp/judge/judge_reference.h"

/* May an instruction of the case treat an operand as zero in this way? */
bool judge_flush_possible(const struct test_case *c,
                          const struct profile *profile,
                          enum machine_flush flush);

/* Has the case data of its own, inputs, infeed or constants, that the profile
 * may flush? */
bool judge_flush_any(struct arena *a, const struct test_case *c,
                     const struct profile *profile);

/* Set inputs and sources of mode to the way-th combination of flushed data:
 * false if there are no more; *changes says whether any number is flushed. */
bool judge_flush_way(struct arena *a, const struct test_case *c,
                     const struct profile *profile, int way,
                     struct judge_mode *mode, bool *changes);

#endif
