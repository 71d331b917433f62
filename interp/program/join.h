/* join.h - several programs combined into one.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A compiler takes milliseconds for each program, however small, so independent
 * programs are compiled as one: its parameters are those of all of them, one
 * program after the other, and its result is a tuple of theirs.
 */
#ifndef INTERP_PROGRAM_JOIN_H
#define INTERP_PROGRAM_JOIN_H

#include "interp/program/program.h"

/* May an inferred program be combined with others?  Not if it runs in several
 * processes, communicates with the host or with other processes, calls an
 * external function, has a token or a dynamic array, or draws random numbers:
 * others each time, so what was wrong beside others may be right alone by
 * chance. */
bool join_allows(const struct program *p);

/* The joined program, with all shapes, in the arena; it shares attributes and
 * shapes with the programs, each of which join_allows, and which together have
 * at most SHAPE_LEAVES_MAX leaves of results.  Names are those of the programs,
 * prefixed with "mI_", where I is the number of the program. */
struct program *join(struct arena *a, const struct limits *limits, int count,
                     const struct program *const *programs);

#endif
