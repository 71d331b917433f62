/* judge_fast.h - one element-wise function of very many inputs.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A kernel (interp/fast) decides nearly all units: that the result is the
 * correctly rounded one, or well inside its budget, and which bin its error
 * falls into.  What it leaves open, and every unit that may have the largest
 * error, is judged by judge_value as usual; so the report is the one that
 * judge_value alone would give.
 */
#ifndef INTERP_FILTER_JUDGE_FAST_H
#define INTERP_FILTER_JUDGE_FAST_H

#include "interp/fast/fast.h"
#include "interp/judge/judge_value.h"

/* The instruction of a case that is only that, on arrays of rank 1 and of a
 * type that kernels take, and its kernel; NULL if there is none. */
const struct instruction *judge_fast_single(const struct test_case *c,
                                            const struct fast_kernel **kernel);

/* judge_value of a case that is one instruction for which there is a kernel,
 * on one array, errors counted (by->bins); by->plain is not asked for.
 * reference gets only the result's shape.  False, with nothing judged, if it is
 * not such a case or too many units were left open. */
bool judge_fast(const struct judge_value *by, const struct judge_given *given,
                struct verdict *v, struct judge_reference *reference,
                enum verdict_status *status, char *text, size_t size);

#endif
