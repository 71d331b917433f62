/* judge_screen.h - the worst results of one element-wise function.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * For a hunt (runner/hunt.h), which wants the largest error of very many
 * inputs of f64 and not a verdict on each: an estimate in long double
 * (fast_estimate.h) names the few results that may have it, and those are
 * judged by judge_value as usual.
 */
#ifndef INTERP_FILTER_JUDGE_SCREEN_H
#define INTERP_FILTER_JUDGE_SCREEN_H

#include "interp/judge/judge_value.h"

enum {
    JUDGE_SCREEN_MOST = 4 /* results of a case that are judged */
};

/* judge_value of the results whose errors may be the largest, by the estimates
 * the first JUDGE_SCREEN_MOST of them: of the others nothing is counted.
 * reference gets only the result's shape.  False, with nothing judged, if it is
 * not a case of f64 that is one instruction for which there is an estimate. */
bool judge_screen(const struct judge_value *by, const struct judge_given *given,
                  struct verdict *v, struct judge_reference *reference,
                  enum verdict_status *status, char *text, size_t size);

#endif
