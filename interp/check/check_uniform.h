/* check_uniform.h - is that a sample of uniformly distributed numbers of [a,
 * b)?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_CHECK_CHECK_UNIFORM_H
#define INTERP_CHECK_CHECK_UNIFORM_H

#include "interp/goal/goal.h"

/* A goal_check, whose data are a struct distribution. */
bool check_uniform(const struct goal *g, const struct literal *const *got,
                   int n, struct goal_finding *found);

#endif
