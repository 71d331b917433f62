/* expect_reason.h - what cases that fail alike have in common, in figures.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_EXPECT_REASON_H
#define TOOLS_EXPECT_REASON_H

#include "tools/verbs/expect_measure.h"

/* What sets a failure apart from others of the same operation and type: cases
 * of one kind share a reason.  Errors of one kind are of one decade. */
const char *expect_reason_kind(struct arena *a, const struct expect_measure *m);

/* The deviation that explains it in every run, or "".  Of a search that ended
 * early none counts: a complete one may find narrower ones. */
const char *expect_reason_cause(const struct expect_measure *m);

/* The class of its message (text_class), or "": of wrong units, and of what
 * is unsteady. */
const char *expect_reason_message(struct arena *a,
                                  const struct expect_measure *m);

/* The reason of some cases of one kind: the largest error and its input, or
 * an example, or the message; and how many units of how many cases. */
const char *expect_reason(struct arena *a,
                          const struct expect_measure *const *cases, int count);

#endif
