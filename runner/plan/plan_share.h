/* plan_share.h - cases of which a tier has a share.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is done alike for several operations or element types needs no case for
 * each.  A rule of spec/tiers.json ("shared") says of which cases one in `of`
 * stays:
 *
 *     by operation   of one case, for one in `of` operations
 *     by type        of the cases of an operation that differ in the type only
 *
 * Which ones, the hash of a name decides.  Forms of the cases, and those that
 * the tier keeps by name, stay.  spec.t and test_plan.c test this.
 */
#ifndef RUNNER_PLAN_PLAN_SHARE_H
#define RUNNER_PLAN_PLAN_SHARE_H

#include "interp/base/json.h"
#include "runner/plan/plan.h"
#include "runner/plan/plan_names.h"

/* Leave out what is not of the share: of the cases of a file, in its order.
 * Gives how many are left. */
int64_t plan_share(struct arena *a, const struct json *rules,
                   const struct plan_names *kept, int64_t count,
                   struct plan_case *cases);

#endif
