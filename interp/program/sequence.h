/* sequence.h - the total order of what reads or writes a feed.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Infeeds may occur several times in one computation if one of every two
 * depends on the other (seed 004, line 1111).  Nothing else orders them: the
 * order of instructions in a program has no meaning.
 */
#ifndef INTERP_PROGRAM_SEQUENCE_H
#define INTERP_PROGRAM_SEQUENCE_H

#include "interp/program/program.h"

/* The feeds (enum op_feed) that the instructions of c use, by themselves or in
 * the computations that they call, as far as these have been inferred. */
unsigned sequence_all(const struct computation *c);

/* The first instruction of c that uses a feed and does not depend on the one
 * before it that does; the number of that one goes to *before; -1: there is
 * none. */
int sequence_find(struct arena *a, const struct computation *c, int *before);

#endif
