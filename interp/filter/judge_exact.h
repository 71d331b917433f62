/* judge_exact.h - the exact result of one element-wise function of very many
 * inputs.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A kernel (interp/fast) gives a number next to the exact value; where its
 * bound proves that this, rounded, is the correctly rounded result, that is
 * taken, and the other units are evaluated as usual.  So the result is the one
 * that judge_reference alone would give, bit for bit.
 */
#ifndef INTERP_FILTER_JUDGE_EXACT_H
#define INTERP_FILTER_JUDGE_EXACT_H

#include "interp/judge/judge_reference.h"

/* The result of a case that is one instruction for which there is a kernel, on
 * arrays of rank 1; in the arena.  NULL if it is not such a case, or too many
 * units are not decided, or no fast path is to be taken (slow.h). */
struct literal *judge_exact(struct arena *a, const struct test_case *c,
                            const struct judge_mode *mode);

#endif
