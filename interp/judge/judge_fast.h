/* judge_fast.h - one element-wise function of very many inputs.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A kernel (interp/fast) decides nearly all units: that the result is the
 * correctly rounded one, or well inside its budget, and which bin its error
 * falls into.  What it leaves open, and every unit that may have the largest
 * error, is judged as ever, by judge_value; so all that is reported is what
 * judge_value by itself reports.
 */
#ifndef INTERP_JUDGE_JUDGE_FAST_H
#define INTERP_JUDGE_JUDGE_FAST_H

#include "interp/judge/judge_value.h"

/* judge_value of a case that is one instruction for which there is a kernel,
 * on one array, errors counted (by->bins); by->plain is not asked for.
 * reference gets only the result's shape.  False, and nothing is judged: it is
 * no such case, or too many units were left open. */
bool judge_fast(const struct judge_value *by, const struct judge_given *given,
                struct verdict *v, struct judge_reference *reference,
                enum verdict_status *status, char *text, size_t size);

#endif
