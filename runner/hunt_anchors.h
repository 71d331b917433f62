/* hunt_anchors.h - points near which the errors of functions are large.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_HUNT_ANCHORS_H
#define RUNNER_HUNT_ANCHORS_H

#include "runner/hunt.h"

/* 1, the ends of the type's range, multiples of pi/2, and the inputs of that
 * operation's cases in a folder of the suite (none if it has no such folder):
 * what is hard to round, thresholds, edges.  Fails with INPUT if a case file is
 * bad. */
bool hunt_anchors(struct arena *a, const struct sweep_options *o, int operands,
                  struct hunt_anchor **list, int64_t *count, struct status *st);

#endif
