/* case_expect.h - does the reference agree with what a case expects?
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The reference's own value is compared bit for bit; a bare "nan" is any NaN.
 * Where a policy or a predicate leaves a result open, every value that it
 * allows will do.
 */
#ifndef INTERP_CASE_CASE_EXPECT_H
#define INTERP_CASE_CASE_EXPECT_H

#include "interp/case/case.h"
#include "interp/program/op.h"

/* The first difference as one line of text, or NULL: of the shapes alone,
 * before anything is evaluated (the program must have been accepted), */
const char *case_expect_shapes(struct arena *a, const struct test_case *t);
/* of the results, one outcome per replica, */
const char *case_expect_results(struct arena *a, const struct test_case *t,
                                const struct outcome *outcomes);
/* and of what Outfeed wrote. */
const char *case_expect_outfeed(struct arena *a, const struct test_case *t,
                                const struct machine *machine);

/* Is this one of the classes of error that it expects? */
bool case_expect_error(const struct test_case *t, enum code code);

#endif
