/* judge_moved.h - which results only move what the program was given.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_JUDGE_JUDGE_MOVED_H
#define INTERP_JUDGE_JUDGE_MOVED_H

#include "interp/program/program.h"

/* Does this leaf of a process's result only move what the program was given,
 * with all its bits? */
bool judge_moved(struct arena *a, const struct program *p, int process,
                 int leaf);
/* The same for a leaf of an operand of an instruction of c. */
bool judge_moved_operand(struct arena *a, const struct program *p,
                         const struct computation *c,
                         const struct instruction *in, int operand, int leaf);
/* And for all that the instruction that produces this leaf of a process's
 * result can move there: its operands of the leaf's element type. */
bool judge_moved_sources(struct arena *a, const struct program *p, int process,
                         int leaf);

#endif
