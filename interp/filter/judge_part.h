/* judge_part.h - some units of a case, judged as a case of their own.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * For an element-wise function of very many inputs: judge_fast.h decides most
 * units itself, judge_screen.h looks for the few with the largest errors; each
 * passes the rest to judge_value through this header.
 */
#ifndef INTERP_FILTER_JUDGE_PART_H
#define INTERP_FILTER_JUDGE_PART_H

#include "interp/judge/judge_value.h"

/* A case that is one instruction, and what was given for it. */
struct judge_whole {
    const struct judge_value *by;
    struct arena *arena;
    const struct instruction *in;
    const struct literal *x, *y, *got; /* y: NULL if there is one operand */
};

/* The instruction of a case that is one element-wise function of one or two
 * arrays of rank 1 and its result's shape; NULL if it is not such a case. */
const struct instruction *judge_part_single(const struct test_case *c);

/* The case of only these units; NULL if it cannot be made. */
struct test_case *judge_part_case(const struct judge_whole *w,
                                  const int64_t *units, int64_t count);
/* Asks the reference about such a case. */
bool judge_part_evaluate(const struct judge_whole *w, const struct test_case *c,
                         bool want_exact, struct judge_reference *r);
/* Judge these units, in ascending order; v gets what judge_value says of them,
 * with the units' numbers in the whole, and bins (none: all empty).  by->plain
 * is not asked for.  False as for judge_value. */
bool judge_part(const struct judge_whole *w, const struct judge_given *given,
                const int64_t *units, int64_t count, struct verdict *v);

#endif
