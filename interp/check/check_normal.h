/* check_normal.h - is that a sample of normally distributed numbers?
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Bins are bounded by quantiles: sixteenths, or quarters where the type has few
 * numbers.
 */
#ifndef INTERP_CHECK_CHECK_NORMAL_H
#define INTERP_CHECK_CHECK_NORMAL_H

#include "interp/goal/goal.h"

/* A goal_check, whose data are a struct distribution. */
bool check_normal(const struct goal *g, const struct literal *const *got, int n,
                  struct goal_finding *found);

#endif
