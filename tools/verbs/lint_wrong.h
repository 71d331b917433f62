/* lint_wrong.h - would a wrong result of a case be seen?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_VERBS_LINT_WRONG_H
#define TOOLS_VERBS_LINT_WRONG_H

#include "interp/judge/judge_reference.h"

/* Judge the reference's result with the first element of each array changed.
 * Returns what to complain about, the limit that the judge reaches then, or
 * NULL. */
const char *lint_wrong(struct arena *a, const struct test_case *t,
                       const struct judge_mode *mode);

#endif
